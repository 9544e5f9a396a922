"""What is posted to the register of persons, and what it answers. Some of these hold personal data; nothing else."""

import msgspec

from libs.kernel.contracts.persons import ForgetReason, LookPurpose
from libs.persons.personal import BirthDate, Name, PersonalData
from services.gateway.bodies import Posting


class RegisterBody(Posting, frozen=True, forbid_unknown_fields=True):
    """A cashier registers a person whose papers lie before him."""

    person: PersonalData


class CorrectBody(Posting, frozen=True, forbid_unknown_fields=True):
    """A cashier has seen other papers of a registered person; all of them are said anew."""

    person: PersonalData


class FindBody(Posting, frozen=True, forbid_unknown_fields=True):
    """Somebody asks which player a person of this name, in any spelling, and date of birth is."""

    name: Name
    birth_date: BirthDate
    purpose: LookPurpose

    def __repr__(self) -> str:
        return "FindBody(…)"


class LookBody(Posting, frozen=True, forbid_unknown_fields=True):
    """Somebody asks who a player is."""

    purpose: LookPurpose


class ForgetBody(Posting, frozen=True, forbid_unknown_fields=True):
    """This player is to be forgotten."""

    reason: ForgetReason


class Registered(msgspec.Struct, frozen=True):
    """The person is in the register under this pseudonym: the id that the ledger and the tables know."""

    player: str
    known: bool
    """True when the person was registered before, with the same papers."""
    excluded: str = ""
    """Why this player may not play, by the refusal's code (`exclusion.self`); empty when he may."""
    accepted: bool = True


class Corrected(msgspec.Struct, frozen=True):
    """These papers are registered from now on; the pseudonym is the same."""

    player: str
    accepted: bool = True


class Found(msgspec.Struct, frozen=True):
    """The pseudonym of the person that was asked for; that it was told is in the log."""

    player: str
    excluded: str = ""
    """Why this player may not play, by the refusal's code (`exclusion.casino`); empty when he may."""
    accepted: bool = True


class LookedAt(msgspec.Struct, frozen=True):
    """Who the player is, as the papers say it; that it was told is in the log. Show the name between bidi isolates."""

    player: str
    person: PersonalData
    accepted: bool = True


class Forgotten(msgspec.Struct, frozen=True):
    """The person is forgotten."""

    player: str
    key_destroyed: bool
    """False when the store of keys did not answer: it is destroyed as soon as it does."""
    excluded: str = ""
    """The exclusion that is forgotten with the person, by the refusal's code; empty when there was none."""
    accepted: bool = True
