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
    seeded: bool = False
    """True when the values must follow from the coup's seed; they do whenever the coup has one."""


class CommitSeed(Command, frozen=True, kw_only=True, omit_defaults=True, tag="rng.CommitSeed"):
    """Ask for the commitment to the seed of a coup, before its betting opens. Made once for its id, for ever."""

    internal: ClassVar[bool] = True

    seed_id: Id
    again: bool = False
    """True when the first request was refused: this one is answered as soon as it can be granted."""


class RevealSeed(Command, frozen=True, kw_only=True, tag="rng.RevealSeed"):
    """Ask for the seed itself, after its coup: from then on no draw is made of it."""

    internal: ClassVar[bool] = True

    seed_id: Id


class Drawn(Event, frozen=True, kw_only=True, tag="rng.Drawn"):
    """The values of a draw: `values[i]` is uniform in 0 … `bounds[i]`-1."""

    draw_id: str
    bounds: tuple[int, ...]
    values: tuple[int, ...]


class SealedDrawn(Drawn, frozen=True, kw_only=True, tag="rng.SealedDrawn"):
    """The values of a sealed draw: in the RNG's log and in its answer to the asker, never on its feed (law 10)."""

    secret: ClassVar[bool] = True
    for_asker: ClassVar[bool] = True


class SeedSealed(Event, frozen=True, kw_only=True, tag="rng.SeedSealed"):
    """A fresh seed, encrypted for this log: whoever has the key can go on with the coup (`libs.runtime.seals`)."""

    secret: ClassVar[bool] = True

    seed_id: str
    commitment: str
    sealed: str


class SeedCommitted(Event, frozen=True, kw_only=True, tag="rng.SeedCommitted"):
    """All draws of a coup will follow from the one seed that this commitment fits (`libs.kernel.seeds`)."""

    seed_id: str
    commitment: str


class SeedRevealed(Event, frozen=True, kw_only=True, tag="rng.SeedRevealed"):
    """The seed of a coup that is over, as 64 hex digits: everybody can make its draws again."""

    seed_id: str
    seed: str


class SeedGivenUp(Event, frozen=True, kw_only=True, tag="rng.SeedGivenUp"):
    """No key opens this seed, and the operator has said so: it is never drawn from and never revealed."""

    seed_id: str


class DrawsOpened(Event, frozen=True, kw_only=True, tag="rng.DrawsOpened"):
    """The first event of a volume of draws, with the draws of the volume before that may still be asked for again.

    Some of these may be sealed, so it stays off the feed.
    """

    opens_volume: ClassVar[bool] = True
    secret: ClassVar[bool] = True

    book: str
    remembered: tuple[Drawn | SealedDrawn, ...] = ()
    seeds: tuple[SeedSealed | SeedRevealed | SeedGivenUp, ...] = ()
    """Seeds of these draws' coups, as they are now."""
