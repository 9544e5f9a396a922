"""The staff of one table: technician, committee member, croupier and pit boss, each a bot with its own token."""

import asyncio
import secrets

from libs.games.wheel.messages import LaunchWheel, ReportSpin, Ring
from libs.runtime.floor import TablePlan
from libs.runtime.local.bots.door import Door, Speaker
from libs.runtime.local.bots.watch import Watch
from libs.table.board import Board
from libs.table.messages import (
    AnnounceLastCoups,
    CheckEquipment,
    CloseBetting,
    CloseSession,
    OpenBetting,
    OpenSession,
    VoidCoup,
)

CHANCE = secrets.SystemRandom()


class Habits:
    """How the staff of a table behaves."""

    def __init__(self, fast: bool) -> None:
        self.pause_s = 0.05 if fast else 2.5
        """Between the end of a coup and the next *faites vos jeux*."""
        self.betting_ms = 500 if fast else None
        """Instead of the floor's plan."""
        self.decision_ms = 500 if fast else None
        self.coups_per_session = 12 if fast else 30
        """After so many the pit boss announces the last coups; the table then closes and opens again."""
        self.void_one_in = 25
        self.close_early_one_in = 6
        self.launch_one_in = 2
        """How often the croupier launches the wheel, rather than leave it to a player's buzzer or the timer."""


class Staff:
    """Runs one table as the floor plans it."""

    def __init__(self, door: Door, watch: Watch, plan: TablePlan, habits: Habits) -> None:
        self._watch, self._plan, self._habits = watch, plan, habits
        name = plan.name
        self._technician = Speaker(door, f"bot-technician-{name}", "technician")
        self._committee = Speaker(door, f"bot-committee-{name}", "committee_member")
        self._croupier = Speaker(door, f"bot-croupier-{name}", "croupier")
        self._pit_boss = Speaker(door, f"bot-pit-boss-{name}", "pit_boss")
        self._device = Speaker(door, f"bot-device-{name}", "device")

    async def run(self) -> None:
        """Do what the board asks for, for ever."""
        board = await self._watch.until(lambda _: True)
        while True:
            await self._act(board)
            # Looked at again after a while even when nothing changes: what was refused may be granted now.
            try:
                async with asyncio.timeout(2.0):
                    board = await self._watch.change(board)
            except TimeoutError:
                board = self._watch.board

    async def _act(self, board: Board) -> None:
        match board.phase:
            case "closed":
                await self._technician.tell(self._plan.name, CheckEquipment())
            case "prepared":
                await self._committee.tell(self._plan.name, CheckEquipment())
                await self._committee.tell(self._plan.name, self._opening())
            case "idle" | "settled":
                await self._between_coups(board)
            case "betting":
                await self._during_betting(board)
            case "decision" | "locked":
                await self._after_betting(board)
            case _:
                pass

    def _opening(self) -> OpenSession:
        plan, habits = self._plan, self._habits
        return OpenSession(
            game=plan.game,
            paytable=plan.paytable,
            minimum=plan.minimum,
            float_amount=plan.float_amount,
            seats=plan.seats,
            source=plan.source,
            betting_ms=habits.betting_ms or plan.betting_ms,
            decision_ms=habits.decision_ms or plan.decision_ms,
            options=plan.options,
            # The committee member has read the edges of the floor's paytable: this is what the floor wants.
            confirm_negative_edge=True,
        )

    async def _between_coups(self, board: Board) -> None:
        if board.last_coups_left == 0:
            await self._committee.tell(board.table, CloseSession())
            return
        await asyncio.sleep(self._habits.pause_s)
        if board.last_coups_left is None and board.coup and board.coup % self._habits.coups_per_session == 0:
            await self._pit_boss.tell(board.table, AnnounceLastCoups())
        await self._croupier.tell(board.table, OpenBetting())

    async def _during_betting(self, board: Board) -> None:
        if CHANCE.randrange(self._habits.void_one_in) == 0:
            await asyncio.sleep(self._half_of_betting_s())
            await self._pit_boss.tell(board.table, VoidCoup(reason="essai d'annulation par un automate"))
        elif CHANCE.randrange(self._habits.close_early_one_in) == 0:
            await asyncio.sleep(self._half_of_betting_s())
            await self._croupier.tell(board.table, CloseBetting())

    def _half_of_betting_s(self) -> float:
        return (self._habits.betting_ms or self._plan.betting_ms) / 2000

    async def _after_betting(self, board: Board) -> None:
        if board.phase == "decision" and CHANCE.randrange(self._habits.launch_one_in) == 0:
            await self._croupier.tell(board.table, LaunchWheel())
        elif board.phase == "locked" and board.source == "device":
            await self._device.tell(board.table, self._spin(board))

    def _spin(self, board: Board) -> ReportSpin:
        """Return what a sensor would say of the ring that turns; now and then the wheel makes too few turns."""
        ring: Ring = "bonus" if board.facts.get("ring") == "bonus" else "main"
        return ReportSpin(
            ring=ring,
            turns=1 if CHANCE.randrange(20) == 0 else 3,
            direction="anticlockwise" if board.facts.get("direction") == "anticlockwise" else "clockwise",
            segment=1 + CHANCE.randrange(6 if ring == "bonus" else 52),
        )
