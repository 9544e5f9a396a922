"""From one gaming day to the next: nothing is lost, nothing is done twice, and nothing grows."""

import msgspec
import pytest

from libs.kernel import buckets
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import SeatCredited
from libs.kernel.contracts.wallet import BuyIn, Deposit, Leg, PostFromTable, Withdraw
from libs.kernel.contracts.wallet_days import (
    AllBroughtForward,
    BroughtForward,
    Count,
    LedgerClosed,
    LedgerOpened,
    OpenGamingDay,
)
from libs.kernel.days import DAY_MS, day_of
from libs.kernel.decider import Already, NotYet
from libs.kernel.limits import SESSIONS_REMEMBERED, TRANSFER_DAYS_REMEMBERED
from libs.kernel.messages import Tick
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerDefect, LedgerState, balance, imbalance
from tests.kit.book import TODAY, Book, code

CASHIER = Actor("cashier-1", "cashier")
COMMITTEE = Actor("committee-1", "committee_member")
PLAYER = Actor("player-1", "player")
FIRST = f"cashier-1:{TODAY}/1"


def ledger(players: int = 3) -> Book[LedgerState]:
    """Return a ledger on its first day, where each player has brought 500 cents."""
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    book.accept(OpenGamingDay(day=TODAY), by=COMMITTEE)
    for number in range(1, players + 1):
        deposit(book, number, f"cashier-1:{TODAY}/{number}")
    return book


def deposit(book: Book[LedgerState], player: int, command_id: str) -> None:
    book.accept(Deposit(player=f"player-{player}", amount=500), by=CASHIER, command_id=command_id)


def next_day(book: Book[LedgerState], days: int = 1) -> str:
    """Open the gaming day that begins so many days later, and bring everything forward."""
    book.now_ms += days * DAY_MS
    day = day_of(book.now_ms)
    book.accept(OpenGamingDay(day=day), by=SYSTEM)
    ticks(book)
    return day


def ticks(book: Book[LedgerState]) -> None:
    while DECIDER.deadline(book.state) is not None:
        book.accept(Tick())


def test_a_day_is_closed_with_a_count_and_the_next_begins_with_what_it_left() -> None:
    """The closing counts events and accounts, the pieces come to the same, and nobody needs the old volume then."""
    book = ledger(players=2)
    before = len(book.log)
    next_day(book)
    closed, opened, piece, end = book.log[before:]
    counted = Count(accounts=3, credit=1_000)
    assert LedgerClosed(day=TODAY, events=before + 1, count=counted) == closed
    assert isinstance(opened, LedgerOpened)
    assert ("2026-01-02", "2025-12-31", counted) == (opened.day, opened.remembers_from, opened.brings)
    assert isinstance(piece, BroughtForward)
    assert {"cage:main": -1_000, "player:player-1": 500, "player:player-2": 500} == piece.balances
    assert (0, buckets.LEAVES - 1, 2) == (piece.first, piece.last, len(piece.transfers))
    assert AllBroughtForward(count=counted) == end
    assert msgspec.json.encode(book.alone()) == msgspec.json.encode(book.state)


