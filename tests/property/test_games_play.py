"""Any evening at any game: what must hold after every word that anybody says, whatever is played.

A fifth game is covered by being a folder: nothing here names one. What must hold is in `tests/kit/laws`, for all games
and for each; how an evening goes is in `tests/kit/evening.py`.
"""

from functools import cache, partial
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from libs.games import GAMES
from libs.kernel.messages import Event
from libs.table.evolve import TABLE_EVENTS
from tests.kit.evening import Evening
from tests.kit.frugal import make_rows_once

pytestmark = pytest.mark.usefixtures("rows_made_once")

SEEDS = st.integers(0, 2**32 - 1).map(Random)
SETTINGS = settings(max_examples=40, stateful_step_count=20, deadline=None)
EVENINGS, STEPS = 50, 40
"""How many evenings, of how many steps, show everything that can happen at a game."""


@pytest.fixture
def rows_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are looked at after every word."""
    make_rows_once(monkeypatch)


class Play(RuleBasedStateMachine):
    """Players, the staff, a device, an RNG and a ledger, all of them unruly."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game

    @initialize(chance=SEEDS)
    def open(self, chance: Random) -> None:
        """Open a session on any terms; players sit down."""
        self.evening = Evening(self.game, chance)

    @rule(chance=SEEDS, times=st.integers(1, 6))
    def go_on(self, chance: Random, times: int) -> None:
        """What a quiet evening brings happens, a few steps: random words alone rarely finish a coup."""
        for _ in range(times):
            self.evening.go_on(chance)

    @rule(chance=SEEDS)
    def disturb(self, chance: Random) -> None:
        """People come and go, take back, void, correct, announce, interrupt."""
        self.evening.disturb(chance)

    @rule(chance=SEEDS)
    def anything(self, chance: Random) -> None:
        """Anybody says anything."""
        self.evening.anything(chance)

    @rule()
    def silence(self) -> None:
        """Nobody says a word in time."""
        self.evening.silence()

    @rule(ms=st.sampled_from([1, 5_000, 15_000, 120_000, 600_000]))
    def wait(self, ms: int) -> None:
        """Time passes."""
        self.evening.wait(ms)

    @rule(chance=SEEDS)
    def end(self, chance: Random) -> None:
        """Every coup ends within a bound; every log folds to its state, off the wire too."""
        self.evening.end(chance)

    def teardown(self) -> None:
        """So does the last one."""
        if hasattr(self, "evening"):
            self.evening.end(Random(self.evening.table.state.events))


@pytest.mark.parametrize("game", GAMES)
def test_any_evening(game: str) -> None:
    """Money is conserved, the laws of the game hold, no word counts twice, coups end, logs replay."""
    run_state_machine_as_test(partial(Play, game), settings=SETTINGS)  # type: ignore[arg-type]


@cache
def brought(game: str) -> frozenset[type[Event]]:
    """Return the kinds of events that a few dozen evenings bring, always the same ones."""
    seen = set[type[Event]]()
    for number in range(EVENINGS):
        chance = Random(number)
        evening = Evening(game, chance)
        for _ in range(STEPS):
            chance.choice([evening.go_on] * 6 + [evening.disturb, evening.anything])(chance)
        evening.end(chance)
        seen |= {type(event) for volume in evening.table.volumes for event in volume}
    return frozenset(seen)


@pytest.mark.parametrize("game", GAMES)
def test_an_evening_brings_everything_of_a_game(game: str) -> None:
    """Every event of the game happens, so no law above is idle."""
    assert set() == GAMES[game].events - brought(game)


def test_evenings_bring_everything_of_a_table() -> None:
    """Every event of a table happens at one game or another: corrections, releases, refused buy-ins, interruptions."""
    assert set() == TABLE_EVENTS - frozenset().union(*map(brought, GAMES))
