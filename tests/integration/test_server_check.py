"""A server that cannot keep the promise is refused with a sentence that says what to change."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Iterator

import pytest
from redis import Redis

from libs.eventlog.api import EventLogUnavailable
from libs.eventlog.server_check import Durability, UnfitServer, check_server
from tests.kit.redis_server import ServerProcess

pytestmark = pytest.mark.redis


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """A server whose settings a test may change."""
    with ServerProcess() as running:
        yield running


def change(server: ServerProcess, **settings: str) -> None:
    """Change settings of the running server; those not named are as durable as can be."""
    wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory_policy": "noeviction"} | settings
    with Redis.from_url(server.url) as client:
        for name, value in wanted.items():
            client.config_set(name.replace("_", "-"), value)


@pytest.mark.parametrize(
    ("durability", "settings"),
    [("durable", {}), ("relaxed", {}), ("relaxed", {"appendfsync": "everysec"})],
)
async def test_fit(server: ServerProcess, durability: Durability, settings: dict[str, str]) -> None:
    """A server that keeps the promise is named with its version."""
    change(server, **settings)
    assert re.fullmatch(r"(redis|valkey) \d+\.\d+\.\d+", await check_server(server.url, durability, sees_settings=True))


@pytest.mark.parametrize(
    ("durability", "settings", "sentence"),
    [
        (
            "durable",
            {"appendfsync": "everysec"},
            "appendfsync everysec; durability 'durable' needs always.",
        ),
        (
            "relaxed",
            {"appendfsync": "no"},
            "appendfsync no; durability 'relaxed' needs always or everysec.",
        ),
        ("relaxed", {"appendonly": "no"}, "no append-only file"),
        ("durable", {"appendonly": "no"}, "set appendonly yes"),
        ("durable", {"maxmemory_policy": "allkeys-lru"}, r"\(maxmemory-policy allkeys-lru\); set it to noeviction"),
        ("replicated", {"appendfsync": "everysec"}, "durability 'replicated' needs always"),
        ("replicated", {}, "min-replicas-to-write 0, or min-replicas-max-lag 0; set them to 1 and more"),
        ("eternal", {}, "There is no durability 'eternal'"),
    ],
)
async def test_unfit(server: ServerProcess, durability: Durability, settings: dict[str, str], sentence: str) -> None:
    """A server that cannot keep the promise is refused with the setting to change."""
    change(server, **settings)
    with pytest.raises(UnfitServer, match=sentence):
        await check_server(server.url, durability, sees_settings=True)


async def test_hidden_settings(server: ServerProcess) -> None:
    """A server that does not tell its settings is trusted with nothing."""
    change(server)
    with Redis.from_url(server.url) as client:
        client.execute_command("ACL", "SETUSER", "narrow", "on", ">narrow", "~*", "+@all", "-config")
    with pytest.raises(UnfitServer, match="does not tell its appendfsync"):
        await check_server(server.url.replace("://", "://narrow:narrow@"), "durable", sees_settings=True)


async def test_who_sees_no_settings_goes_by_what_all_are_told(server: ServerProcess) -> None:
    """It does not ask, so that no command of a service is ever refused; all but the time of syncing it knows."""
    change(server, appendfsync="everysec")
    url = server.url.replace("://", "://blind:blind@")
    with Redis.from_url(server.url) as client:
        client.execute_command("ACL", "SETUSER", "blind", "on", ">blind", "~*", "+@all", "-config")
        client.execute_command("ACL", "LOG", "RESET")
        await check_server(url, "durable", sees_settings=False)
        change(server, appendonly="no")
        with pytest.raises(UnfitServer, match="set appendonly yes"):
            await check_server(url, "durable", sees_settings=False)
        assert [] == client.acl_log()


@contextlib.asynccontextmanager
async def server_that_says(info: str, settings: bytes = b"*0\r\n") -> AsyncIterator[str]:
    """Answer `INFO` with these lines and everything else with `settings`; hang up when there is nothing to say."""
    closed = asyncio.Event()
    text = info.replace("\n", "\r\n").encode()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while asked := await reader.read(4096):
            reply = b"$%d\r\n%b\r\n" % (len(text), text) if b"INFO" in asked else settings
            if not reply:
                break
            writer.write(reply)
        writer.close()
        await writer.wait_closed()
        closed.set()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await closed.wait()


async def test_old_engine() -> None:
    """An engine older than 7.0 is refused."""
    async with server_that_says("redis_version:6.2.14\nmaxmemory_policy:noeviction\naof_enabled:1\n") as url:
        with pytest.raises(UnfitServer, match=r"redis 6\.2\.14; Redis or Valkey 7\.0 or newer"):
            await check_server(url, "relaxed", sees_settings=True)


async def test_a_server_that_still_loads_is_not_unfit() -> None:
    """A server that has just started says `aof_enabled:0` until its data is read: it must be waited for."""
    info = "redis_version:7.2.4\nmaxmemory_policy:noeviction\naof_enabled:0\nloading:1\n"
    async with server_that_says(info) as url:
        with pytest.raises(EventLogUnavailable, match="loading its data"):
            await check_server(url, "durable", sees_settings=True)


async def test_a_server_that_goes_away_is_not_unfit() -> None:
    """The connection breaks after the first answer: nothing is known of the settings, so it must be asked again."""
    info = "redis_version:7.2.4\nmaxmemory_policy:noeviction\naof_enabled:1\n"
    async with server_that_says(info, settings=b"") as url:
        with pytest.raises(EventLogUnavailable):
            await check_server(url, "durable", sees_settings=True)


async def test_no_server() -> None:
    """A server that is not there is not unfit, it is unavailable."""
    with pytest.raises(EventLogUnavailable):
        await check_server("unix:///nowhere/redis.sock", "durable", sees_settings=True)
