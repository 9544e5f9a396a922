"""The two paytables, the limits and the exact house edge of every chance (rules.md section 4).

Article 55-24 names the tables a to e without printing them: all figures are house defaults. Gains are *to* 1. A chip on
n value boxes behaves like n equal chips, one per box, and a joker is half as likely as a value, so a chip that covers
the JOKER box pays by its `…_JOKER` gain when a joker comes, else by the gain of its form (PA9).
"""

from collections.abc import Mapping
from fractions import Fraction

from libs.games.paire_poker.cards import DECK, JOKER, RANKS, VALUES
from libs.games.paire_poker.layout import (
    ANY_PAIR,
    COLOURS,
    DEUX_JOKERS,
    FORMS,
    HAND,
    UN_JOKER,
    chance,
    spots,
    value_spots,
    values_of,
)
from libs.kernel.game import Paytable, Proposal

PAID_HANDS: tuple[str, ...] = ("QUINTE_FLUSH", "BRELAN", "QUINTE", "COULEUR")
"""Hands that win; a pair loses, because any hand with a joker is at least one (PA5)."""

_HAND_COUNTS = {"QUINTE_FLUSH": 300, "BRELAN": 208, "QUINTE": 1_320, "COULEUR": 1_520}
_HANDS_IN_ALL = 24_804
"""How many of the 24 804 choices of three cards make each hand, jokers wild; the tests count them again."""

_FORM_MAXIMA = {"PLEIN": 30, "CHEVAL": 60, "TRANSVERSALE": 100, "CARRE": 120}

MAXIMUM_TIMES_MINIMUM: dict[str, int] = {
    "COULEUR": 200,
    **_FORM_MAXIMA,
    **{f"{form}_{JOKER}": times for form, times in _FORM_MAXIMA.items()},
    "PAIRE": 5,
    "UN_JOKER": 5,
    "DEUX_JOKERS": 1,
    ANY_PAIR: 25,
    HAND: 25,
}
"""Most that one player may have on a spot of each chance, in multiples of the minimum (house default, art. 53)."""

MINIMUM_FLOAT_TIMES_MINIMUM = 3_000
"""Least float of a table, in multiples of the minimum (three-card poker, art. 49 by analogy)."""


def hand_key(hand: str) -> str:
    """Return the key of a hand in a paytable's gains.

    >>> hand_key("BRELAN")
    'MAIN_BRELAN'
    """
    return f"{HAND}_{hand}"


def edges(gains: Mapping[str, int]) -> dict[str, Fraction]:
    """Return the exact house edge of every chance, from how many cards, pairs and hands win."""
    cards, pairs = len(DECK), len(DECK) * (len(DECK) - 1)
    suits, jokers, ranks = 4, 2, len(RANKS)
    returned = {"COULEUR": Fraction(2 * ranks * (gains["COULEUR"] + 1), cards)}
    for boxes, form in enumerate(FORMS, start=1):
        each, joker = suits * (gains[form] + 1), jokers * (gains[f"{form}_{JOKER}"] + 1)
        returned[form] = Fraction(boxes * each, cards)
        returned[f"{form}_{JOKER}"] = Fraction((boxes - 1) * each + joker, cards)
    same, two = suits * (suits - 1), jokers * (jokers - 1)
    returned["PAIRE"] = Fraction(same * (gains["PAIRE"] + 1), pairs)
    returned["UN_JOKER"] = Fraction(2 * jokers * ranks * suits * (gains["UN_JOKER"] + 1), pairs)
    returned["DEUX_JOKERS"] = Fraction(two * (gains["DEUX_JOKERS"] + 1), pairs)
    returned[ANY_PAIR] = Fraction((ranks * same + two) * (gains[ANY_PAIR] + 1), pairs)
    paid = sum(_HAND_COUNTS[hand] * (gains[hand_key(hand)] + 1) for hand in PAID_HANDS)
    returned[HAND] = Fraction(paid, _HANDS_IN_ALL)
    return {name: 1 - back for name, back in returned.items()}


def _paytable(
    forms: tuple[int, ...], jokers: tuple[int, ...], pairs: tuple[int, int, int], any_pair: int, hands: tuple[int, ...]
) -> Paytable:
    """Return a paytable from the figures of rules.md, each tuple in the printed order."""
    gains = {"COULEUR": 1}
    gains |= dict(zip(FORMS, forms, strict=True))
    gains |= {f"{form}_{JOKER}": gain for form, gain in zip(FORMS, jokers, strict=True)}
    gains |= dict(zip(("PAIRE", "UN_JOKER", "DEUX_JOKERS"), pairs, strict=True))
    gains[ANY_PAIR] = any_pair
    gains |= {hand_key(hand): gain for hand, gain in zip(PAID_HANDS, hands, strict=True)}
    return Paytable(gains=gains, edges=edges(gains))


PAYTABLES: dict[str, Paytable] = {
    "PAIRE-MAISON-1": _paytable((11, 5, 3, 2), (23, 11, 7, 5), (210, 11, 1_250), 15, (20, 15, 4, 3)),
    "PAIRE-MAISON-2": _paytable((12, 5, 3, 2), (25, 11, 7, 5), (220, 12, 1_350), 16, (20, 15, 5, 3)),
}
"""Both are house defaults; there is no default between them."""


def rows_of(options: Mapping[str, int]) -> int:
    """Return in how many rows the value boxes stand: option `value_rows`, one row when it is not given (PA8)."""
    return options.get("value_rows", 1)


def maxima(proposal: Proposal) -> dict[str, int]:
    """Return the most that one player may have on each spot, in cents; the keys are the spots of the layout."""
    rows = rows_of(proposal.options)
    return {spot: MAXIMUM_TIMES_MINIMUM[chance(rows, spot)] * proposal.minimum for spot in spots(rows)}


def worst_gain(paytable: Paytable, proposal: Proposal) -> int:
    """Return a bound of what one seat can gain in one coup, in cents: the maximum on everything that wins together."""
    gains, most = paytable.gains, maxima(proposal)
    forms = value_spots(rows_of(proposal.options))
    best_hand = max(gains[hand_key(hand)] for hand in PAID_HANDS) * most[HAND]
    any_pair = gains[ANY_PAIR] * most[ANY_PAIR]
    with_joker = gains["UN_JOKER"] * most[UN_JOKER]

    def first_card(value: str) -> int:
        suffix = f"_{JOKER}" if value == JOKER else ""
        on_value = sum(gains[form + suffix] * most[spot] for spot, form in forms.items() if value in values_of(spot))
        pair, name = (DEUX_JOKERS, "DEUX_JOKERS") if value == JOKER else (f"PAIRE_{value}", "PAIRE")
        colour = 0 if value == JOKER else gains["COULEUR"] * most[COLOURS[0]]
        return colour + on_value + max(gains[name] * most[pair] + any_pair, with_joker)

    return max(first_card(value) for value in VALUES) + best_hand
