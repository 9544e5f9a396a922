"""The two kinds of message that are kept or sent: commands (wishes) and events (facts).

The tag of a message is the storage format: it is written into logs that are kept for ever. A tag never changes its
meaning and never disappears; new fields get defaults; a changed meaning is a new tag and an upcaster.
"""

from typing import ClassVar

import msgspec


class Message(msgspec.Struct, frozen=True, gc=False, kw_only=True, tag_field="type"):
    """Base of all messages. Subclasses repeat `frozen=True, kw_only=True` and name their stable `tag`."""


class Command(Message, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A wish, imperative, addressed to one book. Decoded strictly: an unknown field is refused."""

    internal: ClassVar[bool] = False
    """True for commands that only our own services send; the door refuses them."""


class Event(Message, frozen=True, kw_only=True):
    """A fact, past tense, kept for ever. Unknown fields are ignored, so that older readers survive an upgrade."""

    opens_volume: ClassVar[bool] = False
    """True for the event that begins a new stream of its book (a session, a gaming day)."""

    secret: ClassVar[bool] = False
    """True for events that must not reach the feed (law 10); the log keeps them."""

    for_asker: ClassVar[bool] = False
    """True for secret events that another of our shards asked for: its inbox is told, and nobody else."""


def tag_of(kind: type[Message] | Message) -> str:
    """Return the stable tag of a message or message class."""
    cls = kind if isinstance(kind, type) else type(kind)
    return str(cls.__struct_config__.tag)


class Tick(Command, frozen=True, kw_only=True, tag="kernel.Tick"):
    """The runtime's word that time has passed; the time itself is in the context. Never on an inbox."""

    internal: ClassVar[bool] = True
