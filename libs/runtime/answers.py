"""The answers that a shard has given, remembered so that a repeated command gets the same one again (law 4)."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from libs.kernel.envelope import Answer, FeedEntry
from libs.kernel.limits import ANSWERS_REMEMBERED
from libs.kernel.refusals import Refusal

CONFLICT = "command.conflict"
"""Refusal of a command id that came before with other content."""


class Given(msgspec.Struct, frozen=True, gc=False):
    """An answer as it was given: refused, or accepted with the bodies of the events it led to."""

    digest: str
    book: str
    stream: str
    bodies: tuple[bytes, ...]
    refusal: Refusal | None


def digest_of(body: bytes | memoryview) -> str:
    """Return the digest by which a repeated command is compared with the first."""
    return hashlib.sha256(body).hexdigest()[:16]


class Answers:
    """The last answers of one shard by command id: at least `limit` of them, at most twice as many.

    Two generations: when the newer one is full it becomes the older one, and what was older is forgotten at once. To
    forget answers one by one would cost more than all the rest of remembering.
    """

    def __init__(self, limit: int = ANSWERS_REMEMBERED) -> None:
        self._limit = limit
        self._newer: dict[str, Given] = {}
        self._older: dict[str, Given] = {}

    def __len__(self) -> int:
        return len(self._newer) + len(self._older)

    def get(self, command_id: str) -> Given | None:
        """Return the answer that this command got, if it is remembered."""
        return self._newer.get(command_id) or self._older.get(command_id)

    def remember(self, answers: Mapping[str, Given]) -> None:
        """Add answers to commands, each given once."""
        self._newer.update(answers)
        if len(self._newer) >= self._limit:
            self._newer, self._older = {}, self._newer

    def rebuild(self, feed: Iterable[bytes]) -> None:
        """Fill the memory anew from feed entries, oldest first (at a take-over)."""
        self._newer, self._older = {}, {}
        decoder = msgspec.json.Decoder(FeedEntry)
        found: dict[str, Given] = {}
        for raw in feed:
            entry = decoder.decode(raw)
            answer = entry.answer
            # A conflict is about another content under the same id: the first answer stays the remembered one.
            if answer is not None and not (answer.refusal and answer.refusal.code == CONFLICT):
                # The facts of a no are in the log; what its sender was told is the refusal.
                bodies = () if answer.refusal else answer.events or tuple(record.body for record in entry.events)
                given = Given(
                    answer.digest, answer.book, answer.stream, tuple(bytes(b) for b in bodies), answer.refusal
                )
                found[answer.id] = given
        self.remember(found)


def feed_entry(records: Sequence[bytes], answer: bytes | None) -> bytes:
    """Return the wire form of a `FeedEntry`; the records are already JSON, so they are joined, not encoded again."""
    if not records:
        return b'{"answer":%b}' % (answer or b"null")
    if answer is None:
        return b'{"events":[%b]}' % b",".join(records)
    return b'{"events":[%b],"answer":%b}' % (b",".join(records), answer)


def answer_bytes(command_id: str, given: Given, bodies: Sequence[bytes]) -> bytes:
    """Return the wire form of an `Answer`."""
    events = tuple([msgspec.Raw(body) for body in bodies]) if bodies else ()
    return msgspec.json.encode(Answer(command_id, given.book, given.digest, given.stream, events, given.refusal))
