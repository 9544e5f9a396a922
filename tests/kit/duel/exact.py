"""The odds of the duel of two players who stay; in a house that has it, `tests/odds/exact/duel.py`.

Card by card: one wins, or both cards are alike and the same is played again. The winner has nine tenths of two stakes.
"""

from fractions import Fraction
from itertools import product

from tests.odds.returns import Returns, gathered


def returns(paytable: str, wager: str) -> Returns:
    """Return what the stake of one player gives back."""
    assert (paytable, wager) == ("DUEL", "POT"), f"no such wager: {paytable} {wager}"
    unlike = [(mine, other) for mine, other in product(range(13), repeat=2) if mine != other]
    return gathered((Fraction(9, 5) if mine > other else 0, 1) for mine, other in unlike)
