"""More golden logs of the wheel: every chance by both paytables, incidents of both rings, closing and interruption.

Run by `python -m tests.golden.record_wheel` with the others. Inputs are fixed.
"""

from libs.games.wheel import messages as w
from libs.games.wheel.paytables import INNER_SEGMENTS, MAIN_SEGMENTS
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import CreditSeat
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table.interruption_messages import InterruptSession
from tests.golden.record_wheel_float import float_moves
from tests.kit.given import (
    BETTING_MS,
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    DEVICE,
    PIT_BOSS,
    TECHNICIAN,
    GivenTable,
    given_wheel,
    opening,
    player,
)

MAIN_SPOTS = ("2", "4", "6", "16", "24", "48")
BONUS = MAIN_SEGMENTS.index("BONUS") + 1
LONG_MS = 3_600_000


def every_chance(paytable: str) -> GivenTable:
    """The worked examples: each chance wins once, each segment of the inner wheel comes once, with its maxima."""
    table = given_wheel(paytable).given_seated(1, credit=300_000).given_seated(2, credit=20_000)
    for shows in MAIN_SPOTS:
        table.given_wagers(*((1, spot, 100) for spot in MAIN_SPOTS), (2, "48", 400), (2, shows, 100)).given_spin(shows)
    table.given_wagers((1, "2", 1_000), (1, "16", 300), (1, "BONUS", 1_000)).given_spin("16")
    for inner in INNER_SEGMENTS:
        table.given_wagers((1, "BONUS", 1_000), (2, "4", 500)).given_spin("BONUS", inner)
    table.given_wagers((1, "2", 2_000), (1, "24", 500)).given_spin("BONUS", "1000")
    table.given_wagers((1, "2", 10_000), (1, "4", 5_000), (1, "6", 2_500), (1, "16", 1_200), (1, "24", 1_000))
    table.given_spin("2").given(m.LeaveSeat(), by=player(2))
    return table.given_ledger_confirms()


def both_rings_fail() -> GivenTable:
    """A sensor: every anomaly of either ring, both entered by hand, both not entered, stopped by hand by the staff."""
    table = given_wheel("ROUE-ARR-2024", source="device").given_seated(1, credit=50_000)

    def launched(by_player: bool = True) -> None:
        stakes = ((1, "2", 1_000), (1, "16", 300), (1, "BONUS", 1_000))
        table.given_wagers(*stakes).given(m.CloseBetting(), by=CROUPIER)
        if by_player:
            table.given(w.PressBuzzer(), by=player())
        else:
            table.later(DECISION_MS)

    def reported(
        ring: w.Ring, segment: int | None = BONUS, turns: int = 2, *, turned: bool = True, seen: bool = False
    ) -> None:
        last = table.only(w.WheelLaunched)[-1]
        assert isinstance(last, w.WheelLaunched)
        other: w.Direction = "clockwise" if last.direction == "anticlockwise" else "anticlockwise"
        direction = last.direction if turned else other
        spin = w.ReportSpin(
            ring=ring, turns=turns, direction=direction, segment=segment, anomaly=seen, coup=table.state.coup
        )
        table.given(spin, by=DEVICE)

    launched()
    reported("main", seen=True)
    for wrong in ({"turns": 1}, {"turned": False}, {"seen": True}):
        launched()
        reported("main")
        reported("bonus", 4, **wrong)
    launched(by_player=False)
    reported("main")
    reported("bonus", None)
    table.given(w.EnterSegment(ring="bonus", segment=6), by=COMMITTEE)
    launched(by_player=False)
    reported("main")
    table.later(LONG_MS)
    table.later(LONG_MS)
    launched()
    reported("main", None)
    table.given(m.VoidCoup(reason="nobody is certain of the segment"), by=COMMITTEE)
    launched()
    table.given(m.VoidCoup(reason="the wheel was stopped by hand"), by=PIT_BOSS)
    launched()
    reported("main", MAIN_SEGMENTS.index("16") + 1, turns=7)
    return table.given_ledger_confirms()


def last_three_with_voids() -> GivenTable:
    """Two people check; a refused buy-in; voids among the last three spins do not count; a draw that fails; closing."""
    table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN).given(m.CheckEquipment(), by=COMMITTEE)
    table.given(opening("ROUE-MAISON-1"), by=COMMITTEE)
    table.given_seated(1, credit=10_000).given_seated(2, seat=20, credit=10_000)
    table.given(CreditSeat(transfer_id="buy-in:late", player="player-3", seat=3, amount=5_000))
    table.given_wagers((1, "2", 1_000)).given(m.AnnounceLastCoups(), by=COMMITTEE)
    table.given_spin("2")
    table.given_wagers((1, "2", 1_000)).given(m.VoidCoup(reason="fire alarm"), by=PIT_BOSS)
    table.given_wagers((1, "2", 2_000), (2, "6", 100)).given_spin("4")
    table.given_wagers((1, "2", 2_000), (2, "6", 100)).given(m.CloseBetting(), by=CROUPIER)
    table.given(w.LaunchWheel(), by=PIT_BOSS)
    refusal = Refusal("draw.bad_id", "Mal formé.", "Malformed.")
    table.given(Answered(to=next(iter(table.state.draws)), refusal=refusal))
    table.given_wagers((2, "BONUS", 1_000)).given(m.CashOut(amount=4_000), by=player(2)).given_spin("BONUS", "20")
    table.given_wagers().later(BETTING_MS)
    table.given(w.PressBuzzer(), by=player(1)).given_drawn(MAIN_SEGMENTS.index("24"))
    return table.given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()


def interrupted_on_bonus() -> GivenTable:
    """Interrupted while the inner wheel turns: every stake comes back, all chips go home."""
    table = given_wheel("ROUE-ARR-2024").given_seated(1, credit=10_000).given_seated(2, seat=4, credit=3_000)
    table.given_wagers((1, "BONUS", 1_000), (2, "2", 700)).given(m.CloseBetting(), by=CROUPIER)
    table.given(w.PressBuzzer(), by=player(2)).given_drawn(BONUS - 1)
    table.given(InterruptSession(reason="the float cannot cover the bets (art. 44)"), by=COMMITTEE)
    return table.given_ledger_confirms()


SESSIONS = {
    "0004-every-chance-by-the-letter.jsonl": lambda: every_chance("ROUE-ARR-2024"),
    "0005-every-chance-of-the-house.jsonl": lambda: every_chance("ROUE-MAISON-1"),
    "0006-both-rings-fail.jsonl": both_rings_fail,
    "0007-last-three-with-voids.jsonl": last_three_with_voids,
    "0008-interrupted-on-bonus.jsonl": interrupted_on_bonus,
    "0010-float-moves.jsonl": float_moves,
}
