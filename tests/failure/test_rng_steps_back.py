"""An RNG whose generator is not healthy: it steps back for one that is, and holds play when there is none."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import httpx
import pytest

from libs.draws.mapping import draw
from libs.eventlog.redis_log import RedisLog
from libs.kernel.contracts.rng import UNHEALTHY, CommitSeed, Drawn, RequestDraw, RevealSeed, SeedCommitted, SeedRevealed
from libs.kernel.envelope import FeedEntry
from libs.kernel.ids import DRAWS, RNG_SHARD
from libs.kernel.messages import Command, Event
from libs.kernel.refusals import Refusal
from libs.kernel.seeds import keeps
from libs.runtime.kinds import RNG
from libs.runtime.seals import add_key
from tests.kit.owners import ServiceProcess, owned_by, owner_of
from tests.kit.shard_run import feed_of, wish
from tests.kit.sick_rng import STUCK
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]

E = TypeVar("E", bound=Event)
Launch = Callable[[str], ServiceProcess]

DRAW = "draw:pit-1/T1/1/1/main"
LEASE_MS = 60_000
"""Nobody gets the draws because a lease has ended."""


@pytest.fixture
def launch(redis_url: str, site: str, tmp_path: Path) -> Iterator[Launch]:
    """Return a function that starts an RNG; a file of its name in the test's folder makes it sick."""
    add_key(tmp_path / "seal-keys", "of-the-test")
    settings = {"TAPIS_RNG_SEAL_KEYS_FILE": str(tmp_path / "seal-keys"), "TAPIS_LEASE_MS": str(LEASE_MS)}
    with ExitStack() as stack:

        def start(name: str) -> ServiceProcess:
            here = {**settings, STUCK: str(tmp_path / name)}
            return stack.enter_context(ServiceProcess(redis_url, site, name, "tests.kit.sick_rng", **here))

        yield start


def seed_id(coup: int) -> str:
    return f"seed:pit-1/T1/1/{coup}"


async def told(log: RedisLog, command: Command, command_id: str) -> FeedEntry:
    """Ask the RNG, and return the decision with its answer."""
    found: list[FeedEntry] = []
    await log.send([(RNG_SHARD, wish(command, DRAWS, command_id))])

    async def answered() -> bool:
        found[:] = [entry for entry in await feed_of(log, RNG_SHARD) if entry.answer and entry.answer.id == command_id]
        return bool(found)

    await until(answered)
    return found[-1]


async def refused(log: RedisLog, command: Command, command_id: str) -> Refusal | None:
    """Ask the RNG for something that it will not give; return why."""
    entry = await told(log, command, command_id)
    return entry.answer.refusal if entry.answer else None


async def given(log: RedisLog, command: Command, command_id: str, kind: type[E]) -> E:
    """Ask the RNG for something and return it."""
    records = (await told(log, command, command_id)).events
    (fact,) = [fact for one in records if isinstance(fact := RNG.codec.decode_event(one.body), kind)]
    return fact


async def readiness(one: ServiceProcess) -> tuple[bool, str]:
    """Return whether a process is ready, and what it says of it."""
    async with httpx.AsyncClient(trust_env=False) as web:
        said = await web.get(f"{one.url}/readyz")
        return said.status_code == httpx.codes.OK, said.text


async def is_ready(one: ServiceProcess) -> bool:
    return (await readiness(one))[0]


async def nobody_is_counted(log: RedisLog) -> bool:
    """Tell whether no RNG counts itself among those that can work."""
    return () == await log.enlist("rng", "of-the-test", 0)


async def test_a_sick_rng_steps_back_for_a_healthy_one(
    launch: Launch, redis_url: str, site: str, redis_log: RedisLog, tmp_path: Path
) -> None:
    """The sick process is not ready and owns nothing; the other one goes on with the same promises.

    Once that one is sick as well it keeps the draws: what was promised is drawn and shown, a new promise is refused
    with the reason. The first that is healthy again has them.
    """
    first = launch("rng-1")
    await until(owned_by(redis_url, site, "rng-1", RNG_SHARD))
    second = launch("rng-2")
    await until(lambda: is_ready(second))
    promised = await given(redis_log, CommitSeed(seed_id=seed_id(1)), "commit-1", SeedCommitted)

    (tmp_path / "rng-1").touch()
    assert UNHEALTHY == await refused(redis_log, CommitSeed(seed_id=seed_id(2)), "commit-2")
    await until(owned_by(redis_url, site, "rng-2", RNG_SHARD))
    ready, why = await readiness(first)
    assert (False, True) == (ready, "repetition_count" in why)
    await until(lambda: is_ready(second))
    await given(redis_log, CommitSeed(seed_id=seed_id(2), again=True), "again-2", SeedCommitted)

    (tmp_path / "rng-2").touch()
    assert UNHEALTHY == await refused(redis_log, CommitSeed(seed_id=seed_id(3)), "commit-3")
    await until(lambda: nobody_is_counted(redis_log))
    drawn = await given(redis_log, RequestDraw(draw_id=DRAW, bounds=(52, 6), seeded=True), "draw-1", Drawn)
    shown = await given(redis_log, RevealSeed(seed_id=seed_id(1)), "reveal-1", SeedRevealed)
    assert keeps(promised.commitment, shown.seed, seed_id(1))
    assert draw(bytes.fromhex(shown.seed), DRAW, (52, 6)) == drawn.values
    assert "rng-2" == await owner_of(redis_url, site, RNG_SHARD)

    (tmp_path / "rng-1").unlink()
    await until(owned_by(redis_url, site, "rng-1", RNG_SHARD))
    await given(redis_log, CommitSeed(seed_id=seed_id(3), again=True), "again-3", SeedCommitted)
    assert [(True, "ready"), False] == [await readiness(first), await is_ready(second)]
