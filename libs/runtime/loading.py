"""Rebuild the books of a shard from its log alone."""

from typing import Any

from libs.eventlog.api import EventLog, Head, LogBroken
from libs.eventlog.chain import decode_record
from libs.eventlog.codec import Codec
from libs.kernel.decider import Decider
from libs.kernel.ids import split_stream, stream_name
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
    """Fold one volume of a book. `until` is the head it must end with; raises `LogBroken` when it does not."""
    stream = stream_name(name, volume)
    state: Any = decider.initial(name)
    head = Head()
    async for page in log.load(shard, stream):
        for raw in page:
            state = decider.evolve(state, codec.decode_recorded(raw))
        last = decode_record(page[-1])
        head = Head(last.version, last.hash)
    if until is not None and head != until:
        raise LogBroken(stream, head.version, f"ends at {head}, but the shard's meta says {until}")
    return Book(name, volume, head, state)


async def load_books(
    log: EventLog, shard: str, decider: Decider[Any], codec: Codec, heads: dict[str, Head]
) -> dict[str, Book]:
    """Fold the current volume of every book of a shard."""
    books = {}
    for name, volume in current_volumes(heads).items():
        expected = heads[stream_name(name, volume)]
        books[name] = await load_book(log, shard, decider, codec, name, volume, expected)
    return books
