"""What every event log must do. Run on both implementations: subclasses bring the fixture `log`."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from libs.eventlog.api import (
    Appended,
    Batch,
    Conflict,
    CursorMoved,
    EventLog,
    FeedPage,
    Fenced,
    Head,
    Held,
    LogBroken,
    Owned,
)
from libs.eventlog.chain import verify_stream
from libs.kernel.limits import BATCH_COMMANDS, LOAD_PAGE_EVENTS
from tests.kit.records import append_to, batch_of

LONG_MS = 600_000
"""A lease that does not run out during a test."""


async def owned(log: EventLog, owner: str = "one", lease_ms: int = LONG_MS) -> Owned:
    """Take the shard `s`, which must be free."""
    taken = await log.acquire("s", owner, lease_ms)
    assert isinstance(taken, Owned)
    return taken


async def records_of(log: EventLog, stream: str, after: int = 0) -> list[bytes]:
    """Return all records of a stream of the shard `s`."""
    return [raw async for page in log.load("s", stream, after) for raw in page]


async def feed_of(log: EventLog) -> list[bytes]:
    """Return what is on the feed of the shard `s`."""
    return [raw for _, raw in (await log.read_feed("s", "0-0", 10_000, 0)).entries]


async def untouched(log: EventLog) -> bool:
    """Tell whether nothing was ever appended to the shard `s`."""
    heads, feed, parked = await log.heads("s"), await feed_of(log), await log.read_parked("s", "0-0", 10)
    return not heads and not feed and not parked and not await records_of(log, "T1/1")


class OwnershipContract:
    """Leases and epochs."""

    async def test_free_shard(self, log: EventLog) -> None:
        """A free shard is taken with epoch 1, from the beginning of its inbox."""
        assert Owned("s", 1, "0-0", {}, clean=True) == await log.acquire("s", "one", LONG_MS)

    async def test_held_shard(self, log: EventLog) -> None:
        """A shard with a living owner is refused, with the owner's name and the time left."""
        await owned(log)
        held = await log.acquire("s", "two", LONG_MS)
        assert isinstance(held, Held)
        assert held.owner == "one"
        assert 0 < held.for_ms <= LONG_MS

    async def test_own_shard_again(self, log: EventLog) -> None:
        """An owner that comes back (after a restart) takes its shard again with a greater epoch."""
        first = await owned(log)
        again = await owned(log)
        assert first.epoch + 1 == again.epoch
        assert not again.clean

    async def test_expired_lease(self, log: EventLog) -> None:
        """A lease that ran out is taken over, not cleanly; everything of the old owner is refused as fenced."""
        old = await owned(log, "one", lease_ms=0)
        new = await owned(log, "two")
        assert (old.epoch + 1, False) == (new.epoch, new.clean)
        assert not await log.renew("s", old.epoch, LONG_MS)
        assert not await log.release("s", old.epoch)
        assert Fenced(new.epoch) == await log.attempt("s", old.epoch, "1-0")
        assert Fenced(new.epoch) == await log.append("s", batch_of(old, append_to("T1/1")))
        assert await untouched(log)

    async def test_late_owner_may_append(self, log: EventLog) -> None:
        """An owner whose lease ran out goes on until another takes the shard: only the epoch fences."""
        late = await owned(log, lease_ms=0)
        assert Appended() == await log.append("s", batch_of(late, append_to("T1/1")))
        assert await log.renew("s", late.epoch, LONG_MS)
        assert isinstance(await log.acquire("s", "two", LONG_MS), Held)

    async def test_release(self, log: EventLog) -> None:
        """A released shard is free at once and cleanly; the released epoch can do nothing more."""
        first = await owned(log)
        assert await log.release("s", first.epoch)
        assert not await log.release("s", first.epoch)
        assert not await log.renew("s", first.epoch, LONG_MS)
        assert isinstance(await log.append("s", batch_of(first, append_to("T1/1"))), Fenced)
        second = await owned(log, "two")
        assert second.clean
        assert second.epoch > first.epoch

    async def test_take_over_knows_all(self, log: EventLog) -> None:
        """Who takes a shard learns its cursor, its heads and the attempts at the entry in hand."""
        first = await owned(log, lease_ms=0)
        one, two = append_to("T1/1", count=3), append_to("T2/1")
        await log.append("s", batch_of(first, one, two, cursor="5-0"))
        await log.attempt("s", first.epoch, "6-0")
        second = await owned(log, "two")
        assert ("5-0", {"T1/1": one.after, "T2/1": two.after}) == (second.cursor, second.heads)
        assert second.attempts == ("6-0", 1)

    async def test_attempts(self, log: EventLog) -> None:
        """Attempts at one entry are counted across owners; another entry starts at one; a step forward forgets them."""
        first = await owned(log, lease_ms=0)
        assert await log.attempt("s", first.epoch, "6-0") == 1
        second = await owned(log, "two")
        assert await log.attempt("s", second.epoch, "6-0") == 2
        assert await log.attempt("s", second.epoch, "7-0") == 1
        await log.append("s", batch_of(second, cursor="7-0"))
        third = await owned(log, "two")
        assert third.attempts == ("", 0)

    async def test_shards(self, log: EventLog) -> None:
        """The shards that were ever owned are known by name."""
        await log.acquire("pit-2", "one", LONG_MS)
        await log.acquire("pit-1", "one", LONG_MS)
        await log.send([("never-owned", b"{}")])
        assert await log.shards() == ("pit-1", "pit-2")

    async def test_members(self, log: EventLog) -> None:
        """Living members of a service are listed until they resign or their time is over."""
        assert await log.enlist("rng", "b", LONG_MS) == ("b",)
        assert await log.enlist("rng", "a", LONG_MS) == ("a", "b")
        assert await log.enlist("wallet", "c", LONG_MS) == ("c",)
        await log.resign("rng", "a")
        await log.resign("rng", "unknown")
        assert await log.enlist("rng", "d", LONG_MS) == ("b", "d")
        await log.enlist("rng", "b", 0)
        assert await log.enlist("rng", "d", LONG_MS) == ("d",)


