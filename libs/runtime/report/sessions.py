"""Fold the part of a table's session that belongs to a gaming day: coups, handle, voids, counts, players."""

from dataclasses import dataclass, field

import msgspec

from libs.kernel.contracts.table import FloatMoved
from libs.kernel.ids import posting_id
from libs.kernel.messages import Event
from libs.table.float_messages import FloatCounted
from libs.table.interruption_messages import SessionInterrupted, StakesReleased
from libs.table.messages import BettingOpened, CoupSettled, CoupVoided, PostingDue, SessionClosed, SessionOpened
from libs.table.outcome_messages import OutcomeCorrected
from libs.table.results import SeatResult


class VoidLine(msgspec.Struct, frozen=True):
    """A void coup: nothing was won or lost."""

    table: str
    session: int
    coup: int
    at_ms: int
    code: str
    reason: str


class OutcomeLine(msgspec.Struct, frozen=True):
    """A recorded outcome that a pit boss has corrected before its coup was settled."""

    table: str
    session: int
    coup: int
    at_ms: int
    by: str
    reason: str


class CountLine(msgspec.Struct, frozen=True):
    """A count of a float: what the log expected, what somebody counted, in cents."""

    table: str
    session: int
    at_ms: int
    expected: int
    counted: int
    by: str
    stands_with: str = ""
    """Who had counted the same before, with no coup and no move of the float between; empty when nobody had."""


class LateLine(msgspec.Struct, frozen=True):
    """A table's posting of which the fact is older than the day that took it."""

    reference: str
    table: str
    at_ms: int
    amount: int
    """What it changed at the table's seats, float and the house, counted on the side that gains, in cents."""


@dataclass(slots=True)
class PlayerPlay:
    """What one player staked and got in settled coups, in cents; stakes handed back included."""

    coups: int = 0
    staked: int = 0
    credited: int = 0


@dataclass(slots=True)
class SessionPlay:
    """A session's share in a day: the facts from its posting `first` to its posting `last`."""

    table: str
    session: int
    first: int
    last: int
    begun_ms: int
    """When the day began; postings of earlier facts are late. 0 in the first day of a ledger."""
    ended_ms: int | None = None
    """When the ledger's day was closed; None while it runs."""
    game: str = ""
    paytable: str = ""
    opened_ms: int = 0
    closed_ms: int | None = None
    interrupted: str = ""
    coups: int = 0
    handle: int = 0
    unplayed: int = 0
    voids: list[VoidLine] = field(default_factory=list)
    outcomes: list[OutcomeLine] = field(default_factory=list)
    counts: list[CountLine] = field(default_factory=list)
    late: list[LateLine] = field(default_factory=list)
    players: dict[str, PlayerPlay] = field(default_factory=dict)
    _counted: dict[str, int] = field(default_factory=dict)
    """What each person has counted since the float last could change."""
    _waiting: list[tuple[int, Event]] = field(default_factory=list)
    _number: int = 0

    @property
    def over(self) -> bool:
        """Tell whether all that follows belongs to later days."""
        return self._number > self.last

    def see(self, at_ms: int, event: Event) -> bool:
        """Take the next event of the session; tell whether it and those before it belong to the day."""
        if isinstance(event, SessionOpened):
            self.game, self.paytable, self.opened_ms = event.game, event.paytable, at_ms
        self._waiting.append((at_ms, event))
        number = posting_of(event)
        if not number and not self._closes_empty(at_ms, event):
            return False
        self._number = number or self._number
        waiting, self._waiting = self._waiting, []
        if not self.first <= self._number <= self.last:
            return False
        for when, waited in waiting:
            self._count(when, waited)
        if number and at_ms < self.begun_ms:
            amount = sum(leg.amount for leg in getattr(event, "legs", ()) if leg.amount > 0)
            self.late.append(LateLine(posting_id(self.table, self.session, number), self.table, at_ms, amount))
        return True

    def _closes_empty(self, at_ms: int, event: Event) -> bool:
        """Tell whether a session ends without a posting (no float, nobody sits): its end has no day but the clock's."""
        in_time = self.ended_ms is None or at_ms < self.ended_ms
        return isinstance(event, SessionClosed) and self._number == self.last and in_time

    def _count(self, at_ms: int, event: Event) -> None:
        place = (self.table, self.session)
        match event:
            case CoupSettled():
                self.coups += 1
                self.handle += sum(seat.staked for seat in event.seats)
                self._played(event.seats, 1)
            case StakesReleased():
                self._played(event.seats, 0)
            case CoupVoided(unplayed=True):
                self.unplayed += 1
            case CoupVoided():
                self.voids.append(VoidLine(*place, event.coup, at_ms, event.code, event.reason))
            case OutcomeCorrected():
                self.outcomes.append(OutcomeLine(*place, event.coup, at_ms, event.by, event.reason))
            case FloatCounted():
                same = [by for by, counted in self._counted.items() if counted == event.counted and by != event.by]
                self._counted[event.by] = event.counted
                line = CountLine(*place, at_ms, event.expected, event.counted, event.by, same[0] if same else "")
                self.counts.append(line)
            case BettingOpened() | FloatMoved():
                self._counted.clear()
            case SessionInterrupted():
                self.interrupted = event.reason
            case SessionClosed():
                self.closed_ms = at_ms
            case _:
                pass

    def _played(self, seats: tuple[SeatResult, ...], coups: int) -> None:
        for seat in seats:
            play = self.players.setdefault(seat.player, PlayerPlay())
            play.coups += coups
            play.staked += seat.staked
            play.credited += seat.credited


def posting_of(event: Event) -> int:
    """Return the number of the posting that an event owes the ledger, or 0."""
    match event:
        case PostingDue():
            return event.number
        case CoupSettled() | StakesReleased() | SessionClosed():
            return event.posting
        case _:
            return 0
