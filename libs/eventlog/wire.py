"""Connections to the primary: a small pool that knows whether the bytes of a call may have been sent.

redis-py's own client retries by itself (one XADD became eleven entries) or hides where a call broke off. Here every
call has one time limit, nothing is repeated except a harmless call on a connection that had died in the pool, and a
connection whose call did not end with its reply is closed, never used again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from hashlib import sha1
from pathlib import Path
from typing import Any

import hiredis
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, ReadOnlyError, ResponseError

from libs.eventlog.api import EventLogUnavailable
from libs.eventlog.lost import LOST, sentence
from libs.eventlog.primary import Primary
from libs.kernel.limits import REPLICA_WAIT_MS

Word = bytes | str | int
"""One word of a command."""


class Unconfirmed(TimeoutError):
    """What was written may be lost together with this server: too few replicas have said that they have it."""


class Script:
    """A Lua script: called by its digest, sent as text when the server does not know it (it forgets at a restart)."""

    def __init__(self, name: str) -> None:
        self.text = Path(__file__).with_name(name).read_bytes()
        self.digest = sha1(self.text, usedforsecurity=False).hexdigest()


class Wire:
    """A bounded set of connections to one server, the primary. Further calls wait for a free one."""

    def __init__(self, url: str, connections: int, call_ms: int) -> None:
        """Take an address as `Primary` does, or raise `BadAddress`; nothing is opened yet."""
        self._primary = Primary(url, self._leave)
        self._url = ""
        self._factory: ConnectionPool | None = None
        self._free: list[AbstractConnection] = []
        self._busy: set[AbstractConnection] = set()
        self._leaving: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(connections)
        self._call_s = call_ms / 1000
        self._closed = False

    def limit(self, wait_ms: int = 0) -> asyncio.Timeout:
        """Return the time limit of one call, to be entered around it; `wait_ms` is time the server may wait."""
        return asyncio.timeout(self._call_s + wait_ms / 1000)

    async def call(self, *words: Word, wait_ms: int = 0) -> Any:
        """Send one command that does no harm when sent twice; return its reply. Raises `EventLogUnavailable`."""
        try:
            async with self.limit(wait_ms):
                return await self._repeatable(lambda connection: exchange(connection, *words))
        except LOST as error:
            raise EventLogUnavailable(sentence(error)) from error

    async def script(self, script: Script, keys: Sequence[str], args: Sequence[Word], replicas: int = 0) -> Any:
        """Call a script that does no harm when called twice; return its reply when so many replicas have its writes.

        Raises `EventLogUnavailable`.
        """
        try:
            async with self.limit():
                return await self._repeatable(lambda connection: run_script(connection, script, keys, args, replicas))
        except LOST as error:
            raise EventLogUnavailable(sentence(error)) from error

    async def calls(self, commands: Sequence[Sequence[Word]]) -> None:
        """Send several commands in one go, once, in order. Raises `EventLogUnavailable` when one of them failed."""
        try:
            async with self.limit(), self.borrow() as connection:
                for reply in await exchanges(connection, *commands):
                    if isinstance(reply, ResponseError):
                        raise reply
        except LOST as error:
            raise EventLogUnavailable(sentence(error)) from error

    @asynccontextmanager
    async def borrow(self, *, fresh: bool = False) -> AsyncIterator[AbstractConnection]:
        """Lend a connection, open and with nothing left to read; `fresh` closes the idle ones and opens a new one.

        A connection that comes back by an exception other than an error reply is closed, and so is one to a replica.
        """
        async with self._places:
            if fresh:
                await self._drop_idle()
            connection = await self._open()
            factory = self._factory
            try:
                yield connection
            except BaseException as error:
                # A server that may no longer be written to has become a replica.
                if isinstance(error, ResponseError) and not isinstance(error, ReadOnlyError):
                    await self._take_back(connection, factory)
                else:
                    await connection.disconnect(nowait=True)
                raise
            finally:
                self._busy.discard(connection)
            await self._take_back(connection, factory)

    async def close(self) -> None:
        """Close the idle connections, and each busy one when it comes back."""
        self._closed = True
        await self._primary.close()
        await self._drop_idle()

    async def _repeatable(self, exchange_on: Callable[[AbstractConnection], Awaitable[Any]]) -> Any:
        try:
            async with self.borrow() as connection:
                return await exchange_on(connection)
        except ResponseError:
            raise
        except LOST:
            # The server may have been restarted since the connection was last used.
            async with self.borrow(fresh=True) as connection:
                return await exchange_on(connection)

    async def _open(self) -> AbstractConnection:
        factory = await self._factory_of(await self._primary.url())
        while self._free:
            idle = self._free.pop()
            if idle.is_connected and not await idle.can_read():
                self._busy.add(idle)
                return idle
            # The server has closed it, or something that nobody asked for lies on it.
            await idle.disconnect(nowait=True)
        connection: AbstractConnection = factory.make_connection()  # type: ignore[no-untyped-call]
        self._busy.add(connection)
        try:
            async with self.limit():
                await connection.connect()  # type: ignore[no-untyped-call]
                if self._primary.sentinels is not None:
                    await _check_primary(connection)
        except BaseException:
            self._busy.discard(connection)
            await connection.disconnect(nowait=True)
            raise
        return connection

    def _leave(self) -> None:
        """Break off all calls: another server is the primary, and this one may never answer."""
        for connection in self._busy:
            task = asyncio.create_task(connection.disconnect(nowait=True))
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)

    async def _factory_of(self, url: str) -> ConnectionPool:
        """Return what makes connections to this server; those to another one are of no use any more."""
        if url != self._url or self._factory is None:
            await self._drop_idle()
            # redis-py's pool is only asked to read the address and to make connections.
            factory = ConnectionPool.from_url(
                url, retry=Retry(NoBackoff(), 0), socket_timeout=None, socket_connect_timeout=None, driver_info=None
            )
            # Replies of the older protocol have one shape on all servers.
            factory.connection_kwargs.update(protocol=2, decode_responses=False)
            self._url, self._factory = url, factory
        return self._factory

    async def _take_back(self, connection: AbstractConnection, factory: ConnectionPool | None) -> None:
        if self._closed or factory is not self._factory:
            await connection.disconnect(nowait=True)
        else:
            self._free.append(connection)

    async def _drop_idle(self) -> None:
        while self._free:
            await self._free.pop().disconnect(nowait=True)


def pack(*words: Word) -> bytes:
    """Return the bytes of a command (redis-py's own way costs ten times as much for a long one)."""
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]  # the stub knows tuples of one word only
    return packed


