"""Count what a shard has done, for the metrics: once per kind of outcome and event, not once per command."""

from collections import Counter
from collections.abc import Sequence

from libs.kernel.messages import Event, tag_of
from libs.runtime import metrics
from libs.runtime.deciding import Plan


def count(service: str, shard: str, plans: Sequence[Plan]) -> list[tuple[str, Event]]:
    """Count plans that are in the log; return their (book, event) pairs."""
    of = metrics.labelled
    for outcome, number in Counter([outcome for plan in plans for outcome in plan.outcomes]).items():
        of(metrics.commands, service, outcome.command, outcome.outcome).inc(number)
        if outcome.code:
            of(metrics.refusals, service, outcome.code).inc(number)
    of(metrics.parked, service, shard).inc(sum(len(plan.parked) for plan in plans))
    events = [event for plan in plans for event in plan.events]
    for kind, number in Counter([type(event) for _, event in events]).items():
        of(metrics.events_appended, service, tag_of(kind)).inc(number)
    return events
