"""The loop of an owned shard on a log in memory: what it does with failures, ticks, debts and crashes."""

import asyncio
from collections.abc import Sequence

import msgspec

from libs.eventlog.api import AppendResult, AppendUnknown, Batch, EventLogUnavailable, LogBroken
from libs.eventlog.memory import MemoryLog
from libs.kernel.envelope import ReturnAddress
from libs.runtime.clock import SteadyClock
from libs.runtime.faults import OwnershipLost, StartAgain
from libs.runtime.plan import Book
from tests.kit.shard_run import SHARD, open_run, tags, wish
from tests.kit.toy import Add, Ask, WaitUntil
from tests.kit.waiting import until


class StubbornLog(MemoryLog):
    """A log whose calls fail as a test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.append_fails: list[Exception] = []
        """Raised by the next appends, one each, before anything is written."""
        self.reply_lost = False
        """The next append happens, but its reply is lost."""
        self.resolve_fails = 0
        self.send_fails = 0
        self.waiting = asyncio.Event()
        """Set when an outcome is asked for in vain."""

    async def append(self, shard: str, batch: Batch) -> AppendResult:
        """Fail or append."""
        if self.append_fails:
            raise self.append_fails.pop(0)
        result = await super().append(shard, batch)
        if self.reply_lost:
            self.reply_lost = False
            raise AppendUnknown("cut")
        return result

    async def resolve(self, shard: str, batch: Batch) -> AppendResult | None:
        """Fail or read back."""
        if self.resolve_fails:
            self.resolve_fails -= 1
            self.waiting.set()
            raise EventLogUnavailable("away")
        return await super().resolve(shard, batch)

    async def send(self, commands: Sequence[tuple[str, bytes]]) -> None:
        """Fail or send."""
        if self.send_fails:
            self.send_fails -= 1
            raise EventLogUnavailable("away")
        await super().send(commands)


# -- appends ------------------------------------------------------------------------------------------------------
async def test_a_stale_owner_writes_nothing() -> None:
    """Once another owner has the shard, a batch of the old one is refused whole and its run ends."""
    run = await open_run()
    await run.say(wish(Add(amount=1)))
    other = await open_run(run.log)
    await run.say(wish(Add(amount=2)))
    assert isinstance(run.failure, OwnershipLost)
    assert 2 == len(await run.stream("a/1"))
    await other.take()
    assert 3 == other.state().total


async def test_a_head_that_moved_starts_the_run_again() -> None:
    """A stream that is not where we thought means that memory is wrong: the run ends, nothing is written."""
    run = await open_run()
    await run.say(wish(Add(amount=1)))
    run.shard.books["a"] = Book("a", 1, run.shard.books["a"].head.__class__(7, "0" * 64), run.state())
    await run.say(wish(Add(amount=2)))
    assert isinstance(run.failure, StartAgain)
    assert "a/1 is at 2" in str(run.failure)
    assert 2 == len(await run.stream("a/1"))


async def test_a_cursor_that_moved_starts_the_run_again() -> None:
    """Commands that were handled already are never handled from a stale position."""
    run = await open_run()
    await run.say(wish(Add(amount=1)))
    run.shard.cursor = "0-1"
    await run.say(wish(Add(amount=2)))
    assert isinstance(run.failure, StartAgain)
    assert "cursor" in str(run.failure)


async def test_an_append_whose_reply_was_lost_is_read_back() -> None:
    """When it happened, the run goes on with the new states; nothing is appended twice."""
    log = StubbornLog()
    run = await open_run(log)
    log.reply_lost, log.resolve_fails = True, 2
    await run.say(wish(Add(amount=1)))
    await run.say(wish(Add(amount=2)))
    assert run.failure is None
    assert 3 == run.state().total
    assert 3 == len(await run.stream("a/1"))


async def test_an_append_that_did_not_happen_is_sent_again() -> None:
    """When reading back shows nothing, the same batch is appended."""
    log = StubbornLog()
    run = await open_run(log)
    log.append_fails = [AppendUnknown("cut"), AppendUnknown("cut")]
    await run.say(wish(Add(amount=1)))
    assert run.failure is None
    assert 2 == len(await run.stream("a/1"))


async def test_a_run_that_is_over_does_not_wait_for_an_outcome() -> None:
    """A stop while the log is away does not hang: the next run loads whatever came of the append."""
    log = StubbornLog()
    run = await open_run(log)
    log.reply_lost, log.resolve_fails = True, 1_000_000
    handling = asyncio.create_task(run.say(wish(Add(amount=1))))
    await log.waiting.wait()
    await asyncio.wait_for(run.shard.settle_down(), 5)
    await handling
    assert {} == run.shard.books
    log.resolve_fails = 0
    again = await open_run(log)
    assert 1 == again.state().total


async def test_an_append_that_was_not_sent_starts_the_run_again() -> None:
    """Nothing was written: the states are dropped with the run."""
    log = StubbornLog()
    run = await open_run(log)
    log.append_fails = [EventLogUnavailable("away")]
    await run.say(wish(Add(amount=1)))
    assert isinstance(run.failure, StartAgain)
    assert {} == run.shard.books


async def test_a_broken_log_ends_the_run_as_what_it_is() -> None:
    """The supervisor hears of a broken log by its own name, not as a crash."""
    log = StubbornLog()
    run = await open_run(log)
    log.append_fails = [LogBroken("a/1", 3, "altered")]
    await run.say(wish(Add(amount=1)))
    assert isinstance(run.failure, LogBroken)


async def test_a_run_that_ended_handles_nothing_more() -> None:
    """Whatever the reader still hands over is left for the next run."""
    run = await open_run()
    run.shard.end(OwnershipLost())
    await run.say(wish(Add(amount=1)))
    assert {} == await run.log.heads(SHARD)
    assert "0-0" == run.shard.cursor


async def test_a_batch_that_waited_for_its_turn_is_not_handled_after_the_end() -> None:
    """A batch that was read before a graceful stop, but whose turn comes after, is left for the next owner."""
    run = await open_run()
    async with run.shard._turn:
        waiting = asyncio.create_task(run.say(wish(Add(amount=1))))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        stopping = asyncio.create_task(run.shard.settle_down())
        await asyncio.sleep(0)
    await asyncio.gather(waiting, stopping)
    assert {} == await run.log.heads(SHARD)


async def test_a_graceful_stop_lets_the_batch_in_hand_be_appended() -> None:
    """What has been decided is written and answered before the shard is handed over."""
    log = StubbornLog()
    run = await open_run(log)
    log.reply_lost, log.resolve_fails = True, 1
    handling = asyncio.create_task(run.say(wish(Add(amount=1))))
    await log.waiting.wait()
    log.resolve_fails = 0
    await run.shard.settle_down()
    await handling
    assert 1 == len(await run.answers())
    assert 1 == run.state().total


# -- debts and answers --------------------------------------------------------------------------------------------
async def test_a_shard_asks_another_and_hears_the_answer() -> None:
    """`react` sends, the asked shard answers to the return address, the asker's debt is settled."""
    asker = await open_run(name="toy-0")
    asked = await open_run(asker.log, name="toy-1")
    await asker.say(wish(Ask(shard="toy-1", book="b", amount=4)))
    await asked.take()
    await asker.take()
    assert ((), (4,)) == (asker.state().owed, asker.state().heard)
    assert 4 == asked.state("b").total


