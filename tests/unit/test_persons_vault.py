"""What is sealed opens with the person's own key, in its place, and in no other way."""

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.kernel.limits import MAX_DOCUMENT_CHARS, MAX_NAME_CHARS, SEALED_PERSON_BYTES, SEALED_PERSON_STEP_BYTES
from libs.persons.personal import PersonalData
from libs.runtime.keyfile import KeyFileError
from libs.runtime.persons.keyfile import PersonKeys, add_person_key, read_person_keys
from libs.runtime.persons.vault import CannotOpen, Vault
from tests.kit.register import BORN, DOCUMENT, INDEX, NAME, NEW, OLD, found_in

ANNA, BRUNO = "p-aaaaaaaaaaaaaaaa", "p-bbbbbbbbbbbbbbbb"
DATA = PersonalData(name=NAME, birth_date=BORN, document=DOCUMENT)
BEFORE = Vault(PersonKeys(INDEX, {"old": OLD}), "site-a")
BOTH = Vault(PersonKeys(INDEX, {"old": OLD, "new": NEW}), "site-a")
AFTER = Vault(PersonKeys(INDEX, {"new": NEW}), "site-a")


def test_what_is_sealed_can_be_opened() -> None:
    """With the person's key it comes back as it was written, and nothing of it can be seen in the sealed form."""
    locked = BEFORE.new_locked_key(ANNA)
    sealed = BEFORE.seal(ANNA, locked, DATA)
    assert DATA == BEFORE.open(ANNA, locked, sealed)
    assert [] == found_in(sealed) + found_in(locked.encode())


def test_the_same_data_seal_to_the_same_bytes_under_one_key() -> None:
    """So a command sent again is the same command; other data, or another person's key, give other bytes throughout."""
    locked, other = BEFORE.new_locked_key(ANNA), BEFORE.new_locked_key(ANNA)
    sealed = BEFORE.seal(ANNA, locked, DATA)
    assert sealed == BEFORE.seal(ANNA, locked, DATA)
    changed = BEFORE.seal(ANNA, locked, PersonalData(name=NAME, birth_date=BORN, document="X"))
    assert sealed[:12] != changed[:12], "the nonce is another one"
    assert sealed != BEFORE.seal(ANNA, other, DATA)


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=MAX_NAME_CHARS),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=MAX_DOCUMENT_CHARS),
)
def test_any_writing_comes_back_as_it_was_written(name: str, document: str) -> None:
    """Whatever form of Unicode it is in; and the length of the sealed form tells a step, not a length."""
    locked = BEFORE.new_locked_key(ANNA)
    data = PersonalData(name=name, birth_date=BORN, document=document)
    sealed = BEFORE.seal(ANNA, locked, data)
    assert data == BEFORE.open(ANNA, locked, sealed)
    assert 0 == (len(sealed) - 28) % SEALED_PERSON_STEP_BYTES
    assert len(sealed) <= SEALED_PERSON_BYTES


def test_moved_or_changed_it_does_not_open() -> None:
    """Another person, another site, a changed byte, another key of the same name, no such key, rubbish: nothing."""
    locked = BEFORE.new_locked_key(ANNA)
    sealed = BEFORE.seal(ANNA, locked, DATA)
    elsewhere = Vault(PersonKeys(INDEX, {"old": OLD}), "site-b")
    stranger = Vault(PersonKeys(INDEX, {"old": NEW}), "site-a")
    flipped = bytes([sealed[0] ^ 1]) + sealed[1:]
    tries = [
        (BEFORE, BRUNO, locked, sealed),
        (elsewhere, ANNA, locked, sealed),
        (stranger, ANNA, locked, sealed),
        (AFTER, ANNA, locked, sealed),
        (BEFORE, ANNA, locked, flipped),
        (BEFORE, ANNA, locked, b""),
        (BEFORE, ANNA, "old.zz", sealed),
        (BEFORE, ANNA, "", sealed),
        (BEFORE, ANNA, BEFORE.new_locked_key(ANNA), sealed),
    ]
    for vault, player, key, box in tries:
        with pytest.raises(CannotOpen) as error:
            vault.open(player, key, box)
        assert [] == found_in(repr(error.value).encode())


