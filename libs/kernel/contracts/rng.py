"""What the RNG is asked and answers. A draw is made once for its id, recorded, and never made again (law 9)."""

from typing import Annotated, ClassVar

import msgspec

from libs.kernel.actors import Id
from libs.kernel.messages import Command, Event

Bound = Annotated[int, msgspec.Meta(ge=2, le=1_000_000)]
"""Number of equally likely values of one draw: the value is in 0 … bound-1."""


class RequestDraw(Command, frozen=True, kw_only=True, tag="rng.RequestDraw"):
    """Ask for integers, one per bound. The same draw id always gets the same values."""

    internal: ClassVar[bool] = True

    draw_id: Id
    bounds: Annotated[tuple[Bound, ...], msgspec.Meta(min_length=1, max_length=64)]


class Drawn(Event, frozen=True, kw_only=True, tag="rng.Drawn"):
    """The values of a draw: `values[i]` is uniform in 0 … `bounds[i]`-1."""

    draw_id: str
    bounds: tuple[int, ...]
    values: tuple[int, ...]


class DrawsOpened(Event, frozen=True, kw_only=True, tag="rng.DrawsOpened"):
    """The first event of a volume of draws, with the draws of the volume before that may still be asked for again."""

    opens_volume: ClassVar[bool] = True

    book: str
    remembered: tuple[Drawn, ...] = ()
