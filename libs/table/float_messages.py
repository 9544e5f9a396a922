"""Counting a float. How it is filled and relieved is in `libs.kernel.contracts.table`. Tags are the storage format."""

from typing import Annotated

import msgspec

from libs.kernel.limits import MAX_CENTS
from libs.kernel.messages import Command, Event


class CountFloat(Command, frozen=True, kw_only=True, tag="table.CountFloat"):
    """The croupier, the pit boss or a committee member has counted the float between two coups (art. 42, 49)."""

    counted: Annotated[int, msgspec.Meta(ge=0, le=MAX_CENTS)]
    """What lies there, in cents."""


class FloatCounted(Event, frozen=True, kw_only=True, tag="table.FloatCounted"):
    """Somebody has counted the float. A count stands when a second person counts the same; reports say if one does."""

    counted: int
    expected: int
    """What the log makes of it, in cents."""
    by: str
    role: str
