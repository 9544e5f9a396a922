"""How bots play each game: one module per game, found by the game's name, with a value `PLAY`.

A game without a module of its own is played like any layout: stakes on its rows, nothing in the middle of a coup.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from libs.kernel.actors import Role
from libs.kernel.messages import Command
from libs.kernel.shown import Row
from libs.table.board import Board, BoardOutcome
from libs.table.messages import PlaceWager

CHANCE = secrets.SystemRandom()

MOST_STAKED = 3
"""In minimum stakes: what a bot lays down at once, at most."""


def any_wager(board: Board, _placed: Sequence[str], credit: int) -> PlaceWager | None:
    """Return a stake of a few minima on any kind of chance, None when there are not enough chips for it."""
    kinds: dict[str, list[Row]] = {}
    for row in board.rows:
        if row.maximum is not None:
            kinds.setdefault(row.family.code if row.family else row.spot, []).append(row)
    if not kinds:
        return None
    row = CHANCE.choice(CHANCE.choice(list(kinds.values())))
    amount = min(board.minimum * CHANCE.randrange(1, MOST_STAKED + 1), row.maximum or board.minimum)
    return PlaceWager(spot=row.spot, amount=amount) if amount <= credit else None


def any_mistake(board: Board, placed: Sequence[str]) -> PlaceWager:
    """Return a wager that the rules refuse."""
    known = CHANCE.choice(board.rows).spot if board.rows else "X"
    return CHANCE.choice(
        [
            PlaceWager(spot="NOWHERE", amount=board.minimum),
            PlaceWager(spot=known, amount=board.minimum * 1_000),
            too_little(board, placed),
        ]
    )


def too_little(board: Board, placed: Sequence[str]) -> PlaceWager:
    """Return less than the minimum where nothing lies yet: on top of a stake it would be as good as any other."""
    free = [row.spot for row in board.rows if row.spot not in placed] or ["NOWHERE"]
    return PlaceWager(spot=CHANCE.choice(free), amount=max(1, board.minimum - 1))


def any_faces(_board: Board, awaited: BoardOutcome) -> tuple[str, ...]:
    """Return any faces for the dice, cards or segments that are awaited."""
    return tuple(CHANCE.choice(choice) for choice in awaited.choices)


def no_word(_board: Board, _seat: int) -> Command | None:
    """Say nothing."""
    return None


def no_staff_word(_board: Board) -> tuple[Role, Command] | None:
    """Say nothing."""
    return None


@dataclass(frozen=True, slots=True)
class Play:
    """How bots play a game; they know only its public board."""

    wager: Callable[[Board, Sequence[str], int], PlaceWager | None] = any_wager
    """The next wager of a player with these spots staked and so many cents; None for none."""
    mistake: Callable[[Board, Sequence[str]], PlaceWager] = any_mistake
    """A wager of a player with these spots staked that the rules refuse."""
    betting: Callable[[Board, int], Command | None] = no_word
    """What the player of a seat says while betting is open, besides wagers."""
    player: Callable[[Board, int], Command | None] = no_word
    """What the player of a seat says after *rien ne va plus*, if anything."""
    staff: Callable[[Board], tuple[Role, Command] | None] = no_staff_word
    """What somebody of the staff, or a device, says after *rien ne va plus*, if anything."""
    faces: Callable[[Board, BoardOutcome], tuple[str, ...]] = any_faces
    """What is recorded where the croupier, or a device, must say what has come."""


def play_of(game: str) -> Play:
    """Return how bots play a game."""
    name = f"{__name__}.{game}"
    if find_spec(name) is None:
        return Play()
    play = import_module(name).PLAY
    assert isinstance(play, Play), f"{name} has no PLAY"
    return play
