"""Helpers for coups of Pair'e poker: cards that the test chooses, turned by the croupier."""

from libs.games.paire_poker import messages as p
from libs.games.paire_poker.cards import DECK
from libs.games.paire_poker.state import PokerState
from libs.table import messages as m
from tests.kit.given import CROUPIER, GivenTable, opening

BURNT = ("2P", "3T", "8K", "DC")
"""The cards that tests burn when they do not care: the first that is not shown."""


def poker_opening(**terms: object) -> m.OpenSession:
    """Return an order to open Pair'e poker with m = 100 cents, as in the worked examples of rules.md."""
    usual: dict[str, object] = {"game": "paire_poker", "seats": 5, "options": {}}
    wanted = usual | terms
    return opening(str(wanted.pop("paytable", "PAIRE-MAISON-1")), **wanted)


def given_poker(**terms: object) -> GivenTable:
    """Return a table of Pair'e poker in an open session."""
    return GivenTable().given_open(poker_opening(**terms))


def drawn_for(*cards: str) -> tuple[int, ...]:
    """Return the numbers that the RNG must draw for these cards, the burnt one first.

    >>> drawn_for("AC", "2C", "JOKER", "JOKER")
    (0, 0, 50, 50)
    """
    pack = list(DECK)
    numbers = []
    for card in cards:
        numbers.append(pack.index(card))
        pack.remove(card)
    return tuple(numbers)


def given_dealt(table: GivenTable, *cards: str, burnt: str = "") -> GivenTable:
    """Close betting and let the RNG deal these three cards face down."""
    table.given(m.CloseBetting(), by=CROUPIER)
    burnt = burnt or next(card for card in BURNT if card not in cards)
    return table.given_drawn(*drawn_for(burnt, *cards))


def given_turned(table: GivenTable, count: int = 3) -> GivenTable:
    """Let the croupier turn the next `count` cards."""
    assert isinstance(table.state.game_state, PokerState)
    first = len(table.state.game_state.turned) + 1
    for place in range(first, first + count):
        table.given(p.TurnCard(place=place), by=CROUPIER)
    return table


def given_coup(table: GivenTable, *cards: str) -> GivenTable:
    """Deal, turn and pay the coup for which wagers lie on the table."""
    given_turned(given_dealt(table, *cards))
    return table.given(p.PayWinners(), by=CROUPIER)


def credits_of(table: GivenTable) -> dict[str, int]:
    """Return what the latest settlement credited for each spot (one player's coup), in cents."""
    return {wager.spot: wager.credit for wager in table.last_settlement().wagers}
