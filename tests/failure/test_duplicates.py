"""The same command id comes many times at once, also while processes die: one effect, and the same answer for all."""

import asyncio
import json
from typing import Any

import pytest

from libs.kernel.accounts import player_account
from libs.kernel.contracts.wallet import BuyIn, Deposit, Withdraw
from libs.ledger.state import balance
from libs.table.messages import CashOut, LeaveSeat, PlaceWager, WagerPlaced
from tests.kit.aftermath import books_agree, come_to_rest
from tests.kit.play import TableParty
from tests.kit.scene import PIT_NAME
from tests.kit.story import story
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure, pytest.mark.asyncio(loop_scope="module")]

AT_ONCE = 20
VICTIMS = ("", "gateway", "")
"""Who is killed, one after the other; empty: the owner of the pit."""

Answer = tuple[int, dict[str, Any]]


async def test_a_failure_would_be_told_with_everything(party: TableParty) -> None:
    """What a failed test says of its casino: diary, tables, followers, shards, audit and the ends of all logs."""
    party.scene.diary.note("somebody was killed")
    told = await story(party.scene)
    for words in (
        "somebody was killed",
        f"{party.name}: session 1, coup ",
        "follower of pit-1: live",
        "pit-1: owner ",
        "accounts sum to 0 cents",
        "[wallet.log]",
        "service started",
    ):
        assert words in told
    assert "cannot be told" not in told


def stakes_after(party: TableParty, seat: int) -> list[int]:
    """Return what lay on the spot after each wager of a seat."""
    return [event.stake_after for event in party.told() if isinstance(event, WagerPlaced) and event.seat == seat]


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

    await party.sit_down("player-1", 1, 20_000)
    table = f"tables/{party.name}"
    coup = await party.open_betting()
    buy_in = BuyIn(pit=PIT_NAME, table=party.name, seat=1, amount=1_000)
    wager, leave = scene.door.next_id(), scene.door.next_id()
    for sub, role, to, command_id, command in (
        ("cashier-1", "cashier", "wallet", scene.door.next_id(), Deposit(player="player-1", amount=5_000)),
        ("player-1", "player", "wallet", scene.door.next_id(), buy_in),
        ("player-1", "player", table, wager, PlaceWager(spot="2", amount=300)),
        ("player-1", "player", table, scene.door.next_id(), CashOut(amount=2_000)),
    ):
        status, content = await all_at_once(sub, role, to, command_id, command)
        assert (200, True) == (status, content["accepted"]), content
        assert content["events"]
    status, content = await scene.insist("player-1", "player", table, wager, PlaceWager(spot="2", amount=400))
    assert (409, "command.conflict") == (status, content["refusal"]["code"])
    # A refusal is an answer too, and stays the answer when the wish would be granted by now.
    refused = await all_at_once("player-1", "player", table, leave, LeaveSeat())
    assert (409, "seat.stake_down") == (refused[0], refused[1]["refusal"]["code"])
    await party.close_betting()
    await party.launch()
    settled = await party.settled(coup)
    assert refused == await all_at_once("player-1", "player", table, leave, LeaveSeat())
    await come_to_rest(scene)
    await books_agree(scene)
    assert [300] == stakes_after(party, seat=1)
    assert 6_000 == balance(scene.ledger, player_account("player-1"))
    net = sum(result.credited - result.staked for result in settled.seats)
    assert 19_000 + net == party.credit("player-1"), "refused for ever: still seated, with all that was not cashed out"


async def test_a_hundred_spends_at_once_through_the_door_never_overspend(party: TableParty) -> None:
    """Of a hundred wishes for one balance those with money are granted, and all others refused."""
    scene = party.scene
    await party.take_seat("player-3", 3)
    await party.deposit("player-3", 2_099)
    home, chips = Withdraw(player="player-3", amount=100), BuyIn(pit=PIT_NAME, table=party.name, seat=3, amount=100)

    async def spend(number: int) -> Answer:
        command_id = scene.door.next_id()
        if number % 2:
            return await scene.insist("cashier-2", "cashier", "wallet", command_id, home)
        return await scene.insist("player-3", "player", "wallet", command_id, chips)

    answers = await asyncio.gather(*[spend(number) for number in range(100)])
    granted = [number for number, (status, _) in enumerate(answers) if status == 200]
    refused = {content["refusal"]["code"] for status, content in answers if status == 409}
    assert (20, {"account.insufficient"}) == (len(granted), refused)
    await come_to_rest(scene)
    await books_agree(scene)
    assert 99 == balance(scene.ledger, player_account("player-3"))
    assert 100 * sum(number % 2 == 0 for number in granted) == party.credit("player-3")


async def test_duplicates_across_a_kill_have_one_effect(party: TableParty) -> None:
    """The owner, or the gateway, dies while the same wager comes again and again: one effect, the same answer."""
    scene = party.scene
    await party.sit_down("player-2", 2, 20_000)
    coup = await party.open_betting()
    told = [await wager_through_a_kill(party, scene.door.next_id(), victim) for victim in VICTIMS]
    assert [(200, True)] * len(VICTIMS) == [(status, content["accepted"]) for status, content in told]
    await until(lambda: sum(scene.table(party.name).seats[2].stakes.values()) == 600)
    await party.close_betting()
    await party.launch()
    settled = await party.settled(coup)
    assert [600] == [wager.stake for wager in settled.wagers]
    await come_to_rest(scene)
    await books_agree(scene)
    assert [200, 400, 600] == stakes_after(party, seat=2)


async def wager_through_a_kill(party: TableParty, command_id: str, victim: str) -> Answer:
    """Send one wager many times before and after a kill; return the one answer that all of them get."""
    scene = party.scene
    name = victim or await scene.owner_other_than("")
    to, wager = f"tables/{party.name}", PlaceWager(spot="4", amount=200)

    def ask() -> asyncio.Task[Answer]:
        return asyncio.create_task(scene.insist("player-2", "player", to, command_id, wager))

    asked = [ask() for _ in range(AT_ONCE)]
    await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    pid = scene.signal(name)
    # These meet the kill, and whoever comes after it.
    for _ in range(AT_ONCE):
        asked.append(ask())
        await asyncio.sleep(0.01)
    answers = await asyncio.gather(*asked)
    await until(lambda: scene.pid(name) not in {None, pid})
    return same(answers)
