"""The real house behind the door: the floor's tables, the ledger, and the inboxes of their shards."""

import asyncio
import time
from collections.abc import Callable

from libs.eventlog.api import EventLog
from libs.kernel.accounts import player_account
from libs.kernel.contracts.wallet_days import MoneyMoved
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.ledger.state import LedgerState, balance
from libs.runtime.floor import Floor
from libs.runtime.floorview import FloorView, is_live
from libs.runtime.follower import Follower, Hear, follow
from libs.runtime.httpkit import Readiness
from libs.runtime.kinds import WALLET
from libs.runtime.recall import find_transfer
from libs.runtime.reconcile import LOOK_EVERY_S, Reconciliation
from libs.table.board import Board
from services.gateway.door import OwnSeat

LENGTH_GOOD_FOR_S = 0.25
"""How long the length of an inbox is remembered, so that not every command asks for it, in seconds."""


class FollowedHouse:
    """Implements `services.gateway.door.House`. `run` keeps it up to date until it is cancelled."""

    def __init__(self, log: EventLog, floor: Floor) -> None:
        self._log = log
        self._floor = FloorView(log, floor)
        self._ledger: Follower[LedgerState] = follow(log, WALLET_SHARD, WALLET)
        self._lengths: dict[str, tuple[float, int]] = {}

    async def run(self) -> None:
        """Follow the pits and the ledger until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._floor.run())
            group.create_task(self._ledger.run())
            group.create_task(self._reconcile())

    async def _reconcile(self) -> None:
        """Compare ledger and tables again and again, as long as both are heard."""
        reconciliation = Reconciliation()
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            ledger = self._ledger.states.get(LEDGER)
            if ledger is not None and self.readiness().ready:
                reconciliation.look(ledger, self._floor.states())

    def caught_up(self) -> bool:
        """Tell whether all logs have been read; before that every table looks closed and every account empty."""
        return self._floor.caught_up() and self._ledger.caught_up

    def tables(self) -> tuple[str, ...]:
        """Return the tables in the order of the floor file."""
        return self._floor.tables()

    def pit_of(self, table: str) -> str | None:
        """Return the pit (the shard) of a table, or None when the floor has no such table."""
        return self._floor.pit_of(table)

    def board(self, table: str) -> Board:
        """Return the public board of a table."""
        return self._floor.board(table)

    def balance(self, player: str) -> int:
        """Return the player's account balance in cents; zero without an account."""
        ledger = self._ledger.states.get(LEDGER)
        return balance(ledger, player_account(player)) if ledger is not None else 0

    def seats(self, player: str) -> tuple[OwnSeat, ...]:
        """Return the seats that the player holds."""
        return tuple(
            OwnSeat(seat.table, pit, seat.seat, seat.credit, seat.staked, seat.stakes)
            for pit, seat in self._floor.seats(player)
        )

    def hears(self, shard: str) -> bool:
        """Tell whether the answers of a shard are being heard at this moment."""
        if shard == WALLET_SHARD:
            return is_live(self._ledger, self._floor.now_ms())
        return self._floor.hears(shard)

    async def send(self, shard: str, envelope: bytes) -> None:
        """Put a command on a shard's inbox."""
        await self._log.send([(shard, envelope)])

    async def waiting(self, shard: str) -> int:
        """Return how many commands wait on a shard's inbox; at most a quarter of a second old."""
        now_s = time.monotonic()
        known = self._lengths.get(shard)
        if known is not None and now_s - known[0] < LENGTH_GOOD_FOR_S:
            return known[1]
        # From the start: the inbox is trimmed behind its owner's cursor, which only the owner knows.
        length = await self._log.inbox_length(shard, "0-0")
        self._lengths[shard] = (now_s, length)
        return length

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Have every feed entry of every shard told; returns how to stop it."""
        stop_floor, stop_ledger = self._floor.listen(hear), self._ledger.listen(hear)

        def stop() -> None:
            stop_floor()
            stop_ledger()

        return stop

    async def recall(self, transfer_id: str) -> MoneyMoved | None:
        """Return what the logs say of a transfer that the ledger no longer remembers."""
        return await find_transfer(self._log, WALLET_SHARD, transfer_id)

    def readiness(self) -> Readiness:
        """Tell whether commands can be sent and answers be heard."""
        floor = self._floor.readiness()
        ledger = self.hears(WALLET_SHARD)
        parts = floor.parts | {WALLET_SHARD: "live" if ledger else "not followed"}
        return Readiness(floor.ready and ledger, parts)
