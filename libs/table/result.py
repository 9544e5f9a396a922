"""What a session of a table came to, from its log alone: float, fills, drop, handle, win and hold."""

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from libs.kernel.contracts.table import FloatMoved, SeatCredited
from libs.kernel.contracts.wallet import Leg
from libs.kernel.messages import Event
from libs.table.float_messages import FloatCounted
from libs.table.interruption_messages import StakesReleased
from libs.table.messages import CoupSettled, SeatDebited, SessionClosed, SessionOpened, SessionPrepared
from libs.table.state import HOUSE_ENTRY, HOUSE_RAKE, float_account


class SessionResult(msgspec.Struct, frozen=True):
    """The result of one session, finished or running; money in cents."""

    table: str = ""
    session: int = 0
    game: str = ""
    opened: int = 0
    """The float at opening."""
    fills: int = 0
    float_credits: int = 0
    drop: int = 0
    """Money exchanged for chips: all buy-ins that reached a seat."""
    redeemed: int = 0
    """Chips exchanged for money: cash-outs, and what went home at closing."""
    handle: int = 0
    """Total of the stakes of settled coups."""
    coups: int = 0
    """Settled coups."""
    float_gain: int = 0
    """What coups brought to the float, or took from it."""
    rake: int = 0
    entry_fees: int = 0
    counts: tuple[FloatCounted, ...] = ()
    """Counts of the float as it stands, oldest first."""
    closed: bool = False

    @property
    def win(self) -> int:
        """What the house has won: at the float, and what it took from pots and for entry."""
        return self.float_gain + self.rake + self.entry_fees

    @property
    def float_now(self) -> int:
        """What lies in the float; in a closed session, what lay there at closing."""
        return self.opened + self.fills - self.float_credits + self.float_gain

    @property
    def hold(self) -> Fraction | None:
        """Win over drop, exactly; None where nothing was exchanged for chips."""
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def counted(self) -> int | None:
        """What two people, one after the other, have counted alike in the float as it stands; None without that."""
        if len(self.counts) < 2 or self.counts[-1].by == self.counts[-2].by:
            return None
        return self.counts[-1].counted if self.counts[-1].counted == self.counts[-2].counted else None


def session_result(events: Iterable[Event]) -> SessionResult:
    """Fold the events of one session's stream into its result."""
    result = SessionResult()
    for event in events:
        result = add(result, event)
    return result


def add(result: SessionResult, event: Event) -> SessionResult:
    """Return the result with one more event of the session."""
    change = msgspec.structs.replace
    match event:
        case SessionPrepared():
            return change(result, table=event.table, session=event.session)
        case SessionOpened():
            return change(result, game=event.game, opened=event.float_amount)
        case SeatCredited():
            return change(result, drop=result.drop + event.amount)
        case SeatDebited():
            return change(result, redeemed=result.redeemed + event.amount)
        case FloatMoved(amount=amount):
            fills, credited = (amount, 0) if amount > 0 else (0, -amount)
            return change(result, fills=result.fills + fills, float_credits=result.float_credits + credited, counts=())
        case FloatCounted():
            return change(result, counts=(*result.counts[-1:], event))
        case CoupSettled():
            staked = sum(seat.staked for seat in event.seats)
            return change(_paid(result, event.legs), handle=result.handle + staked, coups=result.coups + 1)
        case StakesReleased():
            return _paid(result, event.legs)
        case SessionClosed():
            home = sum(seat.amount for seat in event.returned)
            return change(result, redeemed=result.redeemed + home, closed=True)
        case _:
            return result


def _paid(result: SessionResult, legs: tuple[Leg, ...]) -> SessionResult:
    gains = {float_account(result.table): 0, HOUSE_RAKE: 0, HOUSE_ENTRY: 0}
    for leg in legs:
        if leg.account in gains:
            gains[leg.account] += leg.amount
    at_float, rake, fees = gains.values()
    return msgspec.structs.replace(
        result,
        float_gain=result.float_gain + at_float,
        rake=result.rake + rake,
        entry_fees=result.entry_fees + fees,
        counts=(),
    )
