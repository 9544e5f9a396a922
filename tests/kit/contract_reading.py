"""The contract of every event log: logs, feeds and inboxes are read in order and from anywhere."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from libs.eventlog.api import (
    EventLog,
    FeedPage,
    Head,
    LogBroken,
)
from libs.kernel.limits import LOAD_PAGE_EVENTS
from tests.kit.records import append_to, batch_of
from tests.kit.shard import LONG_MS, owned, records_of


class ReadingContract:
    """Logs, feeds and inboxes."""

    async def test_load_pages(self, log: EventLog) -> None:
        """A long stream comes in full pages, in order, from any version."""
        owner = await owned(log)
        head = Head()
        wrote: list[bytes] = []
        for _ in range(3):
            part = append_to("T1/1", head, count=LOAD_PAGE_EVENTS - 100)
            await log.append("s", batch_of(owner, part))
            head = part.after
            wrote += part.records
        sizes = [len(page) async for page in log.load("s", "T1/1")]
        assert sizes == [LOAD_PAGE_EVENTS, LOAD_PAGE_EVENTS, 200]
        assert wrote == await records_of(log, "T1/1")
        assert wrote[LOAD_PAGE_EVENTS - 1 :] == await records_of(log, "T1/1", LOAD_PAGE_EVENTS - 1)
        assert await records_of(log, "T1/1", len(wrote)) == []

    async def test_load_exactly_one_page(self, log: EventLog) -> None:
        """A stream that fills its page exactly is loaded once."""
        owner = await owned(log)
        part = append_to("T1/1", count=LOAD_PAGE_EVENTS)
        await log.append("s", batch_of(owner, part))
        assert [part.records] == [page async for page in log.load("s", "T1/1")]

    async def test_load_nothing(self, log: EventLog) -> None:
        """A stream without events is empty; one that is shorter than what a reader remembers is broken."""
        assert await records_of(log, "T1/1") == []
        with pytest.raises(LogBroken) as caught:
            await records_of(log, "T1/1", after=5)
        assert caught.value.version == 1

    async def test_load_is_left_early(self, log: EventLog) -> None:
        """A reader may stop after any page."""
        owner = await owned(log)
        await log.append("s", batch_of(owner, append_to("T1/1", count=2 * LOAD_PAGE_EVENTS)))
        pages = log.load("s", "T1/1")
        assert len(await anext(pages)) == LOAD_PAGE_EVENTS
        await _close(pages)
        assert len(await records_of(log, "T1/1")) == 2 * LOAD_PAGE_EVENTS

    async def test_feed_order(self, log: EventLog) -> None:
        """The feed keeps the order of decisions and is read from any position in pages."""
        owner = await owned(log)
        await log.append("s", batch_of(owner, feed=(b"1", b"2", b"3")))
        await log.append("s", batch_of(owner, feed=(b"4", b"5")))
        page = await log.read_feed("s", "0-0", 2, 0)
        assert ([raw for _, raw in page.entries], page.trimmed) == ([b"1", b"2"], False)
        rest = await log.read_feed("s", page.entries[-1][0], 10, 0)
        assert ([raw for _, raw in rest.entries], rest.trimmed) == ([b"3", b"4", b"5"], False)
        assert FeedPage(()) == await log.read_feed("s", rest.entries[-1][0], 10, 0)
        assert rest.entries[1:] == await log.feed_tail("s", 2)

    async def test_feed_waits(self, log: EventLog) -> None:
        """A reader at the end of the feed waits for news, and gets nothing when there are none."""
        owner = await owned(log)
        assert FeedPage(()) == await log.read_feed("s", "0-0", 10, 1)
        waiting = asyncio.create_task(log.read_feed("s", "0-0", 10, LONG_MS))
        await log.append("s", batch_of(owner, feed=(b"1",)))
        page = await waiting
        assert [raw for _, raw in page.entries] == [b"1"]
        waiting = asyncio.create_task(log.read_feed("s", page.entries[0][0], 10, LONG_MS))
        await log.append("s", batch_of(owner, feed=(b"2", b"3")))
        assert [raw for _, raw in (await waiting).entries][:1] == [b"2"]

    async def test_feed_trimmed(self, small_log: EventLog) -> None:
        """A reader whose position was thrown away is told so; one whose position is kept is not."""
        owner = await owned(small_log)
        await small_log.append("s", batch_of(owner, feed=(b"first",)))
        first = (await small_log.read_feed("s", "0-0", 1, 0)).entries[0][0]
        for _ in range(5):
            await small_log.append("s", batch_of(owner, feed=tuple(b"%d" % number for number in range(200))))
        assert (await small_log.read_feed("s", "0-0", 10, 0)).trimmed
        late = await small_log.read_feed("s", first, 10, 0)
        assert late.trimmed
        assert len(late.entries) == 10
        tail = await small_log.feed_tail("s", 5)
        kept = await small_log.read_feed("s", tail[0][0], 10, 0)
        assert FeedPage(tail[1:]) == kept

    async def test_feed_forgot(self, log: EventLog) -> None:
        """A position that the feed does not know (the server lost its end) is reported as trimmed."""
        page = await log.read_feed("s", "99999999999999-0", 10, 1)
        assert FeedPage((), trimmed=True) == page

    async def test_inbox(self, log: EventLog) -> None:
        """Commands wait in the order in which they were sent, and are counted from a cursor."""
        await log.send([("s", b"1"), ("other", b"x"), ("s", b"2")])
        await log.send([("s", b"3")])
        await log.send([])
        waiting = await log.read_inbox("s", "0-0", 10)
        assert [raw for _, raw in waiting] == [b"1", b"2", b"3"]
        assert waiting[1:2] == await log.read_inbox("s", waiting[0][0], 1)
        assert await log.inbox_length("s", "0-0") == 3
        assert await log.inbox_length("s", waiting[1][0]) == 1
        assert await log.inbox_length("empty", "0-0") == 0

    async def test_inbox_behind_the_cursor(self, log: EventLog) -> None:
        """The inbox is trimmed behind the cursor, never before it."""
        owner = await owned(log)
        await log.send([("s", b"%d" % number) for number in range(1_000)])
        waiting = await log.read_inbox("s", "0-0", 1_000)
        cursor = waiting[899][0]
        await log.append("s", batch_of(owner, cursor=cursor))
        assert waiting[900:] == await log.read_inbox("s", cursor, 1_000)
        assert await log.inbox_length("s", cursor) == 100
        assert len(await log.read_inbox("s", "0-0", 1_000)) < 300

    async def test_clock(self, log: EventLog) -> None:
        """The log's clock does not run backwards between two questions."""
        assert await log.now_ms() <= await log.now_ms()


async def _close(pages: AsyncIterator[tuple[bytes, ...]]) -> None:
    await pages.aclose()  # type: ignore[attr-defined]  # both are async generators
