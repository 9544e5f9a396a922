"""Outcomes from the console: recorded by the croupier, confirmed, corrected by a pit boss; and from a device."""

import msgspec
import pytest

from libs.games.wheel import messages as w
from libs.games.wheel.paytables import MAIN_SEGMENTS
from libs.kernel.limits import MANUAL_ENTRY_MS
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import BoardOutcome, board_of
from libs.table.react import deadline, react
from tests.kit.given import (
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    DEVICE,
    PIT_BOSS,
    GivenTable,
    folds,
    given_wheel,
    money_is_conserved,
    opening,
    player,
)

BONUS = str(MAIN_SEGMENTS.index("BONUS") + 1)
TWO = str(MAIN_SEGMENTS.index("2") + 1)
FOUR = str(MAIN_SEGMENTS.index("4") + 1)


def recorded(face: str | None, name: str = "main", coup: int | None = None) -> o.RecordOutcome:
    """Return a record of one face."""
    return o.RecordOutcome(name=name, faces=None if face is None else (face,), coup=coup)


def corrected(face: str, name: str = "main") -> o.CorrectOutcome:
    """Return a correction to one face."""
    return o.CorrectOutcome(name=name, faces=(face,), reason="misread")


def given_launched(*wagers: tuple[int, str, int]) -> GivenTable:
    """Return a wheel whose segments the croupier records, launched, with wagers of player 1 (credit 10 000)."""
    table = given_wheel("ROUE-ARR-2024", source="console").given_seated(1, credit=10_000)
    table.given_wagers(*wagers).given(m.CloseBetting(), by=CROUPIER)
    return table.given(w.LaunchWheel(), by=CROUPIER)


def test_the_croupier_records_and_confirms() -> None:
    """At the console no draw is ordered; the croupier records the segment, confirms it, and the coup is settled."""
    table = given_launched((1, "2", 1_000))
    assert () == react(table.state)[1:]
    assert [] == table.only(m.DrawRequested)
    (awaited,) = board_of(table.state).awaited
    assert ("main", "console", 52, ()) == (awaited.name, awaited.by, len(awaited.choices[0]), awaited.recorded)
    assert "decision" == board_of(table.state).phase
    table.when(recorded(TWO), by=CROUPIER)
    due = table.now_ms + DECISION_MS
    values = (int(TWO) - 1,)
    table.then(
        o.OutcomeRecorded(coup=1, name="main", faces=(TWO,), values=values, by=CROUPIER.id, role="croupier", due_ms=due)
    )
    assert (TWO,) == board_of(table.state).awaited[0].recorded
    assert [] == table.only(m.CoupSettled)
    table.given(o.ConfirmOutcome(name="main"), by=CROUPIER)
    assert "2" == table.last_settlement().outcome
    assert 12_000 == table.credit()
    assert () == board_of(table.state).awaited
    money_is_conserved(table)


def test_a_recorded_outcome_stands_by_itself_after_a_while() -> None:
    """Nobody confirms: the outcome stands when the decision time is over, not a millisecond before."""
    table = given_launched((1, "4", 500)).given(recorded(TWO), by=CROUPIER)
    table.later(DECISION_MS - 1)
    assert [] == table.only(m.CoupSettled)
    table.later(1)
    assert "2" == table.last_settlement().outcome
    assert ["tapis"] == [event.by for event in table.only(o.OutcomeConfirmed) if isinstance(event, o.OutcomeConfirmed)]


def test_saying_it_twice_is_harmless() -> None:
    """The same record, confirmation or correction again changes nothing; a different record is refused."""
    table = given_launched().given(recorded(BONUS), by=CROUPIER)
    table.when(recorded(BONUS), by=CROUPIER)
    table.then_already()
    table.when(recorded(TWO), by=CROUPIER)
    table.then_refused("outcome.recorded")
    table.when(corrected(BONUS), by=PIT_BOSS)
    table.then_already()
    table.given(o.ConfirmOutcome(name="main"), by=PIT_BOSS)
    table.when(o.ConfirmOutcome(name="main"), by=CROUPIER)
    table.then_already()
    table.when(recorded(BONUS), by=CROUPIER)
    table.then_already()
    table.when(recorded(TWO), by=CROUPIER)
    table.then_refused("outcome.recorded")


def test_a_pit_boss_corrects_before_the_outcome_stands() -> None:
    """A correction is an event of its own with both values, the name and the reason; the record stays in the log."""
    table = given_launched((1, "4", 500)).given(recorded(TWO), by=CROUPIER)
    table.when(corrected(FOUR), by=PIT_BOSS)
    table.then(
        o.OutcomeCorrected(
            coup=1,
            name="main",
            was=(int(TWO) - 1,),
            faces=(FOUR,),
            values=(int(FOUR) - 1,),
            by=PIT_BOSS.id,
            reason="misread",
            reopened=(),
            due_ms=table.now_ms + DECISION_MS,
            awaited_due_ms=table.now_ms + MANUAL_ENTRY_MS,
        )
    )
    table.given(o.ConfirmOutcome(name="main"), by=PIT_BOSS)
    assert "4" == table.last_settlement().outcome
    assert 1 == len(table.only(o.OutcomeRecorded))
    assert msgspec.json.encode(table.state) == msgspec.json.encode(folds(table.log))


