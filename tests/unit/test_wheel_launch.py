"""Launch, turns and sensor of the wheel, beyond the numbered resolutions."""

from libs.games.wheel import messages as w
from libs.kernel.limits import MANUAL_ENTRY_MS, SPIN_REPORT_MS
from libs.table import messages as m
from tests.kit.given import COMMITTEE, CROUPIER, DEVICE, TECHNICIAN, GivenTable, given_wheel, opening, player
from tests.kit.spins import BONUS_SEGMENT, directions, given_spinning, report, void_code


def test_the_buzzer_works_only_after_rien_ne_va_plus() -> None:
    """The buzzer is dead between coups and while bets are open; afterwards a second press changes nothing."""
    table = given_wheel().given_seated(1).given_seated(2)
    table.when(w.PressBuzzer(), by=player())
    table.then_refused("wheel.betting_not_closed")
    table.given_wagers()
    table.when(w.PressBuzzer(), by=player())
    table.then_refused("wheel.betting_not_closed")
    table.given(m.CloseBetting(), by=CROUPIER)
    table.when(w.PressBuzzer(), by=player(3))
    table.then_refused("wheel.not_seated")
    table.given(w.PressBuzzer(), by=player(1))
    table.when(w.PressBuzzer(), by=player(2))
    table.then_already()
    table.when(w.LaunchWheel(), by=CROUPIER)
    table.then_already()


def test_the_buzzer_needs_a_wheel_with_the_rng_to_draw() -> None:
    """With the RNG as source, the launch asks for one of 52, and BONUS for one of 6, each draw with its own name."""
    table = given_wheel().given_seated().given_wagers().given(m.CloseBetting(), by=CROUPIER)
    table.given(w.PressBuzzer(), by=player())
    table.given_drawn(BONUS_SEGMENT - 1)
    orders = [(d.draw_id, d.bounds) for d in table.only(m.DrawRequested) if isinstance(d, m.DrawRequested)]
    assert [("draw:pit-1/T1/1/1/main", (52,)), ("draw:pit-1/T1/1/1/bonus", (6,))] == orders


def test_reports_that_nobody_awaits_are_refused() -> None:
    """A sensor is heard only where it is the source, while its ring turns, about this coup, on existing segments."""
    table = given_wheel()
    table.when(report(), by=DEVICE)
    table.then_refused("wheel.no_device")
    table = given_wheel(source="device").given_wagers().given(m.CloseBetting(), by=CROUPIER)
    table.when(report(), by=DEVICE)
    table.then_refused("wheel.not_turning")
    table.given(w.LaunchWheel(), by=CROUPIER)
    table.when(report("bonus", segment=1), by=DEVICE)
    table.then_refused("wheel.wrong_ring")
    table.when(w.ReportSpin(ring="main", turns=3, direction="clockwise", segment=1, coup=9), by=DEVICE)
    table.then_refused("wheel.other_coup")
    table.when(w.EnterSegment(ring="main", segment=1), by=COMMITTEE)
    table.then_refused("wheel.not_manual_mode")
    table.given(report(segment=BONUS_SEGMENT), by=DEVICE)
    table.when(report("bonus", segment=7), by=DEVICE)
    table.then_refused("wheel.no_such_segment")
    table.given(report("bonus", segment=6), by=DEVICE)
    table.when(report("bonus", segment=6), by=DEVICE)
    table.then_refused("wheel.not_turning")


def test_bonus_stake_is_a_term_of_the_session() -> None:
    """The session cannot open without a BONUS stake that is a positive multiple of 10 cents, nor with other options."""
    table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
    for options, code in (
        ({}, "wheel.bonus_stake_missing"),
        ({"bonus_stake": 1_000, "other": 1}, "wheel.bonus_stake_missing"),
        ({"bonus_stake": 1_005}, "wheel.bonus_stake_not_multiple_of_10"),
        ({"bonus_stake": 0}, "wheel.bonus_stake_not_multiple_of_10"),
        ({"bonus_stake": -10}, "wheel.bonus_stake_not_multiple_of_10"),
    ):
        table.when(opening(options=options), by=COMMITTEE)
        table.then_refused(code)


def test_two_turns_are_enough_and_one_is_not() -> None:
    """Art. 67-16-5: at least two turns; one turn voids the launch, two make the result valid."""
    table = given_spinning((1, "2", 1_000))
    table.given(report(turns=2), by=DEVICE)
    assert "2" == table.last_settlement().outcome
    table = given_spinning((1, "2", 1_000))
    table.given(report(turns=1), by=DEVICE)
    assert "spin.too_few_turns" == void_code(table)


def test_a_wrong_direction_voids_the_launch() -> None:
    """The wheel must turn the way it was launched; else every stake goes back."""
    table = given_spinning((1, "2", 1_000))
    table.given(report(direction="anticlockwise"), by=DEVICE)
    assert "spin.wrong_direction" == void_code(table)
    assert 10_000 == table.credit()


def test_the_inner_wheel_turns_with_its_launch() -> None:
    """The inner wheel is part of the same launch: same direction, and the next launch is the opposite of it."""
    table = given_wheel().given_wagers().given_spin("BONUS", "5").given_wagers().given_spin("2")
    (bonus,) = table.only(w.BonusLaunched)
    assert isinstance(bonus, w.BonusLaunched)
    assert "clockwise" == bonus.direction
    assert ["clockwise", "anticlockwise"] == directions(table)


def test_a_silent_sensor_leads_to_manual_mode_and_then_to_a_void() -> None:
    """A sensor that never reports cannot hold the coup for ever: manual mode, and then every stake back."""
    table = given_spinning((1, "2", 1_000))
    table.later(SPIN_REPORT_MS)
    (manual,) = table.only(w.ManualModeStarted)
    assert isinstance(manual, w.ManualModeStarted)
    assert "no_report" == manual.code
    table.when(report(), by=DEVICE)
    table.then_refused("wheel.manual_mode")
    table.later(MANUAL_ENTRY_MS)
    assert "spin.not_detected" == void_code(table)
    assert 10_000 == table.credit()
