import msgspec
import pytest

from libs.kernel.actors import Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import CreditSeat, SeatCredited, SeatCreditRefused, Turn
from libs.kernel.contracts.wallet import BuyIn, BuyInPended, BuyInPosted, BuyInVoided, Deposit, Entry
from libs.kernel.decider import Accepted, Already, Context, NotYet, Outgoing
from libs.kernel.limits import CREDITS_CARRIED, PENDING_BUY_INS, PENDING_BUY_INS_PER_TABLE
from libs.kernel.refusals import Refusal
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerDefect, LedgerState, balance
from tests.kit.book import Book, code

CASHIER = Actor("cashier-1", "cashier")
PLAYER = Actor("player-1", "player")
BUY = BuyIn(pit="pit-1", table="T1", seat=3, amount=200)
ID = "player-1:2026-01-01/7"
CREDITED = SeatCredited(transfer_id=ID, player="player-1", seat=3, amount=200, credit_after=200)
YES = Answered(to=f"credit:{ID}", events=(CREDITED,))
NO = Answered(to=f"credit:{ID}", refusal=Refusal(code="seat.not_yours", fr="Non.", en="No."))

REFUSED = SeatCreditRefused(transfer_id=ID, player="player-1", seat=3, amount=200, code="seat.not_yours")
RECORDED_NO = Answered(to=f"credit:{ID}", events=(REFUSED,))
OTHER_NO = Answered(to=f"credit:{ID}", events=(msgspec.structs.replace(REFUSED, transfer_id="player-1:2026-01-01/8"),))


def bought() -> Book[LedgerState]:
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    book.accept(Deposit(player="player-1", amount=500), by=CASHIER, command_id="cashier-1:2026-01-01/1")
    book.accept(BUY, by=PLAYER, command_id=ID)
    return book


def money(book: Book[LedgerState]) -> tuple[int, int, int]:
    """Return the cents of the player, on the way, and on the seat."""
    player, way, seat = (balance(book.state, name) for name in ("player:player-1", "pending:buy-in", "seat:T1:3"))
    return player, way, seat


def test_a_buy_in_waits_between_account_and_seat() -> None:
    """The amount leaves the account at once and waits in `pending:buy-in`."""
    book = bought()
    expected = BuyInPended(
        transfer_id=ID,
        player="player-1",
        pit="pit-1",
        table="T1",
        seat=3,
        amount=200,
        entries=(Entry("player:player-1", -200, 500, 300), Entry("pending:buy-in", 200, 0, 200)),
        number=1,
        oldest=1,
    )
    assert expected == book.log[-1]
    assert (300, 200, 0) == money(book)


def test_the_ledger_asks_the_table_until_it_answers() -> None:
    """`react` sends one CreditSeat, always with the same id, to the table's pit; after the answer nothing more."""
    book = bought()
    asked = Outgoing(
        command_id=f"credit:{ID}",
        shard="pit-1",
        book="T1",
        command=CreditSeat(transfer_id=ID, player="player-1", seat=3, amount=200, turn=Turn("ledger", 1, 1)),
    )
    assert [asked] == list(DECIDER.react(book.state)) == list(DECIDER.react(book.state))
    book.accept(YES)
    assert [] == DECIDER.react(book.state)


def test_credited_means_posted() -> None:
    """When the table has put the chips on the meter, the waiting money is the seat's."""
    book = bought()
    entries = (Entry("pending:buy-in", -200, 200, 0), Entry("seat:T1:3", 200, 0, 200))
    assert (BuyInPosted(transfer_id=ID, entries=entries),) == book.accept(YES)
    assert (300, 0, 200) == money(book)


@pytest.mark.parametrize("answer", [NO, RECORDED_NO], ids=["refused", "refusal recorded"])
def test_refused_means_back_to_the_player(answer: Answered) -> None:
    """When the table refuses, the player has the money again, and the log says why."""
    book = bought()
    entries = (Entry("pending:buy-in", -200, 200, 0), Entry("player:player-1", 200, 300, 500))
    assert (BuyInVoided(transfer_id=ID, code="seat.not_yours", entries=entries),) == book.accept(answer)
    assert (500, 0, 0) == money(book)


@pytest.mark.parametrize(
    ("answers", "after"),
    [
        ((YES, YES, YES), (300, 0, 200)),
        ((NO, NO), (500, 0, 0)),
        ((RECORDED_NO, NO, RECORDED_NO), (500, 0, 0)),
        ((YES, NO, RECORDED_NO), (300, 0, 200)),
    ],
    ids=["credited twice", "refused twice", "refused in both ways", "refusal after credit"],
)
def test_only_the_first_answer_counts(answers: tuple[Answered, ...], after: tuple[int, int, int]) -> None:
    """Answers that come again, or a refusal that comes after the credit, change nothing."""
    book = bought()
    book.accept(answers[0])
    for late in answers[1:]:
        assert Already() == book.say(late)
    assert after == money(book)


def test_a_credit_after_a_refusal_is_a_defect() -> None:
    """The player has the money back and the seat has chips: it cannot be true and must not pass in silence."""
    book = bought()
    book.accept(NO)
    with pytest.raises(LedgerDefect, match="voided"):
        book.say(YES)


def test_a_credit_of_something_else_is_a_defect() -> None:
    """A table that credits another amount than the one that waits has its books wrong."""
    other = SeatCredited(transfer_id=ID, player="player-1", seat=3, amount=201, credit_after=201)
    with pytest.raises(LedgerDefect, match="something else"):
        bought().say(Answered(to=f"credit:{ID}", events=(other,)))


