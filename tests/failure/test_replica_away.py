"""A casino whose server has a replica: without it nothing is told, with it play goes on as if nothing had been."""

import asyncio
from pathlib import Path

import pytest

from libs.eventlog.redis_log import RedisLog
from tests.failure.chaos import chance_of
from tests.kit.aftermath import everything_agrees
from tests.kit.casino import LEASE_MS, plan_in, running
from tests.kit.replicas import Replicas
from tests.kit.scene import PIT_NAME, SERVICES

pytestmark = [pytest.mark.redis, pytest.mark.failure]

ABSENCES = 2


async def test_nothing_is_told_without_the_replica(tmp_path: Path) -> None:
    """While the replica is silent no event leaves the pit; when it is back, tables and wallet go on by themselves."""
    with Replicas() as pair:
        plan = plan_in(tmp_path / "casino", redis_url=pair.primary.url, durability="replicated")
        async with running(plan) as scene:
            chance = chance_of(scene)
            replica = RedisLog(pair.replica.url, scene.casino.floor.site.name)
            for number in range(ABSENCES):
                await scene.until_settled(1)
                with pair.without_replica():
                    await asyncio.sleep(chance.uniform(0.2, 1.5) + number * LEASE_MS / 1000)
                    told = await scene.log.feed_tail(PIT_NAME, 1)
                    await asyncio.sleep(0.2)
                    assert told == await scene.log.feed_tail(PIT_NAME, 1)
                assert told[0] in await replica.feed_tail(PIT_NAME, 10_000), "what was told is on the replica"
            await scene.until_settled(1)
            await scene.all_ready()
            assert {1} == {scene.casino.children[name].starts for name in SERVICES}, "no service died of it"
            await scene.stop_bots()
            await replica.close()
            assert plan.bot_journal is not None
            aftermath = await everything_agrees(scene, plan.bot_journal)
            assert aftermath.answers > aftermath.report.wagers > 0
