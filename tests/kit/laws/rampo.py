"""What must hold at a Rampo table."""

from libs.table.board import Board
from tests.kit.given import GivenTable
from tests.kit.rampo import game_of


def laws(table: GivenTable, board: Board) -> None:
    """Who has stakes in the zone sits there, everybody has chips of a colour of the own, dice lie there when thrown."""
    if table.state.phase in {"closed", "prepared"}:
        assert {} == game_of(table).zone
        return
    game, seats = game_of(table), table.state.seats
    assert set(game.zone) <= set(seats)
    assert seats.keys() == game.colours.keys() == game.chips.keys()
    assert len(set(game.colours.values())) == len(game.colours)
    assert game.shooter is None or game.shooter in seats
    if table.state.draws or table.state.awaited:
        assert "faces" not in board.facts
