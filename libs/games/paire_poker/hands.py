"""The hand of three cards, jokers wild (art. 55-24 2° b; PA5, PA6, PA7)."""

from collections.abc import Sequence

from libs.games.paire_poker.cards import JOKER, RANKS, suit_of, value_of

_RUNS: tuple[frozenset[str], ...] = tuple(
    frozenset(run) for run in zip(RANKS, RANKS[1:], (*RANKS[2:], RANKS[0]), strict=False)
)
"""The twelve runs of three values: A-2-3 … V-D-R, and D-R-A with the ace high; never R-A-2 (PA7)."""


def hand_of(cards: Sequence[str]) -> str:
    """Return the best hand that three cards make, each joker standing for whichever card is missing.

    With two wild jokers a straight flush is more frequent than three of a kind; it stays the best.

    >>> hand_of(("7C", "7K", "7P")), hand_of(("5C", "JOKER", "7C")), hand_of(("RC", "AP", "2K"))
    ('BRELAN', 'QUINTE_FLUSH', 'RIEN')
    """
    ordinary = [card for card in cards if card != JOKER]
    jokers = len(cards) - len(ordinary)
    if jokers == 2:
        return "QUINTE_FLUSH"
    ranks = {value_of(card) for card in ordinary}
    same_suit = len({suit_of(card) for card in ordinary}) == 1
    in_run = len(ranks) == len(ordinary) and any(ranks <= run for run in _RUNS)
    if in_run and same_suit:
        return "QUINTE_FLUSH"
    if len(ranks) == 1:
        return "BRELAN"
    if in_run:
        return "QUINTE"
    if same_suit:
        return "COULEUR"
    # A joker makes a pair with any card.
    return "PAIRE" if jokers or len(ranks) == 2 else "RIEN"
