"""The decider: four pure things that make a stream (see docs/architecture.md).

`decide` computes, the event records, `evolve` only applies; `react` tells what the state still waits for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.messages import Command, Event
from libs.kernel.refusals import Refusal

S = TypeVar("S")


class Chance(msgspec.Struct, frozen=True, gc=False):
    """What the runtime hands to one decision of the RNG: everything else of the house decides without chance."""

    entropy: bytes = b""
    """Fresh random bytes; empty while nothing may be drawn."""
    sealed: str = ""
    """The same bytes encrypted for the log, when they are to be the seed of a coup."""
    seed: bytes = b""
    """The opened seed of the coup that the command is about; empty when it has none or it cannot be opened."""

    def __repr__(self) -> str:
        """Say nothing of what is inside: this may end up in a crash report."""
        return "Chance(…)"


NO_CHANCE = Chance()


class Context(msgspec.Struct, frozen=True, gc=False):
    """What a decision may know besides the state and the command: time, speaker and chance arrive as data (law 2)."""

    now_ms: int
    """Time of the decision, milliseconds since 1970-01-01 UTC, by the owner's clock."""
    actor: Actor
    command_id: str
    book: str
    """The book that the command is addressed to (a table, the ledger, the draws)."""
    chance: Chance = NO_CHANCE
    """Given to the RNG's decider alone; empty for all others."""
    shard: str = ""
    """The shard that owns the book: a table learns here which pit it is in."""


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """The rules said yes: new facts, possibly none."""

    events: tuple[Event, ...] = ()


class Already(msgspec.Struct, frozen=True, gc=False):
    """The same wish was granted before: these are the facts of that time, nothing new is logged (law 4)."""

    events: tuple[Event, ...] = ()


class Refused(msgspec.Struct, frozen=True, gc=False):
    """The rules said no, and the no is itself a fact: its sender gets the same answer for ever (law 4, money)."""

    refusal: Refusal
    events: tuple[Event, ...]


class NotYet(msgspec.Struct, frozen=True, gc=False):
    """Neither yes nor no for now: no answer is given or remembered, the sender's `react` will ask again."""

    reason: str


Decision = Accepted | Already | NotYet | Refused | Refusal
"""What `decide` returns."""


class Outgoing(msgspec.Struct, frozen=True, gc=False):
    """A command that a state owes to another book; sent again until the state no longer owes it."""

    command_id: str
    """The same for the same debt, for ever: the receiver does it once."""
    shard: str
    book: str
    command: Command
    actor: Actor = SYSTEM


@dataclass(frozen=True, slots=True)
class Decider(Generic[S]):
    """One kind of stream: its messages and its four pure functions.

    A *book* is what commands are addressed to (`T1`); its *volumes* are the streams (`T1/4`: the fourth session).
    An event with `opens_volume` starts the next volume from `initial(book)`, so no reader needs an older one; or,
    where `whole` is given, from the last state of the volume before.
    """

    commands: frozenset[type[Command]]
    events: frozenset[type[Event]]
    initial: Callable[[str], S]
    decide: Callable[[S, Command, Context], Decision]
    evolve: Callable[[S, Event], S]
    react: Callable[[S], Sequence[Outgoing]]
    deadline: Callable[[S], int | None]
    """The next time at which the state wants a `Tick`, in ms since 1970, or None."""
    remembers: frozenset[type[Command]] = frozenset()
    """Commands of people whose ids `decide` itself recognises for ever; those of all others must carry their moment."""
    whole: Callable[[S], bool] | None = None
    """For books that bring much forward in pieces while they go on: tells whether the volume holds it all by now.

    Until then whoever folds the volume begins with the last state of the one before; from then on the volume alone
    makes the same state, to the byte.
    """
