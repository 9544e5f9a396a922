"""What everybody sees of a game of the Rappel."""

import msgspec
import pytest

from libs.games.rappel import board
from libs.games.rappel.messages import PotDecided
from libs.kernel.shown import Carpet, Contender
from libs.table import messages as m
from libs.table.board import board_of
from tests.kit.given import CROUPIER, PIT_BOSS, GivenTable
from tests.kit.rappel import first_game, given_entries, given_jet_1, given_rappel, play

SHAPES = {"circle", "square", "triangle", "diamond", "hexagon", "star", "pentagon"}
COLOURS = {"dark-green", "light-green", "yellow", "red", "orange", "sky-blue", "violet", "green", "blue"}


def said(table: GivenTable) -> tuple[str, str, str]:
    """Return phase, code and French sentence of the board."""
    shown = board_of(table.state)
    return shown.phase, shown.announcement.code, shown.announcement.fr


def test_the_board_follows_a_game() -> None:
    """Each phase of rules.md is announced: entry, JET 1, rappel, its success, the bets, *rien ne va plus*, result."""
    table = given_entries(given_rappel(3))
    assert ("betting", "faites_vos_jeux", "Faites vos jeux") == said(table)
    table.given(m.CloseBetting(), by=CROUPIER)
    assert ("drawing", "jet_1", "Premier jet") == said(table)
    assert not [fact for fact in board_of(table.state).facts if "_jet_" in fact or "_die" in fact]
    play(table, "rolls:1,9,14")
    assert ("decision", "rappel_propose", "Rappel proposé à la place 1") == said(table)
    play(table, "A:tries")
    assert ("drawing", "rappel_tente", "Rappel tenté : le dé roule") == said(table)
    play(table, "rolls:20")
    assert ("decision", "rappel", "Rappel") == said(table)
    play(table, "B:declines")
    assert ("decision", "rappel_propose", "Rappel proposé à la place 3") == said(table)
    play(table, "C:declines")
    assert ("decision", "tour_de_mise", "Tour de mise : la parole est à la place 2") == said(table)
    play(table, "B:follows C:passes")
    assert ("drawing", "rien_ne_va_plus", "Rien ne va plus") == said(table)
    play(table, "rolls:20,8")
    assert ("settled", "resultat", "Double rappel : place 1") == said(table)
    table.given(m.AnnounceLastCoups(), by=PIT_BOSS)
    assert "Les trois dernières parties" == said(table)[2]
    given_entries(table).given(m.VoidCoup(reason="a die fell"), by=PIT_BOSS)
    assert ("idle", "coup_nul", "Coup nul") == said(table)


def test_the_facts_of_a_game() -> None:
    """Pot, level, dice, who is in and whose word it is are public; what has not been rolled is not there."""
    table = first_game((1, 9, 14), "A:tries rolls:20 B:declines C:declines")
    assert {
        "stage": "bets",
        "players": 3,
        "base": 1_000,
        "rappel_stake": 3_000,
        "fees": 3_000,
        "pot": 6_000,
        "level": 3_000,
        "seat_1_standing": "in",
        "seat_1_jet_1": 1,
        "seat_1_die": 20,
        "seat_1_rappel": 20,
        "seat_2_standing": "in",
        "seat_2_jet_1": 9,
        "seat_2_die": 8,
        "seat_3_standing": "in",
        "seat_3_jet_1": 14,
        "seat_3_die": 10,
        "turn": 2,
        "to_pay": 3_000,
        "may_raise": 1,
    } == board_of(table.state).facts


def test_a_1_is_open_until_it_is_answered() -> None:
    """A player who rolled a 1 is neither in nor out while the rappel is offered; the offer names its price."""
    facts = board_of(first_game((1, 9, 14)).state).facts
    assert ("open", 0, 1, 3_000) == (facts["seat_1_standing"], facts["seat_1_die"], facts["turn"], facts["to_pay"])
    assert "out" == board_of(first_game((1, 9, 14), "A:declines").state).facts["seat_1_standing"]


def dice_of(one: Contender) -> list[tuple[str, int, int]]:
    """Return which roll each die of a player is, its sides, and what it shows."""
    return [(die.roll.fr, die.sides, die.face) for die in one.dice if die.roll is not None]


def words(table: GivenTable) -> list[str]:
    """Return each player's word on the carpet, empty for none."""
    return [one.word.fr if one.word else "" for one in board_of(table.state).carpet.contenders]


