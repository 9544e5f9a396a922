"""The floor as a reader sees it: the state of every table, folded from the pits' logs and feeds. For reading only."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from libs.draws.proof import CoupProof
from libs.eventlog.api import EventLog
from libs.runtime.floor import Floor
from libs.runtime.follower import Follower, Hear, follow
from libs.runtime.httpkit import Readiness
from libs.runtime.kinds import PIT
from libs.runtime.proofshelf import ProofShelf
from libs.table.board import Board, SeatView, board_of, seat_of
from libs.table.state import TableState, initial

LIVE_MS = 3_000
"""How long ago the log may have answered for the view to be called live, in milliseconds."""


class FloorView:
    """All tables of the floor file. `run` keeps it up to date until it is cancelled."""

    def __init__(self, log: EventLog, floor: Floor) -> None:
        self._pits = {table.name: pit.name for pit in floor.pits for table in pit.tables}
        self._followers: dict[str, Follower[TableState]] = {pit.name: follow(log, pit.name, PIT) for pit in floor.pits}
        self._shelf = ProofShelf(log, PIT.codec)

    async def run(self) -> None:
        """Follow all pits until cancelled."""
        async with asyncio.TaskGroup() as group:
            for follower in self._followers.values():
                group.create_task(follower.run())

    def tables(self) -> tuple[str, ...]:
        """Return the tables in the order of the floor file."""
        return tuple(self._pits)

    def pit_of(self, table: str) -> str | None:
        """Return the pit (the shard) of a table, or None when the floor has no such table."""
        return self._pits.get(table)

    def board(self, table: str) -> Board:
        """Return the table's public board as it is now; a table that was never opened shows as closed."""
        board = board_of(self._state(table))
        return board if board.pit else msgspec.structs.replace(board, pit=self._pits[table])

    async def proofs(self, table: str, session: int) -> tuple[CoupProof, ...]:
        """Return the public data of the coups' draws; raises `EventLogError`, `BadMessage` and `ShelfBusy`."""
        return await self._shelf.coups(self._pits[table], table, session)

    def position(self, table: str) -> str:
        """Return the stream position of that board (`T1/4:231`), empty before the first session."""
        stream, version = self._followers[self._pits[table]].versions.get(table, ("", 0))
        return f"{stream}:{version}" if stream else ""

    def seats(self, player: str) -> Iterator[tuple[str, SeatView]]:
        """Yield the pit and the seat at every table where the player sits."""
        for table, pit in self._pits.items():
            seat = seat_of(self._state(table), player)
            if seat is not None:
                yield pit, seat

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Have every feed entry of every pit told, after it was folded; returns how to stop it."""
        stops = [follower.listen(hear) for follower in self._followers.values()]

        def stop() -> None:
            for one in stops:
                one()

        return stop

    def live(self) -> bool:
        """Tell whether all pits are being followed at this moment."""
        return all(self.hears(pit) for pit in self._followers)

    def caught_up(self) -> bool:
        """Tell whether the logs of all pits have been read; before that every table looks closed."""
        return all(follower.caught_up for follower in self._followers.values())

    def hears(self, pit: str) -> bool:
        """Tell whether a pit is being followed at this moment."""
        return is_live(self._followers[pit], self.now_ms())

    def now_ms(self) -> int:
        """Return the time, ms since 1970."""
        return time.time_ns() // 1_000_000

    def readiness(self) -> Readiness:
        """Tell whether all pits are followed, and which are not."""
        parts = {pit: "live" if self.hears(pit) else "not followed" for pit in self._followers}
        return Readiness(all(said == "live" for said in parts.values()), parts)

    def states(self) -> dict[str, TableState]:
        """Return the state of every table that has ever been opened."""
        return {table: state for table in self._pits if (state := self._state(table)).session}

    def _state(self, table: str) -> TableState:
        return self._followers[self._pits[table]].states.get(table) or initial(table)


def is_live(follower: Follower[Any], now_ms: int) -> bool:
    """Tell whether a follower hears its shard's feed."""
    return follower.live and now_ms - follower.last_heard_ms < LIVE_MS
