"""Real dice at a table of the Rappel: GA21, the cocked die."""

from libs.games.rappel import messages as r
from libs.kernel.game import Announcement
from libs.table import messages as m
from libs.table.board import board_of
from tests.kit.given import CROUPIER, GivenTable
from tests.kit.rappel import first_game, game, given_entries, given_rappel, meters, play


def test_ga21_a_cocked_die_is_thrown_again() -> None:
    """GA21: *coup nul* for the die alone, of JET 1, an attempt or JET 2: no money moves, the dice stay awaited."""
    table = given_entries(given_rappel(2, source="device")).given(m.CloseBetting(), by=CROUPIER)
    for line, seat in (("", 2), ("rolls:2,9 A:tries", 1), ("rolls:20 B:declines B:follows", 2)):
        play(table, line)
        before = meters(table), game(table).pot, game(table).rolling
        table.given(r.CallCocked(seat=seat), by=CROUPIER)
        assert ("coup_nul", "Coup nul") == (announced(table).code, announced(table).fr)
        assert before == (meters(table), game(table).pot, game(table).rolling)
        assert seat == board_of(table.state).facts["cocked"]
        table.when(r.CallCocked(seat=seat), by=CROUPIER)
        table.then_already()
    play(table, "rolls:3,8")
    assert "WIN:2:8" == table.last_settlement().outcome


def announced(table: GivenTable) -> Announcement:
    """Return what the display says."""
    return board_of(table.state).announcement


def test_ga21_only_dice_that_roll_can_be_cocked() -> None:
    """GA21: not a die that is not awaited, not a die of the RNG, not in another game."""
    table = first_game((2, 9))
    table.when(r.CallCocked(seat=1), by=CROUPIER)
    table.then_refused("rappel.no_real_dice")
    table = given_entries(given_rappel(3, source="device"), "AB").given(m.CloseBetting(), by=CROUPIER)
    table.when(r.CallCocked(seat=3), by=CROUPIER)
    table.then_refused("rappel.die_not_rolling")
    table.when(r.CallCocked(seat=1, coup=2), by=CROUPIER)
    table.then_refused("rappel.other_coup")
    play(table, "rolls:2,9")
    table.when(r.CallCocked(seat=1), by=CROUPIER)
    table.then_refused("rappel.die_not_rolling")
