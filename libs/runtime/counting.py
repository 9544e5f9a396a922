"""Count what a shard has done, for the metrics: once per kind of outcome and event, not once per command."""

from collections import Counter
from collections.abc import Sequence

from libs.kernel.messages import Command, Event, tag_of
from libs.runtime import metrics
from libs.runtime.plan import Outcome, Plan


def count(service: str, shard: str, plans: Sequence[Plan]) -> list[tuple[str, Event]]:
    """Count plans that are in the log; return their (book, event) pairs."""
    of = metrics.labelled
    outcomes: Counter[Outcome] = Counter()
    for plan in plans:
        outcomes.update(plan.outcomes)
    for (kind, outcome, code), number in outcomes.items():
        command = "unknown" if kind is Command else tag_of(kind)
        of(metrics.commands, service, command, outcome).inc(number)
        if code:
            of(metrics.refusals, service, code).inc(number)
    of(metrics.parked, service, shard).inc(sum(len(plan.parked) for plan in plans))
    events = [event for plan in plans for event in plan.events]
    for logged, number in Counter([type(event) for _, event in events]).items():
        of(metrics.events_appended, service, tag_of(logged)).inc(number)
    return events
