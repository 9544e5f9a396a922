"""The odds of Pair'e poker by laying every card on the table (art. 55-24).

Here a card is a number: 0 … 51 are thirteen ranks of four suits, 52 and 53 the jokers.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations

from tests.odds.returns import Returns, gathered

CARDS = range(54)
JOKERS = (52, 53)
NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R"]
RANKING = ["QUINTE_FLUSH", "BRELAN", "QUINTE", "COULEUR", "PAIRE", "RIEN"]

GAINS = {
    "PAIRE-MAISON-1": {
        "colour": 1,
        "rank": {1: 11, 2: 5, 3: 3, 4: 2},
        "joker": {1: 23, 2: 11, 3: 7, 4: 5},
        "pair": 210,
        "one joker": 11,
        "two jokers": 1250,
        "any pair": 15,
        "hand": {"QUINTE_FLUSH": 20, "BRELAN": 15, "QUINTE": 4, "COULEUR": 3},
    },
    "PAIRE-MAISON-2": {
        "colour": 1,
        "rank": {1: 12, 2: 5, 3: 3, 4: 2},
        "joker": {1: 25, 2: 11, 3: 7, 4: 5},
        "pair": 220,
        "one joker": 12,
        "two jokers": 1350,
        "any pair": 16,
        "hand": {"QUINTE_FLUSH": 20, "BRELAN": 15, "QUINTE": 5, "COULEUR": 3},
    },
}


@cache
def returns(paytable: str, wager: str) -> Returns:
    """Return what a spot gives back, deal by deal."""
    gains = (gain(paytable, wager, cards) for cards in deals(wager))
    return gathered((0 if to_one is None else to_one + 1, 1) for to_one in gains)


def deals(spot: str) -> Iterator[tuple[int, ...]]:
    """Yield every equally likely way in which the cards that decide a spot lie; a hand has no order."""
    if spot == "MAIN":
        return iter(combinations(CARDS, 3))
    return iter(permutations(CARDS, 2 if spot.startswith(("PAIRE_", "TOUTE")) else 1))


def gain(paytable: str, spot: str, cards: tuple[int, ...]) -> int | None:
    """Return what a spot pays to 1, None when it loses."""
    gains = GAINS[paytable]
    first, second = box(cards[0]), box(cards[1]) if len(cards) > 1 else ""
    if spot.startswith("COULEUR_"):
        red = cards[0] < 26
        wins = cards[0] not in JOKERS and red == (spot == "COULEUR_ROUGE")
        return _int(gains["colour"]) if wins else None
    if spot.startswith("VALEUR_"):
        values = spot.split("_", 1)[1].split("-")
        if first not in values:
            return None
        by_boxes = gains["joker" if first == "JOKER" else "rank"]
        assert isinstance(by_boxes, dict)
        return _int(by_boxes[len(values)])
    if spot == "MAIN":
        hands = gains["hand"]
        assert isinstance(hands, dict)
        to_one = hands.get(RANKING[best_hand(tuple(sorted(cards)))])
        return None if to_one is None else _int(to_one)
    jokers = [first, second].count("JOKER")
    kind, wins = {
        "TOUTE_PAIRE": ("any pair", first == second),
        "PAIRE_UN_JOKER": ("one joker", jokers == 1),
        "PAIRE_DEUX_JOKERS": ("two jokers", jokers == 2),
    }.get(spot, ("pair", first == second == spot.removeprefix("PAIRE_")))
    return _int(gains[kind]) if wins else None


def box(card: int) -> str:
    """Return the value of a card as the layout prints it."""
    return "JOKER" if card in JOKERS else NAMES[card % 13]


@cache
def best_hand(cards: tuple[int, ...]) -> int:
    """Return the best place over all cards that the jokers may stand for: any that are not there."""
    plain = tuple(card for card in cards if card < 52)
    missing = 3 - len(plain)
    if missing == 0:
        return plain_hand(cards)
    rest = [card for card in range(52) if card not in plain]
    return min(plain_hand(plain + filling) for filling in combinations(rest, missing))


def plain_hand(cards: tuple[int, ...]) -> int:
    """Return the place in the ranking of three cards without a joker."""
    low, middle, high = sorted(card % 13 for card in cards)
    flush = cards[0] // 13 == cards[1] // 13 == cards[2] // 13
    straight = (low + 1, low + 2) == (middle, high) or (low, middle, high) == (0, 11, 12)
    if straight and flush:
        return 0
    if low == high:
        return 1
    if straight:
        return 2
    if flush:
        return 3
    return 4 if middle in {low, high} else 5


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value
