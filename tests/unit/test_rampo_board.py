"""Rampo on the board: rows, facts, announcements, and what is not there before it is public."""

from libs.games.rampo import messages as r
from libs.games.rampo.board import outcome
from libs.games.rampo.paytables import COLOURS, NUMBERS, TRIED
from libs.kernel.game import Announcement
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import board_of
from tests.kit.given import CROUPIER, PIT_BOSS, GivenTable, player
from tests.kit.rampo import HOUSE, LETTER, answered, given_rampo, given_trying, rampo_opening, thrown


def codes(*announcements: Announcement) -> list[str]:
    """Return the codes of announcements."""
    return [announcement.code for announcement in announcements]


def said(table: GivenTable) -> tuple[str, list[str]]:
    """Return what the display says, and what it says beside that."""
    board = board_of(table.state)
    return board.announcement.fr, [note.fr for note in board.notes]


def test_rows_name_every_chance() -> None:
    """Five colours and eleven numbers with gain, maximum and edge; below them what a tried number pays."""
    board = board_of(given_rampo(LETTER).state)
    assert [*COLOURS, *map(str, NUMBERS)] == [row.spot for row in board.rows]
    assert [f"RAMPO-{number}" for number in TRIED] == [row.spot for row in board.extra_rows]
    rows = {row.spot: row for row in (*board.rows, *board.extra_rows)}
    assert ("4", 100_000, "1/36", "2.78") == (
        rows["ROUGE"].gain,
        rows["ROUGE"].maximum,
        rows["ROUGE"].edge,
        rows["ROUGE"].edge_percent,
    )
    assert ("12 blanc", "12 white", "hexagon", "white") == (
        rows["12"].fr,
        rows["12"].en,
        rows["12"].shape,
        rows["12"].colour,
    )
    assert ("Rampo 6 noir", "12", None, "69.91") == (
        rows["RAMPO-6"].fr,
        rows["RAMPO-6"].gain,
        rows["RAMPO-6"].maximum,
        rows["RAMPO-6"].edge_percent,
    )


def test_each_colour_has_a_shape_of_its_own() -> None:
    """Nobody needs to tell colours apart: five colours, five shapes, and a number has the shape of its colour."""
    rows = {row.spot: row for row in board_of(given_rampo().state).rows}
    assert 5 == len({rows[colour].shape for colour in COLOURS}) == len({rows[colour].colour for colour in COLOURS})
    assert rows["8"].shape == rows["ROUGE"].shape == rows["3"].shape
    assert ("8 rouge", "8 red", "diamond", "red") == (
        outcome("8").fr,
        outcome("8").en,
        outcome("8").shape,
        outcome("8").colour,
    )


def test_the_words_of_a_coup() -> None:
    """*Faites vos jeux*, *les dés changent*, *rien ne va plus*, the number, the offer, the result."""
    table = given_rampo().given_wagers((1, "8", 500), (2, "ROUGE", 500))
    assert ("Faites vos jeux", []) == said(table)
    table.given(r.ChangeDice(pair=2), by=player(1))
    assert ("Faites vos jeux", ["Les dés changent"]) == said(table)
    table.given(m.CloseBetting(), by=CROUPIER)
    assert ("Rien ne va plus", []) == said(table)
    assert "decision" == board_of(table.state).phase
    table.given(r.ThrowDice(), by=player(1))
    assert ("Rien ne va plus", []) == said(table)
    assert "drawing" == board_of(table.state).phase
    assert "faces" not in board_of(table.state).facts
    thrown(table, 8, close=False)
    assert ("8 rouge", ["Le rampo est proposé"]) == said(table)
    assert "decision" == board_of(table.state).phase
    expected = {"pair": 2, "shooter": 1, "faces": "2-6", "number": 8, "offered": "1"}
    assert expected.items() <= board_of(table.state).facts.items()
    answered(table, (1, True))
    assert ("8 rouge", []) == said(table)
    facts = board_of(table.state).facts
    assert (8, "1") == (facts["rampo_number"], facts["rampo_seats"])


def test_rampo_is_announced() -> None:
    """A number that repeats the one of the zone is a *rampo*; its zone is empty afterwards."""
    table = given_trying(given_rampo(), 8)
    thrown(table.given_wagers(), 8)
    assert ("Rampo ! 8 rouge", []) == said(table)
    assert "rampo_number" not in board_of(table.state).facts


def test_the_dice_change_hands_on_the_board() -> None:
    """After a 7, and when the pit boss removes the shooter."""
    table = given_rampo()
    thrown(table.given_wagers((1, "ROUGE", 500)), 7)
    assert ("7 blanc", ["Les dés changent de main"]) == said(table)
    assert 2 == board_of(table.state).facts["shooter"]
    table.given_wagers().given(r.RemoveShooter(seat=2, reason="x"), by=PIT_BOSS)
    assert ("Faites vos jeux", ["Les dés changent de main"]) == said(table)
    table.given(m.PlaceWager(spot="ROUGE", amount=500), by=player(1)).given(m.CloseBetting(), by=CROUPIER)
    assert ("Rien ne va plus", ["Les dés changent de main"]) == said(table)


def test_coup_nul_on_the_board() -> None:
    """*Coup nul* is announced until the next throw is announced; the board says which throw it is."""
    table = given_rampo(source="console").given_wagers((1, "ROUGE", 500)).given(m.CloseBetting(), by=CROUPIER)
    table.given(r.CallCoupNul(throw=1, fault="leaning"), by=CROUPIER)
    assert ("Coup nul", []) == said(table)
    assert 2 == board_of(table.state).facts["throw"]
    table.given(o.RecordOutcome(name="throw-2", faces=("6", "2")), by=CROUPIER)
    assert ("Coup nul", []) == said(table)
    table.given(o.ConfirmOutcome(name="throw-2"), by=CROUPIER)
    assert "8 rouge" == said(table)[0]


def test_a_void_has_its_words() -> None:
    """No stake, nobody who throws: the history says so, and the last throws have their own name."""
    table = given_rampo().given_wagers().given(m.CloseBetting(), by=CROUPIER)
    assert "Aucune mise, aucun lancer" == board_of(table.state).history[0].outcome.fr
    assert "Coup annulé, mises rendues" == said(table)[0]
    table.given_wagers((1, "ROUGE", 500)).given(r.RefuseDice(), by=player(1)).given(r.RefuseDice(), by=player(2))
    assert "Nobody takes the dice" == board_of(table.state).history[0].outcome.en
    table.given(m.AnnounceLastCoups(), by=PIT_BOSS)
    assert ["trois_derniers"] == codes(board_of(table.state).announcement)


def test_the_board_names_the_chips_but_no_money() -> None:
    """Each taken seat has its chip colour on the board, and no amount of anybody."""
    table = given_trying(given_rampo(), 8)
    facts = board_of(table.state).facts
    assert ("blue", "orange") == (facts["chips_1"], facts["chips_2"])
    assert not any(isinstance(value, int) and value >= 500 for value in facts.values())


def test_chips_lie_there_in_the_colours_of_arrival() -> None:
    """The first to sit down has blue chips, wherever that is; who leaves gives them back; a marker says their value."""
    table = GivenTable().given_open(rampo_opening(HOUSE)).given_seated(5).given_seated(2).given_seated(7)
    table.given(r.SetChipValue(value=1_000), by=player(2)).given(m.LeaveSeat(), by=player(5)).given_seated(1)
    chips = board_of(table.state).carpet.chips
    assert [(1, "bleu", 500), (2, "orange", 1_000), (7, "violet", 500)] == [(c.seat, c.name.fr, c.value) for c in chips]
