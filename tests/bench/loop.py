"""Our own loop at work: the shard of a service with its reader on a full inbox, and a book that is loaded again."""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import redis
import uvloop

from libs.eventlog import keys
from libs.eventlog.api import Batch, Owned
from libs.eventlog.redis_log import RedisLog
from libs.kernel.ids import DRAWS, LEDGER, RNG_SHARD, WALLET_SHARD
from libs.runtime.chance import Chances
from libs.runtime.inbox import InboxReader, quiet
from libs.runtime.kinds import PIT, RNG, WALLET, Kind
from libs.runtime.loading import load_book
from libs.runtime.seals import SEAL_KEYS_FILE, add_key
from libs.runtime.shard import Observer, Shard
from services.rng.chance import OwnChance
from services.table_orchestrator.observe import TableMetrics
from tests.bench import workload
from tests.bench.measure import Sample, Stopwatch
from tests.bench.raw import fill_inbox

LEASE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Station:
    """A service's shard as its process sets it up."""

    service: str
    shard: str
    kind: Kind
    known: frozenset[str]
    chance: Chances | None = None
    observe: Observer | None = None


def table_orchestrator(tables: int) -> Station:
    """Return the owner of a pit with so many tables."""
    known = frozenset(workload.table_names(tables))
    return Station("table_orchestrator", workload.PIT, PIT, known, observe=TableMetrics())


def wallet() -> Station:
    """Return the owner of the ledger."""
    return Station("wallet", WALLET_SHARD, WALLET, frozenset({LEDGER}))


def rng() -> Station:
    """Return the owner of the draws."""
    with tempfile.TemporaryDirectory(prefix="tapis-") as folder:
        keys = Path(folder) / SEAL_KEYS_FILE
        add_key(keys, "bench")
        return Station("rng", RNG_SHARD, RNG, frozenset({DRAWS}), chance=OwnChance(keys))


def run(client: redis.Redis, url: str, site: str, station: Station, commands: Sequence[bytes]) -> Sample:
    """Handle a full inbox to its end."""
    last = fill_inbox(client, site, station.shard, commands)
    watch = Stopwatch(client, len(commands))
    uvloop.run(_run(url, site, station, last, watch))
    return watch.sample


async def _run(url: str, site: str, station: Station, last: str, watch: Stopwatch) -> None:
    quiet()
    log = RedisLog(url, site)
    owned = await log.acquire(station.shard, "bench", LEASE_MS)
    assert isinstance(owned, Owned)
    shard = Shard(log, station.service, station.kind, owned, station.known, station.chance, station.observe)
    finished = asyncio.Event()

    async def handle(entries: Sequence[tuple[str, bytes]]) -> None:
        await shard.handle(entries)
        if shard.cursor == last or shard.failure.done():
            finished.set()

    await shard.load()
    reader = InboxReader(url, keys.inbox(site, station.shard), shard.cursor, handle)
    running = asyncio.create_task(shard.run())
    with watch.running():
        await reader.start()
        await finished.wait()
    assert shard.cursor == last, shard.failure
    running.cancel()
    await reader.stop()
    await log.close()


def fill_log(url: str, site: str, shard: str, batches: Sequence[Batch]) -> None:
    """Append prepared batches, their feed entries left out, to a log that is read again later."""
    uvloop.run(_fill_log(url, site, shard, batches))


async def _fill_log(url: str, site: str, shard: str, batches: Sequence[Batch]) -> None:
    log = RedisLog(url, site)
    owned = await log.acquire(shard, "bench", LEASE_MS)
    assert isinstance(owned, Owned)
    for batch in batches:
        if batch.appends:
            await log.append(shard, Batch(owned.epoch, owned.cursor, owned.cursor, batch.appends))
    await log.close()


def replay(client: redis.Redis, url: str, site: str, table: str, count: int) -> Sample:
    """Load a table from its log as a take-over does."""
    watch = Stopwatch(client, count)
    uvloop.run(_replay(url, site, table, watch))
    return watch.sample


async def _replay(url: str, site: str, table: str, watch: Stopwatch) -> None:
    log = RedisLog(url, site)
    head = (await log.heads(workload.PIT))[f"{table}/1"]
    with watch.running():
        book = await load_book(log, workload.PIT, PIT.decider, PIT.codec, table, 1, head)
    assert watch.count == book.head.version
    await log.close()
