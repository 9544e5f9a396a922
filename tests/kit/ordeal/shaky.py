"""An event log as a process meets it that dies, freezes and loses its connection at any step of its loop."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

import msgspec

from libs.eventlog.api import (
    AppendResult,
    AppendUnknown,
    Batch,
    EventLogUnavailable,
    FeedPage,
    Fenced,
    Head,
    Held,
    Owned,
)
from tests.kit.ordeal.watched import WatchedLog

T = TypeVar("T")

CALLS = ("acquire", "load", "feed_tail", "read_inbox", "attempt", "append", "append of a tick", "send", "release")
POINTS = (*(f"{when} {call}" for call in CALLS for when in ("before", "after")), "amid send")
"""The step boundaries of a shard's loop: a process has nothing of its own but what it does between two of them.

`before append` is after a decision and before its append; `after append` is before anybody is told of it.
"""

LATENCY_S = 0.001
"""Longest way of a call to the log, in seconds."""

TROUBLES = (
    "append late",
    "append lost",
    "append unheard",
    "freeze",
    "log away",
    "send broken off",
    "stop in order",
    "take-over forgotten",
)
"""What goes wrong besides kills."""

FREEZES = ("after read_inbox", "before append", "before append of a tick")
"""Where a process freezes: it wakes up with a decision in hand that another owner may have made meanwhile."""


class Killed(BaseException):
    """The process is dead: nothing that it still does has any effect."""


class Life:
    """One process from its start to its end."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ended = asyncio.Event()
        self.frozen_until_s = 0.0

    def end(self) -> None:
        """Kill -9."""
        self.ended.set()


@dataclass
class Trouble:
    """What goes wrong, drawn from a seed: kills at chosen boundaries, freezes, lost and late messages."""

    chance: Random
    rarely: float
    """The share of calls in which each thing goes wrong with the connection."""
    over: bool = False
    """True at the end of the run: nothing goes wrong any more."""
    kills: Counter[str] = field(default_factory=Counter)
    """By boundary."""
    met: Counter[str] = field(default_factory=Counter)
    """What else went wrong, and how often."""
    armed: set[str] = field(default_factory=set)
    """Boundaries at which the next process that comes by dies."""
    freezing: Counter[str] = field(default_factory=Counter)
    """Boundaries at which so many of the next processes that come by freeze."""
    _deck: list[str] = field(default_factory=list)

    def arm(self) -> None:
        """Choose the next boundary from a shuffled deck, so that each one's turn comes."""
        if not self._deck:
            self._deck = self.chance.sample(POINTS, len(POINTS))
        self.armed.add(self._deck.pop())

    def strikes(self, what: str, times: float = 1) -> bool:
        """Tell whether something goes wrong now, and count it; some things go wrong so many times as often."""
        if self.over or self.chance.random() >= self.rarely * times:
            return False
        self.met[what] += 1
        return True


