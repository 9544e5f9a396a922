"""Let the audit decide a table of a test again; and find records for a golden log, which has facts alone."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.decider import Accepted, Context
from libs.kernel.envelope import EventRecord
from libs.kernel.limits import DEVICE_REPORT_MS, MANUAL_ENTRY_MS, MAX_EVENTS_PER_DECISION, SPIN_REPORT_MS
from libs.kernel.messages import Event
from libs.runtime.audit.decisions import DecisionAudit
from libs.runtime.audit.differences import Told, first_difference
from libs.runtime.audit.report import Faults, Redecided
from libs.runtime.kinds import PIT
from libs.table.behind import command_behind
from libs.table.decide import decide
from libs.table.evolve import evolve
from libs.table.interruption_messages import StakesReleased
from libs.table.messages import CoupSettled, CoupVoided
from libs.table.react import deadline
from libs.table.state import TableState, initial
from tests.kit.given import ALL_ROLES, START_MS, TECHNICIAN

FACTS_THAT_TELL = 3
"""A command is known by the first facts of its decision; so many are enough."""
NAMES = ("by", "actor", "device", "opened_by", "player")
"""Fields that say who spoke."""


class Again:
    """The audit's second look at one table, as far as its log is known."""

    def __init__(self, *, from_the_first: bool = True) -> None:
        """Unless `from_the_first`, there are sessions before the one that is looked at."""
        self.counts = Redecided()
        self._faults, self._seen = Faults(), list[Event]()
        self._audit = DecisionAudit("pit-1", "T1", self._faults, self.counts)
        if not from_the_first:
            self._audit.lose()

    def hear(self, told: Sequence[Told]) -> None:
        """Decide again what is new in a log, all of which is told."""
        for record, fact in told[len(self._seen) :]:
            self._audit.see(record, fact)
            self._seen.append(fact)
        self._audit.end(whole=True)

    @property
    def faults(self) -> list[str]:
        """What does not follow from what was said before it, or that some end of a coup was not looked at."""
        found = [f"{fault.stream} {fault.version}: {fault.what}" for fault in self._faults.found]
        ends = [sum(type(fact) is kind for fact in self._seen) for kind in (CoupSettled, StakesReleased, CoupVoided)]
        looked_at = [self.counts.settlements, self.counts.releases, self.counts.voids]
        return found if found or ends == looked_at else [f"of {ends} ends of coups {looked_at} were looked at"]


# -- golden logs --------------------------------------------------------------------------------------------------
def records_of(lines: Sequence[bytes]) -> Iterator[Told]:
    """Yield the facts of a golden log with records that they may have had.

    A golden log says neither who spoke nor when. Whoever is named in the facts, or sits at the table, may have spoken;
    the times in the facts are so much later than the decision as the terms say. Fails where nobody can have said at any
    time what the log has: then the rules have changed, and their version should have.
    """
    records = [
        EventRecord("T1/1", version, START_MS, TECHNICIAN, "1", msgspec.Raw(line))
        for version, line in enumerate(lines, start=1)
    ]
    told = [(record, PIT.codec.decode_event(record.body)) for record in records]
    state, done, many = initial("T1"), 0, 1
    now_ms, actor = START_MS, TECHNICIAN
    while done < len(told):
        if done:
            now_ms, actor, many = _said(state, told[done : done + MAX_EVENTS_PER_DECISION], now_ms)
        cause = f"tick:{done}" if actor == SYSTEM else f"said:{done}"
        for record, fact in told[done : done + many]:
            yield replace(record, at_ms=now_ms, actor=actor, cause=cause), fact
            state = evolve(state, fact)
        done += many


def _said(state: TableState, rest: Sequence[Told], now_ms: int) -> tuple[int, Actor, int]:
    """Return moment and speaker of the next decision, and how many facts it has."""
    facts = [fact for _, fact in rest]
    first = [msgspec.to_builtins(fact) for fact in facts[:FACTS_THAT_TELL]]
    for at_ms in _moments(state, first, now_ms):
        for actor in _speakers(state, first):
            context = Context(at_ms, actor, "c", "T1", shard="pit-1")
            for many in range(1, FACTS_THAT_TELL + 1):
                command = command_behind(state, facts[:many], actor)
                decision = decide(state, command, context) if command else None
                said = decision.events if isinstance(decision, Accepted) else ()
                if said and first_difference(rest[: len(said)], said, "") is None:
                    return at_ms, actor, len(said)
    raise AssertionError(f"by the rules of today nobody can have led to {first[0]} at any time")


def _moments(state: TableState, first: Sequence[dict[str, Any]], now_ms: int) -> list[int]:
    """Return when it may have been decided, the likeliest first."""
    limits = [0, DEVICE_REPORT_MS, MANUAL_ENTRY_MS, SPIN_REPORT_MS]
    if state.terms is not None:
        limits += [state.terms.betting_ms, state.terms.decision_ms]
    times = {value for fact in first for value in fact.values() if isinstance(value, int) and value >= START_MS}
    late = [due_ms for due_ms in (deadline(state),) if due_ms is not None and due_ms > now_ms]
    return [now_ms, *late, *sorted({time - limit for time in times for limit in limits if time - limit > now_ms})]


def _speakers(state: TableState, first: Sequence[dict[str, Any]]) -> list[Actor]:
    """Return who may have spoken, our own process first."""
    named = [fact[name] for fact in first for name in NAMES if isinstance(fact.get(name), str)]
    seated = [state.seats[fact["seat"]].player for fact in first if fact.get("seat") in state.seats]
    people = [Actor(name, role) for name in dict.fromkeys([*seated, *named, "somebody"]) for role in ALL_ROLES]
    return [SYSTEM, *(who for who in people if who.role != "service")]
