"""The event log as the rest of the house sees it: streams, inboxes, feeds and ownership of shards.

Two implementations keep the same contract (`tests/kit/eventlog_contract.py`):
`RedisLog` on Redis or Valkey, and `MemoryLog` in one process. Errors, as a tree:

    EventLogError
    ├── EventLogUnavailable    nothing was done, or a read failed: try again later
    ├── AppendUnknown          the connection was lost during an append: read back, never repeat blindly
    └── LogBroken              the log is not dense, or its hashes do not chain: the first bad event is named
"""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

import msgspec


class EventLogError(Exception):
    """Base of what can go wrong between a process and the log."""


class EventLogUnavailable(EventLogError):
    """The log cannot be reached; nothing was written."""


class AppendUnknown(EventLogError):
    """The connection was lost during an append: it may or may not have happened. So for an append that is cancelled."""


class LogBroken(EventLogError):
    """The log does not hold together; `stream` and `version` name the first bad event."""

    def __init__(self, stream: str, version: int, reason: str) -> None:
        super().__init__(f"{stream} is broken at version {version}: {reason}")
        self.stream, self.version, self.reason = stream, version, reason


GENESIS = "0" * 64
"""The hash before the first event of a stream."""


class Head(msgspec.Struct, frozen=True, gc=False):
    """The end of a stream: its version (0 when empty) and the hash of its last event."""

    version: int = 0
    hash: str = GENESIS


class Owned(msgspec.Struct, frozen=True):
    """The shard is ours, with a growing epoch."""

    shard: str
    epoch: int
    cursor: str
    """Inbox entry id up to which commands have been handled; `0-0` at first."""
    heads: dict[str, Head]
    clean: bool
    """False when the owner before did not release the shard (it was killed or lost its lease)."""
    attempts: tuple[str, int] = ("", 0)
    """Inbox entry that was being handled alone after a crash, and how many times that was begun."""


class Held(msgspec.Struct, frozen=True):
    """Somebody else owns the shard for so many more milliseconds."""

    owner: str
    for_ms: int


class StreamAppend(msgspec.Struct, frozen=True, gc=False):
    """New events of one stream: `records` are the wire forms of versions `expected.version + 1` … `after.version`."""

    stream: str
    expected: Head
    after: Head
    records: tuple[bytes, ...]


class Batch(msgspec.Struct, frozen=True, gc=False):
    """What one script call does, all or nothing. `cursor_to == cursor_from` when no inbox entry was handled."""

    epoch: int
    cursor_from: str
    cursor_to: str
    appends: tuple[StreamAppend, ...] = ()
    feed: tuple[bytes, ...] = ()
    """Wire forms of `FeedEntry`."""
    parked: tuple[bytes, ...] = ()
    """Wire forms of `ParkedEntry`."""


class Appended(msgspec.Struct, frozen=True):
    """All of the batch is in the log."""


class Fenced(msgspec.Struct, frozen=True):
    """The epoch is stale: the shard has another owner. Nothing was written."""

    epoch: int


class Conflict(msgspec.Struct, frozen=True):
    """A stream's head is not the expected one. Nothing was written."""

    stream: str
    head: Head


class CursorMoved(msgspec.Struct, frozen=True):
    """The batch does not start at the inbox cursor. Nothing was written."""

    cursor: str


AppendResult = Appended | Fenced | Conflict | CursorMoved


class FeedPage(msgspec.Struct, frozen=True):
    """Feed entries after a position. `trimmed` when entries between the position and the first one are gone."""

    entries: tuple[tuple[str, bytes], ...]
    trimmed: bool = False


class EventLog(Protocol):
    """Streams, inboxes, feeds and ownership of the shards of one site."""

    async def acquire(self, shard: str, owner: str, lease_ms: int) -> Owned | Held:
        """Take the shard if it is free, expired or already ours; the epoch grows. Time is the server's."""

    async def renew(self, shard: str, epoch: int, lease_ms: int) -> bool:
        """Prolong the lease; False when the epoch is stale."""

    async def release(self, shard: str, epoch: int) -> bool:
        """Give the shard back at once (a clean hand-over); False when the epoch is stale."""

    async def attempt(self, shard: str, epoch: int, entry: str) -> int | Fenced:
        """Count one more attempt at handling `entry` alone, before it is handled; return the count."""

    async def append(self, shard: str, batch: Batch) -> AppendResult:
        """Check epoch, cursor and every expected head, then write everything; or write nothing.

        Raises `AppendUnknown` when the connection is lost on the way, `EventLogUnavailable` when nothing was sent.
        """

    async def resolve(self, shard: str, batch: Batch) -> AppendResult | None:
        """After `AppendUnknown`: read back. `Appended` when it happened; None when it did not and may be sent again."""

    async def heads(self, shard: str) -> dict[str, Head]:
        """Return the heads of all streams of a shard."""

    def load(self, shard: str, stream: str, after: int = 0) -> AsyncIterator[tuple[bytes, ...]]:
        """Yield the wire forms of the stream's events after a version, in pages; raises `LogBroken` on a gap."""

    async def send(self, commands: Sequence[tuple[str, bytes]]) -> None:
        """Put commands (shard, wire form of `CommandEnvelope`) on inboxes, each inbox in order."""

    async def inbox_length(self, shard: str, after: str) -> int:
        """Return how many entries wait on the inbox after a cursor."""

    async def read_inbox(self, shard: str, after: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return inbox entries (id, raw bytes of field `c`, empty when the field is missing) after a cursor."""

    async def read_feed(self, shard: str, after: str, count: int, block_ms: int) -> FeedPage:
        """Return feed entries after a position, waiting up to `block_ms` for the first.

        A position is the id of an entry that was read, or `0-0`: from the start. `$` is not allowed. A page that is
        `trimmed` and empty means that the position is unknown to this feed: fall back to the logs, then go on from the
        last entry of `feed_tail`, or from `0-0` if there is none.
        """

    async def feed_tail(self, shard: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return the last `count` feed entries, oldest first."""

    async def read_parked(self, shard: str, after: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return parked entries (id, wire form of `ParkedEntry`) after a position; `0-0`: from the oldest kept."""

    async def shards(self) -> tuple[str, ...]:
        """Return the shards of the site that have ever been owned, by name."""

    async def now_ms(self) -> int:
        """Return the server's clock, milliseconds since 1970."""

    async def enlist(self, service: str, member: str, ttl_ms: int) -> tuple[str, ...]:
        """Note that a member of a service lives for `ttl_ms` more (0: no longer); return all that live, sorted."""

    async def resign(self, service: str, member: str) -> None:
        """Forget a member that stops."""

    async def close(self) -> None:
        """Close the connections."""
