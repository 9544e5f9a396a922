"""The same command id comes many times at once, also while processes die: one effect, and the same answer for all."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from libs.kernel.accounts import player_account
from libs.kernel.contracts.wallet import BuyIn, Deposit
from libs.ledger.state import balance
from libs.table.messages import CashOut, LeaveSeat, PlaceWager, WagerPlaced
from tests.kit.aftermath import books_agree, come_to_rest
from tests.kit.casino import PIT_NAME, plan_in, running
from tests.kit.play import TableParty
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]

AT_ONCE = 20

Answer = tuple[int, dict[str, Any]]


@pytest.fixture
async def party(redis_url: str, site: str, tmp_path: Path) -> AsyncIterator[TableParty]:
    """A table with one player, in a casino where nobody else plays."""
    async with running(plan_in(tmp_path / "casino", site, redis_url=redis_url, bots=False)) as scene:
        party = TableParty(scene)
        await party.open()
        await party.sit_down("player-1", 1, 20_000)
        yield party


def same(answers: list[Answer]) -> Answer:
    """Check that all answers are one and the same; return it."""
    assert 1 == len({(status, json.dumps(content, sort_keys=True)) for status, content in answers}), answers
    return answers[0]


async def test_duplicates_have_one_effect(party: TableParty) -> None:
    """Twenty at once of the same deposit, buy-in, wager and cash-out: each is done once and answered alike."""
    scene = party.scene

    async def all_at_once(sub: str, role: Any, to: str, command_id: str, command: Any) -> Answer:
        many = [scene.insist(sub, role, to, command_id, command) for _ in range(AT_ONCE)]
        return same(await asyncio.gather(*many))

    table = f"tables/{party.name}"
    coup = await party.open_betting()
    buy_in = BuyIn(pit=PIT_NAME, table=party.name, seat=1, amount=1_000)
    for sub, role, to, command_id, command in (
        ("cashier-1", "cashier", "wallet", "money", Deposit(player="player-1", amount=5_000)),
        ("player-1", "player", "wallet", "chips", buy_in),
        ("player-1", "player", table, "wager", PlaceWager(spot="2", amount=300)),
        ("player-1", "player", table, "home", CashOut(amount=2_000)),
    ):
        status, content = await all_at_once(sub, role, to, command_id, command)
        assert (200, True) == (status, content["accepted"]), content
        assert content["events"]
    status, content = await scene.insist("player-1", "player", table, "wager", PlaceWager(spot="2", amount=400))
    assert (409, "command.conflict") == (status, content["refusal"]["code"])
    # A refusal is an answer too, and stays the answer when the wish would be granted by now.
    refused = await all_at_once("player-1", "player", table, "leave", LeaveSeat())
    assert (409, "seat.stake_down") == (refused[0], refused[1]["refusal"]["code"])
    await party.close_betting()
    await party.launch()
    await party.settled(coup)
    assert refused == await all_at_once("player-1", "player", table, "leave", LeaveSeat())
    assert {1} == set(scene.table(party.name).seats)
    await come_to_rest(scene)
    await books_agree(scene)
    assert 6_000 == balance(scene.ledger, player_account("player-1"))
    assert [300] == [event.stake_after for event in party.told() if isinstance(event, WagerPlaced)]


async def test_duplicates_across_a_kill_have_one_effect(party: TableParty) -> None:
    """The owner, or the gateway, dies while the same wager comes again and again: one effect, the same answer."""
    scene = party.scene
    table = f"tables/{party.name}"
    coup = await party.open_betting()
    told: list[Answer] = []
    for number, victim in enumerate((await scene.owner_other_than(""), "gateway", "")):
        wager = PlaceWager(spot="4", amount=200)
        name = victim or await scene.owner_other_than("")
        asked = [
            asyncio.create_task(scene.insist("player-1", "player", table, f"wager-{number}", wager))
            for _ in range(AT_ONCE)
        ]
        await until(lambda: any(task.done() for task in asked))
        pid = scene.signal(name)
        # These meet the kill, and whoever comes after it.
        for _ in range(AT_ONCE):
            asked.append(
                asyncio.create_task(scene.insist("player-1", "player", table, f"wager-{number}", wager))
            )
            await asyncio.sleep(0.01)
        told.append(same(await asyncio.gather(*asked)))
        await until(lambda: scene.pid(name) not in {None, pid})
    assert [(200, True)] * 3 == [(status, content["accepted"]) for status, content in told]
    await until(lambda: sum(scene.table(party.name).seats[1].stakes.values()) == 600)
    await party.close_betting()
    await party.launch()
    settled = await party.settled(coup)
    assert [600] == [wager.stake for wager in settled.wagers]
    await come_to_rest(scene)
    await books_agree(scene)
    assert [200, 400, 600] == [event.stake_after for event in party.told() if isinstance(event, WagerPlaced)]
