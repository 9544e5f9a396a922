"""Hours of play with processes killed at random: `python -m tests.failure.soak --kills 500` (`make soak`).

Bots play at a table of each game while any service, the owner of the pit, and the log's server are killed, paused or
stopped at random moments. Every hundred kills the running books are audited; at the end all is compared with all.
`--money` and `--arrows` are other long runs, which prove the wallet (`docs/money.md`), and so is `--primaries`, which
proves that a site with replicas goes on when the primary is lost.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from libs.runtime.audit import audit
from tests.failure.chaos import Chaos
from tests.failure.soak_money import arrows, money
from tests.failure.soak_primaries import primaries
from tests.failure.soaking import Times, prepare, say
from tests.kit.aftermath import everything_agrees
from tests.kit.casino import ONE_OF_EACH, plan_in, running
from tests.kit.redis_server import ServerProcess
from tests.kit.scene import Scene

AUDIT_EVERY = 100
"""Kills between two audits of the running casino."""

ROUNDS = (
    "kill any",
    "kill any",
    "kill any",
    "kill the owner",
    "stop the owner",
    "pause the owner",
    "restart the server",
)


class Soak:
    """One long run."""

    def __init__(self, scene: Scene, server: ServerProcess, given: argparse.Namespace) -> None:
        self._scene, self._server, self._given = scene, server, given
        self._chance = random.Random(given.seed)
        self._chaos = Chaos(scene, self._chance)
        self._killed = Times("new owner after kill -9")
        self._stopped = Times("new owner after an orderly stop")
        self._restarted = Times("next settled coup after a restart")
        self._began = time.monotonic()
        self._audits = 0

    async def run(self) -> None:
        """Kill until it is enough, then check everything; raises `AssertionError` at the first fault."""
        await self._scene.until_settled(1)
        next_audit = AUDIT_EVERY
        while self._chaos.total < self._given.kills:
            await self._round(self._chance.choice(ROUNDS))
            if self._chaos.total >= next_audit:
                next_audit += AUDIT_EVERY
                await self._audit()
        await self._end()

    async def _round(self, kind: str) -> None:
        match kind:
            case "kill the owner":
                self._chaos.kills["the owner"] += 1
                await self._take_over(signal.SIGKILL, self._killed)
            case "stop the owner":
                await self._take_over(signal.SIGTERM, self._stopped)
            case "pause the owner":
                await self._chaos.pause_owner(self._given.lease_ms / 1000 * self._chance.uniform(0.3, 1.5))
            case "restart the server":
                await self._restart_server()
            case _:
                await self._chaos.round()

    async def _take_over(self, number: signal.Signals, times: Times) -> None:
        """End the owner while the other stands by, and measure until the other owns the pit."""
        await self._scene.all_ready()
        owner = await self._scene.owner_other_than("")
        began = time.monotonic()
        self._scene.signal(owner, number)
        await self._scene.owner_other_than(owner)
        times.seconds.append(time.monotonic() - began)
        await self._scene.until_settled(1)

    async def _restart_server(self) -> None:
        await asyncio.to_thread(self._server.restart, kill=self._chance.random() < 0.7)
        began = time.monotonic()
        await self._scene.until_settled(1)
        self._restarted.seconds.append(time.monotonic() - began)

    async def _audit(self) -> None:
        report = await audit(self._scene.log)
        assert report.ok, report.faults
        self._audits += 1
        minutes = (time.monotonic() - self._began) / 60
        say(
            f"{minutes:6.1f} min  {self._chaos.total:>5} kills  {report.coups:>6} coups  {report.wagers:>7} wagers  "
            f"{report.events:>8} events  books agree"
        )

    async def _end(self) -> None:
        scene = self._scene
        await scene.all_ready()
        await scene.stop_bots()
        aftermath = await everything_agrees(scene, self._given.folder / "casino" / "journal")
        report = aftermath.report
        kills = ", ".join(f"{count} {name}" for name, count in sorted(self._chaos.kills.items()))
        say(f"\n{self._chaos.total} kills ({kills}), {self._chaos.pauses} pauses of the owner")
        say(f"{report.coups} coups, {report.wagers} wagers, {report.events} events, {report.accounts} accounts")
        for game, count in sorted(aftermath.games.items()):
            say(
                f"  {game:<12} {count.ended['settled']:>6} settled, {count.ended['void']:>4} void, "
                f"{count.wagers:>7} wagers, {count.charged:>5} of them charged, {count.held:>4} held for a later coup"
            )
        say("\nshortest / median / longest")
        for times in (self._killed, self._stopped, self._restarted):
            say(times.line())
        say(
            f"\nNothing lost, nothing doubled: {aftermath.answers} answers are in the log as they were told, "
            "every wager settled or "
            "given back once,\nall accounts sum to 0.00, seats and credit meters agree, replay equals live state."
        )


async def soak(given: argparse.Namespace) -> None:
    """Run a casino and soak it."""
    prepare()
    folder: Path = given.folder
    (folder / "server").mkdir(parents=True, exist_ok=True)
    with ServerProcess(folder / "server") as server:
        plan = plan_in(
            folder / "casino", tables=ONE_OF_EACH, redis_url=server.url, lease_ms=given.lease_ms, players=given.players
        )
        async with running(plan) as scene:
            await Soak(scene, server, given).run()


def arguments() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.failure.soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="stop after so many kills (500)")
    parser.add_argument("--arrows", type=int, default=0, help="instead: so many kills of each at every arrow of money")
    parser.add_argument("--money", type=int, default=0, help="instead: so many random commands to a wallet, in memory")
    parser.add_argument("--primaries", type=int, default=0, help="instead: so many primaries lost, found by Sentinel")
    parser.add_argument("--seed", type=int, default=None, help="seed of victims and moments; a new one if not given")
    parser.add_argument("--lease-ms", type=int, default=3_000, help="lease of owners in milliseconds (3000)")
    parser.add_argument("--players", type=int, default=5, help="bot players at each table (5)")
    parser.add_argument("--folder", type=Path, default=None, help="where data and logs are kept (a new folder)")
    return parser


def main() -> None:
    """Soak with the arguments of the command line; exits with 1 when something was lost or doubled."""
    given = arguments().parse_args()
    given.seed = given.seed if given.seed is not None else random.SystemRandom().randrange(10**9)
    if given.money:
        money(given.seed, given.money)
        return
    given.folder = given.folder or Path(tempfile.mkdtemp(prefix="tapis-soak-"))
    say(f"seed {given.seed}, lease {given.lease_ms} ms, {os.cpu_count()} processors, data and logs in {given.folder}")
    try:
        asyncio.run((arrows if given.arrows else primaries if given.primaries else soak)(given))
    except asyncio.CancelledError:
        say(f"\nstopped before the end; everything is kept in {given.folder}")
        sys.exit(1)
    except (AssertionError, TimeoutError) as fault:
        said = "\n".join([str(fault) or type(fault).__name__, *getattr(fault, "__notes__", ())])
        say(f"\nFAULT with seed {given.seed}; everything is kept in {given.folder}\n{said}")
        sys.exit(1)


if __name__ == "__main__":
    main()
