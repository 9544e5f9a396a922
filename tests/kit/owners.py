"""Owners of toy shards on a real server, in this process or in one of their own."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Self

import msgspec

from libs.eventlog import keys
from libs.eventlog.api import EventLog, EventLogError
from libs.eventlog.chain import verify_stream
from libs.eventlog.redis_log import RedisLog
from libs.runtime.kinds import Kind
from libs.runtime.owner import Owner, ShardPlan
from libs.runtime.settings import Settings
from tests.kit.shard_run import KNOWN, SHARD, feed_of, stream_of, wish
from tests.kit.toy import TOY, Add
from tests.kit.waiting import until


def toy_settings(url: str, site: str, instance: str = "owner-1", lease_ms: int = 1_000) -> Settings:
    """Return the settings of a toy service."""
    return Settings(redis_url=url, site=site, instance=instance, lease_ms=lease_ms)


@asynccontextmanager
async def owning(
    settings: Settings, shards: Iterable[str] = (SHARD,), *, kind: Kind = TOY, log: EventLog | None = None
) -> AsyncIterator[Owner]:
    """Run an owner; it stops in order at the end, if it has not been told to before."""
    its_log = log or RedisLog(settings.redis_url, settings.site)
    plans = [ShardPlan(name, KNOWN) for name in shards]
    owner = Owner(its_log, settings, "toy", kind, plans, partial(keys.inbox, settings.site))
    task = asyncio.create_task(owner.run())
    try:
        yield owner
    finally:
        owner.stop()
        await asyncio.wait_for(task, 30)
        await its_log.close()


def plays(owner: Owner, shard: str = SHARD) -> bool:
    """Tell whether the owner consumes the shard."""
    return owner.status[shard].phase == "consuming"


class Load:
    """Sends numbered additions of 1, each until it is surely on the inbox; a doubtful one is sent again."""

    def __init__(self, log: EventLog, shard: str = SHARD, book: str = "a") -> None:
        self._log, self._shard, self._book = log, shard, book
        self.sent = 0
        self.doubts = 0

    async def send(self, count: int, pause_s: float = 0.0) -> None:
        """Send so many more."""
        for _ in range(count):
            self.sent += 1
            raw = wish(Add(amount=1), self._book, f"load:{self._book}:{self.sent}")
            while True:
                try:
                    await self._log.send([(self._shard, raw)])
                except EventLogError:
                    self.doubts += 1
                    await asyncio.sleep(0.02)
                else:
                    break
            await asyncio.sleep(pause_s)

    async def all_answered(self) -> None:
        """Wait until each has an answer on the feed."""
        wanted = {f"load:{self._book}:{number}" for number in range(1, self.sent + 1)}

        async def answered() -> bool:
            with suppress(EventLogError):
                return wanted <= {entry.answer.id for entry in await feed_of(self._log, self._shard) if entry.answer}
            return False

        await until(answered)

    async def check(self) -> None:
        """Nothing is lost and nothing is done twice, the total is right, and the chain holds."""
        records = await stream_of(self._log, self._shard, f"{self._book}/1")
        bodies = [(record.cause, msgspec.json.decode(record.body)) for record in records]
        added = [(cause, body["total"]) for cause, body in bodies if body["type"] == "toy.Added"]
        ours = [cause for cause, _ in added if cause.startswith("load:")]
        assert [f"load:{self._book}:{number}" for number in range(1, self.sent + 1)] == ours
        totals = [total for _, total in added]
        assert sorted(set(totals)) == totals
        await verify_stream(self._log, self._shard, f"{self._book}/1")


class ServiceProcess:
    """A service in a process of its own that may be killed and paused."""

    def __init__(self, url: str, site: str, instance: str, module: str, *words: str, **settings: str) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        env = {
            **os.environ,
            "REDIS_URL": url,
            "TAPIS_SITE": site,
            "TAPIS_INSTANCE": instance,
            "TAPIS_HTTP_FD": str(self._socket.fileno()),
            **settings,
        }
        self.instance = instance
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the process
        called = [sys.executable, "-m", module, *words]
        self._process = subprocess.Popen(called, env=env, stdout=self._said, pass_fds=[self._socket.fileno()])

    @property
    def url(self) -> str:
        """Where it says whether it is ready."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def said(self) -> str:
        """Return what it has logged."""
        return os.pread(self._said.fileno(), 1 << 20, 0).decode()

    def kill(self) -> None:
        """Kill -9."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(20)

    def pause(self) -> None:
        """Stop it where it is (SIGSTOP)."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on (SIGCONT)."""
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> int:
        """Stop it in order; return its exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(30)

    @property
    def exit_code(self) -> int | None:
        """Return how it ended, None while it runs."""
        return self._process.poll()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.kill()
        self._said.close()
        self._socket.close()


class ToyProcess(ServiceProcess):
    """A toy service."""

    def __init__(
        self, url: str, site: str, instance: str, *, lease_ms: int = 1_000, shards: Sequence[str] = (SHARD,)
    ) -> None:
        super().__init__(url, site, instance, "tests.kit.toy_service", *shards, TAPIS_LEASE_MS=str(lease_ms))


async def owner_of(url: str, site: str, shard: str = SHARD) -> str:
    """Return the name of the shard's owner as it stands in the log's meta; empty when there is none."""
    log = RedisLog(url, site)
    try:
        found = await log._calls.call("HGET", keys.meta(site, shard), "owner")
    finally:
        await log.close()
    return (found or b"").decode()


def owned_by(url: str, site: str, instance: str, shard: str = SHARD) -> Callable[[], Awaitable[bool]]:
    """Return a question for `until`: does this instance own the shard."""

    async def asked() -> bool:
        with suppress(EventLogError):
            return await owner_of(url, site, shard) == instance
        return False

    return asked
