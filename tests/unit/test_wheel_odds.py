"""The odds of the wheel by going round it (`tests/odds/exact`) are those of rules.md, and the rules pay them."""

from fractions import Fraction

import pytest

from libs.games.wheel.paytables import MAIN_SEGMENTS, PAYTABLES
from libs.games.wheel.rules import settle
from libs.kernel.game import Terms
from tests.odds.exact.wheel import COLOURS, INNER, returns
from tests.odds.returns import chance, edge, gathered

# Copied by hand from rules.md section 3, not from the program.
PROBABILITIES = {
    "2": Fraction(6, 13),
    "4": Fraction(3, 13),
    "6": Fraction(2, 13),
    "16": Fraction(3, 52),
    "24": Fraction(1, 26),
    "48": Fraction(1, 52),
    "BONUS": Fraction(1, 26),
}
EDGES = {
    "ROUE-ARR-2024": {
        "2": Fraction(-5, 13),
        "4": Fraction(-2, 13),
        "6": Fraction(-1, 13),
        "16": Fraction(1, 52),
        "24": Fraction(1, 26),
        "48": Fraction(3, 52),
        "BONUS": Fraction(-425, 52),
    },
    "ROUE-MAISON-1": {
        "2": Fraction(1, 13),
        "4": Fraction(1, 13),
        "6": Fraction(1, 13),
        "16": Fraction(1, 13),
        "24": Fraction(1, 13),
        "48": Fraction(1, 13),
        "BONUS": Fraction(5, 104),
    },
}
STAKE = 1_000


def terms(paytable: str) -> Terms:
    """Return terms that hold the gains of a paytable; nothing else matters for settling."""
    return Terms(
        game="wheel",
        rules_version=1,
        paytable=paytable,
        gains=PAYTABLES[paytable].gains,
        edges={},
        minimum=100,
        maxima={},
        seats=1,
        source="rng",
        betting_ms=1,
        decision_ms=1,
        options={},
    )


def by_rules(paytable: str, spot: str) -> list[tuple[Fraction, Fraction]]:
    """Return (return per unit staked, probability) by the rules for every way the wheel can stop."""
    found = []
    for shows in MAIN_SEGMENTS:
        inners = [str(ratio) for ratio in INNER] if shows == "BONUS" else [None]
        for inner in inners:
            (paid,) = settle(terms(paytable), {1: {spot: STAKE}}, shows, inner).paid
            found.append((Fraction(paid.credit, STAKE), Fraction(1, 52) / len(inners)))
    return found


def test_the_wheel_has_the_segments_of_the_decree() -> None:
    """52 segments: 24 twos, 12 fours, 8 sixes, 3 sixteens, 2 twenty-fours, 1 forty-eight, 2 Bonus."""
    assert COLOURS == {spot: MAIN_SEGMENTS.count(spot) for spot in COLOURS}
    assert 52 == len(MAIN_SEGMENTS)


def test_no_two_neighbours_are_alike() -> None:
    """The fixed layout never puts two equal segments side by side, not even across the top."""
    assert all(left != right for left, right in zip(MAIN_SEGMENTS, MAIN_SEGMENTS[1:] + MAIN_SEGMENTS[:1], strict=True))


@pytest.mark.parametrize("paytable", sorted(EDGES))
@pytest.mark.parametrize("spot", sorted(COLOURS))
def test_probability_and_edge(paytable: str, spot: str) -> None:
    """Going round the wheel gives the probability and the edge that rules.md prints, and that the opening shows."""
    found = returns(paytable, spot)
    assert PROBABILITIES[spot] == chance(found)
    assert EDGES[paytable][spot] == edge(found)
    assert EDGES[paytable][spot] == PAYTABLES[paytable].edges[spot]


@pytest.mark.parametrize("paytable", sorted(EDGES))
@pytest.mark.parametrize("spot", sorted(COLOURS))
def test_the_rules_pay_what_the_enumeration_pays(paytable: str, spot: str) -> None:
    """Over all segments of both wheels the rules give back the same amounts with the same chances."""
    assert returns(paytable, spot) == gathered(by_rules(paytable, spot))


def test_the_letter_of_the_decree_loses_what_rules_md_says() -> None:
    """Expected net per 1 000 cents by the letter: +385, +154, +77, -19, -38, -58, +8173."""
    expected = {"2": 385, "4": 154, "6": 77, "16": -19, "24": -38, "48": -58, "BONUS": 8173}
    assert expected == {spot: round(-1_000 * edge(returns("ROUE-ARR-2024", spot))) for spot in expected}


def test_each_inner_segment_comes_once_in_156() -> None:
    """Each inner ratio has probability 1/156 overall, and their mean is 475/2."""
    assert {Fraction(1, 156)} == {part for back, part in returns("ROUE-ARR-2024", "BONUS").items() if back}
    assert Fraction(475, 2) == Fraction(sum(INNER), len(INNER))
