"""What two people must agree to: adjustments, fills and float credits."""

import msgspec
import pytest

from libs.kernel.actors import Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import FloatMoved, FloatMoveRefused, MoveFloat
from libs.kernel.contracts.wallet import Deposit, Entry, Leg, Withdraw
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.contracts.wallet_requests import (
    ApproveRequest,
    DeclineRequest,
    RequestAdjustment,
    RequestApproved,
    RequestExpired,
    RequestFill,
    RequestFloatCredit,
    RequestPended,
    RequestPosted,
    RequestVoided,
)
from libs.kernel.days import DAY_MS, day_of
from libs.kernel.decider import Accepted, Already, NotYet, Refused
from libs.kernel.limits import ADJUSTMENT_EXPIRES_MS, FLOAT_MOVE_EXPIRES_MS, MAX_CENTS, OPEN_REQUESTS
from libs.kernel.messages import Command, Tick
from libs.kernel.refusals import Refusal
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerDefect, LedgerState, balance, imbalance
from tests.kit.book import TODAY, Book, code

CASHIER, CASHIER_2 = Actor("cashier-1", "cashier"), Actor("cashier-2", "cashier")
CROUPIER = Actor("croupier-1", "croupier")
COMMITTEE, COMMITTEE_2 = Actor("committee-1", "committee_member"), Actor("committee-2", "committee_member")

BACK = RequestAdjustment(
    legs=(Leg("player:player-1", -200), Leg("house:bank", 150), Leg("cage:main", 50)),
    reason="paid twice at the cage",
    corrects="cashier-1:2025-12-31/4",
)
FILL = RequestFill(pit="pit-1", table="T1", amount=10_000, reason="many winners")
CREDIT = RequestFloatCredit(pit="pit-1", table="T1", amount=4_000, reason="too much in the float")
ASKED = f"cashier-1:{TODAY}/a"
FILLED = f"croupier-1:{TODAY}/f"
APPROVED = f"committee-1:{TODAY}/yes"


def ledger() -> Book[LedgerState]:
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    book.accept(Deposit(player="player-1", amount=500), by=CASHIER, command_id=f"cashier-1:{TODAY}/first")
    return book


def asked() -> Book[LedgerState]:
    book = ledger()
    book.accept(BACK, by=CASHIER, command_id=ASKED)
    return book


def filled(wish: Command = FILL) -> Book[LedgerState]:
    """Return a ledger whose table is being asked to move its float."""
    book = ledger()
    book.accept(wish, by=CROUPIER, command_id=FILLED)
    book.accept(ApproveRequest(request=FILLED), by=CASHIER, command_id=f"cashier-1:{TODAY}/yes")
    return book


def yes(amount: int = 10_000, number: int = 1) -> Answered:
    moved = FloatMoved(number=number, request=FILLED, amount=amount, float_after=amount)
    return Answered(to=f"float:{FILLED}", events=(moved,))


def test_an_adjustment_holds_what_it_debits() -> None:
    """Asked, with a reason and what it corrects, it holds the money; nobody gains anything yet."""
    book = asked()
    pended = book.log[-1]
    assert isinstance(pended, RequestPended)
    assert ("adjustment", BACK.reason, BACK.corrects, "cashier-1", "cashier") == (
        pended.kind,
        pended.reason,
        pended.corrects,
        pended.by,
        pended.role,
    )
    held = (Entry("player:player-1", -200, 500, 300), Entry("pending:request", 200, 0, 200))
    assert held == pended.entries
    assert book.now_ms + ADJUSTMENT_EXPIRES_MS == pended.expires_at_ms == DECIDER.deadline(book.state)


def test_another_person_approves_and_it_is_posted_whole() -> None:
    """A committee member approves: new entries for all legs at once; the old ones stay what they were."""
    book = asked()
    (posted,) = book.accept(ApproveRequest(request=ASKED), by=COMMITTEE, command_id=APPROVED)
    entries = (
        Entry("pending:request", -200, 200, 0),
        Entry("house:bank", 150, 0, 150),
        Entry("cage:main", 50, -500, -450),
    )
    assert RequestPosted(request=ASKED, by="committee-1", entries=entries, transfer_id=APPROVED) == posted
    assert ({}, 0, 300) == (book.state.requests, imbalance(book.state), balance(book.state, "player:player-1"))


