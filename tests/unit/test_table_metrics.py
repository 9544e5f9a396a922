"""What the table orchestrator counts."""

import pytest
from structlog.testing import capture_logs

from libs.eventlog.api import Head
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import RevealSeed, SeedGivenUp, SeedRevealed
from libs.kernel.contracts.wallet import Leg
from libs.kernel.decider import Accepted
from libs.kernel.messages import Event
from libs.runtime import metrics
from libs.runtime.plan import Book
from libs.table.decider import DECIDER
from libs.table.interruption_messages import InterruptSession
from libs.table.messages import PostingConfirmed, VoidCoup
from libs.table.seeds import DrawsNotRevealed, DrawsRevealed, SeedMismatched
from libs.table.state import Owed, TableState
from services.table_orchestrator.observe import TableMetrics
from tests.kit.given import COMMITTEE, PIT_BOSS, GivenTable, given_wheel
from tests.kit.seeds import easy_seed


def test_gauges_of_a_shard_that_was_handed_over() -> None:
    """What was said of a table is taken back when its pit has another owner, so that two owners never contradict."""
    state = TableState("T9", pit="pit-9", phase="idle", owed={1: Owed("coup", (Leg("float:T9", 0),))})
    books = {"T9": Book("T9", 1, Head(), state)}
    observe = TableMetrics()
    observe("pit-9", [("T9", PostingConfirmed(number=0))], books)
    labels = {"table": "T9", "game": "none"}
    assert 1 == metrics.REGISTRY.get_sample_value("tapis_session_open", labels)
    assert 1 == metrics.REGISTRY.get_sample_value("tapis_postings_owed", {"table": "T9"})
    observe("pit-9", (), {})
    assert 0 == metrics.REGISTRY.get_sample_value("tapis_session_open", labels)
    assert 0 == metrics.REGISTRY.get_sample_value("tapis_postings_owed", {"table": "T9"})


def observed(observe: TableMetrics, table: GivenTable, *events: Event) -> None:
    """Let the observer see events of a table, as the runtime does after an append."""
    book = Book("T1", 1, Head(), table.state)
    observe("pit-1", [("T1", event) for event in events or table.log[-1:]], {"T1": book})


def given_asked_for_its_seed() -> tuple[GivenTable, str, RevealSeed]:
    """Return a wheel whose first coup is over, and how it asks for the seed."""
    table = given_wheel().given_seated().given_wagers((1, "2", 100))
    table.rng_answers = False
    table.given(VoidCoup(reason="x"), by=PIT_BOSS)
    (asked,) = [
        (debt.command_id, debt.command) for debt in DECIDER.react(table.state) if isinstance(debt.command, RevealSeed)
    ]
    return table, *asked


def mistrusted() -> float | None:
    return metrics.REGISTRY.get_sample_value("tapis_draws_mistrusted", {"table": "T1"})


def lost() -> float | None:
    return metrics.REGISTRY.get_sample_value("tapis_seeds_lost_total", {"table": "T1"})


def test_a_seed_that_does_not_fit_is_shown_at_once() -> None:
    """The gauge rises with the event, stays for the session and falls with the next one; a log line names the coup."""
    table, command_id, asked = given_asked_for_its_seed()
    observe = TableMetrics()
    observed(observe, table)
    assert 0 == mistrusted()
    wrong = SeedRevealed(seed_id=asked.seed_id, seed="00" * 32)
    assert isinstance(table.when(Answered(to=command_id, events=(wrong,))), Accepted)
    assert [SeedMismatched] == [type(event) for event in table.log[-1:]]
    with capture_logs() as said:
        observed(observe, table)
    assert 1 == mistrusted()
    assert [("error", "T1", 1)] == [(line["log_level"], line["table"], line["coup"]) for line in said]
    table.given(InterruptSession(reason="tirages suspects"), by=COMMITTEE)
    observed(observe, table)
    assert 1 == mistrusted()
    table.rng_speaks_of_seeds().given_ledger_confirms().given_open()
    observed(observe, table)
    assert 0 == mistrusted()


def test_the_gauge_is_another_owners_to_say() -> None:
    """When the pit is handed over this process says nothing of the table; the next owner reads it in the log."""
    table, command_id, asked = given_asked_for_its_seed()
    table.when(Answered(to=command_id, events=(SeedRevealed(seed_id=asked.seed_id, seed="00" * 32),)))
    observe, next_owner = TableMetrics(), TableMetrics()
    observed(observe, table)
    observe("pit-1", (), {})
    assert 0 == mistrusted()
    next_owner("pit-1", (), {"T1": Book("T1", 1, Head(), table.state)})
    assert 1 == mistrusted()


@pytest.mark.parametrize("shown", [True, False])
def test_seeds_that_are_lost_are_counted(shown: bool) -> None:
    """One more for a seed that no key opens, none for one that fits; neither suspends the table."""
    table, command_id, asked = given_asked_for_its_seed()
    observe, before = TableMetrics(), lost() or 0
    fits = SeedRevealed(seed_id=asked.seed_id, seed=easy_seed(asked.seed_id).hex())
    fact: Event = fits if shown else SeedGivenUp(seed_id=asked.seed_id)
    table.when(Answered(to=command_id, events=(fact,)))
    assert [DrawsRevealed if shown else DrawsNotRevealed] == [type(event) for event in table.log[-1:]]
    observed(observe, table)
    assert (before + (not shown), 0) == (lost(), mistrusted())
