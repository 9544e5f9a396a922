"""Real processes of a toy service, killed and paused while it works."""

import asyncio

import pytest

from libs.eventlog.redis_log import RedisLog
from libs.kernel.limits import PARK_AFTER_ATTEMPTS
from tests.kit.owners import Load, ToyProcess, owned_by
from tests.kit.shard_run import SHARD, parked_of, stream_of, wish
from tests.kit.toy import Add
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]

LONG_MS = 60_000


async def test_a_killed_owner_is_replaced(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """Kill -9 under load, several times: another process takes over when the lease ends, nothing is lost or doubled."""
    load = Load(redis_log)
    owner = ToyProcess(redis_url, site, "owner-0")
    await until(owned_by(redis_url, site, "owner-0"))
    for turn in range(1, 4):
        with owner:
            successor = ToyProcess(redis_url, site, f"owner-{turn}")
            sending = asyncio.create_task(load.send(200, 0.002))
            await asyncio.sleep(0.15)
            owner.kill()
        await until(owned_by(redis_url, site, f"owner-{turn}"))
        await sending
        owner = successor
    with owner:
        await load.all_answered()
        assert 0 == owner.stop()
    await load.check()


async def test_a_stopped_process_hands_over_at_once(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """SIGTERM under load: the process ends in order, and the next one does not wait for the lease of a minute."""
    load = Load(redis_log)
    with ToyProcess(redis_url, site, "owner-1", lease_ms=LONG_MS) as first:
        await until(owned_by(redis_url, site, "owner-1"))
        with ToyProcess(redis_url, site, "owner-2", lease_ms=LONG_MS):
            sending = asyncio.create_task(load.send(300, 0.002))
            await asyncio.sleep(0.1)
            assert 0 == await asyncio.to_thread(first.stop)
            await until(owned_by(redis_url, site, "owner-2"))
            await sending
            await load.all_answered()
    await load.check()


async def test_a_paused_process_writes_nothing_when_it_wakes(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """SIGSTOP under load until another process owns the shard, then SIGCONT: the log has neither fork nor gap."""
    load = Load(redis_log)
    with (
        ToyProcess(redis_url, site, "owner-1") as paused,
        ToyProcess(redis_url, site, "owner-2"),
    ):
        await until(owned_by(redis_url, site, "owner-1"))
        for _ in range(3):
            sending = asyncio.create_task(load.send(100, 0.002))
            await asyncio.sleep(0.05)
            paused.pause()
            await until(owned_by(redis_url, site, "owner-2"))
            paused.resume()
            await sending
            # It comes back to its share, which the other hands over.
            await until(owned_by(redis_url, site, "owner-1"))
        await load.all_answered()
        assert paused.exit_code is None
    await load.check()


async def test_a_command_that_kills_the_process_is_parked(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """Each process that decides it dies at once; attempts are counted in the log, and the command is set aside."""
    load = Load(redis_log)
    await load.send(3)
    await redis_log.send([(SHARD, wish(Add(amount=66), command_id="poison"))])
    await load.send(3)
    deaths = 0
    while True:
        with ToyProcess(redis_url, site, f"owner-{deaths}", lease_ms=500) as owner:
            await until(lambda owner=owner: owner.exit_code is not None or is_parked(redis_log))  # type: ignore[misc]
            if owner.exit_code is None:
                await load.all_answered()
                break
            deaths += 1
    assert PARK_AFTER_ATTEMPTS + 1 == deaths, "once in a batch, where nobody knew which command it was"
    (parked,) = await parked_of(redis_log)
    assert f"crashed the shard {PARK_AFTER_ATTEMPTS} times" == parked.reason
    await load.check()


async def is_parked(log: RedisLog) -> bool:
    """Tell whether something was set aside."""
    return len(await parked_of(log)) == 1


async def test_a_service_waits_for_its_log(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """A process that starts before its log's server waits for it, and stops in order when told to meanwhile."""
    with ToyProcess("unix:///nowhere/redis.sock", site, "owner-1") as early:
        await until(lambda: "waiting for the log" in early.said())
        assert early.exit_code is None
        assert 0 == await asyncio.to_thread(early.stop)
    assert [] == await stream_of(redis_log, SHARD, "a/1")
