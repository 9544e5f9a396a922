"""Run a service that owns no shard: it serves HTTP and follows what others write (the gateway, the display)."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import NoReturn

from libs.eventlog.redis_log import RedisLog
from libs.runtime.logs import log as logger
from libs.runtime.service import EXIT_SETTINGS, open_log
from libs.runtime.settings import Settings
from libs.runtime.web import Asgi, serve

EXIT_DEFECT = 1


async def run_front(
    settings: Settings, log: RedisLog, app: Asgi, following: Callable[[], Awaitable[None]], stopping: asyncio.Event
) -> None:
    """Serve the app and follow until `stopping` is set. The app is up at once and says that it is not ready yet.

    Exits with 1 when the following crashes: a door that hears no answers must not look open.
    """
    follower = asyncio.create_task(_follow(settings, following, stopping))
    # Whoever of the two ends first, the other must end too.
    follower.add_done_callback(lambda _: stopping.set())
    logger().info("service started")
    try:
        await serve(app, settings, stopping)
    finally:
        stopping.set()
        crashed = _crash_of(follower)
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)
        await log.close()
    if crashed is not None:
        logger().error("the following crashed", exc_info=crashed)
        raise SystemExit(EXIT_DEFECT)
    logger().info("service stopped")


def refuse_to_start(name: str, reason: str) -> NoReturn:
    """Say on stderr why the service does not start, and exit with 2."""
    sys.stderr.write(f"{name}: {reason}\n")
    raise SystemExit(EXIT_SETTINGS)


async def _follow(settings: Settings, following: Callable[[], Awaitable[None]], stopping: asyncio.Event) -> None:
    # Opened for its checks alone: it waits for a server that is not there yet, and refuses one that forgets.
    await (await open_log(settings, stopping, sees_settings=False)).close()
    if not stopping.is_set():
        await following()


def _crash_of(task: asyncio.Task[None]) -> BaseException | None:
    return task.exception() if task.done() and not task.cancelled() else None
