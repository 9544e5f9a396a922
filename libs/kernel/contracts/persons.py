"""What the register of persons is asked, and the facts that it answers with.

No message holds personal data in the clear, nor anything made from it that could be recognised: `player` is a pseudonym
made of random bytes, `sealed` is encrypted with a key of this person alone, which lies outside the log and is destroyed
when the person is forgotten. Reasons are words of a list, not free text: people would write names into it.
"""

from typing import Annotated, ClassVar, Literal

import msgspec

from libs.kernel.limits import SEALED_PERSON_BYTES
from libs.kernel.messages import Command, Event

Pseudonym = Annotated[str, msgspec.Meta(pattern=r"^p-[a-z2-7]{16}$(?!\n)")]
"""The id of a registered player: `p-` and 80 random bits. Says nothing about the person."""

Sealed = Annotated[bytes, msgspec.Meta(min_length=1, max_length=SEALED_PERSON_BYTES)]
"""Personal data, encrypted; base64 on the wire."""

LookPurpose = Literal["cage", "table", "dispute", "authority", "person"]
"""Why somebody looks at a person: money at the cage, service at a table, a dispute, a request of an authority, or the
person asks what is known of him."""

ForgetReason = Literal["person", "retention_over", "error", "authority"]
"""Why a person is forgotten: he asked, the time of keeping is over, the entry was an error, an authority orders it."""

Looked = Literal["pseudonym", "data"]
"""What somebody was told: which pseudonym a person has, or all that is registered."""


class RegisterPerson(Command, frozen=True, kw_only=True, tag="persons.RegisterPerson"):
    """A cashier has seen a person's papers. The door has sealed what they say and knows whether the person is known."""

    player: Pseudonym
    sealed: Sealed


class CorrectPerson(Command, frozen=True, kw_only=True, tag="persons.CorrectPerson"):
    """A cashier has seen new papers of a registered person: a renewed document, another name, an error made good."""

    player: Pseudonym
    sealed: Sealed


class LookAtPerson(Command, frozen=True, kw_only=True, tag="persons.LookAtPerson"):
    """Somebody wants to know who a player is, or which player a person is; the door tells once this is in the log."""

    player: Pseudonym
    looked: Looked
    purpose: LookPurpose


class ForgetPerson(Command, frozen=True, kw_only=True, tag="persons.ForgetPerson"):
    """A committee member wants a person forgotten: the key is destroyed, the log stays as it is."""

    player: Pseudonym
    reason: ForgetReason


class ConfirmKeyDestroyed(Command, frozen=True, kw_only=True, tag="persons.ConfirmKeyDestroyed"):
    """The door has destroyed the key of a forgotten person."""

    internal: ClassVar[bool] = True

    player: Pseudonym


class PersonsOpened(Event, frozen=True, kw_only=True, tag="persons.PersonsOpened"):
    """The first event of the register."""

    opens_volume: ClassVar[bool] = True

    book: str


class PersonRegistered(Event, frozen=True, kw_only=True, tag="persons.PersonRegistered"):
    """A person is registered under a pseudonym; only the person's own key opens `sealed`."""

    player: str
    sealed: bytes


class PersonCorrected(Event, frozen=True, kw_only=True, tag="persons.PersonCorrected"):
    """What is registered of a person is this from here on; the pseudonym and the key are the same."""

    player: str
    sealed: bytes


class PersonLookedAt(Event, frozen=True, kw_only=True, tag="persons.PersonLookedAt"):
    """The actor of this event was told who the player is, or which player a person is."""

    player: str
    looked: str
    purpose: str
    at_ms: int
    """Time of the decision: what it allows to see is shown for a short while only."""


class PersonForgotten(Event, frozen=True, kw_only=True, tag="persons.PersonForgotten"):
    """From here on nobody is told who the player was; the key is being destroyed."""

    player: str
    reason: str


class KeyDestroyed(Event, frozen=True, kw_only=True, tag="persons.KeyDestroyed"):
    """The person's key and the entry in the index of identities are gone: nothing opens the sealed data any more."""

    player: str
