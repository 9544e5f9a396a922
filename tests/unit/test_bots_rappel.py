"""What bots say at Le Jeu du Rappel: every kind of word, some of it wrong, and only what the board tells them."""

from collections import Counter

import pytest

from libs.games.rappel import messages as r
from libs.kernel.decider import Accepted, Already
from libs.kernel.refusals import Refusal
from libs.runtime.local.bots.games import play_of
from libs.table import messages as m
from libs.table.board import board_of
from tests.kit.given import CROUPIER, GivenTable, money_is_conserved, player
from tests.kit.rappel import first_game, game, given_meters, given_rappel, given_rolls

BOT = play_of("rappel")
TRIES = 400
"""Words asked of a bot; enough that a kind of word with a chance of 1 in 24 is missing once in ten million runs."""


def words(table: GivenTable, seat: int) -> Counter[str]:
    """Return how often a bot at this seat says what."""
    said = (BOT.player(board_of(table.state), seat) for _ in range(TRIES))
    return Counter(type(word).__name__ for word in said)


def test_bots_enter_once_with_exactly_the_entry() -> None:
    """A bot pays 2 B if it can and has not paid yet; now and then it lets a game go by, if two others sit there."""
    enters, board = m.PlaceWager(spot="ENTREE", amount=2_000), board_of(given_rappel(3).given_wagers().state)
    assert {None, enters} == {BOT.wager(board, [], 2_000) for _ in range(TRIES)}
    board = board_of(given_rappel(2).given_wagers().state)
    assert {enters} == {BOT.wager(board, [], 2_000) for _ in range(TRIES)}
    assert BOT.wager(board, [], 1_999) is None
    assert BOT.wager(board, ["ENTREE"], 100_000) is None


def test_every_mistake_is_refused() -> None:
    """What a bot gets wrong before a game is wrong by the rules."""
    table = given_rappel(1).given_wagers()
    for _ in range(50):
        table.when(BOT.mistake(board_of(table.state), []), by=player(1))
        assert isinstance(table.decision, Refusal)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", {"TryRappel", "Decline", "NoneType"}),
        ("A:declines B:declines", {"Follow", "Raise", "NoneType"}),
        ("A:declines B:declines A:follows B:raises", {"Follow", "Raise", "Pass", "NoneType"}),
    ],
)
def test_bots_use_every_word(line: str, expected: set[str]) -> None:
    """In its turn a bot uses every word that the moment allows, and sometimes none; it passes only when it costs."""
    assert expected == set(words(first_game((2, 9), line), 1))


def test_bots_out_of_turn_are_mostly_silent() -> None:
    """A player whose turn it is not says seldom something; one who has not entered says nothing, nor between games."""
    table = first_game((2, 9))
    assert {"NoneType", "Pass"} == set(words(table, 2))
    assert {"NoneType"} == set(words(table, 3))
    assert {"NoneType"} == set(words(given_rappel(2), 1))


def test_an_evening_of_bots() -> None:
    """Bots alone play fifty games to their ends; each word is answered, money is conserved."""
    table = given_meters(*[100_000] * 4, base=100)
    answers: Counter[str] = Counter()
    for number in range(50):
        table.given(m.OpenBetting(), by=CROUPIER)
        for seat in table.state.seats:
            wager = BOT.wager(board_of(table.state), [], table.credit(seat))
            if wager is not None:
                table.given(wager, by=player(seat))
        table.given(m.CloseBetting(), by=CROUPIER)
        while table.state.phase == "locked":
            answers[type(one_step(table, number)).__name__] += 1
        money_is_conserved(table)
    assert {"Accepted", "Refusal"} <= set(answers)


def one_step(table: GivenTable, number: int) -> Accepted | Already | Refusal | None:
    """Let the dice roll, or each bot look at the board once, or time pass."""
    if table.state.draws:
        (wanted,) = table.state.draws.values()
        given_rolls(table, *((number * 7 + place * 5) % bound + 1 for place, bound in enumerate(wanted.bounds)))
        return None
    turn = game(table).turn
    for seat in table.state.seats:
        word = BOT.player(board_of(table.state), seat)
        if word is not None:
            decision = table.when(word, by=player(seat))
            assert isinstance(decision, Accepted | Already | Refusal)
            return decision
    assert table.state.due_ms is not None
    assert turn is not None
    table.later(table.state.due_ms - table.now_ms)
    return None


def test_words_name_the_level_of_the_board() -> None:
    """Calls and raises name the level that the board shows."""
    table = first_game((2, 9), "A:declines B:declines A:raises")
    said = [BOT.player(board_of(table.state), 2) for _ in range(TRIES)]
    assert {1_000} == {word.level for word in said if isinstance(word, r.Follow | r.Raise)}
