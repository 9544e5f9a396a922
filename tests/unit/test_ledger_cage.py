import msgspec
import pytest

from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet import (
    BuyIn,
    BuyInPended,
    Deposit,
    Deposited,
    Entry,
    Leg,
    PostFromTable,
    Withdraw,
    Withdrawn,
)
from libs.kernel.contracts.wallet_cards import IssueCard
from libs.kernel.contracts.wallet_days import LedgerOpened, PostedUpTo
from libs.kernel.contracts.wallet_refusals import TransferRefused
from libs.kernel.contracts.wallet_requests import RequestAdjustment
from libs.kernel.decider import Accepted, Already
from libs.kernel.limits import MAX_CENTS
from libs.kernel.messages import Command
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerDefect, LedgerState, balance, imbalance
from libs.table.messages import TakeSeat
from tests.kit.book import NO_PLAYERS, Book, code

CASHIER = Actor("cashier-1", "cashier")
PLAYER = Actor("player-1", "player")


def ledger() -> Book[LedgerState]:
    return Book(DECIDER, "ledger")


def with_money(cents: int) -> Book[LedgerState]:
    book = ledger()
    book.accept(Deposit(player="player-1", amount=cents), by=CASHIER, command_id="cashier-1:2026-01-01/first")
    return book


def test_the_first_money_opens_the_ledger() -> None:
    """The first accepted command writes LedgerOpened before its own fact, and only that one does."""
    book = ledger()
    deposited = Deposited(
        transfer_id="cashier-1:2026-01-01/1",
        entries=(Entry("cage:main", -500, 0, -500), Entry("player:player-1", 500, 0, 500)),
    )
    expected = (LedgerOpened(book="ledger", remembers_from="2025-12-30"), deposited)
    assert expected == book.accept(
        Deposit(player="player-1", amount=500), by=CASHIER, command_id="cashier-1:2026-01-01/1"
    )
    again = book.accept(Deposit(player="player-1", amount=1), by=CASHIER, command_id="cashier-1:2026-01-01/2")
    assert [Deposited] == [type(event) for event in again]


def test_a_refusal_opens_the_ledger_too() -> None:
    """The no to a wish with money is a fact, which may be the first; the no to an id without date is none."""
    book = ledger()
    assert code(book.say(Withdraw(player="player-1", amount=1), by=CASHIER, command_id="1")) == "transfer.undated"
    assert [] == book.log
    assert code(book.say(Withdraw(player="player-1", amount=1), by=CASHIER)) == "account.insufficient"
    assert [LedgerOpened, TransferRefused] == [type(event) for event in book.log]


def test_a_withdrawal_shows_before_and_after() -> None:
    """Money leaves the account for the cage; both entries show the balance before and after."""
    book = with_money(500)
    expected = Withdrawn(
        transfer_id="cashier-1:2026-01-01/2",
        entries=(Entry("player:player-1", -200, 500, 300), Entry("cage:main", 200, -500, -300)),
    )
    assert (expected,) == book.accept(
        Withdraw(player="player-1", amount=200), by=CASHIER, command_id="cashier-1:2026-01-01/2"
    )
    assert (300, 0) == (balance(book.state, "player:player-1"), imbalance(book.state))


def test_never_more_than_there_is() -> None:
    """The last cent may be withdrawn, one cent more may not."""
    book = with_money(500)
    assert code(book.say(Withdraw(player="player-1", amount=501), by=CASHIER, command_id="cashier-1:2026-01-01/2")) == (
        "account.insufficient"
    )
    book.accept(Withdraw(player="player-1", amount=500), by=CASHIER, command_id="cashier-1:2026-01-01/3")
    assert balance(book.state, "player:player-1") == 0


def test_the_same_id_moves_money_once() -> None:
    """A repeated command gets the facts of the first time, also when the balance has changed since."""
    book = with_money(500)
    take = Withdraw(player="player-1", amount=400)
    first = book.accept(take, by=CASHIER, command_id="cashier-1:2026-01-01/2")
    book.accept(Deposit(player="player-1", amount=7), by=CASHIER, command_id="cashier-1:2026-01-01/3")
    assert Already(first) == book.say(take, by=CASHIER, command_id="cashier-1:2026-01-01/2")
    assert balance(book.state, "player:player-1") == 107


@pytest.mark.parametrize(
    "other",
    [
        Deposit(player="player-1", amount=501),
        Deposit(player="player-2", amount=500),
        Withdraw(player="player-1", amount=500),
    ],
)
def test_the_same_id_with_other_content_is_a_conflict(other: Command) -> None:
    """An id that moved money cannot name another amount, player or kind of transfer."""
    book = with_money(500)
    assert code(book.say(other, by=CASHIER, command_id="cashier-1:2026-01-01/first")) == "transfer.conflict"


