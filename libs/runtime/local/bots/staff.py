"""The staff of one table: technician, committee member, croupier and pit boss, each a bot with its own token."""

import asyncio

from msgspec.structs import replace

from libs.kernel.actors import Role
from libs.kernel.limits import EMPTY_COUPS_TO_CLOSE
from libs.kernel.messages import Command
from libs.runtime.floor import TablePlan
from libs.runtime.local.bots.door import Door, Speaker
from libs.runtime.local.bots.games import CHANCE, play_of
from libs.runtime.local.bots.watch import Watch
from libs.runtime.local.openings import opening
from libs.table.board import Board, BoardOutcome
from libs.table.messages import (
    AnnounceLastCoups,
    CheckEquipment,
    CloseBetting,
    CloseSession,
    OpenBetting,
    OpenSession,
    VoidCoup,
)
from libs.table.outcome_messages import ConfirmOutcome, CorrectOutcome, RecordOutcome


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
        self.void_one_in = 80
        """In coups. With what else voids one (a game's own voids, nobody's stake), about one in fifty is void."""
        self.close_early_one_in = 2
        """In coups; the others are left to the timer."""
        self.correct_one_in = 20


class Staff:
    """Runs one table as the floor plans it."""

    def __init__(self, door: Door, watch: Watch, plan: TablePlan, habits: Habits) -> None:
        self._watch, self._plan, self._habits = watch, plan, habits
        self._play = play_of(plan.game)
        self._met: tuple[int, int] = (0, 0)
        """Session and coup for which it was decided how its betting ends."""
        self._people = {
            role: Speaker(door, f"bot-{role.replace('_member', '').replace('_', '-')}-{plan.name}", role)
            for role in ("technician", "committee_member", "croupier", "pit_boss", "device")
        }

    async def _tell(self, role: Role, command: Command) -> bool:
        """Say something to the table as one of the staff, or as its device; True when it was accepted."""
        return (await self._people[role].tell(self._plan.name, command)).accepted

    async def run(self) -> None:
        """Do what the board asks for, for ever."""
        board = await self._watch.until(lambda _: True)
        while True:
            await self.act(board)
            # Looked at again after a while even when nothing changes: what was refused may be granted now.
            try:
                async with asyncio.timeout(2.0):
                    board = await self._watch.change(board)
            except TimeoutError:
                board = self._watch.board

    async def act(self, board: Board) -> None:
        """Do what a board asks for."""
        match board.phase:
            case "closed":
                await self._tell("technician", CheckEquipment())
            case "prepared":
                await self._tell("committee_member", CheckEquipment())
                await self._tell("committee_member", self._opening())
            case "idle" | "settled":
                await self._between_coups(board)
            case "betting":
                await self._during_betting(board)
            case "decision" | "locked":
                await self._after_betting(board)
            case _:
                pass

    def _opening(self) -> OpenSession:
        planned, habits = opening(self._plan), self._habits
        return replace(
            planned,
            betting_ms=habits.betting_ms or planned.betting_ms,
            decision_ms=habits.decision_ms or planned.decision_ms,
        )

    async def _between_coups(self, board: Board) -> None:
        if board.last_coups_left == 0:
            await self._tell("committee_member", CloseSession())
            return
        # Art. 31: where nobody stakes any more, the last coups may never be played; the table may close all the same.
        voids = [past.result for past in board.history[:EMPTY_COUPS_TO_CLOSE]].count("voided")
        deserted = board.last_coups_left is not None and voids == EMPTY_COUPS_TO_CLOSE
        if deserted and await self._tell("committee_member", CloseSession()):
            return
        await asyncio.sleep(self._habits.pause_s)
        if board.last_coups_left is None and board.coup and board.coup % self._habits.coups_per_session == 0:
            await self._tell("pit_boss", AnnounceLastCoups())
        await self._tell("croupier", OpenBetting())

    async def _during_betting(self, board: Board) -> None:
        """Decide once in a coup, however often the board changes, whether betting ends by a word or by the timer."""
        if self._met == (board.session, board.coup):
            return
        self._met = (board.session, board.coup)
        if CHANCE.randrange(self._habits.void_one_in) == 0:
            await asyncio.sleep(self._half_of_betting_s())
            await self._tell("pit_boss", VoidCoup(reason="essai d'annulation par un automate"))
        elif CHANCE.randrange(self._habits.close_early_one_in) == 0:
            await asyncio.sleep(self._half_of_betting_s())
            await self._tell("croupier", CloseBetting())

    def _half_of_betting_s(self) -> float:
        return (self._habits.betting_ms or self._plan.betting_ms) / 2000

    async def _after_betting(self, board: Board) -> None:
        word = self._play.staff(board)
        if word is not None:
            # People look at what happens before they go on.
            await asyncio.sleep(self._habits.pause_s / 2)
            await self._tell(*word)
        elif board.awaited:
            await self._record(board, board.awaited[0])

    async def _record(self, board: Board, awaited: BoardOutcome) -> None:
        """Record any faces where an outcome is awaited; then confirm them, or now and then correct them first."""
        name, faces = awaited.name, self._play.faces(board, awaited)
        speakers: dict[str, Role] = {"console": "croupier", "device": "device", "manual": "pit_boss"}
        await asyncio.sleep(self._habits.pause_s / 2)
        if not awaited.recorded:
            await self._tell(speakers[awaited.by], RecordOutcome(name=name, faces=faces))
        elif CHANCE.randrange(self._habits.correct_one_in) == 0:
            await self._tell(
                "pit_boss", CorrectOutcome(name=name, faces=faces, reason="erreur de saisie d'un automate")
            )
        else:
            await self._tell("croupier", ConfirmOutcome(name=name))