def test_nobody_approves_what_he_asked_himself() -> None:
    """A committee member may ask, and may approve what others ask; never both of one request."""
    book = ledger()
    book.accept(BACK, by=COMMITTEE, command_id=ASKED)
    assert "request.two_people" == code(book.say(ApproveRequest(request=ASKED), by=COMMITTEE, command_id=APPROVED))
    other = f"committee-2:{TODAY}/yes"
    assert isinstance(book.say(ApproveRequest(request=ASKED), by=COMMITTEE_2, command_id=other), Accepted)


@pytest.mark.parametrize("who", [CASHIER_2, CROUPIER, Actor("player-1", "player"), Actor("auditor-1", "auditor")])
def test_only_the_committee_approves_adjustments(who: Actor) -> None:
    """Other roles are refused."""
    refused = asked().say(ApproveRequest(request=ASKED), by=who, command_id=f"{who.id}:{TODAY}/yes")
    assert "role.not_allowed" == code(refused)


@pytest.mark.parametrize("who", [COMMITTEE, CASHIER], ids=["by another", "by the one who asked"])
def test_a_declined_request_gives_everything_back(who: Actor) -> None:
    """Whoever could approve declines, or the one who asked takes it back: all accounts are as they were."""
    book = asked()
    decline = DeclineRequest(request=ASKED, reason="wrong player")
    (voided,) = book.accept(decline, by=who, command_id=f"{who.id}:{TODAY}/no")
    assert isinstance(voided, RequestVoided)
    assert ("declined", "wrong player", who.id) == (voided.code, voided.reason, voided.by)
    assert (500, 0) == (balance(book.state, "player:player-1"), balance(book.state, "pending:request"))
    assert Already((voided,)) == book.say(decline, by=who, command_id=f"{who.id}:{TODAY}/no")


def test_a_stranger_does_not_decline() -> None:
    """Neither the one who asked nor one who could approve."""
    decline = DeclineRequest(request=ASKED, reason="no")
    assert "role.not_allowed" == code(asked().say(decline, by=CASHIER_2, command_id=f"cashier-2:{TODAY}/no"))


def test_a_request_expires() -> None:
    """Nobody in time: the money goes back, and an approval that comes too late is refused, before the tick as after."""
    book = asked()
    book.now_ms += ADJUSTMENT_EXPIRES_MS
    late = ApproveRequest(request=ASKED)
    assert "request.ended" == code(book.say(late, by=COMMITTEE, command_id=APPROVED))
    (expired,) = book.accept(Tick())
    assert isinstance(expired, RequestExpired)
    assert (500, 0) == (balance(book.state, "player:player-1"), balance(book.state, "pending:request"))
    assert "request.ended" == code(book.say(late, by=COMMITTEE, command_id=f"{APPROVED}-again"))
    assert None is DECIDER.deadline(book.state)
    assert Accepted() == book.say(Tick())


@pytest.mark.parametrize("end", [ApproveRequest(request=ASKED), DeclineRequest(request=ASKED, reason="no")])
def test_a_request_ends_once(end: Command) -> None:
    """The same word again gets the same answer; another word under another id comes too late; a conflict is one."""
    book = asked()
    first = book.accept(end, by=COMMITTEE, command_id=APPROVED)
    before = msgspec.json.encode(book.state.balances)
    assert Already(first) == book.say(end, by=COMMITTEE, command_id=APPROVED)
    for other in (ApproveRequest(request=ASKED), DeclineRequest(request=ASKED, reason="no")):
        command_id = f"committee-2:{TODAY}/{type(other).__name__}"
        assert "request.ended" == code(book.say(other, by=COMMITTEE_2, command_id=command_id))
    other_content = DeclineRequest(request=ASKED, reason="other")
    assert "transfer.conflict" == code(book.say(other_content, by=COMMITTEE, command_id=APPROVED))
    assert before == msgspec.json.encode(book.state.balances)


