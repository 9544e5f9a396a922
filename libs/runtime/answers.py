"""The answers that a shard has given, remembered so that a repeated command gets the same one again (law 4).

The last ones are remembered, and of all others the greatest moment that one of their ids carries: the *horizon*. So an
id that is not remembered, and whose moment lies after the horizon, has never been done.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from libs.eventlog.checks import entry_order
from libs.kernel.envelope import Answer, FeedEntry
from libs.kernel.ids import moment_of
from libs.kernel.limits import ANSWERS_REMEMBERED
from libs.kernel.refusals import Refusal
from libs.runtime.admission import AHEAD, CONFLICTING, TOO_OLD, UNDATED, latest_ms

NO_MOMENT = -1
"""Stands where no id has a moment: before all of them."""

_NOT_REMEMBERED = frozenset(refusal.code for refusal in (CONFLICTING, UNDATED, AHEAD, TOO_OLD))
"""Refusals that a command gets for its id, whatever it wishes: said anew each time."""


class Given(msgspec.Struct, frozen=True, gc=False):
    """An answer as it was given: refused, or accepted with the bodies of the events it led to."""

    digest: str
    book: str
    stream: str
    bodies: tuple[bytes, ...]
    refusal: Refusal | None
    moment_ms: int = NO_MOMENT
    """The moment that the command's id carries; those of services need none."""


def digest_of(body: bytes | memoryview) -> str:
    """Return the digest by which a repeated command is compared with the first."""
    return hashlib.sha256(body).hexdigest()[:16]


class Answers:
    """The last answers of one shard by command id: at least `limit` of them, at most twice as many and a batch.

    Two generations: when the newer one is full it becomes the older one, and what was older is forgotten at once. To
    forget answers one by one would cost more than all the rest of remembering.
    """

    def __init__(self, limit: int = ANSWERS_REMEMBERED) -> None:
        self.limit = limit
        self._start_anew(NO_MOMENT)

    def _start_anew(self, horizon_ms: int) -> None:
        self._newer: dict[str, Given] = {}
        self._older: dict[str, Given] = {}
        # The greatest moments in each generation.
        self._newer_ms = self._older_ms = NO_MOMENT
        self.horizon_ms = horizon_ms
        """The greatest moment in an id whose answer is forgotten; it never falls while this memory lasts."""

    def __len__(self) -> int:
        return len(self._newer) + len(self._older)

    def get(self, command_id: str) -> Given | None:
        """Return the answer that this command got, if it is remembered."""
        return self._newer.get(command_id) or self._older.get(command_id)

    def remember(self, answers: Mapping[str, Given]) -> None:
        """Add answers to commands, each given once."""
        self._newer.update(answers)
        self._newer_ms = max(self._newer_ms, max([given.moment_ms for given in answers.values()], default=NO_MOMENT))
        if len(self._newer) >= self.limit:
            self.horizon_ms = max(self.horizon_ms, self._older_ms)
            self._older, self._older_ms = self._newer, self._newer_ms
            self._newer, self._newer_ms = {}, NO_MOMENT

    def rebuild(self, feed: Iterable[tuple[str, bytes]], horizon_ms: int) -> None:
        """Fill the memory anew from feed entries, oldest first (at a take-over); earlier ones end at the horizon."""
        self._start_anew(horizon_ms)
        decoder = msgspec.json.Decoder(FeedEntry)
        for entry_id, raw in feed:
            entry = decoder.decode(raw)
            if entry.answer is not None:
                self._hear(entry, entry.answer, latest_ms(entry_order(entry_id)[0]))

    def _hear(self, entry: FeedEntry, answer: Answer, until_ms: int) -> None:
        refusal, moment_ms = answer.refusal, moment_of(answer.id)
        # Ids of money and of services may carry a later moment; it was not by that one that they were taken.
        if moment_ms is None or moment_ms > until_ms:
            moment_ms = NO_MOMENT
        if refusal is not None and refusal.code == TOO_OLD.code:
            # Whoever was told so must not be told otherwise by us, who may remember more than the owner before.
            self.horizon_ms = max(self.horizon_ms, moment_ms)
        if refusal is not None and refusal.code in _NOT_REMEMBERED:
            return
        # The facts of a no are in the log; what its sender was told is the refusal.
        bodies = () if refusal else answer.events or tuple(record.body for record in entry.events)
        told = tuple(bytes(body) for body in bodies)
        self.remember({answer.id: Given(answer.digest, answer.book, answer.stream, told, refusal, moment_ms)})


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
