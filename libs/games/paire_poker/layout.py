"""The layout: which boxes there are, and which of them one chip can touch (art. 55-24 1° b, 2° b; PA3, PA8).

The fourteen value boxes stand in one row of fourteen or in two rows of seven. A chip joins boxes when it touches every
one of them, so what may be joined follows from where the boxes stand:

    one row     A 2 3 4 5 6 7 8 9 10 V D R JOKER     2, 3 or 4 neighbours in line
    two rows    A 2 3  4 5 6 7                       2 or 3 neighbours in line, 2 one above the other,
                8 9 10 V D R JOKER                   4 around a corner
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from types import MappingProxyType

from libs.games.paire_poker.cards import JOKER, RANKS, VALUES

ROWS = (1, 2)
"""The two layouts of the value boxes: "alignées sur une ou deux rangées"."""

COLOURS: tuple[str, ...] = ("COULEUR_ROUGE", "COULEUR_NOIR")
UN_JOKER, DEUX_JOKERS = "PAIRE_UN_JOKER", "PAIRE_DEUX_JOKERS"
PAIRS: tuple[str, ...] = (*(f"PAIRE_{rank}" for rank in RANKS), UN_JOKER, DEUX_JOKERS)
"""The fifteen boxes of the pair: thirteen values, a joker with an ordinary card, the two jokers (PA3)."""

ANY_PAIR, HAND = "TOUTE_PAIRE", "MAIN"
OPTIONAL: frozenset[str] = frozenset({*PAIRS, ANY_PAIR, HAND})
"""Spots that a place may only have beside a main one (colour or value of the first card)."""

VALUE_PREFIX = "VALEUR_"
MOST_JOINED = 4

FORMS: tuple[str, ...] = ("PLEIN", "CHEVAL", "TRANSVERSALE", "CARRE")
"""What a chip on one, two, three or four value boxes is called."""


def value_spot(values: tuple[str, ...]) -> str:
    """Return the spot of values in the printed order.

    >>> value_spot(("R", "JOKER"))
    'VALEUR_R-JOKER'
    """
    return VALUE_PREFIX + "-".join(values)


def values_of(spot: str) -> tuple[str, ...]:
    """Return the values that a value spot covers; nothing for any other spot.

    >>> values_of("VALEUR_5-6-7-8"), values_of("MAIN")
    (('5', '6', '7', '8'), ())
    """
    return tuple(spot.removeprefix(VALUE_PREFIX).split("-")) if spot.startswith(VALUE_PREFIX) else ()


@cache
def value_spots(rows: int) -> Mapping[str, str]:
    """Return the form of every value spot of a layout, in the order of the layout: pleins first, carrés last.

    >>> one, two = value_spots(1), value_spots(2)
    >>> one["VALEUR_7-8"], "VALEUR_7-8" in two, "VALEUR_A-8" in one, two["VALEUR_A-8"], two["VALEUR_A-2-8-9"]
    ('CHEVAL', False, False, 'CHEVAL', 'CARRE')
    """
    found = {value_spot(values): FORMS[len(values) - 1] for values in _touchable(rows)}
    return MappingProxyType({spot: form for name in FORMS for spot, form in found.items() if form == name})


@cache
def spots(rows: int) -> tuple[str, ...]:
    """Return every spot of a layout, in its order: colours, values, pairs, any pair, hand."""
    return (*COLOURS, *value_spots(rows), *PAIRS, ANY_PAIR, HAND)


def chance(rows: int, spot: str) -> str:
    """Return the chance that a spot is: spots of one chance pay the same, have the same limit and the same edge.

    >>> [chance(1, spot) for spot in ("COULEUR_NOIR", "VALEUR_7", "VALEUR_R-JOKER", "PAIRE_7", "PAIRE_UN_JOKER")]
    ['COULEUR', 'PLEIN', 'CHEVAL_JOKER', 'PAIRE', 'UN_JOKER']
    """
    if spot in COLOURS:
        return "COULEUR"
    form = value_spots(rows).get(spot)
    if form is not None:
        return f"{form}_{JOKER}" if JOKER in values_of(spot) else form
    if spot in {UN_JOKER, DEUX_JOKERS}:
        return spot.removeprefix("PAIRE_")
    return "PAIRE" if spot in PAIRS else spot


def _touchable(rows: int) -> Iterator[tuple[str, ...]]:
    """Yield the values under one chip, for every point of the layout where a chip can lie."""
    columns = len(VALUES) // rows
    # A chip covers `high` x `wide` boxes: one high in line; two high only where there are two rows.
    for high, wide in ((1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2)):
        if high > rows or (rows == 2 and wide == MOST_JOINED):
            continue
        for row, column in product(range(rows - high + 1), range(columns - wide + 1)):
            boxes = product(range(row, row + high), range(column, column + wide))
            yield tuple(VALUES[box_row * columns + box_column] for box_row, box_column in boxes)
