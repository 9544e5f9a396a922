"""What `make run` and `tapis run` do: run a casino, say where its pages are and how it goes, stop when told to."""

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import Callable
from datetime import datetime

import redis.exceptions

from libs.eventlog.api import EventLogError
from libs.eventlog.primary import BadAddress
from libs.eventlog.server_check import UnfitServer
from libs.runtime.floor import FloorError
from libs.runtime.local.casino import Casino, LocalPlan, NotReady
from libs.runtime.local.engines import EmbeddedServerError
from libs.runtime.local.folder import FolderUnusable
from libs.runtime.local.status import Status

STATUS_EVERY_S = 5.0

EXIT_OK, EXIT_FAILURE, EXIT_USAGE, EXIT_UNAVAILABLE = 0, 1, 2, 5


class Voice:
    """Says sentences on standard output; on a terminal the status line stays at the bottom and is written over."""

    def __init__(self) -> None:
        self._live = sys.stdout.isatty()
        self._status_shown = False

    def say(self, sentence: str) -> None:
        """Say something worth reading, above the status line."""
        self._clear()
        sys.stdout.write(f"{sentence}\n")
        sys.stdout.flush()

    def status(self, line: str) -> None:
        """Say how it goes."""
        stamped = f"{datetime.now().astimezone():%H:%M:%S}  {line}"
        self._clear()
        sys.stdout.write(stamped if self._live else f"{stamped}\n")
        sys.stdout.flush()
        self._status_shown = self._live

    def _clear(self) -> None:
        if self._status_shown:
            sys.stdout.write("\r\x1b[K")
            self._status_shown = False


def run(plan: LocalPlan, seconds: float | None = None) -> int:
    """Run a casino until Ctrl-C, SIGTERM or `seconds` are over; return the exit code."""
    voice = Voice()
    try:
        return asyncio.run(_run(plan, seconds, voice))
    except FloorError as error:
        voice.say(f"The floor file cannot be used: {error}")
        return EXIT_USAGE
    except BadAddress as error:
        voice.say(f"The server's address {error}")
        return EXIT_USAGE
    except (FolderUnusable, EmbeddedServerError, NotReady, UnfitServer, EventLogError) as error:
        voice.say(str(error))
        return EXIT_UNAVAILABLE


async def _run(plan: LocalPlan, seconds: float | None, voice: Voice) -> int:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    casino = Casino(plan, voice.say)
    began = time.monotonic()
    starting = asyncio.create_task(casino.start())
    interrupted = asyncio.create_task(stopping.wait())
    await asyncio.wait({starting, interrupted}, return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        starting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await starting
        return EXIT_OK
    interrupted.cancel()
    await starting
    voice.say(_pages(casino, time.monotonic() - began))
    try:
        await _watch(casino, stopping, seconds, voice.status)
    finally:
        voice.say("Stopping: bots first, then the services, the server last.")
        await casino.stop()
        voice.say(f"Stopped. Everything is kept in {plan.folder}; starting again continues here.")
    return EXIT_OK


async def _watch(casino: Casino, stopping: asyncio.Event, seconds: float | None, say: Callable[[str], None]) -> None:
    """Say how it goes until told to stop, or until the time is over."""
    status = Status(casino)
    await status.start()
    until = time.monotonic() + seconds if seconds is not None else None
    try:
        while not stopping.is_set():
            pause = STATUS_EVERY_S if until is None else min(STATUS_EVERY_S, until - time.monotonic())
            if pause <= 0:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), pause)
            try:
                say(await status.line())
            except (EventLogError, redis.exceptions.RedisError, OSError) as error:
                say(f"the log does not answer: {error}")
    finally:
        await status.stop()


def _pages(casino: Casino, seconds: float) -> str:
    """Return where to look, once everything runs."""
    boards = [f"  {name:<12} {casino.display_url}/tables/{name}" for name in casino.floor.tables]
    return "\n".join(
        [
            f"Ready after {seconds:.1f} s. Pages to open:",
            f"  {'floor':<12} {casino.display_url}/",
            *boards,
            f"  {'API':<12} {casino.gateway_url}/openapi.json",
            "Try: kill -9 the process that owns the pit, and watch the other go on. Ctrl-C stops everything.",
        ]
    )
