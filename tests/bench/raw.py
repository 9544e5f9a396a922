"""What redis-py reaches without us: the same bytes through the same script, made beforehand, and nothing decided."""

import time
from collections.abc import Sequence
from typing import Any

import msgspec
import redis

from libs.eventlog import keys
from libs.eventlog.api import Batch
from libs.eventlog.redis_append import Limits, words
from libs.eventlog.wire import Script, Word
from libs.kernel.envelope import EventRecord
from libs.kernel.limits import FEED_ENTRIES, LOAD_PAGE_EVENTS, PARKED_ENTRIES
from libs.runtime.answers import Answers
from libs.runtime.deciding import Decisions
from libs.runtime.kinds import Kind
from libs.runtime.plan import Book
from tests.bench.measure import Sample, Stopwatch

EPOCH = 1
_APPEND = Script("append.lua")
_CURSOR_FROM, _CURSOR_TO = 1, 2
"""Places of the cursors in the script's arguments."""


def fill_inbox(client: redis.Redis, site: str, shard: str, commands: Sequence[bytes]) -> str:
    """Put commands on an inbox; return the id of the last entry."""
    inbox, last = keys.inbox(site, shard), b""
    for start in range(0, len(commands), 1000):
        pipeline = client.pipeline(transaction=False)
        for raw in commands[start : start + 1000]:
            pipeline.xadd(inbox, {"c": raw})
        last = pipeline.execute()[-1]
    return last.decode()


def forget(client: redis.Redis, site: str) -> None:
    """Remove all keys of a site, so that the server's memory stays small."""
    # A shard's keys begin `{site:shard}`, those of the site itself `{site}`.
    for pattern in (f"{{{site}:*", f"{{{site}}}*"):
        for key in client.keys(pattern):
            client.unlink(key)


def prepare(kind: Kind, shard: str, known: frozenset[str], commands: Sequence[bytes], size: int) -> list[Batch]:
    """Return what our loop would append for these commands in batches of `size`."""
    books: dict[str, Book] = {}
    answers, now_ms = Answers(), time.time_ns() // 1_000_000
    decisions = Decisions(shard, kind.decider, kind.codec, books, answers, known)
    batches = []
    for start in range(0, len(commands), size):
        entries = [(f"{now_ms}-{start + place}", raw) for place, raw in enumerate(commands[start : start + size])]
        plan = decisions.decide(entries, now_ms)
        batches.append(plan.batch(EPOCH, "0-0", entries[-1][0]))
        books.update(plan.books)
        answers.remember(plan.given)
    return batches


def read_append_advance(
    client: redis.Redis, site: str, shard: str, commands: Sequence[bytes], batches: Sequence[Batch], size: int
) -> Sample:
    """Read a batch from the inbox, append what was prepared for it, move the cursor; until the inbox is read."""
    calls = _calls(client, site, shard, batches)
    fill_inbox(client, site, shard, commands)
    inbox, cursor = keys.inbox(site, shard), b"0-0"
    watch = Stopwatch(client, len(commands))
    with watch.running():
        for names, args in calls:
            found: Any = client.xread({inbox: cursor}, count=size)
            last = found[0][1][-1][0]
            args[_CURSOR_FROM], args[_CURSOR_TO] = cursor, last
            _append(client, names, args)
            cursor = last
    return watch.sample


def round_trips(
    client: redis.Redis, site: str, shard: str, batches: Sequence[Batch], unpaced: int, per_second: float
) -> list[float]:
    """Call the script for one command after the other at a fixed pace, the first ones as fast as it goes.

    Returns how long each paced call took, in seconds.
    """
    cursor, took = "0-0", list[float]()
    start = time.perf_counter()
    for number, (names, args) in enumerate(_calls(client, site, shard, batches)):
        if number == unpaced:
            start = time.perf_counter()
        pause = start + (number - unpaced) / per_second - time.perf_counter()
        if pause > 0:
            time.sleep(pause)
        args[_CURSOR_FROM], args[_CURSOR_TO] = cursor, f"{number + 1}-0"
        cursor = f"{number + 1}-0"
        began = time.perf_counter()
        _append(client, names, args)
        took.append(time.perf_counter() - began)
    return took[unpaced:]


def read_and_decode(client: redis.Redis, site: str, shard: str, stream: str, count: int) -> Sample:
    """Read a whole stream in pages and decode its records."""
    log, decode = keys.log(site, shard, stream), msgspec.json.Decoder(EventRecord).decode
    watch, version = Stopwatch(client, count), 0
    with watch.running():
        while version < count:
            page: Any = client.xrange(log, f"{version + 1}-0", count=LOAD_PAGE_EVENTS)
            for _, fields in page:
                version = decode(fields[b"e"]).version
    assert count == version
    return watch.sample


def _calls(client: redis.Redis, site: str, shard: str, batches: Sequence[Batch]) -> list[tuple[list[str], list[Word]]]:
    """Return keys and arguments of the script for each batch, and make the shard ours."""
    client.script_load(_APPEND.text)
    client.hset(keys.meta(site, shard), mapping={"epoch": EPOCH, "owner": "raw"})
    limits = Limits(FEED_ENTRIES, PARKED_ENTRIES)
    return [words(site, shard, batch, limits) for batch in batches]


def _append(client: redis.Redis, names: Sequence[str], args: Sequence[Word]) -> None:
    reply = client.evalsha(_APPEND.digest, len(names), *names, *args)
    assert reply[0] == b"APPENDED", reply
