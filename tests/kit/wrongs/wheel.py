"""What may be said wrong at the wheel (m = 100, F = 1 000 cents)."""

from libs.games.wheel import messages as w
from libs.kernel.messages import Command
from libs.table import messages as m
from tests.kit.given import COMMITTEE, CROUPIER, DEVICE, TECHNICIAN, GivenTable, given_wheel, opening, player
from tests.kit.spins import BONUS_SEGMENT, given_spinning, report
from tests.kit.wrongs import Wrong


def prepared() -> GivenTable:
    """The technician has checked the wheel."""
    return GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)


def betting(*wagers: tuple[int, str, int]) -> GivenTable:
    """Betting is open; player 1 is rich and has these stakes down."""
    return given_wheel().given_seated(1, credit=1_000_000).given_wagers(*wagers)


def locked() -> GivenTable:
    """*Rien ne va plus* has been said; the RNG is the source."""
    return betting().given(m.CloseBetting(), by=CROUPIER)


def between() -> GivenTable:
    """A spin is over."""
    return betting().given_spin("2")


def spinning() -> GivenTable:
    """The wheel turns clockwise, watched by a sensor."""
    return given_spinning((1, "BONUS", 1_000))


def waiting_for_the_buzzer() -> GivenTable:
    """A sensor watches the wheel, which has not been launched."""
    table = given_wheel(source="device").given_seated(1).given_wagers((1, "2", 100))
    return table.given(m.CloseBetting(), by=CROUPIER)


def inner_wheel() -> GivenTable:
    """The wheel has stopped on BONUS and the inner one turns."""
    return spinning().given(report(segment=BONUS_SEGMENT), by=DEVICE)


def manual_mode() -> GivenTable:
    """The sensor did not detect the segment of the main wheel."""
    return spinning().given(report(segment=None), by=DEVICE)


def manual_inner() -> GivenTable:
    """The sensor did not detect the segment of the inner wheel."""
    return inner_wheel().given(report("bonus", segment=None), by=DEVICE)


def _terms(code: str, **terms: object) -> Wrong:
    return Wrong(code, prepared, opening(**terms), COMMITTEE)  # type: ignore[arg-type]


def _wager(code: str, spot: str, amount: int, *before: tuple[int, str, int]) -> Wrong:
    return Wrong(code, lambda: betting(*before), m.PlaceWager(spot=spot, amount=amount), player())


def _enter(code: str, given: object, ring: w.Ring, segment: int) -> Wrong:
    return Wrong(code, given, w.EnterSegment(ring=ring, segment=segment), COMMITTEE)  # type: ignore[arg-type]


PRESS, LAUNCH = w.PressBuzzer(), w.LaunchWheel()
OTHER_COUP: Command = w.ReportSpin(ring="main", turns=3, direction="clockwise", segment=3, coup=9)

WRONG = [
    _terms("wheel.bonus_stake_missing", options={}),
    _terms("wheel.bonus_stake_missing", options={"bonus_stake": 1_000, "chip": 50}),
    _terms("wheel.bonus_stake_not_multiple_of_10", options={"bonus_stake": 1_005}),
    _terms("wheel.bonus_stake_not_multiple_of_10", options={"bonus_stake": 0}),
    _wager("wager.unknown_spot", "7", 100),
    _wager("wager.unknown_spot", "BONUS_250", 1_000),
    _wager("wager.unknown_spot", "2-4", 100),
    _wager("wager.under_minimum", "2", 99),
    _wager("wager.over_maximum", "2", 10_001),
    _wager("wager.over_maximum", "48", 600),
    _wager("wager.over_maximum", "2", 1, (1, "2", 10_000)),
    _wager("wager.over_maximum", "48", 100, (1, "48", 300), (1, "48", 200)),
    _wager("wager.bonus_fixed", "BONUS", 999),
    _wager("wager.bonus_fixed", "BONUS", 2_000),
    _wager("wager.bonus_once", "BONUS", 1_000, (1, "BONUS", 1_000)),
    Wrong("wheel.betting_not_closed", betting, PRESS, player()),
    Wrong("wheel.betting_not_closed", between, PRESS, player()),
    Wrong("wheel.not_seated", locked, PRESS, player(2)),
    Wrong("wheel.betting_not_closed", betting, LAUNCH, CROUPIER),
    Wrong("wheel.betting_not_closed", between, LAUNCH, CROUPIER),
    Wrong("wheel.no_device", locked, report(), DEVICE),
    Wrong("wheel.not_turning", waiting_for_the_buzzer, report(), DEVICE),
    Wrong("wheel.wrong_ring", spinning, report("bonus"), DEVICE),
    Wrong("wheel.wrong_ring", inner_wheel, report("main"), DEVICE),
    Wrong("wheel.other_coup", spinning, OTHER_COUP, DEVICE),
    Wrong("wheel.manual_mode", manual_mode, report(), DEVICE),
    Wrong("wheel.no_such_segment", inner_wheel, report("bonus", segment=7), DEVICE),
    _enter("wheel.not_manual_mode", locked, "main", 1),
    _enter("wheel.not_manual_mode", spinning, "main", 1),
    _enter("wheel.wrong_ring", manual_mode, "bonus", 1),
    _enter("wheel.no_such_segment", manual_inner, "bonus", 7),
]
