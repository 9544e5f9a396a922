"""Compare the ledger's seats with the tables' credit meters while they play, from two followed views.

The two views are never of the same instant. So a table is compared only between coups and when the ledger has exactly
the postings that the table knows, and a seat is reported only when the same difference was seen `SEEN_TIMES` looks in
a row: money on its way moves on, a defect stays. `tapis verify` compares everything at once, from the logs.
"""

import time
from collections.abc import Callable, Mapping

import msgspec

from libs.kernel.accounts import seat_account
from libs.kernel.ids import allowance_id
from libs.ledger.allowances import unheard
from libs.ledger.state import LedgerState, balance, imbalance
from libs.runtime import metrics
from libs.runtime.logs import log as logger
from libs.table.state import BETWEEN_COUPS, TableState

LOOK_EVERY_S = 2.0
"""How often the two sides are compared, in seconds."""

SEEN_TIMES = 3
"""Looks in a row at which a difference must be the same to be reported."""


PENDING_BOUND_S = 60.0
"""A buy-in, float move or word about a limit that its table has not answered for this long is logged, in seconds."""


class Difference(msgspec.Struct, frozen=True):
    """A seat whose two sides differ at a coup boundary, in cents."""

    table: str
    seat: int
    ledger: int
    meter: int

    @property
    def cents(self) -> int:
        """What the ledger has more than the table."""
        return self.ledger - self.meter


def differences(ledger: LedgerState, tables: Mapping[str, TableState]) -> tuple[Difference, ...]:
    """Return the seats that differ at this moment, of the tables that can be compared at this moment."""
    found = []
    for name, table in tables.items():
        if not comparable(ledger, name, table):
            continue
        for number, seat in table.seats.items():
            meter = seat.credit + sum(seat.stakes.values())
            booked = balance(ledger, seat_account(name, number))
            if meter != booked:
                found.append(Difference(name, number, booked, meter))
    return tuple(found)


def comparable(ledger: LedgerState, name: str, table: TableState) -> bool:
    """Tell whether nothing that is known to be on its way separates the two sides of a table."""
    posted = ledger.tables.get(name)
    if posted is None or table.phase not in BETWEEN_COUPS or table.owed:
        return False
    if (posted.session, posted.number) != (table.session, table.postings):
        return False
    return all(pended.table != name for pended in ledger.pending.values())


class Reconciliation:
    """Looks again and again, and keeps the two metrics of money: the imbalance and the mismatched seats."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._seen: dict[tuple[str, int], tuple[int, int]] = {}
        self._clock_s = clock_s
        self._pending: dict[str, float] = {}
        """When each pending transfer was first seen; a process that starts anew counts anew."""
        self._named: set[str] = set()
        self.fresh: tuple[Difference, ...] = ()
        """Differences that the last look was the first to report."""

    def look(self, ledger: LedgerState, tables: Mapping[str, TableState]) -> tuple[Difference, ...]:
        """Compare once; return the differences that have stayed."""
        metrics.ledger_imbalance.set(imbalance(ledger) / 100)
        self._look_at_pending(ledger)
        before, self._seen = self._seen, {}
        stayed, fresh = [], []
        for difference in differences(ledger, tables):
            seat = (difference.table, difference.seat)
            cents, times = before.get(seat, (0, 0))
            times = times + 1 if cents == difference.cents else 1
            self._seen[seat] = (difference.cents, times)
            if times >= SEEN_TIMES:
                stayed.append(difference)
                if times == SEEN_TIMES:
                    fresh.append(difference)
                    logger().error("ledger and table differ", **msgspec.structs.asdict(difference))
        # A table in the middle of a coup cannot be compared: what was seen of it before still counts.
        for seat, seen in before.items():
            table = tables.get(seat[0])
            if seat not in self._seen and table is not None and not comparable(ledger, seat[0], table):
                self._seen[seat] = seen
        metrics.mismatched_seats.set(sum(times >= SEEN_TIMES for _, times in self._seen.values()))
        self.fresh = tuple(fresh)
        return tuple(stayed)

    def _look_at_pending(self, ledger: LedgerState) -> None:
        """Note how long what waits for a table has waited, and name each that waits for too long, once."""
        now_s, before = self._clock_s(), self._pending
        approved = [name for name, found in ledger.requests.items() if found.approved is not None]
        words = [allowance_id(player, told.number) for player, _, told in unheard(ledger)]
        self._pending = {name: before.get(name, now_s) for name in (*ledger.pending, *approved, *words)}
        metrics.pending_oldest.set(now_s - min(self._pending.values(), default=now_s))
        for name, since_s in self._pending.items():
            if now_s - since_s > PENDING_BOUND_S and name not in self._named:
                logger().error("a table does not answer", transfer=name, waits_s=round(now_s - since_s))
        self._named = {name for name, since_s in self._pending.items() if now_s - since_s > PENDING_BOUND_S}
