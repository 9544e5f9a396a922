"""The 54 cards: their codes, values, colours and words, and how four drawn numbers become four cards.

A card is written value and suit: `7C` (seven of hearts), `10T` (ten of clubs), `RP` (king of spades), `JOKER`. The two
jokers are alike.
"""

from collections.abc import Sequence

from libs.kernel.shuffle import choice_bounds, chosen

JOKER = "JOKER"

RANKS: tuple[str, ...] = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R")
"""The thirteen ordinary values in the printed order: as, 2 … 10, valet, dame, roi."""

VALUES: tuple[str, ...] = (*RANKS, JOKER)
"""The fourteen boxes of the first card. JOKER is a value of its own (PA1)."""

SUITS: tuple[str, ...] = ("C", "K", "P", "T")
"""Cœur, carreau, pique, trèfle."""

DECK: tuple[str, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), JOKER, JOKER)
"""The cards in the order of a new pack. Nothing depends on this order but what a drawn number means."""

DEAL_BOUNDS: tuple[int, ...] = choice_bounds(len(DECK), 4)
"""The burnt card and the three cards, drawn one after the other without replacement.

A draw of these bounds makes every ordered choice of four different cards equally likely, exactly as the top of a
complete shuffle of the 54 would (PA12). The order of the fifty cards that stay in the shoe decides nothing, so it is
not drawn: a draw is used, never discarded (law 9), and what was never drawn cannot leak.
"""

FACES: tuple[str, ...] = DECK[:-1]
"""What may stand on a card: value v of a card that people or a device record. A joker is a joker."""

_RANK_FR = {"A": "as", "V": "valet", "D": "dame", "R": "roi"}
_RANK_EN = {"A": "ace", "V": "jack", "D": "queen", "R": "king"}
_SUIT_FR = {"C": "cœur", "K": "carreau", "P": "pique", "T": "trèfle"}
_SIGNS = {"C": "♥", "K": "♦", "P": "♠", "T": "♣"}
_LETTERS_EN = {"V": "J", "D": "Q", "R": "K"}
_SUIT_EN = {"C": "hearts", "K": "diamonds", "P": "spades", "T": "clubs"}


def dealt(values: Sequence[int]) -> tuple[str, ...]:
    """Return the cards that drawn numbers stand for: each takes one card out of the pack that is left.

    >>> dealt((0, 0, 51, 50))
    ('AC', '2C', 'JOKER', 'JOKER')
    """
    return chosen(DECK, values)


def value_of(card: str) -> str:
    """Return the value of a card: one of the fourteen boxes.

    >>> value_of("10T"), value_of("JOKER")
    ('10', 'JOKER')
    """
    return card if card == JOKER else card[:-1]


def suit_of(card: str) -> str:
    """Return the suit of a card, empty for a joker."""
    return "" if card == JOKER else card[-1]


def colour_of(card: str) -> str:
    """Return `ROUGE` or `NOIR`; empty for a joker, which has neither colour (PA1).

    >>> colour_of("7K"), colour_of("7P"), colour_of("JOKER")
    ('ROUGE', 'NOIR', '')
    """
    return {"C": "ROUGE", "K": "ROUGE", "P": "NOIR", "T": "NOIR"}.get(suit_of(card), "")


def too_many(cards: Sequence[str]) -> str | None:
    """Return a card that occurs more often than in the pack, None when there is none.

    >>> too_many(("7C", "JOKER", "7C")), too_many(("JOKER", "7C", "JOKER"))
    ('7C', None)
    """
    return next((card for card in cards if cards.count(card) > DECK.count(card)), None)


def rank_fr(value: str) -> str:
    """Return a value in French words."""
    return "joker" if value == JOKER else _RANK_FR.get(value, value)


def rank_en(value: str) -> str:
    """Return a value in English words."""
    return "joker" if value == JOKER else _RANK_EN.get(value, value)


def card_fr(card: str) -> str:
    """Return a card in French words.

    >>> card_fr("RP"), card_fr("10C"), card_fr("JOKER")
    ('roi de pique', '10 de cœur', 'joker')
    """
    return "joker" if card == JOKER else f"{rank_fr(value_of(card))} de {_SUIT_FR[suit_of(card)]}"


def card_en(card: str) -> str:
    """Return a card in English words.

    >>> card_en("RP"), card_en("10C"), card_en("JOKER")
    ('king of spades', '10 of hearts', 'joker')
    """
    return "joker" if card == JOKER else f"{rank_en(value_of(card))} of {_SUIT_EN[suit_of(card)]}"


def sign_fr(card: str) -> str:
    """Return a card in as few signs as possible, with French letters.

    >>> sign_fr("RP"), sign_fr("10C"), sign_fr("JOKER")
    ('R♠', '10♥', 'joker')
    """
    return "joker" if card == JOKER else value_of(card) + _SIGNS[suit_of(card)]


def sign_en(card: str) -> str:
    """Return a card in as few signs as possible, with English letters.

    >>> sign_en("RP"), sign_en("10C"), sign_en("JOKER")
    ('K♠', '10♥', 'joker')
    """
    return "joker" if card == JOKER else _LETTERS_EN.get(value_of(card), value_of(card)) + _SIGNS[suit_of(card)]
