"""All chances of the wheel at once; nobody presses the buzzer, the wheel is launched by the time-out (WA10)."""

from collections.abc import Iterator
from fractions import Fraction

from libs.kernel.game import Paid
from libs.kernel.terms import Terms
from tests.odds.coups import Remembered, Trial
from tests.odds.host import Table, silent

MINIMUM, BONUS_STAKE = 100, 1_000


def counting() -> list[Remembered]:
    """Return what is played."""
    stakes = {spot: BONUS_STAKE if spot == "BONUS" else MINIMUM for spot in ("2", "4", "6", "16", "24", "48", "BONUS")}
    table = Table("wheel", MINIMUM, {1: stakes}, {"bonus_stake": BONUS_STAKE}, silent)
    return [Remembered(Trial(table, watched))]


def watched(_: Terms, paid: tuple[Paid, ...]) -> Iterator[tuple[str, Fraction]]:
    """Every line is a wager."""
    return ((line.spot, Fraction(line.credit, line.stake)) for line in paid)
