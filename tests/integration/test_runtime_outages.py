"""What the runtime does when the server goes away, a connection breaks, or the inbox is not read any more."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from libs.eventlog import keys
from libs.eventlog.redis_log import RedisLog
from libs.kernel.limits import BATCH_COMMANDS
from libs.runtime import metrics
from tests.kit.cutter import Cutter, Losing
from tests.kit.owners import Load, owning, plays, toy_settings
from tests.kit.redis_server import ServerProcess
from tests.kit.shard_run import SHARD, parked_of, wish
from tests.kit.toy import Add, Ask
from tests.kit.waiting import until

pytestmark = pytest.mark.redis

LONG_MS = 60_000


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server of this test's own."""
    with ServerProcess() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_second_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failed read FastStream tries again only when these tests are long over: what goes on is our doing."""
    for module in ("basic", "stream_subscriber"):
        name = f"faststream.redis.subscriber.usecases.{module}.CONSUME_ERROR_BACKOFF_SECONDS"
        monkeypatch.setattr(name, 3_600)


def takeovers() -> float:
    """Return how often this process has taken a shard over."""
    return metrics.REGISTRY.get_sample_value("tapis_takeovers_total", {"service": "toy"}) or 0.0


@pytest.mark.failure
async def test_a_server_that_is_killed_under_load_loses_nothing(server: ServerProcess, site: str) -> None:
    """After kill -9 and a start the owner goes on by itself, and each command is done once."""
    log = RedisLog(server.url, site)
    load = Load(log)
    async with owning(toy_settings(server.url, site, lease_ms=LONG_MS)) as owner:
        for _ in range(3):
            sending = asyncio.create_task(load.send(150, 0.002))
            await asyncio.sleep(0.1)
            await asyncio.to_thread(server.kill)
            await asyncio.sleep(0.3)
            await asyncio.to_thread(server.start)
            await until(lambda: plays(owner) and owner.ready()[0])
            await sending
        await load.all_answered()
    await load.check()
    assert load.doubts
    await log.close()


@pytest.mark.failure
async def test_a_stop_while_the_server_is_away_does_not_hang(server: ServerProcess, site: str) -> None:
    """A process that is told to stop stops, whatever it waits for."""
    log = RedisLog(server.url, site)
    load = Load(log)
    async with owning(toy_settings(server.url, site)) as owner:
        await until(lambda: plays(owner))
        await load.send(200)
        await asyncio.to_thread(server.kill)
    await log.close()


@pytest.mark.failure
async def test_a_server_that_hangs_makes_the_process_unready_and_no_more(server: ServerProcess, site: str) -> None:
    """A paused server is noticed (not ready); when it goes on, so does the shard, without a loss."""
    log = RedisLog(server.url, site, call_ms=500)
    load = Load(log)
    its_log = RedisLog(server.url, site, call_ms=500)
    async with owning(toy_settings(server.url, site), log=its_log) as owner:
        await until(lambda: plays(owner))
        await load.send(20)
        server.pause()
        await until(lambda: not owner.ready()[0])
        server.resume()
        await until(lambda: owner.ready()[0])
        await load.send(20)
        await load.all_answered()
    await load.check()
    await log.close()


@pytest.mark.parametrize("losing", ["requests", "replies"])
async def test_a_connection_that_breaks_at_any_moment(
    losing: Losing, redis_url: str, site: str, redis_log: RedisLog, tmp_path: Path
) -> None:
    """Requests or replies are lost again and again under load, appends among them: nothing is lost or doubled."""
    load = Load(redis_log)
    async with (
        Cutter(redis_url, tmp_path).running() as way,
        owning(toy_settings(way.url, site, lease_ms=LONG_MS)) as owner,
    ):
        for _ in range(10):
            await until(lambda: plays(owner))
            sending = asyncio.create_task(load.send(50, 0.001))
            await until(lambda: load.sent % 50 > 10)
            before, way.losing = way.cut, losing
            await until(lambda before=before: way.cut > before)  # type: ignore[misc]
            way.losing = "nothing"
            await sending
        await load.all_answered()
    await load.check()


async def kill_reads(log: RedisLog) -> None:
    """Cut the connections on which an inbox is being read."""
    clients = (await log._calls.call("CLIENT", "LIST")).decode()
    for line in clients.splitlines():
        fields = dict(word.partition("=")[::2] for word in line.split())
        if fields["cmd"] == "xread":
            await log._calls.call("CLIENT", "KILL", "ID", fields["id"])


async def test_a_read_that_failed_is_made_good_at_once(server: ServerProcess, site: str) -> None:
    """When the reader's connection is cut, the run starts again; nobody waits for the reader's own five seconds."""
    log = RedisLog(server.url, site)
    load = Load(log)
    async with owning(toy_settings(server.url, site, lease_ms=LONG_MS)) as owner:
        await until(lambda: plays(owner))
        before = takeovers()
        await kill_reads(log)
        await load.send(10)
        await load.all_answered()
        assert before < takeovers()
    await load.check()
    await log.close()


async def test_a_reader_that_does_not_read_is_noticed(
    redis_url: str, site: str, redis_log: RedisLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A subscriber that has gone to sleep makes the process unready, and a new one takes its place."""
    monkeypatch.setattr("libs.runtime.inbox.SILENT_AFTER_S", 1.5)
    load = Load(redis_log)
    async with owning(toy_settings(redis_url, site, lease_ms=LONG_MS)) as owner:
        await until(lambda: owner.ready()[0])
        before = takeovers()
        reader = owner.status[SHARD].reader
        assert reader is not None
        reader._subscriber.tasks[0].cancel()  # as if FastStream had lost it
        await load.send(10)
        await until(lambda: not owner.ready()[0])
        await load.all_answered()
        await until(lambda: owner.ready()[0])
        assert before < takeovers()
    await load.check()


