"""From the boards of the tables to the frames that pages get."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from libs.draws.proof import CoupProof
from libs.kernel.envelope import FeedEntry
from libs.kernel.game import Announcement, Outcome
from libs.kernel.ids import split_stream
from libs.runtime.httpkit import Readiness
from libs.table.board import Board, BoardPhase, PastCoup
from services.display.hub import COMMENT, Hub, frame

FLUSH_S = 0.05
"""How long changes of a table are gathered into one frame, in seconds: a screen needs no more than 20 a second."""

BEAT_S = 2.0
"""Seconds between heartbeats; a page calls its data old when it has had none for 5 seconds."""

BEATS_PER_COMMENT = 7
"""A comment goes with every so many heartbeats (about 15 seconds)."""

TILE_OUTCOMES = 5
"""Past outcomes shown for a table on the floor page."""

Hear = Callable[[FeedEntry, bytes], None]


class House(Protocol):
    """What the display knows of the house: boards, and when they change. `libs.runtime.floorview` is the real one."""

    def tables(self) -> Sequence[str]:
        """Return the tables of the site in the order of the floor file."""

    def board(self, table: str) -> Board:
        """Return the table's board as it is now."""

    async def proofs(self, table: str, session: int) -> Sequence[CoupProof]:
        """Return the public data of the draws of a session's latest coups."""

    def position(self, table: str) -> str:
        """Return the stream position of that board (`T1/4:231`), empty before the first session."""

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Have every feed entry told, after it was folded; returns how to stop it."""

    def live(self) -> bool:
        """Tell whether the feeds are being followed at this moment."""

    def now_ms(self) -> int:
        """Return the time, ms since 1970."""

    def readiness(self) -> Readiness:
        """Tell whether all boards are followed."""


class Tile(msgspec.Struct, frozen=True):
    """A table on the floor page; the words are those of `Board`."""

    table: str
    pit: str
    game: str
    title: Announcement | None
    phase: BoardPhase
    announcement: Announcement
    minimum: int
    session: int
    coup: int
    closes_at_ms: int | None
    last_coups_left: int | None
    closing: Announcement | None
    seats_taken: int
    seats: int
    last: PastCoup | None
    outcomes: tuple[Outcome, ...]


class Beat(msgspec.Struct, frozen=True):
    """Says that the display is alive, and whether what it shows is (`live`)."""

    now_ms: int
    live: bool


def tile_of(board: Board) -> Tile:
    """Return what the floor page shows of a board."""
    return Tile(
        table=board.table,
        pit=board.pit,
        game=board.game,
        title=board.title,
        phase=board.phase,
        announcement=board.announcement,
        minimum=board.minimum,
        session=board.session,
        coup=board.coup,
        closes_at_ms=board.closes_at_ms,
        last_coups_left=board.last_coups_left,
        closing=board.closing,
        seats_taken=sum(seat.taken for seat in board.seats),
        seats=len(board.seats),
        last=board.last,
        outcomes=tuple(past.outcome for past in board.history[:TILE_OUTCOMES]),
    )


class Show:
    """Keeps the hub's topics (`floor` and one per table) in step with the house."""

    def __init__(self, house: House, hub: Hub) -> None:
        self.house, self.hub = house, hub
        self._sent: dict[str, tuple[bytes, bytes]] = {}
        self._positions = {table: house.position(table) for table in house.tables()}
        self._dirty: set[str] = set()
        self._beats = 0
        self._floor = hub.add("floor", self._floor_frame)
        self._tables: Mapping[str, Callable[[bytes], None]] = {
            table: hub.add(f"table:{table}", lambda table=table: self._board_frame(table)).publish  # type: ignore[misc]
            for table in house.tables()
        }
        hub.beat = self._beat_frame

    async def run(self) -> None:
        """Publish until cancelled."""
        unlisten = self.house.listen(self.hear)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._every(FLUSH_S, self.flush))
                group.create_task(self._every(BEAT_S, self.beat))
        finally:
            unlisten()

    def hear(self, entry: FeedEntry, _raw: bytes = b"") -> None:
        """Note which tables a feed entry has changed."""
        self._dirty.update(split_stream(record.stream)[0] for record in entry.events)

    def flush(self) -> None:
        """Publish the boards that have changed since the last time."""
        changed, self._dirty = self._dirty & self._tables.keys(), set()
        for table in sorted(changed):
            board = self.house.board(table)
            now = msgspec.json.encode(board), msgspec.json.encode(tile_of(board))
            before = self._sent.get(table, (b"", b""))
            self._sent[table] = now
            position = self._positions[table] = self.house.position(table)
            if now[0] != before[0]:
                self._tables[table](frame("board", now[0], position))
            if now[1] != before[1]:
                self._floor.publish(frame("tile", now[1], position))

    def beat(self) -> None:
        """Tell every page that the display is alive."""
        # After an outage the house reads the logs again, and no feed entry tells of what changed meanwhile.
        self._dirty.update(table for table in self._tables if self._is_behind(table))
        self.flush()
        self._beats += 1
        self.hub.publish(self._beat_frame() + (COMMENT if self._beats % BEATS_PER_COMMENT == 0 else b""))

    def _is_behind(self, table: str) -> bool:
        return self.house.position(table) != self._positions[table]

    def _beat_frame(self) -> bytes:
        return frame("beat", msgspec.json.encode(Beat(self.house.now_ms(), self.house.live())))

    def _board_frame(self, table: str) -> bytes:
        return frame("board", msgspec.json.encode(self.house.board(table)), self.house.position(table))

    def _floor_frame(self) -> bytes:
        tiles = [tile_of(self.house.board(table)) for table in self.house.tables()]
        return frame("floor", msgspec.json.encode(tiles))

    @staticmethod
    async def _every(seconds: float, do: Callable[[], None]) -> None:
        while True:
            await asyncio.sleep(seconds)
            do()
