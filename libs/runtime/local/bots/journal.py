"""The bots' own journal: what each asked and what it was told, to be compared with the log by whoever doubts it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from libs.kernel.refusals import Refusal


class Answer(msgspec.Struct, frozen=True):
    """What became of a command, as the gateway told it."""

    accepted: bool
    stream: str = ""
    """Where the events went; empty when nothing new was logged."""
    events: tuple[dict[str, Any], ...] = ()
    refusal: Refusal | None = None

    @property
    def code(self) -> str:
        """Code of the refusal; empty when accepted."""
        return self.refusal.code if self.refusal else ""


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line: a command was asked, or (with `answer`) answered."""

    id: str
    """As it is in the log: `<sub>:<command id>`."""
    command: str
    """Its tag."""
    answer: Answer | None = None


class Journal:
    """A file of lines of JSON. A line is written in one go, so that a killed bot leaves whole lines only."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def note(self, line: Line) -> None:
        """Write a line."""
        os.write(self._file, msgspec.json.encode(line) + b"\n")

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def read_journal(path: Path) -> Iterator[Line]:
    """Yield the lines of a journal, oldest first."""
    decoder = msgspec.json.Decoder(Line)
    with path.open("rb") as file:
        for raw in file:
            yield decoder.decode(raw)
