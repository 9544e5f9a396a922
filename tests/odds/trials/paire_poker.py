"""All spots of Pair'e poker, of both layouts; nobody turns a card, so the time-outs do.

Spots that the first card decides lie at one table, the pairs at another, the hand at a third: of the cards that are
drawn only those that decide need be told apart. An optional wager lies beside a main one.
"""

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import lru_cache

from libs.games.paire_poker.cards import dealt
from libs.games.paire_poker.layout import COLOURS, spots
from libs.games.paire_poker.settlement import decided_by
from libs.kernel.game import Paid
from libs.kernel.terms import Terms
from tests.odds.coups import Remembered, Trial, Values
from tests.odds.host import Table, silent

MINIMUM = 100
MAIN = COLOURS[0]

cards = lru_cache(maxsize=1)(dealt)
"""The cards of a draw, the burnt one first; all tables of a coup ask for the same."""


def counting() -> list[Remembered]:
    """Return what is played."""
    one, two = spots(1), spots(2)
    tables = [trial([spot for spot in one if decided_by(spot) == shown], shown, {}) for shown in (1, 2, 3)]
    tables.append(trial([spot for spot in two if spot not in one], 1, {"value_rows": 2}))
    return [Remembered(table) for table in tables]


def trial(watched: list[str], shown: int, options: dict[str, int]) -> Trial:
    """Return a table with these spots, which so many cards decide."""
    stakes = {MAIN: MINIMUM} | dict.fromkeys(watched, MINIMUM)
    table = Table("paire_poker", MINIMUM, {1: stakes}, options, silent)
    return Trial(table, only(frozenset(watched)), first_cards(shown))


def first_cards(shown: int) -> Callable[[Values], Hashable]:
    """Return what tells draws apart: the cards that are turned up to this one."""
    return lambda values: cards(values)[1 : shown + 1]


def only(watched: frozenset[str]) -> Callable[[Terms, tuple[Paid, ...]], Iterator[tuple[str, Fraction]]]:
    """Return what reads these spots from a settlement."""
    return lambda _, paid: ((line.spot, Fraction(line.credit, line.stake)) for line in paid if line.spot in watched)
