"""Whatever the house writes, tells or says as it crashes: no seed is in it before its coup is over (law 10)."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from libs.games.wheel.messages import LaunchWheel
from libs.kernel.ids import RNG_SHARD
from libs.table.messages import VoidCoup
from tests.kit.broken_rng import LEAKS
from tests.kit.casino import plan_in, running
from tests.kit.play import TableParty
from tests.kit.scene import PIT_NAME, Scene
from tests.kit.telling import Listener, everything_told, nothing_tells, told_by
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]

TABLE = "roue-1"


@pytest.fixture
async def scene(redis_url: str, site: str, tmp_path: Path) -> AsyncIterator[Scene]:
    """A casino with one wheel where nobody else plays."""
    plan = plan_in(tmp_path / "casino", site, (TABLE,), redis_url=redis_url, bots=False)
    async with running(plan) as scene:
        yield scene


async def test_nothing_tells_a_seed_before_its_time(scene: Scene, tmp_path: Path) -> None:
    """Not while a coup is played, not when the RNG crashes on its draw and parks it; a planted seed is always found."""
    party, leaks = TableParty(scene, TABLE), tmp_path / "leaks"
    async with Listener(scene).listening() as listener:
        await party.open()
        await party.sit_down("player-1", 1, 50_000)
        await a_coup_crashes(party, leaks, "command parked")
        assert "ZeroDivisionError" in scene.casino.children["rng"].log_file.read_text()
        seeds = await nothing_tells(scene, listener, TABLE)
        assert {1, 2} == seeds.keys()

        # A careless pit boss: whatever tells of a coup must be searched.
        await party.staff("pit_boss", VoidCoup(reason=seeds[2].hex()))
        # A careless RNG: so must its log, its metrics and what it could not handle.
        leaks.touch()
        await scene.log.send([(RNG_SHARD, b"garbage " + seeds[2].hex().encode())])
        await a_coup_crashes(party, leaks, "code crashed")
        found = told_by(await everything_told(scene, listener), seeds[2])
        assert found >= channels(scene)


async def a_coup_crashes(party: TableParty, leaks: Path, until_said: str) -> None:
    """Play a coup whose draw crashes the RNG, until its log has said so once more."""
    rng = party.scene.casino.children["rng"]
    await party.open_betting()
    await party.wager("player-1", "2", 1_000)
    await until(lambda: party.scene.table(TABLE).committed > party.scene.table(TABLE).coup)
    if rng.plan.module != "tests.kit.broken_rng":
        await rng.kill()
        rng.plan = replace(rng.plan, module="tests.kit.broken_rng", environ={**rng.plan.environ, LEAKS: str(leaks)})
        await rng.start()
    before = rng.log_file.read_text().count(until_said)
    await party.close_betting()
    await party.staff("croupier", LaunchWheel())
    await until(lambda: rng.log_file.read_text().count(until_said) > before)


def channels(scene: Scene) -> set[str]:
    """Return where the planted seed must be found."""
    site = scene.casino.floor.site.name
    rng, pit = f"{{{site}:{RNG_SHARD}}}", f"{{{site}:{PIT_NAME}}}"
    kept = {f"{pit}:log:{TABLE}/1", f"{pit}:feed", f"{rng}:parked", "rng.log", "metrics of rng"}
    shown = {"answers of the gateway", f"stream of tables/{TABLE}", f"tapis replay {TABLE}", "tapis parked"}
    return kept | shown
