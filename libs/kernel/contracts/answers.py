"""How a service hears what became of a command it sent to another."""

from typing import ClassVar

from libs.kernel.messages import Command, Event
from libs.kernel.refusals import Refusal


class Answered(Command, frozen=True, kw_only=True, tag="kernel.Answered"):
    """The answer to command `to`: refused, or accepted with the facts it led to.

    Sent by the runtime of the asked shard to the return address. It may be lost or come twice: the asker's `react` asks
    again, and a decider ignores an answer that it does not wait for.
    """

    internal: ClassVar[bool] = True

    to: str
    refusal: Refusal | None = None
    events: tuple[Event, ...] = ()
    """Decoded by the receiving codec, which knows the contract's events."""
