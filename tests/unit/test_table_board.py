"""What everybody may see of a table, and what one player may see of the own seat."""

import msgspec

from libs.games.wheel import messages as w
from libs.kernel.game import Row
from libs.kernel.limits import HISTORY_COUPS
from libs.table import messages as m
from libs.table.board import Board, BoardSeat, SeatView, board_of, seat_of
from tests.kit.given import COMMITTEE, CROUPIER, DEVICE, PIT_BOSS, TECHNICIAN, GivenTable, given_wheel, player
from tests.kit.spins import BONUS_SEGMENT, given_spinning, report


def said(table: GivenTable) -> tuple[str, str]:
    """Return phase and announcement of the board."""
    board = board_of(table.state)
    return board.phase, board.announcement.code


def test_the_board_follows_the_life_of_a_session() -> None:
    """From closed to closed, the board says phase and announcement of every moment."""
    table = GivenTable()
    assert ("closed", "table_fermee") == said(table)
    table.given(m.CheckEquipment(), by=TECHNICIAN)
    assert ("prepared", "ouverture") == said(table)
    table = given_wheel().given_seated(1)
    assert ("idle", "attente") == said(table)
    table.given_wagers((1, "2", 100))
    assert ("betting", "faites_vos_jeux") == said(table)
    table.given(m.CloseBetting(), by=CROUPIER)
    assert ("decision", "rien_ne_va_plus") == said(table)
    table.given(w.PressBuzzer(), by=player())
    assert ("drawing", "rien_ne_va_plus") == said(table)
    table.given_drawn(BONUS_SEGMENT - 1)
    assert ("drawing", "bonus") == said(table)
    table.given_drawn(4)
    assert ("settled", "resultat") == said(table)
    assert "Bonus jaune 250" == board_of(table.state).announcement.fr
    table.given(m.AnnounceLastCoups(), by=PIT_BOSS)
    assert "Les trois derniers lancers" == board_of(table.state).announcement.fr
    table.given_wagers().given(m.VoidCoup(reason="blocked"), by=PIT_BOSS)
    assert ("idle", "coup_nul") == said(table)
    assert "Lancer annulé, mises recréditées" == board_of(table.state).announcement.fr
    table.given(m.LeaveSeat(), by=player()).given(m.CloseSession(), by=COMMITTEE)
    assert ("closed", "table_fermee") == said(table)


def test_the_board_follows_a_sensor() -> None:
    """While the sensor is awaited the board is locked; in manual mode a person must decide."""
    table = given_spinning((1, "2", 100))
    assert ("locked", "rien_ne_va_plus") == said(table)
    table.given(report(segment=None), by=DEVICE)
    assert ("decision", "saisie_manuelle") == said(table)


def test_the_paytable_is_shown_with_maximum_and_edge() -> None:
    """Art. 35: gain, maximum and edge of every chance, with word, shape and colour; the inner ratios beside them."""
    board = board_of(given_wheel().state)
    assert ("ROUE-MAISON-1", 100, {"bonus_stake": 1_000}) == (board.paytable, board.minimum, board.options)
    assert ["2", "4", "6", "16", "24", "48", "BONUS"] == [row.spot for row in board.rows]
    expected = Row("2", "Vert foncé 2", "Dark green 2", "circle", "dark-green", "1", 10_000, "1/13", "7.69")
    assert expected == board.rows[0]
    bonus = board.rows[-1]
    assert ("0.5-100", 1_000, "5/104", "4.81") == (bonus.gain, bonus.maximum, bonus.edge, bonus.edge_percent)
    assert ["0.5", "2", "5", "10", "25", "100"] == [row.gain for row in board.extra_rows]
    letter = board_of(given_wheel("ROUE-ARR-2024").state)
    assert ("5-1000", "-817.31") == (letter.rows[-1].gain, letter.rows[-1].edge_percent)
    assert len({row.shape for row in board.rows}) == len({row.colour for row in board.rows}) == len(board.rows)


def test_deadlines_are_shown_to_whom_they_concern() -> None:
    """Betting shows when it closes, a decision when it is due; never both."""
    table = given_wheel().given_wagers()
    board = board_of(table.state)
    assert (table.state.due_ms, None) == (board.closes_at_ms, board.decision_due_ms)
    table.given(m.CloseBetting(), by=CROUPIER)
    board = board_of(table.state)
    assert (None, table.state.due_ms) == (board.closes_at_ms, board.decision_due_ms)


def test_seats_are_shown_without_names_and_amounts() -> None:
    """The public board says which stations are taken and staked, and neither who sits there nor with how much."""
    table = given_wheel(seats=3).given_seated(1, credit=77_777).given_seated(2).given_wagers((1, "2", 4_321))
    board = board_of(table.state)
    assert (BoardSeat(1, True, True), BoardSeat(2, True, False), BoardSeat(3, False, False)) == board.seats
    shown = msgspec.json.encode(board).decode()
    for secret in ("player-", "73456", "77777", "4321"):
        assert secret not in shown


def test_the_own_seat_is_shown_to_its_player() -> None:
    """A player sees the own meter and stakes; whoever has no seat sees nothing."""
    table = given_wheel().given_seated(1, credit=1_000).given_wagers((1, "2", 400), (1, "4", 100))
    assert SeatView("T1", 1, 500, 500, {"2": 400, "4": 100}) == seat_of(table.state, "player-1")
    assert seat_of(table.state, "player-2") is None


def test_history_is_newest_first_and_bounded() -> None:
    """The board keeps the last coups, voids included with their reason."""
    table = given_wheel()
    for _ in range(HISTORY_COUPS):
        table.given_wagers().given_spin("2")
    table.given_wagers().given(m.VoidCoup(reason="a chair"), by=PIT_BOSS)
    history = board_of(table.state).history
    assert HISTORY_COUPS == len(history)
    assert ("voided", "staff", "Annulé par le personnel", "a chair") == (
        history[0].result,
        history[0].outcome.code,
        history[0].outcome.fr,
        history[0].reason,
    )
    assert [13, 12, 11] == [past.coup for past in history[:3]]


def test_the_wheel_shows_its_direction() -> None:
    """Before a launch the next direction is shown, during it the direction and the ring, afterwards the segment."""
    table = given_wheel()
    assert {"next_direction": "clockwise"} == board_of(table.state).facts
    table.given_wagers().given(m.CloseBetting(), by=CROUPIER).given(w.LaunchWheel(), by=CROUPIER)
    assert {"direction": "clockwise", "ring": "main"} == board_of(table.state).facts
    table.given_drawn(0)
    facts = {"direction": "clockwise", "ring": "main", "segment": 1, "next_direction": "anticlockwise"}
    assert facts == board_of(table.state).facts


def test_the_countdown_is_shown() -> None:
    """After the announcement the board counts the valid coups that are left."""
    table = given_wheel()
    assert board_of(table.state).last_coups_left is None
    table.given(m.AnnounceLastCoups(), by=PIT_BOSS).given_wagers().given_spin("2")
    assert 2 == board_of(table.state).last_coups_left


def test_a_board_is_json() -> None:
    """A board can be read back from its JSON."""
    board = board_of(given_wheel().given_wagers().given_spin("BONUS", "5").state)
    assert board == msgspec.json.decode(msgspec.json.encode(board), type=Board)
