"""Seeds that are not revealed yet, encrypted for the log, and the file of keys that opens them again.

A file of keys has a line for each: a name, and 64 hex digits. The last line's key seals, all of them open; lines that
begin with # are notes. The sealed form is a `Keyring`'s, bound to the id of the seed and to the commitment to it.
Without a key the log can still be replayed and audited: `evolve` opens nothing.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from libs.draws.state import DrawsState, seed_of, unrevealed
from libs.kernel.contracts.rng import CommitSeed, RequestDraw, RevealSeed, SeedSealed
from libs.kernel.decider import NO_CHANCE, Chance
from libs.kernel.ids import split_draw_id, split_seed_id
from libs.kernel.limits import SEAL_KEYS
from libs.kernel.messages import Command
from libs.kernel.seeds import commitment_of
from libs.runtime.faults import CannotServe
from libs.runtime.keyfile import add_keys, read_key_file
from libs.runtime.keyring import Keyring, key_name

SEAL_KEYS_FILE = "seal-keys"
"""How the file is called where we choose its name."""


class SealKeys:
    """The keys of seeds, by name, the newest last."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._ring = Keyring(keys)
        self.names = self._ring.names

    def seal(self, seed: bytes, seed_id: str) -> str:
        """Return the form of a seed that may stand in the log."""
        return self._ring.lock(seed, _bound_to(seed_id, commitment_of(seed, seed_id)))

    def open(self, sealed: SeedSealed) -> bytes | None:
        """Return the seed, or None when none of these keys opens it."""
        return self._ring.unlock(sealed.sealed, _bound_to(sealed.seed_id, sealed.commitment))


def _bound_to(seed_id: str, commitment: str) -> str:
    return f"tapis/seal/1 {seed_id} {commitment}"


# -- the file -----------------------------------------------------------------------------------------------------
def read_keys(path: Path) -> SealKeys:
    """Read a file of keys; raises `KeyFileError`."""
    return SealKeys(read_key_file(path, SEAL_KEYS))


def add_key(path: Path, name: str) -> None:
    """Put a fresh key at the end of a file that only its owner may read, made if need be; raises `KeyFileError`."""
    add_keys(path, [name], SEAL_KEYS)


# -- what a decision is given -------------------------------------------------------------------------------------
class Seals:
    """Hands chance to each decision of the RNG: fresh bytes where something new is made, else the opened seed."""

    def __init__(self, fresh: Callable[[], bytes], keys: SealKeys, *, give_up: bool = False) -> None:
        self._fresh, self.keys, self._give_up = fresh, keys, give_up

    def provide(self, state: DrawsState, command: Command) -> Chance:
        """Return what the command needs on this state."""
        match command:
            case CommitSeed(seed_id=seed_id):
                seed = self._fresh()
                return Chance(entropy=seed, sealed=self.keys.seal(seed, seed_id) if seed else "")
            case RevealSeed(seed_id=seed_id):
                return self._opened(state, seed_id, split_seed_id)
            case RequestDraw(draw_id=draw_id):
                opened = self._opened(state, draw_id, split_draw_id)
                return Chance(entropy=self._fresh()) if opened is NO_CHANCE else opened
        return NO_CHANCE

    def look_over(self, state: DrawsState) -> None:
        """See that all seeds in the log that are not revealed can be opened; raises `CannotServe`."""
        shut = [seed for seed in unrevealed(state) if self.keys.open(seed) is None]
        if shut and not self._give_up:
            wanted = ", ".join(sorted({key_name(seed.sealed) for seed in shut}))
            raise CannotServe(
                f"{len(shut)} seeds in the log ({shut[0].seed_id}, …) cannot be opened with the keys "
                f"{', '.join(self.keys.names)}. Put the key that sealed them ({wanted}) back into the file that "
                "TAPIS_RNG_SEAL_KEYS_FILE names. If it is lost, set TAPIS_RNG_GIVE_UP_SEEDS=yes: draws of these seeds "
                "are then refused, and their coups voided with all stakes returned."
            )

    def _opened(self, state: DrawsState, about: str, split: Callable[[str], tuple[Any, ...]]) -> Chance:
        """Return the opened seed of the coup that an id is about; `NO_CHANCE` when it has none to draw from."""
        try:
            path, session, coup = split(about)[:3]
        except ValueError:
            return NO_CHANCE
        sealed = seed_of(state, path, session, coup)
        if not isinstance(sealed, SeedSealed):
            return NO_CHANCE
        return Chance(seed=self.keys.open(sealed) or b"")
