"""The in-memory twin of the event log: one process, the same contract. For tests and for trying things out."""

import asyncio
import time
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

from libs.eventlog.api import (
    Appended,
    AppendResult,
    Batch,
    Conflict,
    CursorMoved,
    FeedPage,
    Fenced,
    Head,
    Held,
    LogBroken,
    Owned,
)
from libs.eventlog.checks import check_batch, entry_order
from libs.kernel.limits import FEED_ENTRIES, LOAD_PAGE_EVENTS, MAX_LEASE_MS, PARKED_ENTRIES


@dataclass(slots=True)
class _Entries:
    """Entries with growing ids made from the clock, oldest first."""

    kept: list[tuple[str, bytes]] = field(default_factory=list)
    last: tuple[int, int] = (0, 0)
    trimmed_to: tuple[int, int] = (0, 0)
    """Id of the last entry that was thrown away."""

    def add(self, now_ms: int, raw: bytes) -> None:
        time_ms, number = self.last
        self.last = (now_ms, 0) if now_ms > time_ms else (time_ms, number + 1)
        self.kept.append((f"{self.last[0]}-{self.last[1]}", raw))

    def after(self, entry: str) -> list[tuple[str, bytes]]:
        """Return the entries after an id."""
        return self.kept[bisect_right(self.kept, entry_order(entry), key=lambda kept: entry_order(kept[0])) :]

    def cut(self, keep: int) -> None:
        """Throw the oldest entries away."""
        gone = self.kept[: max(0, len(self.kept) - keep)]
        if gone:
            self.trimmed_to = entry_order(gone[-1][0])
            del self.kept[: len(gone)]


@dataclass(slots=True)
class _Shard:
    """What Redis would keep under the hash tag of a shard."""

    owner: str = ""
    epoch: int = 0
    lease_until_ms: int = 0
    cursor: str = "0-0"
    attempts: tuple[str, int] = ("", 0)
    heads: dict[str, Head] = field(default_factory=dict)
    logs: dict[str, list[bytes]] = field(default_factory=dict)
    inbox: _Entries = field(default_factory=_Entries)
    feed: _Entries = field(default_factory=_Entries)
    parked: _Entries = field(default_factory=_Entries)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    """Replaced at every entry on the feed; whoever waits holds the one of its time."""


