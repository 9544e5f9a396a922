"""The chances of Rampo, its three paytables, the house edge of each wager, and the limits (rules.md section 2).

Gains are *to* 1: the winner keeps the stake (RA3). A key `RAMPO-n` is the gain instead of the first one when number n
is tried and comes again (RA2).
"""

from collections.abc import Mapping
from fractions import Fraction

from libs.kernel.game import Paytable, Proposal

NUMBERS: tuple[int, ...] = tuple(range(2, 13))
SEVEN = 7

NUMBERS_OF_COLOUR: dict[str, tuple[int, ...]] = {
    "ROUGE": (3, 8),
    "NOIR": (6, 11),
    "VERT": (5, 10),
    "JAUNE": (4, 9),
    "BLANC": (2, 7, 12),
}
"""Art. 55-22: the colour of every number."""

COLOUR_OF_NUMBER: dict[int, str] = {
    number: colour for colour, numbers in NUMBERS_OF_COLOUR.items() for number in numbers
}

COLOURS: tuple[str, ...] = tuple(NUMBERS_OF_COLOUR)
SPOTS: tuple[str, ...] = (*COLOURS, *map(str, NUMBERS))
"""All chances in the order of the layout."""

TRIED: tuple[int, ...] = tuple(number for number in NUMBERS if number != SEVEN)
"""The numbers for which the rampo is offered (RA4)."""

NUMBER_TIMES, COLOUR_TIMES = 40, 200
"""Most that one player may have on a number and on a colour, in multiples of the minimum ([2014] art. 55-22-2)."""

LEAST_FLOAT_TIMES = 15_000
"""Art. 49: the least float of a Rampo table, in multiples of the minimum."""

EXTREMES = (2, 12)
EXTREMES_OPTION = "extremes_times"
"""Option of a session: most on 2 and on 12, in multiples of the minimum, less than `NUMBER_TIMES`."""


def rampo_key(number: int) -> str:
    """Return the key of the gain of a won rampo, which is also the spot of a stake in the rampo zone.

    >>> rampo_key(8)
    'RAMPO-8'
    """
    return f"RAMPO-{number}"


def ways(number: int) -> int:
    """Return how many of the 36 throws of two dice give this number.

    >>> [ways(number) for number in NUMBERS]
    [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    """
    return 6 - abs(number - SEVEN)


def edges(gains: Mapping[str, int]) -> dict[str, Fraction]:
    """Return the exact house edge of every wager.

    Of a number: when the rampo is never tried. Of a `RAMPO-n`: of the try itself, measured on the cash that the player
    has in hand and gives up.
    """
    found = {}
    for colour, numbers in NUMBERS_OF_COLOUR.items():
        found[colour] = 1 - Fraction(sum(map(ways, numbers)) * (gains[colour] + 1), 36)
    for number in NUMBERS:
        found[str(number)] = 1 - Fraction(ways(number) * (gains[str(number)] + 1), 36)
    for number in TRIED:
        in_hand = gains[str(number)] + 1
        found[rampo_key(number)] = 1 - Fraction(ways(number) * (gains[rampo_key(number)] + 1), 36 * in_hand)
    return found


def _paytable(single: tuple[int, ...], rampo: tuple[int, ...]) -> Paytable:
    """Return a paytable from the gains of 2 and 12, 3 and 11, … 6 and 8, 7, and those of the rampo on the same."""
    gains = {colour: 3 if colour == "BLANC" else 4 for colour in COLOURS}
    gains |= {str(number): single[ways(number) - 1] for number in NUMBERS}
    gains |= {rampo_key(number): rampo[ways(number) - 1] for number in TRIED}
    return Paytable(gains=gains, edges=edges(gains))


PAYTABLES: dict[str, Paytable] = {
    "RAMPO-ARR-2014": _paytable((30, 15, 9, 6, 5, 4), (170, 40, 30, 22, 12)),
    "RAMPO-MAISON-1": _paytable((30, 15, 9, 6, 5, 4), (1000, 270, 110, 58, 40)),
    "RAMPO-MAISON-2": _paytable((33, 16, 10, 7, 6, 4), (1150, 290, 125, 68, 47)),
}
"""The first is genuine but was made for an older rule, under which the first gain was safe; the other two are ours."""


def maxima(proposal: Proposal) -> dict[str, int]:
    """Return the most that one player may have on each chance, in cents, the rampo zone included (RA15)."""
    found = dict.fromkeys(COLOURS, COLOUR_TIMES * proposal.minimum)
    extremes = proposal.options.get(EXTREMES_OPTION, NUMBER_TIMES)
    for number in NUMBERS:
        found[str(number)] = (extremes if number in EXTREMES else NUMBER_TIMES) * proposal.minimum
    return found


def worst_number(paytable: Paytable, proposal: Proposal) -> int:
    """Return the most that one player can gain on one number, in cents: the rampo on the dearest."""
    most = maxima(proposal)
    return max(most[str(number)] * paytable.gains[rampo_key(number)] for number in TRIED)


def worst_gain(paytable: Paytable, proposal: Proposal) -> int:
    """Return the most that one seat can gain in one coup, in cents: a number tried and repeated, and its colour."""
    most, gains = maxima(proposal), paytable.gains
    return max(
        most[str(number)] * gains[rampo_key(number)] + most[colour] * gains[colour]
        for number, colour in COLOUR_OF_NUMBER.items()
        if number in TRIED
    )


def least_float(paytable: Paytable, proposal: Proposal) -> int:
    """Return the least float, in cents: that of art. 49, or what one player can win on one number, if that is more.

    >>> terms = Proposal(minimum=500, source="rng", seats=8, options={})
    >>> least_float(PAYTABLES["RAMPO-ARR-2014"], terms), least_float(PAYTABLES["RAMPO-MAISON-1"], terms)
    (7500000, 20000000)
    >>> capped = Proposal(minimum=500, source="rng", seats=8, options={"extremes_times": 15})
    >>> least_float(PAYTABLES["RAMPO-MAISON-1"], capped)
    7500000
    """
    return max(LEAST_FLOAT_TIMES * proposal.minimum, worst_number(paytable, proposal))
