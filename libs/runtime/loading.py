"""Rebuild the books of a shard from its log alone."""

from typing import Any

import msgspec

from libs.eventlog.api import EventLog, Head, LogBroken
from libs.eventlog.chain import decode_record, verify_record
from libs.eventlog.codec import BadMessage, Codec
from libs.kernel.decider import Decider
from libs.kernel.ids import split_stream, stream_name
from libs.kernel.messages import Event
from libs.runtime.deciding import Book


def current_volumes(heads: dict[str, Head]) -> dict[str, int]:
    """Return the highest volume of each book, from the heads of its streams."""
    volumes: dict[str, int] = {}
    for stream in heads:
        book, volume = split_stream(stream)
        volumes[book] = max(volume, volumes.get(book, 0))
    return volumes


async def load_book(
    log: EventLog, shard: str, decider: Decider[Any], codec: Codec, name: str, volume: int, until: Head | None = None
) -> Book:
    """Fold one volume of a book. `until` is the head it must end with.

    Raises `LogBroken` when it does not, when the hashes do not chain, and for an event that this release cannot read.
    """
    book = await load_more(log, shard, decider, codec, Book(name, volume, Head(), decider.initial(name)))
    if until is not None and book.head != until:
        stream = stream_name(name, volume)
        raise LogBroken(stream, book.head.version, f"ends at {book.head}, but the shard's meta says {until}")
    return book


async def load_more(log: EventLog, shard: str, decider: Decider[Any], codec: Codec, book: Book) -> Book:
    """Fold what the log holds of the book's volume beyond its head; raises `LogBroken`."""
    stream = stream_name(book.name, book.volume)
    state, head = book.state, book.head
    async for page in log.load(shard, stream, head.version):
        for raw in page:
            head, event = _next(stream, head, raw, codec)
            state = decider.evolve(state, event)
    return Book(book.name, book.volume, head, state)


def _next(stream: str, head: Head, raw: bytes, codec: Codec) -> tuple[Head, Event]:
    version = head.version + 1
    if not verify_record(head.hash, raw):
        raise LogBroken(stream, version, "its hash is not that of its content after the event before")
    try:
        record = decode_record(raw)
        return Head(version, record.hash), codec.decode_event(record.body)
    except (msgspec.DecodeError, BadMessage) as error:
        raise LogBroken(stream, version, f"this release cannot read it: {error}") from error


async def load_books(
    log: EventLog, shard: str, decider: Decider[Any], codec: Codec, heads: dict[str, Head]
) -> dict[str, Book]:
    """Fold the current volume of every book of a shard."""
    books = {}
    for name, volume in current_volumes(heads).items():
        expected = heads[stream_name(name, volume)]
        books[name] = await load_book(log, shard, decider, codec, name, volume, expected)
    return books
