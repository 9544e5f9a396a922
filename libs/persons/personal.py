"""What the register holds of a person, as the papers say it, and when it cannot be taken."""

from typing import Annotated, Any

import msgspec

from libs.kernel.limits import MAX_DOCUMENT_CHARS, MAX_NAME_CHARS
from libs.kernel.refusals import Refusal
from libs.persons.identity import folded, is_plain
from libs.persons.refusals import BAD_BIRTH_DATE, BAD_DOCUMENT, BAD_NAME

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME_CHARS)]
"""Given names and family name as the papers write them, in one line."""

BirthDate = Annotated[str, msgspec.Meta(min_length=10, max_length=10)]
"""`1980-12-31`."""

Document = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_DOCUMENT_CHARS)]
"""The number of the identity document, with its kind if that is needed to find it."""


class PersonalData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's papers. Never in a message, a log or an error: not even `repr` says what it holds."""

    name: Name
    birth_date: BirthDate
    document: Document

    def __repr__(self) -> str:
        return "PersonalData(…)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return []


def flaw(name: str, birth_date: str, document: str | None = None) -> tuple[str, Refusal] | None:
    """Return the field that cannot be taken and why; None when all is well."""
    if not is_plain(name) or not any(sign.isalpha() for sign in folded(name)):
        return "name", BAD_NAME
    if not _is_date(birth_date):
        return "birth_date", BAD_BIRTH_DATE
    if document is not None and not (is_plain(document) and folded(document)):
        return "document", BAD_DOCUMENT
    return None


def _is_date(text: str) -> bool:
    """Tell whether a text is a day of the calendar in the form `1980-12-31`.

    >>> _is_date("1980-12-31"), _is_date("1979-02-29"), _is_date("2000-02-29"), _is_date("1980-1-31")
    (True, False, True, False)
    """
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not all(part.isascii() and part.isdecimal() for part in parts):
        return False
    year, month, day = (int(part) for part in parts)
    if not (year >= 1850 and 1 <= month <= 12):
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = 29 if month == 2 and leap else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    return 1 <= day <= days
