"""The RNG's own chance: what the process, its metrics and `/readyz` make of the generator."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from libs.draws.decider import DECIDER
from libs.kernel.contracts.rng import CommitSeed, SeedSealed
from libs.kernel.seeds import commitment_of
from libs.runtime import metrics
from libs.runtime.faults import CannotServe
from libs.runtime.seals import add_key, read_keys
from services.rng import chance

FORKS = """
import os
import sys
from pathlib import Path
from services.rng.chance import OwnChance
own = OwnChance(Path(sys.argv[1]))
own.fresh()
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    os.write(writing, own.fresh())
    os._exit(0)
os.waitpid(child, 0)
print(os.read(reading, 32) != own.fresh())
"""


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """Return a file with one key."""
    add_key(tmp_path / "seal-keys", "first")
    return tmp_path / "seal-keys"


def value(name: str, **labels: str) -> float:
    return metrics.REGISTRY.get_sample_value(name, {"service": "rng", **labels}) or 0


def test_a_sound_machine_is_ready(keys: Path) -> None:
    """Fresh bytes, no two alike; nothing stands in the way of `/readyz`; the gauge is 1."""
    own = chance.OwnChance(keys)
    said = [own.fresh() for _ in range(1000)]
    assert 1000 == len(set(said))
    assert {32} == {len(one) for one in said}
    assert "" == own.failure()
    assert 1 == value("tapis_rng_healthy")


def test_a_take_over_reseeds(keys: Path) -> None:
    """When the process becomes the owner, fresh entropy is mixed in before the first draw."""
    own, before = chance.OwnChance(keys), value("tapis_rng_seedings_total")
    own.taken_over()
    assert before + 1 == value("tapis_rng_seedings_total")


def test_a_take_over_reads_the_keys_of_today(keys: Path) -> None:
    """A replica that stood by during a rotation seals with the new key and opens what either key has sealed."""
    own = chance.OwnChance(keys)
    state, asked = DECIDER.initial("draws"), CommitSeed(seed_id="seed:pit-1/T1/1/1")
    before = own.provide(state, asked).sealed
    add_key(keys, "second")
    assert own.provide(state, asked).sealed.startswith("first.")
    own.taken_over()
    after = own.provide(state, asked)
    assert after.sealed.startswith("second.")
    opened = read_keys(keys)
    commitment = commitment_of(after.entropy, asked.seed_id)
    assert after.entropy == opened.open(SeedSealed(seed_id=asked.seed_id, commitment=commitment, sealed=after.sealed))
    assert before.startswith("first.")


def test_a_take_over_with_a_ruined_file_ends_the_process(keys: Path) -> None:
    """The replica says which file and why, and does not take the draws over."""
    own = chance.OwnChance(keys)
    keys.write_text("nothing of use")
    with pytest.raises(CannotServe, match=r"TAPIS_RNG_SEAL_KEYS_FILE: .*line 1"):
        own.taken_over()


def test_a_broken_machine_is_not_ready(keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that is stuck: no bytes, not ready and a reason for it, the gauge at 0, the failure counted by test."""
    before = value("tapis_rng_health_failures_total", test="repetition_count")
    monkeypatch.setattr(os, "getrandom", bytes)
    own = chance.OwnChance(keys)
    assert (b"", "the generator is not healthy: repetition_count") == (own.fresh(), own.failure())
    assert (0, before + 1) == (
        value("tapis_rng_healthy"),
        value("tapis_rng_health_failures_total", test="repetition_count"),
    )


def test_a_child_makes_other_draws_than_its_parent(keys: Path) -> None:
    """After a fork the child has a state of its own, mixed with fresh entropy."""
    done = subprocess.run(
        [sys.executable, "-c", FORKS, str(keys)], check=True, capture_output=True, text=True, timeout=60
    )
    assert "True" == done.stdout.strip()
