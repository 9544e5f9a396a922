"""Outcomes from a device: reported, silent, not detected, contradictory; people in its place. Played with dice."""

import pytest
from msgspec.structs import replace

from libs.games.rampo import messages as r
from libs.kernel.limits import DEVICE_REPORT_MS, MANUAL_ENTRY_MS
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import board_of
from tests.kit.given import COMMITTEE, CROUPIER, DECISION_MS, DEVICE, PIT_BOSS, GivenTable, money_is_conserved
from tests.kit.rampo import answered, given_rampo


def seen(*faces: str, name: str = "throw-1") -> o.RecordOutcome:
    """Return a record of dice; without faces they were not detected."""
    return o.RecordOutcome(name=name, faces=faces or None)


def given_thrown(*wagers: tuple[int, str, int]) -> GivenTable:
    """Return a table whose dice a device reads, after *rien ne va plus*."""
    return given_rampo(source="device").given_wagers(*wagers).given(m.CloseBetting(), by=CROUPIER)


def void_code(table: GivenTable) -> str:
    """Return the code of the only void."""
    (void,) = table.only(m.CoupVoided)
    assert isinstance(void, m.CoupVoided)
    return void.code


def failures(table: GivenTable) -> list[str]:
    """Return how the device failed, in order."""
    return [event.code for event in table.only(o.ManualEntryStarted) if isinstance(event, o.ManualEntryStarted)]


def test_a_device_reports_and_its_report_stands() -> None:
    """The report is on show, people may confirm it, else it stands after the decision time."""
    table = given_thrown((1, "ROUGE", 500))
    (awaited,) = board_of(table.state).awaited
    assert ("throw-1", "device", ((*"123456",), (*"123456",))) == (awaited.name, awaited.by, awaited.choices)
    table.given(seen("5", "3"), by=DEVICE)
    assert ("5", "3") == board_of(table.state).awaited[0].recorded
    table.later(DECISION_MS)
    assert "8" == table.last_settlement().outcome


def test_people_do_not_speak_for_a_device_that_works() -> None:
    """Until the device has failed nobody else records; afterwards it is not heard any more, nor is the croupier."""
    table = given_thrown((1, "ROUGE", 500))
    for by in (CROUPIER, PIT_BOSS, COMMITTEE):
        table.when(seen("5", "3"), by=by)
        table.then_refused("outcome.device_speaks")
    table.given(seen(), by=DEVICE)
    for by in (CROUPIER, DEVICE):
        table.when(seen("5", "3"), by=by)
        table.then_refused("outcome.manual_mode")
    table.given(seen("5", "3"), by=COMMITTEE)


@pytest.mark.parametrize(
    ("reports", "code"),
    [
        ([()], "not_detected"),
        ([("5", "3"), ("5", "4")], "contradictory"),
        ([("5", "3"), ()], "not_detected"),
        ([("5", "7")], "contradictory"),
        ([("5",)], "contradictory"),
    ],
)
def test_a_device_that_fails_gives_way_to_people(reports: list[tuple[str, ...]], code: str) -> None:
    """Nothing detected, two reports that differ, faces that no dice have: manual mode, and the entry decides."""
    table = given_thrown((1, "ROUGE", 500))
    for faces in reports:
        table.given(seen(*faces), by=DEVICE)
    assert [code] == failures(table)
    (awaited,) = board_of(table.state).awaited
    assert ("manual", ()) == (awaited.by, awaited.recorded)
    assert "decision" == board_of(table.state).phase
    table.given(seen("5", "3"), by=PIT_BOSS).given(o.ConfirmOutcome(name="throw-1"), by=PIT_BOSS)
    assert "8" == table.last_settlement().outcome
    money_is_conserved(table)


