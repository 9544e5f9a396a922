"""Files of keys: a line for each, a name and 64 hex digits (256 bits). Lines that begin with # are notes.

The last line is the newest key. A message about a file never says what stands in it.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

KEY_BYTES = 32

_LINE = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]{0,31}) +([0-9A-Fa-f]{64})")


class KeyFileError(Exception):
    """The file of keys cannot be used; the message says why, without a word of what stands in it."""


def read_key_file(path: Path, most: int) -> dict[str, bytes]:
    """Return the keys of a file by name, the newest last; raises `KeyFileError`, for more than `most` keys too."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise KeyFileError(f"{path} is not a file of keys: it is not text") from error
    keys: dict[str, bytes] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise KeyFileError(f"{path}, line {number}: expected a name and 64 hex digits")
        name, digits = found.groups()
        if name in keys:
            raise KeyFileError(f"{path}, line {number}: there is another key of the name {name}")
        keys[name] = bytes.fromhex(digits)
    if not 1 <= len(keys) <= most:
        raise KeyFileError(f"{path} has {len(keys)} keys; expected 1 to {most}")
    return keys


def add_keys(path: Path, names: Sequence[str], most: int) -> None:
    """Put fresh keys at the end of a file that only its owner may read, made if need be; raises `KeyFileError`."""
    known = read_key_file(path, most) if path.exists() else {}
    lines = ""
    for name in names:
        line = f"{name} {os.urandom(KEY_BYTES).hex()}\n"
        if name in known or not _LINE.fullmatch(line.strip()):
            raise KeyFileError(f"{name!r} is no name for a new key: expected a new one of letters, digits, - and _")
        lines += line
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_bytes() if path.exists() else b""
    new = path.with_name(f"{path.name}.new")
    # In one step: whoever reads meanwhile has the old file or the new one, never half of it.
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(before + (b"" if before.endswith(b"\n") or not before else b"\n") + lines.encode())
    new.replace(path)
