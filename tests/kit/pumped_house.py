"""A door before a whole house without processes: real rules of table, ledger and draws behind real HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec

from libs.runtime.floor import Floor, Pit, Site, TablePlan
from libs.runtime.kinds import PIT
from libs.runtime.tokens import Verifier
from services.gateway.answers import Desk
from services.gateway.app import gateway_app
from services.gateway.door import Door
from services.gateway.house import FollowedHouse
from services.gateway.keeper import Keeper
from services.gateway.rates import Rates
from services.gateway.register import Register
from tests.kit.door import KEY, bearer
from tests.kit.memory_house import MemoryHouse

PLAN = TablePlan(name="T1", game="wheel", paytable="ROUE-MAISON-1", minimum=100, float_amount=1_000_000, seats=8)
FLOOR = Floor(site=Site(name="site-a"), pits=(Pit(name="pit-1", tables=(PLAN,)),))


class PumpedHouse(FollowedHouse):
    """A followed house whose shards handle a command as soon as it is sent."""

    def __init__(self, memory: MemoryHouse, floor: Floor = FLOOR) -> None:
        super().__init__(memory.log, floor)
        self._memory = memory

    async def send(self, shard: str, envelope: bytes) -> None:
        """Send, and let everything that follows happen."""
        await super().send(shard, envelope)
        await self._memory.pass_time(0)


NOW = "2023-11-14T22:13:20Z"
"""When the house of these tests begins."""


class Terminal:
    """Somebody at a terminal or console."""

    def __init__(self, http: httpx.AsyncClient, who: str, role: str) -> None:
        self._http, self._headers, self._count = http, bearer(who, role), 0

    async def tell(self, place: str, command: dict[str, Any], command_id: str = "") -> httpx.Response:
        """Post a command; without an id it gets the next number."""
        self._count += 1
        body = {"command_id": command_id or f"{NOW}/{self._count}", "command": command}
        return await self._http.post(f"/v1/{place}/commands", content=msgspec.json.encode(body), headers=self._headers)

    async def get(self, path: str) -> Any:
        """Get what is at a path."""
        return (await self._http.get(f"/v1/{path}", headers=self._headers)).json()


@asynccontextmanager
async def door_of(house: PumpedHouse) -> AsyncIterator[httpx.AsyncClient]:
    """Open a door before a house."""
    following = asyncio.create_task(house.run())
    while not house.readiness().ready:  # noqa: ASYNC110 - a follower tells nobody that it has caught up
        await asyncio.sleep(0)
    door = Door(house, Rates(), Desk())
    register = Register(door, Keeper(house._memory.log, house.register, None), None)
    app = gateway_app(door, register, Verifier([KEY.public_key()], "site-a"), PIT.decider.commands)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://door") as client:
        yield client
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
