"""A follower folds a shard from outside: from the logs, then from the feed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from libs.eventlog.api import EventLogUnavailable, FeedPage
from libs.eventlog.memory import MemoryLog
from libs.kernel.envelope import FeedEntry
from libs.runtime.follower import Follower, follow
from tests.kit.shard_run import SHARD, ShardRun, open_run, wish
from tests.kit.toy import TOY, Add, OpenNext, ToyState
from tests.kit.waiting import until


class FarLog(MemoryLog):
    """A log that a follower may lose."""

    def __init__(self, feed_entries: int = 1_000) -> None:
        super().__init__(feed_entries=feed_entries)
        self.away = False
        self.loads: list[tuple[str, int]] = []

    async def read_feed(self, shard: str, after: str, count: int, block_ms: int) -> FeedPage:
        """Fail while away."""
        if self.away:
            raise EventLogUnavailable("away")
        return await super().read_feed(shard, after, count, min(block_ms, 20))

    async def feed_tail(self, shard: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Fail while away."""
        if self.away:
            raise EventLogUnavailable("away")
        return await super().feed_tail(shard, count)

    def load(self, shard: str, stream: str, after: int = 0) -> AsyncIterator[tuple[bytes, ...]]:
        """Note what is loaded."""
        self.loads.append((stream, after))
        return super().load(shard, stream, after)

    async def lose_everything(self) -> None:
        """Begin anew, as a server without its files does."""
        self._shards.clear()


@asynccontextmanager
async def following(run: ShardRun) -> AsyncIterator[tuple[Follower[ToyState], list[FeedEntry]]]:
    """Follow the run's shard; yield the follower and what it hears."""
    follower: Follower[ToyState] = follow(run.log, SHARD, TOY)
    heard: list[FeedEntry] = []
    follower.listen(lambda entry, _: heard.append(entry))
    task = asyncio.create_task(follower.run())
    await until(lambda: follower.live)
    yield follower, heard
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def totals(follower: Follower[ToyState]) -> dict[str, int]:
    """Return the total of each book."""
    return {name: state.total for name, state in follower.states.items()}


async def test_a_follower_begins_with_the_logs_and_goes_on_with_the_feed() -> None:
    """What was before comes from the logs, what is new from the feed; each event is taken in once."""
    run = await open_run(FarLog())
    await run.say(wish(Add(amount=1)), wish(Add(amount=2)))
    async with following(run) as (follower, heard):
        assert {"a": 3} == totals(follower)
        await run.say(wish(Add(amount=4)), wish(Add(amount=5), "b"))
        await until(lambda: len(heard) == 2)
        assert {"a": 7, "b": 5} == totals(follower)
        assert {"a": ("a/1", 4), "b": ("b/1", 2)} == follower.versions
        assert {name: book.state for name, book in run.shard.books.items()} == follower.states


async def test_a_follower_goes_from_volume_to_volume() -> None:
    """The first event of a new volume replaces the state of the old one."""
    run = await open_run(FarLog())
    async with following(run) as (follower, heard):
        await run.say(wish(Add(amount=1)), wish(OpenNext()), wish(Add(amount=2)), wish(OpenNext()))
        await until(lambda: len(heard) == 4)
        assert (("a/3", 1), 3) == (follower.versions["a"], totals(follower)["a"])


async def test_a_secret_that_was_not_told_is_taken_from_the_log() -> None:
    """A gap in the versions of a feed is a secret event: only that stream is asked for, from where we are."""
    log = FarLog()
    run = await open_run(log)
    await run.say(wish(Add(amount=1)), wish(Add(amount=1), "b"))
    async with following(run) as (follower, heard):
        log.loads.clear()
        await run.say(wish(Add(amount=7)), wish(Add(amount=1)))
        await until(lambda: len(heard) == 2)
        assert {"a": 9, "b": 1} == totals(follower)
        assert ("a/1", 5) == follower.versions["a"]
        assert [("a/1", 3)] == log.loads


async def test_a_follower_that_fell_behind_the_feed_reads_the_logs() -> None:
    """Entries that were cut away before they were read are not missed in the states; those still there are heard."""
    log = FarLog(feed_entries=3)
    run = await open_run(log)
    async with following(run) as (follower, heard):
        await run.say(*[wish(Add(amount=1)) for _ in range(10)])
        await until(lambda: totals(follower).get("a") == 10)
        await until(lambda: len(heard) == 3)
        await run.say(wish(Add(amount=1), command_id="last"))
        await until(lambda: len(heard) == 4)
        assert 11 == totals(follower)["a"]


async def test_an_outage_is_survived() -> None:
    """While the log is away the states stand and nobody is told that they are fresh; afterwards all is caught up."""
    log = FarLog()
    run = await open_run(log)
    async with following(run) as (follower, _):
        log.away = True
        await until(lambda: not follower.live)
        log.away = False
        await run.say(wish(Add(amount=1)))
        await until(lambda: follower.live)
        assert {"a": 1} == totals(follower)


async def test_what_is_told_during_an_outage_is_heard_after_it() -> None:
    """Somebody may wait for an answer that was given while the feed could not be read: it is not passed over."""
    log = FarLog()
    run = await open_run(log)
    async with following(run) as (follower, heard):
        await run.say(wish(Add(amount=1)))
        await until(lambda: len(heard) == 1)
        log.away = True
        await until(lambda: not follower.live)
        await run.say(wish(Add(amount=1), command_id="asked"), wish(Add(amount=1)))
        log.away = False
        await until(lambda: follower.live)
        assert {"a": 3} == totals(follower)
        assert "asked" in [entry.answer.id for entry in heard if entry.answer]
        assert 3 == len(heard)


async def test_a_log_that_lost_its_end_is_believed() -> None:
    """When the log holds less than a follower remembers, the follower remembers no more than the log."""
    log = FarLog()
    run = await open_run(log)
    await run.say(wish(Add(amount=1)), wish(Add(amount=1), "b"))
    async with following(run) as (follower, _):
        assert {"a": 1, "b": 1} == totals(follower)
        await log.lose_everything()
        await until(lambda: not follower.states)
        fresh = await open_run(log)
        await fresh.say(wish(Add(amount=5)))
        await until(lambda: totals(follower) == {"a": 5})


async def test_whoever_listens_may_stop() -> None:
    """The function that `listen` returns ends the hearing, and may be called twice."""
    run = await open_run(FarLog())
    async with following(run) as (follower, heard):
        other: list[bytes] = []
        stop = follower.listen(lambda _, raw: other.append(raw))
        await run.say(wish(Add(amount=1)))
        await until(lambda: len(heard) == 1)
        stop()
        stop()
        await run.say(wish(Add(amount=1)))
        await until(lambda: len(heard) == 2)
        assert 1 == len(other)