def test_rotation() -> None:
    """Locked anew, the same data key is opened by the new key alone, and the sealed data are the same bytes."""
    locked = BEFORE.new_locked_key(ANNA)
    sealed = BEFORE.seal(ANNA, locked, DATA)
    assert ("old", None) == (BOTH.locked_with(locked), AFTER.locked_with(locked))
    renewed = BOTH.lock_anew(ANNA, locked)
    assert ("new", DATA) == (AFTER.locked_with(renewed), AFTER.open(ANNA, renewed, sealed))
    assert sealed == AFTER.seal(ANNA, renewed, DATA)
    with pytest.raises(CannotOpen, match="no key 'new'"):
        BEFORE.open(ANNA, renewed, sealed)


def test_a_tag_recognises_and_tells_nothing() -> None:
    """One for all spellings, another for another person or index key; the keys that lock have no part in it."""
    imprint = BEFORE.imprint(NAME, BORN)
    assert imprint == AFTER.imprint("ZOE MULLER LUDENSCHEIDT", BORN)
    other = Vault(PersonKeys(NEW, {"old": OLD}), "site-a")
    assert 4 == len(
        {imprint, BEFORE.imprint("Zoe Muller", BORN), BEFORE.imprint(NAME, "1971-03-10"), other.imprint(NAME, BORN)}
    )
    assert (BEFORE.fingerprint(), True) == (AFTER.fingerprint(), BEFORE.fingerprint() != other.fingerprint())


def test_pseudonyms_are_not_made_of_anything() -> None:
    """A thousand are a thousand, in the form that messages demand."""
    made = {Vault.new_pseudonym() for _ in range(1_000)}
    assert 1_000 == len(made)
    assert {(18, "p-")} == {(len(one), one[:2]) for one in made}


def test_nothing_shows_a_key() -> None:
    """Printed, keys and vault say nothing of what is inside."""
    keys = PersonKeys(INDEX, {"old": OLD})
    said = repr(keys) + str(keys) + repr(Vault(keys, "site-a"))
    assert [] == [key for key in (INDEX, OLD) if key.hex() in said or repr(key) in said]


def test_a_file_is_made_and_grows(tmp_path: Path) -> None:
    """The first key comes with an index key that stays; the last one locks; nobody else may read the file."""
    path = tmp_path / "keys" / "person-keys"
    add_person_key(path, "2026-11")
    first = read_person_keys(path)
    add_person_key(path, "2026-12")
    second = read_person_keys(path)
    assert (first.index, ["2026-11"], ["2026-11", "2026-12"]) == (second.index, [*first.wrapping], [*second.wrapping])
    assert first.wrapping["2026-11"] == second.wrapping["2026-11"]
    assert 3 == len({second.index, *second.wrapping.values()})
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    for name in ("index", "2026-12", "no name", ""):
        with pytest.raises(KeyFileError, match="no name"):
            add_person_key(path, name)
    assert second.wrapping == read_person_keys(path).wrapping


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "0 keys"),
        (f"index {'0' * 64}\n", "no key but `index`"),
        (f"2026-11 {'0' * 64}\n", "no line `index`"),
        ("index secret\n", "line 1: expected"),
        (f"index {'0' * 64}\nindex {'1' * 64}\n", "another key of the name index"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(tmp_path: Path, content: str, reason: str) -> None:
    """Which says what is wrong, and not what stands there."""
    path = tmp_path / "person-keys"
    path.write_text(content)
    with pytest.raises(KeyFileError, match=reason) as error:
        read_person_keys(path)
    assert "secret" not in str(error.value)
