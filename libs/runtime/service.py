"""Run a service that owns shards: settings, logs, the log's server, ownership, health, a graceful stop."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version

import uvloop

from libs.eventlog import acl, keys
from libs.eventlog.api import EventLogError
from libs.eventlog.redis_log import RedisLog
from libs.eventlog.server_check import REPLICAS, UnfitServer, check_server
from libs.runtime import metrics
from libs.runtime.asyncapi import document
from libs.runtime.chance import ChanceSource
from libs.runtime.faults import CannotServe
from libs.runtime.floor import Floor, FloorError, load_floor
from libs.runtime.gaming_day import Timed
from libs.runtime.inbox import quiet
from libs.runtime.kinds import Kind
from libs.runtime.logs import log as logger
from libs.runtime.logs import set_up_logs
from libs.runtime.memory import spare_the_collector
from libs.runtime.owner import Owner, ShardPlan
from libs.runtime.settings import Settings, SettingsError, load_settings
from libs.runtime.shard import Observer
from libs.runtime.web import check_address, health_app, serve, stop_on_signals

EXIT_SETTINGS = 2
EXIT_LOG = 5
EXIT_CANNOT_SERVE = 6
"""Only people can mend what is wrong; the last line on standard error says what to do."""


@dataclass(frozen=True, slots=True)
class Service:
    """One of our services that own shards."""

    name: str
    kind: Kind
    plans: Callable[[Floor | None], Sequence[ShardPlan]]
    """The shards that the service may own on this floor."""
    chance: Callable[[Settings], ChanceSource] | None = None
    """Makes the source of chance for its decisions, or raises `SettingsError`; the RNG alone has one."""
    observe: Observer | None = None
    timed: Callable[[Floor, ShardPlan], Timed] | None = None
    """Makes what a shard says to itself when the time has come; without a floor file it says nothing."""


def run(service: Service) -> None:
    """Run the service until it is told to stop.

    Exits with 2 for bad settings, 5 for a log that cannot be used, 6 when only people can mend what is wrong.
    """
    settings, floor = start(service.name)
    try:
        chance = service.chance(settings) if service.chance else None
    except SettingsError as error:
        sys.stderr.write(f"{service.name}: {error}\n")
        raise SystemExit(EXIT_SETTINGS) from error
    reason = uvloop.run(_main(service, settings, floor, chance))
    if reason:
        sys.stderr.write(f"{service.name}: {reason}\n")
        raise SystemExit(EXIT_CANNOT_SERVE)


def start(name: str) -> tuple[Settings, Floor | None]:
    """Read settings and floor and set up logs, or exit with a sentence."""
    try:
        settings = load_settings()
        floor = load_floor(settings.floor) if settings.floor else None
        check_address(settings)
    except (SettingsError, FloorError) as error:
        sys.stderr.write(f"{name}: {error}\n")
        raise SystemExit(EXIT_SETTINGS) from error
    set_up_logs(name, settings.site, settings.instance, settings.log_level)
    metrics.build_info.labels(name, _version()).set(1)
    quiet()
    spare_the_collector()
    return settings, floor


async def open_log(settings: Settings, stopping: asyncio.Event, *, sees_settings: bool) -> RedisLog:
    """Return the log once its server answers and can keep the promised durability; exits with 5 when it cannot."""
    log = RedisLog(settings.redis_url, settings.site, replicas=REPLICAS[settings.durability])
    said = False
    while not stopping.is_set():
        try:
            await check_server(settings.redis_url, settings.durability, sees_settings=sees_settings)
        except UnfitServer as error:
            logger().error("the log's server is unfit", reason=str(error))
            raise SystemExit(EXIT_LOG) from error
        except EventLogError as error:
            if not said:
                logger().warning("waiting for the log", reason=str(error))
                said = True
            await asyncio.sleep(0.3)
        else:
            break
    return log


async def _main(service: Service, settings: Settings, floor: Floor | None, chance: ChanceSource | None) -> str:
    """Run until stopped; return why the service cannot go on, an empty text when it was only told to stop."""
    stopping = asyncio.Event()
    stop_on_signals(stopping)
    owner: Owner | None = None
    reason = ""

    def ready() -> tuple[bool, str]:
        if chance is not None and (why := chance.failure()):
            return False, why
        return owner.ready() if owner else (False, "waiting for the log")

    plans = service.plans(floor)
    kinds = dict.fromkeys([service.kind, *(plan.kind for plan in plans if plan.kind is not None)])

    def described() -> dict[str, object]:
        return document(service.name, _version(), settings.site, *kinds)

    web = asyncio.create_task(serve(health_app(ready, described), settings, stopping))
    log = await open_log(settings, stopping, sees_settings=service.name in acl.SEE_SETTINGS)
    if not stopping.is_set():
        owner = Owner(
            log,
            settings,
            service.name,
            service.kind,
            plans,
            partial(keys.inbox, settings.site),
            chance,
            service.observe,
            partial(service.timed, floor) if service.timed is not None and floor is not None else None,
        )
        running = asyncio.create_task(owner.run())
        logger().info("service started")
        waiter = asyncio.create_task(stopping.wait())
        await asyncio.wait({running, waiter, web}, return_when=asyncio.FIRST_COMPLETED)
        stopping.set()
        owner.stop()
        try:
            await running
        except ExceptionGroup as group:
            if group.split(CannotServe)[1] is not None:
                raise
            reason = str(group.exceptions[0])
            logger().error("cannot serve", reason=reason)
    await web
    await log.close()
    logger().info("service stopped")
    return reason


def _version() -> str:
    try:
        return version("tapis")
    except PackageNotFoundError:
        return "unknown"
