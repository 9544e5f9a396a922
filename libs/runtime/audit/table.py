"""Recompute a table: credit meters, stakes, and that every wager is settled or given back exactly once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from libs.kernel.accounts import seat_account
from libs.kernel.contracts.table import FloatMoved, SeatCredited
from libs.kernel.contracts.wallet import Leg
from libs.kernel.messages import Event
from libs.runtime.audit.ledger import PostingKey
from libs.runtime.audit.report import Faults
from libs.table.interruption_messages import StakesReleased
from libs.table.messages import (
    BettingClosed,
    BettingOpened,
    CoupSettled,
    CoupVoided,
    DrawReceived,
    PostingConfirmed,
    PostingDue,
    SealedDrawReceived,
    SeatDebited,
    SeatLeft,
    SeatTaken,
    SessionClosed,
    SessionPrepared,
    WagerPlaced,
    WagerTakenBack,
)
from libs.table.results import SeatResult


@dataclass(slots=True)
class _Session:
    """One session while it is read."""

    number: int
    credits: dict[int, int] = field(default_factory=dict)
    """Credit meter of each taken seat."""
    stakes: dict[tuple[int, str], int] = field(default_factory=dict)
    """What lies on the layout, by seat and spot."""
    betting: bool = False
    postings: int = 0
    handle: int = 0
    coups: int = 0


class TableAudit:
    """Folds the events of one table into meters and stakes, independently of the table's own `evolve`."""

    def __init__(self, table: str, faults: Faults) -> None:
        self.table = table
        self.postings: dict[PostingKey, tuple[Leg, ...]] = {}
        self.confirmed: dict[PostingKey, int] = {}
        """Postings of which the ledger has said that it has them: the version at which the table noted it."""
        self.credited: dict[str, SeatCredited] = {}
        """Buy-ins that reached a seat, by transfer id."""
        self.draws: dict[str, tuple[str, int, tuple[int, ...]]] = {}
        """Draws used: stream, version and values by draw id."""
        self.float_moves: dict[str, int] = {}
        """Cents by which the float was moved, by request."""
        self.wagers = 0
        self.coups = self.voided = 0
        self._session = _Session(0)
        self._faults = faults
        self._at = ("", 0)

    @property
    def held(self) -> dict[int, int]:
        """What each seat has now: credit meter and stakes on the layout, in cents."""
        held = dict(self._session.credits)
        for (seat, _), stake in self._session.stakes.items():
            held[seat] = held.get(seat, 0) + stake
        return held

    def see(self, stream: str, version: int, event: Event) -> None:
        """Take the next event of the table."""
        self._at = (stream, version)
        take = _TAKE.get(type(event))
        if take is not None:
            take(self, event)

    def _fault(self, code: str, what: str) -> None:
        self._faults.add(*self._at, code, what)

    def _prepared(self, event: SessionPrepared) -> None:
        self._session = _Session(event.session)

    # -- seats -----------------------------------------------------------------------------------------------------
    def _taken(self, event: SeatTaken) -> None:
        if event.seat in self._session.credits:
            self._fault("seat.twice", f"seat {event.seat} is taken while somebody sits there")
        self._session.credits[event.seat] = 0

    def _left(self, event: SeatLeft) -> None:
        left = self._session.credits.pop(event.seat, None)
        if left is None:
            self._fault("seat.empty", f"nobody sits at seat {event.seat}")
        elif left:
            self._fault("seat.money_left", f"seat {event.seat} is left with {left} cents on it")

    def _credited(self, event: SeatCredited) -> None:
        if event.transfer_id in self.credited:
            self._fault("transfer.twice", f"buy-in {event.transfer_id} is credited twice")
        self.credited[event.transfer_id] = event
        self._meter(event.seat, event.amount, event.credit_after)

    def _debited(self, event: SeatDebited) -> None:
        self._meter(event.seat, -event.amount, event.credit_after)

    def _meter(self, seat: int, change: int, said: int) -> None:
        """Move a credit meter, and compare with what the event says it is afterwards."""
        if seat not in self._session.credits:
            self._fault("seat.empty", f"nobody sits at seat {seat}")
        after = self._session.credits.get(seat, 0) + change
        if after != said:
            self._fault("meter.wrong", f"the credit meter of seat {seat} is {after} cents, the event says {said}")
        if said < 0:
            self._fault("meter.negative", f"the credit meter of seat {seat} falls to {said} cents")
        self._session.credits[seat] = said

    def _float_moved(self, event: FloatMoved) -> None:
        if event.request in self.float_moves:
            self._fault("transfer.twice", f"request {event.request} has moved the float twice")
        self.float_moves[event.request] = event.amount

    # -- the coup --------------------------------------------------------------------------------------------------
    def _opened(self, _: BettingOpened) -> None:
        self._nothing_lies("when the next betting opens")
        self._session.betting = True

    def _betting_closed(self, _: BettingClosed) -> None:
        self._session.betting = False

    def _nothing_lies(self, when: str) -> None:
        for (seat, spot), stake in self._session.stakes.items():
            self._fault("wager.not_settled", f"{stake} cents of seat {seat} on {spot} are still there {when}")
        self._session.stakes.clear()

    def _placed(self, event: WagerPlaced) -> None:
        self.wagers += 1
        if not self._session.betting and not event.charged:
            self._fault("wager.late", f"a wager of seat {event.seat} is accepted while betting is closed")
        if self._session.betting and event.charged:
            self._fault("wager.early", f"seat {event.seat} is charged while betting is open")
        place = (event.seat, event.spot)
        stake = self._session.stakes.get(place, 0) + event.amount
        if stake != event.stake_after:
            self._fault(
                "stake.wrong", f"the stake on {event.spot} is {stake} cents, the event says {event.stake_after}"
            )
        self._session.stakes[place] = event.stake_after
        self._meter(event.seat, -event.amount, event.credit_after)

    def _taken_back(self, event: WagerTakenBack) -> None:
        stake = self._session.stakes.pop((event.seat, event.spot), 0)
        if stake != event.amount:
            self._fault("stake.wrong", f"{event.amount} cents are taken back from {event.spot}, where {stake} lie")
        self._meter(event.seat, event.amount, event.credit_after)

    def _drawn(self, event: DrawReceived | SealedDrawReceived) -> None:
        if event.draw_id in self.draws:
            self._fault("draw.twice", f"draw {event.draw_id} is used twice")
        self.draws[event.draw_id] = (*self._at, event.values)

    def _settled(self, event: CoupSettled) -> None:
        self._coup_ends()
        credited: dict[int, int] = {}
        staked: dict[int, int] = {}
        for wager in event.wagers:
            stake = self._session.stakes.pop((wager.seat, wager.spot), None)
            if stake is None and wager.stake == 0:
                pass  # it was staked, and left the layout, in an earlier coup
            elif stake is None:
                self._fault("wager.settled_twice", f"seat {wager.seat} has no stake on {wager.spot} to settle")
            elif stake != wager.stake:
                self._fault("stake.wrong", f"{stake} cents lie on {wager.spot}, {wager.stake} are settled")
            staked[wager.seat] = staked.get(wager.seat, 0) + wager.stake
            credited[wager.seat] = credited.get(wager.seat, 0) + wager.credit
        self._nothing_lies("after the settlement")
        self._session.handle += sum(staked.values())
        self._results(event.seats, staked, credited)
        self._legs_follow(event)
        if event.posting:
            self._owes(event.posting, event.legs)

    def _released(self, event: StakesReleased) -> None:
        credited: dict[int, int] = {}
        for wager in event.wagers:
            if wager.stake:
                self._fault("stake.wrong", f"{wager.stake} cents on {wager.spot} are released, not settled")
            credited[wager.seat] = credited.get(wager.seat, 0) + wager.credit
        self._results(event.seats, {}, credited)
        self._legs_follow(event)
        if event.posting:
            self._owes(event.posting, event.legs)

    def _voided(self, event: CoupVoided) -> None:
        self._coup_ends()
        self.voided += 1
        staked: dict[int, int] = {}
        for (seat, _), stake in self._session.stakes.items():
            staked[seat] = staked.get(seat, 0) + stake
        self._session.stakes.clear()
        self._results(event.seats, staked, dict(staked))

    def _coup_ends(self) -> None:
        self.coups += 1
        self._session.coups += 1
        self._session.betting = False

    def _results(self, results: tuple[SeatResult, ...], staked: dict[int, int], credited: dict[int, int]) -> None:
        """Compare what the event says of each seat with its wagers, and move the meters."""
        for result in results:
            stake, credit = staked.pop(result.seat, 0), credited.get(result.seat, 0)
            if (stake, credit) != (result.staked, result.credited):
                self._fault(
                    "result.wrong",
                    f"seat {result.seat} staked {stake} and gets {credit} cents, "
                    f"the event says {result.staked} and {result.credited}",
                )
            self._meter(result.seat, result.credited, result.credit_after)
        for seat in staked:
            self._fault("result.missing", f"seat {seat} had stakes and has no result")

    def _legs_follow(self, event: CoupSettled | StakesReleased) -> None:
        """Each seat's leg is what it won or lost."""
        net = {seat_account(self.table, result.seat): result.credited - result.staked for result in event.seats}
        legs = {leg.account: leg.amount for leg in event.legs}
        for account, amount in net.items():
            if legs.get(account, 0) != amount:
                self._fault(
                    "legs.wrong", f"{account} changed by {amount} cents, the posting says {legs.get(account, 0)}"
                )

    # -- postings and closing --------------------------------------------------------------------------------------
    def _posting_due(self, event: PostingDue) -> None:
        self._owes(event.number, event.legs)

    def _owes(self, number: int, legs: tuple[Leg, ...]) -> None:
        self._session.postings += 1
        if number != self._session.postings:
            self._fault("posting.order", f"posting {number} comes in place of {self._session.postings}")
            self._session.postings = number
        total = sum(leg.amount for leg in legs)
        if total:
            self._fault("posting.unbalanced", f"the legs of posting {number} sum to {total} cents, not to zero")
        self.postings[self.table, self._session.number, number] = legs

    def _posting_confirmed(self, event: PostingConfirmed) -> None:
        self.confirmed[self.table, self._session.number, event.number] = self._at[1]

    def _closed(self, event: SessionClosed) -> None:
        self._nothing_lies("when the session closes")
        returned = {seat.seat: seat.amount for seat in event.returned}
        for seat, credit in self._session.credits.items():
            if returned.get(seat, 0) != credit:
                self._fault("closing.wrong", f"seat {seat} had {credit} cents and takes {returned.get(seat, 0)} home")
        self._session.credits.clear()
        if event.events != self._at[1]:
            self._fault("closing.count", f"the session has {self._at[1]} events, its closing says {event.events}")
        if event.handle != self._session.handle:
            self._fault("closing.handle", f"{self._session.handle} cents were staked, the closing says {event.handle}")
        if event.posting:
            self._owes(event.posting, event.legs)


_TAKE: dict[type[Event], Callable[[TableAudit, Any], None]] = {
    SessionPrepared: TableAudit._prepared,
    SeatTaken: TableAudit._taken,
    SeatLeft: TableAudit._left,
    SeatCredited: TableAudit._credited,
    SeatDebited: TableAudit._debited,
    FloatMoved: TableAudit._float_moved,
    BettingOpened: TableAudit._opened,
    WagerPlaced: TableAudit._placed,
    WagerTakenBack: TableAudit._taken_back,
    BettingClosed: TableAudit._betting_closed,
    DrawReceived: TableAudit._drawn,
    SealedDrawReceived: TableAudit._drawn,
    CoupSettled: TableAudit._settled,
    CoupVoided: TableAudit._voided,
    StakesReleased: TableAudit._released,
    PostingDue: TableAudit._posting_due,
    PostingConfirmed: TableAudit._posting_confirmed,
    SessionClosed: TableAudit._closed,
}
