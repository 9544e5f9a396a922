"""A whole casino in which each service is a user of its own on the server: it plays, and nobody is refused anything."""

from pathlib import Path

import pytest
import redis

from tests.kit.aftermath import books_agree, come_to_rest
from tests.kit.casino import ONE_OF_EACH, plan_in, running
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]


async def test_every_game_is_played_with_least_rights(tmp_path: Path) -> None:
    """All games, by bots, with takeovers by kill: the server refused not one command of theirs."""
    async with running(plan_in(tmp_path / "casino", tables=ONE_OF_EACH)) as scene:
        await until(lambda: all(scene.settled[table] >= 1 for table in ONE_OF_EACH))
        for name in ("rng", "wallet", await scene.owner()):
            scene.signal(name)
        before = scene.settled.copy()
        await scene.all_ready()
        await until(lambda: all(scene.settled[table] > before[table] for table in ONE_OF_EACH))
        with redis.Redis.from_url(scene.casino.redis_url) as operator:
            assert [] == operator.acl_log()
            names = {client["user"] for client in operator.client_list()}
        assert {"rng", "wallet", "table_orchestrator", "display", "gateway"} <= names
        await scene.casino.children["bots"].stop()
        await come_to_rest(scene)
        await books_agree(scene)
