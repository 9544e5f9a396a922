"""The odds of the Rappel by all dice (`tests/odds/exact`) are those of rules.md, and the rules pay them."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import floor

import pytest

from libs.games.rappel.paytables import PAYTABLES, Odds, odds
from libs.games.rappel.settlement import judge
from libs.games.rappel.state import Entrant, RappelState
from tests.kit.rappel import given_rappel
from tests.odds.exact.rappel import DICE, convolved, decided, distribution, returns
from tests.odds.returns import edge

PAYTABLE = "RAPPEL-AFFICHE"

# Copied by hand from rules.md section 5, not from the program.
SECOND_ROLL = (
    {0: Fraction(1, 20)}
    | dict.fromkeys(range(1, 7), Fraction(87, 800))
    | dict.fromkeys((7, 8), Fraction(181, 2400))
    | dict.fromkeys((9, 10), Fraction(53, 1200))
    | dict.fromkeys((11, 12), Fraction(23, 1200))
    | dict.fromkeys(range(13, 21), Fraction(1, 400))
)
EXACT_TWO = {
    "tie": Fraction(144361, 1920000),
    "double": Fraction(759, 160000),
    "all_ones": Fraction(7569, 640000),
    "one_in": Fraction(19, 200),
    "nobody": Fraction(1, 400),
}
PRINTED = {
    2: "81.0742 7.5188 0.4744 0.00063 1.1827 9.5000 0.25000 2.2154 55.38",
    3: "87.0273 11.1954 0.7463 0.00187 0.3060 0.7125 0.01250 3.2840 54.73",
    4: "85.7028 13.1955 0.9961 0.00374 0.0574 0.0475 0.00063 4.3583 54.48",
    5: "84.2229 14.5207 1.2438 0.00622 0.0097 0.0030 0.00003 5.4320 54.32",
    6: "83.0041 15.5035 1.4907 0.00931 0.0016 0.0002 0.00000 6.5017 54.18",
    7: "81.9869 16.2759 1.7369 0.01302 0.0003 0.0000 0.00000 7.5663 54.04",
    8: "81.1120 16.9054 1.9826 0.01733 0.0000 0.0000 0.00000 8.6255 53.91",
}
"""Clear winner, tie, double rappel, several 20s of it, all ones, one in, nobody in %; bank in B and in %."""
SHARES = {
    6: "36.72 17.55 9.31 5.24 3.07 1.85 1.14",
    8: "46.99 28.34 18.86 13.26 9.65 7.19 5.45",
    10: "55.54 38.79 29.58 23.65 19.46 16.33 13.90",
    12: "62.30 47.72 39.44 33.92 29.88 26.75 24.22",
    20: "76.98 67.84 62.48 58.78 55.98 53.73 51.84",
}
"""Expected share of the prize by die, for 2 to 8 players, in %."""
RAPPEL_VALUES = "10.48 12.21 13.97 15.70 17.39 19.03 20.61"
"""Expected credit of a rappel that everybody calls, in % of its stake, for 2 to 8 players."""


def recomputed(players: int) -> tuple[Odds, Fraction]:
    """Return all chances, and what the bank keeps in B, from the enumeration."""
    part = dict.fromkeys(Odds._fields, Fraction(0))
    for best, chance in convolved(players).items():
        part[decided(best)] += chance
        if decided(best) == "double" and best[2] > 1:
            part["several_20s"] += chance
    return Odds(**part), 2 * players * edge(returns(PAYTABLE, f"JOUEURS_{players}"))


def in_percent(part: Fraction, decimals: int) -> str:
    """Return a part in percent with so many decimals, rounded half up."""
    return plain(100 * part, decimals)


def plain(number: Fraction, decimals: int) -> str:
    """Return a number with so many decimals, rounded half up."""
    scaled = floor(number * 10**decimals + Fraction(1, 2))
    return f"{scaled // 10**decimals}.{scaled % 10**decimals:0{decimals}d}"


def test_jet_2_of_one_player() -> None:
    """The chance of each JET 2, as fractions: 87/800, 181/2400, 53/1200, 23/1200, 1/400, and 1/20 for out."""
    assert SECOND_ROLL == distribution()
    assert 1 == sum(SECOND_ROLL.values())


def test_double_rappel_of_one_player() -> None:
    """A 20 twice: 1/20 x 1/20 = 1/400 by the natural d20."""
    assert Fraction(1, 400) == Fraction(sum(1 for roll, die in DICE.items() if die == 20 and roll == 20), 20) / 20


@pytest.mark.parametrize("players", range(2, 9))
def test_the_odds_of_a_game(players: int) -> None:
    """The rules' own closed forms equal the convolution exactly, and both print as rules.md."""
    chances, bank = recomputed(players)
    assert chances == odds(players)
    several = ("winner", "tie", "double", "all_ones", "one_in", "nobody")
    assert 1 == sum(getattr(chances, name) for name in several)
    assert PAYTABLES[PAYTABLE].edges[f"JOUEURS_{players}"] == bank / (2 * players)
    printed = [in_percent(part, 4 if name not in {"several_20s", "nobody"} else 5) for name, part in _named(chances)]
    assert PRINTED[players].split() == [*printed, plain(bank, 4), in_percent(bank / (2 * players), 2)]


