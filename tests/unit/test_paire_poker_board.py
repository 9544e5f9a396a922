"""What the board of Pair'e poker says, in both languages, and what it never says."""

import msgspec
import pytest

from libs.games.paire_poker import messages as p
from libs.table import messages as m
from libs.table.board import Board, board_of
from tests.kit.given import CROUPIER, DECISION_MS, PIT_BOSS, GivenTable
from tests.kit.poker import given_coup, given_dealt, given_poker, given_turned

SHAPES = {"circle", "square", "triangle", "diamond", "hexagon", "star", "pentagon"}


def shown(table: GivenTable) -> Board:
    """Return the board as a display decodes it."""
    return msgspec.json.decode(msgspec.json.encode(board_of(table.state)), type=Board)


def test_a_coup_on_the_board() -> None:
    """Dealt, card by card, paid: phase, announcement and facts at every step, and nothing before its turn."""
    table = given_poker().given_seated().given_wagers((1, "COULEUR_ROUGE", 100))
    assert {} == shown(table).facts
    table.given(m.CloseBetting(), by=CROUPIER)
    assert ("drawing", "Rien ne va plus", {}) == (shown(table).phase, shown(table).announcement.fr, shown(table).facts)
    table.given(m.VoidCoup(reason="try again"), by=PIT_BOSS)
    given_dealt(table.given_wagers((1, "COULEUR_ROUGE", 100)), "7C", "JOKER", "7P")
    steps = [
        ("Les cartes sont données", "The cards are dealt", {"face_down": 3}),
        ("7 de cœur : 1re carte, rouge", "7 of hearts: 1st card, red", {"face_down": 2, "card_1": "7C"}),
        (
            "Joker : 2e carte, un joker",
            "Joker: 2nd card, one joker",
            {"face_down": 1, "card_1": "7C", "card_2": "JOKER"},
        ),
        (
            "7 de pique : 3e carte, brelan",
            "7 of spades: 3rd card, three of a kind",
            {"face_down": 0, "card_1": "7C", "card_2": "JOKER", "card_3": "7P", "hand": "BRELAN"},
        ),
    ]
    for place, (fr, en, facts) in enumerate(steps):
        board = shown(table)
        assert (fr, en, facts) == (board.announcement.fr, board.announcement.en, board.facts)
        assert ("decision", table.now_ms + DECISION_MS) == (board.phase, board.decision_due_ms)
        if place < 3:
            given_turned(table, 1)
    table.given(p.PayWinners(), by=CROUPIER)
    board = shown(table)
    assert "Brelan : 7♥, joker, 7♠" == board.announcement.fr
    assert ("settled", "7C-JOKER-7P:BRELAN", 0) == (
        board.phase,
        board.history[0].outcome.code,
        board.facts["face_down"],
    )
    table.given(m.OpenBetting(), by=CROUPIER)
    assert {} == shown(table).facts


@pytest.mark.parametrize(
    ("cards", "first", "second", "third"),
    [
        ("JOKER JOKER 2T", "Joker : 1re carte, ni rouge ni noire", "Joker : 2e carte, deux jokers", "quinte flush"),
        ("RP RT AC", "Roi de pique : 1re carte, noire", "Roi de trèfle : 2e carte, paire de rois", "paire"),
        ("10K DK AK", "10 de carreau : 1re carte, rouge", "Dame de carreau : 2e carte, pas de paire", "couleur"),
        ("VT 3C 8P", "Valet de trèfle : 1re carte, noire", "3 de cœur : 2e carte, pas de paire", "rien"),
    ],
)
def test_every_card_is_announced(cards: str, first: str, second: str, third: str) -> None:
    """The words for colours, pairs and hands."""
    table = given_dealt(given_poker().given_wagers(), *cards.split())
    said = []
    for _ in range(3):
        given_turned(table, 1)
        said.append(shown(table).announcement.fr)
    assert [first, second] == said[:2]
    assert said[2].endswith(f": 3e carte, {third}")


@pytest.mark.parametrize("rows", [1, 2])
def test_every_spot_has_words_a_shape_and_a_colour(rows: int) -> None:
    """Each row names its spot in both languages, with gain, maximum and edge; no two rows have the same name."""
    board = shown(given_poker(options={"value_rows": rows}))
    assert {1: 69, 2: 68}[rows] == len(board.rows)
    for row in board.rows:
        assert row.shape in SHAPES
        assert all((row.fr, row.en, row.colour, row.gain, row.maximum, row.edge, row.edge_percent))
    for names in ([row.fr for row in board.rows], [row.en for row in board.rows]):
        assert len(names) == len(set(names))


def test_what_the_rows_say() -> None:
    """Gains as printed: one figure, or from … to where a joker or the hand makes a difference."""
    rows = {row.spot: row for row in shown(given_poker()).rows}
    assert ("Valeur à cheval roi-joker", "Value split king-joker") == (
        rows["VALEUR_R-JOKER"].fr,
        rows["VALEUR_R-JOKER"].en,
    )
    assert ["11", "23", "5", "5-11", "2-5", "210", "1250", "15", "3-20"] == [
        rows[spot].gain
        for spot in (
            "VALEUR_7",
            "VALEUR_JOKER",
            "VALEUR_7-8",
            "VALEUR_R-JOKER",
            "VALEUR_V-D-R-JOKER",
            "PAIRE_7",
            "PAIRE_DEUX_JOKERS",
            "TOUTE_PAIRE",
            "MAIN",
        )
    ]
    assert ("16/159", "10.06", 2_500) == (rows["MAIN"].edge, rows["MAIN"].edge_percent, rows["MAIN"].maximum)
    extra = [(row.spot, row.gain, row.maximum) for row in shown(given_poker()).extra_rows]
    assert [
        ("MAIN_QUINTE_FLUSH", "20", None),
        ("MAIN_BRELAN", "15", None),
        ("MAIN_QUINTE", "4", None),
        ("MAIN_COULEUR", "3", None),
    ] == extra


def test_the_last_coups_are_counted_down() -> None:
    """From the announcement on, the display says how many valid coups remain, in the game's words."""
    table = given_poker()
    assert shown(table).closing is None
    table.given(m.AnnounceLastCoups(), by=PIT_BOSS)
    said = []
    for _ in range(3):
        closing = shown(table).closing
        said.append((shown(table).last_coups_left, closing and closing.fr))
        given_coup(table.given_wagers(), "7C", "8K", "9P")
    assert [(3, "Les trois derniers coups"), (2, "Les trois derniers coups"), (1, "Dernier coup")] == said
    assert (0, None) == (shown(table).last_coups_left, shown(table).closing)


def test_a_void_keeps_what_was_turned_and_hides_the_rest() -> None:
    """After a void the display says so; cards that were turned may stand there, the others were never told."""
    table = given_turned(given_dealt(given_poker().given_wagers(), "7C", "8K", "9P"), 1)
    table.given(m.VoidCoup(reason="a card fell"), by=PIT_BOSS)
    board = shown(table)
    assert ("idle", "Coup nul", "a card fell") == (board.phase, board.announcement.fr, board.history[0].reason)
    assert {"face_down": 2, "card_1": "7C"} == board.facts
    assert b"8K" not in msgspec.json.encode(board)