class MemoryLog:
    """Streams, inboxes, feeds and ownership of the shards of one site, in memory; keeps the contract of `EventLog`.

    Nothing here waits, except for news on a feed: each call is atomic.
    """

    def __init__(
        self,
        clock: Callable[[], int] | None = None,
        *,
        feed_entries: int = FEED_ENTRIES,
        parked_entries: int = PARKED_ENTRIES,
    ) -> None:
        """Take the clock that leases and entry ids go by (milliseconds since 1970); the machine's if none is given."""
        self._clock = clock or _machine_ms
        self._feed_entries, self._parked_entries = feed_entries, parked_entries
        self._shards: dict[str, _Shard] = {}
        self._members: dict[str, dict[str, int]] = {}

    # -- ownership ------------------------------------------------------------------------------------------------
    async def acquire(self, shard: str, owner: str, lease_ms: int) -> Owned | Held:
        """Take the shard if it is free, expired or already ours; the epoch grows."""
        here, now = self._shard(shard), self._clock()
        # A lease that would last longer than any may was given before this clock was set back.
        if here.owner not in {"", owner} and 0 < here.lease_until_ms - now <= MAX_LEASE_MS:
            return Held(owner=here.owner, for_ms=here.lease_until_ms - now)
        clean = not here.owner
        here.owner, here.epoch, here.lease_until_ms = owner, here.epoch + 1, now + lease_ms
        return Owned(shard, here.epoch, here.cursor, dict(here.heads), clean, here.attempts)

    async def renew(self, shard: str, epoch: int, lease_ms: int) -> bool:
        """Prolong the lease; False when the epoch is stale."""
        here = self._shard(shard)
        if here.epoch != epoch or not here.owner:
            return False
        here.lease_until_ms = self._clock() + lease_ms
        return True

    async def release(self, shard: str, epoch: int) -> bool:
        """Give the shard back at once; False when the epoch is stale. The released epoch is stale from here on."""
        here = self._shard(shard)
        if here.epoch != epoch or not here.owner:
            return False
        here.owner, here.epoch, here.lease_until_ms = "", here.epoch + 1, 0
        return True

    async def attempt(self, shard: str, epoch: int, entry: str) -> int | Fenced:
        """Count one more attempt at handling `entry` alone; return the count."""
        here = self._shard(shard)
        if here.epoch != epoch or not here.owner:
            return Fenced(here.epoch)
        before, count = here.attempts
        here.attempts = (entry, count + 1 if before == entry else 1)
        return here.attempts[1]

    async def shards(self) -> tuple[str, ...]:
        """Return the shards of the site that have ever been owned, by name."""
        return tuple(sorted(name for name, shard in self._shards.items() if shard.epoch))

    async def enlist(self, service: str, member: str, ttl_ms: int) -> tuple[str, ...]:
        """Note that a member of a service lives for `ttl_ms` more (0: no longer); return all that live, sorted."""
        now, members = self._clock(), self._members.setdefault(service, {})
        members[member] = now + ttl_ms
        for name in [name for name, until_ms in members.items() if not 0 < until_ms - now <= MAX_LEASE_MS]:
            del members[name]
        return tuple(sorted(members))

    async def resign(self, service: str, member: str) -> None:
        """Forget a member that stops."""
        self._members.get(service, {}).pop(member, None)

    # -- append ---------------------------------------------------------------------------------------------------
    async def append(self, shard: str, batch: Batch) -> AppendResult:
        """Check epoch, cursor and every expected head, then write everything; or write nothing."""
        check_batch(batch)
        here, now = self._shard(shard), self._clock()
        refused = _refusal(here, batch)
        if refused is not None:
            return refused
        for one in batch.appends:
            here.logs.setdefault(one.stream, []).extend(one.records)
            here.heads[one.stream] = one.after
        for raw in batch.feed:
            # Never of an earlier time than the commands handled by then, even when the clock was set back.
            here.feed.add(max(now, entry_order(batch.cursor_to)[0]), raw)
        here.feed.cut(self._feed_entries)
        for raw in batch.parked:
            here.parked.add(now, raw)
        here.parked.cut(self._parked_entries)
        if batch.cursor_to != batch.cursor_from:
            here.cursor, here.attempts = batch.cursor_to, ("", 0)
            here.inbox.cut(len(here.inbox.after(batch.cursor_to)))
        if batch.feed:
            here.news.set()
            here.news = asyncio.Event()
        return Appended()

    async def resolve(self, shard: str, batch: Batch) -> AppendResult | None:
        """Read back what became of an append. None: it did not happen, and may be sent again."""
        here = self._shard(shard)
        if batch.appends:
            last = batch.appends[-1]
            records = here.logs.get(last.stream, [])[last.after.version - 1 : last.after.version]
            if records == [last.records[-1]]:
                return Appended()
        elif here.epoch == batch.epoch and here.cursor == batch.cursor_to != batch.cursor_from:
            return Appended()
        return _refusal(here, batch)

    # -- reading --------------------------------------------------------------------------------------------------
    async def heads(self, shard: str) -> dict[str, Head]:
        """Return the heads of all streams of a shard."""
        return dict(self._shard(shard).heads)

    async def load(self, shard: str, stream: str, after: int = 0) -> AsyncIterator[tuple[bytes, ...]]:
        """Yield the wire forms of the stream's events after a version, in pages, up to its head."""
        records = self._shard(shard).logs.get(stream, [])
        if after > len(records):
            raise LogBroken(stream, len(records) + 1, f"the log ends before version {after}")
        while after < len(records):
            page = tuple(records[after : after + LOAD_PAGE_EVENTS])
            yield page
            after += len(page)

    async def read_feed(self, shard: str, after: str, count: int, block_ms: int) -> FeedPage:
        """Return feed entries after a position, waiting up to `block_ms` for the first."""
        here = self._shard(shard)
        if block_ms > 0 and not here.feed.after(after):
            try:
                async with asyncio.timeout(block_ms / 1000):
                    await here.news.wait()
            except TimeoutError:
                pass
        # As on Redis, nothing is missing for certain only when the entry at the position is still there.
        order, first = entry_order(after), here.feed.trimmed_to
        trimmed = (0, 0) != first >= order or order > here.feed.last
        return FeedPage(tuple(here.feed.after(after)[:count]), trimmed)

    async def feed_tail(self, shard: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return the last `count` feed entries, oldest first."""
        return tuple(self._shard(shard).feed.kept[-count:]) if count else ()

    async def read_parked(self, shard: str, after: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return parked entries after a position; `0-0`: from the oldest kept."""
        return tuple(self._shard(shard).parked.after(after)[:count])

    async def now_ms(self) -> int:
        """Return the clock's time, milliseconds since 1970."""
        return self._clock()

    # -- inbox ----------------------------------------------------------------------------------------------------
    async def send(self, commands: Sequence[tuple[str, bytes]]) -> None:
        """Put commands on inboxes, in order."""
        for shard, raw in commands:
            self._shard(shard).inbox.add(self._clock(), raw)

    async def inbox_length(self, shard: str, after: str) -> int:
        """Return how many entries wait on the inbox after a cursor."""
        return len(self._shard(shard).inbox.after(after))

    async def read_inbox(self, shard: str, after: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return inbox entries (id, bytes) after a cursor."""
        return tuple(self._shard(shard).inbox.after(after)[:count])

    async def close(self) -> None:
        """Nothing is open."""

    def _shard(self, name: str) -> _Shard:
        return self._shards.setdefault(name, _Shard())


def _refusal(here: _Shard, batch: Batch) -> AppendResult | None:
    """Return why the batch cannot be appended, None when it can."""
    if here.epoch != batch.epoch:
        return Fenced(here.epoch)
    if here.cursor != batch.cursor_from:
        return CursorMoved(here.cursor)
    for one in batch.appends:
        head = here.heads.get(one.stream, Head())
        if head != one.expected:
            return Conflict(one.stream, head)
    return None


def _machine_ms() -> int:
    return time.time_ns() // 1_000_000