async def test_a_lost_answer_is_given_again_from_memory() -> None:
    """A debt that is sent again is answered again, also by the next owner of the asked shard; it is done once."""
    asker = await open_run(name="toy-0")
    asked = await open_run(asker.log, name="toy-1")
    await asker.say(wish(Ask(shard="toy-1", book="b", amount=4)))
    await asked.take()
    asker.shard.cursor = (await asker.log.read_inbox("toy-0", "0-0", 10))[-1][0]
    # The asker's process is replaced, and its answer is still there; take it away and let it ask anew.
    asker = await open_run(asker.log, name="toy-0")
    asked = await open_run(asker.log, name="toy-1")
    await asked.take()
    await asker.take()
    assert (4,) == asker.state().heard
    assert ["toy.Opened", "toy.Added"] == tags(await asked.stream("b/1"))


async def test_a_debt_that_could_not_be_sent_does_not_end_the_run() -> None:
    """The append stands; what is owed goes out with the next look at the debts."""
    log = StubbornLog()
    run = await open_run(log)
    await log.send([(SHARD, wish(Ask(shard="toy-1", book="b", amount=4)))])
    log.send_fails = 1
    await run.take()
    assert run.failure is None
    assert () == await log.read_inbox("toy-1", "0-0", 10)
    await run.shard._react(run.shard.books)
    assert 1 == len(await log.read_inbox("toy-1", "0-0", 10))