class AppendContract:
    """All or nothing."""

    async def test_append_and_load(self, log: EventLog) -> None:
        """What was appended is loaded as it was, and heads follow."""
        owner = await owned(log)
        first = append_to("T1/1", count=2)
        second = append_to("T1/1", first.after, count=3)
        assert Appended() == await log.append("s", batch_of(owner, first))
        assert Appended() == await log.append("s", batch_of(owner, second))
        assert [*first.records, *second.records] == await records_of(log, "T1/1")
        assert {"T1/1": second.after} == await log.heads("s")
        assert second.after == await verify_stream(log, "s", "T1/1")

    @pytest.mark.parametrize("wrong", [Head(1), Head(0, "f" * 64), Head(7, "f" * 64)])
    async def test_conflict(self, log: EventLog, wrong: Head) -> None:
        """An expected head that differs in version or in hash is refused with the true one; nothing is written."""
        owner = await owned(log)
        expected = Conflict("T1/1", Head())
        assert expected == await log.append("s", batch_of(owner, append_to("T1/1", wrong), cursor="1-0", feed=(b"f",)))
        assert await untouched(log)

    async def test_conflict_by_hash(self, log: EventLog) -> None:
        """The same version with another hash is a conflict."""
        owner = await owned(log)
        first = append_to("T1/1")
        await log.append("s", batch_of(owner, first))
        other = append_to("T1/1", Head(1, "f" * 64))
        assert Conflict("T1/1", first.after) == await log.append("s", batch_of(owner, other))
        assert list(first.records) == await records_of(log, "T1/1")

    async def test_cursor_moved(self, log: EventLog) -> None:
        """A batch that does not start at the cursor is refused with the true one; nothing is written."""
        owner = await owned(log)
        await log.append("s", batch_of(owner, cursor="5-1"))
        late = batch_of(owner, append_to("T1/1"), cursor="6-0", feed=(b"f",))
        assert CursorMoved("5-1") == await log.append("s", late)
        assert await untouched(log)

    async def test_all_or_nothing(self, log: EventLog) -> None:
        """When one of several streams conflicts, none is written, nor feed, parked entries or cursor."""
        owner = await owned(log)
        appends = (append_to("T1/1", count=2), append_to("T2/1", Head(4, "f" * 64)), append_to("T3/1"))
        batch = Batch(owner.epoch, "0-0", "9-0", appends, feed=(b"f",), parked=(b"p",))
        assert Conflict("T2/1", Head()) == await log.append("s", batch)
        assert await untouched(log)
        assert (await owned(log)).cursor == "0-0"

    async def test_same_batch_twice(self, log: EventLog) -> None:
        """The same batch is appended once."""
        owner = await owned(log)
        batch = batch_of(owner, append_to("T1/1"), feed=(b"f",))
        assert Appended() == await log.append("s", batch)
        assert isinstance(await log.append("s", batch), Conflict)
        assert await feed_of(log) == [b"f"]

    async def test_large_batch(self, log: EventLog) -> None:
        """A batch of 500 commands with 1000 events in 50 streams and 500 feed entries is one append."""
        owner = await owned(log)
        appends = tuple(append_to(f"T{table}/1", count=20) for table in range(50))
        feed = tuple(b"feed %d" % number for number in range(BATCH_COMMANDS))
        assert Appended() == await log.append("s", batch_of(owner, *appends, cursor="500-0", feed=feed))
        assert {one.stream: one.after for one in appends} == await log.heads("s")
        assert list(feed) == await feed_of(log)
        for one in appends:
            assert list(one.records) == await records_of(log, one.stream)

    async def test_parked(self, log: EventLog) -> None:
        """Parked entries are kept in order, the step over their commands with them."""
        owner = await owned(log)
        await log.append("s", Batch(owner.epoch, "0-0", "1-0", parked=(b"first", b"second")))
        await log.append("s", Batch(owner.epoch, "1-0", "2-0", parked=(b"third",)))
        parked = await log.read_parked("s", "0-0", 10)
        assert [raw for _, raw in parked] == [b"first", b"second", b"third"]
        assert parked[1:2] == await log.read_parked("s", parked[0][0], 1)

    @pytest.mark.parametrize(
        "batch",
        [
            Batch(1, "0-0", "0-0", (append_to("T1/1"), append_to("T1/1"))),
            Batch(1, "2-0", "1-9"),
            Batch(1, "0-0", "0-0", (append_to("T1/1", count=0),)),
        ],
        ids=["stream twice", "cursor back", "no records"],
    )
    async def test_batch_that_contradicts_itself(self, log: EventLog, batch: Batch) -> None:
        """A batch that contradicts itself is a defect of the caller, whoever owns the shard."""
        with pytest.raises(ValueError, match=r"twice|back|nothing"):
            await log.append("s", batch)

    async def test_resolve_happened(self, log: EventLog) -> None:
        """Reading back finds an append that happened, also when others have appended since."""
        owner = await owned(log, lease_ms=0)
        batch = batch_of(owner, append_to("T1/1", count=2), append_to("T2/1"), cursor="3-0")
        await log.append("s", batch)
        assert Appended() == await log.resolve("s", batch)
        second = await owned(log, "two")
        more = append_to("T2/1", batch.appends[1].after, count=5)
        await log.append("s", batch_of(second, more))
        assert Appended() == await log.resolve("s", batch)

    async def test_resolve_did_not_happen(self, log: EventLog) -> None:
        """Reading back says None for an append that did not happen and still can; it then succeeds."""
        owner = await owned(log)
        batch = batch_of(owner, append_to("T1/1", count=2), cursor="3-0")
        assert await log.resolve("s", batch) is None
        assert Appended() == await log.append("s", batch)

    async def test_resolve_cannot_happen(self, log: EventLog) -> None:
        """Reading back says why an append that did not happen cannot happen any more."""
        owner = await owned(log, lease_ms=0)
        batch = batch_of(owner, append_to("T1/1"), cursor="3-0")
        other = append_to("T1/1", cause="c:2")
        await log.append("s", batch_of(owner, other))
        assert Conflict("T1/1", other.after) == await log.resolve("s", batch)
        await log.append("s", batch_of(owner, cursor="2-0"))
        assert CursorMoved("2-0") == await log.resolve("s", batch)
        second = await owned(log, "two")
        assert Fenced(second.epoch) == await log.resolve("s", batch)

    async def test_resolve_without_events(self, log: EventLog) -> None:
        """A batch of refusals only is found by its step of the cursor."""
        owner = await owned(log)
        batch = batch_of(owner, cursor="3-0", feed=(b"refused",))
        assert await log.resolve("s", batch) is None
        await log.append("s", batch)
        assert Appended() == await log.resolve("s", batch)


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


class EventLogContract(OwnershipContract, AppendContract, ReadingContract):
    """The whole contract."""


async def _close(pages: AsyncIterator[tuple[bytes, ...]]) -> None:
    await pages.aclose()  # type: ignore[attr-defined]  # both are async generators
