"""The seeds of a session's coups: promised before betting opens, shown when the coup is over (docs/adr/0020).

    asked for when the betting before it opens --> committed --> coup played --> asked for --> revealed
                                                                                   +-- does not fit: mistrusted
                                                                                   +-- cannot be opened: lost

The seed itself stays with the RNG until the coup is over; here is the commitment, which binds it. The next coup's is
asked for one coup ahead, so that nobody waits for it.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import CommitSeed, RevealSeed, SeedCommitted, SeedGivenUp, SeedRevealed
from libs.kernel.decider import Accepted, Already, Decision, Outgoing
from libs.kernel.ids import DRAWS, RNG_SHARD, again_id, commit_id, reveal_id, seed_id
from libs.kernel.limits import SEEDS_UNREVEALED
from libs.kernel.messages import Event
from libs.kernel.refusals import Refusal
from libs.kernel.seeds import keeps
from libs.kernel.shown import Announcement
from libs.table import refusals
from libs.table.state import BETWEEN_COUPS, IN_SESSION, TableState

MISTRUSTED = Announcement(
    "tirages_suspects",
    "Tirages à vérifier : table suspendue",
    "Draws to be examined: the table is suspended",
)


_COMMITMENT = re.compile("[0-9a-f]{64}")


# -- events -------------------------------------------------------------------------------------------------------
class DrawsCommitted(Event, frozen=True, kw_only=True, tag="table.DrawsCommitted"):
    """The RNG has bound itself: all draws of that coup will follow from the one seed that fits this commitment."""

    coup: int
    commitment: str
    """SHA-256, 64 hex digits; `libs.kernel.seeds` says of what."""


class CommitmentHeldUp(Event, frozen=True, kw_only=True, tag="table.CommitmentHeldUp"):
    """The RNG does not bind itself for the reason given: that coup is not opened before it does."""

    coup: int
    refusal: Refusal


class DrawsRevealed(Event, frozen=True, kw_only=True, tag="table.DrawsRevealed"):
    """The seed behind the draws of a coup that is over; it fits the commitment, and everybody can draw again."""

    coup: int
    seed: str
    """64 hex digits."""


class DrawsNotRevealed(Event, frozen=True, kw_only=True, tag="table.DrawsNotRevealed"):
    """The seed of a coup is lost: nobody can show that its draws, if any, followed from it."""

    coup: int
    code: str
    """Why, such as `seed.given_up`."""


class SeedMismatched(Event, frozen=True, kw_only=True, tag="table.SeedMismatched"):
    """What the RNG revealed does not fit what it had committed itself to: no further coup is opened."""

    coup: int
    commitment: str
    seed: str


# -- decide -------------------------------------------------------------------------------------------------------
def not_ready(state: TableState) -> Refusal | None:
    """Return why the next coup cannot be opened yet, or any more."""
    if state.terms is None or not state.terms.seeded:
        return None
    if state.mistrusted:
        return refusals.SEED_MISMATCH
    if state.coup + 1 > state.committed:
        return state.commitment_held_up or refusals.SEED_NOT_COMMITTED
    over = sum(_is_over(state, coup) for coup in state.seeds)
    return refusals.SEEDS_NOT_REVEALED if over > SEEDS_UNREVEALED else None


def answered(state: TableState, command: Answered) -> Decision:
    """Hear what the RNG says of a seed; an answer that is not awaited changes nothing."""
    if _wants_commitment(state):
        seed = _seed_id(state, state.coup + 1)
        if command.to in (commit_id(seed), again_id(commit_id(seed))):
            return _committed(state, command, seed)
    for coup, commitment in state.seeds.items():
        seed = _seed_id(state, coup)
        if command.to == reveal_id(seed) and _is_over(state, coup):
            return _revealed(command, seed, coup, commitment)
    return Already()


def _committed(state: TableState, command: Answered, seed: str) -> Decision:
    coup = state.coup + 1
    for event in command.events:
        if isinstance(event, SeedCommitted) and event.seed_id == seed and _COMMITMENT.fullmatch(event.commitment):
            return Accepted((DrawsCommitted(coup=coup, commitment=event.commitment),))
    if command.refusal is None or state.commitment_held_up is not None:
        return Already()
    return Accepted((CommitmentHeldUp(coup=coup, refusal=command.refusal),))


def _revealed(command: Answered, seed: str, coup: int, commitment: str) -> Decision:
    for event in command.events:
        if isinstance(event, SeedRevealed) and event.seed_id == seed:
            if keeps(commitment, event.seed, seed):
                return Accepted((DrawsRevealed(coup=coup, seed=event.seed),))
            return Accepted((SeedMismatched(coup=coup, commitment=commitment, seed=event.seed),))
        if isinstance(event, SeedGivenUp) and event.seed_id == seed:
            return Accepted((DrawsNotRevealed(coup=coup, code="seed.given_up"),))
    if command.refusal is not None:
        return Accepted((DrawsNotRevealed(coup=coup, code=command.refusal.code),))
    return Already()


def _seed_id(state: TableState, coup: int) -> str:
    return seed_id(state.pit, state.table, state.session, coup)


def _is_over(state: TableState, coup: int) -> bool:
    """Tell whether no draw of the coup will be asked for any more; at the end, of one that was never opened, too."""
    if coup == state.coup:
        return state.phase in BETWEEN_COUPS or state.phase == "closed"
    return coup < state.coup or state.phase == "closed"


def _wants_commitment(state: TableState) -> bool:
    """Tell whether the next coup's commitment is missing; one that arrives after the closing is still taken."""
    return state.terms is not None and state.terms.seeded and state.coup + 1 > state.committed


