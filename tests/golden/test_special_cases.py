"""Every special case of the rules is in some golden session, of which each game has at least five."""

from functools import cache

import msgspec
import pytest

from libs.games import GAMES
from tests.golden.test_golden_logs import LOGS, parts
from tests.kit.special_cases import Log, special_cases


@cache
def sessions(game: str) -> list[Log]:
    """Return the events of all golden sessions of a game."""
    return [[msgspec.json.decode(line) for line in parts(log)[0]] for log in LOGS if log.parent.name == game]


@pytest.mark.parametrize("game", GAMES)
def test_five_sessions(game: str) -> None:
    """At least five sessions of each game are kept for ever."""
    assert len(sessions(game)) >= 5


@pytest.mark.parametrize("game", GAMES)
def test_each_paytable_and_source_was_played(game: str) -> None:
    """Each paytable of a game, and each source of outcomes that it offers, is in some session."""
    opened = [event for log in sessions(game) for event in log if event["type"] == "table.SessionOpened"]
    assert set(GAMES[game].paytables) == {event["paytable"] for event in opened}
    assert set(GAMES[game].sources) == {event["source"] for event in opened}


@pytest.mark.parametrize("game", GAMES)
def test_each_special_case_is_kept(game: str) -> None:
    """What the rules name as special, and what may happen at any table, is shown by some session of the game."""
    cases = special_cases(game)
    assert [] == [name for name, case in cases.items() if not any(case(log) for log in sessions(game))]


@pytest.mark.parametrize("game", GAMES)
def test_a_case_that_no_session_shows_is_found(game: str) -> None:
    """The looks are not blind: a session in which nothing happens shows none of them."""
    nothing: Log = [{"type": "table.SessionPrepared", "carried": {}}]
    assert [] == [name for name, case in special_cases(game).items() if case(nothing)]