def _named(chances: Odds) -> Iterator[tuple[str, Fraction]]:
    return zip(Odds._fields, chances, strict=True)


def test_two_players_exactly() -> None:
    """With two players: tie 144361/1920000, double 759/160000, all ones 7569/640000, one in 19/200, nobody 1/400."""
    chances, _ = recomputed(2)
    assert EXACT_TWO == {name: getattr(chances, name) for name in EXACT_TWO}


def test_two_players_by_all_dice() -> None:
    """All 400 pairs of JET 1 and every pair of JET 2, judged by the rules, pay what the convolution says."""
    terms = given_rappel(2, base=10).state.terms
    assert terms is not None
    bank = Fraction(0)
    for first, second in product(DICE, repeat=2):
        faces = [range(1, DICE[roll] + 1) if DICE[roll] else (0,) for roll in (first, second)]
        part = Fraction(1, 400 * len(faces[0]) * len(faces[1]))
        for rolls in product(*faces):
            if first == second == 1 or 1 in {first, second}:
                rolls = (0, 0)  # noqa: PLW2901 - nobody rolls JET 2 alone
            entrants = {
                seat: Entrant(jet_1=jet_1, out=jet_1 == 1, jet_2=jet_2)
                for seat, jet_1, jet_2 in zip((1, 2), (first, second), rolls, strict=True)
            }
            bank += part * judge(terms, RappelState(base=10, entrants=entrants)).bank
    assert recomputed(2)[1] * 10 == bank


@pytest.mark.parametrize("die", SHARES)
def test_expected_share_by_die(die: int) -> None:
    """What part of the prize a die may expect against players whose JET 1 is unknown, all staying."""
    assert SHARES[die].split() == [in_percent(share(die, players - 1), 2) for players in range(2, 9)]


def share(die: int, others: int) -> Fraction:
    """Return the expected share of the prize: all of it for the highest or the last one in, a part of it in a tie."""
    found = Fraction(0)
    for ((inside, best, times), chance), roll in product(convolved(others).items(), range(1, die + 1)):
        if inside == 0 or roll > best:
            found += chance / die
        elif roll == best > 1:
            found += chance / die / (times + 1)
    return found


def test_value_of_a_rappel() -> None:
    """Never pays: 9 % of R when everybody passes after a success, 10.48 to 20.61 % when everybody calls."""
    found = [1 - edge(returns(PAYTABLE, f"JOUEURS_{players} RAPPEL called")) for players in range(2, 9)]
    assert RAPPEL_VALUES.split() == [in_percent(value, 2) for value in found]
    passed = {1 - edge(returns(PAYTABLE, f"JOUEURS_{players} RAPPEL passed")) for players in range(2, 9)}
    assert {Fraction(9, 100)} == passed


@pytest.mark.parametrize("players", range(2, 9))
def test_all_players_have_the_same_odds(players: int) -> None:
    """Of one entry the bank keeps on average what it keeps of all of them together."""
    of_all, of_one = (returns(PAYTABLE, f"JOUEURS_{players}{what}") for what in ("", " ENTREE"))
    assert edge(of_all) == edge(of_one)