@pytest.mark.parametrize(
    ("legs", "refusal"),
    [
        ((("player:player-1", -1), ("house:bank", 2)), "adjustment.unbalanced"),
        ((("player:p", 0), ("house:bank", 0)), "adjustment.unbalanced"),
        ((("player:p", 1), ("player:p", -1)), "adjustment.unbalanced"),
        ((("player:p", 1), ("float:T1", -1)), "adjustment.account"),
        ((("seat:T1:1", 1), ("house:bank", -1)), "adjustment.account"),
        ((("pending:buy-in", 1), ("house:bank", -1)), "adjustment.account"),
        ((("player:", 1), ("house:bank", -1)), "adjustment.account"),
        ((("player:player-1", -501), ("house:bank", 501)), "account.insufficient"),
    ],
)
def test_what_cannot_be_adjusted(legs: tuple[tuple[str, int], ...], refusal: str) -> None:
    """Only balanced legs, of accounts that people may correct, and never below zero for a player."""
    book = ledger()
    wish = msgspec.structs.replace(BACK, legs=tuple(Leg(*leg) for leg in legs))
    assert refusal == code(book.say(wish, by=CASHIER, command_id=ASKED))
    assert 1 == len([event for event in book.log if hasattr(event, "entries")])


def test_the_refusal_names_the_accounts_that_may_be_adjusted() -> None:
    """Whoever guessed at an account's name is told the names that there are, in both languages."""
    wish = msgspec.structs.replace(BACK, legs=(Leg("player:player-1", 1), Leg("house:adjustments", -1)))
    refused = ledger().say(wish, by=CASHIER, command_id=ASKED)
    assert isinstance(refused, Refused)
    for sentence in (refused.refusal.fr, refused.refusal.en):
        assert "player:…" in sentence
        assert "house:bank, house:entry, house:rake, cage:main" in sentence


def test_an_adjustment_cannot_fill_an_account_beyond_the_maximum() -> None:
    """What no deposit may do, two people may not do either; the request stays, for a time when there is room."""
    book = ledger()
    wish = msgspec.structs.replace(BACK, legs=(Leg("house:bank", -MAX_CENTS), Leg("player:player-1", MAX_CENTS)))
    book.accept(wish, by=CASHIER, command_id=ASKED)
    refused = book.say(ApproveRequest(request=ASKED), by=COMMITTEE, command_id=APPROVED)
    assert ("account.over_maximum", 500) == (code(refused), balance(book.state, "player:player-1"))
    book.accept(Withdraw(player="player-1", amount=500), by=CASHIER, command_id=f"cashier-1:{TODAY}/w")
    book.accept(ApproveRequest(request=ASKED), by=COMMITTEE, command_id=f"{APPROVED}/again")
    assert (MAX_CENTS, 0) == (balance(book.state, "player:player-1"), imbalance(book.state))


def test_unknown_requests() -> None:
    """A request that was never made, or an id of something else, cannot be approved."""
    book = ledger()
    for number, request in enumerate(("nobody:1", f"cashier-1:{TODAY}/first")):
        refused = book.say(ApproveRequest(request=request), by=COMMITTEE, command_id=f"{APPROVED}{number}")
        assert "request.unknown" == code(refused)


def test_requests_cannot_pile_up() -> None:
    """So many wait at once; then no more are taken until some end."""
    book = ledger()
    give = msgspec.structs.replace(BACK, legs=(Leg("house:bank", -1), Leg("player:player-1", 1)))
    found = book.state
    book.accept(give, by=CASHIER, command_id=ASKED)
    one = book.state.requests[ASKED]
    many = {f"x:{TODAY}/{number}": one for number in range(OPEN_REQUESTS)}
    book.state = msgspec.structs.replace(found, requests=many)
    assert "request.too_many" == code(book.say(give, by=CASHIER, command_id=f"cashier-1:{TODAY}/b"))


def test_a_fill_is_asked_verified_and_made_by_the_table() -> None:
    """Croupier asks, cashier verifies, the table moves its float; only then is it posted."""
    book = filled()
    approved = book.log[-1]
    assert isinstance(approved, RequestApproved)
    assert (FILLED, "cashier-1", "cashier", 1) == (approved.request, approved.by, approved.role, approved.number)
    assert (-10_000, 10_000) == (balance(book.state, "house:bank"), balance(book.state, "pending:request"))
    (asks,) = DECIDER.react(book.state)
    assert ("pit-1", "T1", f"float:{FILLED}") == (asks.shard, asks.book, asks.command_id)
    assert MoveFloat(number=1, request=FILLED, amount=10_000) == asks.command
    (posted,) = book.accept(yes())
    entries = (Entry("pending:request", -10_000, 10_000, 0), Entry("float:T1", 10_000, 0, 10_000))
    assert RequestPosted(request=FILLED, by="cashier-1", entries=entries) == posted
    assert [] == DECIDER.react(book.state)
    assert Already() == book.say(yes())