def test_commands_go_on_while_a_day_is_brought_forward(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accounts that move before their piece is written keep what they have; the pieces still come to the count."""
    entries = 16
    monkeypatch.setattr("libs.ledger.days.BRING_FORWARD_ENTRIES", entries)
    monkeypatch.setattr("libs.ledger.days.BRING_FORWARD_PIECES", 4)
    book = ledger(players=300)
    book.now_ms += DAY_MS
    book.accept(OpenGamingDay(day="2026-01-02"), by=COMMITTEE)
    number = 0
    while DECIDER.deadline(book.state) is not None:
        number += 1
        book.accept(Withdraw(player=f"player-{number}", amount=500), by=CASHIER, command_id=f"c:2026-01-02/w{number}")
        deposit(book, 300 + number, f"c:2026-01-02/d{number}")
        assert 500 == balance(book.state, "player:player-299")
        book.accept(Tick())
    assert number > 1, "it was brought forward in one go: the test is too small"
    pieces = [event for event in book.log if isinstance(event, BroughtForward)]
    assert max(len(piece.balances) + len(piece.transfers) for piece in pieces) < 2 * entries
    assert msgspec.json.encode(book.alone()) == msgspec.json.encode(book.state)
    assert (0, 500) == (balance(book.state, "player:player-1"), balance(book.state, "player:player-301"))
    assert 0 == imbalance(book.state)


def test_what_was_brought_must_come_to_the_count() -> None:
    """A ledger that lost an account on the way does not go on as if nothing were missing."""
    book = ledger()
    book.accept(OpenGamingDay(day="2026-01-02"), by=COMMITTEE)
    lost = buckets.put_leaf(book.state.balances, buckets.leaf_number("player:player-1"), {})
    book.state = msgspec.structs.replace(book.state, balances=lost)
    with pytest.raises(LedgerDefect, match="the closing has counted"):
        book.say(Tick())


def test_the_same_id_on_another_day_is_the_same_transfer() -> None:
    """One effect and the same answer, on the day after as well; other content under the id is a conflict."""
    book = ledger()
    first = book.log[1]
    next_day(book)
    again = Deposit(player="player-1", amount=500)
    assert Already((first,)) == book.say(again, by=CASHIER, command_id=FIRST)
    assert "transfer.conflict" == code(book.say(Deposit(player="player-1", amount=501), by=CASHIER, command_id=FIRST))
    assert 500 == balance(book.state, "player:player-1")


def test_a_forgotten_id_is_never_done_again() -> None:
    """After some days an id is refused with its date, whatever its content; it cannot be told from one never used."""
    book = ledger()
    for _ in range(TRANSFER_DAYS_REMEMBERED + 1):
        next_day(book)
    for command_id in (FIRST, f"cashier-1:{TODAY}/never-used"):
        refused = book.say(Deposit(player="player-1", amount=500), by=CASHIER, command_id=command_id)
        assert "transfer.too_old" == code(refused)
    assert 500 == balance(book.state, "player:player-1")


def test_a_clock_set_back_brings_no_forgotten_id_back() -> None:
    """What is remembered depends on the dates in the log, which only grow, not on the clock of the day."""
    book = ledger()
    for days, day in ((6, "2026-01-02"), (-4, "2026-01-03")):
        book.now_ms += days * DAY_MS
        book.accept(OpenGamingDay(day=day), by=COMMITTEE)
        ticks(book)
        assert "2026-01-05" == book.state.remembers_from
        refused = book.say(Deposit(player="player-1", amount=500), by=CASHIER, command_id=FIRST)
        assert "transfer.too_old" == code(refused)


@pytest.mark.parametrize(
    ("command_id", "refusal"),
    [
        ("cashier-1:1", "transfer.undated"),
        (f"cashier-1:{TODAY}7/1", "transfer.undated"),
        (f"{TODAY}/1", "transfer.undated"),
        ("cashier-1:2026-13-01/1", "transfer.undated"),
        ("cashier-1:2025-02-29/1", "transfer.undated"),
        ("cashier-1:2026-01-03/1", "transfer.dated_ahead"),
        ("cashier-1:2025-12-29/1", "transfer.too_old"),
        ("cashier-1:2025-12-30/1", ""),
        ("cashier-1:2026-01-02/1", ""),
        (f"2001-01-01:{TODAY}/1", ""),
    ],
)
def test_ids_carry_their_date(command_id: str, refusal: str) -> None:
    """A date is wanted, of a day that is remembered, and at most tomorrow's."""
    assert refusal == code(ledger().say(Deposit(player="player-1", amount=1), by=CASHIER, command_id=command_id))


def test_days_are_opened_once_and_in_order() -> None:
    """The same day again changes nothing, an earlier one is refused, and so is the next one while this one opens."""
    book = ledger()
    assert Already() == book.say(OpenGamingDay(day=TODAY), by=COMMITTEE)
    assert "day.closed" == code(book.say(OpenGamingDay(day="2025-12-31"), by=COMMITTEE))
    book.accept(OpenGamingDay(day="2026-01-02"), by=COMMITTEE)
    book.now_ms += DAY_MS
    assert "day.opening" == code(book.say(OpenGamingDay(day="2026-01-03"), by=COMMITTEE))
    assert "role.not_allowed" == code(book.say(OpenGamingDay(day="2026-01-03"), by=CASHIER))


@pytest.mark.parametrize(
    ("day", "refusal"),
    [
        ("2026-01-02", ""),
        ("2026-01-03", "day.ahead"),
        ("9999-12-31", "day.ahead"),
        ("2026-01-00", "day.unknown"),
        ("2026-00-31", "day.unknown"),
    ],
)
def test_no_day_is_opened_far_ahead(day: str, refusal: str) -> None:
    """Tomorrow's may be opened today, a later one may not, nor one of no calendar; on a fresh ledger, too."""
    for book in (ledger(), Book(DECIDER, "ledger")):
        before = len(book.log)
        assert refusal == code(book.say(OpenGamingDay(day=day), by=COMMITTEE))
        assert bool(refusal) == (before == len(book.log))


def test_a_waiting_buy_in_goes_with_the_ledger_from_day_to_day() -> None:
    """Its table may be away for a week: the money waits, the table is asked, and one answer ends it."""
    book = ledger()
    bought = f"player-1:{TODAY}/7"
    book.accept(BuyIn(pit="pit-1", table="T1", seat=3, amount=200), by=PLAYER, command_id=bought)
    for _ in range(7):
        next_day(book)
    assert [f"credit:{bought}"] == [owed.command_id for owed in DECIDER.react(book.state)]
    credited = SeatCredited(transfer_id=bought, player="player-1", seat=3, amount=200, credit_after=200)
    book.accept(Answered(to=f"credit:{bought}", events=(credited,)))
    assert (300, 200) == (balance(book.state, "player:player-1"), balance(book.state, "seat:T1:3"))
    assert Already() == book.say(Answered(to=f"credit:{bought}", events=(credited,)))


def test_postings_go_on_over_the_change_of_day() -> None:
    """A table's session does not end with the day: numbers go on, repeats get the same answer, gaps wait."""
    book = ledger()
    coups = [
        PostFromTable(table="T1", session=1, number=number, reason="coup", legs=(Leg("house:bank", 0),))
        for number in range(1, 4)
    ]
    first = book.accept(coups[0])
    next_day(book)
    assert Already(first) == book.say(coups[0])
    assert isinstance(book.say(coups[2]), NotYet)
    book.accept(coups[1])
    with pytest.raises(LedgerDefect, match="other content"):
        book.say(msgspec.structs.replace(coups[1], reason="release"))


def test_sessions_of_long_ago_are_forgotten_without_harm() -> None:
    """A posting of a session that is no longer remembered gets no answer: it is not said to be there, nor made."""
    book = ledger()
    for session in range(1, SESSIONS_REMEMBERED + 3):
        book.accept(PostFromTable(table="T1", session=session, number=1, reason="coup", legs=()))
    late = PostFromTable(table="T1", session=1, number=2, reason="coup", legs=())
    assert isinstance(book.say(late), NotYet)
    assert isinstance(book.say(msgspec.structs.replace(late, session=2, number=1)), Already)
    assert SESSIONS_REMEMBERED == len(book.state.tables["T1"].finished)


def test_ten_gaming_days_leave_nothing_behind() -> None:
    """After ten days with the same play each, the state is as large as after three: memory for ids is bounded."""
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    sizes, remembered, events = [], [], []
    for day in range(1, 11):
        date = next_day(book)
        opened_at = len(book.log)
        for number in range(1, 201):
            wish = (Deposit if number % 2 else Withdraw)(player=f"player-{(number + 1) // 2}", amount=500)
            book.accept(wish, by=CASHIER, command_id=f"cashier-1:{date}/{number}")
        for number in range(1, 6):
            post = PostFromTable(table="T1", session=day, number=number, reason="coup", legs=(Leg("float:T1", 0),))
            book.accept(post)
        repeat = Deposit(player="player-1", amount=500)
        assert isinstance(book.say(repeat, by=CASHIER, command_id=f"cashier-1:{date}/1"), Already)
        sizes.append(len(msgspec.json.encode(book.state)))
        remembered.append(sum(1 for _ in buckets.items(book.state.transfers)))
        events.append(len(book.log) - opened_at)
        assert msgspec.json.encode(book.alone()) == msgspec.json.encode(book.state)
        for other in range(1, day):
            decision = book.say(repeat, by=CASHIER, command_id=f"cashier-1:{day_of(book.now_ms - other * DAY_MS)}/1")
            expected = "" if other <= TRANSFER_DAYS_REMEMBERED else "transfer.too_old"
            assert (expected, not expected) == (code(decision), isinstance(decision, Already))
    assert 1 == len(set(remembered[2:])), remembered
    assert max(sizes[2:]) - min(sizes[2:]) < sizes[2] // 50, sizes
    assert 1 == len(set(events)), events
