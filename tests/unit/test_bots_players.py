"""The bots that play: they stake on every kind of chance, and do not leave others without anybody to play with."""

from collections import Counter
from typing import cast

import msgspec
import pytest

from libs.games import GAMES
from libs.kernel.messages import Command
from libs.runtime.floor import TablePlan
from libs.runtime.local.bots.door import Door, Me, Seat
from libs.runtime.local.bots.games import any_wager
from libs.runtime.local.bots.journal import Answer
from libs.runtime.local.bots.players import Player
from libs.runtime.local.bots.watch import Watch
from libs.table.board import BoardSeat, board_of
from libs.table.messages import LeaveSeat
from tests.kit.boards import SETTLED
from tests.kit.given import GivenTable
from tests.kit.openings import openings

COUPS = 400
"""Enough that what has a chance of 1 in 20 is missing once in 800 million runs."""


class SeatedAtT1:
    """A door at which everybody has a seat and chips, and is granted whatever he says."""

    def __init__(self) -> None:
        self.said: Counter[type[Command]] = Counter()

    def token(self, sub: str, role: str) -> str:
        """As the door of bots does."""
        return f"{sub}/{role}"

    async def get(self, _path: str, _headers: object) -> bytes:
        """As the door of bots does."""
        return msgspec.json.encode(Me(balance=10**6, seats=(Seat("T1", 1, 10_000),)))

    async def post(self, _path: str, _sub: str, _role: str, command: Command) -> Answer:
        """As the door of bots does."""
        self.said[type(command)] += 1
        return Answer(True)


@pytest.mark.parametrize(("seated", "leaves"), [(1, False), (2, False), (3, True), (5, True)])
async def test_a_bot_leaves_no_table_of_two(seated: int, leaves: bool) -> None:
    """It goes to the bar now and then, but only from a table where two others stay: a pot takes an opponent."""
    door = SeatedAtT1()
    plan = TablePlan(name="T1", game="rappel", paytable="RAPPEL-AFFICHE", minimum=100, float_amount=10_000, seats=8)
    player = Player(cast("Door", door), cast("Watch", None), plan, "pit-1", 1)
    seats = tuple(BoardSeat(seat, taken=seat <= seated, staked=False) for seat in range(1, 9))
    for coup in range(COUPS):
        await player.act(msgspec.structs.replace(SETTLED, coup=coup, seats=seats))
    assert leaves == (LeaveSeat in door.said)


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_chance_is_staked_on(game: str) -> None:
    """However many boxes a kind of chance has: a chip on two jokers is as likely as one on any two values."""
    board = board_of(GivenTable().given_open(openings(game)[0]).state)
    kinds = {row.spot: row.family.code if row.family else row.spot for row in board.rows}
    staked = [any_wager(board, (), 10**9) for _ in range(COUPS)]
    assert set(kinds.values()) == {kinds[wager.spot] for wager in staked if wager is not None}
