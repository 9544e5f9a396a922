"""The log's server dies and comes back, under load: nothing accepted is lost, and all services resume by themselves."""

import asyncio
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.failure.chaos import seed
from tests.kit.aftermath import books_agree, come_to_rest, journal_is_true, replay_is_live
from tests.kit.casino import SERVICES, plan_in, running
from tests.kit.redis_server import ServerProcess

pytestmark = [pytest.mark.redis, pytest.mark.failure]

KILLS = 4


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server of this test alone, which keeps everything on disk before it answers."""
    with ServerProcess() as process:
        yield process


async def test_server_restarts_lose_nothing(server: ServerProcess, tmp_path: Path) -> None:
    """After kill -9 of the server, and after its stop in order, play goes on without a hand; every book agrees."""
    chance = random.Random(seed())
    plan = plan_in(tmp_path / "casino", redis_url=server.url)
    async with running(plan) as scene:
        await scene.until_settled(1)
        for number in range(KILLS + 1):
            await asyncio.sleep(chance.uniform(0, 1.0))
            await asyncio.to_thread(server.kill if number < KILLS else server.stop)
            # Longer than the lease at times: then every owner has lost its shard too.
            await asyncio.sleep(chance.choice((0.0, 0.5, 2.5)))
            await asyncio.to_thread(server.start)
            began = time.monotonic()
            await scene.until_settled(1)
            print(f"play goes on {time.monotonic() - began:.1f} s after restart {number + 1}")  # noqa: T201
        await scene.all_ready()
        assert {1} == {scene.casino.children[name].starts for name in SERVICES}, "no service died of it"
        await scene.stop_bots()
        await come_to_rest(scene)
        report = await books_agree(scene)
        await replay_is_live(scene)
        assert plan.bot_journal is not None
        assert await journal_is_true(scene, plan.bot_journal) > report.wagers > 0
