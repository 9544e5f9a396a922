"""What must hold at a wheel."""

from itertools import pairwise

from libs.games.wheel import messages as w
from libs.table.board import Board
from tests.kit.given import GivenTable


def laws(table: GivenTable, board: Board) -> None:
    """No segment is on the board before its ring has stopped, and launches go to and fro (WA8)."""
    stopped = {event.ring for event in table.of_coup() if isinstance(event, w.RingStopped)}
    assert ("segment" in board.facts) <= ("main" in stopped)
    assert ("inner_segment" in board.facts) <= ("bonus" in stopped)
    launches = [event.direction for event in table.log if isinstance(event, w.WheelLaunched)]
    assert all(before != after for before, after in pairwise(launches))
