"""`make run`: it says where its pages are, stops in order, and says why when it cannot run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from libs.runtime.local.casino import Casino, LocalPlan
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]

ROOT = Path(__file__).parents[2]


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


async def test_a_killed_embedded_server_comes_back(tmp_path: Path) -> None:
    """When the embedded server dies, it is started again on its data, and all services become ready by themselves."""
    said: list[str] = []
    plan = LocalPlan(folder=tmp_path / "t", floor=ROOT / "floor.toml", bots=False)
    async with Casino(plan, said.append) as casino, httpx.AsyncClient(trust_env=False) as client:
        assert casino.server is not None
        killed = casino.server.pid
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        await until(lambda: casino.server is not None and casino.server.pid not in {None, killed})

        async def all_ready() -> bool:
            answers = [await client.get(casino.ready_url(name)) for name in casino.children]
            return all(answer.status_code == httpx.codes.OK for answer in answers)

        await until(all_ready)
    assert any("the server has ended" in sentence for sentence in said)
