"""The dice, the one paytable and its exact odds (rules.md section 5).

Nothing is paid at fixed odds: the players' pot is shared, the bank keeps the entry fees and a tenth of the pot. So the
"edges" are what the bank keeps of all that is paid, by number of players, when all stay and nobody tries the rappel.
"""

from fractions import Fraction
from functools import cache
from math import comb
from typing import NamedTuple

from libs.kernel.game import Paytable, Proposal

MINIMUM_PLAYERS, MAXIMUM_PLAYERS = 2, 8
"""A battle needs an opponent (GA22); 8 is a house default, the notice's example has 5."""

JET_1_FACES = 20
NATURAL = 20
BEST_DIE = 20

ENTRY, RAPPEL, BET = "ENTREE", "RAPPEL", "MISE"
"""Spots: fee and ante, paid together; the rappel stake; calls and raises of the betting round."""

RAKE_PERCENT = "RAKE_PERCENT"
"""Key in a paytable's gains."""

RAKE = 10
"""Percent of the pot; of the pot only, not of the fees (GA15)."""

_DICE = ((1, 0), (5, 6), (10, 8), (15, 10), (19, 12), (20, BEST_DIE))
"""Highest roll of JET 1 for each die; a 1 passes."""


@cache
def die_of(jet_1: int) -> int:
    """Return the faces of the die that a roll of JET 1 gives for JET 2; 0 for a 1 (and before the roll).

    >>> [die_of(roll) for roll in (1, 2, 5, 6, 10, 11, 15, 16, 19, 20)]
    [0, 6, 6, 8, 8, 10, 10, 12, 12, 20]
    """
    return next(faces for highest, faces in _DICE if jet_1 <= highest)


class Odds(NamedTuple):
    """Chances of one game in which all stay and nobody tries the rappel."""

    winner: Fraction
    tie: Fraction
    double: Fraction
    several_20s: Fraction
    """Part of `double`."""
    all_ones: Fraction
    one_in: Fraction
    nobody: Fraction


def second_roll() -> tuple[Fraction, ...]:
    """Return the chance of each JET 2 of one player, 0 to 20; 0 is out."""
    chances = [Fraction(0)] * (BEST_DIE + 1)
    for roll in range(1, JET_1_FACES + 1):
        faces = die_of(roll)
        for result in range(1, faces + 1) if faces else (0,):
            chances[result] += Fraction(1, JET_1_FACES * max(faces, 1))
    return tuple(chances)


def odds(players: int) -> Odds:
    """Return the exact chances for so many players."""
    single = second_roll()
    below = [sum(single[:roll], Fraction(0)) for roll in range(BEST_DIE + 1)]

    def best(roll: int, times: int) -> Fraction:
        """Chance that `roll` is the highest and comes `times` times, two players at least being in."""
        chance = comb(players, times) * single[roll] ** times * below[roll] ** (players - times)
        return chance - (players * single[roll] * single[0] ** (players - 1) if times == 1 else 0)

    several = range(2, players + 1)
    return Odds(
        winner=sum((best(roll, 1) for roll in range(2, NATURAL)), Fraction(0)),
        tie=sum((best(roll, times) for roll in range(2, NATURAL) for times in several), Fraction(0)),
        double=sum((best(NATURAL, times) for times in range(1, players + 1)), Fraction(0)),
        several_20s=sum((best(NATURAL, times) for times in several), Fraction(0)),
        all_ones=sum((best(1, times) for times in several), Fraction(0)),
        one_in=players * (1 - single[0]) * single[0] ** (players - 1),
        nobody=single[0] ** players,
    )


def bank_share(players: int) -> Fraction:
    """Return what the bank keeps, as a part of fees and antes, when nobody adds anything.

    A winner takes 90 % of the antes, which are half of what was paid; a double rappel takes everything.

    >>> bank_share(2)
    Fraction(56713, 102400)
    """
    chances = odds(players)
    won = Fraction(100 - RAKE, 2 * 100)
    return 1 - won * (chances.winner + chances.tie + chances.one_in) - chances.double


def players_key(players: int) -> str:
    """Return the key of a number of players among a paytable's edges.

    >>> players_key(5)
    'JOUEURS_5'
    """
    return f"JOUEURS_{players}"


PAYTABLES: dict[str, Paytable] = {
    "RAPPEL-AFFICHE": Paytable(
        gains={RAKE_PERCENT: RAKE},
        edges={players_key(players): bank_share(players) for players in range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1)},
    )
}
"""`RAPPEL-AFFICHE` is the notice: an entry fee as large as the ante, 10 % of the pot."""


def maxima(proposal: Proposal) -> dict[str, int]:
    """Return the most that one player may have on each spot, in cents: entry 2 B; R; a level of R and a raise each."""
    base, most = proposal.minimum, proposal.minimum * proposal.seats
    return {ENTRY: 2 * base, RAPPEL: most, BET: 2 * most}


def worst_gain(_: Paytable, proposal: Proposal) -> int:
    """Return the most that one seat can gain in one game, in cents: all that all the others can pay."""
    return (proposal.seats - 1) * sum(maxima(proposal).values())
