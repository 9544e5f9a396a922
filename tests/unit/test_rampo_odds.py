"""The odds of Rampo by every throw of two dice (`tests/odds/exact`) are those of rules.md, and the rules pay them."""

from fractions import Fraction
from itertools import product

import pytest

from libs.games.rampo.paytables import PAYTABLES
from libs.games.rampo.settlement import settled
from libs.games.rampo.state import RampoState
from libs.kernel.game import Paid, Terms
from tests.odds.exact.rampo import COLOURS, GAINS, folded, returns, throws
from tests.odds.returns import chance, edge, gathered

# Copied by hand from rules.md section 2, not from the program.
PROBABILITIES = {2: (1, 36), 3: (1, 18), 4: (1, 12), 5: (1, 9), 6: (5, 36), 7: (1, 6)}
# edge never trying, cash in hand x stake, expected cash if tried (3 decimals), edge of the try, edge always trying (%)
EDGES = {
    ("RAMPO-ARR-2014", 2): ((5, 36), 31, "4.750", (105, 124), "86.81"),
    ("RAMPO-ARR-2014", 3): ((1, 9), 16, "2.278", (247, 288), "87.35"),
    ("RAMPO-ARR-2014", 4): ((1, 6), 10, "2.583", (89, 120), "78.47"),
    ("RAMPO-ARR-2014", 5): ((2, 9), 7, "2.556", (40, 63), "71.60"),
    ("RAMPO-ARR-2014", 6): ((1, 6), 6, "1.806", (151, 216), "74.92"),
    ("RAMPO-MAISON-1", 2): ((5, 36), 31, "27.806", (115, 1116), "22.76"),
    ("RAMPO-MAISON-1", 3): ((1, 9), 16, "15.056", (17, 288), "16.36"),
    ("RAMPO-MAISON-1", 4): ((1, 6), 10, "9.250", (3, 40), "22.92"),
    ("RAMPO-MAISON-1", 5): ((2, 9), 7, "6.556", (4, 63), "27.16"),
    ("RAMPO-MAISON-1", 6): ((1, 6), 6, "5.694", (11, 216), "20.91"),
    ("RAMPO-MAISON-2", 2): ((1, 18), 34, "31.972", (73, 1224), "11.19"),
    ("RAMPO-MAISON-2", 3): ((1, 18), 17, "16.167", (5, 102), "10.19"),
    ("RAMPO-MAISON-2", 4): ((1, 12), 11, "10.500", (1, 22), "12.50"),
    ("RAMPO-MAISON-2", 5): ((1, 9), 8, "7.667", (1, 24), "14.81"),
    ("RAMPO-MAISON-2", 6): ((1, 36), 7, "6.667", (1, 21), "7.41"),
}
# What the rampo would earn under the rule of 2014, where the first gain was safe.
EDGES_2014 = {2: "3.09", 3: "3.40", 4: "2.08", 5: "2.47", 6: "3.16"}
FAIR_REPEATS = {2: "1115.0", 3: "287.0", 4: "119.0", 5: "62.0", 6: "42.2"}
STAKE = 500


def decimals(value: Fraction, places: int) -> str:
    """Return a fraction rounded to so many decimals."""
    return f"{round(value * 10**places) / 10**places:.{places}f}"


def terms(paytable: str) -> Terms:
    """Return terms that hold the gains of a paytable; nothing else matters for settling."""
    return Terms(
        game="rampo",
        rules_version=1,
        paytable=paytable,
        gains=PAYTABLES[paytable].gains,
        edges={},
        minimum=STAKE,
        maxima={},
        seats=1,
        source="rng",
        betting_ms=1,
        decision_ms=1,
        options={},
    )


def credit(paid: tuple[Paid, ...]) -> int:
    """Return what the only wager is credited."""
    (line,) = paid
    return line.credit


def by_rules(paytable: str, spot: str, first: int, second: int | None) -> int:
    """Return what the rules credit for a stake: not tried, or tried and decided by a second throw."""
    if second is None:
        return credit(settled(terms(paytable), RampoState(), {1: {spot: STAKE}}, first, ()))
    zone = RampoState(zone_number=first, zone={1: STAKE})
    return credit(settled(terms(paytable), zone, {}, second, ()))


def of_stake(credits_: list[int], stake: int = STAKE) -> dict[Fraction, Fraction]:
    """Return the returns of equally likely credits for a stake."""
    return gathered((Fraction(credit, stake), 1) for credit in credits_)


