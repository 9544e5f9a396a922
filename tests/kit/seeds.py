"""An RNG whose seeds anybody can guess, for tests that play the RNG themselves."""

from hashlib import sha256

from libs.kernel.contracts.rng import CommitSeed, RevealSeed, SeedCommitted, SeedRevealed
from libs.kernel.messages import Command, Event
from libs.kernel.seeds import commitment_of


def easy_seed(seed_id: str) -> bytes:
    """Return the seed that this id has in tests."""
    return sha256(seed_id.encode()).digest()


def said_of_seeds(command: Command) -> tuple[Event, ...]:
    """Return what such an RNG answers about seeds; nothing to any other command."""
    match command:
        case CommitSeed(seed_id=seed_id):
            return (SeedCommitted(seed_id=seed_id, commitment=commitment_of(easy_seed(seed_id), seed_id)),)
        case RevealSeed(seed_id=seed_id):
            return (SeedRevealed(seed_id=seed_id, seed=easy_seed(seed_id).hex()),)
    return ()
