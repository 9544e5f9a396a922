"""The RNG's own chance: what the process, its metrics and `/readyz` make of the generator."""

import os
import subprocess
import sys

import pytest

from libs.runtime import metrics
from services.rng import chance

FORKS = """
import os
from services.rng.chance import OwnChance
own = OwnChance()
own.fresh()
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    os.write(writing, own.fresh())
    os._exit(0)
os.waitpid(child, 0)
print(os.read(reading, 32) != own.fresh())
"""


def value(name: str, **labels: str) -> float:
    return metrics.REGISTRY.get_sample_value(name, {"service": "rng", **labels}) or 0


def test_a_sound_machine_is_ready() -> None:
    """Fresh bytes, no two alike; nothing stands in the way of `/readyz`; the gauge is 1."""
    own = chance.OwnChance()
    said = [own.fresh() for _ in range(1000)]
    assert 1000 == len(set(said))
    assert {32} == {len(one) for one in said}
    assert "" == own.failure()
    assert 1 == value("tapis_rng_healthy")


def test_a_take_over_reseeds() -> None:
    """When the process becomes the owner, fresh entropy is mixed in before the first draw."""
    own, before = chance.OwnChance(), value("tapis_rng_seedings_total")
    own.taken_over()
    assert before + 1 == value("tapis_rng_seedings_total")


def test_a_broken_machine_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that is stuck: no bytes, not ready and a reason for it, the gauge at 0, the failure counted by test."""
    before = value("tapis_rng_health_failures_total", test="repetition_count")
    monkeypatch.setattr(os, "getrandom", bytes)
    own = chance.OwnChance()
    assert (b"", "the generator is not healthy: repetition_count") == (own.fresh(), own.failure())
    assert (0, before + 1) == (
        value("tapis_rng_healthy"),
        value("tapis_rng_health_failures_total", test="repetition_count"),
    )


def test_a_child_makes_other_draws_than_its_parent() -> None:
    """After a fork the child has a state of its own, mixed with fresh entropy."""
    done = subprocess.run([sys.executable, "-c", FORKS], check=True, capture_output=True, text=True, timeout=60)
    assert "True" == done.stdout.strip()
