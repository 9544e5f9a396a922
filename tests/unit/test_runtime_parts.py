"""A batch that is longer than one append: each part is decided while the part before it is being appended."""

import asyncio

from libs.eventlog.api import AppendResult, Batch, EventLogUnavailable, Owned
from libs.eventlog.memory import MemoryLog
from libs.kernel.limits import APPEND_COMMANDS
from libs.runtime.faults import Defect, StartAgain
from tests.kit.shard_run import SHARD, open_run, wish
from tests.kit.toy import Add, Ask

MANY = 2 * APPEND_COMMANDS + APPEND_COMMANDS // 2
"""Three parts, the last one half full."""


class SlowLog(MemoryLog):
    """A log whose appends take longer than to decide the next part, and that cannot be reached after some of them."""

    appends_left = 1_000

    async def append(self, shard: str, batch: Batch) -> AppendResult:
        """Append while it lasts."""
        if self.appends_left == 0:
            raise EventLogUnavailable("away")
        self.appends_left -= 1
        for _ in range(10):
            await asyncio.sleep(0)
        return await super().append(shard, batch)


async def test_parts_see_one_another() -> None:
    """Each command sees the effects of all before it, in whatever part, and the log is dense and in order."""
    run = await open_run(SlowLog())
    await run.say(*[wish(Add(amount=1)) for _ in range(MANY)])
    assert run.failure is None
    assert MANY == run.state().total
    assert list(range(1, MANY + 2)) == [record.version for record in await run.stream("a/1")]
    assert MANY == len(await run.answers())


async def test_a_repeat_in_the_next_part() -> None:
    """A command that comes again in the part after it is done once and answered the same."""
    run = await open_run(SlowLog())
    again = wish(Add(amount=5), command_id="wish:again")
    await run.say(again, *[wish(Add(amount=1)) for _ in range(APPEND_COMMANDS)], again)
    assert APPEND_COMMANDS + 5 == run.state().total
    assert ["wish:again", "wish:again"] == [a.id for a in await run.answers() if a.id == "wish:again"]


async def test_an_append_fails_on_the_way() -> None:
    """What was decided after a part that could not be appended is dropped with it; the next run decides it again."""
    log = SlowLog()
    run = await open_run(log)
    log.appends_left = 1
    await run.say(*[wish(Add(amount=1)) for _ in range(MANY)])
    assert isinstance(run.failure, StartAgain)
    assert APPEND_COMMANDS == run.state().total
    assert 1 + APPEND_COMMANDS == len(await run.stream("a/1"))
    log.appends_left = 1_000
    other = await open_run(log)
    await other.take()
    assert MANY == other.state().total


async def test_what_is_owed_waits_for_its_append() -> None:
    """A debt that was decided, but whose part was not appended, is not sent; those of the parts before it are."""
    log = SlowLog()
    run = await open_run(log)
    log.appends_left = 1
    asks = [wish(Ask(shard="toy-1", book="b", amount=1)) for _ in range(MANY)]
    await run.say(*asks)
    assert APPEND_COMMANDS == len(await log.read_inbox("toy-1", "0-0", 1_000))


async def test_a_crash_in_a_later_part() -> None:
    """The parts before a crashing command are in the log, and the next run knows which command to be careful with."""
    run = await open_run(SlowLog())
    wishes = [wish(Add(amount=1)) for _ in range(MANY)]
    wishes[APPEND_COMMANDS + 3] = wish(Add(amount=13))
    await run.say(*wishes)
    assert isinstance(run.failure, Defect)
    assert APPEND_COMMANDS == run.state().total
    owned = await run.log.acquire(SHARD, "owner-1", 60_000)
    assert isinstance(owned, Owned)
    assert (run.failure.entry, 1) == owned.attempts
