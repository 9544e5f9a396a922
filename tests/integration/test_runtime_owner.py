"""Owners on a real server: leases, hand-over, sharing, readiness."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from libs.eventlog.api import AppendResult, Batch, EventLogUnavailable
from libs.eventlog.redis_log import RedisLog
from libs.kernel.limits import PARK_AFTER_ATTEMPTS
from libs.runtime import metrics
from libs.runtime.owner import Owner
from tests.kit.owners import Load, owner_of, owning, plays, toy_settings
from tests.kit.shard_run import SHARD, parked_of, stream_of, tags, wish
from tests.kit.toy import Add, Ask, Break, WaitUntil
from tests.kit.waiting import until

pytestmark = pytest.mark.redis

LONG_MS = 60_000
"""A lease that does not end within a test: whatever happens sooner happened for another reason."""


async def test_commands_are_handled_and_answered(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """What lies on the inbox before the start, and what comes after, is done once, in order."""
    load = Load(redis_log)
    await load.send(50)
    async with owning(toy_settings(redis_url, site)) as owner:
        await until(lambda: plays(owner))
        await load.send(50)
        await load.all_answered()
    await load.check()
    assert "" == await owner_of(redis_url, site)


async def test_shards_ask_each_other(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """A debt of one shard reaches the other, and the answer comes back."""
    async with owning(toy_settings(redis_url, site), ("toy-0", "toy-1")):
        await redis_log.send([("toy-0", wish(Ask(shard="toy-1", book="b", amount=4)))])
        await until(lambda: has(redis_log, "toy-0", "a/1", "toy.Heard"))
        assert ["toy.Opened", "toy.Added"] == tags(await stream_of(redis_log, "toy-1", "b/1"))


async def has(log: RedisLog, shard: str, stream: str, tag: str) -> bool:
    """Tell whether a stream holds an event with this tag."""
    return tag in tags(await stream_of(log, shard, stream))


async def test_a_shard_is_taken_over_when_the_lease_ends(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """An owner that is gone without a word is replaced when its lease has run out, and not before."""
    await redis_log.acquire(SHARD, "ghost", 1_500)
    load = Load(redis_log)
    await load.send(5)
    async with owning(toy_settings(redis_url, site)) as owner:
        await until(lambda: owner.status[SHARD].phase == "standby")
        assert (True, "ready") == owner.ready()
        assert "ghost" == await owner_of(redis_url, site)
        await load.all_answered()
    await load.check()


async def test_a_graceful_stop_hands_over_at_once(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """A stopping owner gives the shard back: the next one does not wait for the lease; under load nothing is lost."""
    load = Load(redis_log)
    async with owning(toy_settings(redis_url, site, "owner-2", LONG_MS)) as second:
        async with owning(toy_settings(redis_url, site, "owner-1", LONG_MS)) as first:
            await until(lambda: plays(first))
            sending = asyncio.create_task(load.send(300, 0.001))
            await asyncio.sleep(0.1)
        await until(lambda: plays(second))
        await sending
        await load.all_answered()
    await load.check()


class GatedLog(RedisLog):
    """A log that keeps its process waiting, as if that were paused."""

    def __init__(self, url: str, site: str) -> None:
        super().__init__(url, site)
        self.gate = asyncio.Event()
        self.gate.set()
        self.results: list[AppendResult] = []

    async def append(self, shard: str, batch: Batch) -> AppendResult:
        """Append once the gate is open."""
        await self.gate.wait()
        self.results.append(await super().append(shard, batch))
        return self.results[-1]

    async def renew(self, shard: str, epoch: int, lease_ms: int) -> bool:
        """Renew once the gate is open."""
        await self.gate.wait()
        return await super().renew(shard, epoch, lease_ms)

    async def enlist(self, service: str, member: str, ttl_ms: int) -> tuple[str, ...]:
        """Enlist once the gate is open."""
        await self.gate.wait()
        return await super().enlist(service, member, ttl_ms)


async def test_a_paused_owner_writes_nothing_when_it_wakes(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """Its epoch is stale at its next append: all of its batch is refused, and the new owner's log stands."""
    paused, load = GatedLog(redis_url, site), Load(redis_log)
    async with owning(toy_settings(redis_url, site, "owner-1"), log=paused) as first:
        await until(lambda: plays(first))
        paused.gate.clear()
        await load.send(20)
        async with owning(toy_settings(redis_url, site, "owner-2")) as second:
            await until(lambda: plays(second))
            await load.all_answered()
            before = len(paused.results)
            paused.gate.set()
            await until(lambda: len(paused.results) > before)
            assert "Fenced" == type(paused.results[before]).__name__
            await load.send(20)
            await load.all_answered()
    await load.check()


