"""Rebuild the books of a shard from its log alone, and the answers that it has given from its feed."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from libs.eventlog.api import EventLog, EventLogError, Head, LogBroken
from libs.eventlog.chain import follow
from libs.eventlog.checks import entry_order
from libs.eventlog.codec import BadMessage, Codec
from libs.kernel.decider import Decider
from libs.kernel.ids import split_stream, stream_name
from libs.kernel.limits import FEED_ENTRIES
from libs.runtime.admission import latest_ms
from libs.runtime.answers import NO_MOMENT, Answers
from libs.runtime.plan import Book


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
    """Fold one volume of a book, and the one before when this one does not hold all of its own yet.

    `until` is the head it must end with. Raises `LogBroken` when it does not, when the hashes do not chain, and for an
    event that this release cannot read.
    """
    book = await load_more(log, shard, decider, codec, Book(name, volume, Head(), decider.initial(name)))
    if volume > 1 and decider.whole is not None and not decider.whole(book.state):
        before = await load_book(log, shard, decider, codec, name, volume - 1)
        book = await load_more(log, shard, decider, codec, Book(name, volume, Head(), before.state))
    if until is not None and book.head != until:
        stream = stream_name(name, volume)
        raise LogBroken(
            stream, book.head.version, f"the log ends here, but meta says version {until.version}, {until.hash}"
        )
    return book


async def begin_volume(log: EventLog, shard: str, decider: Decider[Any], codec: Codec, name: str, volume: int) -> Book:
    """Return a book before the first event of a volume; raises `LogBroken`."""
    if volume == 1 or decider.whole is None:
        return Book(name, volume, Head(), decider.initial(name))
    before = await load_book(log, shard, decider, codec, name, volume - 1)
    return Book(name, volume, Head(), before.state)


async def load_more(log: EventLog, shard: str, decider: Decider[Any], codec: Codec, book: Book) -> Book:
    """Fold what the log holds of the book's volume beyond its head; raises `LogBroken`."""
    stream = stream_name(book.name, book.volume)
    state, head = book.state, book.head
    async for page in log.load(shard, stream, head.version):
        first, head = head.version + 1, follow(head, page)
        if head.version < first + len(page) - 1:
            raise LogBroken(stream, head.version + 1, "its hash is not that of its content after the event before")
        for version, raw in enumerate(page, first):
            try:
                event = codec.decode_recorded(raw)
            except BadMessage as bad:
                raise LogBroken(stream, version, f"this release cannot read it: {bad.reason}") from bad
            state = decider.evolve(state, event)
    return Book(book.name, book.volume, head, state)


async def load_books(
    log: EventLog, shard: str, decider: Decider[Any], codec: Codec, heads: dict[str, Head]
) -> dict[str, Book]:
    """Fold the current volume of every book of a shard."""
    books = {}
    for name, volume in current_volumes(heads).items():
        expected = heads[stream_name(name, volume)]
        books[name] = await load_book(log, shard, decider, codec, name, volume, expected)
    return books


def check_ledgers(heads: dict[str, Head], known: AbstractSet[str]) -> None:
    """Refuse a wallet whose log holds other ledgers than the floor wants: its money would be nowhere."""
    others = current_volumes(heads).keys() - known
    if others:
        raise EventLogError(f"the log holds {', '.join(others)}, the floor wants {', '.join(known)}")


async def load_answers(log: EventLog, shard: str, cursor: str, answers: Answers) -> None:
    """Rebuild the answers from the feed: so far back that repeats and mere events crowd none out."""
    for count in (answers.limit, 2 * answers.limit, FEED_ENTRIES):
        entries = await log.feed_tail(shard, count)
        answers.rebuild(entries, await _left_out_ms(log, shard, cursor, entries, count))
        if len(answers) >= answers.limit or len(entries) < count:
            return


async def _left_out_ms(log: EventLog, shard: str, cursor: str, entries: Sequence[tuple[str, bytes]], asked: int) -> int:
    """Return the latest moment that an id can carry whose answer is not among the last entries of the feed."""
    if not entries:
        return NO_MOMENT if cursor == "0-0" else latest_ms(entry_order(cursor)[0])
    # Asked afterwards: what is not trimmed by now was not trimmed then.
    if len(entries) < asked and not (await log.read_feed(shard, "0-0", 1, 0)).trimmed:
        return NO_MOMENT
    # The log sees to it that a feed entry is never of an earlier time than the commands that were handled by then.
    return latest_ms(entry_order(entries[0][0])[0])