async def test_an_inbox_that_cannot_be_read_does_not_spin(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """A key of another type under the inbox's name: tried again with growing pauses, not ready, and well afterwards."""
    inbox = keys.inbox(site, SHARD)
    await redis_log._calls.call("SET", inbox, "no stream")
    async with owning(toy_settings(redis_url, site)) as owner:
        before = takeovers()
        await asyncio.sleep(1.5)
        assert not owner.ready()[0]
        assert 8 > takeovers() - before
        await redis_log._calls.call("DEL", inbox)
        load = Load(redis_log)
        await load.send(5)
        await load.all_answered()
    await load.check()


async def test_the_inbox_is_trimmed_behind_the_cursor(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """What has been handled does not stay: the inbox holds a bounded rest, whatever went through it."""
    load = Load(redis_log)
    async with owning(toy_settings(redis_url, site)):
        for _ in range(4):
            raws = [(SHARD, wish(Add(amount=1))) for _ in range(500)]
            await redis_log.send(raws)
        await load.send(1)
        await load.all_answered()
        assert 0 == await redis_log.inbox_length(SHARD, (await cursor(redis_log, site)))
    assert 300 > await redis_log._calls.call("XLEN", keys.inbox(site, SHARD))


async def cursor(log: RedisLog, site: str) -> str:
    """Return the shard's cursor."""
    return str((await log._calls.call("HGET", keys.meta(site, SHARD), "cursor")).decode())


async def test_feed_and_parked_are_capped(redis_url: str, site: str) -> None:
    """A flood of good and of bad commands leaves no more behind on feed and parked than their limits."""
    log = RedisLog(redis_url, site, feed_entries=200, parked_entries=100)
    load = Load(log)
    its_log = RedisLog(redis_url, site, feed_entries=200, parked_entries=100)
    async with owning(toy_settings(redis_url, site), log=its_log) as owner:
        for _ in range(4):
            await log.send([(SHARD, wish(Add(amount=1))) for _ in range(500)] + [(SHARD, b"garbage")] * 300)
        await load.send(1)
        await load.all_answered()
        assert 400 >= len(await log.feed_tail(SHARD, 10_000))
        assert 300 >= len(await parked_of(log))
        assert owner.ready()[0]
    await log.close()


async def test_a_flooded_inbox_is_handled_in_bounded_batches(redis_url: str, site: str, redis_log: RedisLog) -> None:
    """However long the inbox was when nobody owned the shard, no batch is larger than the limit."""
    for _ in range(10):
        await redis_log.send([(SHARD, wish(Add(amount=1))) for _ in range(500)])
    batches, handled = (metric("tapis_batch_commands_count"), metric("tapis_batch_commands_sum"))
    load = Load(redis_log, book="b")
    await load.send(1)
    async with owning(toy_settings(redis_url, site)):
        await load.all_answered()
    assert 5_001 == metric("tapis_batch_commands_sum") - handled
    assert 5_001 / BATCH_COMMANDS <= metric("tapis_batch_commands_count") - batches


def metric(name: str) -> float:
    """Return a sample of this process's metrics."""
    return metrics.REGISTRY.get_sample_value(name, {"service": "toy"}) or 0.0


async def test_a_poisonous_debt_does_not_stop_the_shard_that_is_asked(
    redis_url: str, site: str, redis_log: RedisLog
) -> None:
    """One shard owes another a command that crashes it, and sends it every two seconds: the other parks it once."""
    load = Load(redis_log, "toy-1")
    async with owning(toy_settings(redis_url, site), ("toy-0", "toy-1")) as owner:
        await redis_log.send([("toy-0", wish(Ask(shard="toy-1", book="b", amount=13), command_id="c1"))])
        await until(lambda: is_parked(redis_log))
        await until(lambda: owner.ready()[0])
        before = takeovers()
        await asyncio.sleep(2.5)
        await load.send(20)
        await load.all_answered()
        assert before == takeovers()
    assert 1 == len(await parked_of(redis_log, "toy-1"))
    await load.check()


async def is_parked(log: RedisLog) -> bool:
    """Tell whether the asked shard has set something aside."""
    return len(await parked_of(log, "toy-1")) == 1
