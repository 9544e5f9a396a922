"""Money is an integer number of cents. The only division of money in the system is here."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from libs.kernel.limits import MAX_CENTS

Cents = Annotated[int, msgspec.Meta(ge=-MAX_CENTS, le=MAX_CENTS)]
"""A signed amount of money in cents."""

PositiveCents = Annotated[int, msgspec.Meta(gt=0, le=MAX_CENTS)]
"""An amount of money above zero, in cents."""


def split(total: int, parts: int) -> tuple[int, ...]:
    """Split `total` cents into `parts` shares; the odd cents go one each to the first shares (rules.md GA20).

    >>> split(675, 2)
    (338, 337)
    """
    if total < 0 or parts < 1:
        raise ValueError(f"cannot split {total} cents into {parts} parts")
    share, odd = divmod(total, parts)
    return tuple(share + (1 if place < odd else 0) for place in range(parts))


def portion(total: int, numerator: int, denominator: int) -> int:
    """Return `total` x numerator / denominator in cents, rounded down (a rake is never more than its rate).

    >>> portion(11005, 1, 10)
    1100
    """
    if total < 0 or numerator < 0 or denominator < 1:
        raise ValueError(f"cannot take {numerator}/{denominator} of {total} cents")
    return total * numerator // denominator


def balanced(amounts: Sequence[int]) -> bool:
    """Tell whether the legs of a posting sum to zero (law 8)."""
    return sum(amounts) == 0