def test_a_float_credit_goes_the_other_way() -> None:
    """What the table gives back is the house's when the table has agreed."""
    book = filled(CREDIT)
    (asks,) = DECIDER.react(book.state)
    assert MoveFloat(number=1, request=FILLED, amount=-4_000) == asks.command
    book.accept(yes(-4_000))
    assert (4_000, -4_000) == (balance(book.state, "house:bank"), balance(book.state, "float:T1"))


REFUSED = FloatMoveRefused(number=1, request=FILLED, amount=10_000, code="session.not_open")


@pytest.mark.parametrize(
    "answer",
    [
        Answered(to=f"float:{FILLED}", events=(REFUSED,)),
        Answered(to=f"float:{FILLED}", refusal=Refusal("session.not_open", "Non.", "No.")),
    ],
)
def test_a_table_may_refuse(answer: Answered) -> None:
    """The money goes back, and the log says why."""
    book = filled()
    (voided,) = book.accept(answer)
    assert isinstance(voided, RequestVoided)
    assert ("session.not_open", 0, 0) == (
        voided.code,
        balance(book.state, "house:bank"),
        balance(book.state, "pending:request"),
    )


def test_an_approved_fill_neither_expires_nor_is_declined() -> None:
    """Once the table is asked, only the table ends it."""
    book = filled()
    book.now_ms += FLOAT_MOVE_EXPIRES_MS + 1
    assert None is DECIDER.deadline(book.state)
    assert Accepted() == book.say(Tick())
    decline = DeclineRequest(request=FILLED, reason="no")
    assert "request.ended" == code(book.say(decline, by=COMMITTEE, command_id=APPROVED))
    empty = Answered(to=f"float:{FILLED}")
    assert isinstance(book.say(empty), NotYet)


def test_what_no_table_can_have_moved_is_a_defect() -> None:
    """Another amount or number than was asked."""
    for wrong in (yes(9_999), yes(number=2)):
        with pytest.raises(LedgerDefect, match="something else"):
            filled().say(wrong)


def test_moves_of_one_float_are_made_one_at_a_time() -> None:
    """The table is asked in the order of approval; the next one when the first has been answered."""
    book = ledger()
    for name in ("1", "2", "3"):
        wish = msgspec.structs.replace(FILL, table="T2") if name == "3" else FILL
        book.accept(wish, by=CROUPIER, command_id=f"croupier-1:{TODAY}/{name}")
    for name in ("2", "1", "3"):
        word = ApproveRequest(request=f"croupier-1:{TODAY}/{name}")
        book.accept(word, by=CASHIER, command_id=f"cashier-1:{TODAY}/{name}")
    owed = {out.book: out.command for out in DECIDER.react(book.state)}
    assert {"T1": 1, "T2": 1} == {table: move.number for table, move in owed.items() if isinstance(move, MoveFloat)}
    second = f"croupier-1:{TODAY}/2"
    moved = FloatMoved(number=1, request=second, amount=10_000, float_after=1)
    book.accept(Answered(to=f"float:{second}", events=(moved,)))
    (first,) = (out for out in DECIDER.react(book.state) if out.book == "T1")
    assert (f"float:croupier-1:{TODAY}/1", 2) == (first.command_id, getattr(first.command, "number", 0))


def test_requests_go_with_the_ledger_from_day_to_day() -> None:
    """Open requests, held money and the numbers of a float's moves are all in the new volume."""
    book = filled()
    book.accept(BACK, by=CASHIER, command_id=ASKED)
    book.now_ms += DAY_MS // 2
    book.accept(OpenGamingDay(day=day_of(book.now_ms + DAY_MS)), by=COMMITTEE)
    while book.state.bringing is not None:
        book.accept(Tick())
    assert msgspec.json.encode(book.alone()) == msgspec.json.encode(book.state)
    book.accept(yes())
    book.accept(ApproveRequest(request=ASKED), by=COMMITTEE, command_id=APPROVED)
    again = FILL
    book.accept(again, by=CROUPIER, command_id=f"croupier-1:{TODAY}/g")
    (approved,) = book.accept(
        ApproveRequest(request=f"croupier-1:{TODAY}/g"), by=CASHIER, command_id=f"cashier-1:{TODAY}/yes-2"
    )
    assert isinstance(approved, RequestApproved)
    assert 2 == approved.number
    assert 0 == imbalance(book.state)
