"""What each wager is worth once its cards are turned (art. 55-24 2° c and 3°)."""

from collections.abc import Iterator, Mapping, Sequence

from libs.games.paire_poker.cards import JOKER, colour_of, value_of
from libs.games.paire_poker.hands import hand_of
from libs.games.paire_poker.layout import ANY_PAIR, COLOURS, DEUX_JOKERS, FORMS, HAND, PAIRS, UN_JOKER, values_of
from libs.games.paire_poker.messages import Collected
from libs.games.paire_poker.paytables import hand_key
from libs.kernel.game import Paid, Settle

Stakes = Mapping[int, Mapping[str, int]]
"""Stake per spot of every seat, in cents."""


def decided_by(spot: str) -> int:
    """Return the place of the card that decides a spot: 1 for colour and value, 2 for the pairs, 3 for the hand.

    >>> decided_by("COULEUR_NOIR"), decided_by("PAIRE_7"), decided_by("MAIN")
    (1, 2, 3)
    """
    if spot == HAND:
        return 3
    return 2 if spot == ANY_PAIR or spot in PAIRS else 1


def gain_to_one(gains: Mapping[str, int], spot: str, cards: Sequence[str]) -> int | None:
    """Return what a spot pays to 1 with these cards turned, None when it has lost. Every spot stands alone (PA10).

    >>> gains = {"CHEVAL": 5, "CHEVAL_JOKER": 11, "MAIN_QUINTE": 4}
    >>> [gain_to_one(gains, "VALEUR_R-JOKER", [card]) for card in ("RP", "JOKER", "DP")]
    [5, 11, None]
    >>> gain_to_one(gains, "MAIN", ["AP", "RC", "DK"]), gain_to_one(gains, "MAIN", ["9C", "9T", "4K"])
    (4, None)
    """
    if spot == HAND:
        return gains.get(hand_key(hand_of(cards)))
    if spot == ANY_PAIR or spot in PAIRS:
        return _gain_of_pair(gains, spot, value_of(cards[0]), value_of(cards[1]))
    if spot in COLOURS:
        return gains["COULEUR"] if spot == f"COULEUR_{colour_of(cards[0])}" else None
    values, value = values_of(spot), value_of(cards[0])
    if value not in values:
        return None
    form = FORMS[len(values) - 1]
    return gains[f"{form}_{JOKER}" if value == JOKER else form]


def _gain_of_pair(gains: Mapping[str, int], spot: str, first: str, second: str) -> int | None:
    """The joker is not wild here: it pairs with another joker, or on its own box with any card (PA2, PA3, PA4)."""
    if spot == ANY_PAIR:
        return gains[ANY_PAIR] if first == second else None
    if spot == DEUX_JOKERS:
        return gains["DEUX_JOKERS"] if first == second == JOKER else None
    if spot == UN_JOKER:
        return gains["UN_JOKER"] if (first == JOKER) != (second == JOKER) else None
    return gains["PAIRE"] if spot == f"PAIRE_{first}" and first == second else None


def collected(gains: Mapping[str, int], stakes: Stakes, cards: Sequence[str]) -> tuple[Collected, ...]:
    """Return the stakes that the last of the turned cards loses, in the order of the layout, seat by seat."""
    return tuple(
        Collected(seat, spot, stake)
        for seat, spot, stake in _in_order(stakes)
        if decided_by(spot) == len(cards) and gain_to_one(gains, spot, cards) is None
    )


def settle(gains: Mapping[str, int], stakes: Stakes, cards: Sequence[str]) -> Settle:
    """Pay the winners in the order of the cards: first card (colour, value), pair (value, any), hand."""
    paid = []
    for seat, spot, stake in _in_order(stakes):
        gain = gain_to_one(gains, spot, cards)
        paid.append(Paid(seat=seat, spot=spot, stake=stake, credit=0 if gain is None else stake * (gain + 1)))
    return Settle(outcome=f"{'-'.join(cards)}:{hand_of(cards)}", paid=tuple(paid))


def _in_order(stakes: Stakes) -> Iterator[tuple[int, str, int]]:
    """Yield seat, spot and stake in the order of collection and payment."""
    wagers = [(seat, spot, stake) for seat, on_spots in stakes.items() for spot, stake in on_spots.items()]

    def order(wager: tuple[int, str, int]) -> tuple[int, bool, bool, int]:
        seat, spot, _ = wager
        return decided_by(spot), spot not in COLOURS, spot == ANY_PAIR, seat

    yield from sorted(wagers, key=order)
