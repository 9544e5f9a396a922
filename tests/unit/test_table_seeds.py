"""Commit and reveal at a table: what it asks of the RNG, when it opens a coup, and what it makes of a revealed seed."""

import msgspec
import pytest

from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import (
    UNHEALTHY,
    CommitSeed,
    RequestDraw,
    RevealSeed,
    SeedCommitted,
    SeedGivenUp,
    SeedRevealed,
)
from libs.kernel.decider import Accepted, Already, Context
from libs.kernel.limits import SEEDS_UNREVEALED
from libs.kernel.refusals import Refusal
from libs.kernel.seeds import commitment_of
from libs.table import messages as m
from libs.table import seeds as s
from libs.table.board import board_of
from libs.table.decider import DECIDER
from libs.table.interruption_messages import InterruptSession
from tests.kit.given import (
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    PIT_BOSS,
    TECHNICIAN,
    GivenTable,
    given_wheel,
    opening,
    player,
)
from tests.kit.seeds import easy_seed

OPEN = m.OpenBetting()


def seed_id(coup: int) -> str:
    return f"seed:pit-1/T1/1/{coup}"


def commitment(coup: int) -> str:
    return commitment_of(easy_seed(seed_id(coup)), seed_id(coup))


def silent() -> GivenTable:
    """Return an open wheel with one player whose RNG says nothing of seeds by itself."""
    table = GivenTable()
    table.rng_answers = False
    return table.given_open(opening()).given_seated(1, credit=10_000)


def committed(coup: int, *, again: bool = False) -> Answered:
    event = SeedCommitted(seed_id=seed_id(coup), commitment=commitment(coup))
    return Answered(to=f"{'again:' if again else ''}commit:{seed_id(coup)}", events=(event,))


def revealed(coup: int, seed: str | None = None) -> Answered:
    event = SeedRevealed(seed_id=seed_id(coup), seed=easy_seed(seed_id(coup)).hex() if seed is None else seed)
    return Answered(to=f"reveal:{seed_id(coup)}", events=(event,))


def asked(table: GivenTable) -> list[tuple[str, object]]:
    """Return what the RNG is asked about seeds, with the ids of the requests."""
    wishes = [debt for debt in DECIDER.react(table.state) if isinstance(debt.command, CommitSeed | RevealSeed)]
    return [(debt.command_id, debt.command) for debt in wishes]


def given_over(table: GivenTable) -> GivenTable:
    """Play the next coup until a pit boss voids it; the commitments are there."""
    return table.given(OPEN, by=CROUPIER).given(m.VoidCoup(reason="x"), by=PIT_BOSS)


# -- commit -------------------------------------------------------------------------------------------------------
def test_a_coup_is_not_opened_before_its_commitment() -> None:
    """Until the RNG has bound itself betting is refused with a sentence; then it opens, and the log has it first."""
    table = silent()
    table.when(OPEN, by=CROUPIER)
    table.then_refused("seed.not_committed")
    table.when(committed(1))
    table.then(s.DrawsCommitted(coup=1, commitment=commitment(1)))
    table.given(OPEN, by=CROUPIER)
    assert [s.DrawsCommitted, m.BettingOpened] == [type(event) for event in table.log[-2:]]


def test_it_is_asked_for_one_coup_ahead() -> None:
    """The first commitment is asked for at the opening, the next as soon as betting opens, and none in between."""
    table = silent()
    assert [(f"commit:{seed_id(1)}", CommitSeed(seed_id=seed_id(1)))] == asked(table)
    table.given(committed(1))
    assert [] == asked(table)
    table.given(OPEN, by=CROUPIER)
    assert [(f"commit:{seed_id(2)}", CommitSeed(seed_id=seed_id(2)))] == asked(table)


def test_a_commitment_is_taken_once() -> None:
    """A second answer, or one for another coup, changes nothing: the first word counts."""
    table = silent().given(committed(1))
    other = SeedCommitted(seed_id=seed_id(1), commitment="0" * 64)
    for answer in (committed(1), committed(2), Answered(to=f"commit:{seed_id(1)}", events=(other,))):
        assert Already() == table.when(answer)
    assert {1: commitment(1)} == table.state.seeds


