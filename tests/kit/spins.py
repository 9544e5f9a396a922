"""Helpers for spins of a wheel with a sensor."""

from libs.games.wheel import messages as w
from libs.games.wheel.paytables import MAIN_SEGMENTS
from libs.table import messages as m
from tests.kit.given import CROUPIER, GivenTable, given_wheel, player

BONUS_SEGMENT = MAIN_SEGMENTS.index("BONUS") + 1
SEGMENT_2 = MAIN_SEGMENTS.index("2") + 1


def report(ring: w.Ring = "main", turns: int = 3, segment: int | None = SEGMENT_2, **more: object) -> w.ReportSpin:
    """Return a sensor's report of a clockwise spin."""
    direction: w.Direction = "anticlockwise" if more.get("direction") == "anticlockwise" else "clockwise"
    return w.ReportSpin(ring=ring, turns=turns, segment=segment, direction=direction, anomaly=bool(more.get("anomaly")))


def given_spinning(*wagers: tuple[int, str, int]) -> GivenTable:
    """Return a table with a sensor whose wheel turns clockwise, with these wagers of player 1 (credit 10 000)."""
    table = given_wheel("ROUE-ARR-2024", source="device").given_seated(1, credit=10_000)
    table.given_wagers(*wagers).given(m.CloseBetting(), by=CROUPIER)
    return table.given(w.PressBuzzer(), by=player())


def directions(table: GivenTable) -> list[str]:
    """Return the directions of all launches of the session."""
    return [event.direction for event in table.only(w.WheelLaunched) if isinstance(event, w.WheelLaunched)]


def void_code(table: GivenTable) -> str:
    """Return the code of the session's only void."""
    (event,) = table.only(m.CoupVoided)
    assert isinstance(event, m.CoupVoided)
    return event.code
