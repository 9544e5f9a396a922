"""Two duellists who stay; in a house that has the duel, `tests/odds/trials/duel.py`."""

from collections.abc import Iterator
from fractions import Fraction

from libs.kernel.game import Paid
from libs.kernel.terms import Terms
from tests.odds.coups import Remembered, Trial
from tests.odds.host import Table, silent

STAKE = 100


def counting() -> list[Remembered]:
    """Return what is played: the only wager there is."""
    table = Table("duel", STAKE, {seat: {"POT": STAKE} for seat in (1, 2)}, {}, silent)
    return [Remembered(Trial(table, watched))]


def watched(_: Terms, paid: tuple[Paid, ...]) -> Iterator[tuple[str, Fraction]]:
    """Both stakes, through all coups until they are decided."""
    for seat in (1, 2):
        yield "POT", Fraction(sum(line.credit for line in paid if line.seat == seat), STAKE)