@pytest.mark.parametrize("wrong", ["", "0" * 63, "A" * 64, "0" * 64 + "\n"])
def test_what_is_no_commitment_is_not_taken(wrong: str) -> None:
    """Only 64 hex digits are a commitment; the coup stays shut."""
    table = silent()
    event = SeedCommitted(seed_id=seed_id(1), commitment=wrong)
    assert Already() == table.when(Answered(to=f"commit:{seed_id(1)}", events=(event,)))
    table.when(OPEN, by=CROUPIER)
    table.then_refused("seed.not_committed")


def test_a_refused_commitment_is_held_up() -> None:
    """The RNG's own reason is logged once, shown on the board, given to the croupier, and asked about again."""
    table = silent()
    refused = Answered(to=f"commit:{seed_id(1)}", refusal=UNHEALTHY)
    table.when(refused)
    table.then(s.CommitmentHeldUp(coup=1, refusal=UNHEALTHY))
    assert Already() == table.when(refused)
    assert UNHEALTHY == table.when(OPEN, by=CROUPIER)
    assert UNHEALTHY.fr in {note.fr for note in board_of(table.state).notes}
    assert [(f"again:commit:{seed_id(1)}", CommitSeed(seed_id=seed_id(1), again=True))] == asked(table)
    table.given(committed(1, again=True)).given(OPEN, by=CROUPIER)
    assert () == board_of(table.state).notes


def test_the_board_shows_it() -> None:
    """Between coups everybody sees the commitment of the next one, during a coup that of the running one."""
    table = silent()
    assert (0, "") == (board_of(table.state).commitment_coup, board_of(table.state).commitment)
    table.given(committed(1))
    assert (1, commitment(1)) == (board_of(table.state).commitment_coup, board_of(table.state).commitment)
    table.given(OPEN, by=CROUPIER).given(committed(2))
    assert (1, commitment(1)) == (board_of(table.state).commitment_coup, board_of(table.state).commitment)
    table.given(m.VoidCoup(reason="x"), by=PIT_BOSS)
    assert (2, commitment(2)) == (board_of(table.state).commitment_coup, board_of(table.state).commitment)


def test_draws_are_ordered_from_the_seed() -> None:
    """The order says so, and an RNG that has lost the seed refuses rather than draw from something else."""
    table = given_wheel().given_seated(1, credit=10_000).given_wagers((1, "2", 100))
    table.given(m.CloseBetting(), by=CROUPIER).later(DECISION_MS)
    (order,) = [debt.command for debt in DECIDER.react(table.state) if isinstance(debt.command, RequestDraw)]
    assert order.seeded
    refusal = Refusal("seed.given_up", "Non.", "No.")
    table.given(Answered(to=order.draw_id, refusal=refusal))
    assert (10_000, "draw.failed") == (table.credit(), table.state.history[0].code)


def test_no_seed_is_wanted_after_the_last_coup() -> None:
    """Once the last coup is played nothing is committed to any more."""
    table = given_wheel().given(m.AnnounceLastCoups(), by=PIT_BOSS)
    for _ in range(3):
        table.given_wagers().given_spin("2")
    assert (0, 3) == (table.state.last_left, table.state.coup)
    assert 3 == max(event.coup for event in table.log if isinstance(event, s.DrawsRevealed))
    table.rng_answers = False
    table.state = msgspec.structs.replace(table.state, committed=3, seeds={})
    assert [] == asked(table)


@pytest.mark.parametrize("source", ["console", "device"])
def test_only_the_rng_has_seeds(source: str) -> None:
    """Where people or a device say the outcome there is nothing to commit to, and nothing to wait for."""
    table = given_wheel(source=source)
    table.rng_answers = False
    assert [] == asked(table)
    table.given(OPEN, by=CROUPIER)
    assert not any(isinstance(event, s.DrawsCommitted) for event in table.log)


def test_a_session_of_before_goes_on_as_it_was() -> None:
    """A session whose opening says nothing of seeds asks for none, waits for none, and draws as before."""
    table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
    decision = DECIDER.decide(table.state, opening(), Context(0, COMMITTEE, "1", "T1"))
    assert isinstance(decision, Accepted)
    opened, owed = decision.events
    assert isinstance(opened, m.SessionOpened)
    assert opened.seeded
    table.take((msgspec.structs.replace(opened, seeded=False), owed), COMMITTEE)
    table.given_wagers().given(m.CloseBetting(), by=CROUPIER).later(DECISION_MS)
    (order,) = [debt.command for debt in DECIDER.react(table.state) if isinstance(debt.command, RequestDraw)]
    assert b"seeded" not in msgspec.json.encode(order)
    assert [] == asked(table)
    table.given_drawn(3)
    assert "settled" == table.state.phase


