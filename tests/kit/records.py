"""Sealed records and batches for tests of the log, made of a toy event."""

from libs.eventlog.api import Batch, Head, Owned, StreamAppend
from libs.eventlog.chain import seal
from libs.kernel.actors import SYSTEM
from libs.kernel.messages import Event

START_MS = 1_790_000_000_000
"""Time of the first record, in ms since 1970."""


class Noted(Event, frozen=True, kw_only=True, tag="test.Noted"):
    """A toy fact."""

    number: int
    text: str = ""


def append_to(stream: str, expected: Head = Head(), count: int = 1, cause: str = "c:1") -> StreamAppend:
    """Return `count` sealed events after the head `expected`."""
    head, records = expected, []
    for number in range(expected.version + 1, expected.version + count + 1):
        raw, head = seal(head, stream, START_MS + number, SYSTEM, cause, Noted(number=number))
        records.append(raw)
    return StreamAppend(stream, expected, head, tuple(records))


def batch_of(owned: Owned, *appends: StreamAppend, cursor: str = "", feed: tuple[bytes, ...] = ()) -> Batch:
    """Return a batch of an owner that stands at its first cursor; `cursor` is where it moves to."""
    return Batch(owned.epoch, owned.cursor, cursor or owned.cursor, appends, feed)
