"""Bots at Rampo: chips and dice before *rien ne va plus*, the throw, the rampo, and a staff that objects."""

from collections.abc import Sequence

from libs.games.rampo.messages import (
    AnswerRampo,
    CallCoupNul,
    ChangeDice,
    Fault,
    RefuseDice,
    RemoveShooter,
    SetChipValue,
    ThrowDice,
)
from libs.kernel.actors import Role
from libs.kernel.messages import Command
from libs.runtime.local.bots.games import CHANCE, Play, too_little
from libs.table.board import Board
from libs.table.messages import PlaceWager

SHOOTER_WORD_ONE_IN, WORD_ONE_IN = 6, 20
"""How often the shooter, and another player, says something about dice or chips; the rules refuse some of it."""
TIMER_ONE_IN = 4
"""How often a shooter, or a winner who is asked, leaves it to the timer."""
COUP_NUL_ONE_IN, REMOVAL_ONE_IN = 10, 40
"""At each look of the staff before the result."""
FAULTS: tuple[Fault, ...] = ("broken", "stacked", "leaning", "on_chip", "off_table", "sliding", "no_back_wall")


def _mistake(board: Board, placed: Sequence[str]) -> PlaceWager:
    minimum = board.minimum
    return CHANCE.choice(
        [
            PlaceWager(spot="2-3", amount=minimum),
            PlaceWager(spot="ROUGE-NOIR", amount=minimum),
            PlaceWager(spot="13", amount=minimum),
            PlaceWager(spot="8", amount=minimum + 1),
            PlaceWager(spot="7", amount=minimum * 41),
            too_little(board, placed),
        ]
    )


def _betting(board: Board, seat: int) -> Command | None:
    if CHANCE.randrange(SHOOTER_WORD_ONE_IN if board.facts.get("shooter") == seat else WORD_ONE_IN):
        return None
    other = 2 if board.facts.get("pair") == 1 else 1
    value = SetChipValue(value=board.minimum * CHANCE.randrange(1, 3))
    return CHANCE.choice([RefuseDice(), ChangeDice(pair=1 if other == 1 else 2), value])


def _player(board: Board, seat: int) -> Command | None:
    if str(seat) in str(board.facts.get("offered", "")).split():
        # The same answer each time that the board is looked at; some players never answer.
        mood = (board.coup * 7 + seat * 3) % (TIMER_ONE_IN + 1)
        return AnswerRampo(tries=mood % 2 == 1) if mood else None
    waits = board.phase == "decision" and board.source == "rng" and "faces" not in board.facts
    if waits and board.facts.get("shooter") == seat and CHANCE.randrange(TIMER_ONE_IN):
        return ThrowDice()
    return None


def _staff(board: Board) -> tuple[Role, Command] | None:
    shooter = board.facts.get("shooter")
    if "faces" in board.facts or not isinstance(shooter, int):
        return None
    if CHANCE.randrange(REMOVAL_ONE_IN) == 0:
        return "pit_boss", RemoveShooter(seat=shooter, reason="lancers irréguliers répétés")
    if board.awaited and CHANCE.randrange(COUP_NUL_ONE_IN) == 0:
        throw = board.facts.get("throw", 1)
        return "croupier", CallCoupNul(throw=int(throw), fault=CHANCE.choice(FAULTS))
    return None


PLAY = Play(mistake=_mistake, betting=_betting, player=_player, staff=_staff)
