"""Two owners that take the shard from one another while both append: harmless, whoever wins."""

import asyncio
from collections import Counter
from random import Random

import msgspec
import pytest

from libs.eventlog.api import Appended, Fenced, Head, Owned
from libs.eventlog.chain import decode_record, verify_stream
from libs.eventlog.redis_log import RedisLog
from tests.kit.records import append_to, batch_of
from tests.kit.shard import feed_of, owned, records_of

pytestmark = pytest.mark.redis

STREAM = "T1/1"
APPENDS = 10_000
PATIENCE = 30
"""Most appends of the other that an owner bears before it takes the shard back."""


async def own_and_append(log: RedisLog, name: str, outcomes: Counter[str]) -> None:
    """Take the shard, append until it is taken away, bear a few appends of the other, and so on until it is enough."""
    chance = Random(name)
    while outcomes["appended"] < APPENDS:
        # A lease of no time may be taken by the other at any moment, also while an append is on its way.
        owner = await log.acquire("s", name, lease_ms=0)
        assert isinstance(owner, Owned)
        await append_until_fenced(log, owner, name, outcomes)
        bear_until = outcomes["appended"] + chance.randint(1, PATIENCE)
        while outcomes["appended"] < min(bear_until, APPENDS):
            await log.now_ms()


async def append_until_fenced(log: RedisLog, owner: Owned, name: str, outcomes: Counter[str]) -> None:
    """Append one event after the other."""
    head = owner.heads.get(STREAM, Head())
    while outcomes["appended"] < APPENDS:
        part = append_to(STREAM, head, cause=f"{name}:{owner.epoch}")
        match await log.append("s", batch_of(owner, part, feed=(part.after.hash.encode(),))):
            case Appended():
                head = part.after
                outcomes["appended"] += 1
            case Fenced(epoch):
                assert epoch > owner.epoch
                outcomes["fenced"] += 1
                return
            case other:
                pytest.fail(f"an owner cannot meet {other}")


async def test_two_owners_at_once(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """10,000 appends by two owners that steal the lease from one another stay dense, unique and chained."""
    other = RedisLog(redis_url, site)
    outcomes: Counter[str] = Counter()
    await asyncio.gather(own_and_append(redis_log, "one", outcomes), own_and_append(other, "two", outcomes))
    await other.close()

    records = [decode_record(raw) for raw in await records_of(redis_log, STREAM)]
    assert list(range(1, len(records) + 1)) == [record.version for record in records]
    assert outcomes["appended"] == len(records) >= APPENDS
    head = await verify_stream(redis_log, "s", STREAM)
    assert head == (await redis_log.heads("s"))[STREAM]
    # The feed tells of each event once, in the order of the log.
    assert [record.hash.encode() for record in records[:APPENDS]] == await feed_of(redis_log)
    # Epochs never go back along the log, and both owners were refused at times.
    epochs = [int(record.cause.partition(":")[2]) for record in records]
    assert sorted(epochs) == epochs
    assert outcomes["fenced"] > 0
    assert {"one", "two"} == {record.cause.partition(":")[0] for record in records}


async def test_stale_epoch_for_ever(redis_log: RedisLog) -> None:
    """An owner that slept through a take-over is refused, however often it tries and whatever it expects."""
    sleeper = await owned(redis_log, "one", lease_ms=0)
    awake = await owned(redis_log, "two")
    part = append_to(STREAM, count=2)
    await redis_log.append("s", batch_of(awake, part))
    for stale in (append_to(STREAM), append_to(STREAM, part.after), append_to("T2/1")):
        assert Fenced(awake.epoch) == await redis_log.append("s", batch_of(sleeper, stale))
    assert list(part.records) == await records_of(redis_log, STREAM)


async def test_race_on_one_version(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """Many that append the same next version with the same epoch: exactly one wins each time."""
    owner = await owned(redis_log)
    head = Head()
    for _ in range(20):
        rivals = [append_to(STREAM, head, cause=f"c:{number}") for number in range(8)]
        results = await asyncio.gather(*(redis_log.append("s", batch_of(owner, rival)) for rival in rivals))
        assert results.count(Appended()) == 1
        head = rivals[results.index(Appended())].after
    assert head == await verify_stream(redis_log, "s", STREAM)


def test_records_are_json(site: str) -> None:
    """A record is one JSON object with the hash in front, for whoever reads the log with redis-cli."""
    (raw,) = append_to(STREAM).records
    assert list(msgspec.json.decode(raw)) == ["hash", "stream", "version", "at_ms", "actor", "cause", "body"]
