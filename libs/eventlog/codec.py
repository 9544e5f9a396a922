"""Between bytes and messages: strict for commands, which are wishes of strangers; lenient for events, which are facts.

A changed meaning is a new tag and an *upcaster*: a function from the old tag's JSON object to a newer one, tried until
the tag is one of today. Old logs are read for ever.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Union

import msgspec

from libs.kernel.contracts.answers import Answered
from libs.kernel.envelope import CommandEnvelope, EventRecord
from libs.kernel.limits import MAX_COMMAND_BYTES
from libs.kernel.messages import Command, Event, Message, tag_of
from libs.kernel.refusals import Refusal

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""From the JSON object of an old message to that of a newer one, `type` included."""


class BadMessage(Exception):
    """Bytes that are no message of this codec; `reason` says why and where (`… - at $.amount`)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _AnsweredWire(Command, frozen=True, kw_only=True, tag=tag_of(Answered)):
    """`Answered` before its events are decoded: they are those of other contracts, each with its own tag."""

    to: str
    refusal: Refusal | None = None
    events: tuple[msgspec.Raw, ...] = ()


class _Tagged(msgspec.Struct, frozen=True):
    """Of any message the tag alone."""

    type: str


_decode_tag = msgspec.json.Decoder(_Tagged).decode
_decode_record = msgspec.json.Decoder(EventRecord).decode
_decode_envelope = msgspec.json.Decoder(CommandEnvelope).decode
encode = msgspec.json.Encoder().encode
"""Return the wire form of a message, an envelope, or any other struct."""


class Codec:
    """Decodes the commands and events of one book kind. Its decoders are built once."""

    def __init__(
        self,
        commands: Iterable[type[Command]],
        events: Iterable[type[Event]],
        upcasters: Mapping[str, Upcaster] | None = None,
    ) -> None:
        """Take the classes that may arrive; `events` includes those that come inside a `kernel.Answered`."""
        commands, events = frozenset(commands), frozenset(events)
        self._commands = _union_decoder({_AnsweredWire if kind is Answered else kind for kind in commands})
        self._events = _union_decoder(events)
        # Of a record the event alone, in one look: loading a log is mostly this.
        self._recorded = _recorded_decoder(events)
        self._tags = {tag_of(kind) for kind in events}
        self._upcasters = dict(upcasters or {})
        clash = self._upcasters.keys() & {tag_of(kind) for kind in events}
        if clash:
            raise ValueError(f"an upcaster stands for a tag of today: {', '.join(sorted(clash))}")

    def decode_command(self, raw: bytes | msgspec.Raw) -> Command:
        """Return the command of a body; raises `BadMessage`, a refused field with its path."""
        if len(raw) > MAX_COMMAND_BYTES:
            raise BadMessage(f"longer than {MAX_COMMAND_BYTES} bytes")
        try:
            command: Command = self._commands(raw)
        except _UNDECODABLE as error:
            raise _bad(error) from None
        if type(command) is _AnsweredWire:
            return Answered(to=command.to, refusal=command.refusal, events=self._facts(command.events))
        return command

    def _facts(self, raws: tuple[msgspec.Raw, ...]) -> tuple[Event, ...]:
        """Decode the facts of an answer that this codec knows; those of the other's own business are left out."""
        events = []
        for place, raw in enumerate(raws):
            try:
                events.append(self.decode_event(raw))
            except BadMessage as bad:
                if _or_bad(_decode_tag, raw).type not in self._tags:
                    continue
                raise BadMessage(f"event {place} of the answer: {bad.reason}") from None
        return tuple(events)

    def decode_event(self, raw: bytes | msgspec.Raw) -> Event:
        """Return the event of a record's body, made newer by upcasters if its tag is old; raises `BadMessage`."""
        try:
            event: Event = _or_bad(self._events, raw)
        except BadMessage:
            # Only a tag that is not of today costs a second look.
            if not self._upcasters or _or_bad(_decode_tag, raw).type not in self._upcasters:
                raise
            return self._upcast(_or_bad(msgspec.json.decode, raw))
        return event

    def decode_recorded(self, raw: bytes) -> Event:
        """Return the event of a record's wire form, as `decode_event` does of its body; raises `BadMessage`."""
        try:
            event: Event = self._recorded(raw).body
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            # An old tag, or a record that is none: the slower way knows which.
            return self.decode_event(_or_bad(_decode_record, raw).body)
        return event

    def _upcast(self, message: dict[str, Any]) -> Event:
        seen: set[str] = set()
        while (tag := message["type"]) in self._upcasters:
            if tag in seen:
                raise BadMessage(f"the upcasters of {tag} run in a circle")
            seen.add(tag)
            message = self._upcasters[tag](message)
        return self.decode_event(encode(message))


def decode_envelope(raw: bytes) -> CommandEnvelope:
    """Return the envelope of an inbox entry; raises `BadMessage`."""
    if len(raw) > 2 * MAX_COMMAND_BYTES:
        raise BadMessage(f"longer than {2 * MAX_COMMAND_BYTES} bytes")
    try:
        return _decode_envelope(raw)
    except _UNDECODABLE as error:
        raise _bad(error) from None


def _union_decoder(kinds: Iterable[type[Message]]) -> Callable[[Any], Any]:
    """Return the decode function of the union of some message classes."""
    return msgspec.json.Decoder(_union(kinds)).decode


def _recorded_decoder(kinds: Iterable[type[Message]]) -> Callable[[Any], Any]:
    """Return the decode function of records that looks at the body alone, as one of some message classes."""
    return msgspec.json.Decoder(msgspec.defstruct("_Recorded", [("body", _union(kinds))], frozen=True)).decode


def _union(kinds: Iterable[type[Message]]) -> Any:
    """Return the union of some message classes (of none: every message is unknown)."""
    return Union[tuple(sorted(kinds, key=tag_of)) or (_Nothing,)]  # noqa: UP007 - a union made at run time


class _Nothing(Command, frozen=True, kw_only=True, tag="kernel.Nothing"):
    """Stands for an empty set of messages; its field cannot be given."""

    never: msgspec.UnsetType


def _or_bad(decode: Callable[[Any], Any], raw: bytes | msgspec.Raw) -> Any:
    """Decode, or raise `BadMessage`."""
    try:
        return decode(raw)
    except _UNDECODABLE as error:
        raise _bad(error) from None


_UNDECODABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""Whatever bytes from outside may do to a decoder."""


def _bad(error: Exception) -> BadMessage:
    match error:
        case msgspec.ValidationError():
            return BadMessage(str(error))
        case msgspec.DecodeError():
            return BadMessage(f"not JSON: {error}")
        case UnicodeDecodeError():
            return BadMessage("not UTF-8")
        case _:
            return BadMessage("nested too deeply")
