"""Figures: how fast, and at what cost in processor time. Rates jump with what else the machine does, costs less."""

import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median

import msgspec
import redis


class Sample(msgspec.Struct, frozen=True):
    """One run of a measurement: `count` things done."""

    count: int
    seconds: float
    client_s: float
    """Processor time of this process."""
    server_s: float
    """Processor time of the server."""

    @property
    def rate(self) -> float:
        """Things per second."""
        return self.count / self.seconds

    @property
    def client_us(self) -> float:
        """Microseconds of this process's processor time per thing."""
        return self.client_s / self.count * 1e6

    @property
    def server_us(self) -> float:
        """Microseconds of the server's processor time per thing."""
        return self.server_s / self.count * 1e6


class Stopwatch:
    """Takes a sample of what happens between `start` and `stop`."""

    def __init__(self, client: redis.Redis, count: int) -> None:
        self._client, self.count = client, count
        self.sample = Sample(count, 0, 0, 0)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measure the block."""
        server, began, process = self._server_s(), time.perf_counter(), _process_s()
        yield
        client_s, seconds = _process_s() - process, time.perf_counter() - began
        self.sample = Sample(self.count, seconds, client_s, self._server_s() - server)

    def _server_s(self) -> float:
        used = self._client.info("cpu")
        return float(used["used_cpu_sys"]) + float(used["used_cpu_user"])


class Figure(msgspec.Struct, frozen=True):
    """A measurement: the median rate of its runs, how far apart they were, and the least cost."""

    rate: float
    slowest: float
    fastest: float
    client_us: float
    """The least of the runs: whatever else the machine does can only add to it."""
    server_us: float


def figure(samples: Sequence[Sample]) -> Figure:
    """Return what some runs say together."""
    rates = [sample.rate for sample in samples]
    return Figure(
        rate=median(rates),
        slowest=min(rates),
        fastest=max(rates),
        client_us=min(sample.client_us for sample in samples),
        server_us=min(sample.server_us for sample in samples),
    )


def ratio(ours: Sequence[Sample], raw: Sequence[Sample]) -> float:
    """Return the median of our rate by the raw one, of runs that were made side by side."""
    return median(mine.rate / other.rate for mine, other in zip(ours, raw, strict=True))


class Latency(msgspec.Struct, frozen=True):
    """How long something took, in milliseconds: half, 95 % and 99 % of them were not slower."""

    count: int
    p50_ms: float
    p95_ms: float
    p99_ms: float


def latency(seconds: Sequence[float]) -> Latency:
    """Return the percentiles of some durations."""
    row = sorted(seconds)

    def at(part: float) -> float:
        return row[min(len(row) - 1, int(part * len(row)))] * 1e3

    return Latency(len(row), at(0.50), at(0.95), at(0.99))


def _process_s() -> float:
    """Return the processor time of this process, all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
