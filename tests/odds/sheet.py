"""The sheet: for each wager the exact odds, what the rules paid, and how far the two lie apart."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import msgspec

from tests.odds.coups import Tally
from tests.odds.exact import EXACT
from tests.odds.returns import chance, edge, gathered, volatility

FAR = 3.0
"""Standard errors beyond which a wager is off."""

COLUMNS = (12, 11, 11, 11, 10, 9, 11)


class Line(msgspec.Struct, frozen=True):
    """One wager under one paytable. Results are per unit staked."""

    game: str
    paytable: str
    wager: str
    chance: Fraction
    """Of getting anything back."""
    edge: Fraction
    volatility: float
    """Standard deviation of the net result, exact."""
    stakes: int
    """How often the wager was placed in the simulation."""
    simulated_chance: float
    simulated_edge: float
    simulated_volatility: float
    standard_error: float
    """Of the simulated edge: the exact volatility by the root of `stakes`."""
    distance: float
    """From the simulated to the exact edge, in standard errors."""
    impossible: int
    """How often the rules gave back what by the enumeration no coup can give."""

    @property
    def off(self) -> bool:
        """Tell whether the simulation lies too far from the exact edge, or paid what cannot be; chance is no excuse."""
        return abs(self.distance) > FAR or self.impossible > 0

    @property
    def key(self) -> tuple[str, str, str]:
        """What names the wager."""
        return self.game, self.paytable, self.wager


def lines(game: str, tally: Tally) -> list[Line]:
    """Return the sheet of a game, in a readable order."""
    order = sorted(tally, key=lambda named: (named[0], natural(named[1])))
    return [line(game, *wager, tally[wager]) for wager in order]


def line(game: str, paytable: str, wager: str, counts: Counter[Fraction]) -> Line:
    """Compare one wager."""
    exact, seen = EXACT[game](paytable, wager), gathered(counts.items())
    stakes, of_one = counts.total(), volatility(exact)
    standard_error = of_one / sqrt(stakes)
    return Line(
        game=game,
        paytable=paytable,
        wager=wager,
        chance=chance(exact),
        edge=edge(exact),
        volatility=of_one,
        stakes=stakes,
        simulated_chance=float(chance(seen)),
        simulated_edge=float(edge(seen)),
        simulated_volatility=volatility(seen),
        standard_error=standard_error,
        distance=float(edge(seen) - edge(exact)) / standard_error,
        impossible=sum(times for back, times in counts.items() if back not in exact),
    )


def natural(name: str) -> list[str | int]:
    """Return what names are sorted by: numbers as numbers.

    >>> sorted(["16", "4", "BONUS", "2"], key=natural)
    ['2', '4', '16', 'BONUS']
    """
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


# -- words ----------------------------------------------------------------------------------------------------------
def printed(sheet: Sequence[Line]) -> Iterator[str]:
    """Yield the sheet of a game, paytable by paytable."""
    for paytable in dict.fromkeys(one.paytable for one in sheet):
        yield ""
        yield _row(
            paytable, ("stakes", "wins %", "edge %", "simulated", "std error", "distance", "volatility"), "wins, edge"
        )
        for one in sheet:
            if one.paytable == paytable:
                yield _line(one)


def summary(game: str, sheet: Sequence[Line], seconds: float) -> str:
    """Return one line about a game."""
    farthest = max(sheet, key=lambda one: abs(one.distance))
    return (
        f"{game}: {len(sheet)} wagers, the farthest off is {farthest.wager} of {farthest.paytable} by "
        f"{farthest.distance:+.2f} standard errors; {seconds:.0f} s"
    )


def verdict(sheet: Sequence[Line]) -> Iterator[str]:
    """Yield what all lines together say."""
    off = [one for one in sheet if one.off]
    by_chance = 2 * (1 - NormalDist().cdf(FAR)) * len(sheet)
    yield (
        f"{len(off)} of {len(sheet)} wagers off: beyond {FAR:.0f} standard errors, where pure chance puts "
        f"{by_chance:.1f} on average, or paid what cannot be"
    )
    for one in off:
        impossible = f", {one.impossible} impossible returns" if one.impossible else ""
        yield f"OFF {' '.join(one.key)}: {one.distance:+.2f} standard errors{impossible}"


def _line(one: Line) -> str:
    cells = (
        f"{one.stakes:,}".replace(",", " "),
        f"{float(one.chance):.4%}",
        f"{float(one.edge):.3%}",
        f"{one.simulated_edge:.3%}",
        f"{one.standard_error:.3%}",
        f"{one.distance:+.2f}" + (" !" if one.off else ""),
        f"{one.volatility:.3f}",
    )
    return _row(one.wager, [cell.rstrip("%") for cell in cells], f"{one.chance}, {one.edge}")


def _row(name: str, cells: Sequence[str], exactly: str) -> str:
    return f"{name:<24}" + "".join(f"{c:>{w}}" for c, w in zip(cells, COLUMNS, strict=True)) + f"   {exactly}"
