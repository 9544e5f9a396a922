"""The odds of Rampo by throwing two dice in every way, once and twice (art. 55-22-1).

Wagers are the chances of the layout (`ROUGE`, `8`: never tried), the try itself (`RAMPO-8`, measured on the cash in
hand that is given up for it) and a number that is tried whenever it comes (`8+RAMPO-8`).
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from tests.odds.returns import Returns, gathered

COLOURS = {"ROUGE": (3, 8), "NOIR": (6, 11), "VERT": (5, 10), "JAUNE": (4, 9), "BLANC": (2, 7, 12)}
COLOUR_GAINS = {"ROUGE": 4, "NOIR": 4, "VERT": 4, "JAUNE": 4, "BLANC": 3}
GAINS = {
    "RAMPO-ARR-2014": {2: (30, 170), 3: (15, 40), 4: (9, 30), 5: (6, 22), 6: (5, 12), 7: (4, 0)},
    "RAMPO-MAISON-1": {2: (30, 1000), 3: (15, 270), 4: (9, 110), 5: (6, 58), 6: (5, 40), 7: (4, 0)},
    "RAMPO-MAISON-2": {2: (33, 1150), 3: (16, 290), 4: (10, 125), 5: (7, 68), 6: (6, 47), 7: (4, 0)},
}
"""By number, 12 as 2, 11 as 3 and so on: gain to 1, and gain to 1 when the number is tried and comes again."""

TRY = "RAMPO-"


def throws() -> Iterator[int]:
    """Go through the 36 throws of two dice."""
    return (first + second for first, second in product(range(1, 7), repeat=2))


def folded(number: int) -> int:
    """Return the number of at most 7 that is thrown as often: 12 as 2, 11 as 3 and so on."""
    return min(number, 14 - number)


def returns(paytable: str, wager: str) -> Returns:
    """Return what a wager gives back, throw by throw."""
    if wager in COLOURS:
        gain = COLOUR_GAINS[wager]
        return gathered((gain + 1 if number in COLOURS[wager] else 0, 1) for number in throws())
    number = int(wager.rpartition(TRY)[2])
    single, rampo = GAINS[paytable][folded(number)]
    if wager == str(number):
        return gathered((single + 1 if thrown == number else 0, 1) for thrown in throws())
    if wager == f"{TRY}{number}":
        in_hand = single + 1
        return gathered((Fraction(rampo + 1, in_hand) if again == number else 0, 1) for again in throws())
    assert wager == f"{number}+{TRY}{number}", f"no such wager: {wager}"
    twice = product(throws(), repeat=2)
    return gathered((rampo + 1 if first == again == number else 0, 1) for first, again in twice)
