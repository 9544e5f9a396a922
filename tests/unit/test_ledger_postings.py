import msgspec
import pytest

from libs.kernel.actors import Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import SeatCredited
from libs.kernel.contracts.wallet import BuyIn, Deposit, Entry, Leg, PostFromTable, TablePosted
from libs.kernel.contracts.wallet_days import LedgerOpened
from libs.kernel.decider import Accepted, Already, NotYet
from libs.kernel.refusals import Refusal
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerDefect, LedgerState, balance, imbalance, seats_of
from tests.kit.book import Book

CASHIER = Actor("cashier-1", "cashier")
PLAYER = Actor("player-1", "player")
CREDIT = "credit:player-1:2026-01-01/1"
CREDITED = SeatCredited(transfer_id="player-1:2026-01-01/1", player="player-1", seat=3, amount=200, credit_after=200)
YES = Answered(to=CREDIT, events=(CREDITED,))
NO = Answered(to=CREDIT, refusal=Refusal(code="seat.not_yours", fr="Non.", en="No."))


def post(
    number: int, *legs: tuple[str, int], session: int = 1, reason: str = "coup", table: str = "T1"
) -> PostFromTable:
    return PostFromTable(
        table=table, session=session, number=number, reason=reason, legs=tuple(Leg(*leg) for leg in legs)
    )


FLOAT = post(1, ("house:bank", -10_000), ("float:T1", 10_000), reason="float_opened")


def seated(*, answered: bool = True) -> Book[LedgerState]:
    """Return a ledger with an open table, and a player who bought in for 200 cents at seat 3."""
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    book.accept(Deposit(player="player-1", amount=500), by=CASHIER, command_id="cashier-1:2026-01-01/1")
    book.accept(FLOAT)
    book.accept(BuyIn(pit="pit-1", table="T1", seat=3, amount=200), by=PLAYER, command_id="player-1:2026-01-01/1")
    if answered:
        book.accept(YES)
    return book


def test_a_float_may_be_the_first_money_of_all() -> None:
    """A table may open before any deposit: the house's bank may be overdrawn."""
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    opened, posted = book.accept(FLOAT)
    assert LedgerOpened(book="ledger", remembers_from="2025-12-30") == opened
    entries = (Entry("house:bank", -10_000, 0, -10_000), Entry("float:T1", 10_000, 0, 10_000))
    assert TablePosted(table="T1", session=1, number=1, reason="float_opened", entries=entries) == posted


def test_a_coup_moves_seats_against_the_float() -> None:
    """A lost stake goes from the seat to the float, all legs in one fact."""
    book = seated()
    (posted,) = book.accept(post(2, ("seat:T1:3", -50), ("float:T1", 50)))
    entries = (Entry("seat:T1:3", -50, 200, 150), Entry("float:T1", 50, 10_000, 10_050))
    assert TablePosted(table="T1", session=1, number=2, reason="coup", entries=entries) == posted
    assert ({3: 150}, 0) == (seats_of(book.state, "T1"), imbalance(book.state))


def test_legs_on_one_account_become_one_entry() -> None:
    """Two legs on one account are one line of the posting; only what they come to counts."""
    book = seated()
    (posted,) = book.accept(post(2, ("seat:T1:3", -300), ("float:T1", 50), ("seat:T1:3", 250)))
    assert isinstance(posted, TablePosted)
    assert (Entry("seat:T1:3", -50, 200, 150), Entry("float:T1", 50, 10_000, 10_050)) == posted.entries


def test_a_cash_out_reaches_the_account() -> None:
    """Chips that a player takes home are account money again."""
    book = seated()
    book.accept(post(2, ("seat:T1:3", -200), ("player:player-1", 200), reason="cash_out"))
    assert (500, {}) == (balance(book.state, "player:player-1"), seats_of(book.state, "T1"))


def test_a_posting_is_made_once() -> None:
    """The newest posting is answered with its facts, an older one with its number; neither moves money again."""
    book = seated()
    coup = post(2, ("seat:T1:3", -50), ("float:T1", 50))
    first = book.accept(coup)
    assert Already(first) == book.say(coup)
    older = TablePosted(table="T1", session=1, number=1, reason="float_opened", entries=())
    assert Already((older,)) == book.say(FLOAT)
    assert balance(book.state, "seat:T1:3") == 150


