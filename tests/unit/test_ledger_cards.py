"""Player cards: a number leads to one player, or nowhere."""

import msgspec
import pytest

from libs.kernel import buckets
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet import Deposit
from libs.kernel.contracts.wallet_cards import (
    BlockCard,
    Card,
    CardBlocked,
    CardIssued,
    CardReplaced,
    IssueCard,
    ReplaceCard,
)
from libs.kernel.contracts.wallet_days import Count, LedgerClosed, OpenGamingDay
from libs.kernel.decider import Already
from libs.kernel.messages import Command, Tick
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerState
from tests.kit.book import TODAY, Book, code

CASHIER = Actor("cashier-1", "cashier")
ISSUE = IssueCard(card="C-1", player="player-1")
BLOCK = BlockCard(card="C-1", reason="lost")
REPLACE = ReplaceCard(card="C-1", new_card="C-2", reason="broken")


def issued() -> Book[LedgerState]:
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    book.accept(ISSUE, by=CASHIER)
    return book


def card(book: Book[LedgerState], number: str) -> Card | None:
    return buckets.find(book.state.cards, number)


def test_a_card_leads_to_its_player() -> None:
    """A cashier gives it; the same again changes nothing."""
    book = issued()
    assert CardIssued(card="C-1", player="player-1", by="cashier-1") == book.log[-1]
    assert Card("player-1") == card(book, "C-1")
    assert Already() == book.say(ISSUE, by=CASHIER)


def test_a_blocked_card_leads_nowhere() -> None:
    """Blocked, with a reason, once and for all: neither the same player nor another gets the number again."""
    book = issued()
    assert (CardBlocked(card="C-1", reason="lost", by="cashier-1"),) == book.accept(BLOCK, by=CASHIER)
    assert Card("player-1", "blocked") == card(book, "C-1")
    assert Already() == book.say(BLOCK, by=CASHIER)
    assert "card.taken" == code(book.say(ISSUE, by=CASHIER))


@pytest.mark.parametrize("blocked", [False, True])
def test_a_new_card_takes_the_place_of_the_old_one(*, blocked: bool) -> None:
    """Active or blocked, it is replaced once; the player keeps the account."""
    book = issued()
    if blocked:
        book.accept(BLOCK, by=CASHIER)
    replaced = CardReplaced(card="C-1", new_card="C-2", player="player-1", reason="broken", by="cashier-1")
    assert (replaced,) == book.accept(REPLACE, by=CASHIER)
    assert (Card("player-1", "replaced", "C-2"), Card("player-1")) == (card(book, "C-1"), card(book, "C-2"))
    assert Already() == book.say(REPLACE, by=CASHIER)
    again = msgspec.structs.replace(REPLACE, new_card="C-3")
    assert "card.replaced" == code(book.say(again, by=CASHIER))
    assert Already() == book.say(BLOCK, by=CASHIER)


@pytest.mark.parametrize(
    ("wish", "refusal"),
    [
        (IssueCard(card="C-1", player="player-2"), "card.taken"),
        (BlockCard(card="C-9", reason="lost"), "card.unknown"),
        (ReplaceCard(card="C-9", new_card="C-10", reason="lost"), "card.unknown"),
        (ReplaceCard(card="C-1", new_card="C-1", reason="lost"), "card.taken"),
    ],
)
def test_what_cannot_be_done_with_a_card(wish: Command, refusal: str) -> None:
    """A number belongs to one player for ever, and only cards that were given can be blocked or replaced."""
    assert refusal == code(issued().say(wish, by=CASHIER))


def test_only_the_house_handles_cards() -> None:
    """A player neither gives nor blocks cards; a pit boss may block one."""
    player = Actor("player-1", "player")
    for wish in (ISSUE, BLOCK, REPLACE):
        assert "role.not_allowed" == code(issued().say(wish, by=player))
    issued().accept(BLOCK, by=Actor("pit-boss-1", "pit_boss"))


def test_cards_go_with_the_ledger_from_day_to_day() -> None:
    """They are counted at closing and brought forward; while that lasts, nobody changes one."""
    book = issued()
    book.accept(Deposit(player="player-1", amount=1), by=CASHIER, command_id=f"cashier-1:{TODAY}/1")
    book.accept(REPLACE, by=CASHIER)
    book.accept(OpenGamingDay(day="2026-01-02"))
    closed = next(event for event in book.log if isinstance(event, LedgerClosed))
    assert Count(accounts=2, credit=1, cards=2) == closed.count
    for wish in (IssueCard(card="C-7", player="player-7"), BlockCard(card="C-2", reason="x"), REPLACE):
        assert "day.opening" == code(book.say(wish, by=CASHIER))
    while book.state.bringing is not None:
        book.accept(Tick())
    assert msgspec.json.encode(book.alone()) == msgspec.json.encode(book.state)
    assert Card("player-1") == card(book, "C-2")
