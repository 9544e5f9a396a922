"""The primary is lost, and Sentinel puts a replica in its place: play goes on there, and nothing told is lost."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from libs.eventlog import acl
from libs.eventlog.api import Appended, AppendUnknown, EventLogUnavailable, Head
from libs.eventlog.chain import verify_stream
from libs.eventlog.redis_log import RedisLog
from tests.failure.chaos import chance_of
from tests.failure.soak_primaries import Way, lose
from tests.kit.aftermath import everything_agrees
from tests.kit.casino import plan_in, running
from tests.kit.records import append_to, batch_of
from tests.kit.replicas import Watched
from tests.kit.scene import SERVICES
from tests.kit.shard import owned

pytestmark = [pytest.mark.redis, pytest.mark.failure]

PASSWORD = "a-word-that-only-this-test-knows"


@pytest.fixture
def watched() -> Iterator[Watched]:
    """A primary with two replicas and three sentinels."""
    with Watched() as running_servers:
        yield running_servers


@pytest.fixture
def guarded(site: str) -> Iterator[Watched]:
    """The same, for users who may do what their work needs, and with the first sentinel dead."""
    passwords = {"table_orchestrator": PASSWORD, "replica": PASSWORD, "sentinel": PASSWORD}
    with Watched(acl.users(site, ["s"], 1, passwords)[1:], PASSWORD) as running_servers:
        running_servers.kill_sentinel(0)
        yield running_servers


async def test_a_log_goes_on_at_the_new_primary(guarded: Watched, site: str) -> None:
    """The primary is killed: what was acknowledged is there, and the unknown is found out."""
    watched, login = guarded, f"//table_orchestrator:{PASSWORD}@"
    log = RedisLog(watched.address.replace("//", login), site, replicas=1)
    owner, head = await owned(log), Head()
    killing = asyncio.create_task(asyncio.to_thread(watched.primary.kill))
    watched.ports.pop(0)
    while True:
        batch = batch_of(owner, append_to("T1/1", head, count=2), feed=(b"told",))
        try:
            assert Appended() == await log.append("s", batch)
        except (AppendUnknown, EventLogUnavailable):
            break
        head = batch.appends[0].after
    await killing
    await asyncio.to_thread(watched.new_primary, watched.primary)
    while True:
        try:
            if await log.resolve("s", batch) is not None or await log.append("s", batch) == Appended():
                break
        except (AppendUnknown, EventLogUnavailable):
            await asyncio.sleep(0.1)
    assert batch.appends[0].after == await verify_stream(log, "s", "T1/1")
    await log.close()


async def test_play_goes_on_when_all_sentinels_are_dead(watched: Watched, site: str) -> None:
    """Who is silent changes nothing: the server that was named last is believed to be the primary."""
    log = RedisLog(watched.address, site, replicas=1)
    owner = await owned(log)
    for number in range(3):
        watched.kill_sentinel(number)
    await asyncio.sleep(1.1)  # what they have said is not asked again before
    first, second = append_to("T1/1"), append_to("T1/1", append_to("T1/1").after)
    for part in (first, second):
        assert Appended() == await log.append("s", batch_of(owner, part))
        await asyncio.sleep(1.1)
    await log.close()


async def test_a_casino_goes_on_at_the_new_primary(watched: Watched, tmp_path: Path) -> None:
    """Its primary is lost with what it had taken in and told nobody; the next one hangs, and wakes: play goes on."""
    plan = plan_in(tmp_path / "casino", redis_url=watched.address, durability="replicated")
    async with running(plan) as scene:
        chance = chance_of(scene)
        ways: tuple[Way, ...] = ("cut off", "hung")
        for way in ways:
            await scene.until_settled(1)
            await asyncio.sleep(chance.uniform(0, 1.0))
            lost = await lose(watched, way)
            scene.diary.note(f"the primary at {lost.port} was {way}, another is in its place")
            await scene.until_settled(1)
            scene.diary.note("play goes on")
            await asyncio.to_thread(lost.resume if way == "hung" else lost.start)
        await scene.all_ready()
        assert {1} == {scene.casino.children[name].starts for name in SERVICES}, "no service died of it"
        await scene.stop_bots()
        assert plan.bot_journal is not None
        aftermath = await everything_agrees(scene, plan.bot_journal)
        assert aftermath.answers > aftermath.report.wagers > 0
