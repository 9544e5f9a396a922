"""The owner of the pit is killed in the middle of a coup: the other process plays the same coup to its end."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from libs.table.messages import CoupSettled, DrawReceived, DrawRequested, WagerPlaced
from tests.kit.aftermath import books_agree, come_to_rest
from tests.kit.casino import LEASE_MS, plan_in, running
from tests.kit.play import TableParty, worth
from tests.kit.scene import Scene
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]

MONEY = 20_000
WAGERS = {"player-1": {"2": 500, "4": 300, "BONUS": 1_000}, "player-2": {"2": 200, "6": 700, "16": 100}}


@pytest.fixture
async def party(redis_url: str, site: str, tmp_path: Path) -> AsyncIterator[TableParty]:
    """A table with two players, in a casino where nobody else plays."""
    plan = plan_in(tmp_path / "casino", site, redis_url=redis_url, bots=False)
    async with running(plan) as scene:
        party = TableParty(scene)
        await party.open()
        for seat, who in enumerate(WAGERS, start=1):
            await party.sit_down(who, seat, MONEY)
        yield party


async def take_away_owner(scene: Scene) -> str:
    """Kill -9 the owner of the pit and wait for the other; return the new owner."""
    owner = await scene.owner_other_than("")
    began = time.monotonic()
    scene.signal(owner)
    other = await scene.owner_other_than(owner)
    scene.diary.note(f"{other} follows {owner} after {time.monotonic() - began:.2f} s (lease {LEASE_MS} ms)")
    return other


async def check_coup(party: TableParty, coup: int, settled: CoupSettled, before: dict[str, int]) -> None:
    """Check that each wager was taken once, and settled once with the right amount; meters and ledger agree."""
    placed = [e for e in party.told() if isinstance(e, WagerPlaced) and e.coup == coup]
    seats = {who: seat for seat, who in enumerate(WAGERS, start=1)}
    wagers = {(seats[who], spot): stake for who, stakes in WAGERS.items() for spot, stake in stakes.items()}
    assert sorted(wagers.items()) == sorted(((e.seat, e.spot), e.amount) for e in placed)
    assert sorted(wagers.items()) == sorted(((w.seat, w.spot), w.stake) for w in settled.wagers)
    gains = party.gains()
    due = {place: worth(gains, settled.outcome, place[1], stake) for place, stake in wagers.items()}
    assert due == {(w.seat, w.spot): w.credit for w in settled.wagers}
    assert 1 == sum(isinstance(e, CoupSettled) and e.coup == coup for e in party.told())
    for who, seat in seats.items():
        change = sum(due[place] - stake for place, stake in wagers.items() if place[0] == seat)
        assert before[who] + change == party.credit(who)


async def test_a_coup_outlives_its_owner(party: TableParty) -> None:
    """Killed while betting is open, after *rien ne va plus*, and while the draw is awaited: the same coup goes on."""
    scene = party.scene
    # While betting is open: wagers that lie there stay, and more are taken by the new owner.
    before = {who: party.credit(who) for who in WAGERS}
    coup = await party.open_betting()
    for spot, cents in WAGERS["player-1"].items():
        await party.wager("player-1", spot, cents)
    await take_away_owner(scene)
    for spot, cents in WAGERS["player-2"].items():
        await party.wager("player-2", spot, cents)
    await party.close_betting()
    await party.launch()
    await check_coup(party, coup, await party.settled(coup), before)

    # After betting has closed: nobody has launched the wheel yet.
    await until(lambda: all(child.pid for child in scene.casino.children.values()))
    before = {who: party.credit(who) for who in WAGERS}
    coup = await bet_and_close(party)
    await take_away_owner(scene)
    assert "locked" == scene.table(party.name).phase
    await party.launch()
    await check_coup(party, coup, await party.settled(coup), before)

    # Between the order of the draw and its answer: the RNG sleeps, and the owner that asked is gone.
    await until(lambda: all(child.pid for child in scene.casino.children.values()))
    before = {who: party.credit(who) for who in WAGERS}
    coup = await bet_and_close(party)
    scene.signal("rng", signal.SIGSTOP)
    try:
        await party.launch()
        await until(lambda: bool(scene.table(party.name).draws))
        await take_away_owner(scene)
        await asyncio.sleep(0)
        assert "locked" == scene.table(party.name).phase
    finally:
        scene.signal("rng", signal.SIGCONT)
    await check_coup(party, coup, await party.settled(coup), before)
    draws = [e.draw_id for e in party.told() if isinstance(e, DrawRequested) and e.coup == coup]
    assert draws == [e.draw_id for e in party.told() if isinstance(e, DrawReceived) and e.coup == coup]

    await come_to_rest(scene)
    report = await books_agree(scene)
    assert (3, 18) == (report.coups, report.wagers)


async def bet_and_close(party: TableParty) -> int:
    """Play a coup up to *rien ne va plus*; return its number."""
    coup = await party.open_betting()
    for who, stakes in WAGERS.items():
        for spot, cents in stakes.items():
            await party.wager(who, spot, cents)
    await party.close_betting()
    await until(lambda: party.scene.table(party.name).phase == "locked")
    return coup