def test_a_correction_undoes_what_followed() -> None:
    """Corrected after the inner wheel had been recorded: the game is where it was, and pays by the correction."""
    table = given_launched((1, "4", 500), (1, "BONUS", 1_000)).given(recorded(BONUS), by=CROUPIER)
    table.given(o.ConfirmOutcome(name="main"), by=CROUPIER).given(recorded("6", "bonus"), by=CROUPIER)
    table.given(corrected(FOUR), by=PIT_BOSS)
    (awaited,) = board_of(table.state).awaited
    assert ("main", (FOUR,)) == (awaited.name, awaited.recorded)
    table.given(o.ConfirmOutcome(name="main"), by=PIT_BOSS)
    assert "4" == table.last_settlement().outcome
    assert 10_000 - 1_500 + 2_500 == table.credit()
    money_is_conserved(table)
    assert msgspec.json.encode(table.state) == msgspec.json.encode(folds(table.log))


def test_nothing_is_corrected_after_settlement() -> None:
    """Once the coup is settled nothing can be recorded, confirmed or corrected."""
    table = given_launched((1, "2", 500)).given(recorded(TWO), by=CROUPIER)
    table.given(o.ConfirmOutcome(name="main"), by=CROUPIER)
    for command in (recorded(FOUR), o.ConfirmOutcome(name="main"), corrected(FOUR)):
        table.when(command, by=PIT_BOSS)
        table.then_refused("outcome.not_now")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (recorded("53"), "outcome.unknown_face"),
        (recorded("0"), "outcome.unknown_face"),
        (recorded(None), "outcome.wrong_count"),
        (o.RecordOutcome(name="main", faces=("1", "2")), "outcome.wrong_count"),
        (recorded("1", "bonus"), "outcome.not_awaited"),
        (recorded("1", coup=2), "outcome.other_coup"),
        (o.ConfirmOutcome(name="main"), "outcome.not_recorded"),
        (corrected("1"), "outcome.not_recorded"),
        (corrected("1", "bonus"), "outcome.not_awaited"),
    ],
)
def test_what_cannot_be_recorded(command: o.RecordOutcome, code: str) -> None:
    """Each wrong record, confirmation or correction has a code of its own, and changes nothing."""
    table = given_launched()
    before = table.state
    table.when(command, by=PIT_BOSS)
    table.then_refused(code)
    assert before == table.state


def test_who_may_not_record() -> None:
    """At the console neither a device nor a committee member records; with the RNG nobody does."""
    table = given_launched()
    table.when(recorded(TWO), by=DEVICE)
    table.then_refused("outcome.no_device")
    table.when(recorded(TWO), by=COMMITTEE)
    table.then_refused("outcome.console_speaks")
    table.when(corrected(TWO), by=CROUPIER)
    table.then_refused("role.not_allowed")
    table = given_wheel().given_wagers().given(m.CloseBetting(), by=CROUPIER)
    table.when(recorded(TWO), by=CROUPIER)
    table.then_refused("outcome.from_rng")


def test_nothing_entered_in_time_voids_the_coup() -> None:
    """The croupier enters nothing for as long as manual entry may take: every stake goes back."""
    table = given_launched((1, "2", 1_000))
    assert table.now_ms + MANUAL_ENTRY_MS == deadline(table.state)
    table.later(MANUAL_ENTRY_MS)
    (void,) = table.only(m.CoupVoided)
    assert isinstance(void, m.CoupVoided)
    assert "outcome.none" == void.code
    assert "Résultat non saisi" == board_of(table.state).history[0].outcome.fr
    assert 10_000 == table.credit()


def test_a_void_by_the_staff_ends_the_waiting() -> None:
    """*Coup nul*: nothing is awaited any more, and the next coup begins clean."""
    table = given_launched((1, "2", 1_000)).given(recorded(TWO), by=CROUPIER)
    table.given(m.VoidCoup(reason="wheel blocked"), by=PIT_BOSS).given_wagers()
    assert ({}, ()) == (table.state.awaited, table.state.standing)
    assert isinstance(board_of(table.state).awaited, tuple)
    assert not [awaited for awaited in board_of(table.state).awaited if isinstance(awaited, BoardOutcome)]


def test_a_source_must_be_offered() -> None:
    """The wheel takes its outcomes from all three sources; the terms say from which."""
    for source in ("rng", "console", "device"):
        table = GivenTable().given_open(opening(source=source))
        assert table.state.terms is not None
        assert source == table.state.terms.source
    table.given_seated(1)
    table.when(m.TakeSeat(seat=1), by=player())
    table.then_already()
