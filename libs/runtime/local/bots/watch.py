"""What all bots of a table look at: its board, asked for a few times a second by one of them for all."""

import asyncio
import time
from collections.abc import Callable

import msgspec

from libs.runtime.local.bots.door import Speaker
from libs.table.board import Board


class Watch:
    """The latest board of a table."""

    def __init__(self, table: str, reader: Speaker, every_s: float) -> None:
        self.table = table
        self._reader, self._every_s = reader, every_s
        self._changed = asyncio.Condition()
        self._board: Board | None = None

    @property
    def board(self) -> Board:
        """The board as it was last seen; only after `until` has returned once."""
        assert self._board is not None, "nobody has seen the board yet"
        return self._board

    async def run(self) -> None:
        """Look for ever."""
        while True:
            headers = {"authorization": f"Bearer {self._reader.door.token(self._reader.sub, self._reader.role)}"}
            seen = msgspec.json.decode(await self._reader.door.get(f"/v1/tables/{self.table}", headers), type=Board)
            if seen != self._board:
                async with self._changed:
                    self._board = seen
                    self._changed.notify_all()
            await asyncio.sleep(self._every_s)

    async def until(self, wanted: Callable[[Board], bool]) -> Board:
        """Return the first board, now or later, that is as wanted."""
        async with self._changed:
            while self._board is None or not wanted(self._board):
                await self._changed.wait()
            return self._board

    async def change(self, seen: Board | None) -> Board:
        """Return the first board, now or later, that differs from the one seen."""
        return await self.until(lambda board: board != seen)

    def betting_s(self, board: Board) -> float:
        """Return how many seconds of betting were left when the board was first seen."""
        left_ms = (board.closes_at_ms or 0) - time.time() * 1000
        return max(0.0, left_ms / 1000)
