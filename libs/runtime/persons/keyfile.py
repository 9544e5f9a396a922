"""The file of keys for the register of persons.

index    <64 hex digits>    recognises a person; never changed, or nobody would be recognised any more
2026-11  <64 hex digits>    opens the keys of persons
2026-12  <64 hex digits>    the last line is the one that locks; all lines open
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from libs.kernel.limits import PERSON_KEY_LINES
from libs.runtime.keyfile import KeyFileError, add_keys, read_key_file

PERSON_KEYS_FILE = "person-keys"
"""How the file is called where we choose its name."""

INDEX = "index"


@dataclass(frozen=True, slots=True, repr=False)
class PersonKeys:
    """The keys of the file. Never shown, not even by `repr`."""

    index: bytes
    wrapping: Mapping[str, bytes]
    """By name, the newest last."""


def read_person_keys(path: Path) -> PersonKeys:
    """Read the file; raises `KeyFileError`."""
    keys = read_key_file(path, PERSON_KEY_LINES)
    index = keys.pop(INDEX, None)
    if index is None:
        raise KeyFileError(f"{path} has no line `{INDEX}`: without it nobody in the register can be recognised")
    if not keys:
        raise KeyFileError(f"{path} has no key but `{INDEX}`: at least one must open the keys of persons")
    return PersonKeys(index, keys)


def add_person_key(path: Path, name: str) -> None:
    """Put a fresh key at the end of the file; a new file gets its index key too. Raises `KeyFileError`."""
    add_keys(path, [name] if path.exists() else [INDEX, name], PERSON_KEY_LINES)
