"""A wallet that takes over, in a process of its own: `python -m tests.bench.takeover URL SITE` says what it took."""

import json
import resource
import sys
import time
from pathlib import Path

import uvloop

from libs.eventlog.api import Owned
from libs.eventlog.redis_log import RedisLog
from libs.runtime.memory import spare_the_collector
from libs.runtime.shard import Shard
from tests.bench import loop

_STATM = Path("/proc/self/statm")


def main() -> None:
    """Take the wallet over and print seconds and bytes as JSON."""
    # As the services do at their start.
    spare_the_collector()
    url, site = sys.argv[1:]
    seconds, grown = uvloop.run(_take_over(url, site))
    sys.stdout.write(json.dumps({"seconds": seconds, "grown": grown}))


async def _take_over(url: str, site: str) -> tuple[float, int]:
    """Return how long it takes to load the ledger, in seconds, and by how many bytes this process grows."""
    station = loop.wallet()
    log = RedisLog(url, site)
    before, began = _bytes(), time.perf_counter()
    owned = await log.acquire(station.shard, "bench", loop.LEASE_MS)
    assert isinstance(owned, Owned)
    shard = Shard(log, station.service, station.kind, owned, station.known)
    await shard.load()
    seconds, grown = time.perf_counter() - began, _bytes() - before
    assert shard.books, "there is no ledger in the log"
    await log.close()
    return seconds, grown


def _bytes() -> int:
    """Return the memory that this process has; where the system does not tell, the most that it ever had."""
    if _STATM.exists():
        return int(_STATM.read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
