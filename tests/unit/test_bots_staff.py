"""The bots of a table's staff: a coup is seldom void, and what they record may well be."""

from collections import Counter
from typing import cast

from libs.kernel.messages import Command
from libs.runtime.floor import TablePlan
from libs.runtime.local.bots.door import Door
from libs.runtime.local.bots.games import play_of
from libs.runtime.local.bots.journal import Answer
from libs.runtime.local.bots.staff import Habits, Staff
from libs.runtime.local.bots.watch import Watch
from libs.table.board import Board, board_of
from libs.table.messages import CloseBetting, VoidCoup
from tests.kit.boards import BETTING
from tests.kit.given import CROUPIER
from tests.kit.poker import given_dealt, given_poker, given_turned

COUPS = 1_600


class DeafDoor:
    """Notes what is said and accepts all of it."""

    def __init__(self) -> None:
        self.said: Counter[type[Command]] = Counter()

    async def post(self, _path: str, _sub: str, _role: str, command: Command) -> Answer:
        """As the door of bots does."""
        self.said[type(command)] += 1
        return Answer(True)


async def test_a_coup_is_void_about_once_in_eighty() -> None:
    """However often the board changes while betting is open, it is decided once per coup how it ends."""
    door, habits = DeafDoor(), Habits(fast=True)
    habits.betting_ms = 1
    plan = TablePlan(name="T1", game="wheel", paytable="ROUE-MAISON-1", minimum=100, float_amount=1_000_000, seats=8)
    staff = Staff(cast("Door", door), cast("Watch", None), plan, habits)
    for coup in range(1, COUPS + 1):
        for closes_at_ms in range(10):
            await staff.act(_betting(coup, closes_at_ms))
    assert set(door.said) == {VoidCoup, CloseBetting}
    # Far outside what chance does: 20 are expected, with a deviation of 4.
    assert 1 <= door.said[VoidCoup] <= 60
    assert 600 <= door.said[CloseBetting] <= 1_000


def _betting(coup: int, closes_at_ms: int) -> Board:
    return Board("T1", "pit-1", 1, "betting", BETTING.announcement, coup=coup, closes_at_ms=closes_at_ms)


def test_recorded_cards_are_seldom_there_twice() -> None:
    """A croupier at a console records cards that can be; now and then one that lies there already, which is a void."""
    stakes = (1, "COULEUR_ROUGE", 100)
    board = board_of(
        given_turned(given_dealt(given_poker().given_seated().given_wagers(stakes), "7C", "8C", "9C"), 2).state
    )
    console = given_poker(source="console").given_seated().given_wagers(stakes).given(CloseBetting(), by=CROUPIER)
    (awaited,) = board_of(console.state).awaited
    said = [play_of("paire_poker").faces(board, awaited)[0] for _ in range(COUPS)]
    assert len(set(said)) > 40
    assert sum(face in {"7C", "8C"} for face in said) < COUPS // 50
