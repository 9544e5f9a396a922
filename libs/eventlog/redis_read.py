"""Reading from Redis: heads, the pages of a log, a feed.

Where appends wait for a replica, meta has a *mark*: the last entry of the feed that a replica is known to have. What is
behind it may be lost with the server, so nobody is told.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing
from typing import Any, NamedTuple

from redis.asyncio.connection import AbstractConnection

from libs.eventlog.api import EventLogUnavailable, FeedPage, Head, LogBroken
from libs.eventlog.checks import entry_order
from libs.eventlog.lost import LOST, sentence
from libs.eventlog.wire import Wire, pack
from libs.kernel.limits import LOAD_PAGE_EVENTS, REPLICA_WAIT_MS

_HEAD = "head:"

_LOOK_AGAIN_S = 0.001, 0.02
"""Pauses between looks at the mark: the first, and the longest."""


class Told(NamedTuple):
    """The keys of what a shard tells: its feed, and the hash in which the mark stands."""

    feed: str
    meta: str


# -- meta ---------------------------------------------------------------------------------------------------------
def pairs(flat: list[bytes]) -> dict[str, str]:
    """Return the fields of a hash."""
    texts = [one.decode() for one in flat]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def heads_in(meta: dict[str, str]) -> dict[str, Head]:
    """Return the heads that stand in a shard's meta."""
    return {field.removeprefix(_HEAD): head_from(text) for field, text in meta.items() if field.startswith(_HEAD)}


def head_from(text: str) -> Head:
    """Return the head written as `<version> <hash>`."""
    version, _, digest = text.partition(" ")
    return Head(int(version), digest)


# -- logs ---------------------------------------------------------------------------------------------------------
async def load(wire: Wire, told: Told, log: str, stream: str, after: int) -> AsyncIterator[tuple[bytes, ...]]:
    """Yield the events of a log after a version, in pages, until the head in meta is reached.

    Ends when the mark, if any, is behind all of them.
    """
    version, promised, ended = after, 0, False
    while not ended:
        async with aclosing(_pages(wire, log, version)) as pages:
            async for page in pages:
                if page:
                    yield _dense(stream, version, page)
                    version += len(page)
        # The script moves log and head together: what a head promised before must have been read since, and what was
        # read must stand in a head that is asked for afterwards.
        head = head_from((await wire.call("HGET", told.meta, f"{_HEAD}{stream}") or b"0 ").decode())
        if version < promised or head.version < version:
            reason = f"the log was read up to {version}, the head in meta is {head.version}"
            raise LogBroken(stream, min(version, head.version) + 1, reason)
        promised, ended = head.version, head.version == version
    await _all_confirmed(wire, told)


async def _pages(wire: Wire, log: str, after: int) -> AsyncGenerator[list[Any], None]:
    """Yield pages of raw entries up to the first that is not full; the next one is asked for while one is used."""
    try:
        async with wire.borrow() as connection:
            await _ask(connection, log, after)
            full = True
            while full:
                after += LOAD_PAGE_EVENTS
                async with wire.limit():
                    await _ask(connection, log, after)
                    page = await connection.read_response()
                full = len(page) == LOAD_PAGE_EVENTS
                yield page
            async with wire.limit():
                await connection.read_response()
    except LOST as error:
        raise EventLogUnavailable(sentence(error)) from error


async def _ask(connection: AbstractConnection, log: str, after: int) -> None:
    """Ask for the page after a version. Ids are dense, so each page is known before the one before it is read."""
    await connection.send_packed_command(pack("XRANGE", log, f"{after + 1}-0", f"{after + LOAD_PAGE_EVENTS}-0"))


def _dense(stream: str, after: int, page: list[Any]) -> tuple[bytes, ...]:
    """Return the records of a page, or raise `LogBroken` at the first id that is not the next version."""
    for version, (entry, fields) in enumerate(page, after + 1):
        if entry != b"%d-0" % version:
            raise LogBroken(stream, version, f"entry {entry.decode()} stands in its place")
        if fields[0] != b"e":
            raise LogBroken(stream, version, "the entry has no field e")
    return tuple([fields[1] for _, fields in page])


