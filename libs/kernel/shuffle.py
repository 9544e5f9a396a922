"""Cards without replacement: a draw of bounds n, n-1, n-2 … is an ordered choice of different things, each as likely.

The first number says which of n things comes first, the second which of the n-1 left comes next, and so on. Rows of
numbers and orders correspond one to one: there are n·(n-1)·… of both, and no two rows choose alike. So if the numbers
are fair, the order is, and a duplicate cannot occur. All 54! orders of 54 cards are within reach.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def choice_bounds(things: int, wanted: int) -> tuple[int, ...]:
    """Return the bounds of a draw that chooses `wanted` of so many things, in order.

    The last of all things is no choice: a whole order of n things takes n-1 numbers.

    >>> choice_bounds(54, 4), choice_bounds(3, 3)
    ((54, 53, 52, 51), (3, 2))
    """
    return tuple(range(things, max(things - wanted, 1), -1))


def chosen(things: Sequence[T], values: Sequence[int]) -> tuple[T, ...]:
    """Return the things that a draw of `choice_bounds` chose, in order; with all of them chosen, the last one too.

    >>> chosen("ABC", (1, 1)), chosen("ABCD", (3, 0))
    (('B', 'C', 'A'), ('D', 'A'))
    """
    left = list(things)
    taken = [left.pop(value) for value in values]
    return (*taken, *left) if len(left) == 1 else tuple(taken)


def numbers_of(things: Sequence[T], order: Sequence[T]) -> tuple[int, ...]:
    """Return the one draw that chooses different things in this order: what `chosen` undoes.

    >>> numbers_of("ABC", "BCA")
    (1, 1)
    """
    left, values = list(things), []
    for thing in order[: len(things) - 1]:
        values.append(left.index(thing))
        del left[values[-1]]
    return tuple(values)
