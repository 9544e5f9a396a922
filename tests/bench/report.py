"""The table that `make bench` prints, and its goals."""

import os
import platform
import time
from collections.abc import Sequence

import msgspec

from tests.bench.ledgers import Ledger
from tests.bench.plan import Delay, Rate

ORCHESTRATOR_OF_RAW = 0.40
"""Least part of the raw batched read-append-advance rate that one orchestrator reaches on real wheel commands."""

ORCHESTRATOR_CLIENT_US = 30.0
"""Most processor time of an orchestrator per command, in microseconds."""

RNG_DRAWS_PER_SECOND = 20_000
"""Least number of draws that the RNG makes and answers in a second when there are always more to make."""

REPLAY_OF_RAW = 0.50
"""Least part of redis-py's read-and-decode rate that a replay to the state reaches."""

COLUMNS = (12, 10, 12, 18, 22)


class Machine(msgspec.Struct, frozen=True):
    """Where and when the figures were made."""

    cores: int
    python: str
    engine: str
    load: float
    """Load average of the last minute, before the bench."""
    step_ns: float
    """What one step of a fixed Python loop cost, in ns of processor time: how slow the machine is just now."""


class Goal(msgspec.Struct, frozen=True):
    """Something to reach, and whether it was."""

    sentence: str
    reached: bool


class Report(msgspec.Struct, frozen=True):
    """All of a run."""

    machine: Machine
    rates: dict[str, list[Rate]]
    """By the server's `appendfsync`."""
    delays: list[Delay]
    ledgers: list[Ledger]
    goals: list[Goal]


def machine(engine: str) -> Machine:
    """Describe this machine at this moment."""
    return Machine(os.cpu_count() or 1, platform.python_version(), engine, os.getloadavg()[0], _step_ns())


def goals(rates: Sequence[Rate]) -> list[Goal]:
    """Return what was to be reached."""
    named = {rate.name.partition(",")[0]: rate for rate in rates}
    orchestrator, replay = named["table_orchestrator"], named["replay of a table to its state"]
    assert orchestrator.ratio is not None, "the orchestrator is measured beside the raw limit"
    assert replay.ratio is not None, "the replay is measured beside the raw limit"
    cost, draws = orchestrator.figure.client_us, named["rng"].figure.rate
    return [
        Goal(
            f"orchestrator: {orchestrator.ratio:.0%} of the raw rate, at least {ORCHESTRATOR_OF_RAW:.0%}",
            orchestrator.ratio >= ORCHESTRATOR_OF_RAW,
        ),
        Goal(
            f"orchestrator: {cost:.1f} us of client processor time per command, at most {ORCHESTRATOR_CLIENT_US:.0f}",
            cost <= ORCHESTRATOR_CLIENT_US,
        ),
        Goal(
            f"replay: {replay.ratio:.0%} of redis-py's read-and-decode, at least {REPLAY_OF_RAW:.0%}",
            replay.ratio >= REPLAY_OF_RAW,
        ),
        Goal(
            f"rng: {_thousands(draws)} draws a second, at least {_thousands(RNG_DRAWS_PER_SECOND)}",
            draws >= RNG_DRAWS_PER_SECOND,
        ),
    ]


def head(where: Machine) -> str:
    """Return the first line."""
    return (
        f"{where.cores} cores, Python {where.python}, {where.engine}, load {where.load:.1f}, "
        f"one step of a reference loop {where.step_ns:.0f} ns"
    )


def rates_head(durability: str, runs: int) -> str:
    """Return the heading of a block of rates."""
    title = f"appendfsync {durability}, {runs} runs"
    return "\n" + _row(title, "per second", "of raw", "client us", "server us", "slowest to fastest")


def rate_line(rate: Rate) -> str:
    """Return one line of a block of rates."""
    seen = rate.figure
    part = "" if rate.ratio is None else f"{rate.ratio:.2f}"
    span = f"{_thousands(seen.slowest)} to {_thousands(seen.fastest)}"
    return _row(rate.name, _thousands(seen.rate), part, f"{seen.client_us:.1f}", f"{seen.server_us:.1f}", span)


def delays_head() -> str:
    """Return the heading of the delays."""
    return "\n" + _row("milliseconds, appendfsync always", "p50", "p95", "p99", "measured")


def delay_line(delay: Delay) -> str:
    """Return one line of the delays."""
    took = delay.latency
    return _row(delay.name, f"{took.p50_ms:.2f}", f"{took.p95_ms:.2f}", f"{took.p99_ms:.2f}", f"{took.count}")


def ledgers_head() -> str:
    """Return the heading of the ledgers."""
    return "\n" + _row("a wallet takes over", "seconds", "events", "accounts", "bytes an account")


def ledger_line(one: Ledger) -> str:
    """Return one line of the ledgers."""
    events, accounts = _thousands(one.events), _thousands(one.accounts)
    return _row(one.name, f"{one.seconds:.2f}", events, accounts, f"{one.bytes_per_account:.0f}")


def goal_line(goal: Goal) -> str:
    """Return one goal and its fate."""
    return f"{'reached' if goal.reached else 'MISSED ':<9}{goal.sentence}"


def _row(name: str, *cells: str) -> str:
    return f"{name:<50}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, COLUMNS, strict=False))


def _thousands(number: float) -> str:
    return f"{number:,.0f}".replace(",", " ")


def _step_ns(steps: int = 100_000) -> float:
    """Return the least of some runs of a loop that has nothing to do with Tapis."""
    best = float("inf")
    for _ in range(5):
        began, kept, total = time.process_time(), dict[int, tuple[int, int]](), 0
        for step in range(steps):
            kept[step & 1023] = (step, total)
            total += len(kept.get(step & 511, ()))
        best = min(best, time.process_time() - began)
    return best / steps * 1e9
