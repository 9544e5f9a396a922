"""A draw that the RNG cannot make for now: the coup is held, not voided, and goes on when the RNG is sound again.

    ordered --refused: rng.unhealthy--> held up, asked for again until it is made --> received
                                           +--void by the staff, as at any time before settlement

The first refusal is the answer to the order for ever (law 4). So the draw is asked for again under a second id, which
is answered only once there are values. The draw's own id stays the same: whatever is asked, it is made once (law 9).
"""

from msgspec.structs import replace

from libs.kernel.messages import Event
from libs.kernel.refusals import Refusal
from libs.kernel.shown import Announcement
from libs.table.state import TableState

HELD = Announcement("tirage_suspendu", "Tirage suspendu : le coup attend", "The draw is held up: the coup waits")


class DrawHeldUp(Event, frozen=True, kw_only=True, tag="table.DrawHeldUp"):
    """The RNG makes no draws for the reason given; stakes stay where they are, and the coup waits for this draw."""

    coup: int
    draw_id: str
    name: str
    refusal: Refusal


def held_up(state: TableState, event: DrawHeldUp) -> TableState:
    """Apply the fact: the draw is owed under its second id from now on."""
    wanted = replace(state.draws[event.draw_id], held_up=event.refusal)
    return replace(state, events=state.events + 1, draws={**state.draws, event.draw_id: wanted})


def reasons(state: TableState) -> tuple[Announcement, ...]:
    """Return why draws are held up, for the board: each reason once."""
    refusals = {wanted.held_up.code: wanted.held_up for wanted in state.draws.values() if wanted.held_up}
    return tuple(Announcement(refusal.code, refusal.fr, refusal.en) for refusal in refusals.values())