# -- reveal -------------------------------------------------------------------------------------------------------
def test_the_seed_is_asked_for_when_the_coup_is_over() -> None:
    """Not while it runs; after its settlement or void, until it is in the log."""
    table = silent().given(committed(1)).given(OPEN, by=CROUPIER).given(committed(2))
    assert [] == asked(table)
    table.given(m.VoidCoup(reason="x"), by=PIT_BOSS)
    assert [(f"reveal:{seed_id(1)}", RevealSeed(seed_id=seed_id(1)))] == asked(table)
    table.when(revealed(1))
    table.then(s.DrawsRevealed(coup=1, seed=easy_seed(seed_id(1)).hex()))
    assert [] == asked(table)
    assert Already() == table.when(revealed(1))


def test_a_seed_that_comes_too_early_is_not_taken() -> None:
    """While its coup runs nobody has asked for it, and it does not get into the log."""
    table = silent().given(committed(1)).given(OPEN, by=CROUPIER)
    assert Already() == table.when(revealed(1))


def test_play_does_not_wait_for_the_seed() -> None:
    """The next coup opens while the last seed is on its way; only when several stay away the table stops."""
    table = silent().given(committed(1))
    for coup in range(1, SEEDS_UNREVEALED + 2):
        given_over(table).given(committed(coup + 1))
    table.when(OPEN, by=CROUPIER)
    table.then_refused("seed.not_revealed")
    assert SEEDS_UNREVEALED + 2 == len(table.state.seeds)
    table.given(revealed(2)).given(OPEN, by=CROUPIER)


@pytest.mark.parametrize("seed", ["00" * 32, "", "00" * 31, "no hex digits", "é"])
def test_a_seed_that_does_not_fit_suspends_the_table(seed: str) -> None:
    """It is logged with the commitment, everybody reads it on the board, and no coup is opened any more."""
    table = given_over(silent().given(committed(1))).given(committed(2))
    table.when(revealed(1, seed))
    table.then(s.SeedMismatched(coup=1, commitment=commitment(1), seed=seed))
    table.when(OPEN, by=CROUPIER)
    table.then_refused("seed.mismatch")
    board = board_of(table.state)
    assert ("tirages_suspects", "seed.mismatch") == (board.announcement.code, board.notes[-1].code)
    table.given(InterruptSession(reason="tirages suspects"), by=COMMITTEE)
    assert "closed" == table.state.phase


@pytest.mark.parametrize(
    "answer",
    [
        Answered(to=f"reveal:{seed_id(1)}", events=(SeedGivenUp(seed_id=seed_id(1)),)),
        Answered(to=f"reveal:{seed_id(1)}", refusal=Refusal("seed.given_up", "Non.", "No.")),
    ],
)
def test_a_lost_seed_is_noted(answer: Answered) -> None:
    """A seed that nobody can open is logged as lost, once, and the table plays on."""
    table = given_over(silent().given(committed(1)))
    table.when(answer)
    table.then(s.DrawsNotRevealed(coup=1, code="seed.given_up"))
    table.given(committed(2)).given(OPEN, by=CROUPIER)


def test_at_the_end_all_seeds_are_shown() -> None:
    """Also that of the coup that was never opened; only then may the next session be prepared."""
    table = silent().given(committed(1))
    table.given(m.LeaveSeat(), by=player(1)).given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()
    assert [(f"reveal:{seed_id(1)}", RevealSeed(seed_id=seed_id(1)))] == asked(table)
    table.when(m.CheckEquipment(), by=TECHNICIAN)
    table.then_refused("session.seeds_pending")
    table.given(revealed(1)).given(m.CheckEquipment(), by=TECHNICIAN)
    assert 2 == table.state.session


def test_a_commitment_that_comes_after_the_closing_is_shown_too() -> None:
    """It was asked for before; taken once, revealed once, and nothing is owed any more."""
    table = silent().given(m.LeaveSeat(), by=player(1)).given(m.CloseSession(), by=COMMITTEE)
    assert [] == asked(table)
    table.given(committed(1)).given(revealed(1))
    assert [] == asked(table)
    assert Already() == table.when(committed(1))
