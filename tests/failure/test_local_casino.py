"""`make run`: a casino of processes that plays, survives kills, stops in order, and goes on where it stopped."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from libs.eventlog.redis_log import RedisLog
from libs.runtime.audit import AuditReport, audit
from libs.runtime.local.casino import Casino, LocalPlan
from libs.runtime.local.embedded import EmbeddedServer
from libs.runtime.local.inspection import Inspector
from libs.runtime.local.status import Status
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]

ROOT = Path(__file__).parents[2]


def plan_in(folder: Path, *, bots: bool = True) -> LocalPlan:
    return LocalPlan(folder=folder, floor=ROOT / "floor.toml", players=3, fast=True, lease_ms=1_000, bots=bots)


async def until_coups(status: Status, more: int) -> None:
    """Wait until so many more coups are settled."""
    wanted = status.tally.settled + more
    await until(lambda: status.tally.settled >= wanted)


@contextlib.asynccontextmanager
async def watched(casino: Casino) -> AsyncIterator[Status]:
    """Follow a casino that runs."""
    status = Status(casino)
    await status.start()
    try:
        yield status
    finally:
        await status.stop()


async def owner_of(casino: Casino, shard: str) -> str:
    """Return the name of the child that owns a shard; empty while nobody alive does."""
    inspector = Inspector(casino.redis_url, casino.floor.site.name)
    try:
        instance = await inspector.owner(shard)
    finally:
        await inspector.close()
    return next((name for name, child in casino.children.items() if child.pid and child.instance == instance), "")


async def audited(folder: Path) -> AuditReport:
    """Audit the logs of a casino that is stopped."""
    with EmbeddedServer(folder / "redis") as server:
        log = RedisLog(server.url, "site-a")
        report = await audit(log)
        await log.close()
    return report


async def test_a_casino_survives_kills_and_a_restart(tmp_path: Path) -> None:
    """Bots play; the pit's owner is killed and the other goes on; after a restart play continues; all books agree."""
    said: list[str] = []
    async with Casino(plan_in(tmp_path), said.append) as casino, watched(casino) as status:
        await until_coups(status, 3)
        first = await owner_of(casino, "pit-1")
        pid = casino.children[first].pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        await until_coups(status, 3)
        assert first != await owner_of(casino, "pit-1"), "the other replica goes on with the tables"
        assert any(f"{first} (process {pid}) was ended by SIGKILL" in sentence for sentence in said)
        assert "all accounts sum to 0.00 EUR" in await status.line()
        assert status.tally.wagers > 0
        assert status.tally.refused > 0
    before = await audited(tmp_path)
    assert () == before.faults
    async with Casino(plan_in(tmp_path), said.append) as casino, watched(casino) as status:
        await until_coups(status, 1)
    after = await audited(tmp_path)
    assert () == after.faults
    assert after.events > before.events
    assert after.coups > before.coups >= 6


def test_ctrl_c_stops_everything_and_pages_are_named(tmp_path: Path) -> None:
    """`python -m libs.runtime.local` says where its pages are; Ctrl-C ends it with code 0, and no process is left."""
    command = [sys.executable, "-m", "libs.runtime.local", "--folder", str(tmp_path / "t"), "--no-bots"]
    environ = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environ) as running:
        assert running.stdout is not None
        lines: list[str] = []
        while not lines or "Ctrl-C" not in lines[-1]:
            line = running.stdout.readline()
            assert line, lines
            lines.append(line)
        text = "".join(lines)
        assert "/tables/roue-1" in text
        assert "/tables/roue-2" in text
        second = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environ)
        assert (5, True) == (second.returncode, "in use by another run" in second.stdout)
        running.send_signal(signal.SIGINT)
        rest, _ = running.communicate(timeout=60)
    assert 0 == running.returncode
    assert "Stopped." in rest
    left = subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, text=True, check=False)
    assert "" == left.stdout


def test_what_cannot_run_is_said_with_a_code(tmp_path: Path) -> None:
    """A floor file that is not there ends with 2; a server that keeps nothing ends with 5; each with a sentence."""
    base = [sys.executable, "-m", "libs.runtime.local", "--folder", str(tmp_path / "t")]
    environ = {**os.environ, "REDIS_URL": "redis://127.0.0.1:1/0"}
    no_floor = subprocess.run([*base, "--floor", "none.toml"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (2, True) == (no_floor.returncode, "cannot be read" in no_floor.stdout)
    no_server = subprocess.run(base, capture_output=True, text=True, check=False, cwd=ROOT, env=environ)
    assert (5, "") == (no_server.returncode, no_server.stderr), no_server.stdout
