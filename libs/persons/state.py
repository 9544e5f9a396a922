"""What the register knows: which pseudonyms are registered, and whose key is still to be destroyed. Nothing of who."""

import msgspec

from libs.kernel import buckets
from libs.kernel.buckets import Buckets


class PersonsDefect(Exception):
    """One of our own services said something that cannot be; nothing is logged, the command is parked."""


class Person(msgspec.Struct, frozen=True, gc=False):
    """One registered pseudonym."""

    version: int
    """Where in the stream the latest sealed data are."""
    digest: str
    """First 16 hex digits of SHA-256 of the sealed data: the same person with the same data seals to the same bytes."""
    forgotten: bool = False


class PersonsState(msgspec.Struct, frozen=True, gc=False):
    """The register. Encodes to the same JSON wherever the same events are folded."""

    book: str
    events: int = 0
    """Events so far; equal to the version of the stream."""
    persons: Buckets[Person] = buckets.empty()
    """By pseudonym."""
    kept: int = 0
    """Persons who are not forgotten."""
    destroying: dict[str, str] = {}
    """Forgotten persons whose key may still be there: pseudonym and reason, oldest first."""


def initial(book: str) -> PersonsState:
    """Return the register before its first event."""
    return PersonsState(book=book)


def person(state: PersonsState, player: str) -> Person | None:
    """Return what the register knows of a pseudonym."""
    return buckets.find(state.persons, player)
