"""Draws as games use them: numbers of one bound, and orders of cards. Each test gives a finding with its p-value."""

from math import ceil, prod, sqrt

import numpy as np
from scipy.special import erfc
from scipy.stats import binom, chi2, poisson

from tests.evidence.judging import Finding

LEAST_EXPECTED = 5.0
"""Least expected count of a cell of a chi-square test."""

MOST_COINCIDENCES = 64.0
"""Expected number of pairs of equal rows below which rows are long enough for the test of duplicates."""


def of_values(section: str, values: np.ndarray, bound: int, *, in_a_circle: bool = False) -> list[Finding]:
    """Return the findings about numbers in 0 … bound-1 in the order in which they came.

    `in_a_circle` says that neighbouring numbers lie side by side, as on a wheel: a tilted one favours a side.
    """
    found = [
        _frequency(section, values, bound),
        _extreme(section, values, bound),
        _runs(section, values, bound),
        _correlation(section, values),
        _duplicates(section, values, bound),
    ]
    if len(values) // 2 >= LEAST_EXPECTED * bound * bound:
        found.append(_pairs(section, values, bound))
    if bound <= 64:
        found += _coupons(section, values, bound)
    if in_a_circle:
        found.append(_tilt(section, values, bound))
    return found


def of_orders(section: str, orders: np.ndarray) -> list[Finding]:
    """Return the findings about orders of n cards (one a row, cards 0 … n-1, all of them)."""
    count, cards = orders.shape
    doubled = int((np.sort(orders, axis=1) != np.arange(cards)).any(axis=1).sum())
    places = np.stack([np.bincount(orders[:, place], minlength=cards) for place in range(cards)])
    # Rows and columns both sum to the number of orders: the factor and the degrees of freedom are those of that.
    spread = float(((places - count / cards) ** 2 / (count / cards)).sum()) * (cards - 1) / cards
    after = int((np.diff(orders, axis=1) == 1).sum())
    after_mean, after_more = (cards - 1) / cards, (cards - 2) / cards
    rises = int((np.diff(orders, axis=1) > 0).sum())
    deals = prod(range(cards, cards - 4, -1))
    numbers = orders[:, :4].astype(np.int64) @ (cards ** np.arange(4, dtype=np.int64))
    return [
        _finding(section, "no card twice", count, doubled, "orders with a card twice", 0.0 if doubled else 1.0),
        _finding(
            section, "places", count, spread, "chi-square of card by place", float(chi2.sf(spread, (cards - 1) ** 2))
        ),
        _normal(
            section, "successors", count, after, after_mean, after_more + after_mean - after_mean**2,
            "cards followed by the next one of the pack",
        ),
        _normal(section, "rises", count, rises, (cards - 1) / 2, (cards + 1) / 12, "cards followed by a higher one"),
        _coincidences(section, "duplicates", numbers, deals, "equal pairs of deals of four"),
        *of_values(f"{section}, top card", orders[:, 0], cards),
    ]  # fmt: skip


# -- one test each ------------------------------------------------------------------------------------------------
def _frequency(section: str, values: np.ndarray, bound: int) -> Finding:
    expected = len(values) / bound
    spread = float(((np.bincount(values, minlength=bound) - expected) ** 2 / expected).sum())
    return _finding(
        section, "chi-square", len(values), spread, f"chi-square, {bound - 1} degrees", chi2.sf(spread, bound - 1)
    )


def _extreme(section: str, values: np.ndarray, bound: int) -> Finding:
    """The number farthest from its share: one favoured pocket of many is lost in a chi-square, but not here."""
    counts, share = np.bincount(values, minlength=bound), 1 / bound
    worst = int(np.abs(counts - len(values) * share).argmax())
    seen = int(counts[worst])
    tail = min(binom.cdf(seen, len(values), share), binom.sf(seen - 1, len(values), share))
    measures = f"count of number {worst + 1} of {bound}, {len(values) * share:.0f} expected"
    return _finding(section, "extreme", len(values), seen, measures, min(1.0, 2 * tail * bound))


