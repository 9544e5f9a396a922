"""What somebody with a hand in the server may do to a log: the script refuses to build on it, the reader says where."""

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from libs.eventlog import keys
from libs.eventlog.api import Appended, Conflict, EventLogUnavailable, Head, LogBroken, Owned
from libs.eventlog.chain import verify_stream
from libs.eventlog.redis_log import RedisLog
from tests.kit.records import append_to, batch_of
from tests.kit.shard import LONG_MS, feed_of, owned, records_of

pytestmark = pytest.mark.redis

STREAM = "T1/1"


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    """A plain client: the hand in the server."""
    client = Redis.from_url(redis_url)
    yield client
    await client.aclose()


@pytest.fixture
async def owner(redis_log: RedisLog) -> Owned:
    """The owner of a shard with ten events in one stream."""
    owner = await owned(redis_log)
    assert Appended() == await redis_log.append("s", batch_of(owner, append_to(STREAM, count=10)))
    return owner


@pytest.fixture
def key(site: str) -> str:
    """Key of the stream's log."""
    return keys.log(site, "s", STREAM)


async def broken_at(log: RedisLog) -> int:
    """Return the version at which verification finds the log broken."""
    with pytest.raises(LogBroken) as caught:
        await verify_stream(log, "s", STREAM)
    return caught.value.version


async def next_append(log: RedisLog, owner: Owned) -> None:
    """Append one more event where the owner believes the stream to end."""
    head = append_to(STREAM, count=10).after
    await log.append("s", batch_of(owner, append_to(STREAM, head), feed=(b"f",)))


async def test_removed_event(redis_log: RedisLog, redis: Redis, owner: Owned, key: str) -> None:
    """An event that was removed from the middle is named by whoever loads the stream."""
    await redis.xdel(key, "4-0")
    with pytest.raises(LogBroken) as caught:
        await records_of(redis_log, STREAM)
    assert caught.value.version == 4
    assert await broken_at(redis_log) == 4


async def test_cut_tail(redis_log: RedisLog, redis: Redis, owner: Owned, key: str) -> None:
    """A log whose end was cut is found by the head in meta; nothing is appended to it."""
    await redis.xdel(key, "9-0", "10-0")
    assert await broken_at(redis_log) == 9
    with pytest.raises(LogBroken) as caught:
        await next_append(redis_log, owner)
    assert caught.value.version == 9
    assert await feed_of(redis_log) == []


async def test_lost_log(redis_log: RedisLog, redis: Redis, owner: Owned, key: str) -> None:
    """A log that is gone altogether is broken at its first event."""
    await redis.delete(key)
    assert await broken_at(redis_log) == 1
    with pytest.raises(LogBroken):
        await next_append(redis_log, owner)


@pytest.mark.parametrize("taken_back", [False, True])
async def test_foreign_entry(redis_log: RedisLog, redis: Redis, owner: Owned, key: str, taken_back: bool) -> None:
    """No gap can be made: an entry that bypassed the script is noticed before anything is written behind it."""
    entry = await redis.xadd(key, {"e": "{}"}, id="12-0")
    if taken_back:
        await redis.xdel(key, entry)
    with pytest.raises(LogBroken) as caught:
        await next_append(redis_log, owner)
    assert caught.value.version == 11
    assert await feed_of(redis_log) == []
    if not taken_back:
        assert await broken_at(redis_log) == 11


async def test_altered_head(redis_log: RedisLog, redis: Redis, owner: Owned, site: str) -> None:
    """A head in meta that was altered is a conflict for the owner and a broken chain for the auditor."""
    await redis.hset(keys.meta(site, "s"), f"head:{STREAM}", f"10 {'f' * 64}")
    head = append_to(STREAM, count=10).after
    again = batch_of(owner, append_to(STREAM, head))
    assert Conflict(STREAM, Head(10, "f" * 64)) == await redis_log.append("s", again)
    assert await broken_at(redis_log) == 10


async def test_altered_event(redis_log: RedisLog, redis: Redis, owner: Owned, key: str) -> None:
    """An event that was altered in place (the stream written anew around it) is named."""
    records = await records_of(redis_log, STREAM)
    records[6] = records[6].replace(b'"number":7', b'"number":8')
    await redis.delete(key)
    for version, raw in enumerate(records, 1):
        await redis.xadd(key, {"e": raw}, id=f"{version}-0")
    assert await broken_at(redis_log) == 7


async def test_key_of_another_type(redis_log: RedisLog, redis: Redis, owner: Owned, site: str) -> None:
    """A key that is no stream stops the append before its first write."""
    await redis.set(keys.feed(site, "s"), "no stream")
    with pytest.raises(EventLogUnavailable, match="WRONGTYPE"):
        await next_append(redis_log, owner)
    assert (await redis_log.heads("s"))[STREAM].version == 10
    assert len(await records_of(redis_log, STREAM)) == 10


async def test_archived_log(redis_log: RedisLog, redis: Redis, owner: Owned, key: str) -> None:
    """A log that is empty because all of it was archived and trimmed is appended to where it ended."""
    await redis.xtrim(key, maxlen=0, approximate=False)
    await next_append(redis_log, owner)
    head = append_to(STREAM, count=10).after
    assert list(append_to(STREAM, head).records) == await records_of(redis_log, STREAM, after=10)


async def test_forgotten_scripts(redis_log: RedisLog, redis: Redis, owner: Owned) -> None:
    """A server that has forgotten its scripts (a restart, a failover) is told them again."""
    await redis.script_flush()
    await next_append(redis_log, owner)
    await redis.script_flush()
    assert await redis_log.renew("s", owner.epoch, LONG_MS)
    assert len(await records_of(redis_log, STREAM)) == 11


async def test_garbage_on_the_inbox(redis_log: RedisLog, redis: Redis, site: str) -> None:
    """Entries that are no commands are handed out: an empty one when the field is missing."""
    await redis.xadd(keys.inbox(site, "s"), {"x": "1", "y": "2"})
    await redis.xadd(keys.inbox(site, "s"), {"x": "1", "c": b"\xff\x00"})
    assert [raw for _, raw in await redis_log.read_inbox("s", "0-0", 10)] == [b"", b"\xff\x00"]