def test_the_same_report_twice_is_one() -> None:
    """A device that repeats itself says nothing new, before and after its report stands."""
    table = given_thrown((1, "8", 500)).given(seen("5", "3"), by=DEVICE)
    table.when(seen("5", "3"), by=DEVICE)
    table.then_already()
    table.later(DECISION_MS)
    table.when(seen("5", "3"), by=DEVICE)
    table.then_already()


def test_a_silent_device_gives_way_then_the_coup_is_void() -> None:
    """No report in time: manual mode; nothing entered in time: void, every stake back."""
    table = given_thrown((1, "ROUGE", 500))
    table.later(DEVICE_REPORT_MS - 1)
    assert [] == failures(table)
    table.later(1)
    assert ["silent"] == failures(table)
    table.later(MANUAL_ENTRY_MS)
    assert "outcome.none" == void_code(table)
    assert 100_000 == table.credit()


def test_a_late_contradiction_voids_what_nobody_has_confirmed() -> None:
    """The report stood by itself and the rampo is offered; now the device says otherwise: the coup is void."""
    table = given_thrown((1, "8", 500)).given(seen("5", "3"), by=DEVICE)
    table.later(DECISION_MS)
    table.given(seen("5", "4"), by=DEVICE)
    assert "outcome.device_failed" == void_code(table)
    assert "Appareil défaillant" == board_of(table.state).history[0].outcome.fr
    assert 100_000 == table.credit()


def test_what_people_have_confirmed_no_device_changes() -> None:
    """Confirmed by the croupier: a later report that differs is refused; a pit boss may still correct."""
    table = given_thrown((1, "8", 500)).given(seen("5", "3"), by=DEVICE)
    table.given(o.ConfirmOutcome(name="throw-1"), by=CROUPIER)
    table.when(seen("5", "4"), by=DEVICE)
    table.then_refused("outcome.recorded")
    table.given(o.CorrectOutcome(name="throw-1", faces=("5", "4"), reason="misread"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="throw-1"), by=PIT_BOSS)
    assert "9" == table.last_settlement().outcome


def test_an_irregular_throw_is_not_awaited_any_more() -> None:
    """*Coup nul* withdraws the awaited throw, also in manual mode; the device is asked for the next one."""
    table = given_thrown((1, "ROUGE", 500)).given(seen(), by=DEVICE)
    table.given(r.CallCoupNul(throw=1, fault="stacked"), by=CROUPIER)
    table.when(seen("5", "3"), by=DEVICE)
    table.then_refused("outcome.not_awaited")
    table.given(seen("5", "3", name="throw-2"), by=DEVICE).given(o.ConfirmOutcome(name="throw-2"), by=CROUPIER)
    assert "8" == table.last_settlement().outcome


def test_once_stakes_have_moved_only_a_void_helps() -> None:
    """A player has staked since the outcome stood (here: by the test's own hand): it cannot be corrected any more."""
    table = given_thrown((1, "8", 500)).given(seen("5", "3"), by=DEVICE)
    table.given(o.ConfirmOutcome(name="throw-1"), by=CROUPIER)
    raised = replace(table.state.seats[1], stakes={"8": 1_000})
    table.state = replace(table.state, seats={**table.state.seats, 1: raised})
    table.when(o.CorrectOutcome(name="throw-1", faces=("5", "4"), reason="misread"), by=PIT_BOSS)
    table.then_refused("outcome.stakes_moved")


def test_an_answer_to_the_rampo_does_not_hinder_a_correction() -> None:
    """Stakes have not moved, so the number is still corrected; the answers are undone with the number."""
    table = given_thrown((1, "8", 500), (2, "8", 500)).given(seen("5", "3"), by=DEVICE)
    answered(table.given(o.ConfirmOutcome(name="throw-1"), by=CROUPIER), (1, True))
    table.given(o.CorrectOutcome(name="throw-1", faces=("3", "3"), reason="misread"), by=PIT_BOSS)
    table.later(DECISION_MS)
    assert "6" == table.last_settlement().outcome
    assert [0, 0] == [seat.credited for seat in table.last_settlement().seats]
