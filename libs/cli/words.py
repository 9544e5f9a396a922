"""How the command line says things: money, times, events and states, in one line each."""

from datetime import UTC, datetime, tzinfo
from typing import Any

import msgspec

from libs.kernel.actors import Actor
from libs.kernel.envelope import EventRecord
from libs.table.held_up import reasons
from libs.table.state import IN_SESSION, TableState

_MONEY = frozenset(
    {
        "amount", "after", "before", "credit", "credit_after", "credited", "float_amount", "float_balance", "handle",
        "maximum", "minimum", "stake", "stake_after", "staked",
    }
)  # fmt: skip
"""Fields that hold cents, in any event."""

_LEFT_OUT = frozenset({"type", "paytable_content", "edges", "maxima", "carried", "credits", "remembered"})
"""Fields that say more than a line can hold; `--json` shows them."""


def money(cents: int) -> str:
    """Return cents as a decimal amount.

    >>> money(-1205)
    '-12.05'
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def moment(at_ms: int, zone: tzinfo) -> str:
    """Return a time as ISO 8601 with milliseconds, in a time zone."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(zone).isoformat(timespec="milliseconds")


def event_line(record: EventRecord, zone: tzinfo) -> str:
    """Return an event as one line: version, time, speaker, tag, and what it says."""
    body = msgspec.json.decode(record.body)
    said = ", ".join(f"{name} {_said(name, value)}" for name, value in body.items() if name not in _LEFT_OUT)
    return f"{record.version:>6}  {moment(record.at_ms, zone)}  {_who(record.actor):<44} {body['type']:<30} {said}"


def _who(actor: Actor) -> str:
    """Return a speaker in a column of 44; of a longer name the middle is left out (`--json` shows all of it).

    >>> _who(Actor("croupier-1", "croupier"))
    'croupier-1 (croupier)'
    >>> _who(Actor("the-longest-name-that-anybody-ever-gave-table-12", "committee_member"))
    'the-longest-…ave-table-12 (committee_member)'
    """
    room = 44 - len(f" ({actor.role})")
    name = actor.id if len(actor.id) <= room else f"{actor.id[: room // 2]}…{actor.id[-(room - room // 2 - 1) :]}"
    return f"{name} ({actor.role})"


def _said(name: str, value: Any) -> str:
    """Return the value of a field for people."""
    match value:
        case bool():
            return "yes" if value else "no"
        case int() if name in _MONEY:
            return money(value)
        case None:
            return "none"
        case list() if value and all(isinstance(item, dict) for item in value):
            return "[" + "; ".join(_item(item) for item in value) + "]"
        case list():
            return "[" + ", ".join(str(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{key} {_said(key, item)}" for key, item in value.items()) + "}"
        case _:
            return str(value)


def _item(item: dict[str, Any]) -> str:
    return " ".join(
        f"{_said(name, value)}" if name == "account" else f"{name} {_said(name, value)}" for name, value in item.items()
    )


def table_lines(state: TableState) -> list[str]:
    """Return the state of a table for people: what stands, not what the last coup of a closed session left."""
    terms = f"{state.terms.game}, {state.terms.paytable}" if state.terms else "not opened"
    said = [f"session {state.session} ({terms})", str(state.phase)]
    if state.phase in IN_SESSION:
        said += [f"coup {state.coup}", f"float {money(state.float_balance)}"]
    if state.terms:
        said.append(f"handle {money(state.handle)}")
    lines = [", ".join(said)]
    for number, seat in sorted(state.seats.items()):
        stakes = ", ".join(f"{money(cents)} on {spot}" for spot, cents in seat.stakes.items()) or "no stake"
        lines.append(f"  seat {number}: {seat.player}, credit {money(seat.credit)}, {stakes}")
    if state.history:
        past = ", ".join(f"{one.coup} {one.code}" for one in state.history)
        lines.append(f"  last coups: {past}")
    if state.draws:
        lines.append(f"  waits for draws: {', '.join(state.draws)}")
        lines += [f"  held up: {reason.en}" for reason in reasons(state)]
    if state.owed:
        lines.append(f"  owes the ledger postings {', '.join(map(str, state.owed))}")
    return lines