async def exchange(connection: AbstractConnection, *words: Word) -> Any:
    """Send one command and return its reply; an error reply is raised."""
    await connection.send_packed_command(pack(*words))
    return await connection.read_response()


async def exchanges(connection: AbstractConnection, *commands: Sequence[Word]) -> list[Any]:
    """Send commands in one go and return their replies; an error reply is returned in its place."""
    await connection.send_packed_command(b"".join([pack(*words) for words in commands]))
    return [await _reply_or_error(connection) for _ in commands]


async def run_script(
    connection: AbstractConnection, script: Script, keys: Sequence[str], args: Sequence[Word], replicas: int = 0
) -> Any:
    """Call a script by its digest; by its text when the server does not know it (then it has done nothing).

    Raises `Unconfirmed` when fewer replicas than asked for have said in time that they have what was written.
    """
    wait = [("WAIT", replicas, REPLICA_WAIT_MS)] if replicas else []
    reply, *known = await exchanges(connection, ("EVALSHA", script.digest, len(keys), *keys, *args), *wait)
    if isinstance(reply, NoScriptError):
        reply, *known = await exchanges(connection, ("EVAL", script.text, len(keys), *keys, *args), *wait)
    if isinstance(reply, ResponseError):
        raise reply
    for count in known:
        if not isinstance(count, int) or count < replicas:
            raise Unconfirmed(f"written, but no replica confirmed it within {REPLICA_WAIT_MS} ms")
    return reply


async def _check_primary(connection: AbstractConnection) -> None:
    if (await exchange(connection, "ROLE"))[0] != b"master":
        raise ConnectionError("the server is a replica, or will be the primary in a moment")


async def _reply_or_error(connection: AbstractConnection) -> Any:
    try:
        return await connection.read_response()
    except ResponseError as error:
        return error
