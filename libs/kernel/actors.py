"""Who speaks: the people and machines of a casino, and what they are."""

import re
from typing import Annotated, Literal, get_args

import msgspec

from libs.kernel.limits import MAX_ENVELOPE_ID_CHARS, MAX_ID_CHARS, MAX_PLAYER_ID_CHARS

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
_SPELT = r"^[A-Za-z0-9][A-Za-z0-9_.:/@-]*$(?!\n)"
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_ID_CHARS, pattern=_SPELT)]
"""An identifier: letters, digits and `_.:/@-`."""


# How ids of strangers are spelt is the door's business (`Id`); what comes from our own processes is only measured. To
# look at the spelling again would cost the loop of a shard more than to decode the rest of an envelope.
BoundedId = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_ENVELOPE_ID_CHARS)]
"""An identifier that was checked before."""


class Actor(msgspec.Struct, frozen=True, gc=False):
    """The speaker of a command, as the door read it from a signed token (never from the body of a request)."""

    id: BoundedId
    role: Role


RESERVED_NAMES = frozenset(
    {
        "again", "allowance", "answer", "commit", "credit", "day", "draw", "float", "post", "reveal", "seed", "shred",
        "tapis", "tick", "transit",
    }
)  # fmt: skip
"""First words of our own services' command ids: a speaker of that name could forge one (`post:T1/4/17`)."""


def may_speak(name: str, role: Role) -> bool:
    """Tell whether somebody of this name can speak at all: whoever pays a player asks this before.

    A colon would let `a` with the command `b:c` pass for `a:b` with the command `c`.

    >>> may_speak("player-1", "player"), may_speak("a:b", "player"), may_speak("tapis", "cashier")
    (True, False, False)
    """
    if ":" in name or name in RESERVED_NAMES or re.search(_SPELT, name) is None:
        return False
    return len(name) <= (MAX_PLAYER_ID_CHARS if role == "player" else MAX_ID_CHARS)


SYSTEM = Actor(id="tapis", role="service")
"""The actor of ticks and of what one service asks of another."""
