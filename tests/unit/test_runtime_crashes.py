"""What a shard's loop does when code crashes: in a decision, on a tick, or when a book is asked what it owes."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from libs.eventlog.memory import MemoryLog
from libs.kernel.limits import PARK_AFTER_ATTEMPTS
from libs.runtime.faults import Defect, Experience, OwnershipLost
from libs.runtime.plan import Book
from tests.kit.shard_run import SHARD, ShardRun, open_run, tags, wish
from tests.kit.toy import Add, Break, WaitUntil
from tests.kit.waiting import until


async def ended(run: ShardRun) -> BaseException:
    """Wait until the run has ended; return why."""
    with pytest.raises(Exception) as caught:  # noqa: PT011  # the caller looks at it
        await run.shard.run()
    return caught.value


async def runs_until_quiet(log: MemoryLog, experience: Experience, limit: int = 20) -> tuple[ShardRun, int]:
    """Start runs as the owner does after crashes until one takes all that waits; return it and how many crashed."""
    for crashes in range(limit):
        run = await open_run(log, experience=experience)
        await run.take()
        if run.failure is None:
            return run, crashes
        assert isinstance(run.failure, Defect)
        experience.careful = True
    raise AssertionError("it never became quiet")


async def test_a_command_that_crashes_is_parked_after_three_attempts() -> None:
    """The poison is found among its neighbours, set aside with its reason, and all others are done once, in order."""
    log = MemoryLog()
    await log.send([(SHARD, wish(Add(amount=amount))) for amount in (1, 2, 13, 4)])
    run, crashes = await runs_until_quiet(log, Experience())
    assert PARK_AFTER_ATTEMPTS + 1 == crashes, "one in a batch, and the counted ones alone"
    (parked,) = await run.parked()
    assert f"crashed the shard {PARK_AFTER_ATTEMPTS} times" == parked.reason
    assert '"amount":13' in parked.raw
    assert 7 == run.state().total
    assert 4 == len(await run.stream("a/1"))


async def test_attempts_are_counted_across_processes() -> None:
    """Each run may be another process that knows nothing of the crashes before: the count is in the log's meta."""
    log = MemoryLog()
    await log.send([(SHARD, wish(Add(amount=13))), (SHARD, wish(Add(amount=1)))])
    crashes = 0
    while True:
        run = await open_run(log)
        await run.take()
        if run.failure is None:
            break
        crashes += 1
        assert 10 > crashes
    assert PARK_AFTER_ATTEMPTS == crashes
    assert 1 == len(await run.parked())
    assert 1 == run.state().total


async def test_a_clean_hand_over_does_not_reset_the_count() -> None:
    """A process that stops in order between two crashes leaves the count behind, and the next one is careful."""
    log = MemoryLog()
    await log.send([(SHARD, wish(Add(amount=13)))])
    crashes = 0
    while True:
        run = await open_run(log)
        await run.take()
        if run.failure is None:
            break
        crashes += 1
        assert 10 > crashes
        assert await log.release(SHARD, run.shard._owned.epoch)
    assert PARK_AFTER_ATTEMPTS == crashes
    assert 1 == len(await run.parked())


async def test_a_parked_command_that_is_sent_again_does_not_crash_again() -> None:
    """Whoever owes a poisonous command sends it for ever; in this process it is passed over without an answer."""
    log, experience = MemoryLog(), Experience()
    poison = wish(Add(amount=13), command_id="owed")
    await log.send([(SHARD, poison)])
    run, _ = await runs_until_quiet(log, experience)
    for _ in range(3):
        await run.say(poison, wish(Add(amount=1)))
    assert run.failure is None
    assert 3 == run.state().total
    assert 1 == len(await run.parked())
    assert "owed" not in [answer.id for answer in await run.answers()]
    run, crashes = await runs_until_quiet(log, experience)
    assert 0 == crashes


async def test_after_a_time_of_care_commands_are_batched_again() -> None:
    """Care costs two round trips a command; it ends when the commands that may have crashed are through."""
    experience = Experience()
    experience.careful = True
    run = await open_run(experience=experience)
    for _ in range(2):
        await run.say(*[wish(Add(amount=1)) for _ in range(250)])
    assert not experience.careful
    assert 0 >= run.shard._careful
    assert 500 == run.state().total


@pytest.mark.parametrize("where", ["react", "deadline"])
async def test_a_crash_after_the_append_loses_and_doubles_nothing(where: Any) -> None:
    """The events stand, the run ends with the name of the book, and each next run finds the same."""
    run = await open_run()
    await run.say(wish(Break(where=where)))
    assert isinstance(run.failure, Defect)
    assert ("", "a") == (run.failure.entry, run.failure.book)
    assert ["toy.Opened", "toy.Broken"] == tags(await run.stream("a/1"))
    with pytest.raises(Defect):
        await open_run(run.log)
    assert ["toy.Opened", "toy.Broken"] == tags(await run.stream("a/1"))


@pytest.mark.parametrize("where", ["react", "deadline", "tick"])
async def test_a_book_that_crashes_by_itself_is_suspended_and_the_others_play_on(where: Any) -> None:
    """After three crashes without a command, a book gets no ticks and sends nothing; its neighbours are well."""
    log, experience = MemoryLog(), Experience()
    run = await open_run(log)
    await run.say(wish(Add(amount=1), "b"), wish(Break(where=where)))
    crashes = 0
    while not experience.suspended("a"):
        try:
            run = await open_run(log, experience=experience)
            failure = await asyncio.wait_for(ended(run), 5)
        except Defect as defect:
            failure = defect
        assert isinstance(failure, Defect)
        assert "a" == failure.book
        experience.crashed(failure.book)
        crashes += 1
    assert PARK_AFTER_ATTEMPTS == crashes
    run = await open_run(log, experience=experience)
    running = asyncio.create_task(run.shard.run())
    await run.say(wish(Add(amount=2), "b"), wish(WaitUntil(at_ms=1), "b"), wish(Add(amount=5)))
    await until(lambda: run.state("b").wake_at_ms == 0)
    assert run.failure is None
    assert (3, 5) == (run.state("b").total, run.state("a").total)
    run.shard.end(OwnershipLost())
    await asyncio.wait({running})
    assert isinstance(running.exception(), OwnershipLost)


async def test_an_observer_that_crashes_stops_nothing() -> None:
    """Metrics of the game are told after the append; their defects are reported and the play goes on."""

    def observe(shard: str, events: Sequence[tuple[str, Any]], books: dict[str, Book]) -> None:
        raise KeyError("no such gauge")

    run = await open_run(observe=observe)
    await run.say(wish(Add(amount=1)))
    assert run.failure is None
    assert 1 == run.state().total


async def test_an_observer_hears_the_books_at_loading_and_each_event() -> None:
    """The observer gets what the shard begins with, and every event after its append, with the states it led to."""
    heard: list[tuple[int, int]] = []

    def observe(shard: str, events: Sequence[tuple[str, Any]], books: dict[str, Book]) -> None:
        heard.append((len(events), books["a"].state.total if "a" in books else 0))

    run = await open_run(observe=observe)
    await run.say(wish(Add(amount=1)), wish(Add(amount=2)))
    assert [(0, 0), (3, 3)] == heard
