"""The contract of every event log: leases, epochs, attempts, members."""

from libs.eventlog.api import (
    Appended,
    EventLog,
    Fenced,
    Held,
    Owned,
)
from tests.kit.records import append_to, batch_of
from tests.kit.shard import LONG_MS, owned, untouched


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
