"""Look at the shards of a site from outside: owner, lease, what waits, what was parked. Reads only."""

from typing import Any, cast

import msgspec
import redis.asyncio

from libs.eventlog import keys
from libs.eventlog.primary import Primary
from libs.kernel.envelope import ParkedEntry

WAITING_COUNTED = 1_000
"""Commands on an inbox that are counted; more is "1000 or more"."""


class ShardFacts(msgspec.Struct, frozen=True):
    """What the log's server knows about one shard."""

    shard: str
    owner: str
    """Instance that holds the lease; empty when nobody does."""
    epoch: int
    lease_left_ms: int
    """Negative when the lease ran out."""
    cursor: str
    waiting: int
    """Commands on the inbox behind the cursor, counted up to `WAITING_COUNTED`."""
    parked: int
    streams: int
    events: int


class ServerFacts(msgspec.Struct, frozen=True):
    """What matters about the log's server."""

    engine: str
    version: str
    append_only: bool
    fsync: str
    """`always`, `everysec` or `no`; empty when the server does not say."""
    eviction: str
    memory_bytes: int


class Inspector:
    """Reads the facts of a site, each time at the server that is the primary then. Close it after use."""

    def __init__(self, url: str, site: str) -> None:
        self._site, self._primary = site, Primary(url)
        self._url = ""
        self._client: Any = None

    async def close(self) -> None:
        """Close the connections."""
        await self._primary.close()
        if self._client is not None:
            await self._client.aclose()

    async def _primary_now(self) -> Any:
        url = await self._primary.url()
        if url != self._url:
            if self._client is not None:
                await self._client.aclose()
            self._url, self._client = url, redis.asyncio.Redis.from_url(url, decode_responses=True)
        return self._client

    async def server(self) -> ServerFacts:
        """Ask the server who it is and what it keeps."""
        server = await self._primary_now()
        info = cast("dict[str, Any]", await server.info())
        valkey = "valkey_version" in info
        return ServerFacts(
            engine="valkey" if valkey else "redis",
            version=str(info["valkey_version" if valkey else "redis_version"]),
            append_only=bool(info.get("aof_enabled")),
            fsync=await _setting(server, "appendfsync"),
            eviction=str(info.get("maxmemory_policy", "")),
            memory_bytes=int(info.get("used_memory", 0)),
        )

    async def shards(self) -> list[ShardFacts]:
        """Return the facts of every shard that was ever owned, by name."""
        server = await self._primary_now()
        names = sorted(cast("set[str]", await server.smembers(keys.shards(self._site))))
        seconds, micros = await server.time()
        now_ms = int(seconds) * 1000 + int(micros) // 1000
        return [await self._shard(server, name, now_ms) for name in names]

    async def parked(self, shard: str, count: int = 100) -> list[ParkedEntry]:
        """Return the last parked commands of a shard, oldest first."""
        entries = await (await self._primary_now()).xrevrange(keys.parked(self._site, shard), count=count)
        return [msgspec.json.decode(fields["p"], type=ParkedEntry) for _, fields in reversed(entries)]

    async def owner(self, shard: str) -> str:
        """Return the instance that owns a shard; empty when nobody does."""
        server = await self._primary_now()
        return str(await server.hget(keys.meta(self._site, shard), "owner") or "")

    async def _shard(self, server: Any, name: str, now_ms: int) -> ShardFacts:
        meta = cast("dict[str, str]", await server.hgetall(keys.meta(self._site, name)))
        cursor = meta.get("cursor", "0-0")
        heads = [value for field, value in meta.items() if field.startswith("head:")]
        waiting = await server.xrange(keys.inbox(self._site, name), min=f"({cursor}", count=WAITING_COUNTED)
        return ShardFacts(
            shard=name,
            owner=meta.get("owner", ""),
            epoch=int(meta.get("epoch", 0)),
            lease_left_ms=int(meta.get("lease_until_ms") or now_ms) - now_ms,
            cursor=cursor,
            waiting=len(waiting),
            parked=await server.xlen(keys.parked(self._site, name)),
            streams=len(heads),
            events=sum(int(head.split(" ", 1)[0]) for head in heads),
        )


async def _setting(server: Any, name: str) -> str:
    """Return a setting of the server; empty when it may not be asked."""
    try:
        return str((await server.config_get(name)).get(name, ""))
    except redis.asyncio.RedisError:
        return ""
