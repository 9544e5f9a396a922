"""Child processes are kept running, end when they must, and never outlive their parent."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest

from libs.runtime.local import children
from libs.runtime.local.children import Child, ChildPlan
from libs.runtime.local.sockets import HeldSockets
from tests.kit.waiting import until

pytestmark = pytest.mark.failure

ROOT = Path(__file__).parents[2]


class Said(list[str]):
    """Collects what a supervisor would say."""

    def __call__(self, sentence: str) -> None:
        """Hear a sentence."""
        self.append(sentence)


@pytest.fixture
def said() -> Said:
    return Said()


@pytest.fixture
async def patient(tmp_path: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[..., Child]]:
    """Return a function that makes a child which waits; all are stopped at the end."""
    monkeypatch.setattr(children, "FIRST_PAUSE_S", 0.01)
    made: list[Child] = []

    def make(**environ: str) -> Child:
        plan = ChildPlan("patient", "tests.kit.patient", {"PYTHONPATH": str(ROOT), **environ})
        made.append(Child(plan, tmp_path, said))
        return made[-1]

    yield make
    for child in made:
        await child.stop()


def waiting(child: Child) -> int:
    """Return how many runs of a child have begun to wait, as its log tells."""
    return child.log_file.read_text().count("waiting")


async def test_a_killed_child_starts_again_under_another_name(patient: Callable[..., Child], said: Said) -> None:
    """A child that was killed is announced and started again, and the new run bears a new name."""
    child = patient()
    await child.start()
    first, name = child.pid, child.instance
    assert first is not None
    await until(lambda: waiting(child) == 1)
    os.kill(first, signal.SIGKILL)
    await until(lambda: waiting(child) == 2)
    assert child.pid != first
    assert name < child.instance, "later runs sort behind first ones"
    assert [f"patient (process {first}) was ended by SIGKILL; it starts again in 0.01 s"] == said


async def test_later_runs_sort_behind_earlier_ones(patient: Callable[..., Child]) -> None:
    """Whoever was started last bears the last name, however often each was killed."""
    often, once = patient(), patient()
    names = []
    for child in (often, once, often, often, *([often] * 10), once, often):
        if child.pid is None:
            await child.start()
        else:
            await child.kill()
            await child.start()
        names.append(child.instance)
    assert sorted(names) == names


async def test_a_child_that_cannot_run_is_told_with_its_last_words(
    patient: Callable[..., Child], said: Said, tmp_path: Path
) -> None:
    """A child that ends by itself is announced with the end of its log."""
    child = Child(ChildPlan("missing", "tests.kit.no_such_module", {"PYTHONPATH": str(ROOT)}), tmp_path, said)
    await child.start()
    await until(lambda: any("No module named" in sentence for sentence in said))
    await child.stop()


async def test_a_stopped_child_stays_stopped(patient: Callable[..., Child], said: Said) -> None:
    """Stopping is no death: nothing is said and nothing starts again."""
    child = patient()
    await child.start()
    await until(lambda: waiting(child) == 1)
    await child.stop()
    assert child.pid is None
    assert [] == said


async def test_a_child_is_asked_to_stop_once(patient: Callable[..., Child]) -> None:
    """Whoever has been asked and is tidying up is not asked again: a second signal would seem a crash."""
    child = patient(PATIENT="slow")
    await child.start()
    await until(lambda: waiting(child) == 1)
    child.ask_to_stop()
    await until(lambda: "ending" in child.log_file.read_text())
    assert 0 == await child.stop()


async def test_a_stubborn_child_is_ended(
    patient: Callable[..., Child], said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child that does not stop when told is ended after the grace, and that is said."""
    monkeypatch.setattr(children, "GRACE_S", 0.2)
    child = patient(PATIENT="stubborn")
    await child.start()
    await until(lambda: waiting(child) == 1)
    await child.stop()
    assert child.pid is None
    assert "did not stop within" in said[0]


async def test_a_port_is_held_while_its_process_is_away(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between a kill and the next start nobody else can take the port, and who calls then is answered afterwards."""
    monkeypatch.setattr(children, "FIRST_PAUSE_S", 0.01)
    sockets = HeldSockets()
    sockets.hold("answering", 8_100)
    (descriptor,) = sockets.descriptors("answering")
    environ = {"PYTHONPATH": str(ROOT), "REDIS_URL": "redis://h", "TAPIS_HTTP_FD": str(descriptor)}
    child = Child(ChildPlan("answering", "tests.kit.answering", environ, (descriptor,)), tmp_path, said)
    url = sockets.url("answering")
    async with httpx.AsyncClient(timeout=60, trust_env=False) as client:
        await child.start()
        first = (await client.get(f"{url}/readyz")).text
        await child.kill()
        with pytest.raises(OSError, match="in use"):
            socket.create_server(("127.0.0.1", int(url.rpartition(":")[2])))
        calling = asyncio.create_task(client.get(f"{url}/readyz"))
        await child.start()
        second = (await calling).text
        assert str(child.pid) == second != first
    assert 0 == await child.stop()
    sockets.close()


def test_a_tethered_process_ends_with_its_parent() -> None:
    """When the parent is gone, however it ended, its child stops too."""
    parent = (
        "import subprocess, sys; "
        "p = subprocess.Popen([sys.executable, '-m', 'libs.runtime.local.tether', 'tests.kit.patient'],"
        " stdin=subprocess.PIPE, stdout=sys.stdout); "
        "sys.stdin.read()"
    )
    running = subprocess.Popen([sys.executable, "-c", parent], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    assert running.stdin is not None
    assert running.stdout is not None
    assert b"waiting\n" == running.stdout.readline()
    running.kill()
    running.wait()
    # The child holds the other end of this pipe: reading ends when the child has.
    assert b"" == running.stdout.read()
    running.stdin.close()
    running.stdout.close()
