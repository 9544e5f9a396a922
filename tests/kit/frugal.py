"""Boards that are looked at after every word: the rows of a paytable are made once, for they depend on terms alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from libs.games import GAMES
from libs.kernel.game import Game
from libs.kernel.shown import Row
from libs.kernel.terms import Terms

Rows = Callable[[Terms], tuple[Row, ...]]


def make_rows_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each game of the house make its rows once per session."""
    monkeypatch.setattr("libs.table.state.GAMES", {name: frugal(game) for name, game in GAMES.items()})


def frugal(game: Game[Any]) -> Game[Any]:
    """Return the game as it is, with rows that are made once."""
    return replace(game, rows=_kept(game.rows), extra_rows=_kept(game.extra_rows))


def _kept(rows: Rows) -> Rows:
    """Return a function that makes the rows anew only when the terms are others than the last time."""
    last: list[tuple[Terms, tuple[Row, ...]]] = []

    def same(terms: Terms) -> tuple[Row, ...]:
        if not last or last[0][0] is not terms:
            last[:] = [(terms, rows(terms))]
        return last[0][1]

    return same
