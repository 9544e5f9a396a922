"""What ends a session, or a stake's waiting, before its time. Tags are the storage format."""

from libs.kernel.contracts.wallet import Leg
from libs.kernel.messages import Command, Event
from libs.table.messages import Reason
from libs.table.results import SeatResult, Settled


class InterruptSession(Command, frozen=True, kw_only=True, tag="table.InterruptSession"):
    """A committee member ends the session at once (art. 44, 48): no last coups are played.

    The running coup is void; stakes that waited for a later coup are paid as the game's rules say; all chips go home.
    """

    reason: Reason


class SessionInterrupted(Event, frozen=True, kw_only=True, tag="table.SessionInterrupted"):
    """A committee member has ended the session; what that means for the stakes follows in the same decision."""

    session: int
    by: str
    reason: str


class StakesReleased(Event, frozen=True, kw_only=True, tag="table.StakesReleased"):
    """Stakes that lay for a later coup are paid now, because no later coup will decide them."""

    coup: int
    reason: str
    wagers: tuple[Settled, ...]
    """Each with stake 0: it was staked in an earlier coup."""
    seats: tuple[SeatResult, ...]
    posting: int
    """Number of the posting that the ledger is owed for it; 0 when no money moved."""
    legs: tuple[Leg, ...]
