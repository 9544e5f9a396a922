"""What the RNG is asked and answers. A draw is made once for its id, recorded, and never made again (law 9)."""

from typing import Annotated, ClassVar

import msgspec

from libs.kernel.actors import Id
from libs.kernel.messages import Command, Event
from libs.kernel.refusals import Refusal

Bound = Annotated[int, msgspec.Meta(ge=2, le=1_000_000)]
"""Number of equally likely values of one draw: the value is in 0 … bound-1."""


UNHEALTHY = Refusal(
    code="rng.unhealthy",
    fr="Le générateur de nombres aléatoires ne passe pas ses contrôles : aucun tirage n'est fait, le coup attend.",
    en="The random number generator does not pass its health tests: no draw is made, the coup waits.",
)
"""The one refusal of a draw that does not last: whoever asked holds the coup and asks again."""


class RequestDraw(Command, frozen=True, kw_only=True, omit_defaults=True, tag="rng.RequestDraw"):
    """Ask for integers, one per bound. The same draw id always gets the same values.

    Defaults are left out on the wire: asked again by a newer table, an open draw is still the same request.
    """

    internal: ClassVar[bool] = True

    draw_id: Id
    bounds: Annotated[tuple[Bound, ...], msgspec.Meta(min_length=1, max_length=64)]
    sealed: bool = False
    """True for values that are not public yet (cards face down): the answer is `SealedDrawn`."""
    again: bool = False
    """True when the first request was refused with `UNHEALTHY`: this one is answered as soon as there are values."""


class Drawn(Event, frozen=True, kw_only=True, tag="rng.Drawn"):
    """The values of a draw: `values[i]` is uniform in 0 … `bounds[i]`-1."""

    draw_id: str
    bounds: tuple[int, ...]
    values: tuple[int, ...]


class SealedDrawn(Drawn, frozen=True, kw_only=True, tag="rng.SealedDrawn"):
    """The values of a sealed draw: in the RNG's log and in its answer to the asker, never on its feed (law 10)."""

    secret: ClassVar[bool] = True
    for_asker: ClassVar[bool] = True


class DrawsOpened(Event, frozen=True, kw_only=True, tag="rng.DrawsOpened"):
    """The first event of a volume of draws, with the draws of the volume before that may still be asked for again.

    Some of these may be sealed, so it stays off the feed.
    """

    opens_volume: ClassVar[bool] = True
    secret: ClassVar[bool] = True

    book: str
    remembered: tuple[Drawn | SealedDrawn, ...] = ()
