"""A long run that proves the mode `replicated`: primaries are lost under play, in three ways (`--primaries`)."""

import argparse
import asyncio
import random
import time
from typing import Literal

from libs.runtime.audit import audit
from tests.failure.soaking import Times, prepare, say
from tests.kit.aftermath import everything_agrees
from tests.kit.casino import ONE_OF_EACH, plan_in, running
from tests.kit.replicas import DOWN_AFTER_MS, Server, Watched
from tests.kit.scene import SERVICES, Scene

Way = Literal["killed", "hung", "cut off"]
"""`cut off`: killed when its replicas had read nothing from it for a while; what it took in meanwhile is lost."""

WAYS: tuple[Way, ...] = ("killed", "hung", "cut off")

REPLICAS = 2
CUT_OFF_S = 1.0


async def primaries(given: argparse.Namespace) -> None:
    """Lose so many primaries, in each way by turns, half of them together with a service.

    Raises at the first fault.
    """
    prepare()
    chance = random.Random(given.seed)
    times = {way: Times(f"next coup at each table, primary {way}") for way in WAYS}
    with Watched() as watched:
        tables, url = ONE_OF_EACH, watched.address
        plan = plan_in(
            given.folder / "casino",
            tables=tables,
            redis_url=url,
            durability="replicated",
            lease_ms=given.lease_ms,
            players=given.players,
        )
        async with running(plan) as scene:
            await scene.until_settled(1)
            services = 0
            for number in range(1, given.primaries + 1):
                await asyncio.sleep(chance.uniform(0, 2))
                if chance.random() < 0.5:
                    services += scene.signal(chance.choice(SERVICES)) is not None
                way = WAYS[number % len(WAYS)]
                began = time.monotonic()
                lost = await lose(watched, way)
                await scene.until_settled(1)
                times[way].seconds.append(time.monotonic() - began)
                await come_back(watched, lost, way)
                await _audit(scene, number)
            await _end(given, scene, services, [*times.values()])


async def lose(watched: Watched, way: Way) -> Server:
    """Lose the primary and wait until another server is in its place; return the lost one."""
    primary = await asyncio.to_thread(watched.now)
    others = [server for server in watched.servers if server is not primary] if way == "cut off" else []
    for server in others:
        server.pause()
    if others:
        await asyncio.sleep(CUT_OFF_S)
    await asyncio.to_thread(primary.pause if way == "hung" else primary.kill)
    for server in others:
        await asyncio.to_thread(server.lose_unread, primary)
    await asyncio.to_thread(watched.new_primary, primary)
    return primary


async def come_back(watched: Watched, lost: Server, way: Way) -> None:
    """Let the lost one come back, and wait until all replicas are in step with the new primary."""
    await asyncio.to_thread(lost.resume if way == "hung" else lost.start)
    await asyncio.to_thread(watched.wait_in_step, REPLICAS)


async def _audit(scene: Scene, number: int) -> None:
    report = await audit(scene.log)
    assert report.ok, report.faults
    say(f"{number:>4} primaries lost  {report.coups:>6} coups  {report.events:>8} events  books agree")


async def _end(given: argparse.Namespace, scene: Scene, services: int, times: list[Times]) -> None:
    await scene.all_ready()
    await scene.stop_bots()
    aftermath = await everything_agrees(scene, given.folder / "casino" / "journal")
    say(f"\n{given.primaries} primaries lost, {services} of them together with a service")
    say(f"a server is taken for dead after {DOWN_AFTER_MS} ms; shortest / median / longest")
    for each in times:
        say(each.line())
    say(f"\nNothing told was lost: {aftermath.answers} answers are in the log as they were told, all books agree.")
