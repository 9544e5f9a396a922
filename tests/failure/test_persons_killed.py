"""Registering and forgetting while processes are killed: in a whole casino, with money on the forgotten account."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from libs.eventlog.person_keys import RedisPersonKeys
from libs.kernel.accounts import player_account
from libs.kernel.contracts.wallet import Deposit
from libs.kernel.days import moment
from libs.kernel.ids import PERSONS_SHARD, WALLET_SHARD
from libs.ledger.state import balance
from libs.runtime.audit import audit
from libs.runtime.local.bots.door import TRY_AGAIN
from tests.kit.casino import plan_in, running
from tests.kit.register import PAPERS, found_in
from tests.kit.scene import Scene
from tests.kit.shard_run import stream_of, tags
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]


async def ask(scene: Scene, path: str, role: str, body: dict[str, Any]) -> dict[str, Any]:
    """Post to the register, with the same id again until there is an answer."""
    headers = {"authorization": f"Bearer {scene.door.token(f'{role}-1', role)}"}
    while True:
        with contextlib.suppress(httpx.TransportError):
            response = await scene.http.post(f"/v1/persons{path}", content=msgspec.json.encode(body), headers=headers)
            if response.status_code not in TRY_AGAIN:
                told: dict[str, Any] = response.json()
                return told | {"status": response.status_code}
        await asyncio.sleep(0.1)


async def said(scene: Scene) -> list[str]:
    """Return the tags of the register's log."""
    return tags(await stream_of(scene.log, PERSONS_SHARD, "persons/1"))


@pytest.mark.parametrize("victim", ["gateway", "wallet"])
async def test_whoever_is_killed_the_forgotten_are_forgotten(tmp_path: Path, victim: str) -> None:
    """Killed as soon as the forgetting is asked for, and as soon as it is logged: the key is destroyed all the same.

    The ledger's log, hashes and balances are those of before; nothing personal is in any file of the casino.
    """
    async with running(plan_in(tmp_path / "c", bots=False)) as scene:
        store = RedisPersonKeys(scene.casino.redis_url, scene.casino.floor.site.name)
        players, now = [], moment(await scene.log.now_ms())
        for number in range(2):
            papers = {**PAPERS, "birth_date": f"1971-03-1{number}"}
            registered = await ask(scene, "", "cashier", {"command_id": f"{now}/r{number}", "person": papers})
            players.append(registered["player"])
        for number, player in enumerate(players):
            deposit = Deposit(player=player, amount=5_000)
            assert 200 == (await scene.insist("cashier-1", "cashier", "wallet", f"{now}/{number}", deposit))[0]
        before = await stream_of(scene.log, WALLET_SHARD, "ledger/1")

        for number, player in enumerate(players):
            asked = {"command_id": f"{now}/f{number}", "reason": "person"}
            asking = asyncio.create_task(ask(scene, f"/{player}/forget", "committee_member", asked))
            if number:
                await until(lambda: _count(scene, "persons.PersonForgotten", 2))
            else:
                await asyncio.sleep(0)
            scene.signal(victim)
            assert (200, True) == ((told := await asking)["status"], told["key_destroyed"])
            await until(lambda count=number + 1: _count(scene, "persons.KeyDestroyed", count))  # type: ignore[misc]
            assert await store.fetch(player) is None
            await scene.all_ready()

        assert {} == {player: locked async for player, locked in store.every()}
        # The gaming day may have been opened meanwhile; what was there is there to the byte, hashes and all.
        assert before == (await stream_of(scene.log, WALLET_SHARD, "ledger/1"))[: len(before)]
        assert [5_000, 5_000] == [balance(scene.ledger, player_account(player)) for player in players]
        assert 2 == (await said(scene)).count("persons.PersonForgotten")
        assert () == (await audit(scene.log)).faults
        await store.close()
    files = [path for path in (tmp_path / "c").rglob("*") if path.is_file()]
    assert any(players[0].encode() in path.read_bytes() for path in files), "the files were read"
    assert [] == [(path.name, trace) for path in files for trace in found_in(path.read_bytes())]


async def _count(scene: Scene, tag: str, count: int) -> bool:
    return count <= (await said(scene)).count(tag)
