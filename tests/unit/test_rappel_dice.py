"""Real dice at a table of the Rappel: the croupier's console, corrections, and GA21, the cocked die."""

import pytest

from libs.games.rappel import messages as r
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import board_of
from tests.kit.given import COMMITTEE, CROUPIER, DECISION_MS, DEVICE, PIT_BOSS, GivenTable, folds, money_is_conserved
from tests.kit.rappel import CREDIT, credited, first_game, game, given_entries, given_rappel, meters, play


def given_thrown(players: int, source: str = "console") -> GivenTable:
    """Return a table with real dice after *rien ne va plus*: JET 1 is awaited."""
    return given_entries(given_rappel(players, source=source)).given(m.CloseBetting(), by=CROUPIER)


def record(table: GivenTable, name: str, *faces: int) -> GivenTable:
    """Let the croupier enter what lies there, and confirm it."""
    table.given(o.RecordOutcome(name=name, faces=tuple(map(str, faces))), by=CROUPIER)
    return table.given(o.ConfirmOutcome(name=name), by=CROUPIER)


def test_a_game_by_the_croupiers_console() -> None:
    """Example 3 with real dice: JET 1, the rappel and JET 2 are entered as faces, and pay the same."""
    table = given_thrown(3)
    record(table, "jet-1", 1, 9, 14)
    play(table, "A:tries")
    record(table, "rappel-1", 20)
    play(table, "B:declines C:declines B:passes C:follows")
    record(table, "jet-2", 13, 7)
    assert [8_100, 0, 0] == credited(table)
    assert [] == table.only(m.DrawRequested)
    money_is_conserved(table)


def test_the_console_offers_each_players_die() -> None:
    """The board lists, for each die of JET 2 in seat order, the faces that it has: d8 for B, d20 for A and his 20."""
    table = record(given_thrown(2), "jet-1", 20, 9)
    play(table, "B:declines B:follows A:follows")
    (awaited,) = board_of(table.state).awaited
    assert ("jet-2", [20, 8]) == (awaited.name, [len(faces) for faces in awaited.choices])
    assert ("1", "8") == (awaited.choices[1][0], awaited.choices[1][-1])


@pytest.mark.parametrize(
    ("faces", "code"),
    [
        (("9",), "outcome.wrong_count"),
        (("9", "9", "9"), "outcome.wrong_count"),
        (("21", "9"), "outcome.unknown_face"),
        (("0", "9"), "outcome.unknown_face"),
    ],
)
def test_what_no_die_shows(faces: tuple[str, ...], code: str) -> None:
    """One face per die, and only faces that the die has."""
    table = given_thrown(2)
    table.when(o.RecordOutcome(name="jet-1", faces=faces), by=CROUPIER)
    table.then_refused(code)


def test_a_slip_is_corrected_before_settlement() -> None:
    """JET 2 is misread: the pit boss corrects it with a reason before it is confirmed; afterwards it is settled."""
    table = record(given_thrown(2), "jet-1", 5, 9)
    play(table, "A:declines B:declines A:follows B:follows")
    table.given(o.RecordOutcome(name="jet-2", faces=("6", "2")), by=CROUPIER)
    table.given(o.CorrectOutcome(name="jet-2", faces=("6", "7"), reason="a 7 was read as a 2"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="jet-2"), by=PIT_BOSS)
    assert [0, 1_800] == credited(table)
    table.when(o.CorrectOutcome(name="jet-2", faces=("6", "2"), reason="again"), by=PIT_BOSS)
    table.then_refused("outcome.not_now")


def test_jet_1_is_corrected_while_nobody_has_added_a_stake() -> None:
    """A correction of JET 1 takes the rappels that were declined back; once somebody has staked only a void helps."""
    table = record(given_thrown(2), "jet-1", 5, 9)
    play(table, "A:declines")
    table.given(o.CorrectOutcome(name="jet-1", faces=("15", "9"), reason="misread"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="jet-1"), by=PIT_BOSS)
    assert (2, 10) == (game(table).turn, game(table).entrants[1].die)
    assert not game(table).entrants[1].declined
    play(table, "B:tries")
    table.when(o.CorrectOutcome(name="jet-1", faces=("5", "9"), reason="again"), by=PIT_BOSS)
    table.then_refused("outcome.stakes_moved")
    table.given(m.VoidCoup(reason="dice misread"), by=PIT_BOSS)
    assert [CREDIT] * 2 == meters(table)


