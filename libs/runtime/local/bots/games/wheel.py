"""Bots at the wheel: stakes on its chances, the buzzer, the croupier's launch, the sensor's reports."""

from collections.abc import Sequence

from libs.games.wheel.messages import EnterSegment, LaunchWheel, PressBuzzer, ReportSpin, Ring
from libs.games.wheel.rules import SEGMENTS
from libs.kernel.actors import Role
from libs.kernel.messages import Command
from libs.runtime.local.bots.games import CHANCE, Play, any_wager, too_little
from libs.table.board import Board
from libs.table.messages import PlaceWager

BUZZER_ONE_IN = 3
LAUNCH_ONE_IN = 2
"""How often the croupier launches the wheel, rather than leave it to a player's buzzer or the timer."""
FAULT_ONE_IN = 20
"""How often the wheel makes too few turns, and how often the sensor does not see where it stops."""


def _wager(board: Board, placed: Sequence[str], credit: int) -> PlaceWager | None:
    wager, bonus = any_wager(board, placed, credit), board.options.get("bonus_stake")
    if wager is None or wager.spot != "BONUS" or not bonus:
        return wager
    return PlaceWager(spot="BONUS", amount=bonus) if bonus <= credit else None


def _mistake(board: Board, placed: Sequence[str]) -> PlaceWager:
    return CHANCE.choice(
        [
            PlaceWager(spot="7", amount=board.minimum),
            PlaceWager(spot="48", amount=board.minimum * 1000),
            PlaceWager(spot="BONUS", amount=board.minimum + 1),
            too_little(board, placed),
        ]
    )


def _player(board: Board, seat: int) -> Command | None:
    staked = any(other.seat == seat and other.staked for other in board.seats)
    return PressBuzzer() if board.phase == "decision" and staked and CHANCE.randrange(BUZZER_ONE_IN) == 0 else None


def _staff(board: Board) -> tuple[Role, Command] | None:
    ring: Ring = "bonus" if board.facts.get("ring") == "bonus" else "main"
    turning = "direction" in board.facts
    if board.phase == "decision" and not turning:
        return ("croupier", LaunchWheel()) if CHANCE.randrange(LAUNCH_ONE_IN) == 0 else None
    if board.source != "device" or not turning:
        return None
    segment = 1 + CHANCE.randrange(len(SEGMENTS[ring]))
    if board.phase == "decision":
        return "committee_member", EnterSegment(ring=ring, segment=segment)
    return "device", _spin(board, ring, segment)


def _spin(board: Board, ring: Ring, segment: int) -> ReportSpin:
    """Return what a sensor would say of the ring that turns; now and then it makes too few turns, or is not seen."""
    return ReportSpin(
        ring=ring,
        turns=1 if CHANCE.randrange(FAULT_ONE_IN) == 0 else 3,
        direction="anticlockwise" if board.facts.get("direction") == "anticlockwise" else "clockwise",
        segment=None if CHANCE.randrange(FAULT_ONE_IN) == 0 else segment,
    )


PLAY = Play(wager=_wager, mistake=_mistake, player=_player, staff=_staff)
