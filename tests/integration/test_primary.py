"""What sentinels say, and what is done about it; the sentinels here say what the test wants."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import hiredis
import pytest
from redis import Redis

from libs.eventlog import primary as module
from libs.eventlog.api import EventLogUnavailable
from libs.eventlog.primary import Primary
from libs.eventlog.wire import Wire, pack
from libs.kernel.limits import LOG_CALL_MS
from tests.kit.replicas import NAME, Replicas
from tests.kit.waiting import PATIENCE_S, until

pytestmark = pytest.mark.redis

PATIENCE_MS = int(PATIENCE_S * 1000)


class Sentinel:
    """Answers every question with the same words, or not at all."""

    def __init__(self, answer: bytes | None) -> None:
        self.answer = answer
        self.asked: list[list[bytes]] = []
        self._visitors = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak with whoever has connected, until that one leaves."""
        self._visitors += 1
        words = hiredis.Reader()
        while data := await reader.read(4096):
            words.feed(data)
            while (question := words.gets()) is not False:
                self.asked.append(question)
                if self.answer is not None:
                    writer.write(self.answer)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        self._visitors -= 1

    async def alone(self) -> None:
        """Wait until whoever has asked has left."""
        await until(lambda: not self._visitors)


def names(port: int) -> bytes:
    """Return the answer of a sentinel for which the primary is at this port of this machine."""
    return pack("127.0.0.1", str(port))


@asynccontextmanager
async def address_of(sentinels: Sequence[Sentinel]) -> AsyncIterator[str]:
    """Run sentinels and yield the address of the primary that they name."""
    async with AsyncExitStack() as stack:
        places = []
        for sentinel in sentinels:
            server = await asyncio.start_server(sentinel.serve, "127.0.0.1", 0)
            stack.push_async_callback(sentinel.alone)
            stack.callback(server.close)
            places.append(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        yield f"redis+sentinel://{','.join(places)}/{NAME}/0"


@pytest.fixture(scope="module")
def pair() -> Iterator[Replicas]:
    """A primary and its replica."""
    with Replicas() as running:
        yield running


async def test_the_next_one_is_asked_where_one_is_silent() -> None:
    """Nothing but the one question; whoever has answered is asked first from then on."""
    silent, speaking = Sentinel(None), Sentinel(names(7))
    async with address_of([silent, speaking]) as address:
        primary = Primary(address)
        assert await primary.url() == "redis://127.0.0.1:7/0"
        await primary.close()
        question = [b"SENTINEL", b"GET-MASTER-ADDR-BY-NAME", NAME.encode()]
        assert ([question], [question]) == (silent.asked, speaking.asked)
        await primary._ask()
        assert ([question], [question, question]) == (silent.asked, speaking.asked)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"*-1\r\n", f"none that it knows is called {NAME}"),
        (b"-WRONGPASS invalid username-password pair\r\n", "invalid username-password pair"),
        (None, "no answer from the server in time"),
    ],
)
async def test_why_no_primary_is_known(answer: bytes | None, why: str) -> None:
    """Where no sentinel has ever named one, the sentence says what the last of them said."""
    async with address_of([Sentinel(answer)]) as address:
        primary = Primary(address)
        with pytest.raises(EventLogUnavailable, match=why):
            await primary.url()
        await primary.close()


async def test_a_replica_is_not_taken_for_the_primary(pair: Replicas) -> None:
    """Also when a sentinel says so: the server itself is asked, and then neither read nor written."""
    async with address_of([Sentinel(names(pair.replica.port))]) as address:
        wire = Wire(address, 1, LOG_CALL_MS)
        with pytest.raises(EventLogUnavailable, match="the server is a replica"):
            await wire.call("GET", "tapis-test")
        await wire.close()


async def test_what_waits_at_the_old_one_goes_on_at_the_new_one(
    pair: Replicas, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one is well and silent: only the sentinel's word ends the call there, and it is answered by the other."""
    monkeypatch.setattr(module, "PRIMARY_ASKED_EVERY_MS", 20)
    sentinel = Sentinel(names(pair.primary.port))
    async with address_of([sentinel]) as address:
        wire = Wire(address, 2, LOG_CALL_MS)
        await wire.call("PING")
        with Redis.from_url(pair.primary.url) as old, Redis.from_url(pair.replica.url) as new:
            waiting = asyncio.create_task(wire.call("BLPOP", "told", 0, wait_ms=PATIENCE_MS))
            await until(lambda: bool(old.info("clients")["blocked_clients"]))
            new.replicaof("NO", "ONE")
            new.config_set("min-replicas-to-write", 0)
            new.rpush("told", "here")
            sentinel.answer = names(pair.replica.port)
            assert await waiting == [b"told", b"here"]
        pair.replica.follow(pair.primary)
        await wire.close()
