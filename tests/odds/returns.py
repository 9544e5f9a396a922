"""What a wager gives back, and with which chances: all that the odds of a wager are made of."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt

Returns = Mapping[Fraction, Fraction]
"""The chance of each return per unit staked: 0 is lost, 1 the stake back, k + 1 a win at k to 1."""


def gathered(ways: Iterable[tuple[Fraction | int, Fraction | int]]) -> dict[Fraction, Fraction]:
    """Return the chance of each return from (return, weight) of every way that things can go.

    >>> gathered([(0, 3), (2, 1), (0, 2)])
    {Fraction(0, 1): Fraction(5, 6), Fraction(2, 1): Fraction(1, 6)}
    """
    weights: dict[Fraction | int, Fraction | int] = {}  # whole ones stay so to the end, which is quicker
    for back, weight in ways:
        weights[back] = weights.get(back, 0) + weight
    total = sum(weights.values(), Fraction(0))
    return {Fraction(back): Fraction(weight) / total for back, weight in weights.items()}


def chance(returns: Returns) -> Fraction:
    """Return the chance that a wager gives anything back."""
    return 1 - returns.get(Fraction(0), Fraction(0))


def edge(returns: Returns) -> Fraction:
    """Return the part of a stake that is kept on average.

    >>> edge({Fraction(0): Fraction(29, 36), Fraction(5): Fraction(7, 36)})
    Fraction(1, 36)
    """
    return 1 - sum((back * part for back, part in returns.items()), Fraction(0))


def variance(returns: Returns) -> Fraction:
    """Return the variance of the net result per unit staked."""
    mean = 1 - edge(returns)
    return sum((part * (back - mean) ** 2 for back, part in returns.items()), Fraction(0))


def volatility(returns: Returns) -> float:
    """Return the standard deviation of the net result per unit staked.

    >>> volatility({Fraction(0): Fraction(1, 2), Fraction(2): Fraction(1, 2)})
    1.0
    """
    return sqrt(variance(returns))
