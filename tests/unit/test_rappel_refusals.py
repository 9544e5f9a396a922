"""What Le Jeu du Rappel refuses: each wrong word has its own code, and sentences in French and English."""

import msgspec
import pytest

from libs.games.rappel import messages as r
from libs.games.rappel import refusals
from libs.kernel.actors import Actor, Role
from libs.kernel.messages import Command
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from tests.kit.given import ALL_ROLES, COMMITTEE, CROUPIER, TECHNICIAN, GivenTable, player
from tests.kit.rappel import (
    CREDIT,
    first_game,
    game,
    given_entries,
    given_jet_1,
    given_meters,
    given_rappel,
    play,
    rappel_opening,
    say,
)

WORDS: list[Command] = [r.TryRappel(), r.Decline(), r.Follow(level=0), r.Raise(level=0), r.Pass()]
BETS = "A:declines B:declines C:declines"
"""Of a game whose JET 1 are 2, 9, 14: the betting round begins, A has the word."""


# -- terms --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"minimum": 1_005}, "rappel.base_not_multiple_of_10"),
        ({"minimum": 1}, "rappel.base_not_multiple_of_10"),
        ({"seats": 1}, "rappel.seats"),
        ({"seats": 9}, "rappel.seats"),
        ({"options": {"bonus_stake": 10}}, "rappel.no_options"),
        ({"paytable": "ROUE-MAISON-1"}, "session.unknown_paytable"),
        ({"minimum": 10**8}, "session.limits_too_high"),
    ],
)
def test_terms(terms: dict[str, object], code: str) -> None:
    """A session needs a base stake of whole tens of cents, 2 to 8 seats, the game's paytable and no options."""
    table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
    table.when(msgspec.structs.replace(rappel_opening(), **terms), by=COMMITTEE)
    table.then_refused(code)


@pytest.mark.parametrize(("seats", "base"), [(2, 10), (5, 1_000), (8, 250)])
def test_terms_that_are_right(seats: int, base: int) -> None:
    """Two to eight seats and whole tens of cents are accepted."""
    assert "idle" == given_rappel(0, base=base, seats=seats).state.phase


# -- the entry ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("spot", "amount", "code"),
    [
        ("ENTREE", 1_000, "wager.entry_fixed"),
        ("ENTREE", 1_999, "wager.entry_fixed"),
        ("ENTREE", 2_001, "wager.entry_fixed"),
        ("ENTREE", 4_000, "wager.entry_fixed"),
        ("RAPPEL", 3_000, "wager.not_at_entry"),
        ("MISE", 1_000, "wager.not_at_entry"),
        ("17", 2_000, "wager.unknown_spot"),
    ],
)
def test_entry(spot: str, amount: int, code: str) -> None:
    """Before the game exactly fee and ante are paid, on the entry and on nothing else."""
    table = given_rappel(1).given_wagers()
    table.when(m.PlaceWager(spot=spot, amount=amount), by=player(1))
    table.then_refused(code)
    assert CREDIT == table.credit(1)


def test_entry_twice() -> None:
    """One entry per player and game; taken back, it may be paid again."""
    table = given_entries(given_rappel(1))
    table.when(m.PlaceWager(spot="ENTREE", amount=2_000), by=player(1))
    table.then_refused("wager.entry_once")
    table.given(m.TakeBackWager(spot="ENTREE"), by=player(1)).given(
        m.PlaceWager(spot="ENTREE", amount=2_000), by=player(1)
    )


def test_entry_without_the_money_and_too_late() -> None:
    """The meter must hold fee and ante; after *rien ne va plus* nobody enters."""
    table = given_entries(given_meters(1_999, CREDIT, CREDIT), "BC")
    table.when(m.PlaceWager(spot="ENTREE", amount=2_000), by=player(1))
    table.then_refused("seat.credit_too_low")
    table.given(m.CloseBetting(), by=CROUPIER)
    table.when(m.PlaceWager(spot="ENTREE", amount=2_000), by=player(1))
    table.then_refused("wager.betting_closed")
    table.when(m.TakeBackWager(spot="ENTREE"), by=player(2))
    table.then_refused("wager.betting_closed")


# -- decisions ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("role", [role for role in ALL_ROLES if role != "player"])
@pytest.mark.parametrize("word", WORDS, ids=lambda word: type(word).__name__)
def test_only_players_decide(word: Command, role: Role) -> None:
    """All five decisions are a player's, whoever else speaks with that player's id."""
    table = first_game((2, 9, 14))
    table.when(word, by=Actor("player-1", role))
    table.then_refused("role.not_allowed")


@pytest.mark.parametrize("word", WORDS, ids=lambda word: type(word).__name__)
def test_no_game(word: Command) -> None:
    """Between games and while the entries are open there is nothing to decide."""
    table = given_rappel(2)
    for prepare in (lambda: None, lambda: given_entries(table)):
        prepare()
        table.when(word, by=player(1))
        table.then_refused("rappel.no_game")