def test_dice_that_nobody_enters_void_the_game() -> None:
    """The console stays silent: after its time the game is void, and everything comes back."""
    table = given_thrown(2)
    table.later(3_600_000)
    assert "outcome.none" == table.state.history[0].code
    assert [CREDIT] * 2 == meters(table)
    money_is_conserved(table)


def test_a_camera_that_is_contradictory_gives_way_to_people() -> None:
    """A device reports a 9 of a six-sided die: manual mode, the pit boss enters what lies there."""
    table = given_thrown(2, source="device")
    table.given(o.RecordOutcome(name="jet-1", faces=("5", "9")), by=DEVICE)
    table.later(DECISION_MS)
    play(table, "A:declines B:declines A:follows B:follows")
    table.given(o.RecordOutcome(name="jet-2", faces=("9", "2")), by=DEVICE)
    table.given(o.RecordOutcome(name="jet-2", faces=("6", "2")), by=COMMITTEE)
    table.given(o.ConfirmOutcome(name="jet-2"), by=COMMITTEE)
    assert [1_800, 0] == credited(table)


# -- GA21 ---------------------------------------------------------------------------------------------------------
def test_ga21_a_cocked_die_is_thrown_again() -> None:
    """GA21: *coup nul* for the die alone, of JET 1, an attempt or JET 2: no money moves, the dice stay awaited."""
    table = given_thrown(2)
    for name, faces, line, seat in (
        ("jet-1", (2, 9), "A:tries", 2),
        ("rappel-1", (20,), "B:declines B:follows", 1),
        ("jet-2", (3, 8), "", 2),
    ):
        before = meters(table), game(table).pot, game(table).rolling, table.state.awaited
        table.given(r.CallCocked(seat=seat), by=CROUPIER)
        board = board_of(table.state)
        assert ("coup_nul", "Coup nul", seat) == (board.announcement.code, board.announcement.fr, board.facts["cocked"])
        assert before == (meters(table), game(table).pot, game(table).rolling, table.state.awaited)
        table.when(r.CallCocked(seat=seat), by=CROUPIER)
        table.then_already()
        record(table, name, *faces)
        assert "cocked" not in board_of(table.state).facts
        play(table, line)
    assert "WIN:2:8" == table.last_settlement().outcome


def test_ga21_what_was_recorded_of_a_cocked_die_is_taken_back() -> None:
    """GA21: the faces stand there when it is seen that B's die leans: they do not count, they are recorded anew."""
    table = given_thrown(2)
    for name, seen, then, line in (
        ("jet-1", (2, 20), (2, 9), "A:tries"),
        ("rappel-1", (7,), (20,), "B:declines B:follows"),
        ("jet-2", (3, 1), (3, 8), ""),
    ):
        table.given(o.RecordOutcome(name=name, faces=tuple(map(str, seen))), by=CROUPIER)
        seat = 1 if name == "rappel-1" else 2
        for _ in range(2):
            table.given(r.CallCocked(seat=seat), by=CROUPIER)
            table.later(DECISION_MS)
            assert [()] == [awaited.recorded for awaited in board_of(table.state).awaited]
            assert "Coup nul" == board_of(table.state).announcement.fr
            table.given(o.RecordOutcome(name=name, faces=tuple(map(str, then))), by=CROUPIER)
        table.given(o.ConfirmOutcome(name=name), by=CROUPIER)
        play(table, line)
    assert "WIN:2:8" == table.last_settlement().outcome
    assert folds(table.log) == table.state
    money_is_conserved(table)


def test_ga21_only_dice_that_roll_can_be_cocked() -> None:
    """GA21: not a die that is not awaited, not a die of the RNG, not in another game."""
    table = first_game((2, 9))
    table.when(r.CallCocked(seat=1), by=CROUPIER)
    table.then_refused("rappel.no_real_dice")
    table = given_thrown(3)
    table.when(r.CallCocked(seat=4), by=CROUPIER)
    table.then_refused("rappel.die_not_rolling")
    table.when(r.CallCocked(seat=1, coup=2), by=CROUPIER)
    table.then_refused("rappel.other_coup")
    record(table, "jet-1", 2, 9, 9)
    table.when(r.CallCocked(seat=1), by=CROUPIER)
    table.then_refused("rappel.die_not_rolling")
