"""Around what Le Jeu du Rappel refuses (`tests/kit/wrongs/rappel.py`): who may speak, and what may be repeated."""

import pytest

from libs.games.rappel import messages as r
from libs.kernel.actors import Actor, Role
from libs.kernel.messages import Command
from libs.table import messages as m
from tests.kit.given import ALL_ROLES, CROUPIER, player
from tests.kit.rappel import (
    CREDIT,
    first_game,
    game,
    given_entries,
    given_meters,
    given_rappel,
    play,
    say,
)

WORDS: list[Command] = [r.TryRappel(), r.Decline(), r.Follow(level=0), r.Raise(level=0), r.Pass()]
BETS = "A:declines B:declines C:declines"
"""Of a game whose JET 1 are 2, 9, 14: the betting round begins, A has the word."""


@pytest.mark.parametrize(("seats", "base"), [(2, 10), (5, 1_000), (8, 250)])
def test_terms_that_are_right(seats: int, base: int) -> None:
    """Two to eight seats and whole tens of cents are accepted."""
    assert "idle" == given_rappel(0, base=base, seats=seats).state.phase


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


@pytest.mark.parametrize("role", [role for role in ALL_ROLES if role != "player"])
@pytest.mark.parametrize("word", WORDS, ids=lambda word: type(word).__name__)
def test_only_players_decide(word: Command, role: Role) -> None:
    """All five decisions are a player's, whoever else speaks with that player's id."""
    table = first_game((2, 9, 14))
    table.when(word, by=Actor("player-1", role))
    table.then_refused("role.not_allowed")


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
