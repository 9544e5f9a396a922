"""The odds of Pair'e poker by laying every card (`tests/odds/exact`) are those of rules.md, and the rules pay them.

The figures of rules.md are copied by hand. Only `translated` knows how the rules write a card.
"""

from collections import Counter
from fractions import Fraction

import pytest

from libs.games.paire_poker.hands import hand_of
from libs.games.paire_poker.layout import spots
from libs.games.paire_poker.paytables import PAYTABLES
from libs.games.paire_poker.settlement import decided_by, gain_to_one
from tests.odds.exact.paire_poker import GAINS, JOKERS, NAMES, RANKING, best_hand, deals, gain, returns
from tests.odds.returns import chance, edge

# Probability of winning, and the two printed edges in hundredths of a percent.
PRINTED = {
    "COULEUR_ROUGE": (Fraction(13, 27), 370, 370),
    "COULEUR_NOIR": (Fraction(13, 27), 370, 370),
    "plein": (Fraction(2, 27), 1111, 370),
    "plein with joker": (Fraction(1, 27), 1111, 370),
    "cheval": (Fraction(4, 27), 1111, 1111),
    "cheval with joker": (Fraction(1, 9), 1111, 1111),
    "transversale": (Fraction(2, 9), 1111, 1111),
    "transversale with joker": (Fraction(5, 27), 1111, 1111),
    "carré": (Fraction(8, 27), 1111, 1111),
    "carré with joker": (Fraction(7, 27), 1111, 1111),
    "PAIRE": (Fraction(2, 477), 1153, 734),
    "PAIRE_UN_JOKER": (Fraction(104, 1431), 1279, 552),
    "PAIRE_DEUX_JOKERS": (Fraction(1, 1431), 1258, 559),
    "TOUTE_PAIRE": (Fraction(79, 1431), 1167, 615),
    "MAIN": (Fraction(93, 689), 1006, 474),
}

HAND_COUNTS = {"QUINTE_FLUSH": 300, "BRELAN": 208, "QUINTE": 1_320, "COULEUR": 1_520, "PAIRE": 5_016, "RIEN": 16_440}
BY_JOKERS = {
    "QUINTE_FLUSH": (48, 200, 52),
    "BRELAN": (52, 156, 0),
    "QUINTE": (720, 600, 0),
    "COULEUR": (1_096, 424, 0),
    "PAIRE": (3_744, 1_272, 0),
}
HAND_CHANCES = {
    "QUINTE_FLUSH": Fraction(25, 2_067),
    "BRELAN": Fraction(4, 477),
    "QUINTE": Fraction(110, 2_067),
    "COULEUR": Fraction(380, 6_201),
    "PAIRE": Fraction(418, 2_067),
    "RIEN": Fraction(1_370, 2_067),
}


def printed_as(spot: str) -> str:
    """Return which line of rules.md a spot belongs to."""
    if spot.startswith("VALEUR_"):
        values = spot.split("_", 1)[1].split("-")
        form = ["plein", "cheval", "transversale", "carré"][len(values) - 1]
        return f"{form} with joker" if "JOKER" in values else form
    return spot if spot in PRINTED else "PAIRE"


def translated(cards: tuple[int, ...]) -> tuple[str, ...]:
    """Return cards as the rules write them."""
    return tuple("JOKER" if card in JOKERS else NAMES[card % 13] + "CKPT"[card // 13] for card in cards)


ALL_SPOTS = sorted({*spots(1), *spots(2)})


# -- the tests ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("paytable", sorted(GAINS))
@pytest.mark.parametrize("spot", ALL_SPOTS)
def test_probability_and_edge(paytable: str, spot: str) -> None:
    """Laying every card gives the probability and the edge that rules.md prints, and that the opening shows."""
    found = returns(paytable, spot)
    expected, *edges = PRINTED[printed_as(spot)]
    assert expected == chance(found)
    assert edges[sorted(GAINS).index(paytable)] == round(edge(found) * 10_000)
    assert edge(found) == PAYTABLES[paytable].edges[_chance(spot)]


def _chance(spot: str) -> str:
    """Return the key of a spot's edge, as the opening of a session shows it."""
    line = printed_as(spot)
    if line.startswith("COULEUR_"):
        return "COULEUR"
    if line.startswith("PAIRE_"):
        return line.removeprefix("PAIRE_")
    return line.upper().replace("É", "E").replace(" WITH JOKER", "_JOKER")


@pytest.mark.parametrize("paytable", sorted(GAINS))
@pytest.mark.parametrize("spot", ALL_SPOTS)
def test_the_rules_pay_what_the_oracle_pays(paytable: str, spot: str) -> None:
    """For every way the deciding cards can lie, the rules pay a spot exactly what the oracle pays it."""
    gains = PAYTABLES[paytable].gains
    for cards in deals(spot):
        assert decided_by(spot) == len(cards)
        assert gain(paytable, spot, cards) == gain_to_one(gains, spot, translated(cards))


def test_every_hand_is_counted() -> None:
    """The 24 804 hands fall into the six kinds as rules.md counts them, also by the jokers they use."""
    counted = Counter((RANKING[best_hand(cards)], sum(card in JOKERS for card in cards)) for cards in deals("MAIN"))
    assert 24_804 == counted.total()
    assert HAND_COUNTS == {hand: sum(counted[hand, jokers] for jokers in range(3)) for hand in RANKING}
    assert HAND_CHANCES == {hand: Fraction(count, 24_804) for hand, count in HAND_COUNTS.items()}
    assert BY_JOKERS == {hand: tuple(counted[hand, jokers] for jokers in range(3)) for hand in BY_JOKERS}


def test_the_rules_name_every_hand_as_the_oracle_does() -> None:
    """Substituting each joker by every missing card gives the hand that the rules give, for all 24 804 hands."""
    wrong = [cards for cards in deals("MAIN") if RANKING[best_hand(cards)] != hand_of(translated(cards))]
    assert [] == wrong


def test_the_design_of_the_value_bets() -> None:
    """In `PAIRE-MAISON-1` every bet on values has the same edge, 1/9, as 12 or 24 come back on each box."""
    values = [spot for spot in ALL_SPOTS if spot.startswith("VALEUR_")]
    assert {Fraction(1, 9)} == {PAYTABLES["PAIRE-MAISON-1"].edges[_chance(spot)] for spot in values}


def test_why_not_the_pair_plus_table() -> None:
    """The table of art. 55-21 (1/3/6/30/40) would give back 177.79 % on this deck; a pair at 1 to 1 alone over 40 %."""
    old = {"PAIRE": 1, "COULEUR": 3, "QUINTE": 6, "BRELAN": 30, "QUINTE_FLUSH": 40}
    returned = Fraction(sum(HAND_COUNTS[hand] * (gain + 1) for hand, gain in old.items()), 24_804)
    assert 17_779 == round(returned * 10_000)
    assert Fraction(2 * HAND_COUNTS["PAIRE"], 24_804) > Fraction(40, 100)
