from collections.abc import Iterator
from uuid import uuid4

import pytest
import redis

from tests.bench import report
from tests.bench.plan import Bench, Sizes

pytestmark = pytest.mark.redis

TINY = Sizes(
    tables=2, commands=300, draws=20, postings=20, replayed=200, accounts=500, paced_s=0.1, paces=(500,), runs=1
)


@pytest.fixture
def bench(redis_url: str) -> Iterator[Bench]:
    """The bench on the shared server, with sites of its own."""
    with redis.Redis.from_url(redis_url) as client:
        yield Bench(client, redis_url, f"bench-{uuid4().hex[:8]}", TINY)


def test_rates(bench: Bench) -> None:
    """Every rate of the bench is measured on real commands, printed as a line, and judged; how fast is not asked."""
    rates = [*bench.throughput(), *bench.replay(), *bench.other_loops()]
    assert [
        "raw read-append-advance, batches of 200",
        "raw read-append-advance, batches of 500",
        "table_orchestrator, real wheel commands",
        "raw read and decode of records",
        "replay of a table to its state",
        "rng, draws with answers",
        "rng with seeds, commit, draw and reveal",
        "wallet, postings of coups with answers",
    ] == [rate.name for rate in rates]
    assert all(report.rate_line(rate).startswith(rate.name) for rate in rates)
    assert 4 == len(report.goals(rates))


def test_delays(bench: Bench) -> None:
    """From wager to answer is measured through a separate orchestrator process, beside a call of the script."""
    ours, beside = bench.delays()
    assert "wager to answer, 500 commands a second" == ours.name
    assert 50 == beside.latency.count
    assert 0 < ours.latency.count <= 50


def test_draw_delays(bench: Bench) -> None:
    """From a table's order to the values in its inbox is measured through a separate RNG process, with seeds too."""
    plain, seeded = bench.draw_delays()
    assert ("draw to values, 500 draws a second", 50) == (plain.name, plain.latency.count)
    assert ("draw to values with seeds, 500 commands a second", 17) == (seeded.name, seeded.latency.count)


def test_posting_delays(bench: Bench) -> None:
    """From a table's posting to the word that it is booked is measured through a separate wallet process."""
    (ours,) = bench.posting_delays()
    assert ("posting to answer, 500 postings a second", 50) == (ours.name, ours.latency.count)


def test_ledgers(bench: Bench) -> None:
    """A wallet with many accounts is taken over by a process of its own, from pieces and a tail, and from deposits."""
    pieces, deposits = bench.ledgers()
    assert (500, 501) == (deposits.accounts, deposits.events)
    assert 20 < pieces.events < 500
    assert all(one.seconds > 0 for one in (pieces, deposits))
    assert report.ledger_line(pieces).startswith("brought forward")


def test_machine() -> None:
    """The report says on what the figures were made."""
    assert "valkey 9.1.2" in report.head(report.machine("valkey 9.1.2"))
