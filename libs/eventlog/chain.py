"""The hash chain: every event carries SHA-256 over the hash before it and its own content.

A log that was altered, reordered or cut in the middle is found, and the first bad event is named; a log whose end was
cut is found by comparing it with the head in `meta`. The wire form has the hash in front:

    {"hash":"<64 hex>","stream":"T1/4","version":17,"at_ms":…,"actor":{…},"cause":"…","body":{…}}

and its hash is SHA-256 over the previous hash (64 hex characters) and the same bytes without `"hash":"<64 hex>",`.
Whoever wants to check a log by hand needs nothing but `sha256sum`. The first record of what a person's command led to
ends with `,"digest":"…"` after its body.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

import msgspec

from libs.eventlog.api import EventLog, Head, LogBroken
from libs.kernel.actors import Actor
from libs.kernel.envelope import EventRecord
from libs.kernel.messages import Event

_OPEN = b'{"hash":"'
_CLOSE = b'",'
_HASH_CHARS = 64
_CONTENT = len(_OPEN) + _HASH_CHARS + len(_CLOSE)
"""Where the content begins, after the hash."""


class _Content(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What is hashed: an `EventRecord` without its hash, in this order of fields, for ever."""

    stream: str
    version: int
    at_ms: int
    actor: Actor
    cause: str
    body: msgspec.Raw | Event
    digest: str = ""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(EventRecord).decode


def seal(
    head: Head, stream: str, at_ms: int, actor: Actor, cause: str, body: msgspec.Raw | Event, digest: str = ""
) -> tuple[bytes, Head]:
    """Return the wire form of the event after `head`, and the head that it makes.

    `body` is the event, or its JSON when the caller needs the same bytes elsewhere too; `digest` that of a command.
    """
    version = head.version + 1
    content = _encode(_Content(stream, version, at_ms, actor, cause, body, digest))
    after = sha256(head.hash.encode() + content).hexdigest()
    return _OPEN + after.encode() + _CLOSE + content[1:], Head(version, after)


def decode_record(raw: bytes) -> EventRecord:
    """Return the record of a wire form; raises `msgspec.ValidationError` when it is none."""
    return _decode(raw)


def hash_of(previous: str, raw: bytes) -> str:
    """Return the hash that a record ought to carry after the hash `previous`, whatever it does carry."""
    return sha256(previous.encode() + b"{" + raw[_CONTENT:]).hexdigest()


def verify_record(previous: str, raw: bytes) -> bool:
    """Tell whether the record's hash is that of its content after the hash `previous`."""
    return raw.startswith(b'%b%b"' % (_OPEN, hash_of(previous, raw).encode()))


def follow(head: Head, records: Sequence[bytes]) -> Head:
    """Return the head that the longest good beginning of the records makes after `head`: of all of them, if they chain.

    Looks at hashes alone, so that whoever loads a log can afford it; `verify_records` looks at everything.
    """
    version, digest = head.version, head.hash.encode()
    for raw in records:
        after = sha256(b"%b{%b" % (digest, raw[_CONTENT:])).hexdigest().encode()
        if raw[: _CONTENT - 1] != b'%b%b"' % (_OPEN, after):
            break
        version, digest = version + 1, after
    return Head(version, digest.decode())


def verify_records(stream: str, records: Iterable[bytes], start: Head = Head()) -> Head:
    """Follow the chain from `start` through the records; return the head at its end.

    Raises `LogBroken` naming the first event that is altered, out of order, of another stream, or missing.
    """
    head = start
    for raw in records:
        head = head_of(next_record(stream, raw, head))
    return head


def next_record(stream: str, raw: bytes, head: Head) -> EventRecord:
    """Return the record of a wire form; raises `LogBroken` when it is not the one after `head`."""
    version = head.version + 1
    try:
        record = _decode(raw)
    except msgspec.DecodeError as error:
        raise LogBroken(stream, version, f"not a record: {error}") from error
    if record.stream != stream:
        raise LogBroken(stream, version, f"it belongs to {record.stream}")
    if record.version != version:
        raise LogBroken(stream, version, f"version {record.version} stands in its place")
    if not verify_record(head.hash, raw):
        raise LogBroken(stream, version, "its hash is not that of its content after the event before")
    return record


def head_of(record: EventRecord) -> Head:
    """Return the head that a record makes."""
    return Head(record.version, record.hash)


async def verify_stream(log: EventLog, shard: str, stream: str) -> Head:
    """Read a whole stream and follow its chain up to the head in `meta`, or beyond when the stream is growing.

    Raises `LogBroken` naming the first bad event; for a log whose end was cut that is the first missing one.
    """
    promised = (await log.heads(shard)).get(stream, Head())
    head = Head()
    async for page in log.load(shard, stream):
        for raw in page:
            head = verify_records(stream, (raw,), head)
            if head.version == promised.version and head.hash != promised.hash:
                raise LogBroken(stream, head.version, "its hash is not that of the head in meta")
    if head.version < promised.version:
        raise LogBroken(stream, head.version + 1, f"the log ends here, the head in meta is {promised.version}")
    return head
