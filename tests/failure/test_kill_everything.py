"""The house's great promise: kill any process at any moment, and no cent, wager or answer is lost or doubled."""

import random
from pathlib import Path

import pytest

from libs.runtime.local import children
from tests.failure.chaos import OTHER, OWNER, Chaos, seed
from tests.failure.witness import Witness
from tests.kit.aftermath import books_agree, come_to_rest, journal_is_true, replay_is_live
from tests.kit.casino import LEASE_MS, plan_in, running

pytestmark = [pytest.mark.redis, pytest.mark.failure]

KILLS = 50
PAUSE_OWNER_AT = (15, 35)
"""After so many kills the owner is paused for longer than its lease."""


async def test_fifty_kills_lose_nothing(
    redis_url: str, site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under fifty kills of all services, and pauses of the owner, play goes on and every book agrees afterwards."""
    monkeypatch.setattr(children, "FIRST_PAUSE_S", 0.2)
    monkeypatch.setattr(children, "LONGEST_PAUSE_S", 0.2)
    plan = plan_in(tmp_path / "casino", site, redis_url=redis_url)
    async with running(plan) as scene:
        chaos, witness = Chaos(scene, random.Random(seed())), Witness(scene)
        await scene.until_settled(1)
        pauses = list(PAUSE_OWNER_AT)
        async with witness.looking():
            while chaos.total < KILLS:
                await chaos.round()
                if pauses and chaos.total >= pauses[0]:
                    pauses.pop(0)
                    await chaos.pause_owner(LEASE_MS / 1000 + 0.5)
        assert [] == witness.lies
        assert witness.looks > 0
        await scene.all_ready()
        await scene.stop_bots()
        await come_to_rest(scene)
        report = await books_agree(scene)
        await replay_is_live(scene)
        assert plan.bot_journal is not None
        answers = await journal_is_true(scene, plan.bot_journal)
        assert {OWNER, OTHER, "wallet", "rng", "display", "gateway"} == set(chaos.kills)
        assert answers > report.wagers > 0
        print(f"{dict(chaos.kills)}, {chaos.pauses} pauses, {report}, {answers} answers compared")  # noqa: T201
