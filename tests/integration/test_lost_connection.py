"""A connection that is cut during an append: the outcome is unknown, reading back tells it, one copy exists."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from libs.eventlog.api import Appended, AppendUnknown, Conflict, CursorMoved, EventLogUnavailable, Owned
from libs.eventlog.chain import verify_stream
from libs.eventlog.redis_log import RedisLog
from tests.kit.proxy import Proxy
from tests.kit.records import append_to, batch_of
from tests.kit.shard import LONG_MS, feed_of, owned, records_of

pytestmark = pytest.mark.redis


@pytest.fixture
async def proxy(redis_url: str) -> AsyncIterator[Proxy]:
    """A way to the server that can be cut. Its socket has a short path, as unix sockets need."""
    folder = Path(tempfile.mkdtemp(prefix="tapis-"))
    async with Proxy(redis_url, folder).running() as running:
        yield running
    shutil.rmtree(folder)


@pytest.fixture
async def log(proxy: Proxy, site: str) -> AsyncIterator[RedisLog]:
    """A log that speaks through the proxy, and waits for as long as a busy machine may need."""
    other = RedisLog(proxy.url, f"{site}-before")
    await _warm_up(other)
    await other.close()
    log = RedisLog(proxy.url, site, call_ms=60_000)
    yield log
    await log.close()


@pytest.fixture
async def impatient(proxy: Proxy, site: str) -> AsyncIterator[RedisLog]:
    """Another process's log, which gives up soon: only asked for what is held back anyway."""
    log = RedisLog(proxy.url, site, call_ms=3_000)
    await _warm_up(log)
    yield log
    await log.close()


async def _warm_up(log: RedisLog) -> None:
    """See to it that a connection and the server's copy of the script are there before anything gets lost."""
    warm = await log.acquire("warm", "one", LONG_MS)
    assert isinstance(warm, Owned)
    await log.append(warm.shard, batch_of(warm, append_to("W/1")))


async def test_reply_is_lost(proxy: Proxy, log: RedisLog) -> None:
    """The reply is lost: reading back says appended; appending again is refused; one copy exists."""
    owner = await owned(log)
    batch = batch_of(owner, append_to("T1/1", count=3), cursor="3-0", feed=(b"f",))
    proxy.mode = "drop_reply"
    with pytest.raises(AppendUnknown):
        await log.append("s", batch)
    proxy.mode = "pass"
    assert Appended() == await log.resolve("s", batch)
    assert CursorMoved("3-0") == await log.append("s", batch)
    assert list(batch.appends[0].records) == await records_of(log, "T1/1")
    assert await feed_of(log) == [b"f"]


async def test_request_is_lost(proxy: Proxy, log: RedisLog) -> None:
    """The request is lost: reading back says that it did not happen; appending again succeeds; one copy exists."""
    owner = await owned(log)
    batch = batch_of(owner, append_to("T1/1", count=3), feed=(b"f",))
    proxy.mode = "drop_request"
    with pytest.raises(AppendUnknown):
        await log.append("s", batch)
    proxy.mode = "pass"
    assert await log.resolve("s", batch) is None
    assert Appended() == await log.append("s", batch)
    assert list(batch.appends[0].records) == await records_of(log, "T1/1")
    assert await feed_of(log) == [b"f"]


async def test_request_is_late(proxy: Proxy, log: RedisLog, impatient: RedisLog) -> None:
    """The request arrives after it was given up and sent again: the late one is refused, one copy exists."""
    owner = await owned(log)
    batch = batch_of(owner, append_to("T1/1", count=3), cursor="3-0", feed=(b"f",))
    proxy.mode = "hold_request"
    with pytest.raises(AppendUnknown, match="in time"):
        await impatient.append("s", batch)
    proxy.mode = "pass"
    assert await log.resolve("s", batch) is None
    assert Appended() == await log.append("s", batch)
    await proxy.let_go()
    assert list(batch.appends[0].records) == await records_of(log, "T1/1")
    assert await feed_of(log) == [b"f"]


async def test_late_request_comes_first(proxy: Proxy, log: RedisLog, impatient: RedisLog) -> None:
    """The request arrives after reading back said no: what is appended then is refused, and the truth is found."""
    owner = await owned(log)
    batch = batch_of(owner, append_to("T1/1", count=3))
    proxy.mode = "hold_request"
    with pytest.raises(AppendUnknown):
        await impatient.append("s", batch)
    proxy.mode = "pass"
    assert await log.resolve("s", batch) is None
    await proxy.let_go()
    again = batch_of(owner, append_to("T1/1", count=2, cause="c:2"))
    assert Conflict("T1/1", batch.appends[0].after) == await log.append("s", again)
    assert Appended() == await log.resolve("s", batch)
    assert batch.appends[0].after == await verify_stream(log, "s", "T1/1")


async def test_append_is_cancelled(proxy: Proxy, log: RedisLog) -> None:
    """A cancelled append may have happened; its connection is never used again, so no reply goes astray."""
    owner = await owned(log)
    batch = batch_of(owner, append_to("T1/1", count=3))
    proxy.mode = "hold_request"
    appending = asyncio.create_task(log.append("s", batch))
    await proxy.held.wait()
    appending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await appending
    proxy.mode = "pass"
    assert await log.shards() == ("s",)
    await proxy.let_go()
    assert Appended() == await log.resolve("s", batch)


async def test_reads_are_repeated_once(proxy: Proxy, log: RedisLog) -> None:
    """A read on a connection that has died is repeated on a new one; a server out of reach is unavailable."""
    await owned(log)
    proxy.mode = "drop_request"
    with pytest.raises(EventLogUnavailable):
        await log.heads("s")
    with pytest.raises(EventLogUnavailable):
        await log.send([("s", b"{}")])
    proxy.mode = "pass"
    assert await log.heads("s") == {}
    assert await log.inbox_length("s", "0-0") == 0


async def test_slow_server(proxy: Proxy, log: RedisLog, impatient: RedisLog) -> None:
    """A server that does not answer in time is unavailable; waiting for news on a feed may take longer."""
    await owned(log)
    assert (await impatient.read_feed("s", "0-0", 1, block_ms=700)).entries == ()
    proxy.mode = "hold_request"
    with pytest.raises(EventLogUnavailable, match="in time"):
        await impatient.now_ms()


async def test_nothing_was_sent(site: str) -> None:
    """Without a connection nothing is sent: the log is unavailable, nothing is unknown."""
    log = RedisLog("unix:///nowhere/redis.sock", site)
    with pytest.raises(EventLogUnavailable):
        await log.append("s", batch_of(Owned("s", 1, "0-0", {}, clean=True), append_to("T1/1")))
    with pytest.raises(EventLogUnavailable):
        await log.acquire("s", "one", LONG_MS)
    with pytest.raises(EventLogUnavailable):
        await records_of(log, "T1/1")
    await log.close()