def test_nothing_lies_there_before_a_game() -> None:
    """No pot and no dice while entries are open, nor after a game without an opponent."""
    assert Carpet() == board_of(given_entries(given_rappel(3)).state).carpet
    alone = given_entries(given_rappel(1)).given(m.CloseBetting(), by=CROUPIER)
    assert Carpet() == board_of(alone.state).carpet


def test_the_carpet_before_jet_1() -> None:
    """The antes make the pot; every player is in with a die that has not rolled."""
    carpet = board_of(given_entries(given_rappel(3)).given(m.CloseBetting(), by=CROUPIER).state).carpet
    assert carpet.pot is not None
    assert ("Tapis", 3_000) == (carpet.pot.name.fr, carpet.pot.amount)
    assert [("Droits d'entrée", 3_000)] == [(one.name.fr, one.amount) for one in carpet.sums]
    for seat, one in enumerate(carpet.contenders, start=1):
        assert (seat, "in", 1_000, False, None) == (one.seat, one.standing, one.staked, one.awaited, one.word)
        assert [("Jet 1", 20, 0)] == dice_of(one)


def test_the_carpet_follows_the_rappel() -> None:
    """Who rolled a 1 is open and has no second die; an attempt puts its stake and its die there, and then its fate."""
    table = first_game((1, 9, 14))
    carpet = board_of(table.state).carpet
    first, second, _ = carpet.contenders
    assert ("open", True, 3_000) == (first.standing, first.awaited, first.to_pay)
    assert ([("Jet 1", 20, 1)], [("Jet 1", 20, 9), ("Jet 2", 8, 0)]) == (dice_of(first), dice_of(second))
    assert ["Rappel ?", "", ""] == words(table)
    assert ["Mise de rappel", "Droits d'entrée"] == [one.name.fr for one in carpet.sums]
    play(table, "A:tries")
    first = board_of(table.state).carpet.contenders[0]
    assert (4_000, [("Jet 1", 20, 1), ("Rappel", 20, 0)]) == (first.staked, dice_of(first))
    assert ["Rappel tenté", "", ""] == words(table)
    play(table, "rolls:7")
    first = board_of(table.state).carpet.contenders[0]
    assert ("out", 4_000, [("Jet 1", 20, 1), ("Rappel", 20, 7)]) == (first.standing, first.staked, dice_of(first))
    assert ["Rappel manqué", "Rappel ?", ""] == words(table)
    made = first_game((1, 9, 14), "A:tries rolls:20")
    assert ["Rappel réussi", "Rappel ?", ""] == words(made)
    assert ("Jet 2", 20, 0) == dice_of(board_of(made.state).carpet.contenders[0])[-1]


def test_the_carpet_follows_the_bets() -> None:
    """Each word of the betting round, what must be matched, what is asked of whom; stakes and pot always agree."""
    table = first_game((2, 9, 14), "A:declines B:declines C:declines")
    for line, expected in (
        ("", ["À son tour", "Sans rappel", "Sans rappel"]),
        ("A:follows", ["Parole", "À son tour", "Sans rappel"]),
        ("B:raises", ["Parole", "Relance", "À son tour"]),
        ("C:follows", ["À son tour", "Relance", "Suit"]),
    ):
        play(table, line)
        carpet = board_of(table.state).carpet
        assert expected == words(table)
        assert carpet.pot is not None
        assert carpet.pot.amount == sum(one.staked for one in carpet.contenders)
    assert [("À égaler", 1_000), ("Droits d'entrée", 3_000)] == [(one.name.fr, one.amount) for one in carpet.sums]
    assert 1_000 == carpet.contenders[0].to_pay
    play(table, "A:passes")
    assert ["Passe", "Relance", "Suit"] == words(table)
    assert ["out", "in", "in"] == [one.standing for one in board_of(table.state).carpet.contenders]


def test_the_carpet_after_a_game() -> None:
    """The winners are named; the dice lie there until the next entries open. A void game names nobody."""
    table = first_game((2, 9, 14), "A:declines B:declines C:declines A:follows B:follows C:follows rolls:4,4,2")
    assert ["Gagne", "Gagne", "Parole"] == words(table)
    assert ("Jet 2", 6, 4) == dice_of(board_of(table.state).carpet.contenders[0])[-1]
    assert not any(one.awaited for one in board_of(table.state).carpet.contenders)
    given_entries(table)
    assert Carpet() == board_of(table.state).carpet
    annulled = first_game((2, 9, 14), "A:declines").given(m.VoidCoup(reason="a die fell"), by=PIT_BOSS)
    assert "Gagne" not in words(annulled)
    assert not any(one.awaited for one in board_of(annulled.state).carpet.contenders)