@pytest.mark.parametrize("role", ["player", "croupier", "pit_boss", "committee_member", "technician", "service"])
def test_only_a_cashier_moves_money_at_the_cage(role: str) -> None:
    """Nobody but a cashier deposits or withdraws."""
    speaker = msgspec.convert({"id": "somebody", "role": role}, Actor)
    book = with_money(500)
    for wish in (Deposit(player="player-1", amount=1), Withdraw(player="player-1", amount=1)):
        assert code(book.say(wish, by=speaker, command_id="somebody:1")) == "role.not_allowed"


def test_a_cashier_buys_no_chips_and_posts_nothing() -> None:
    """A buy-in is a player's own wish, a posting is a table's word."""
    book = with_money(500)
    buy = BuyIn(pit="pit-1", table="T1", seat=1, amount=100)
    post = PostFromTable(table="T1", session=1, number=1, reason="coup", legs=())
    assert code(book.say(buy, by=CASHIER)) == "role.not_allowed"
    assert code(book.say(post, by=CASHIER)) == "role.not_allowed"
    assert code(book.say(post, by=PLAYER)) == "role.not_allowed"


def test_balances_have_a_limit() -> None:
    """A deposit that would lift a balance over the largest amount is refused; a withdrawal is not."""
    book = with_money(MAX_CENTS)
    over = Deposit(player="player-1", amount=1)
    assert code(book.say(over, by=CASHIER, command_id="cashier-1:2026-01-01/2")) == "account.over_maximum"
    book.accept(Withdraw(player="player-1", amount=1), by=CASHIER, command_id="cashier-1:2026-01-01/3")
    assert isinstance(book.say(over, by=CASHIER, command_id="cashier-1:2026-01-01/4"), Accepted)


@pytest.mark.parametrize("player", NO_PLAYERS)
def test_money_goes_to_no_name_that_a_player_cannot_have(player: str) -> None:
    """Nobody could ever speak under it, so no deposit, card or adjustment gives it anything."""
    wish = Deposit(player=player, amount=1)
    assert code(ledger().say(wish, by=CASHIER)) == "player.bad_id"
    assert code(ledger().say(IssueCard(card="C-1", player=player), by=CASHIER)) == "player.bad_id"
    legs = (Leg("house:bank", -1), Leg(f"player:{player}", 1))
    asked = RequestAdjustment(legs=legs, reason="r")
    assert code(ledger().say(asked, by=CASHIER, command_id="cashier-1:2026-01-01/2")) == "player.bad_id"


def test_what_an_old_log_holds_under_such_a_name_is_paid_out() -> None:
    """The rule is younger than some logs: their deposits replay, a repeat gets its answer, the money can leave."""
    book = ledger()
    first = "cashier-1:2026-01-01/1"
    entries = (Entry("cage:main", -5, 0, -5), Entry("player:a:b", 5, 0, 5))
    old = Deposited(transfer_id=first, entries=entries)
    for event in (LedgerOpened(book="ledger", day="2026-01-01"), old):
        book.state = DECIDER.evolve(book.state, event)
    assert Already((old,)) == book.say(Deposit(player="a:b", amount=5), by=CASHIER, command_id=first)
    assert isinstance(
        book.say(Withdraw(player="a:b", amount=5), by=CASHIER, command_id="cashier-1:2026-01-01/2"), Accepted
    )


def test_an_unknown_command_is_a_defect() -> None:
    """What the ledger was never meant to hear is our own fault, not a refusal."""
    with pytest.raises(LedgerDefect, match=r"table\.TakeSeat"):
        ledger().say(TakeSeat(seat=1))


def test_a_volume_brings_forward_what_the_next_needs() -> None:
    """Balances, waiting buy-ins and the tables' positions of one volume are those that the next one starts with."""
    pended = BuyInPended(
        transfer_id="player-1:2026-01-01/1", player="player-1", pit="pit-1", table="T1", seat=1, amount=100, entries=()
    )
    balances = {"cage:main": -500, "player:player-1": 400, "pending:buy-in": 100}
    tables = (PostedUpTo("T1", 3, 17),)
    opened = LedgerOpened(book="ledger", balances=balances, pending=(pended,), tables=tables)
    book = ledger()
    book.state = DECIDER.evolve(book.state, opened)
    assert (400, 0) == (balance(book.state, "player:player-1"), imbalance(book.state))
    assert ["credit:player-1:2026-01-01/1"] == [owed.command_id for owed in DECIDER.react(book.state)]
    repeated = PostFromTable(table="T1", session=3, number=17, reason="coup", legs=())
    assert isinstance(book.say(repeated), Already)
    assert isinstance(book.say(msgspec.structs.replace(repeated, number=18)), Accepted)
