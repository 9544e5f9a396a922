"""What a session of a table came to, from its log alone: float, fills, drop, handle and win."""

from collections.abc import Iterable

import msgspec

from libs.kernel.accounts import HOUSE_ENTRY, HOUSE_RAKE, float_account
from libs.kernel.contracts.table import FloatMoved, SeatCredited
from libs.kernel.contracts.wallet import Leg
from libs.kernel.messages import Event
from libs.table.interruption_messages import StakesReleased
from libs.table.messages import CoupSettled, SeatDebited, SessionClosed, SessionOpened, SessionPrepared


class SessionResult(msgspec.Struct, frozen=True):
    """The result of one session, finished or running; money in cents."""

    table: str = ""
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
    float_gain: int = 0
    """What coups brought to the float, or took from it."""
    rake: int = 0
    entry_fees: int = 0
    closed: bool = False

    @property
    def win(self) -> int:
        """What the house has won: at the float, and what it took from pots and for entry."""
        return self.float_gain + self.rake + self.entry_fees

    @property
    def float_now(self) -> int:
        """What lies in the float; in a closed session, what lay there at closing."""
        return self.opened + self.fills - self.float_credits + self.float_gain


def session_result(events: Iterable[Event]) -> SessionResult:
    """Fold the events of one session's stream into its result."""
    result = SessionResult()
    for event in events:
        result = _add(result, event)
    return result


def _add(result: SessionResult, event: Event) -> SessionResult:
    change = msgspec.structs.replace
    match event:
        case SessionPrepared():
            return change(result, table=event.table)
        case SessionOpened():
            return change(result, opened=event.float_amount)
        case SeatCredited():
            return change(result, drop=result.drop + event.amount)
        case SeatDebited():
            return change(result, redeemed=result.redeemed + event.amount)
        case FloatMoved(amount=amount):
            fills, credited = (amount, 0) if amount > 0 else (0, -amount)
            return change(result, fills=result.fills + fills, float_credits=result.float_credits + credited)
        case CoupSettled():
            staked = sum(seat.staked for seat in event.seats)
            return change(_paid(result, event.legs), handle=result.handle + staked)
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
    )
