"""A pit whose memory of answers was overrun, on a real server behind the door: the log tells what was told."""

from typing import Any

import httpx
import pytest

from libs.eventlog.redis_log import RedisLog
from libs.kernel.days import moment
from libs.runtime.audit import audit
from libs.table.messages import AnnounceLastCoups, CloseBetting, CloseSession, OpenBetting, TakeSeat
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.pumped_house import PumpedHouse, Terminal, door_of

pytestmark = pytest.mark.redis

WINDOW = 4
"""Answers that the pit remembers here at least."""


class Visit:
    """A player at table T1 who says things at the door, and says them again."""

    def __init__(self, house: MemoryHouse, http: httpx.AsyncClient) -> None:
        self._house, self._player = house, Terminal(http, "player-1", "player")
        self._said: list[tuple[str, dict[str, Any], httpx.Response]] = []

    async def say(self, command: dict[str, Any]) -> httpx.Response:
        """Say something for the first time."""
        command_id = f"{moment(await self._house.log.now_ms())}/{len(self._said)}"
        answer = await self._player.tell("tables/T1", command, command_id)
        self._said.append((command_id, command, answer))
        return answer

    async def overrun(self) -> None:
        """Give so many other answers that all before are forgotten."""
        for seat in range(3, 3 + 2 * WINDOW):
            await self._house.tell("player-2", "player", PIT, "T1", TakeSeat(seat=seat))

    async def say_all_again(self) -> None:
        """What was granted gets the same answer, other content a conflict, what was refused a no; nothing is done."""
        before, heads = self._house.state_of(), await self._house.log.heads(PIT)
        for command_id, command, first in self._said:
            again = await self._player.tell("tables/T1", command, command_id)
            other = await self._player.tell("tables/T1", {"type": "table.TakeSeat", "seat": 9}, command_id)
            if first.status_code == 200:
                assert (first.status_code, first.json()) == (again.status_code, again.json())
                assert "command.conflict" == other.json()["refusal"]["code"]
            else:
                told = {answer.json()["refusal"]["code"] for answer in (again, other)}
                assert {"command.too_old"} == told
        assert (before, heads) == (self._house.state_of(), await self._house.log.heads(PIT))


async def test_nothing_is_done_twice_behind_the_window(redis_log: RedisLog) -> None:
    """Wager, cash-out and departure, repeated late, in a later session and after a take-over: the same answers."""
    house = MemoryHouse(log=redis_log, answers=WINDOW)
    house.now_ms = await redis_log.now_ms()
    await house.open()
    async with door_of(PumpedHouse(house)) as http:
        visit = Visit(house, http)
        await house.open_session()
        await house.sit_down("player-1", 1, 10_000)
        await house.staff("croupier", OpenBetting())
        assert 200 == (await visit.say({"type": "table.PlaceWager", "spot": "2", "amount": 500})).status_code
        assert 409 == (await visit.say({"type": "table.PlaceWager", "spot": "2", "amount": 10_000_000})).status_code
        await house.staff("croupier", CloseBetting())
        await house.pass_time(60_000)
        assert 200 == (await visit.say({"type": "table.CashOut", "amount": 1_000})).status_code
        await visit.overrun()
        await visit.say_all_again()
        assert 200 == (await visit.say({"type": "table.LeaveSeat"})).status_code

        await house.staff("pit_boss", AnnounceLastCoups())
        for _ in range(3):
            await house.play_coup({})
        await house.staff("committee_member", CloseSession())
        await house.open_session()
        await house.sit_down("player-1", 1, 10_000)
        await house.staff("croupier", OpenBetting())
        await visit.overrun()
        await visit.say_all_again()
        await house.take_over(PIT, frozenset({"T1"}))
        await visit.say_all_again()
    assert () == (await audit(redis_log)).faults
