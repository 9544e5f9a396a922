"""The house's great promise: kill any process at any moment, and no cent, wager or answer is lost or doubled."""

from pathlib import Path

import pytest

from libs.games import GAMES
from libs.runtime.local import children
from tests.failure.chaos import OTHER, OWNER, Chaos, chance_of
from tests.failure.witness import Witness
from tests.kit.aftermath import Aftermath, everything_agrees
from tests.kit.casino import LEASE_MS, ONE_OF_EACH, plan_in, running
from tests.kit.scene import Scene

pytestmark = [pytest.mark.redis, pytest.mark.failure]

KILLS = 50
PAUSE_OWNER_AT = (15, 35)
"""After so many kills the owner is paused for longer than its lease."""


async def test_fifty_kills_lose_nothing(
    redis_url: str, site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under fifty kills of all services, and pauses of the owner, every game goes on and every book agrees."""
    monkeypatch.setattr(children, "FIRST_PAUSE_S", 0.2)
    monkeypatch.setattr(children, "LONGEST_PAUSE_S", 0.2)
    plan = plan_in(tmp_path / "casino", site, ONE_OF_EACH, redis_url=redis_url)
    assert plan.bot_journal is not None
    async with running(plan) as scene:
        chaos, witness = Chaos(scene, chance_of(scene)), Witness(scene)
        await scene.until_settled(1)
        async with witness.looking():
            await kill_and_pause(chaos)
        assert [] == witness.lies
        assert witness.looks > 0
        await scene.all_ready()
        await scene.stop_bots()
        aftermath = await everything_agrees(scene, plan.bot_journal)
        assert {OWNER, OTHER, "wallet", "rng", "display", "gateway"} == set(chaos.kills)
        every_game_was_played(aftermath, scene)
        print(f"{dict(chaos.kills)}, {chaos.pauses} pauses, {aftermath}")  # noqa: T201


async def kill_and_pause(chaos: Chaos) -> None:
    """Kill until it is enough, with pauses of the owner on the way."""
    pauses = list(PAUSE_OWNER_AT)
    while chaos.total < KILLS:
        await chaos.round()
        if pauses and chaos.total >= pauses[0]:
            pauses.pop(0)
            await chaos.pause_owner(LEASE_MS / 1000 + 0.5)


def every_game_was_played(aftermath: Aftermath, scene: Scene) -> None:
    """Check that there was something to lose: wagers and settled coups of each game, and stakes charged meanwhile."""
    assert set(GAMES) == {plan.game for plan in scene.tables.values()} == set(aftermath.games)
    for game, count in aftermath.games.items():
        assert count.wagers > 0, game
        assert count.ended["settled"] > 0, game
    assert aftermath.games["rappel"].charged > 0
    assert aftermath.report.wagers == sum(count.wagers for count in aftermath.games.values())
    assert aftermath.report.coups == sum(count.ended.total() for count in aftermath.games.values())
    assert aftermath.answers > aftermath.report.wagers
