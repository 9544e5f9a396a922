"""The wire form: what lies on an inbox, in a log and on a feed. JSON in one field per entry, readable in redis-cli."""

import msgspec

from libs.kernel.actors import Actor, BoundedId
from libs.kernel.refusals import Refusal


class ReturnAddress(msgspec.Struct, frozen=True, gc=False):
    """Where a service wants its answer as a command (`contracts.answers.Answered`)."""

    shard: str
    book: str


class CommandEnvelope(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A command on an inbox (field `c`)."""

    id: BoundedId
    """The command's id: the same id is done once and gets the same answer again."""
    book: BoundedId
    actor: Actor
    body: msgspec.Raw
    """The command itself, a tagged object; decoded strictly in a second step so that its bytes can be compared."""
    reply: ReturnAddress | None = None
    refusal: Refusal | None = None
    """What the sender says no with, where only the sender can know. An id that has its answer gets that one again; else
    nothing is decided, and this is its answer from now on. Never with what a decider recognises by itself (money)."""


class EventRecord(msgspec.Struct, frozen=True, gc=False):
    """An event in a log (field `e`). `hash` chains it to its predecessor; see `libs.eventlog.chain`.

    On the wire `hash` comes first: `{"hash":"<64 hex>","stream":…}`; it is SHA-256 over the previous hash (as 64 hex
    characters) followed by the record's bytes without the `"hash":"…",` part.
    """

    stream: str
    """`<book>/<volume>`, such as `T1/4`."""
    version: int
    """Position in the stream, dense from 1; the Redis entry id is `<version>-0`."""
    at_ms: int
    actor: Actor
    cause: str
    """Id of the command that led to it."""
    body: msgspec.Raw
    hash: str = ""
    digest: str = ""
    """Of the first record that a person's or device's command led to in a stream: the digest of that command's body
    (see `Answer.digest`), by which a repeat is told from another wish long after it was answered."""


class Answer(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What became of a command. Accepted when `refusal` is absent."""

    id: str
    """The command's id."""
    book: str
    digest: str
    """First 16 hex digits of SHA-256 of the command's body: the same id with other content is a conflict."""
    stream: str = ""
    """The stream that the events below went to, if any."""
    events: tuple[msgspec.Raw, ...] = ()
    """Bodies of the events that the command led to (secret ones left out)."""
    refusal: Refusal | None = None


class FeedEntry(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One decision on the feed (field `f`): the events it led to and the answer; either may be absent."""

    events: tuple[EventRecord, ...] = ()
    answer: Answer | None = None


class ParkedEntry(msgspec.Struct, frozen=True):
    """A command that could not be handled (field `p`), with the reason; `entry` is its id on the inbox."""

    entry: str
    reason: str
    raw: str
    """The bytes as text, undecodable ones replaced, cut at the limit."""
    at_ms: int
