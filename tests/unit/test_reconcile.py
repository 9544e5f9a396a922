"""The live comparison of ledger and tables."""

from functools import partial

import msgspec

from libs.kernel import buckets
from libs.kernel.accounts import seat_account
from libs.kernel.contracts.wallet import BuyInPended
from libs.kernel.contracts.wallet_limits import Player, Told
from libs.ledger.allowances import with_player
from libs.ledger.state import LedgerState, TablePostings
from libs.ledger.united import united
from libs.runtime import metrics
from libs.runtime.reconcile import SEEN_TIMES, Difference, Reconciliation
from libs.table.state import Owed, Seat, TableState

TABLE = TableState(
    table="T1", pit="pit-1", session=2, phase="settled", postings=5, seats={3: Seat("player-1", 900, {"2": 100})}
)


def ledger(cents: int, number: int = 5) -> LedgerState:
    balances = buckets.put(buckets.empty(), {seat_account("T1", 3): cents, "float:T1": -cents})
    return LedgerState("ledger", opened=True, balances=balances, tables={"T1": TablePostings(2, number)})


def reported(*looks: tuple[LedgerState, TableState]) -> tuple[Difference, ...]:
    reconciliation = Reconciliation()
    said: tuple[Difference, ...] = ()
    for booked, table in looks:
        said = reconciliation.look(booked, {"T1": table})
    return said


def test_both_sides_agree() -> None:
    """A credit meter with the stakes still down equals the seat's balance: nothing is reported, however often."""
    assert () == reported(*[(ledger(1000), TABLE)] * 5)
    assert 0 == metrics.mismatched_seats._value.get()


def test_a_difference_that_stays() -> None:
    """The same difference at several looks in a row is reported, with both sides, and counted."""
    assert () == reported(*[(ledger(1001), TABLE)] * (SEEN_TIMES - 1))
    assert (Difference("T1", 3, 1001, 1000),) == reported(*[(ledger(1001), TABLE)] * SEEN_TIMES)
    assert 1 == metrics.mismatched_seats._value.get()


def test_money_on_its_way() -> None:
    """A difference that changes or goes away is money on its way, not a mismatch."""
    assert () == reported((ledger(1001), TABLE), (ledger(1002), TABLE), (ledger(1003), TABLE), (ledger(1000), TABLE))


def test_a_coup_in_between() -> None:
    """A table in the middle of a coup cannot be compared; what was seen before the coup still counts."""
    betting = msgspec.structs.replace(TABLE, phase="betting")
    looks = [(ledger(1001), TABLE)] * (SEEN_TIMES - 1)
    assert 1 == len(reported(*looks, (ledger(1001), betting), (ledger(1001), TABLE)))


def test_what_cannot_be_compared() -> None:
    """A posting that the table is owed, or that the ledger has not reached, explains a difference."""
    owing = msgspec.structs.replace(TABLE, owed={5: Owed("coup", ())})
    assert () == reported(*[(ledger(1001), owing)] * 5)
    assert () == reported(*[(ledger(1001, number=4), TABLE)] * 5)


def test_the_sum_of_all_accounts() -> None:
    """The sum of all accounts is measured in euros, and is zero."""
    reported((ledger(1000), TABLE))
    assert 0 == metrics.ledger_imbalance._value.get()
    lost = msgspec.structs.replace(ledger(1000), balances=buckets.put(buckets.empty(), {"float:T1": -250}))
    reported((lost, TABLE))
    assert metrics.ledger_imbalance._value.get() == -2.5


def test_how_long_a_table_has_not_answered() -> None:
    """What waits longest, a buy-in or a word about limits, is measured from when it was first seen to its answer."""
    waiting = BuyInPended(transfer_id="x", player="p", pit="pit-1", table="T1", seat=3, amount=100, entries=())
    untold = Player(tables={"T1": Told("pit-1", "2026-11-30", number=1, cents=0, heard=False)})
    for pending in (
        msgspec.structs.replace(ledger(1000), pending={"x": waiting}),
        with_player(ledger(1000), "p", untold),
        united([ledger(0), with_player(ledger(0), "p", untold)]),
    ):
        now_s = [100.0]
        reconciliation = Reconciliation(partial(now_s.__getitem__, 0))
        for at_s, booked, expected in (
            (100, pending, 0),
            (190, pending, 90),
            (200, ledger(1000), 0),
            (210, pending, 0),
        ):
            now_s[0] = at_s
            reconciliation.look(booked, {})
            assert expected == metrics.pending_oldest._value.get()


def test_a_difference_is_fresh_once() -> None:
    """A difference is handed on to be looked into when it is first reported, not at every look."""
    reconciliation, fresh = Reconciliation(), []
    for _ in range(SEEN_TIMES + 2):
        reconciliation.look(ledger(1001), {"T1": TABLE})
        fresh.append(len(reconciliation.fresh))
    assert [0] * (SEEN_TIMES - 1) + [1, 0, 0] == fresh
