"""The log's server dies and comes back, under load: nothing accepted is lost, and all services resume by themselves."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.failure.chaos import chance_of
from tests.kit.aftermath import everything_agrees
from tests.kit.casino import LEASE_MS, plan_in, running
from tests.kit.redis_server import ServerProcess
from tests.kit.scene import SERVICES

pytestmark = [pytest.mark.redis, pytest.mark.failure]

KILLS = 4


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server of this test alone, which keeps everything on disk before it answers."""
    with ServerProcess() as process:
        yield process


async def test_server_restarts_lose_nothing(server: ServerProcess, tmp_path: Path) -> None:
    """After kill -9 of the server, and after its stop in order, play goes on without a hand; every book agrees."""
    plan = plan_in(tmp_path / "casino", redis_url=server.url)
    async with running(plan) as scene:
        chance = chance_of(scene)
        await scene.until_settled(1)
        for number in range(KILLS + 1):
            await asyncio.sleep(chance.uniform(0, 1.0))
            await asyncio.to_thread(server.kill if number < KILLS else server.stop)
            # Longer than the lease at times: then every owner has lost its shard too.
            await asyncio.sleep(chance.choice((0.0, 0.5, LEASE_MS / 1000 + 0.5)))
            await asyncio.to_thread(server.start)
            began = time.monotonic()
            await scene.until_settled(1)
            scene.diary.note(f"play goes on {time.monotonic() - began:.1f} s after restart {number + 1}")
        await scene.all_ready()
        assert {1} == {scene.casino.children[name].starts for name in SERVICES}, "no service died of it"
        await scene.stop_bots()
        assert plan.bot_journal is not None
        aftermath = await everything_agrees(scene, plan.bot_journal)
        assert aftermath.answers > aftermath.report.wagers > 0