@pytest.mark.parametrize("answer", [Answered(to=f"credit:{ID}"), OTHER_NO], ids=["nothing", "of another buy-in"])
def test_an_answer_that_says_nothing_leaves_it_waiting(answer: Answered) -> None:
    """Neither credited nor refused: the money waits on and the table is asked again."""
    book = bought()
    assert isinstance(book.say(answer), NotYet)
    assert (300, 200, 0) == money(book)


@pytest.mark.parametrize("to", ["credit:nobody:1", "credit:cashier-1:2026-01-01/1", f"post:{ID}", ID, "credit:"])
def test_answers_to_nothing_are_ignored(to: str) -> None:
    """An answer that the ledger does not wait for leads to nothing."""
    assert Already() == bought().say(Answered(to=to, events=(CREDITED,)))


def test_only_a_service_answers() -> None:
    """A player cannot tell the ledger that his seat was credited."""
    assert code(bought().say(YES, by=PLAYER)) == "role.not_allowed"


def test_the_same_buy_in_is_one_buy_in() -> None:
    """Repeated before or after the table's answer, it is answered with the facts of the first time."""
    book = bought()
    first = Already((book.log[-1],))
    assert first == book.say(BUY, by=PLAYER, command_id=ID)
    book.accept(YES)
    assert first == book.say(BUY, by=PLAYER, command_id=ID)
    assert (300, 0, 200) == money(book)


@pytest.mark.parametrize(
    "other",
    [
        BuyIn(pit="pit-1", table="T1", seat=3, amount=201),
        BuyIn(pit="pit-1", table="T1", seat=4, amount=200),
        BuyIn(pit="pit-1", table="T2", seat=3, amount=200),
    ],
)
def test_the_same_id_cannot_name_another_buy_in(other: BuyIn) -> None:
    """The same id with another amount, seat or table is refused as a conflict."""
    assert code(bought().say(other, by=PLAYER, command_id=ID)) == "transfer.conflict"


def test_nobody_buys_chips_without_money() -> None:
    """A buy-in above the balance is refused; there is no credit (art. 35)."""
    dear = BuyIn(pit="pit-1", table="T1", seat=3, amount=301)
    assert code(bought().say(dear, by=PLAYER, command_id="player-1:2026-01-01/8")) == "account.insufficient"


def test_ids_must_fit_into_the_question_to_the_table() -> None:
    """A command id that leaves no room for `credit:` is refused; the money would wait for ever."""
    book = bought()
    assert code(book.say(BUY, by=PLAYER, command_id=f"player-1:2026-01-01/{'p' * 70}")) == "transfer.name_too_long"
    assert isinstance(book.say(BUY, by=PLAYER, command_id=f"player-1:2026-01-01/{'p' * 69}"), Accepted)


def test_a_table_that_is_away_cannot_pile_up_buy_ins() -> None:
    """So many wait for one table, so many for all; then buy-ins are refused until answers come."""
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    book.accept(Deposit(player="player-1", amount=10**6), by=CASHIER, command_id="cashier-1:2026-01-01/1")
    decide, evolve, count = DECIDER.decide, DECIDER.evolve, 0
    for table in range(PENDING_BUY_INS // PENDING_BUY_INS_PER_TABLE):
        buy = BuyIn(pit="pit-1", table=f"T{table}", seat=1, amount=1)
        for _ in range(PENDING_BUY_INS_PER_TABLE):
            count += 1
            context = Context(
                now_ms=book.now_ms, actor=PLAYER, command_id=f"player-1:2026-01-01/{count}", book="ledger"
            )
            decision = decide(book.state, buy, context)
            assert isinstance(decision, Accepted)
            book.state = evolve(book.state, decision.events[0])
        command_id = f"player-1:2026-01-01/x{table}"
        assert code(book.say(buy, by=PLAYER, command_id=command_id)) == "buy_in.too_many_pending"
    fresh = BuyIn(pit="pit-1", table="T-new", seat=1, amount=1)
    assert code(book.say(fresh, by=PLAYER, command_id="player-1:2026-01-01/x")) == "buy_in.too_many_pending"
    answer = SeatCredited(transfer_id="player-1:2026-01-01/1", player="player-1", seat=1, amount=1, credit_after=1)
    book.accept(Answered(to="credit:player-1:2026-01-01/1", events=(answer,)))
    assert isinstance(book.say(fresh, by=PLAYER, command_id="player-1:2026-01-01/y"), Accepted)


def test_no_buy_in_waits_until_its_table_may_have_forgotten_it() -> None:
    """While one is left unanswered, only so many newer ones may pass it as its table remembers in any case."""
    book = bought()
    for number in range(1, CREDITS_CARRIED):
        command_id = f"player-1:2026-01-01/n{number}"
        if code(book.say(msgspec.structs.replace(BUY, amount=1), by=PLAYER, command_id=command_id)):
            break
        credited = SeatCredited(transfer_id=command_id, player="player-1", seat=3, amount=1, credit_after=number)
        book.accept(Answered(to=f"credit:{command_id}", events=(credited,)))
    assert CREDITS_CARRIED - PENDING_BUY_INS_PER_TABLE == number - 1
    (last,) = [event for event in book.log if isinstance(event, BuyInPended) and event.number == number]
    assert 1 == last.oldest
    book.accept(YES)
    again = book.say(msgspec.structs.replace(BUY, amount=1), by=PLAYER, command_id="player-1:2026-01-01/new")
    assert isinstance(again, Accepted)