async def test_what_is_owed_is_sent_at_a_take_over() -> None:
    """A new owner sends all debts at once, without waiting for a command or for the interval."""
    run = await open_run()
    await run.say(wish(Ask(shard="toy-1", book="x", amount=1)), wish(Ask(shard="toy-1", book="x", amount=2), "b"))
    await open_run(run.log)
    ids = [msgspec.json.decode(raw)["id"] for _, raw in await run.log.read_inbox("toy-1", "0-0", 10)]
    assert 4 == len(ids)
    assert 2 == len(set(ids))


async def test_answers_to_others_that_could_not_be_sent_are_not_an_error() -> None:
    """The asker asks again."""
    log = StubbornLog()
    run = await open_run(log)
    ask = wish(Add(amount=4), command_id="c1", reply=ReturnAddress("toy-1", "x"))
    await log.send([(SHARD, ask)])
    log.send_fails = 1
    await run.take()
    assert run.failure is None
    await run.say(ask)
    assert 1 == len(await log.read_inbox("toy-1", "0-0", 10))


# -- time ---------------------------------------------------------------------------------------------------------
async def test_an_overdue_deadline_is_met_after_a_take_over() -> None:
    """A timer that ran out while nobody owned the shard is noticed at once by the next owner."""
    now_ms = 1_000
    run = await open_run(clock_ms=lambda: now_ms)
    await run.say(wish(WaitUntil(at_ms=5_000)))
    later = await open_run(run.log, clock_ms=lambda: 9_000)
    running = asyncio.create_task(later.shard.run())
    await until(lambda: later.state().wake_at_ms == 0)
    later.shard.end(OwnershipLost())
    await asyncio.wait({running})
    assert ["toy.Opened", "toy.Waited", "toy.Waited"] == tags(await run.stream("a/1"))
    assert 9_000 == (await run.stream("a/1"))[-1].at_ms
    assert isinstance(running.exception(), OwnershipLost)


async def test_a_deadline_is_not_met_before_its_time() -> None:
    """Ticks come when the deadline is reached, not before, and once."""
    now_ms = [1_000]
    run = await open_run(clock_ms=lambda: now_ms[0])
    await run.say(wish(WaitUntil(at_ms=5_000)))
    running = asyncio.create_task(run.shard.run())
    now_ms[0] = 4_999
    await asyncio.sleep(0.25)
    assert 5_000 == run.state().wake_at_ms
    now_ms[0] = 5_000
    await until(lambda: run.state().wake_at_ms == 0)
    await asyncio.sleep(0.25)
    run.shard.end(OwnershipLost())
    await asyncio.wait({running})
    assert isinstance(running.exception(), OwnershipLost)
    assert 3 == len(await run.stream("a/1"))


async def test_a_clock_that_is_set_back_does_not_stop_the_timers() -> None:
    """The machine's clock goes back an hour in the middle of play: the timer still ends, and times stay in order."""
    wall_ms = [1_700_000_000_000]
    clock_ms = SteadyClock(wall_ms=lambda: wall_ms[0])
    run = await open_run(clock_ms=clock_ms)
    running = asyncio.create_task(run.shard.run())
    await run.say(wish(WaitUntil(at_ms=wall_ms[0] + 300)))
    wall_ms[0] -= 3_600_000
    await until(lambda: run.state().wake_at_ms == 0)
    await run.say(wish(Add(amount=1)))
    run.shard.end(OwnershipLost())
    await asyncio.wait({running})
    assert isinstance(running.exception(), OwnershipLost)
    times = [record.at_ms for record in await run.stream("a/1")]
    assert sorted(times) == times
    assert 1_700_000_000_300 <= times[-1]


async def test_an_idle_shard_is_not_a_stalled_one() -> None:
    """The first command after a long silence may be on its way to the reader: only one that stays unread counts."""
    shard = (await open_run()).shard
    now_s = shard._last_read
    looks = [(0, 60.0), (1, 61.0), (1, 70.0), (0, 71.0), (2, 80.9), (2, 81.1)]
    assert [False, False, False, False, False, True] == [shard._is_stalled(lag, now_s + after) for lag, after in looks]
