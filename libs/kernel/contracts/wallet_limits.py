"""Limits of players, and exclusions: wishes, the facts of their history, and what the ledger keeps of a player.

A tighter limit counts at once, a looser one after a cooling time (`libs.kernel.limits`). Periods are gaming days, and
weeks of gaming days from Monday on.
"""

from typing import Annotated, Literal

import msgspec

from libs.kernel.actors import Id
from libs.kernel.limits import MAX_CENTS, MAX_REASON_CHARS
from libs.kernel.messages import Command, Event

LimitKind = Literal["stake", "loss", "deposit"]
"""What is limited: all that is staked; what goes to tables and does not come back; what is brought to the cage."""

Period = Literal["day", "week"]


def key_of(kind: LimitKind, period: Period) -> str:
    """Return under which name a limit is kept, and goes from day to day.

    >>> key_of("stake", "day")
    'stake/day'
    """
    return f"{kind}/{period}"


ExclusionKind = Literal["self", "casino"]

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_REASON_CHARS)]

Until = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}$(?!\n)")]
"""The first gaming day on which the player may play again."""


# -- wishes -------------------------------------------------------------------------------------------------------
class SetLimit(Command, frozen=True, kw_only=True, tag="wallet.SetLimit"):
    """A player wants a limit for himself, another one, or none (`amount` null); the staff says it at his request."""

    player: Id
    kind: LimitKind
    period: Period
    amount: Annotated[int, msgspec.Meta(ge=0, le=MAX_CENTS)] | None


class ExcludeSelf(Command, frozen=True, kw_only=True, tag="wallet.ExcludeSelf"):
    """A player excludes himself from play, until a gaming day or for ever; the staff says it at his request."""

    player: Id
    until: Until | None = None


class ExcludePlayer(Command, frozen=True, kw_only=True, tag="wallet.ExcludePlayer"):
    """A committee member excludes a player, until a gaming day or without end; said again, it replaces the last."""

    player: Id
    reason: Reason
    until: Until | None = None


class LiftExclusion(Command, frozen=True, kw_only=True, tag="wallet.LiftExclusion"):
    """A committee member ends the casino's exclusion of a player; nobody ends a self-exclusion before its day."""

    player: Id
    reason: Reason


# -- facts --------------------------------------------------------------------------------------------------------
class LimitSet(Event, frozen=True, kw_only=True, tag="wallet.LimitSet"):
    """A limit counts from a gaming day on; until then the one before does. None is no limit. In cents."""

    player: str
    kind: LimitKind
    period: Period
    amount: int | None
    before: int | None
    """What counts on the day of the wish, until then."""
    day: str
    from_day: str
    by: str
    role: str


class PlayerExcluded(Event, frozen=True, kw_only=True, tag="wallet.PlayerExcluded"):
    """The player is excluded from play: by himself, or by the casino with a reason; None is for ever."""

    player: str
    kind: ExclusionKind
    until: str | None
    reason: str
    day: str
    by: str
    role: str


class ExclusionLifted(Event, frozen=True, kw_only=True, tag="wallet.ExclusionLifted"):
    """The casino's exclusion is over before its day."""

    player: str
    reason: str
    day: str
    by: str
    role: str


Change = LimitSet | PlayerExcluded | ExclusionLifted
"""The facts of the history of a player's limits and exclusions."""


class AllowanceDue(Event, frozen=True, kw_only=True, tag="wallet.AllowanceDue"):
    """A table is to be told what the player may still stake there; it is asked until it has answered."""

    player: str
    table: str
    pit: str
    number: int
    cents: int | None
    code: str
    under: str
    """The day and the limits that the cents follow from; empty when there are none to stake."""


class AllowanceHeard(Event, frozen=True, kw_only=True, tag="wallet.AllowanceHeard"):
    """The table has answered: what was staked there under earlier words, in cents by their number."""

    player: str
    table: str
    number: int
    staked: dict[int, int]
    gone: bool
    """True when the player has no seat there, and no buy-in on its way: the table need not be told any more."""


# -- what the ledger keeps of a player ----------------------------------------------------------------------------
class Flow(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a player has moved in a period, in cents."""

    deposited: int = 0
    at_risk: int = 0
    """Carried to tables less what came back, never below zero: what came back from before makes no room."""
    staked: int = 0
    """What tables have reported: only those of players with a limit of stakes count."""


class Limit(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A limit in cents, None for none; and the looser one that follows, from a gaming day on."""

    cents: int | None = None
    following: int | None = None
    from_day: str = ""
    """Empty when nothing follows."""


class Told(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A table where the player has bought chips, and the last word that it was, or is to be, told."""

    pit: str
    day: str
    """The gaming day of the last buy-in there."""
    number: int = 0
    """0 when it was told nothing."""
    cents: int | None = None
    code: str = ""
    under: str = ""
    heard: bool = True
    known: int = 0
    """What was staked under words up to this number is counted."""
    grants: dict[int, str] = {}
    """The gaming days of words that let something be staked, and are not counted yet."""


class Player(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What the ledger keeps of a player: what he has moved, his limits and exclusions, and the tables he is at."""

    as_of: str = ""
    """The gaming day of the figures below; on a later one those of the day, or also of the week, are over."""
    day: Flow = Flow()
    week: Flow = Flow()
    limits: dict[str, Limit] = {}
    """By kind and period, `stake/day`."""
    exclusions: dict[ExclusionKind, str | None] = {}
    """The first gaming day after each; None for ever."""
    history: tuple[Change, ...] = ()
    """The latest changes, oldest first."""
    tables: dict[str, Told] = {}
    last: str = ""
    """The table of the last buy-in: it alone has cents to stake under a limit."""
    words: int = 0
    """Words ever said to tables about this player."""
