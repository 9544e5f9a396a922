"""Short words for tests that work on one shard, `s`."""

from libs.eventlog.api import EventLog, Owned
from libs.kernel.limits import MAX_LEASE_MS

LONG_MS = MAX_LEASE_MS
"""A lease that does not run out during a test."""


async def owned(log: EventLog, owner: str = "one", lease_ms: int = LONG_MS) -> Owned:
    """Take the shard `s`, which must be free."""
    taken = await log.acquire("s", owner, lease_ms)
    assert isinstance(taken, Owned)
    return taken


async def records_of(log: EventLog, stream: str, after: int = 0) -> list[bytes]:
    """Return all records of a stream of the shard `s`."""
    return [raw async for page in log.load("s", stream, after) for raw in page]


async def feed_of(log: EventLog) -> list[bytes]:
    """Return what is on the feed of the shard `s`."""
    return [raw for _, raw in (await log.read_feed("s", "0-0", 10_000, 0)).entries]


async def untouched(log: EventLog) -> bool:
    """Tell whether nothing was ever appended to the shard `s`."""
    heads, feed, parked = await log.heads("s"), await feed_of(log), await log.read_parked("s", "0-0", 10)
    return not heads and not feed and not parked and not await records_of(log, "T1/1")