# -- feeds and inboxes --------------------------------------------------------------------------------------------
def entries(found: Iterable[Any], field: bytes) -> tuple[tuple[str, bytes], ...]:
    """Return id and value of one field of raw entries; the value is empty when the field is missing."""
    return tuple([(entry.decode(), _field(fields, field)) for entry, fields in found])


async def read_feed(wire: Wire, told: Told, after: str, count: int, block_ms: int) -> FeedPage:
    """Return feed entries after a position, waiting up to `block_ms` for the first."""
    page = await _feed_page(wire, told.feed, after, count)
    if not page.entries and block_ms > 0:
        page = await _next_page(wire, told.feed, after, count, block_ms, page.trimmed)
    if not page.entries:
        return page
    mark = await _mark_at(wire, told, page.entries[0][0])
    if mark is None:
        return page
    return FeedPage(tuple([one for one in page.entries if is_until(one[0], mark)]), page.trimmed)


async def _next_page(wire: Wire, feed: str, after: str, count: int, block_ms: int, trimmed: bool) -> FeedPage:
    """Return what comes after a position next, waiting up to `block_ms`."""
    news = await wire.call("XREAD", "COUNT", count, "BLOCK", block_ms, "STREAMS", feed, after, wait_ms=block_ms)
    found = entries(news[0][1], b"f") if news else ()
    # A full page may mean that this process slept until entries were trimmed: look again.
    return FeedPage(found, trimmed) if len(found) < count else await _feed_page(wire, feed, after, count)


async def feed_tail(wire: Wire, told: Told, count: int) -> tuple[tuple[str, bytes], ...]:
    """Return the last `count` feed entries, oldest first."""
    mark = await _mark(wire, told)
    found = await wire.call("XREVRANGE", told.feed, "+" if mark is None else mark, "-", "COUNT", count)
    return entries(reversed(found), b"f")


async def _mark(wire: Wire, told: Told) -> str | None:
    found = await wire.call("HGET", told.meta, "confirmed")
    return None if found is None else str(found.decode())


async def _mark_at(wire: Wire, told: Told, entry: str) -> str | None:
    """Return the mark, if there is one, when it is at an entry or behind it, or after a while where it is then."""
    pause_s, longest_s = _LOOK_AGAIN_S
    give_up = time.monotonic() + REPLICA_WAIT_MS / 1000
    while (mark := await _mark(wire, told)) is not None and not is_until(entry, mark) and time.monotonic() < give_up:
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, longest_s)
    return mark


async def _all_confirmed(wire: Wire, told: Told) -> None:
    """Return when the mark, if any, is behind all that is on the feed now; raises `EventLogUnavailable`."""
    if await _mark(wire, told) is None:
        return
    last = await wire.call("XREVRANGE", told.feed, "+", "-", "COUNT", 1)
    if not last:
        return
    entry = last[0][0].decode()
    mark = await _mark_at(wire, told, entry)
    if mark is not None and not is_until(entry, mark):
        raise EventLogUnavailable("no replica has confirmed what was read")


def is_until(entry: str, mark: str) -> bool:
    """Tell whether an entry of a feed is not behind the mark.

    >>> is_until("1790000000000-2", "1790000000000-10")
    True
    """
    return entry_order(entry) <= entry_order(mark)


async def _feed_page(wire: Wire, feed: str, after: str, count: int) -> FeedPage:
    """Return what is on the feed now. Nothing is missing when the entry at the position is still there."""
    if after == "0-0":
        found = await wire.call("XRANGE", feed, "-", "+", "COUNT", count)
        return FeedPage(entries(found, b"f"), trimmed=bool(found) and await _ever_trimmed(wire, feed))
    found = await wire.call("XRANGE", feed, after, "+", "COUNT", count + 1)
    if found and found[0][0] == after.encode():
        return FeedPage(entries(found[1:], b"f"))
    return FeedPage(entries(found[:count], b"f"), trimmed=True)


async def _ever_trimmed(wire: Wire, feed: str) -> bool:
    info = await wire.call("XINFO", "STREAM", feed)
    facts = dict(zip(info[::2], info[1::2], strict=True))
    return bool(facts[b"entries-added"] > facts[b"length"])


def _field(fields: list[bytes], name: bytes) -> bytes:
    return next((value for key, value in zip(fields[::2], fields[1::2], strict=True) if key == name), b"")
