"""Follow a shard from outside: fold its current volumes from the logs, then from its feed, for reading only."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

import msgspec

from libs.eventlog.api import EventLog, EventLogError, EventLogUnavailable, Head
from libs.eventlog.codec import BadMessage, Codec
from libs.kernel.decider import Decider
from libs.kernel.envelope import EventRecord, FeedEntry
from libs.kernel.ids import split_stream, stream_name
from libs.runtime import metrics
from libs.runtime.kinds import Kind
from libs.runtime.loading import begin_volume, current_volumes, load_book, load_more
from libs.runtime.logs import log as logger
from libs.runtime.plan import Book

S = TypeVar("S")
Hear = Callable[[FeedEntry, bytes], None]
"""Called with every feed entry, decoded and raw, after the states have taken it in."""

PAGE_ENTRIES = 500
BLOCK_MS = 1000
RETRY_S = 0.5


class Follower(Generic[S]):
    """A projection of one shard: the state of each book, as far as the feed has told."""

    def __init__(self, log: EventLog, shard: str, decider: Decider[S], codec: Codec) -> None:
        self._log, self._shard, self._decider, self._codec = log, shard, decider, codec
        self._hears: list[Hear] = []
        self._position = "0-0"
        self._entries = msgspec.json.Decoder(FeedEntry)
        self._heads: dict[str, Head] = {}
        self._trouble = ""
        self.states: dict[str, S] = {}
        self.versions: dict[str, tuple[str, int]] = {}
        """Stream and version of each book's state."""
        self.live = False
        """True while the feed is being read."""
        self.last_heard_ms = 0
        """When the log last answered, by this process's clock."""

    @property
    def caught_up(self) -> bool:
        """True once the logs have been read; before that every book looks as if it had never been opened."""
        return self.last_heard_ms > 0

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Hear every feed entry from now on; the returned function ends it."""
        self._hears.append(hear)

        def stop() -> None:
            with suppress(ValueError):
                self._hears.remove(hear)

        return stop

    async def run(self) -> None:
        """Follow until cancelled; outages are survived.

        After one the feed is read on from where we were: somebody may wait for an answer that was told meanwhile. A
        server that came back without that place says so, and then the logs are read anew.
        """
        placed = False
        while True:
            try:
                if not placed:
                    await self._catch_up()
                while True:
                    await self._read()
                    # Only now: a catching up may have taken in more than its place on the feed says.
                    placed = True
            except (EventLogError, BadMessage, msgspec.DecodeError) as error:
                self.live, placed = False, placed and isinstance(error, EventLogUnavailable)
                if self._trouble != str(error):
                    self._trouble = str(error)
                    logger().warning("feed lost, following again", shard=self._shard, reason=self._trouble)
                await asyncio.sleep(RETRY_S)

    async def _catch_up(self) -> None:
        """Start at the feed's end and load the logs; what both hold is taken in once, by version."""
        tail = await self._log.feed_tail(self._shard, 1)
        position = tail[-1][0] if tail else "0-0"
        heads = await self._log.heads(self._shard)
        books = [
            await load_book(self._log, self._shard, self._decider, self._codec, name, volume)
            for name, volume in current_volumes(heads).items()
        ]
        # All at once, and nothing of before: a server that lost its last seconds has fewer books than we remember.
        self._position = position
        self.states.clear()
        self._heads.clear()
        self.versions.clear()
        for book in books:
            self._adopt(book)
        self._heard()

    async def _read(self) -> None:
        page = await self._log.read_feed(self._shard, self._position, PAGE_ENTRIES, BLOCK_MS)
        if page.trimmed:
            # The feed was cut ahead of us: what is missing is in the logs.
            await self._catch_up()
        for position, raw in page.entries:
            entry = self._entries.decode(raw)
            for record in entry.events:
                await self._take(record)
            self._position = position
            if entry.events:
                metrics.feed_delay.observe(max(0.0, time.time() - entry.events[-1].at_ms / 1000))
            for hear in tuple(self._hears):
                hear(entry, raw)
        if self.live or len(page.entries) < PAGE_ENTRIES:
            self._heard()  # after an outage only when nothing is left of what was told meanwhile

    async def _take(self, record: EventRecord) -> None:
        """Apply one event if it is new; when it is not the next one (secret events are not told), ask the log."""
        name, volume = split_stream(record.stream)
        stream, version = self.versions.get(name, ("", 0))
        known_volume = split_stream(stream)[1] if stream else 0
        if volume < known_volume or (volume == known_volume and record.version <= version):
            return
        if volume > known_volume:
            book = await self._begin(name, known_volume, volume)
        else:
            book = Book(name, volume, self._heads[name], self.states[name])
        if record.version == book.head.version + 1:
            state = self._decider.evolve(book.state, self._codec.decode_event(record.body))
            self._adopt(Book(name, volume, Head(record.version, record.hash), state))
        else:
            self._adopt(await load_more(self._log, self._shard, self._decider, self._codec, book))

    async def _begin(self, name: str, known_volume: int, volume: int) -> Book:
        """Return a book before the first event of a volume; what its state begins from is mostly known here already."""
        if self._decider.whole is None or volume != known_volume + 1 or not known_volume:
            return await begin_volume(self._log, self._shard, self._decider, self._codec, name, volume)
        last = Book(name, known_volume, self._heads[name], self.states[name])
        before = await load_more(self._log, self._shard, self._decider, self._codec, last)
        return Book(name, volume, Head(), before.state)

    def _adopt(self, book: Book) -> None:
        self.states[book.name] = book.state
        self._heads[book.name] = book.head
        self.versions[book.name] = (stream_name(book.name, book.volume), book.head.version)

    def _heard(self) -> None:
        self.live, self._trouble = True, ""
        self.last_heard_ms = time.time_ns() // 1_000_000


def follow(log: EventLog, shard: str, kind: Kind) -> Follower[Any]:
    """Return a follower of a shard of this kind."""
    return Follower(log, shard, kind.decider, kind.codec)
