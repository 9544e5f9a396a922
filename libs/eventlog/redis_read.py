"""Reading from Redis: heads, the pages of a log, a feed."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing
from typing import Any

from redis.asyncio.connection import AbstractConnection

from libs.eventlog.api import EventLogUnavailable, FeedPage, Head, LogBroken
from libs.eventlog.wire import LOST, Wire, pack, sentence
from libs.kernel.limits import LOAD_PAGE_EVENTS

_HEAD = "head:"


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
async def load(wire: Wire, log: str, meta: str, stream: str, after: int) -> AsyncIterator[tuple[bytes, ...]]:
    """Yield the events of a log after a version, in pages, until the head in meta is reached."""
    version, promised, ended = after, 0, False
    while not ended:
        async with aclosing(_pages(wire, log, version)) as pages:
            async for page in pages:
                if page:
                    yield _dense(stream, version, page)
                    version += len(page)
        # The script moves log and head together: what a head promised before must have been read since, and what was
        # read must stand in a head that is asked for afterwards.
        head = head_from((await wire.call("HGET", meta, f"{_HEAD}{stream}") or b"0 ").decode())
        if version < promised or head.version < version:
            reason = f"the log was read up to {version}, the head in meta is {head.version}"
            raise LogBroken(stream, min(version, head.version) + 1, reason)
        promised, ended = head.version, head.version == version


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


async def read_feed(wire: Wire, feed: str, after: str, count: int, block_ms: int) -> FeedPage:
    """Return feed entries after a position, waiting up to `block_ms` for the first."""
    page = await _feed_page(wire, feed, after, count)
    if page.entries or block_ms <= 0:
        return page
    news = await wire.call("XREAD", "COUNT", count, "BLOCK", block_ms, "STREAMS", feed, after, wait_ms=block_ms)
    if not news:
        return page
    found = entries(news[0][1], b"f")
    # A full page may mean that this process slept until entries were trimmed: look again.
    return FeedPage(found, page.trimmed) if len(found) < count else await _feed_page(wire, feed, after, count)


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