@pytest.mark.parametrize(("number", "probability"), PROBABILITIES.items())
@pytest.mark.parametrize("paytable", GAINS)
def test_probability_of_a_number(number: int, probability: tuple[int, int], paytable: str) -> None:
    """Each number and its mirror image come as often as rules.md says."""
    for thrown in {number, 14 - number}:
        assert Fraction(*probability) == chance(returns(paytable, str(thrown)))


@pytest.mark.parametrize("paytable", GAINS)
@pytest.mark.parametrize("spot", COLOURS)
def test_edge_of_a_colour(paytable: str, spot: str) -> None:
    """Red, black, green and yellow keep 1/36 for the house, white 1/9, in every paytable."""
    found = returns(paytable, spot)
    assert (Fraction(2, 9) if spot == "BLANC" else Fraction(7, 36)) == chance(found)
    assert (Fraction(1, 9) if spot == "BLANC" else Fraction(1, 36)) == edge(found)
    assert edge(found) == PAYTABLES[paytable].edges[spot]
    assert found == of_stake([by_rules(paytable, spot, number, None) for number in throws()])


@pytest.mark.parametrize(("paytable", "number"), EDGES)
def test_edges_of_a_number(paytable: str, number: int) -> None:
    """Never trying, the try itself, and always trying: each edge is the one of rules.md, exactly."""
    never, in_hand, if_tried, try_edge, always = EDGES[paytable, number]
    for wanted in {number, 14 - number}:
        spot, key = str(wanted), f"RAMPO-{wanted}"
        assert {Fraction(0), Fraction(in_hand)} == returns(paytable, spot).keys()
        assert Fraction(*never) == edge(returns(paytable, spot)) == PAYTABLES[paytable].edges[spot]
        assert if_tried == decimals((1 - edge(returns(paytable, key))) * in_hand, 3)
        assert Fraction(*try_edge) == edge(returns(paytable, key)) == PAYTABLES[paytable].edges[key]
        assert always == decimals(edge(returns(paytable, f"{spot}+{key}")) * 100, 2)


@pytest.mark.parametrize(("paytable", "number"), EDGES)
def test_the_rules_pay_numbers_as_the_enumeration_does(paytable: str, number: int) -> None:
    """Over all throws and pairs of throws the rules give back the same amounts with the same chances."""
    for wanted in {number, 14 - number}:
        spot, key = str(wanted), f"RAMPO-{wanted}"
        assert returns(paytable, spot) == of_stake([by_rules(paytable, spot, first, None) for first in throws()])
        in_hand = by_rules(paytable, spot, wanted, None)
        tried = [by_rules(paytable, spot, wanted, second) for second in throws()]
        assert returns(paytable, key) == of_stake(tried, in_hand)
        pairs = product(throws(), repeat=2)
        credits_ = [by_rules(paytable, spot, first, second) if first == wanted else 0 for first, second in pairs]
        assert returns(paytable, f"{spot}+{key}") == of_stake(credits_)


@pytest.mark.parametrize("paytable", GAINS)
def test_edge_of_the_seven(paytable: str) -> None:
    """The 7 keeps 1/6 for the house and is never tried (RA4)."""
    assert Fraction(1, 6) == edge(returns(paytable, "7")) == PAYTABLES[paytable].edges["7"]
    assert returns(paytable, "7") == of_stake([by_rules(paytable, "7", thrown, None) for thrown in throws()])
    assert "RAMPO-7" not in PAYTABLES[paytable].gains


@pytest.mark.parametrize("number", EDGES_2014)
def test_what_the_paytable_of_2014_was_made_for(number: int) -> None:
    """With the first gain safe and only topped up by a repeat, the figures of 2014 give sensible edges."""
    single, rampo = GAINS["RAMPO-ARR-2014"][number]
    hit = Fraction(*PROBABILITIES[number])
    edge = 1 - hit * ((single + 1) * (1 - hit) + (rampo + 1) * hit)
    assert EDGES_2014[number] == decimals(edge * 100, 2)
    assert FAIR_REPEATS[number] == decimals((single + 1) / hit - 1, 1)


def test_every_gain_is_in_the_list_above() -> None:
    """The paytables hold the gains of rules.md and no others."""
    for name, gains in GAINS.items():
        wanted = {colour: 3 if colour == "BLANC" else 4 for colour in COLOURS}
        for number in range(2, 13):
            single, rampo = gains[folded(number)]
            wanted[str(number)] = single
            if rampo:
                wanted[f"RAMPO-{number}"] = rampo
        assert wanted == PAYTABLES[name].gains
        assert wanted.keys() == PAYTABLES[name].edges.keys()
    assert GAINS.keys() == PAYTABLES.keys()
