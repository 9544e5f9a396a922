"""All chances of Rampo at once: at one table nobody ever tries the rampo, at another one always does.

The shooter does not throw, so the dice are thrown by the time-out. What lies in the zone is decided by a second throw.
For the tries themselves there is a table for each number that is offered, at which this number has just come: otherwise
12 would be tried in one coup of 36.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from libs.games.rampo.messages import AnswerRampo
from libs.games.rampo.paytables import SPOTS, TRIED, rampo_key
from libs.games.rampo.settlement import TO_ZONE
from libs.games.rampo.state import throw_of
from libs.kernel.game import Paid, Round
from libs.kernel.messages import Command
from libs.kernel.terms import Terms
from tests.odds.coups import Remembered, Trial, Values
from tests.odds.host import Table, silent

MINIMUM = 500


def counting() -> list[Remembered]:
    """Return what is played."""
    stakes = {1: dict.fromkeys(SPOTS, MINIMUM)}
    never = Table("rampo", MINIMUM, stakes, {}, silent)
    always = Table("rampo", MINIMUM, stakes, {}, tries)
    return [
        Remembered(Trial(never, paid_at_once)),
        Remembered(Trial(always, always_tried)),
        Remembered(Trial(always, tried, given=tuple(thrown(number) for number in TRIED))),
    ]


def thrown(number: int) -> Values:
    """Return a draw of two dice that show a number.

    >>> thrown(2), thrown(9)
    ((0, 0), (5, 2))
    """
    first = min(number - 1, 6)
    return first - 1, number - first - 1


def tries(r: Round[Any]) -> tuple[int, Command] | None:
    """Try the rampo when it is offered."""
    return (1, AnswerRampo(tries=True)) if throw_of(r.state, r.coup).offered else None


def paid_at_once(_: Terms, paid: tuple[Paid, ...]) -> Iterator[tuple[str, Fraction]]:
    """Every line is a wager."""
    return ((line.spot, Fraction(line.credit, line.stake)) for line in paid)


def always_tried(_: Terms, paid: tuple[Paid, ...]) -> Iterator[tuple[str, Fraction]]:
    """Each number as one who always tries has it."""
    won = {line.spot: line.credit for line in paid if not line.stake}
    for number in TRIED:
        key = rampo_key(number)
        yield f"{number}+{key}", Fraction(won.get(key, 0), MINIMUM)


def tried(terms: Terms, paid: tuple[Paid, ...]) -> Iterator[tuple[str, Fraction]]:
    """The try itself, for the cash in hand that is given up for it."""
    held = {line.spot: line.stake for line in paid if line.step == TO_ZONE}
    won = {line.spot: line.credit for line in paid if not line.stake}
    for spot, stake in held.items():
        key = rampo_key(int(spot))
        yield key, Fraction(won[key], stake * (terms.gains[spot] + 1))
