"""What golden sessions of Rampo must show."""

from tests.kit.special_cases import CLOSED, INTERRUPTED, Case, Log, at, both, has, in_turn, settled, voided

NUMBERS = range(2, 13)
RAMPO_TABLES = ("RAMPO-ARR-2014", "RAMPO-MAISON-1", "RAMPO-MAISON-2")


def _coups_with(log: Log, tag: str) -> list[int]:
    return [event["coup"] for event in log if event["type"] == tag]


def _silence(log: Log) -> bool:
    """Fewer have answered the offer than had it, and the coup was settled all the same."""
    asked = {event["coup"]: len(event["seats"]) for event in log if event["type"] == "rampo.RampoOffered"}
    answers, over = _coups_with(log, "rampo.RampoAnswered"), _coups_with(log, "table.CoupSettled")
    return any(answers.count(coup) < seats and coup in over for coup, seats in asked.items())


def _not_offered_on_the_last(log: Log) -> bool:
    """The very last throw has a winner on a number, who was not asked."""
    last = [event for event in log if event["type"] == "table.CoupSettled" and event["last_coups_left"] == 0]
    won = [event["coup"] for event in last if any(wager.get("step") == "NUMERO" for wager in event["wagers"])]
    return bool(set(won) - set(_coups_with(log, "rampo.RampoOffered")))


CASES: dict[str, Case] = (
    {
        f"{number} is paid by {paytable} (RA1, RA3)": at(settled(str(number), spot=str(number), won=True), paytable)
        for paytable in RAMPO_TABLES
        for number in NUMBERS
    }
    | {
        f"rampo on {number} by {paytable} (RA2)": at(
            both(has("rampo.NumberThrown", number=number, rampo=True), settled(str(number), step="RAMPO", won=True)),
            paytable,
        )
        for paytable in RAMPO_TABLES
        for number in NUMBERS
        if number != 7
    }
    | {
        f"{colour} wins": settled(spot=colour, step="COULEUR", won=True)
        for colour in ("ROUGE", "NOIR", "VERT", "JAUNE", "BLANC")
    }
    | {
        f"an irregular throw: {fault}": has("rampo.ThrowAnnulled", fault=fault)
        for fault in ("broken", "stacked", "leaning", "on_chip", "off_table", "sliding", "no_back_wall", "other")
    }
    | {
        f"the dice pass on: {why} (RA5)": has("rampo.DiceOffered", why=why)
        for why in ("first", "refused", "left", "removed", "no_stake", "seven")
    }
    | {
        "a rampo tried in vain (RA2)": settled(step="RAMASSE", stake=0, won=False),
        "silence is not trying (RA8)": _silence,
        "a stake in the zone and a coup nul (RA7, RA11)": in_turn(has("rampo.ZoneSet"), has("rampo.ThrowAnnulled")),
        "the shooter removed during a try (RA7)": in_turn(has("rampo.ZoneSet"), has("rampo.ShooterRemoved")),
        "the dice change": has("rampo.DiceChanged", why="asked"),
        "a broken die is replaced": has("rampo.DiceChanged", why="broken"),
        "a chip value": has("rampo.ChipValueSet"),
        "interrupted with a try pending (RA13)": in_turn(INTERRUPTED, has("table.StakesReleased"), CLOSED),
        "interrupted after the number": in_turn(has("rampo.RampoOffered"), INTERRUPTED, has("table.CoupSettled")),
        "everybody refuses (RA14)": in_turn(has("rampo.DiceRefused"), voided("rampo.no_shooter")),
        "no stake, no throw": voided("rampo.no_stake"),
        "no rampo on the very last throw (RA12)": _not_offered_on_the_last,
        "thrown by the timer": has("rampo.DiceThrown", by="timer"),
        "extremes capped": has("table.SessionOpened", options={"extremes_times": 15}),
    }
    | {
        f"manual mode: {code}": has("table.ManualEntryStarted", code=code)
        for code in ("silent", "not_detected", "contradictory")
    }
)
