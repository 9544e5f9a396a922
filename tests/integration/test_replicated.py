"""With a replica to wait for: what it does not have is told to nobody, and what was told is there if it takes over."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from libs.eventlog import keys, redis_log, redis_read, wire
from libs.eventlog.api import Appended, AppendUnknown, EventLog, EventLogUnavailable, FeedPage
from libs.eventlog.person_keys import RedisPersonKeys
from libs.eventlog.redis_log import RedisLog
from libs.eventlog.server_check import check_server
from tests.kit.eventlog_contract import EventLogContract
from tests.kit.person_keys_contract import ANNA
from tests.kit.records import append_to, batch_of
from tests.kit.replicas import Replicas
from tests.kit.shard import feed_of, owned, records_of

pytestmark = pytest.mark.redis


@pytest.fixture(scope="module")
def pair() -> Iterator[Replicas]:
    """A primary and its replica."""
    with Replicas() as running:
        yield running


@pytest.fixture
async def log(pair: Replicas, site: str) -> AsyncIterator[RedisLog]:
    """A log that waits for the replica."""
    log = RedisLog(pair.primary.url, site, replicas=1)
    yield log
    await log.close()


@pytest.fixture
async def reader(pair: Replicas, site: str) -> AsyncIterator[RedisLog]:
    """Somebody who reads the same, without being told that there is a replica."""
    reader = RedisLog(pair.primary.url, site)
    yield reader
    await reader.close()


@contextmanager
def silent_replica(pair: Replicas) -> Iterator[None]:
    """Let the replica be silent, and nobody wait long for it."""
    with pair.without_replica(), pytest.MonkeyPatch.context() as patch:
        for module in (redis_read, wire):
            patch.setattr(module, "REPLICA_WAIT_MS", 50)
        yield


class TestReplicatedLog(EventLogContract):
    """The contract, as in any other mode."""

    @pytest.fixture
    async def small_log(self, pair: Replicas, site: str) -> AsyncIterator[EventLog]:
        """A log that keeps few entries on its feeds."""
        log = RedisLog(pair.primary.url, site, feed_entries=100, replicas=1)
        yield log
        await log.close()


async def test_what_no_replica_has_is_told_to_nobody(pair: Replicas, log: RedisLog, reader: RedisLog) -> None:
    """Its outcome is unknown to the owner, feed and log end before it; once a replica has it, it has happened."""
    owner = await owned(log)
    first, second = append_to("T1/1", count=1), append_to("T1/1", append_to("T1/1", count=1).after, count=1)
    await log.append("s", batch_of(owner, first, feed=(b"told",)))
    [told] = await reader.feed_tail("s", 10)
    batch = batch_of(owner, second, feed=(b"whispered",))
    with silent_replica(pair):
        with pytest.raises(AppendUnknown, match="no replica confirmed it"):
            await log.append("s", batch)
        with pytest.raises(EventLogUnavailable):
            await log.resolve("s", batch)
        assert FeedPage(()) == await reader.read_feed("s", told[0], 10, 0)
        assert (told,) == await reader.feed_tail("s", 10)
        with pytest.raises(EventLogUnavailable, match="no replica has confirmed"):
            await records_of(reader, "T1/1")
    assert Appended() == await log.resolve("s", batch)
    assert [b"told", b"whispered"] == await feed_of(reader)
    assert [*first.records, *second.records] == await records_of(reader, "T1/1")


async def test_a_mark_that_could_not_be_set_is_no_append_that_did_not_happen(log: RedisLog, reader: RedisLog) -> None:
    """The batch is written, but nobody is told of it: its outcome is unknown until it is read back."""
    batch = batch_of(await owned(log), append_to("T1/1", count=1), feed=(b"told",))

    async def refuse_marks(connection: Any, script: wire.Script, *rest: Any) -> Any:
        if b"mark" in script.text:
            raise ResponseError("NOREPLICAS Not enough good replicas to write.")
        return await wire.run_script(connection, script, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redis_log, "run_script", refuse_marks)
        with pytest.raises(AppendUnknown, match="Not enough good replicas"):
            await log.append("s", batch)
    assert Appended() == await log.resolve("s", batch)
    assert [b"told"] == await feed_of(reader)


async def test_what_one_server_has_is_not_confirmed_by_another(pair: Replicas, log: RedisLog, site: str) -> None:
    """The primary changes while an append is read back: what the new one does not have, has not happened."""
    batch = batch_of(await owned(log), append_to("T1/1", count=1))
    await log.append("s", batch)
    meta, stream = keys.meta(site, "s"), keys.log(site, "s", "T1/1")

    async def confirm_elsewhere(*_: Any) -> bool:
        with Redis.from_url(pair.primary.url) as client:  # as if it were another server
            client.hdel(meta, "head:T1/1")
            client.delete(stream)
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "_confirm", confirm_elsewhere)
        assert await log.resolve("s", batch) is None


async def test_a_shard_taken_at_a_lost_server_is_not_owned(pair: Replicas, log: RedisLog, site: str) -> None:
    """The new primary has given the same epoch to somebody else: whoever took it at the old one has nothing."""
    with pytest.MonkeyPatch.context() as patch:
        run = log._calls.script

        async def another_server(script: wire.Script, *rest: Any) -> Any:
            if b"touch" in script.text:
                with Redis.from_url(pair.primary.url) as client:
                    client.hset(keys.meta(site, "s"), "owner", "two")
            return await run(script, *rest)

        patch.setattr(log._calls, "script", another_server)
        with pytest.raises(EventLogUnavailable, match="the primary no longer"):
            await owned(log)


async def test_nobody_owns_what_no_replica_knows_of(pair: Replicas, log: RedisLog, reader: RedisLog) -> None:
    """An epoch that could be given twice fences nobody: a shard is not ours before a replica has it."""
    before = await owned(log)
    with silent_replica(pair), pytest.raises(EventLogUnavailable):
        await owned(log)
    after = await owned(log)
    assert after.epoch > before.epoch
    assert [] == await feed_of(reader)


async def test_the_next_owner_tells_what_the_last_could_not(pair: Replicas, log: RedisLog, reader: RedisLog) -> None:
    """What was appended but not confirmed is confirmed, and told, by acquiring the shard."""
    batch = batch_of(await owned(log), append_to("T1/1", count=1), feed=(b"late",))
    with silent_replica(pair), pytest.raises(AppendUnknown):
        await log.append("s", batch)
    await owned(log)
    assert [b"late"] == await feed_of(reader)


async def test_an_owner_in_another_mode_lets_readers_pass(pair: Replicas, log: RedisLog, reader: RedisLog) -> None:
    """Where nobody waits for replicas any more, readers do not wait at an old mark."""
    await log.append("s", batch_of(await owned(log), feed=(b"1",)))
    with silent_replica(pair):
        await reader.append("s", batch_of(await owned(reader), feed=(b"2",)))
        assert [b"1", b"2"] == await feed_of(reader)


async def test_a_key_of_a_person_is_not_claimed_before_a_replica_has_it(pair: Replicas, site: str) -> None:
    """Or an event could be sealed with a key that is lost; repeating the claim confirms what the first one wrote."""
    store = RedisPersonKeys(pair.primary.url, site, replicas=1)
    with silent_replica(pair):
        for _ in range(2):
            with pytest.raises(EventLogUnavailable):
                await store.claim("imprint-a", ANNA, "k.1")
    claimed = await store.claim("imprint-a", ANNA, "k.1")
    assert claimed is not None
    assert claimed.locked == "k.1"
    await store.close()


async def test_what_was_told_is_on_the_replica(pair: Replicas, log: RedisLog, site: str) -> None:
    """Feed, log, cursor and epoch: whoever reads the replica finds all that was told at the primary."""
    owner = await owned(log)
    await log.send([("s", b"1")])
    [(entry, _)] = await log.read_inbox("s", "0-0", 1)
    batch = batch_of(owner, append_to("T1/1", count=3), feed=(b"told",), cursor=entry)
    await log.append("s", batch)
    replica = RedisLog(pair.replica.url, site)
    assert [b"told"] == [raw for _, raw in await replica.feed_tail("s", 10)]
    assert list(batch.appends[0].records) == await records_of(replica, "T1/1")
    await replica.close()


async def test_a_server_with_a_replica_is_fit(pair: Replicas) -> None:
    """One that is a replica itself, or has none online, is waited for."""
    assert await check_server(pair.primary.url, "replicated", sees_settings=True)
    with pytest.raises(EventLogUnavailable, match="is a replica"):
        await check_server(pair.replica.url, "replicated", sees_settings=True)