def _pairs(section: str, values: np.ndarray, bound: int) -> Finding:
    """Numbers two by two, none of them in two pairs: whether one depends on the one before."""
    even = values[: len(values) // 2 * 2].astype(np.int64)
    numbers, cells = even[::2] * bound + even[1::2], bound * bound
    expected = len(numbers) / cells
    spread = float(((np.bincount(numbers, minlength=cells) - expected) ** 2 / expected).sum())
    return _finding(
        section, "pairs", len(numbers), spread, f"chi-square, {cells - 1} degrees", chi2.sf(spread, cells - 1)
    )


def _runs(section: str, values: np.ndarray, bound: int) -> Finding:
    """Wald and Wolfowitz: rows of numbers of the lower and the upper half; the middle of an odd bound is neither."""
    sides = values[2 * values != bound - 1] * 2 > bound - 1
    high = int(sides.sum())
    low = len(sides) - high
    runs = 1 + int((sides[1:] != sides[:-1]).sum())
    both = 2.0 * high * low
    mean = 1 + both / len(sides)
    variance = both * (both - len(sides)) / (len(sides) ** 2 * (len(sides) - 1.0))
    off = abs(runs - mean) / sqrt(variance) if variance > 0 else float("inf")
    return _finding(section, "runs", len(sides), runs, f"runs, {mean:.0f} expected", erfc(off / sqrt(2)))


def _correlation(section: str, values: np.ndarray) -> Finding:
    """Each number with the one before."""
    centred = values - values.mean()
    whole = float((centred**2).sum())
    lagged = float((centred[1:] * centred[:-1]).sum()) / whole if whole else 1.0
    off = abs(lagged + 1 / len(values)) * sqrt(len(values))
    return _finding(
        section, "serial correlation", len(values), lagged, "correlation with the one before", erfc(off / sqrt(2))
    )


def _coupons(section: str, values: np.ndarray, bound: int) -> list[Finding]:
    """How long it takes until every number has come, again and again (Knuth's coupon collector's test)."""
    lengths, seen, begun = [], set[int](), 0
    for place, value in enumerate(values.tolist()):
        seen.add(value)
        if len(seen) == bound:
            lengths.append(place + 1 - begun)
            seen, begun = set(), place + 1
    edges, chances = _coupon_classes(bound, len(lengths))
    if len(chances) < 3:
        return []
    counts = np.bincount(np.searchsorted(edges, lengths), minlength=len(chances))
    expected = np.array(chances) * len(lengths)
    spread = float(((counts - expected) ** 2 / expected).sum())
    degrees = len(chances) - 1
    p = chi2.sf(spread, degrees)
    return [_finding(section, "coupon collector", len(lengths), spread, f"chi-square, {degrees} degrees", p)]


def _coupon_classes(bound: int, count: int) -> tuple[list[int], list[float]]:
    """Return classes of lengths (the last length of each but the last) that are each expected at least ten times."""
    state = np.zeros(bound + 1)
    state[0] = 1.0
    step = np.arange(bound + 1) / bound
    edges: list[int] = []
    chances: list[float] = []
    gathered, left = 0.0, 1.0
    for length in range(1, 40 * bound):
        before = state[bound]
        state = np.append(0.0, (state * (1 - step))[:-1]) + state * step
        gathered += state[bound] - before
        if gathered * count >= 2 * LEAST_EXPECTED and (left - gathered) * count >= 2 * LEAST_EXPECTED:
            edges.append(length)
            chances.append(float(gathered))
            left, gathered = left - gathered, 0.0
    return edges, [*chances, float(left)]


def _duplicates(section: str, values: np.ndarray, bound: int) -> Finding:
    """Numbers in rows, each row taken as one number of many: how many pairs of rows are equal."""
    size = 1
    while (len(values) // size) ** 2 / (2.0 * bound**size) > MOST_COINCIDENCES:
        size += 1
    rows = values[: len(values) // size * size].reshape(-1, size).astype(np.int64)
    numbers = rows @ (bound ** np.arange(size, dtype=np.int64))
    return _coincidences(section, "duplicates", numbers, bound**size, f"equal pairs of rows of {size}")


def _coincidences(section: str, test: str, numbers: np.ndarray, out_of: int, measures: str) -> Finding:
    counts = np.unique(numbers, return_counts=True)[1]
    pairs = int((counts * (counts - 1) // 2).sum())
    expected = len(numbers) * (len(numbers) - 1) / 2 / out_of
    p = min(1.0, 2 * min(poisson.cdf(pairs, expected), poisson.sf(pairs - 1, expected)))
    return _finding(section, test, len(numbers), pairs, f"{measures}, {expected:.1f} expected", p)


def _tilt(section: str, values: np.ndarray, bound: int) -> Finding:
    """Rayleigh: the numbers as directions on a circle; a wheel that leans has a mean direction."""
    angles = 2 * np.pi * values / bound
    length = 2 * (np.cos(angles).sum() ** 2 + np.sin(angles).sum() ** 2) / len(values)
    return _finding(section, "tilt", len(values), float(length), "chi-square, 2 degrees", chi2.sf(length, 2))


def _normal(section: str, test: str, count: int, total: int, mean: float, variance: float, measures: str) -> Finding:
    off = abs(total - count * mean) / sqrt(count * variance)
    text = f"{measures}, {ceil(count * mean)} expected"
    return _finding(section, test, count, total, text, erfc(off / sqrt(2)))


def _finding(section: str, test: str, samples: int, statistic: float, measures: str, p: float) -> Finding:
    return Finding(
        section=section, test=test, samples=samples, statistic=float(statistic), measures=measures, p=float(p)
    )
