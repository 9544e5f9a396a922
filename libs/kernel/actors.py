"""Who speaks: the people and machines of a casino, and what they are."""

from typing import Annotated, Literal

import msgspec

from libs.kernel.limits import MAX_ID_CHARS

Role = Literal[
    "player",
    "croupier",
    "pit_boss",
    "committee_member",
    "technician",
    "cashier",
    "device",
    "auditor",
    "service",
]
"""What a speaker is. `service` is one of our own processes; the door never gives it to anyone outside."""

# `$` alone would let a line end follow.
Id = Annotated[
    str, msgspec.Meta(min_length=1, max_length=MAX_ID_CHARS, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:/@-]*$(?!\n)")
]
"""An identifier: letters, digits and `_.:/@-`."""


class Actor(msgspec.Struct, frozen=True):
    """The speaker of a command, as the door read it from a signed token (never from the body of a request)."""

    id: Id
    role: Role


SYSTEM = Actor(id="tapis", role="service")
"""The actor of ticks and of what one service asks of another."""