class ShakyLog:
    """A process's own handle on the log of all: as much of `EventLog` as an owner uses. Each call may be the last."""

    def __init__(self, log: WatchedLog, life: Life, trouble: Trouble) -> None:
        self._log, self._life, self._trouble = log, life, trouble

    async def acquire(self, shard: str, owner: str, lease_ms: int) -> Owned | Held:
        """Take the shard; the server may have failed over at that moment to a replica that never heard of it.

        Then the owner before has the same epoch, and only versions and the cursor stand between the two.
        """

        async def call() -> Owned | Held:
            owned = await self._log.acquire(shard, owner, lease_ms)
            if isinstance(owned, Owned) and not owned.clean and self._trouble.strikes("take-over forgotten", 100):
                return msgspec.structs.replace(owned, epoch=self._log.forget_epoch(shard))
            return owned

        return await self._call("acquire", call)

    async def renew(self, shard: str, epoch: int, lease_ms: int) -> bool:
        """Prolong the lease."""
        return await self._call("renew", lambda: self._log.renew(shard, epoch, lease_ms))

    async def release(self, shard: str, epoch: int) -> bool:
        """Give the shard back."""
        return await self._call("release", lambda: self._log.release(shard, epoch))

    async def attempt(self, shard: str, epoch: int, entry: str) -> int | Fenced:
        """Count one more attempt."""
        return await self._call("attempt", lambda: self._log.attempt(shard, epoch, entry))

    async def append(self, shard: str, batch: Batch) -> AppendResult:
        """Append; the request may get lost or come late, and the reply may get lost."""
        ticks = batch.cursor_to == batch.cursor_from

        async def call() -> AppendResult:
            if self._trouble.strikes("append lost"):
                raise AppendUnknown("the request is lost")
            if self._trouble.strikes("append late", 100 if ticks else 3):
                self._log.append_later(shard, batch, self._trouble.chance.uniform(0, 3 * LATENCY_S))
                raise AppendUnknown("the request is late")
            result = await self._log.append(shard, batch)
            if self._trouble.strikes("append unheard"):
                raise AppendUnknown("the reply is lost")
            return result

        return await self._call("append of a tick" if ticks else "append", call)

    async def resolve(self, shard: str, batch: Batch) -> AppendResult | None:
        """Read back."""
        return await self._call("resolve", lambda: self._log.resolve(shard, batch))

    async def heads(self, shard: str) -> dict[str, Head]:
        """Return the heads."""
        return await self._call("heads", lambda: self._log.heads(shard))

    async def load(self, shard: str, stream: str, after: int = 0) -> AsyncIterator[tuple[bytes, ...]]:
        """Yield the stream's events."""
        await self._pass("before load")
        async for page in self._log.load(shard, stream, after):
            yield page
        await self._pass("after load")

    async def send(self, commands: Sequence[tuple[str, bytes]]) -> None:
        """Put commands on inboxes; the process may die, or lose its connection, when some of them are there."""
        middle = self._trouble.chance.randint(0, len(commands))

        async def call() -> None:
            await self._log.send(commands[:middle])
            await self._pass("amid send")
            if self._trouble.strikes("send broken off", 5):
                raise EventLogUnavailable("the connection is lost")
            await self._log.send(commands[middle:])

        await self._call("send", call)

    async def inbox_length(self, shard: str, after: str) -> int:
        """Return how many commands wait."""
        return await self._call("inbox_length", lambda: self._log.inbox_length(shard, after))

    async def read_inbox(self, shard: str, after: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return commands that wait."""
        return await self._call("read_inbox", lambda: self._log.read_inbox(shard, after, count))

    async def read_feed(self, shard: str, after: str, count: int, block_ms: int) -> FeedPage:
        """Read the feed, at the same step of a take-over as its end."""
        return await self._call("feed_tail", lambda: self._log.read_feed(shard, after, count, block_ms))

    async def feed_tail(self, shard: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return the end of the feed."""
        return await self._call("feed_tail", lambda: self._log.feed_tail(shard, count))

    async def enlist(self, service: str, member: str, ttl_ms: int) -> tuple[str, ...]:
        """Be a member of the service."""
        return await self._call("enlist", lambda: self._log.enlist(service, member, ttl_ms))

    async def resign(self, service: str, member: str) -> None:
        """Be a member no longer."""
        await self._call("resign", lambda: self._log.resign(service, member))

    async def _call(self, what: str, call: Callable[[], Awaitable[T]]) -> T:
        await self._pass(f"before {what}")
        if what not in {"append", "append of a tick"} and self._trouble.strikes("log away"):
            raise EventLogUnavailable("the log is away")
        result = await call()
        await self._pass(f"after {what}")
        return result

    async def _pass(self, point: str) -> None:
        """Go over a step boundary: in some time, or never."""
        trouble, life = self._trouble, self._life
        await asyncio.sleep(trouble.chance.uniform(0, LATENCY_S))
        now_s = asyncio.get_running_loop().time()
        if trouble.freezing[point] and not life.ended.is_set():
            trouble.freezing[point] -= 1
            trouble.met["freeze"] += 1
            life.frozen_until_s = now_s + trouble.chance.uniform(0.5, 4.0)
        while life.frozen_until_s > now_s:
            await asyncio.sleep(life.frozen_until_s - now_s)
            now_s = asyncio.get_running_loop().time()
        if point in trouble.armed and not life.ended.is_set():
            trouble.armed.remove(point)
            trouble.kills[point] += 1
            life.end()
        if life.ended.is_set():
            raise Killed(point)
