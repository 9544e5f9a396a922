"""Which server is the primary now: the one at a plain address, or the one that Sentinel names.

    redis://…, rediss://…, unix://…                          always this server
    redis+sentinel://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]…]/NAME[/DB][?…]
                                                             the primary that these sentinels know as NAME
    rediss+sentinel://…                                      the same with TLS, to the sentinels too

User and password are those of the server; the options `sentinel_username` and `sentinel_password` are those of the
sentinels, all other options go to the server (and `ssl_…` to both).
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from libs.eventlog.api import EventLogUnavailable
from libs.eventlog.lost import LOST, sentence
from libs.kernel.limits import PRIMARY_ASKED_EVERY_MS, SENTINEL_CALL_MS

SENTINEL_PORT = 26_379

PLAIN = r"(redis|rediss|unix)://."
"""What the address of one server begins with."""

_FOUND = re.compile(r"(rediss?)\+sentinel://(?:([^@/]*)@)?([^@/?]+)/([A-Za-z0-9._-]+)(?:/(\d+))?/?(?:\?(.*))?")
_MEMBER = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?")


class BadAddress(ValueError):
    """The address names no server. The sentence does not repeat it: it may hold a password."""


@dataclass(frozen=True, slots=True)
class Sentinels:
    """Where to ask, for whom, and how to speak to the server that is named."""

    scheme: str
    user: str
    """User and password of the server as they stood in the address."""
    members: tuple[str, ...]
    """Addresses of the sentinels, plain ones."""
    name: str
    rest: str
    """Database and options of the server's address."""

    def server(self, host: str, port: int) -> str:
        """Return the plain address of a server."""
        host = f"[{host}]" if ":" in host else host
        return f"{self.scheme}://{self.user}{host}:{port}{self.rest}"


def check_address(url: str) -> None:
    """Raise `BadAddress` for an address that names no server."""
    found = sentinels(url)
    if found is not None:
        for plain in (found.members[0], found.server("host", 1)):
            _check_options(plain)
        return
    if not re.match(PLAIN, url):
        raise BadAddress("is missing or not a redis://, rediss://, unix:// or redis+sentinel:// address")
    try:
        parts = urlsplit(url)
        complete = bool(parts.path if parts.scheme == "unix" else parts.hostname) and parts.port != 0
    except ValueError:
        complete = False
    if not complete:
        raise BadAddress("names no host, no path, or a port that is not a number from 1 to 65535")
    _check_options(url)


def _check_options(plain: str) -> None:
    """Raise `BadAddress` for an option that the client library does not know, or whose value it does not take."""
    try:
        ConnectionPool.from_url(plain).make_connection()  # type: ignore[no-untyped-call]  # opens nothing
    except (TypeError, ValueError, RedisError):
        raise BadAddress("has an option that does not exist or does not fit, or a value that makes no sense") from None


def sentinels(url: str) -> Sentinels | None:
    """Return what an address says of sentinels, None for a plain one; raises `BadAddress`.

    >>> sentinels("redis+sentinel://display:secret@a,b:7000/tapis/1").server("10.0.0.7", 6379)
    'redis://display:secret@10.0.0.7:6379/1'
    >>> sentinels("redis+sentinel://a,b:7000/tapis").members
    ('redis://a:26379', 'redis://b:7000')
    """
    if not re.match(r"rediss?\+sentinel:", url):
        return None
    found = _FOUND.fullmatch(url)
    if found is None:
        raise BadAddress("is not like redis+sentinel://HOST:PORT,HOST:PORT/NAME, the name that the primary has there")
    scheme, user, hosts, name, db, query = found.groups()
    options = dict(parse_qsl(query or ""))
    login = _login(options.pop("sentinel_username", ""), options.pop("sentinel_password", ""))
    secure = {key: value for key, value in options.items() if key.startswith("ssl_")}
    members = tuple(f"{scheme}://{login}{_member(host)}{_query(secure)}" for host in hosts.split(","))
    return Sentinels(scheme, f"{user}@" if user else "", members, name, f"/{db or 0}{_query(options)}")


def _member(text: str) -> str:
    found = _MEMBER.fullmatch(text)
    port = int(found[2] or SENTINEL_PORT) if found else 0
    if found is None or not 0 < port < 65_536:
        raise BadAddress("names a sentinel without a host, or with a port that is not a number from 1 to 65535")
    return f"{found[1]}:{port}"


def _login(user: str, password: str) -> str:
    return f"{quote(user, safe='')}:{quote(password, safe='')}@" if user or password else ""


def _query(options: dict[str, str]) -> str:
    return f"?{urlencode(options)}" if options else ""


class Primary:
    """The primary of an address. At sentinels it is asked for again and again, from the first use on."""

    def __init__(self, url: str, changed: Callable[[], None] = lambda: None) -> None:
        """Take an address; `changed` is called when another server is the primary. Raises `BadAddress`."""
        check_address(url)
        self.sentinels = sentinels(url)
        self._known = url if self.sentinels is None else ""
        self._changed = changed
        self._order: Sequence[str] = self.sentinels.members if self.sentinels else ()
        self._silent_because = ""
        self._watch: asyncio.Task[None] | None = None
        self._asking = asyncio.Lock()

    async def url(self) -> str:
        """Return the plain address of the primary; raises `EventLogUnavailable` when no sentinel has ever named one."""
        if not self._known:
            await self._ask()
        if self.sentinels is not None and self._watch is None:
            self._watch = asyncio.create_task(self._ask_for_ever())
        if not self._known:
            raise EventLogUnavailable(f"no sentinel names a primary: {self._silent_because}")
        return self._known

    async def close(self) -> None:
        """Stop asking."""
        if self._watch is not None:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch

    async def _ask_for_ever(self) -> None:
        while True:
            await asyncio.sleep(PRIMARY_ASKED_EVERY_MS / 1000)
            await self._ask()

    async def _ask(self) -> None:
        """Ask one sentinel after the other; when all are silent the last answer stands."""
        assert self.sentinels is not None
        async with self._asking:
            for member in self._order:
                try:
                    async with asyncio.timeout(SENTINEL_CALL_MS / 1000):
                        named = await _named(member, self.sentinels.name)
                except LOST as error:
                    self._silent_because = sentence(error)
                    continue
                if named is not None:
                    break
                self._silent_because = f"none that it knows is called {self.sentinels.name}"
            else:
                return
        # The silent ones are asked last from now on.
        self._order = (member, *(other for other in self._order if other != member))
        before, self._known = self._known, self.sentinels.server(*named)
        if before not in {"", self._known}:
            self._changed()


async def _named(sentinel: str, name: str) -> tuple[str, int] | None:
    """Return the address that a sentinel has for the primary of this name."""
    pool = ConnectionPool.from_url(sentinel, retry=Retry(NoBackoff(), 0), driver_info=None)
    # In the newer protocol the library says more than is asked, each time, and a sentinel's user may not.
    pool.connection_kwargs.update(protocol=2)
    connection: AbstractConnection = pool.make_connection()  # type: ignore[no-untyped-call]
    try:
        await connection.connect()  # type: ignore[no-untyped-call]
        await connection.send_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name)
        reply = await connection.read_response()
    finally:
        await connection.disconnect(nowait=True)
    return (reply[0].decode(), int(reply[1])) if reply else None