@pytest.mark.parametrize("word", WORDS, ids=lambda word: type(word).__name__)
def test_strangers_and_other_games(word: Command) -> None:
    """Who has not entered has no word; a word about another game is refused."""
    table = given_jet_1(given_rappel(3), 2, 9, letters="AB")
    for number in (3, 4):
        table.when(word, by=player(number))
        table.then_refused("rappel.not_in_game")
    fields = {name: getattr(word, name) for name in word.__struct_fields__} | {"coup": 2}
    table.when(type(word)(**fields), by=player(1))
    table.then_refused("rappel.other_coup")


@pytest.mark.parametrize(
    ("line", "word", "code"),
    [
        ("", "B:tries", "rappel.not_your_turn"),
        ("", "B:declines", "rappel.not_your_turn"),
        ("", "A:follows", "rappel.not_betting_round"),
        ("", "A:raises", "rappel.not_betting_round"),
        ("", "A:passes", "rappel.not_betting_round"),
        ("A:tries", "A:tries", "rappel.once"),
        ("A:tries", "A:declines", "rappel.dice_rolling"),
        ("A:tries", "B:tries", "rappel.dice_rolling"),
        ("A:tries rolls:5", "A:tries", "rappel.once"),
        ("A:tries rolls:5", "A:declines", "rappel.out"),
        ("A:declines", "A:tries", "rappel.declined"),
        (BETS, "A:tries", "rappel.declined"),
        (BETS, "B:follows", "rappel.not_your_turn"),
        (BETS, "B:raises", "rappel.not_your_turn"),
        (BETS, "B:passes", "rappel.not_your_turn"),
        (f"{BETS} A:raises", "A:raises", "rappel.raise_once"),
        (f"{BETS} A:raises B:raises C:follows", "A:raises", "rappel.raise_once"),
        (f"{BETS} A:passes", "A:follows", "rappel.out"),
        (f"{BETS} A:passes", "A:raises", "rappel.out"),
        (f"{BETS} A:follows B:follows C:follows", "A:raises", "rappel.not_betting_round"),
        (f"{BETS} A:follows B:follows C:follows", "A:passes", "rappel.not_betting_round"),
        ("A:tries rolls:20 B:declines C:declines", "A:tries", "rappel.once"),
        ("A:tries rolls:20 B:declines C:declines", "A:raises", "rappel.rappel_was_the_raise"),
        ("A:tries rolls:20 B:declines C:declines", "A:passes", "rappel.not_your_turn"),
    ],
)
def test_wrong_words(line: str, word: str, code: str) -> None:
    """JET 1 is 2, 9, 14. After a line, a word that is out of place is refused and changes nothing."""
    table = first_game((2, 9, 14), line)
    before = table.state
    say(table, word).then_refused(code)
    assert before == table.state


def test_the_dice_of_jet_1_roll() -> None:
    """While JET 1 rolls nobody can try or decline."""
    table = given_entries(given_rappel(2)).given(m.CloseBetting(), by=CROUPIER)
    for word in ("A:tries", "A:declines"):
        say(table, word).then_refused("rappel.dice_rolling")


def test_a_natural_20_has_no_rappel() -> None:
    """A natural 20 is neither asked nor heard."""
    table = first_game((2, 20))
    for word in ("B:tries", "B:declines"):
        say(table, word).then_refused("rappel.natural_20")


def test_the_time_of_rappels_is_over() -> None:
    """In the betting round a natural 20 is told that it is too late."""
    table = first_game((2, 20), "A:declines")
    say(table, "B:tries").then_refused("rappel.not_rappel_time")


@pytest.mark.parametrize("level", [0, 999, 1_001, 2_000, 3_000])
def test_a_level_that_is_not_the_level(level: int) -> None:
    """Calls and raises name the level exactly: less, more, an older or a future one is refused."""
    table = first_game((2, 9, 14), f"{BETS} A:raises")
    for word in (r.Follow(level=level), r.Raise(level=level)):
        table.when(word, by=player(2))
        table.then_refused("rappel.level_changed")


@pytest.mark.parametrize(
    ("line", "word", "again"),
    [
        ("", "A:declines", "declined"),
        (BETS, "A:follows", "spoken"),
        (f"{BETS} A:raises", "B:follows", "spoken"),
        (BETS, "A:passes", "out"),
        (f"{BETS} A:follows B:follows", "C:follows", "spoken"),
    ],
)
def test_a_word_that_comes_twice_is_granted_once(line: str, word: str, again: str) -> None:
    """The same word sent again, with another id, changes nothing and is not called wrong."""
    table = play(first_game((2, 9, 14), line), word)
    seat = "ABC".index(word[0]) + 1
    assert getattr(game(table).entrants[seat], again)
    before = table.state
    say(table, word).then_already()
    assert before == table.state


def test_every_refusal_speaks_two_languages() -> None:
    """Codes are dotted and unlike; the sentences are whole, French and English."""
    fixed = [value for value in vars(refusals).values() if isinstance(value, Refusal)]
    made = [
        refusals.unknown_spot("17"),
        refusals.entry_fixed(2_000),
        refusals.not_your_turn(3),
        refusals.level_changed(1_000),
        refusals.meter_too_low(1_000, 999),
    ]
    codes = [refusal.code for refusal in (*fixed, *made)]
    assert len(codes) == len(set(codes))
    for refusal in (*fixed, *made):
        assert "." in refusal.code
        assert refusal.fr.endswith(".")
        assert refusal.en.endswith(".")
        assert refusal.fr != refusal.en
