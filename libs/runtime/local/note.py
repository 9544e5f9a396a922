"""`run.json`, the note that a local casino leaves in its folder for the `tapis` command."""

from pathlib import Path

import msgspec

_FILE = "run.json"


class RunNote(msgspec.Struct, frozen=True, kw_only=True):
    """Where everything of the running, or last, casino of a folder is."""

    site: str
    floor: str
    redis_url: str
    embedded: bool
    gateway_url: str
    display_url: str
    processes: dict[str, int] = {}
    """Process ids by name; those of the last run when it is over."""


def write_note(folder: Path, note: RunNote) -> None:
    """Write the note anew, in one step."""
    written = folder / f"{_FILE}.new"
    written.write_bytes(msgspec.json.format(msgspec.json.encode(note)) + b"\n")
    written.replace(folder / _FILE)


def read_note(folder: Path) -> RunNote | None:
    """Return the note of a folder; None when there is none."""
    try:
        return msgspec.json.decode((folder / _FILE).read_bytes(), type=RunNote)
    except (OSError, msgspec.MsgspecError):
        return None
