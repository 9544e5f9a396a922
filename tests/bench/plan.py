"""What is measured, in which order: ours beside the raw limit, in turns, so that the machine's moods meet both."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count

import msgspec
import redis

from libs.eventlog.api import Batch
from tests.bench import ledgers, loop, pace, raw, workload
from tests.bench.ledgers import Ledger
from tests.bench.loop import Station
from tests.bench.measure import Figure, Latency, Sample, figure, latency, ratio

RAW_BATCHES = (200, 500)
LIMIT = "raw read-append-advance, batches of 500"
READ_LIMIT = "raw read and decode of records"


class Sizes(msgspec.Struct, frozen=True):
    """How much is measured."""

    tables: int = 20
    commands: int = 60_000
    draws: int = 20_000
    postings: int = 10_000
    replayed: int = 110_000
    """Commands to the one table that is replayed; each leads to about one event."""
    accounts: int = 1_000_000
    """Accounts of the ledgers that are taken over."""
    paced_s: float = 5.0
    paces: tuple[int, ...] = (500, 1000)
    """Commands per second of the latency runs."""
    runs: int = 3


QUICK = Sizes(commands=15_000, draws=5_000, postings=3_000, replayed=30_000, accounts=100_000, paced_s=2.0)


class Rate(msgspec.Struct, frozen=True, tag="rate"):
    """A line of the table: how many per second, at which cost, and as a part of the limit measured beside it."""

    name: str
    unit: str
    figure: Figure
    limit: str = ""
    ratio: float | None = None


class Delay(msgspec.Struct, frozen=True, tag="delay"):
    """A line of the table: how long one takes."""

    name: str
    latency: Latency


class Bench:
    """All measurements on one server."""

    def __init__(self, client: redis.Redis, url: str, site: str, sizes: Sizes) -> None:
        self._client, self._url, self._site, self._sizes = client, url, site, sizes
        self._sites = count(1)
        self._commands = workload.pit_commands(sizes.tables, sizes.commands)
        self._pit = loop.table_orchestrator(sizes.tables)

    def throughput(self) -> Iterator[Rate]:
        """Measure the raw limit and the orchestrator on the same commands."""
        commands, pit = self._commands, self._pit
        batches = {size: raw.prepare(pit.kind, pit.shard, pit.known, commands, size) for size in RAW_BATCHES}
        samples = self._turns(
            {
                **{
                    f"raw read-append-advance, batches of {size}": self._raw(commands, batches[size], size)
                    for size in RAW_BATCHES
                },
                "table_orchestrator, real wheel commands": self._ours(pit, commands),
            }
        )
        yield from _rates(samples, "commands", LIMIT)

    def other_loops(self) -> Iterator[Rate]:
        """Measure the loops of the RNG and of the wallet."""
        tables, sizes = self._sizes.tables, self._sizes
        draws = workload.draw_commands(tables, sizes.draws)
        yield from _rates(self._turns({"rng, draws with answers": self._ours(loop.rng(), draws)}), "draws")
        seeds = workload.seed_commands(tables, sizes.draws)
        yield from _rates(
            self._turns({"rng with seeds, commit, draw and reveal": self._ours(loop.rng(), seeds)}), "commands"
        )
        yield from self.wallet()

    def wallet(self) -> Iterator[Rate]:
        """Measure the loop of the wallet."""
        postings = workload.posting_commands(self._sizes.tables, self._sizes.postings)
        yield from _rates(
            self._turns({"wallet, postings of coups with answers": self._ours(loop.wallet(), postings)}), "postings"
        )

    def replay(self) -> Iterator[Rate]:
        """Measure how fast a table is loaded from a long log, beside redis-py that only reads and decodes it."""
        table, pit, site = workload.table_names(1)[0], loop.table_orchestrator(1), self._new_site()
        commands = workload.pit_commands(1, self._sizes.replayed)
        batches = raw.prepare(pit.kind, pit.shard, pit.known, commands, 500)
        loop.fill_log(self._url, site, pit.shard, batches)
        events = batches[-1].appends[-1].after.version
        stream = batches[-1].appends[-1].stream
        samples = _in_turns(
            self._sizes.runs,
            {
                READ_LIMIT: lambda: raw.read_and_decode(self._client, site, pit.shard, stream, events),
                "replay of a table to its state": lambda: loop.replay(self._client, self._url, site, table, events),
            },
        )
        raw.forget(self._client, site)
        yield from _rates(samples, "events", READ_LIMIT)

    def delays(self) -> Iterator[Delay]:
        """Measure from wager to answer at fixed paces, and one call of the script beside it."""
        tables, opening = self._sizes.tables, workload.opening_length(self._sizes.tables)
        pit = self._pit
        for pace_ in self._sizes.paces:
            number = min(int(pace_ * self._sizes.paced_s), len(self._commands) - opening)
            first, then = self._commands[:opening], self._commands[opening : opening + number]
            site = self._new_site()
            took = pace.wagers_to_answers(self._url, site, tables, first, then, pace_)
            raw.forget(self._client, site)
            yield Delay(f"wager to answer, {pace_} commands a second", latency(took))
            batches = raw.prepare(pit.kind, pit.shard, pit.known, first + then, 1)
            site = self._new_site()
            took = raw.round_trips(self._client, site, pit.shard, batches, opening, pace_)
            raw.forget(self._client, site)
            yield Delay(f"raw script round trip, {pace_} a second", latency(took))

    def draw_delays(self) -> Iterator[Delay]:
        """Measure from a table's order for a draw to the values in its inbox, at the highest of the paces.

        Then the same between the commitments and the seeds of coups, which are two thirds of what the RNG is asked.
        """
        sizes, pace_ = self._sizes, max(self._sizes.paces)
        number = int(pace_ * sizes.paced_s) + 1
        asked = {
            f"draw to values, {pace_} draws a second": workload.draw_commands(sizes.tables, number),
            f"draw to values with seeds, {pace_} commands a second": workload.seed_commands(sizes.tables, number),
        }
        for name, commands in asked.items():
            site = self._new_site()
            took = pace.draws_to_answers(self._url, site, commands, pace_)
            raw.forget(self._client, site)
            yield Delay(name, latency(took))

    def posting_delays(self) -> Iterator[Delay]:
        """Measure from a table's posting to the word in its inbox that it is booked, at the highest of the paces."""
        sizes, site = self._sizes, self._new_site()
        pace_ = max(sizes.paces)
        postings = workload.posting_commands(sizes.tables, int(pace_ * sizes.paced_s) + sizes.tables)
        took = pace.postings_to_answers(self._url, site, sizes.tables, postings, pace_)
        raw.forget(self._client, site)
        yield Delay(f"posting to answer, {pace_} postings a second", latency(took))

    def ledgers(self) -> Iterator[Ledger]:
        """Measure what accounts cost, and how long a wallet takes to take them over."""
        accounts = self._sizes.accounts
        postings = workload.posting_commands(self._sizes.tables, self._sizes.postings)
        site = self._new_site()
        yield ledgers.brought_forward(self._url, site, accounts, postings)
        raw.forget(self._client, site)
        site = self._new_site()
        yield ledgers.deposited(self._url, site, accounts)
        raw.forget(self._client, site)

    def _raw(self, commands: Sequence[bytes], batches: Sequence[Batch], size: int) -> Callable[[], Sample]:
        def run() -> Sample:
            site = self._new_site()
            sample = raw.read_append_advance(self._client, site, self._pit.shard, commands, batches, size)
            raw.forget(self._client, site)
            return sample

        return run

    def _ours(self, station: Station, commands: Sequence[bytes]) -> Callable[[], Sample]:
        def run() -> Sample:
            site = self._new_site()
            sample = loop.run(self._client, self._url, site, station, commands)
            raw.forget(self._client, site)
            return sample

        return run

    def _turns(self, runs: dict[str, Callable[[], Sample]]) -> dict[str, list[Sample]]:
        return _in_turns(self._sizes.runs, runs)

    def _new_site(self) -> str:
        return f"{self._site}-{next(self._sites)}"


def _in_turns(times: int, runs: dict[str, Callable[[], Sample]]) -> dict[str, list[Sample]]:
    samples: dict[str, list[Sample]] = {name: [] for name in runs}
    for _ in range(times):
        for name, run in runs.items():
            samples[name].append(run())
    return samples


def _rates(samples: dict[str, list[Sample]], unit: str, limit: str = "") -> Iterator[Rate]:
    for name, runs in samples.items():
        beside = samples.get(limit)
        yield Rate(name, unit, figure(runs), limit, ratio(runs, beside) if beside else None)
