"""Books are rebuilt from the log alone, and a log that does not hold together is not loaded."""

import pytest

from libs.eventlog.api import Head, LogBroken
from libs.eventlog.codec import Codec
from libs.eventlog.memory import MemoryLog
from libs.runtime.loading import current_volumes, load_book, load_books
from tests.kit.shard_run import SHARD, open_run, wish
from tests.kit.toy import CODEC, DECIDER, Add, Added, Opened, OpenNext


async def written() -> MemoryLog:
    """Return a log with three volumes in two books."""
    run = await open_run(MemoryLog())
    await run.say(wish(Add(amount=1)), wish(Add(amount=2)), wish(OpenNext()), wish(Add(amount=3)))
    await run.say(wish(Add(amount=10), "b"))
    assert isinstance(run.log, MemoryLog)
    return run.log


def records(log: MemoryLog, stream: str) -> list[bytes]:
    """Return the raw records of a stream, to be tampered with."""
    return log._shards[SHARD].logs[stream]


async def test_the_current_volumes_are_folded() -> None:
    """Each book comes back with its last volume, the end of that stream and the fold of it."""
    log = await written()
    books = await load_books(log, SHARD, DECIDER, CODEC, await log.heads(SHARD))
    assert {"a": ("a", 2, 6), "b": ("b", 1, 10)} == {
        name: (book.name, book.volume, book.state.total) for name, book in books.items()
    }
    assert (await log.heads(SHARD))["a/2"] == books["a"].head


def test_the_highest_number_is_the_current_volume() -> None:
    """Volumes are numbers, not texts."""
    assert {"a": 10, "b/c": 2} == current_volumes({"a/9": Head(), "a/10": Head(), "b/c/2": Head()})


async def test_a_head_in_meta_that_the_log_does_not_reach_is_broken() -> None:
    """The log must end where the shard's meta says."""
    log = await written()
    heads = await log.heads(SHARD)
    with pytest.raises(LogBroken, match="but meta says version 3"):
        await load_books(log, SHARD, DECIDER, CODEC, heads | {"b/1": Head(3, heads["b/1"].hash)})


async def test_a_log_that_was_cut_is_broken() -> None:
    """Losing the last event of a stream is found."""
    log = await written()
    records(log, "b/1").pop()
    with pytest.raises(LogBroken, match="b/1 is broken"):
        await load_books(log, SHARD, DECIDER, CODEC, await log.heads(SHARD))


async def test_an_altered_event_is_named() -> None:
    """An event that was changed by hand is not folded: its hash is not that of its content."""
    log = await written()
    before = records(log, "a/2")[1]
    records(log, "a/2")[1] = before.replace(b'"total":6', b'"total":7')
    assert before != records(log, "a/2")[1]
    with pytest.raises(LogBroken, match="a/2 is broken at version 2: its hash"):
        await load_books(log, SHARD, DECIDER, CODEC, await log.heads(SHARD))


async def test_events_in_another_order_are_named() -> None:
    """The chain fixes the order."""
    log = await written()
    records(log, "a/1")[1:3] = records(log, "a/1")[2:0:-1]
    with pytest.raises(LogBroken, match="a/1 is broken at version 2"):
        await load_book(log, SHARD, DECIDER, CODEC, "a", 1)


async def test_an_event_that_this_release_does_not_know_is_named() -> None:
    """An older release does not play on a log of a newer one, and says which event it cannot read."""
    log = await written()
    old = Codec(DECIDER.commands, {Opened})
    with pytest.raises(LogBroken, match=r"b/1 is broken at version 2: this release cannot read it: .*toy\.Added"):
        await load_book(log, SHARD, DECIDER, old, "b", 1)
    assert 10 == (await load_book(log, SHARD, DECIDER, Codec((), {Opened, Added}), "b", 1)).state.total
