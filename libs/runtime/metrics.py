"""Every metric of Tapis, defined here and listed in docs/operations.md (a test compares the two).

Labels are bounded: sites, services, shards, tables, games, message tags and refusal codes; never players or coups.
"""

from typing import Any, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

# The creation-time series of counters double their number and serve nobody here.
disable_created_metrics()  # type: ignore[no-untyped-call]

REGISTRY = CollectorRegistry()

commands = Counter(
    "tapis_commands_total", "Commands handled, by outcome", ["service", "command", "outcome"], registry=REGISTRY
)
refusals = Counter("tapis_refusals_total", "Commands refused, by code", ["service", "code"], registry=REGISTRY)
batch_commands = Histogram(
    "tapis_batch_commands",
    "Commands decided and appended together",
    ["service"],
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
    registry=REGISTRY,
)
batch_duration = Histogram(
    "tapis_batch_duration_seconds",
    "Time from reading a batch to its append",
    ["service"],
    buckets=(0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
    registry=REGISTRY,
)
events_appended = Counter(
    "tapis_events_appended_total", "Events appended to logs, by tag", ["service", "event"], registry=REGISTRY
)
append_failures = Counter(
    "tapis_append_failures_total",
    "Appends that did not happen at once, by reason",
    ["service", "reason"],
    registry=REGISTRY,
)
takeovers = Counter("tapis_takeovers_total", "Shards taken over", ["service"], registry=REGISTRY)
shard_owned = Gauge("tapis_shard_owned", "1 when this process owns the shard", ["service", "shard"], registry=REGISTRY)
inbox_lag = Gauge("tapis_inbox_lag_entries", "Commands waiting on the inbox", ["shard"], registry=REGISTRY)
parked = Counter(
    "tapis_parked_total",
    "Commands set aside because they could not be handled",
    ["service", "shard"],
    registry=REGISTRY,
)
shard_crashes = Counter(
    "tapis_shard_crashes_total",
    "Times a shard's loop crashed and restarted from the log",
    ["service"],
    registry=REGISTRY,
)
outgoing_sent = Counter(
    "tapis_outgoing_sent_total", "Commands sent to other shards", ["service", "command"], registry=REGISTRY
)
rng_healthy = Gauge(
    "tapis_rng_healthy", "1 while the generator passes its health tests", ["service"], registry=REGISTRY
)
rng_failures = Counter(
    "tapis_rng_health_failures_total",
    "Health tests of the generator that failed",
    ["service", "test"],
    registry=REGISTRY,
)
rng_seedings = Counter(
    "tapis_rng_seedings_total", "Times the generator was seeded or reseeded", ["service"], registry=REGISTRY
)
person_keys = Gauge(
    "tapis_person_keys", "Keys of persons, by the key of the file that locks them", ["lock"], registry=REGISTRY
)
session_open = Gauge(
    "tapis_session_open", "1 while a session of the table is open", ["table", "game"], registry=REGISTRY
)
coups = Counter("tapis_coups_total", "Coups ended, settled or voided", ["table", "game", "result"], registry=REGISTRY)
table_last_event = Gauge(
    "tapis_table_last_event_timestamp_seconds", "Time of the table's last event", ["table"], registry=REGISTRY
)
stakes = Counter("tapis_stakes_euros_total", "Stakes of settled coups (indicative)", ["game"], registry=REGISTRY)
credits_paid = Counter(
    "tapis_credits_euros_total",
    "Credits of settled coups, stakes handed back included (indicative)",
    ["game"],
    registry=REGISTRY,
)
postings_owed = Gauge(
    "tapis_postings_owed", "Postings of the table that the ledger has not confirmed", ["table"], registry=REGISTRY
)
draws_mistrusted = Gauge(
    "tapis_draws_mistrusted",
    "1 while a revealed seed of the table does not fit its commitment",
    ["table"],
    registry=REGISTRY,
)
seeds_lost = Counter("tapis_seeds_lost_total", "Seeds of coups that nobody can open", ["table"], registry=REGISTRY)
ledger_imbalance = Gauge("tapis_ledger_imbalance_euros", "Sum of all accounts, which must be zero", registry=REGISTRY)
pending_oldest = Gauge(
    "tapis_pending_oldest_seconds",
    "For how long the oldest buy-in, move of a float or word about a limit has been seen to wait",
    registry=REGISTRY,
)
mismatched_seats = Gauge(
    "tapis_reconciliation_mismatched_seats",
    "Seats whose credit meter and ledger balance differ at a coup boundary",
    registry=REGISTRY,
)
http_requests = Counter(
    "tapis_http_requests_total", "HTTP requests answered", ["service", "route", "status"], registry=REGISTRY
)
http_duration = Histogram(
    "tapis_http_request_duration_seconds", "Time to answer an HTTP request", ["service", "route"], registry=REGISTRY
)
sse_clients = Gauge("tapis_sse_clients", "Screens that follow a live board", registry=REGISTRY)
feed_delay = Histogram(
    "tapis_feed_delay_seconds",
    "Time from an event to its arrival at a follower",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
    registry=REGISTRY,
)
build_info = Gauge("tapis_build_info", "1, with the version as label", ["service", "version"], registry=REGISTRY)

ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)


_M = TypeVar("_M", Counter, Gauge, Histogram)
_labelled: dict[tuple[object, ...], Any] = {}


def labelled(metric: _M, *labels: str) -> _M:
    """Return a metric with its labels. The library's own look-up costs as much as a decision, so each is kept."""
    found: _M | None = _labelled.get((metric, *labels))
    if found is None:
        found = _labelled[metric, *labels] = metric.labels(*labels)
    return found


def exposition() -> bytes:
    """Return all metrics in Prometheus' text form."""
    return generate_latest(REGISTRY)
