"""Somebody who looks at the gateway all the time: whatever is killed, what it shows is never older than before."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TypeVar

import httpx
import msgspec

from libs.kernel.contracts.wallet import Deposit
from libs.runtime.local.bots.door import Me
from libs.table.board import Board
from tests.kit.scene import Scene

T = TypeVar("T")

WITNESS = "player-witness"
MONEY = 12_345
EVERY_S = 0.02


class Witness:
    """Has an account that nobody moves, and looks at it and at every table again and again."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._last: dict[str, tuple[int, int]] = {}
        self.looks = 0
        """Answers seen."""
        self.lies: list[str] = []
        """Answers that were not true."""

    @contextlib.asynccontextmanager
    async def looking(self) -> AsyncIterator["Witness"]:
        """Look while the block runs."""
        cashier = self._scene.speaker("cashier-1", "cashier")
        assert (await cashier.tell_wallet(Deposit(player=WITNESS, amount=MONEY))).accepted
        task = asyncio.create_task(self._look_for_ever())
        try:
            yield self
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _look_for_ever(self) -> None:
        while True:
            me = await self._get("/v1/me", Me)
            if me is not None and me.balance != MONEY:
                self.lies.append(f"the balance is {me.balance}")
            for table in self._scene.tables:
                board = await self._get(f"/v1/tables/{table}", Board)
                if board is None:
                    continue
                now, before = (board.session, board.coup), self._last.get(table, (0, 0))
                if now < before:
                    self.lies.append(f"{table} is at session and coup {now} after {before}")
                self._last[table] = max(now, before)
            await asyncio.sleep(EVERY_S)

    async def _get(self, path: str, shape: type[T]) -> T | None:
        """Return what the gateway shows; None when it does not answer, or says that it cannot now."""
        headers = {"authorization": f"Bearer {self._scene.door.token(WITNESS, 'player')}"}
        with contextlib.suppress(httpx.TransportError):
            response = await self._scene.http.get(path, headers=headers)
            if response.status_code == httpx.codes.OK:
                self.looks += 1
                return msgspec.json.decode(response.content, type=shape)
        return None
