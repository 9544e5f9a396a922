"""The server is killed, restarted, paused or full: the log says so, and goes on by itself when the server is back."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from redis import Redis

from libs.eventlog.api import Appended, AppendUnknown, EventLogUnavailable, Head
from libs.eventlog.chain import verify_stream
from libs.eventlog.redis_log import RedisLog
from tests.kit.records import append_to, batch_of
from tests.kit.redis_server import ServerProcess
from tests.kit.shard import feed_of, owned, records_of

pytestmark = [pytest.mark.redis, pytest.mark.failure]


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server for one test."""
    with ServerProcess() as running:
        yield running


@pytest.fixture
async def log(server: ServerProcess, site: str) -> AsyncIterator[RedisLog]:
    """An impatient log."""
    log = RedisLog(server.url, site, call_ms=1_000)
    yield log
    await log.close()


@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
async def test_restart(server: ServerProcess, log: RedisLog, kill: bool) -> None:
    """After a restart on the same folder everything acknowledged is there, and the first call works again."""
    owner = await owned(log)
    part = append_to("T1/1", count=5)
    await log.append("s", batch_of(owner, part, feed=(b"1",)))
    await asyncio.to_thread(server.restart, kill=kill)
    # Connections of the pool have died meanwhile, and the server has forgotten its scripts.
    assert Appended() == await log.append("s", batch_of(owner, append_to("T1/1", part.after), feed=(b"2",)))
    assert (await log.heads("s"))["T1/1"].version == 6
    assert await feed_of(log) == [b"1", b"2"]


async def test_server_is_down(server: ServerProcess, log: RedisLog) -> None:
    """While the server is down nothing is unknown: the append was not sent; it goes through when the server is back."""
    owner = await owned(log)
    batch = batch_of(owner, append_to("T1/1"))
    server.kill()
    # The first call may still find the connection that has just died.
    with pytest.raises((AppendUnknown, EventLogUnavailable)):
        await log.append("s", batch)
    with pytest.raises(EventLogUnavailable):
        await log.append("s", batch)
    with pytest.raises(EventLogUnavailable):
        await log.now_ms()
    server.start()
    assert Appended() == await log.append("s", batch)


async def test_killed_while_appending(server: ServerProcess, log: RedisLog) -> None:
    """Kill -9 at any moment of a stream of appends: what was acknowledged is there, the unknown one is found out."""
    owner = await owned(log)
    head = Head()
    for _ in range(3):
        killing = asyncio.create_task(asyncio.to_thread(server.kill))
        while True:
            batch = batch_of(owner, append_to("T1/1", head, count=2))
            try:
                assert Appended() == await log.append("s", batch)
            except (AppendUnknown, EventLogUnavailable):
                break
            head = batch.appends[0].after
        await killing
        server.start()
        if await log.resolve("s", batch) is None:
            assert Appended() == await log.append("s", batch)
        head = batch.appends[0].after
    assert head == await verify_stream(log, "s", "T1/1")


async def test_paused_server(server: ServerProcess, log: RedisLog) -> None:
    """A server that hangs makes an append unknown; when it wakes, one copy exists whichever request came first."""
    owner = await owned(log)
    batch = batch_of(owner, append_to("T1/1", count=3))
    server.pause()
    with pytest.raises(AppendUnknown):
        await log.append("s", batch)
    server.resume()
    if await log.resolve("s", batch) is None:
        await log.append("s", batch)
    assert Appended() == await log.resolve("s", batch)
    assert list(batch.appends[0].records) == await records_of(log, "T1/1")


async def test_full_server(server: ServerProcess, log: RedisLog) -> None:
    """A server without memory refuses the whole batch before it writes anything."""
    owner = await owned(log)
    batch = batch_of(owner, append_to("T1/1", count=3), cursor="1-0", feed=(b"f",))
    with Redis.from_url(server.url) as client:
        client.config_set("maxmemory", "1mb")
        with pytest.raises(EventLogUnavailable, match="maxmemory"):
            await log.append("s", batch)
        client.config_set("maxmemory", "0")
    assert await log.resolve("s", batch) is None
    assert Appended() == await log.append("s", batch)
