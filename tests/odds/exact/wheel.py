"""The odds of the wheel by going round it (art. 67-16-5)."""

from fractions import Fraction

from tests.odds.returns import Returns, gathered

COLOURS = {"2": 24, "4": 12, "6": 8, "16": 3, "24": 2, "48": 1, "BONUS": 2}
"""How many of the 52 segments each chance has."""

INNER = (5, 20, 50, 100, 250, 1000)
"""The ratios of the inner wheel, one segment each."""

GAINS = {
    "ROUE-ARR-2024": {"2": 2, "4": 4, "6": 6, "16": 16, "24": 24, "48": 48},
    "ROUE-MAISON-1": {"2": 1, "4": 3, "6": 5, "16": 15, "24": 23, "48": 47},
}
"""To 1, the stake is kept."""

BONUS_PART = {"ROUE-ARR-2024": Fraction(1), "ROUE-MAISON-1": Fraction(1, 10)}
"""The part of the BONUS stake that the inner ratio multiplies."""


def returns(paytable: str, wager: str) -> Returns:
    """Return what a chance gives back, stop by stop of both wheels."""
    missed = 52 - COLOURS[wager]
    if wager == "BONUS":
        won = [(1 + ratio * BONUS_PART[paytable], COLOURS[wager]) for ratio in INNER]
        return gathered([(0, missed * len(INNER)), *won])
    return gathered([(0, missed), (1 + GAINS[paytable][wager], COLOURS[wager])])