def test_a_gap_must_wait() -> None:
    """A number beyond the next one gets no answer; it is asked again when the gap is filled."""
    book = seated()
    third = post(3, ("seat:T1:3", 50), ("float:T1", -50))
    assert isinstance(book.say(third), NotYet)
    book.accept(post(2, ("seat:T1:3", -50), ("float:T1", 50)))
    assert isinstance(book.say(third), Accepted)


def test_tables_count_apart() -> None:
    """Each table has its own numbers."""
    book = seated()
    assert isinstance(book.say(post(1, ("house:bank", -5), ("float:T2", 5), table="T2")), Accepted)


def test_a_new_session_counts_from_one_again() -> None:
    """Sessions grow and may leave a number out; each begins with posting 1; the old ones are still known."""
    book = seated()
    assert isinstance(book.say(post(2, session=3)), NotYet)
    book.accept(post(1, ("house:bank", -5), ("float:T1", 5), session=3))
    assert Already((TablePosted(table="T1", session=1, number=1, reason="coup", entries=()),)) == book.say(post(1))
    with pytest.raises(LedgerDefect, match="already posts for session 3"):
        book.say(post(2, session=1))
    with pytest.raises(LedgerDefect, match="already posts for session 3"):
        book.say(post(1, session=2))


def test_a_seat_may_play_with_chips_that_the_ledger_has_not_heard_of() -> None:
    """The table credited the seat and the player lost before the answer came here: the posting waits for it."""
    book = seated(answered=False)
    coup = post(2, ("seat:T1:3", -150), ("float:T1", 150))
    assert isinstance(book.say(coup), NotYet)
    book.accept(YES)
    book.accept(coup)
    assert {3: 50} == seats_of(book.state, "T1")


def test_waiting_chips_cover_only_what_they_are_worth() -> None:
    """More than the waiting buy-in, another seat's, or one that was refused does not excuse an overdraft."""
    book = seated(answered=False)
    for wrong in ((("seat:T1:3", -201), ("float:T1", 201)), (("seat:T1:4", -1), ("float:T1", 1))):
        with pytest.raises(LedgerDefect, match="overdraws"):
            book.say(post(2, *wrong))
    book.accept(NO)
    with pytest.raises(LedgerDefect, match="overdraws"):
        book.say(post(2, ("seat:T1:3", -1), ("float:T1", 1)))


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (post(2, ("seat:T1:3", -50), ("float:T1", 49)), "do not sum to zero"),
        (post(2, ("float:T1", 1)), "do not sum to zero"),
        (post(2, reason="tip"), "unknown reason"),
        (post(2, ("seat:T2:3", 50), ("float:T1", -50)), "may not move"),
        (post(2, ("seat:T1:0", 50), ("float:T1", -50)), "may not move"),
        (post(2, ("seat:T1:03", 50), ("float:T1", -50)), "may not move"),
        (post(2, ("seat:T1:65", 50), ("float:T1", -50)), "may not move"),
        (post(2, ("float:T2", 50), ("float:T1", -50)), "may not move"),
        (post(2, ("player:player-1", -50), ("float:T1", 50)), "may not move"),
        (post(2, ("player:", 50), ("float:T1", -50)), "may not move"),
        (post(2, ("cage:main", 50), ("float:T1", -50)), "may not move"),
        (post(2, ("pending:buy-in", 50), ("float:T1", -50)), "may not move"),
        (post(2, ("house:pocket", 50), ("float:T1", -50)), "may not move"),
        (post(0), "count from 1"),
        (post(1, session=0), "count from 1"),
        (post(-1), "count from 1"),
        (post(1, ("house:bank", -9), ("float:T1", 9), reason="float_opened"), "other content"),
        (post(1, ("house:bank", -10_000), ("float:T1", 10_000)), "other content"),
    ],
)
def test_what_no_table_can_mean_is_a_defect(wrong: PostFromTable, why: str) -> None:
    """A refusal would part the books in silence: the command is parked by an exception, and no money moves."""
    book = seated()
    before = msgspec.json.encode(book.state)
    with pytest.raises(LedgerDefect, match=why):
        book.say(wrong)
    assert before == msgspec.json.encode(book.state)


def test_the_state_survives_encoding() -> None:
    """The state is plain JSON: decoded it is the same value and encodes to the same bytes as a replay of the log."""
    book = seated()
    book.accept(post(2, ("seat:T1:3", -50), ("float:T1", 50)))
    book.accept(post(1, ("house:bank", -5), ("float:T1", 5), session=2))
    encoded = msgspec.json.encode(book.state)
    assert book.state == msgspec.json.decode(encoded, type=LedgerState)
    assert encoded == msgspec.json.encode(book.replayed())
