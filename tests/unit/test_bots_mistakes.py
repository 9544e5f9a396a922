"""What bots get wrong on purpose is wrong by the rules, whatever lies on the layout already."""

from collections.abc import Callable, Sequence

import pytest

from libs.kernel.refusals import Refusal
from libs.runtime.local.bots.games import any_mistake, play_of
from libs.table.board import Board, board_of
from libs.table.messages import PlaceWager
from tests.kit.given import GivenTable, given_wheel, player
from tests.kit.poker import given_poker
from tests.kit.rampo import given_rampo

Mistake = Callable[[Board, Sequence[str]], PlaceWager]

TRIES = 200
"""Of six kinds of mistake, one is missing among so many once in 10^15 runs."""


def wheel() -> GivenTable:
    return given_wheel().given_seated().given_wagers((1, "2", 100), (1, "4", 100))


def rampo() -> GivenTable:
    return given_rampo(players=1).given_wagers((1, "BLANC", 500), (1, "8", 500))


def poker() -> GivenTable:
    return given_poker().given_seated().given_wagers((1, "COULEUR_ROUGE", 100))


@pytest.mark.parametrize(
    ("make", "placed", "mistake"),
    [
        (wheel, ["2", "4"], play_of("wheel").mistake),
        (wheel, ["2", "4"], any_mistake),
        (rampo, ["BLANC", "8"], play_of("rampo").mistake),
        (poker, ["COULEUR_ROUGE"], play_of("paire_poker").mistake),
    ],
)
def test_every_mistake_is_refused(make: Callable[[], GivenTable], placed: list[str], mistake: Mistake) -> None:
    """A stake below the minimum is a mistake on an empty spot alone: on top of another it would be a wager."""
    table = make()
    said = {mistake(board_of(table.state), placed) for _ in range(TRIES)}
    assert len(said) > 2
    for wager in said:
        table.when(wager, by=player(1))
        assert isinstance(table.decision, Refusal), wager
