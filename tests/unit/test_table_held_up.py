"""A draw that cannot be made now: the coup is held and goes on; nobody loses a stake, and everybody is told why."""

import pytest

from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import UNHEALTHY, Drawn, RequestDraw
from libs.kernel.decider import Already
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table.board import board_of
from libs.table.decider import DECIDER
from libs.table.held_up import DrawHeldUp
from tests.kit.given import PIT_BOSS, GivenTable, given_turning, money_is_conserved
from tests.kit.memory_house import PIT, MemoryHouse

DRAW = "draw:pit-1/T1/1/1/main"


def given_held_up() -> GivenTable:
    table = given_turning()
    table.when(Answered(to=DRAW, refusal=UNHEALTHY))
    return table


def order(table: GivenTable) -> tuple[str, RequestDraw]:
    owed = DECIDER.react(table.state)
    (order,) = [(debt.command_id, debt.command) for debt in owed if isinstance(debt.command, RequestDraw)]
    return order


def test_the_coup_is_held_not_voided() -> None:
    """Refused for its health, the draw is held up: a fact with the RNG's own words; stakes and phase stay."""
    table = given_turning()
    seats = table.state.seats
    table.when(Answered(to=DRAW, refusal=UNHEALTHY))
    table.then(DrawHeldUp(coup=1, draw_id=DRAW, name="main", refusal=UNHEALTHY))
    assert ("locked", seats) == (table.state.phase, table.state.seats)


def test_it_is_said_once() -> None:
    """The same refusal again adds nothing to the log."""
    table = given_held_up()
    assert Already() == table.when(Answered(to=DRAW, refusal=UNHEALTHY))


def test_it_is_asked_for_again_under_a_second_id() -> None:
    """The draw is the same, the request another one: the refusal of the first is its answer for ever."""
    table = given_turning()
    assert (DRAW, RequestDraw(draw_id=DRAW, bounds=(52,), seeded=True)) == order(table)
    table.when(Answered(to=DRAW, refusal=UNHEALTHY))
    assert (f"again:{DRAW}", RequestDraw(draw_id=DRAW, bounds=(52,), again=True, seeded=True)) == order(table)


@pytest.mark.parametrize("to", [DRAW, f"again:{DRAW}"])
def test_the_coup_goes_on(to: str) -> None:
    """Whichever request brings the values, the game goes on with them and nothing is owed to the RNG any more."""
    table = given_held_up()
    table.given(Answered(to=to, events=(Drawn(draw_id=DRAW, bounds=(52,), values=(7,)),)))
    assert {} == table.state.draws
    assert "settled" == table.state.phase
    money_is_conserved(table)


def test_the_staff_may_still_void() -> None:
    """A pit boss who will not wait voids the coup: every stake goes back and the board says nothing of draws."""
    table = given_held_up().given(m.VoidCoup(reason="on ne peut attendre"), by=PIT_BOSS)
    assert (5_000, {}) == (table.state.seats[1].credit, table.state.draws)
    assert () == board_of(table.state).notes
    assert Already() == table.when(Answered(to=f"again:{DRAW}", refusal=UNHEALTHY))


def test_any_other_refusal_voids_as_before() -> None:
    """A draw that will never be made does not hold the coup."""
    table = given_turning()
    table.when(Answered(to=DRAW, refusal=Refusal("draw.conflict", "Non.", "No.")))
    assert ("idle", "draw.failed") == (table.state.phase, table.state.history[0].code)


def test_the_board_says_why() -> None:
    """While a draw is held up the board announces it in both languages, with the RNG's reason beside it."""
    assert "tirage_suspendu" != board_of(given_turning().state).announcement.code
    board = board_of(given_held_up().state)
    assert ("locked", "tirage_suspendu") == (board.phase, board.announcement.code)
    assert "attend" in board.announcement.fr
    assert (UNHEALTHY.fr, UNHEALTHY.en) == (board.notes[-1].fr, board.notes[-1].en)


async def test_a_house_whose_generator_fails_and_recovers() -> None:
    """A coup with a seed is played to its end; the next one is not opened, with the RNG's reason, until all is well.

    The log then tells one hold-up, however often the RNG was asked.
    """
    house = await MemoryHouse().open()
    await house.open_session()
    await house.sit_down("player-1", 1, 5_000)
    house.generator_is_sound = False
    await house.play_coup({"player-1": {"2": 1_000}})
    state = house.state_of()
    assert ("settled", UNHEALTHY) == (state.phase, state.commitment_held_up)
    assert UNHEALTHY == (await house.tell("croupier-1", "croupier", PIT, "T1", m.OpenBetting())).refusal
    assert UNHEALTHY.code in {note.code for note in board_of(state).notes}
    for _ in range(3):
        await house.ask_again()
    assert state.events == house.state_of().events
    house.generator_is_sound = True
    await house.ask_again()
    assert (2, None) == (house.state_of().committed, house.state_of().commitment_held_up)
    await house.play_coup({"player-1": {"2": 1_000}})
    assert ["settled", "settled"] == [past.result for past in house.state_of().history]
