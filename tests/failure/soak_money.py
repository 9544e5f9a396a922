"""Long runs that prove the wallet: random commands in memory (`--money`), kills at each arrow (`--arrows`)."""

import argparse
import logging
import random
import sys
import time
from pathlib import Path

import structlog

from libs.runtime.memory import spare_the_collector
from tests.failure.soaking import Times, prepare, say
from tests.kit.aftermath import books_agree
from tests.kit.arrows import ARROWS, VICTIMS, besieged
from tests.kit.ordeal.outcome import plan_of
from tests.kit.ordeal.run import undergo
from tests.kit.redis_server import ServerProcess


def money(seed: int, commands: int) -> None:
    """Put a wallet through an ordeal, in time that does not wait; exits with 1 at the first fault."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    spare_the_collector()  # as the services do
    say(f"seed {seed}")
    began = time.monotonic()
    try:
        outcome = undergo(plan_of(seed, commands))
    except AssertionError as fault:
        say(f"FAULT with seed {seed}\n{fault}")
        sys.exit(1)
    say("\n".join(outcome.lines()))
    say(f"took {time.monotonic() - began:.0f} s")
    if outcome.missing():
        say(f"NOT MET, so nothing is proven: {', '.join(outcome.missing())}")
        sys.exit(1)


async def arrows(given: argparse.Namespace) -> None:
    """Kill each victim so often at every arrow of a buy-in and of a cash-out, at its two ends in turns.

    Raises at the first fault.
    """
    prepare()
    chance, folder = random.Random(given.seed), Path(given.folder)
    (folder / "server").mkdir(parents=True, exist_ok=True)
    times = {victim: Times(f"all at rest after kill -9 of {victim}") for victim in VICTIMS}
    with ServerProcess(folder / "server") as server:
        async with besieged(folder / "casino", server, given.lease_ms) as siege:
            for number in range(1, given.arrows + 1):
                cases = [(ends[number % len(ends)], victim) for ends in ARROWS.values() for victim in VICTIMS]
                for point, victim in chance.sample(cases, len(cases)):
                    began = time.monotonic()
                    await siege.kill_at(point, victim)
                    times[victim].seconds.append(time.monotonic() - began)
                report = await books_agree(siege.scene)
                say(f"round {number}: {siege.kills.total()} kills, {report.events} events, books agree")
            say("\nkills at each arrow: " + ", ".join(VICTIMS))
            for arrow in ARROWS:
                say(f"  {arrow:<34} " + "  ".join(f"{siege.kills[arrow, victim]:>4}" for victim in VICTIMS))
            say("\nshortest / median / longest")
            for taken in times.values():
                say(taken.line())
            say(f"\nNothing lost, nothing doubled, nothing stuck: {siege.answers} answers, each wish done once.")