# -- evolve -------------------------------------------------------------------------------------------------------
def _draws_committed(state: TableState, event: DrawsCommitted) -> TableState:
    seeds = {**state.seeds, event.coup: event.commitment}
    return replace(state, events=state.events + 1, seeds=seeds, committed=event.coup, commitment_held_up=None)


def _held_up(state: TableState, event: CommitmentHeldUp) -> TableState:
    return replace(state, events=state.events + 1, commitment_held_up=event.refusal)


def _draws_shown(state: TableState, event: DrawsRevealed | DrawsNotRevealed) -> TableState:
    return replace(state, events=state.events + 1, seeds=_without(state, event.coup))


def _mismatched(state: TableState, event: SeedMismatched) -> TableState:
    return replace(state, events=state.events + 1, seeds=_without(state, event.coup), mistrusted=event.coup)


def _without(state: TableState, coup: int) -> dict[int, str]:
    return {number: commitment for number, commitment in state.seeds.items() if number != coup}


APPLY: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    DrawsCommitted: _draws_committed,
    CommitmentHeldUp: _held_up,
    DrawsRevealed: _draws_shown,
    DrawsNotRevealed: _draws_shown,
    SeedMismatched: _mismatched,
}


# -- react --------------------------------------------------------------------------------------------------------
def owed(state: TableState) -> Iterator[Outgoing]:
    """Yield what the RNG is still asked: the commitment of the next coup, the seeds of those that are over."""
    if state.phase in IN_SESSION and state.last_left != 0 and not state.mistrusted and _wants_commitment(state):
        seed, again = _seed_id(state, state.coup + 1), state.commitment_held_up is not None
        command_id = again_id(commit_id(seed)) if again else commit_id(seed)
        yield Outgoing(command_id, RNG_SHARD, DRAWS, CommitSeed(seed_id=seed, again=again))
    for coup in state.seeds:
        if _is_over(state, coup):
            seed = _seed_id(state, coup)
            yield Outgoing(reveal_id(seed), RNG_SHARD, DRAWS, RevealSeed(seed_id=seed))


# -- the board ----------------------------------------------------------------------------------------------------
def shown(state: TableState) -> tuple[int, str]:
    """Return the coup whose commitment everybody should see now, and the commitment: the running or the next one."""
    coup = state.coup + 1 if state.phase in BETWEEN_COUPS else state.coup
    commitment = state.seeds.get(coup, "") if state.phase in IN_SESSION else ""
    return (coup, commitment) if commitment else (0, "")


def notes(state: TableState) -> tuple[Announcement, ...]:
    """Return why no coup can be opened, if so."""
    if state.mistrusted:
        return (Announcement(refusals.SEED_MISMATCH.code, refusals.SEED_MISMATCH.fr, refusals.SEED_MISMATCH.en),)
    refusal = state.commitment_held_up
    if refusal is not None and state.phase in BETWEEN_COUPS:
        return (Announcement(refusal.code, refusal.fr, refusal.en),)
    return ()
