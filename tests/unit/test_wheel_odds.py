"""The odds of the wheel, recomputed by going round it: shares no code with the rules."""

from fractions import Fraction

import pytest

from libs.games.wheel.paytables import MAIN_SEGMENTS, PAYTABLES
from libs.games.wheel.rules import settle
from libs.kernel.game import Terms

# Copied by hand from the decree and from rules.md section 3, not from the program.
COLOURS = {"2": 24, "4": 12, "6": 8, "16": 3, "24": 2, "48": 1, "BONUS": 2}
INNER = ("5", "20", "50", "100", "250", "1000")
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


def credits_round_the_wheel(paytable: str, spot: str) -> list[tuple[Fraction, int]]:
    """Return (probability, credit) of a stake of 1 000 on a spot for every way the wheel can stop."""
    found = []
    for shows in MAIN_SEGMENTS:
        inners = INNER if shows == "BONUS" else (None,)
        for inner in inners:
            (paid,) = settle(terms(paytable), {1: {spot: STAKE}}, shows, inner).paid
            found.append((Fraction(1, 52) / len(inners), paid.credit))
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
    ways = credits_round_the_wheel(paytable, spot)
    assert Fraction(1) == sum(chance for chance, _ in ways)
    assert PROBABILITIES[spot] == sum(chance for chance, credit in ways if credit)
    edge = 1 - sum(chance * credit for chance, credit in ways) / STAKE
    assert EDGES[paytable][spot] == edge
    assert EDGES[paytable][spot] == PAYTABLES[paytable].edges[spot]


def test_the_letter_of_the_decree_loses_what_rules_md_says() -> None:
    """Expected net per 1 000 cents by the letter: +385, +154, +77, -19, -38, -58, +8173."""
    expected = {"2": 385, "4": 154, "6": 77, "16": -19, "24": -38, "48": -58, "BONUS": 8173}
    for spot, net in expected.items():
        ways = credits_round_the_wheel("ROUE-ARR-2024", spot)
        assert net == round(sum(chance * credit for chance, credit in ways) - STAKE)


def test_each_inner_segment_comes_once_in_156() -> None:
    """Each inner ratio has probability 1/156 overall, and their mean is 475/2."""
    assert Fraction(1, 156) == PROBABILITIES["BONUS"] / len(INNER)
    assert Fraction(475, 2) == Fraction(sum(map(int, INNER)), len(INNER))