async def test_two_owners_at_once_are_harmless(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """Two processes of the same name take the shard from each other all the time: each command is done once still."""
    load = Load(redis_log)
    settings = toy_settings(redis_url, site, "owner-1", LONG_MS)
    async with owning(settings) as first, owning(settings) as second:
        for _ in range(6):
            await load.send(40, 0.005)
            await until(lambda: plays(first) or plays(second))
        await load.all_answered()
    await load.check()


async def test_a_crashing_command_is_parked_across_restarts(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """Each crash is met by a new owner: after three attempts the command is set aside, all else is done."""
    load = Load(redis_log)
    await load.send(3)
    await redis_log.send([(SHARD, wish(Add(amount=13), command_id="poison"))])
    await load.send(3)
    crashes = 0
    while not await parked_of(redis_log):
        crashes += 1
        before = crashed()
        async with owning(toy_settings(redis_url, site, f"owner-{crashes}")):
            await until(lambda before=before: crashed() > before or load_is_through(redis_log, load))  # type: ignore[misc]
    async with owning(toy_settings(redis_url, site, "owner-99")) as owner:
        await load.all_answered()
        await until(lambda: owner.ready()[0])
    await load.check()
    (parked,) = await parked_of(redis_log)
    assert f"crashed the shard {PARK_AFTER_ATTEMPTS} times" == parked.reason


async def load_is_through(log: RedisLog, load: Load) -> bool:
    """Tell whether everything that was sent is in the log."""
    return load.sent < len(await stream_of(log, SHARD, "a/1"))


def crashed() -> float:
    """Return how many crashes this process has counted."""
    return metrics.REGISTRY.get_sample_value("tapis_shard_crashes_total", {"service": "toy"}) or 0.0


async def test_a_crash_stops_neither_neighbours_nor_other_shards(
    redis_url: str, site: str, redis_log: RedisLog
) -> None:
    """A book that crashes at every tick is suspended; the other books of its shard and the other shards go on."""
    load, other = Load(redis_log, book="b"), Load(redis_log, "toy-1", "c")
    async with owning(toy_settings(redis_url, site), ("toy-0", "toy-1")) as owner:
        await redis_log.send([(SHARD, wish(Break(where="tick")))])
        await load.send(50, 0.01)
        await other.send(20)
        await other.all_answered()
        await load.all_answered()
        await until(lambda: owner.status[SHARD].experience.suspended("a") and owner.ready()[0])
    await load.check()
    await other.check()


async def test_a_timer_that_ran_out_in_between_is_noticed(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """A deadline that passed while nobody owned the shard leads to its event at the next take-over."""
    async with owning(toy_settings(redis_url, site)):
        await redis_log.send([(SHARD, wish(WaitUntil(at_ms=4_000_000_000_000)))])
        await until(lambda: has(redis_log, SHARD, "a/1", "toy.Waited"))
        await redis_log.send([(SHARD, wish(WaitUntil(at_ms=await redis_log.now_ms() + 600), "b"))])
        await until(lambda: has(redis_log, SHARD, "b/1", "toy.Waited"))
    await asyncio.sleep(0.7)
    assert 2 == len(await stream_of(redis_log, SHARD, "b/1"))
    async with owning(toy_settings(redis_url, site)):
        await until(lambda: ticked(redis_log))
    assert 2 == len(await stream_of(redis_log, SHARD, "a/1"))


async def ticked(log: RedisLog) -> bool:
    """Tell whether book b has had its tick."""
    return 3 == len(await stream_of(log, SHARD, "b/1"))


# -- sharing ------------------------------------------------------------------------------------------------------
SHARDS = tuple(f"toy-{number}" for number in range(6))


def share(owner: Owner) -> list[str]:
    """Return the shards that an owner consumes."""
    return [name for name in SHARDS if plays(owner, name)]


async def test_shards_spread_over_owners_and_move_back(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """Two owners have three shards each, three have two each, and after one stopped it is three again; under load."""
    loads = [Load(redis_log, name) for name in SHARDS]
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(owning(toy_settings(redis_url, site, f"owner-{n}", LONG_MS), SHARDS))
            for n in (1, 2)
        ]
        sending = asyncio.gather(*[load.send(150, 0.01) for load in loads])
        await until(lambda: [3, 3] == [len(share(one)) for one in (first, second)])
        async with owning(toy_settings(redis_url, site, "owner-3", LONG_MS), SHARDS) as third:
            await until(lambda: [2, 2, 2] == [len(share(one)) for one in (first, second, third)])
            assert set(SHARDS) == {name for one in (first, second, third) for name in share(one)}
            assert all(one.ready()[0] for one in (first, second, third))
        await until(lambda: [3, 3] == [len(share(one)) for one in (first, second)])
        await sending
        for load in loads:
            await load.all_answered()
    for load in loads:
        await load.check()


# -- readiness ----------------------------------------------------------------------------------------------------
class SlowLog(RedisLog):
    """A log whose loading may be kept waiting, and whose server may be away."""

    def __init__(self, url: str, site: str) -> None:
        super().__init__(url, site)
        self.loading = asyncio.Event()
        self.away = False

    async def feed_tail(self, shard: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Wait to be let go."""
        await self.loading.wait()
        return await super().feed_tail(shard, count)

    async def enlist(self, service: str, member: str, ttl_ms: int) -> tuple[str, ...]:
        """Fail while away."""
        if self.away:
            raise EventLogUnavailable("away")
        return await super().enlist(service, member, ttl_ms)

    async def renew(self, shard: str, epoch: int, lease_ms: int) -> bool:
        """Fail while away."""
        if self.away:
            raise EventLogUnavailable("away")
        return await super().renew(shard, epoch, lease_ms)


async def test_readiness_is_truthful(redis_url: str, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not ready before the log answered, while loading, and while the log is away; ready when consuming again."""
    monkeypatch.setattr("libs.runtime.owner.LONGEST_SILENCE_S", 0.7)
    log = SlowLog(redis_url, site)
    log.away = True
    async with owning(toy_settings(redis_url, site, lease_ms=600), log=log) as owner:
        assert (False, "the log does not answer") == owner.ready()
        log.away = False
        await until(lambda: owner.status[SHARD].phase == "loading")
        await until(lambda: owner.ready() == (False, f"{SHARD}: loading"))
        log.loading.set()
        await until(lambda: owner.ready()[0])
        assert plays(owner)
        log.away = True
        await until(lambda: not owner.ready()[0])
        await until(lambda: owner.ready() == (False, "the log does not answer"))
        log.away = False
        await until(lambda: owner.ready()[0])


async def test_a_broken_log_is_not_played_on(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """A shard whose log does not hold together is not ready and writes nothing; the others are played."""
    async with owning(toy_settings(redis_url, site), ("toy-0", "toy-1")):
        await redis_log.send([(SHARD, wish(Add(amount=1)))])
        await until(lambda: has(redis_log, SHARD, "a/1", "toy.Added"))
    await redis_log._calls.call("XDEL", f"{{{site}:{SHARD}}}:log:a/1", "2-0")
    async with owning(toy_settings(redis_url, site), ("toy-0", "toy-1")) as owner:
        await until(lambda: owner.status[SHARD].phase == "failing" and plays(owner, "toy-1"))
        assert (False, f"{SHARD}: failing") == owner.ready()
