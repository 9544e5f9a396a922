"""`make bench`: what one orchestrator, one replay and one server reach on this machine, and how near that is to Redis.

    python -m tests.bench [--quick] [--json FILE]

Everything runs on a server of its own in a temporary folder, configured as in a casino. Raw rates and ours are taken in
turns within one run: compare the ratios and the microseconds of processor time; rates alone move with the machine. A
machine that is busy with other things gives the bench its processors with `chrt -r 10` in front.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import TypeVar

import msgspec
import redis

from libs.runtime.local.embedded import EmbeddedServer
from libs.runtime.local.engines import find_server
from libs.runtime.memory import spare_the_collector
from tests.bench import report
from tests.bench.plan import QUICK, Bench, Delay, Rate, Sizes

T = TypeVar("T")


def main() -> None:
    """Measure, print, and write the file that was asked for."""
    parser = argparse.ArgumentParser(prog="make bench", description="Measures Tapis beside the limit of raw Redis.")
    parser.add_argument("--quick", action="store_true", help="less of everything, within a minute")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures to FILE")
    options = parser.parse_args()
    # As the services do at their start.
    spare_the_collector()
    found = run(QUICK if options.quick else Sizes())
    if options.json:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


def run(sizes: Sizes) -> report.Report:
    """Measure everything and print each line when it is known."""
    where = report.machine(find_server().name)
    _say(report.head(where))
    rates: dict[str, list[Rate]] = {}
    with tempfile.TemporaryDirectory(prefix="tapis-") as folder:
        with EmbeddedServer(Path(folder) / "always", "durable") as server, _client(server) as client:
            bench = Bench(client, server.url, "bench", sizes)
            _say(report.rates_head("always", sizes.runs))
            rates["always"] = [
                rate
                for part in (bench.throughput, bench.replay, bench.other_loops)
                for rate in _tell(part(), report.rate_line)
            ]
            _say(report.delays_head())
            paced = chain(bench.delays(), bench.draw_delays(), bench.posting_delays())
            delays: list[Delay] = _tell(paced, report.delay_line)
        with EmbeddedServer(Path(folder) / "everysec", "relaxed") as server, _client(server) as client:
            _say(report.rates_head("everysec", sizes.runs))
            bench = Bench(client, server.url, "bench", sizes)
            rates["everysec"] = _tell(chain(bench.throughput(), bench.wallet()), report.rate_line)
            _say(report.ledgers_head())
            ledgers = _tell(bench.ledgers(), report.ledger_line)
    goals = report.goals(rates["always"])
    _say("")
    _tell(goals, report.goal_line)
    return report.Report(where, rates, delays, ledgers, goals)


def _client(server: EmbeddedServer) -> redis.Redis:
    client: redis.Redis = redis.Redis.from_url(server.url)
    # A rewrite of the log in the background would meet one measurement and not the other.
    client.config_set("auto-aof-rewrite-percentage", 0)
    return client


def _tell(lines: Iterable[T], line: Callable[[T], str]) -> list[T]:
    """Print each as soon as it is there; return all."""
    told = []
    for one in lines:
        _say(line(one))
        told.append(one)
    return told


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
