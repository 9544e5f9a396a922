"""The special cases of the rules that golden sessions must show: one module per game, found by the game's name.

Each is a look at one session's log; a case is shown when one golden session of the game has it. `WHEREVER` are those of
every game; a game's module has its own in a value `CASES`.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

Log = list[dict[str, Any]]
"""The events of one session as they were written."""
Case = Callable[[Log], bool]


def has(tag: str, **fields: object) -> Case:
    """Some event has this tag and these fields."""
    return lambda log: any(
        event["type"] == tag and all(event.get(name) == value for name, value in fields.items()) for event in log
    )


def in_turn(*cases: Case) -> Case:
    """Events of these kinds come one after the other, others between them or not."""

    def shown(log: Log) -> bool:
        place = 0
        for event in log:
            place += place < len(cases) and cases[place]([event])
        return place == len(cases)

    return shown


def both(*cases: Case) -> Case:
    """The same session has all of it."""
    return lambda log: all(case(log) for case in cases)


def never(case: Case) -> Case:
    """The session has nothing of the kind."""
    return lambda log: not case(log)


def settled(outcome: str = "", **line: object) -> Case:
    """A coup is settled with this outcome (or one that begins so) and a line like this; `won` asks for a credit."""
    won = line.pop("won", None)

    def fits(wager: dict[str, Any]) -> bool:
        same = all(wager.get(name, "") == value for name, value in line.items())
        return same and (won is None or (wager["credit"] > 0) == won)

    return lambda log: any(
        event["type"] == "table.CoupSettled"
        and event["outcome"].startswith(outcome)
        and (any(map(fits, event["wagers"])) or not (line or won is not None))
        for event in log
    )


def voided(code: str) -> Case:
    """A coup is void for this reason."""
    return has("table.CoupVoided", code=code)


def at(case: Case, paytable: str) -> Case:
    """The case is shown in a session with this paytable."""
    return both(has("table.SessionOpened", paytable=paytable), case)


LAST_COUPS = has("table.LastCoupsAnnounced")
CLOSED = has("table.SessionClosed")
BETTING, LOCKED = has("table.BettingOpened"), has("table.BettingClosed")
STAFF_VOID, INTERRUPTED = voided("staff"), has("table.SessionInterrupted")

WHEREVER: dict[str, Case] = {
    "the last three coups, then closing": in_turn(
        LAST_COUPS, *(has("table.CoupSettled", last_coups_left=left) for left in (2, 1, 0)), CLOSED
    ),
    "a void by the staff while betting is open": in_turn(BETTING, has("table.WagerPlaced"), STAFF_VOID),
    "a void by the staff after rien ne va plus": in_turn(LOCKED, STAFF_VOID),
    "a draw that fails": voided("draw.failed"),
    "an interruption": in_turn(INTERRUPTED, CLOSED),
    "betting closed by the timer": has("table.BettingClosed", by_timer=True),
    "an outcome corrected by a pit boss": has("table.OutcomeCorrected"),
    "an outcome that nobody enters": voided("outcome.none"),
    "a stake taken back": has("table.WagerTakenBack"),
    "a player who leaves": has("table.SeatLeft"),
}


def special_cases(game: str) -> dict[str, Case]:
    """Return what the golden sessions of a game must show."""
    name = f"{__name__}.{game}"
    own: dict[str, Case] = import_module(name).CASES if find_spec(name) else {}
    return WHEREVER | own
