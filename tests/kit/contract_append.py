"""The contract of every event log: an append is all or nothing, and can be read back."""

import pytest

from libs.eventlog.api import (
    Appended,
    Batch,
    Conflict,
    CursorMoved,
    EventLog,
    Fenced,
    Head,
)
from libs.eventlog.chain import verify_stream
from libs.kernel.limits import BATCH_COMMANDS
from tests.kit.records import append_to, batch_of
from tests.kit.shard import feed_of, owned, records_of, untouched


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

    async def test_feed_after_commands(self, log: EventLog) -> None:
        """A feed entry is never of an earlier time than the commands handled by then, whatever the clock says."""
        owner, handled_ms = await owned(log), await log.now_ms() + 3_600_000
        for number in range(2):
            batch = Batch(owner.epoch, f"{handled_ms * number}-0", f"{handled_ms}-0", feed=(b"a", b"b"))
            assert Appended() == await log.append("s", batch)
        times = [int(entry.partition("-")[0]) for entry, _ in await log.feed_tail("s", 10)]
        assert [handled_ms] * 4 == times
        assert [b"a", b"b", b"a", b"b"] == await feed_of(log)

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
