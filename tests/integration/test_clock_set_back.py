"""The server's clock is set back while shards are owned: whoever is gone is not waited for until it has caught up."""

import pytest

from libs.eventlog import keys
from libs.eventlog.api import Held, Owned
from libs.eventlog.memory import MemoryLog
from libs.eventlog.redis_log import RedisLog
from libs.kernel.limits import MAX_LEASE_MS

HOUR_MS = 3_600_000


@pytest.mark.redis
async def test_a_lease_from_before_the_change_has_ended(redis_log: RedisLog, site: str) -> None:
    """A lease that ends later than any lease may last holds nobody up; the longest one that may be still does."""
    await redis_log.acquire("s", "one", 5_000)
    meta = keys.meta(site, "s")
    now_ms = await redis_log.now_ms()
    await redis_log._calls.call("HSET", meta, "lease_until_ms", now_ms + MAX_LEASE_MS - 1_000)
    assert isinstance(await redis_log.acquire("s", "two", 5_000), Held)
    await redis_log._calls.call("HSET", meta, "lease_until_ms", now_ms + HOUR_MS)
    taken = await redis_log.acquire("s", "two", 5_000)
    assert isinstance(taken, Owned)
    assert not taken.clean


@pytest.mark.redis
async def test_members_from_before_the_change_are_gone(redis_log: RedisLog, site: str) -> None:
    """A member that would live longer than anybody may has to say again that it lives."""
    await redis_log.enlist("toy", "living", 5_000)
    later_ms = await redis_log.now_ms() + HOUR_MS
    await redis_log._calls.call("ZADD", keys.members(site, "toy"), later_ms, "dead")
    assert ("living", "me") == await redis_log.enlist("toy", "me", 5_000)


async def test_the_twin_in_memory_does_the_same() -> None:
    """Leases and members of the log in memory end when its clock is set back by an hour, too."""
    now_ms = [10 * HOUR_MS]
    log = MemoryLog(lambda: now_ms[0])
    await log.acquire("s", "one", 5_000)
    await log.enlist("toy", "dead", 5_000)
    assert isinstance(await log.acquire("s", "two", 5_000), Held)
    now_ms[0] -= HOUR_MS
    assert isinstance(await log.acquire("s", "two", 5_000), Owned)
    assert ("me",) == await log.enlist("toy", "me", 5_000)
