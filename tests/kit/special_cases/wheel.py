"""What golden sessions of the wheel must show."""

from tests.kit.special_cases import (
    CLOSED,
    INTERRUPTED,
    LAST_COUPS,
    Case,
    at,
    both,
    has,
    in_turn,
    never,
    settled,
    voided,
)

WHEEL_TABLES = ("ROUE-ARR-2024", "ROUE-MAISON-1")
LAUNCH = "wheel.WheelLaunched"


def _anomaly(ring: str, code: str) -> Case:
    return in_turn(has("wheel.SpinReported", ring=ring), voided(f"spin.{code}"))


CASES: dict[str, Case] = (
    {
        f"{spot} wins by {paytable}": at(settled(spot, spot=spot, won=True), paytable)
        for paytable in WHEEL_TABLES
        for spot in ("2", "4", "6", "16", "24", "48")
    }
    | {
        f"bonus {inner} by {paytable}": at(settled(f"BONUS:{inner}", spot="BONUS", won=True), paytable)
        for paytable in WHEEL_TABLES
        for inner in (5, 20, 50, 100, 250, 1000)
    }
    | {
        f"{code} of the {ring} ring (WA6, WA7)": _anomaly(ring, code)
        for ring in ("main", "bonus")
        for code in ("anomaly", "too_few_turns", "wrong_direction")
    }
    | {f"launched by {who} (WA10)": has(LAUNCH, launched_by=who) for who in ("buzzer", "staff", "timer")}
    | {f"the {ring} ring entered by hand (WA13)": has("wheel.SegmentEntered", ring=ring) for ring in ("main", "bonus")}
    | {
        "negative edges confirmed (WA1)": has("table.SessionOpened", negative_edge_confirmed=True),
        "two people check, then the session opens": in_turn(
            has("table.SessionPrepared"), has("table.EquipmentChecked", role="committee_member")
        ),
        "main bets lost on BONUS (WA4)": settled("BONUS", spot="4", won=False),
        "BONUS without a BONUS bet": lambda log: any(
            event["type"] == "table.CoupSettled"
            and event["outcome"].startswith("BONUS")
            and event["wagers"]
            and all(wager["spot"] != "BONUS" for wager in event["wagers"])
            for event in log
        ),
        "a silent sensor, nobody enters (WA13)": in_turn(
            has("wheel.ManualModeStarted", code="no_report"), voided("spin.not_detected")
        ),
        "direction goes on in the next session (WA8)": lambda log: bool(log[0]["carried"]),
        "a void among the last three (WA9)": in_turn(LAST_COUPS, has("table.CoupVoided"), CLOSED),
        "three spins without a stake, closing (WA11)": both(CLOSED, has(LAUNCH), never(LAST_COUPS), never(INTERRUPTED)),
        "the main ring corrected while the inner one turns": in_turn(
            has("wheel.BonusLaunched"), has("table.OutcomeCorrected", name="main")
        ),
        "a buy-in refused": has("table.SeatCreditRefused"),
    }
)
