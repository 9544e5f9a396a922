"""Who speaks: the people and machines of a casino, and what they are."""

from typing import Annotated, Literal, get_args

import msgspec

from libs.kernel.limits import MAX_ENVELOPE_ID_CHARS, MAX_ID_CHARS

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

AT_TABLES: frozenset[Role] = frozenset(get_args(Role)) - {"auditor", "service"}
"""Who may send commands to tables at all, from outside; which role may say what is the table's rule."""

# `$` alone would let a line end follow.
Id = Annotated[
    str, msgspec.Meta(min_length=1, max_length=MAX_ID_CHARS, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:/@-]*$(?!\n)")
]
"""An identifier: letters, digits and `_.:/@-`."""


# How ids of strangers are spelt is the door's business (`Id`); what comes from our own processes is only measured. To
# look at the spelling again would cost the loop of a shard more than to decode the rest of an envelope.
BoundedId = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_ENVELOPE_ID_CHARS)]
"""An identifier that was checked before."""


class Actor(msgspec.Struct, frozen=True, gc=False):
    """The speaker of a command, as the door read it from a signed token (never from the body of a request)."""

    id: BoundedId
    role: Role


SYSTEM = Actor(id="tapis", role="service")
"""The actor of ticks and of what one service asks of another."""
