"""The event log on Redis or Valkey, 7.0 or newer. The contract is in `api.py`, the keys in `keys.py`."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from libs.eventlog import keys, redis_append, redis_read
from libs.eventlog.api import (
    Appended,
    AppendResult,
    AppendUnknown,
    Batch,
    EventLogUnavailable,
    FeedPage,
    Fenced,
    Head,
    Held,
    Owned,
)
from libs.eventlog.checks import check_batch
from libs.eventlog.lost import LOST, sentence
from libs.eventlog.wire import Script, Wire, run_script
from libs.kernel.limits import (
    FEED_ENTRIES,
    LOG_CALL_MS,
    LOG_CONNECTIONS,
    LOG_FOLLOWERS,
    MAX_LEASE_MS,
    PARKED_ENTRIES,
    SEND_COMMANDS,
)

_APPEND, _CONFIRM, _LEASE = (Script(f"{name}.lua") for name in ("append", "confirm", "lease"))
_MEMBERS, _WAITING = (Script(f"{name}.lua") for name in ("members", "waiting"))


class RedisLog:
    """Streams, inboxes, feeds and ownership of the shards of one site; keeps the contract of `EventLog`.

    Nothing is repeated blindly: an append whose reply was lost raises `AppendUnknown`, and a cancelled append may have
    happened too. Other calls raise `EventLogUnavailable` and may be repeated.

    With `replicas`, what it appends counts only when so many replicas have it: until then the outcome is unknown, and
    readers are not told. How readers know is in the log itself; they need not say it here.
    """

    def __init__(
        self,
        url: str,
        site: str,
        *,
        feed_entries: int = FEED_ENTRIES,
        parked_entries: int = PARKED_ENTRIES,
        call_ms: int = LOG_CALL_MS,
        replicas: int = 0,
    ) -> None:
        """Take the server's address (`redis://`, `rediss://`, `unix://`); connections are opened when needed."""
        self._site, self._replicas = site, replicas
        self._limits = redis_append.Limits(feed_entries, parked_entries)
        self._calls = Wire(url, LOG_CONNECTIONS, call_ms)
        # Whoever waits for news never keeps an append waiting.
        self._followers = Wire(url, LOG_FOLLOWERS, call_ms)

    # -- ownership ------------------------------------------------------------------------------------------------
    async def acquire(self, shard: str, owner: str, lease_ms: int) -> Owned | Held:
        """Take the shard if it is free, expired or already ours; the epoch grows."""
        reply = await self._lease(shard, "acquire", owner, lease_ms, MAX_LEASE_MS, self._replicas)
        if reply[0] == b"HELD":
            return Held(owner=reply[1].decode(), for_ms=int(reply[2]))
        if self._replicas and not await self._confirm(shard, int(reply[1]), owner):
            raise EventLogUnavailable("the shard was taken at a server that is the primary no longer")
        await self._calls.call("SADD", keys.shards(self._site), shard)
        meta = redis_read.pairs(reply[3])
        return Owned(
            shard=shard,
            epoch=int(reply[1]),
            cursor=meta.get("cursor", "0-0"),
            heads=redis_read.heads_in(meta),
            clean=reply[2] == b"1",
            attempts=(meta.get("attempt_entry", ""), int(meta.get("attempt_count", "0"))),
        )

    async def renew(self, shard: str, epoch: int, lease_ms: int) -> bool:
        """Prolong the lease; False when the epoch is stale."""
        return bool((await self._lease(shard, "renew", epoch, lease_ms))[0] == b"DONE")

    async def release(self, shard: str, epoch: int) -> bool:
        """Give the shard back at once; False when the epoch is stale. The released epoch is stale from here on."""
        return bool((await self._lease(shard, "release", epoch))[0] == b"DONE")

    async def attempt(self, shard: str, epoch: int, entry: str) -> int | Fenced:
        """Count one more attempt at handling `entry` alone; return the count."""
        reply = await self._lease(shard, "attempt", epoch, entry)
        return int(reply[1]) if reply[0] == b"DONE" else Fenced(int(reply[1]))

    async def shards(self) -> tuple[str, ...]:
        """Return the shards of the site that have ever been owned, by name."""
        names = await self._calls.call("SMEMBERS", keys.shards(self._site))
        return tuple(sorted(name.decode() for name in names))

    async def enlist(self, service: str, member: str, ttl_ms: int) -> tuple[str, ...]:
        """Note that a member of a service lives for `ttl_ms` more (0: no longer); return all that live, sorted."""
        names = await self._calls.script(_MEMBERS, [keys.members(self._site, service)], [member, ttl_ms, MAX_LEASE_MS])
        return tuple(sorted(name.decode() for name in names))

    async def resign(self, service: str, member: str) -> None:
        """Forget a member that stops."""
        await self._calls.script(_MEMBERS, [keys.members(self._site, service)], [member, 0, MAX_LEASE_MS])

    # -- append ---------------------------------------------------------------------------------------------------
    async def append(self, shard: str, batch: Batch) -> AppendResult:
        """Check epoch, cursor and every expected head, then write everything; or write nothing.

        Raises `LogBroken` when a log does not end where `meta` says; nothing is written then either.
        """
        check_batch(batch)
        names, args = redis_append.words(self._site, shard, batch, self._limits)
        sent, reply = False, None
        try:
            async with self._calls.limit(), self._calls.borrow() as connection:
                sent = True
                reply = await run_script(connection, _APPEND, names, args, self._replicas)
                if self._replicas and (told := redis_append.told(reply)):
                    await run_script(connection, _CONFIRM, names[:1] + names[2:3], [batch.epoch, "mark", told, ""])
        except LOST as error:
            # An error behind the reply is one of the mark: the batch itself is written.
            if reply is not None or (sent and not redis_append.refused_before_writing(error)):
                raise AppendUnknown(sentence(error)) from error
            raise EventLogUnavailable(sentence(error)) from error
        return redis_append.result(reply, batch)

    async def resolve(self, shard: str, batch: Batch) -> AppendResult | None:
        """Read back what became of an append. None: it did not happen, and may be sent again.

        A request that is still on its way may yet arrive after this; then the repeated one is refused by cursor or
        head, so that never more than one copy exists. A batch without events and without a step of the cursor leaves no
        mark to be found by: it may be on the feed twice.
        """
        result = await self._read_back(shard, batch)
        if self._replicas and isinstance(result, Appended):
            await self._confirm(shard, batch.epoch)
            # It was found on one server, and may have been confirmed by another that has never had it.
            result = await self._read_back(shard, batch)
        return result

    # -- reading --------------------------------------------------------------------------------------------------
    async def heads(self, shard: str) -> dict[str, Head]:
        """Return the heads of all streams of a shard."""
        return redis_read.heads_in(redis_read.pairs(await self._calls.call("HGETALL", keys.meta(self._site, shard))))

    def load(self, shard: str, stream: str, after: int = 0) -> AsyncIterator[tuple[bytes, ...]]:
        """Yield the wire forms of the stream's events after a version, in pages, up to its head.

        Raises `LogBroken` when an event is missing, when the log does not end at the head in `meta`, or when it ends
        before `after`.
        """
        return redis_read.load(self._followers, self._told(shard), keys.log(self._site, shard, stream), stream, after)

    async def read_feed(self, shard: str, after: str, count: int, block_ms: int) -> FeedPage:
        """Return feed entries after a position, waiting up to `block_ms` for the first."""
        return await redis_read.read_feed(self._followers, self._told(shard), after, count, block_ms)

    async def feed_tail(self, shard: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return the last `count` feed entries, oldest first."""
        return await redis_read.feed_tail(self._followers, self._told(shard), count)

    async def read_parked(self, shard: str, after: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return parked entries after a position; `0-0`: from the oldest kept."""
        found = await self._calls.call("XRANGE", keys.parked(self._site, shard), f"({after}", "+", "COUNT", count)
        return redis_read.entries(found, b"p")

    async def now_ms(self) -> int:
        """Return the server's clock, milliseconds since 1970."""
        seconds, micros = await self._calls.call("TIME")
        return int(seconds) * 1000 + int(micros) // 1000

    # -- inbox ----------------------------------------------------------------------------------------------------
    async def send(self, commands: Sequence[tuple[str, bytes]]) -> None:
        """Put commands on inboxes, in order. After `EventLogUnavailable` they may be there: send the same ids again."""
        # No script: a script needs the right to read what it writes to, and a sender has none to others' inboxes.
        for start in range(0, len(commands), SEND_COMMANDS):
            part = commands[start : start + SEND_COMMANDS]
            await self._calls.calls([("XADD", keys.inbox(self._site, shard), "*", "c", raw) for shard, raw in part])

    async def inbox_length(self, shard: str, after: str) -> int:
        """Return how many entries wait on the inbox after a cursor."""
        inbox = keys.inbox(self._site, shard)
        if after == "0-0":
            return int(await self._calls.call("XLEN", inbox))
        return int(await self._calls.script(_WAITING, [inbox], [after]))

    async def read_inbox(self, shard: str, after: str, count: int) -> tuple[tuple[str, bytes], ...]:
        """Return inbox entries (id, bytes of field `c`, empty when it is missing) after a cursor."""
        found = await self._calls.call("XRANGE", keys.inbox(self._site, shard), f"({after}", "+", "COUNT", count)
        return redis_read.entries(found, b"c")

    async def close(self) -> None:
        """Close the connections."""
        await self._calls.close()
        await self._followers.close()

    async def _read_back(self, shard: str, batch: Batch) -> AppendResult | None:
        meta = redis_read.pairs(await self._calls.call("HGETALL", keys.meta(self._site, shard)))
        # In this order: whatever arrives in between is seen as having happened.
        if batch.appends:
            last = batch.appends[-1]
            entry = f"{last.after.version}-0"
            found = await self._calls.call("XRANGE", keys.log(self._site, shard, last.stream), entry, entry)
            if found and found[0][1][1] == last.records[-1]:
                return Appended()
        return redis_append.outlook(meta, batch)

    async def _confirm(self, shard: str, epoch: int, owner: str = "") -> bool:
        """Wait until replicas have all that was written, and let readers see it; False when we do not own the shard.

        Raises `EventLogUnavailable` while too few replicas have it.
        """
        told = self._told(shard)
        names = [told.meta, told.feed]
        _, entry = await self._calls.script(_CONFIRM, names, [epoch, "touch"], self._replicas)
        return bool((await self._calls.script(_CONFIRM, names, [epoch, "mark", entry, owner]))[0] == b"DONE")

    def _told(self, shard: str) -> redis_read.Told:
        return redis_read.Told(keys.feed(self._site, shard), keys.meta(self._site, shard))

    async def _lease(self, shard: str, *args: str | int) -> list[Any]:
        reply: list[Any] = await self._calls.script(_LEASE, [keys.meta(self._site, shard)], args)
        return reply
