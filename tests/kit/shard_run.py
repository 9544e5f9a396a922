"""One run of a toy shard on a log in memory, without a reader: what is sent is handled when the test says so."""

import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from libs.eventlog.api import EventLog, Owned
from libs.eventlog.memory import MemoryLog
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.days import moment
from libs.kernel.envelope import Answer, CommandEnvelope, EventRecord, FeedEntry, ParkedEntry, ReturnAddress
from libs.kernel.messages import Command
from libs.kernel.refusals import Refusal
from libs.runtime.answers import Answers
from libs.runtime.faults import Experience
from libs.runtime.gaming_day import Timed
from libs.runtime.kinds import Kind
from libs.runtime.shard import Observer, Shard
from tests.kit.toy import TOY

SHARD = "toy-0"
KNOWN = frozenset({"a", "b", "c"})

_NUMBERS = itertools.count(1)


def wish(
    command: Command | bytes,
    book: str = "a",
    command_id: str = "",
    *,
    by: Actor = SYSTEM,
    reply: ReturnAddress | None = None,
    refusal: Refusal | None = None,
) -> bytes:
    """Return the wire form of a command for a book; with an id of its own, made now, if none is given."""
    command_id = command_id or (f"wish:{next(_NUMBERS)}" if by.role == "service" else id_of(by))
    body = msgspec.Raw(command if isinstance(command, bytes) else msgspec.json.encode(command))
    return msgspec.json.encode(CommandEnvelope(command_id, book, by, body, reply, refusal))


def id_of(by: Actor, at_ms: int | None = None) -> str:
    """Return a new id of somebody's command, made now or at a time (in ms since 1970)."""
    made_ms = time.time_ns() // 1_000_000 if at_ms is None else at_ms
    return f"{by.id}:{moment(made_ms)}/{next(_NUMBERS)}"


@dataclass
class ShardRun:
    """A loaded run of a shard. `failure` tells why it ended."""

    log: EventLog
    shard: Shard
    now_ms: list[int] = field(default_factory=lambda: [0])

    async def say(self, *wishes: bytes) -> None:
        """Put commands on the inbox and handle all that waits as one batch."""
        await self.log.send([(self.shard.name, raw) for raw in wishes])
        await self.take()

    async def take(self, count: int = 500) -> None:
        """Handle what waits on the inbox as one batch."""
        entries = await self.log.read_inbox(self.shard.name, self.shard.cursor, count)
        if entries:
            await self.shard.handle(entries)

    @property
    def failure(self) -> BaseException | None:
        """Why the run ended, None while it goes on."""
        return self.shard.failure.exception() if self.shard.failure.done() else None

    def state(self, book: str = "a") -> Any:
        """Return the state of a book."""
        return self.shard.books[book].state

    async def feed(self) -> list[FeedEntry]:
        """Return the whole feed."""
        return await feed_of(self.log, self.shard.name)

    async def answers(self) -> list[Answer]:
        """Return all answers on the feed, oldest first."""
        return [entry.answer for entry in await self.feed() if entry.answer is not None]

    async def parked(self) -> list[ParkedEntry]:
        """Return what was set aside."""
        return await parked_of(self.log, self.shard.name)

    async def stream(self, name: str) -> list[EventRecord]:
        """Return the events of a stream."""
        return await stream_of(self.log, self.shard.name, name)


async def open_run(
    log: EventLog | None = None,
    *,
    owner: str = "owner-1",
    kind: Kind = TOY,
    name: str = SHARD,
    known: Iterable[str] = KNOWN,
    observe: Observer | None = None,
    clock_ms: Callable[[], int] | None = None,
    experience: Experience | None = None,
    timed: Timed | None = None,
    answers: Answers | None = None,
) -> ShardRun:
    """Acquire the shard (from an owner of the same name, too) and load it."""
    log = MemoryLog() if log is None else log
    owned = await log.acquire(name, owner, 60_000)
    assert isinstance(owned, Owned)
    shard = Shard(log, "toy", kind, owned, frozenset(known), None, observe, clock_ms, experience, 1, timed, answers)
    await shard.load()
    return ShardRun(log, shard)


async def feed_of(log: EventLog, shard: str = SHARD) -> list[FeedEntry]:
    """Return the whole feed of a shard."""
    return [msgspec.json.decode(raw, type=FeedEntry) for _, raw in await log.feed_tail(shard, 1_000_000)]


async def parked_of(log: EventLog, shard: str = SHARD) -> list[ParkedEntry]:
    """Return what a shard has set aside."""
    return [msgspec.json.decode(raw, type=ParkedEntry) for _, raw in await log.read_parked(shard, "0-0", 1_000_000)]


async def stream_of(log: EventLog, shard: str, stream: str) -> list[EventRecord]:
    """Return the events of a stream."""
    pages = [page async for page in log.load(shard, stream)]
    return [msgspec.json.decode(raw, type=EventRecord) for page in pages for raw in page]


def tags(records: Iterable[EventRecord]) -> list[str]:
    """Return the tags of events."""
    return [msgspec.json.decode(record.body)["type"] for record in records]
