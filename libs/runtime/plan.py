"""What a batch of commands leads to: the books as they will stand, what to append, what to answer."""

from collections.abc import Sequence
from typing import Any

import msgspec

from libs.eventlog.api import Batch, Head, StreamAppend
from libs.kernel.envelope import ReturnAddress
from libs.kernel.ids import stream_name
from libs.kernel.messages import Command, Event
from libs.runtime.answers import Given


class Book(msgspec.Struct, frozen=True, gc=False):
    """A book as it stands: its current volume, the end of that stream, and the fold of it."""

    name: str
    volume: int
    head: Head
    state: Any

    @property
    def stream(self) -> str:
        """Name of the stream of the current volume."""
        return stream_name(self.name, self.volume)


class Reply(msgspec.Struct, frozen=True, gc=False):
    """An answer that goes to another shard's inbox as `kernel.Answered`."""

    to: ReturnAddress
    command_id: str
    given: Given


Outcome = tuple[type[Command], str, str]
"""What became of one command, for the metrics: its class (`Command` itself when it could not be read), `accepted`,
`already`, `refused`, `not_yet` or `parked`, and the code of the refusal."""


class Plan:
    """What a batch leads to. Filled by `Decisions`, appended and adopted by the shard's loop."""

    def __init__(self, after: "Plan | None" = None) -> None:
        self.books: dict[str, Book] = {}
        self.streams: dict[str, tuple[Head, list[bytes]]] = {}
        self.feed: list[bytes] = []
        self.parked: list[bytes] = []
        self.given: dict[str, Given] = {}
        self.replies: list[Reply] = []
        self.outcomes: dict[Outcome, int] = {}
        self.events: list[tuple[str, Event]] = []
        # What the plan before this one leads to, while that is still being appended.
        self.books_before = after.books if after else {}
        self.given_before = after.given if after else {}

    def count(self, command: type[Command], outcome: str, code: str = "") -> None:
        """Count what became of one command."""
        key = command, outcome, code
        self.outcomes[key] = self.outcomes.get(key, 0) + 1

    def batch(self, epoch: int, cursor_from: str, cursor_to: str) -> Batch:
        """Return the plan as one script call."""
        heads = {book.stream: book.head for book in self.books.values()}
        appends = []
        for stream, (expected, records) in self.streams.items():
            # A volume that was closed and followed by a new one within this batch is not a book's current one.
            after = heads.get(stream) or _last_head(expected, records)
            appends.append(StreamAppend(stream, expected, after, tuple(records)))
        return Batch(epoch, cursor_from, cursor_to, tuple(appends), tuple(self.feed), tuple(self.parked))


def _last_head(expected: Head, records: Sequence[bytes]) -> Head:
    hash_field = msgspec.json.decode(records[-1])["hash"]
    return Head(expected.version + len(records), hash_field)
