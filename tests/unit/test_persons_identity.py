"""Names in any Unicode form are one identity; what could deceive a reader is no name."""

import unicodedata
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.kernel.limits import MAX_DOCUMENT_CHARS, MAX_NAME_CHARS, SEALED_PERSON_BYTES
from libs.persons.identity import MARKS_IN_A_ROW, folded, identity, is_plain
from libs.persons.personal import PersonalData, flaw

FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")
BORN = "1980-12-31"

ONE_PERSON = [
    ("Zoë Müller-Lüdenscheidt", "ZOE MULLER LUDENSCHEIDT"),
    ("François d’Hérouville", "FRANCOIS D'HEROUVILLE"),
    ("Jean‑Pierre Strauß", "jean pierre STRAUSS"),
    ("Nguyễn Thị Minh Khai", "NGUYEN THI MINH KHAI"),
    ("ﬁlippo ﬀ", "FILIPPO FF"),
    ("Ｊｅａｎ　Ｄｕｐｏｎｔ", "Jean Dupont"),
    ("Işık İnan", "IŞIK INAN"),
    ("Αλέξης Παπαδόπουλος", "ΑΛΕΞΗΣ ΠΑΠΑΔΟΠΟΥΛΟΣ"),
    ("Алёна Йовович", "АЛЕНА ИОВОВИЧ"),
    ("مُحَمَّد", "محمد"),
    ("שָׁלוֹם", "שלום"),
    ("김민준", unicodedata.normalize("NFD", "김민준")),
    ("O\u200dNeil", "O. Neil"),
]

TWO_PERSONS = [
    ("Jean Dupont", "Jean Dupond"),
    ("Jean Dupont", "Dupont Jean"),
    ("राम", "रमा"),
    ("Bjørn", "Bjorn"),
    ("김민준", "김민중"),
]


@pytest.mark.parametrize(("one", "other"), ONE_PERSON)
def test_spellings_of_one_name_are_one_identity(one: str, other: str) -> None:
    """Case, accents, compatibility forms, hyphens, spaces and vowel points make no other person."""
    assert identity(one, BORN) == identity(other, BORN)


@pytest.mark.parametrize(("one", "other"), TWO_PERSONS)
def test_other_names_are_other_identities(one: str, other: str) -> None:
    """Other letters, another order of words, other vowels of a script that writes them with marks: other persons."""
    assert identity(one, BORN) != identity(other, BORN)


def test_the_date_of_birth_belongs_to_the_identity() -> None:
    """Two of one name, born on two days, are two."""
    assert identity("Jean Dupont", BORN) != identity("Jean Dupont", "1980-12-30")


@given(st.text(max_size=MAX_NAME_CHARS))
def test_every_form_of_any_text_folds_to_one(text: str) -> None:
    """Whatever the text and the form of Unicode it is in, it is one identity; folding twice changes nothing."""
    assert {folded(text)} == {folded(unicodedata.normalize(form, text)) for form in FORMS}
    assert folded(text) == folded(folded(text))


@given(st.text(st.characters(categories=["L", "M", "N", "Zs"]), max_size=30))
def test_capitals_are_the_same_person(text: str) -> None:
    """A name in capitals, as passports have it, folds like the same name in small letters."""
    assert folded(text) == folded(text.upper()) == folded(text.lower())


@pytest.mark.parametrize(
    "bad",
    [
        "evil\u202egnp.exe",  # right-to-left override
        "left\u2066isolate",
        "mark\u200f",
        "arabic\u061c",
        "null\x00",
        "line\nfeed",
        "escape\x1b[31m",
        "next\x85line",
        "separator\u2028",
        "soft\u00adhyphen",
        "bom\ufeff",
        "tag\U000e0041",
        "private\ue000",
        "unassigned\u0378",
        "half\ud800",
        "filler\u3164",
        "zalgo" + "\u0301" * (MARKS_IN_A_ROW + 1),
    ],
)
def test_what_deceives_the_eye_is_no_name(bad: str) -> None:
    """Controls, direction overrides, invisible characters and towers of accents are refused, in names and documents."""
    assert not is_plain(bad)
    found = flaw(bad, BORN, "X1")
    assert found is not None
    assert "name" == found[0]
    assert bad not in found[1].fr + found[1].en
    in_document = flaw("Jean Dupont", BORN, bad)
    assert in_document is not None
    assert "document" == in_document[0]


@pytest.mark.parametrize(
    "good",
    ["Éloïse", "Nguyễn Thị", "Ó’Brien-Smith Jr.", "می\u200cخواهم", "क्\u200dष", "山田 太郎", "Иван 3-й"],
)
def test_names_of_the_world_are_names(good: str) -> None:
    """Letters of any script pass, with the joiners that some of them need."""
    assert flaw(good, BORN, "AB-12 3") is None


@pytest.mark.parametrize("name", ["", " ", "-", "'", "123", "\u0301", "\u200d"])
def test_a_name_has_a_letter(name: str) -> None:
    """Spaces, digits and signs alone are nobody's name."""
    found = flaw(name, BORN)
    assert found is not None
    assert "name" == found[0]


NO_DAYS = [
    "1980-02-30",
    "1979-02-29",
    "1900-02-29",
    "1980-13-01",
    "1980-00-10",
    "1980-1-01",
    "80-12-31",
    "1849-12-31",
    "١٩٨٠-١٢-٣١",
    "1980/12/31",
    "1980-12-3²",
    "",
    "1980-12-31T",
]


@pytest.mark.parametrize("date", NO_DAYS)
def test_a_date_of_birth_is_a_day(date: str) -> None:
    """A day that the calendar has, in plain digits."""
    found = flaw("Jean Dupont", date)
    assert found is not None
    assert "birth_date" == found[0]


def test_personal_data_do_not_show_themselves() -> None:
    """Neither `repr` nor an f-string nor a traceback of an assertion says what is in it."""
    data = PersonalData(name="Jean Dupont", birth_date=BORN, document="12AB34567")
    assert {"PersonalData(…)"} == {repr(data), str(data), f"{data}"}
    assert "Dupont" not in repr({"data": [data]})


def test_the_largest_data_fit() -> None:
    """The longest name and document, in the widest characters, are within what may be sealed."""
    wide = "\U00020000"
    data = PersonalData(name=wide * MAX_NAME_CHARS, birth_date=BORN, document=wide * MAX_DOCUMENT_CHARS)
    assert len(msgspec.json.encode(data)) + 256 + 28 <= SEALED_PERSON_BYTES