def test_the_last_game_stays_on_show_and_the_next_begins_empty() -> None:
    """Between games the dice of the last one are shown, nobody's turn; while entries are open there is nothing."""
    table = first_game((2, 9), "A:declines B:declines A:follows B:follows rolls:6,3")
    facts = board_of(table.state).facts
    assert ("over", 6, 3) == (facts["stage"], facts["seat_1_jet_2"], facts["seat_2_jet_2"])
    assert "turn" not in facts
    given_entries(table)
    assert {} == board_of(table.state).facts
    table.given(m.VoidCoup(reason="a die fell"), by=PIT_BOSS)
    assert {} == board_of(table.state).facts
    given_jet_1(table, 2, 9).given(m.VoidCoup(reason="a die fell"), by=PIT_BOSS)
    assert ("idle", "rappel") == (board_of(table.state).phase, board_of(table.state).facts["stage"])
    assert "turn" not in board_of(table.state).facts


@pytest.mark.parametrize(
    ("line", "code", "fr", "en"),
    [
        ("A:follows B:follows C:follows rolls:2,7,3", "WIN:2:7", "Place 2 gagne avec 7", "Seat 2 wins with 7"),
        (
            "A:follows B:follows C:follows rolls:4,4,2",
            "TIE:1+2:4",
            "Égalité à 4 : places 1 et 2",
            "Tie at 4: seats 1 and 2",
        ),
        (
            "A:follows B:follows C:follows rolls:5,5,5",
            "TIE:1+2+3:5",
            "Égalité à 5 : places 1, 2 et 3",
            "Tie at 5: seats 1, 2 and 3",
        ),
        (
            "A:follows B:follows C:follows rolls:1,1,1",
            "ONES",
            "Que des 1 : le tapis à la banque",
            "All ones: the bank takes it",
        ),
        ("A:raises B:passes C:passes", "LONE:1", "Place 1 reste seule en jeu", "Seat 1 is the last one in"),
    ],
)
def test_outcomes_in_words(line: str, code: str, fr: str, en: str) -> None:
    """Each ending has a code and a sentence in French and English, with a shape beside its colour."""
    table = first_game((2, 9, 14), f"A:declines B:declines C:declines {line}")
    last = board_of(table.state).last
    assert last is not None
    assert (code, fr, en) == (last.outcome.code, last.outcome.fr, last.outcome.en)
    assert last.outcome.shape in SHAPES
    assert last.outcome.colour in COLOURS


def test_a_game_without_an_opponent_in_words() -> None:
    """The history says that there was no opponent and that the entries went back."""
    table = given_entries(given_rappel(1)).given(m.CloseBetting(), by=CROUPIER)
    last = board_of(table.state).last
    assert last is not None
    assert ("voided", "Pas d'adversaire, entrées rendues") == (last.result, last.outcome.fr)
    assert {} == board_of(table.state).facts
    assert "Plus personne en jeu : le tapis à la banque" == board.outcome("NOBODY").fr


def test_everything_has_a_name_a_shape_and_a_colour() -> None:
    """Each stake and each die is named in French and English, and told apart without its colour."""
    shown = board_of(given_rappel(2, seats=4).state)
    assert ["ENTREE"] == [row.spot for row in shown.rows]
    assert 2_000 == shown.rows[0].maximum
    spots = ["RAPPEL", "MISE", "D6", "D8", "D10", "D12", "D20", "JOUEURS_2", "JOUEURS_3", "JOUEURS_4"]
    assert spots == [row.spot for row in shown.extra_rows]
    for row in (*shown.rows, *shown.extra_rows):
        assert row.shape in SHAPES
        assert row.colour in COLOURS
        assert row.fr != row.en
    dice = [row.shape for row in shown.extra_rows if row.spot.startswith("D")]
    assert len(dice) == len(set(dice))
    assert "55.38" == shown.extra_rows[7].edge_percent


def test_no_player_and_no_meter_is_on_the_board() -> None:
    """The board names seats, never people, and shows no credit meter."""
    table = first_game((2, 9, 14), "A:declines B:declines C:declines A:raises B:follows")
    raw = msgspec.json.encode(board_of(table.state))
    assert b"player-" not in raw
    assert str(table.credit(1)).encode() not in raw


def test_what_the_verdict_says_is_what_was_settled() -> None:
    """`PotDecided` names pot, fees, rake, credits and bank as the settlement that follows it."""
    table = first_game((2, 9), "A:declines B:declines A:raises B:follows rolls:6,6")
    decided = table.played[-2]
    assert (
        PotDecided(coup=1, decided="tie", pot=4_000, fees=2_000, rake=400, credits={1: 1_800, 2: 1_800}, bank=2_400)
        == decided
    )
