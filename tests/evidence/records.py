"""What physical wheels and dice showed: from a file (CSV or JSON lines), or from a table's log by recorded outcomes."""

import csv
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import msgspec

from libs.cli.replay import find_table
from libs.eventlog.api import EventLog
from libs.eventlog.chain import decode_record
from libs.games.wheel.messages import SpinReported
from libs.games.wheel.paytables import INNER_SEGMENTS, MAIN_SEGMENTS
from libs.kernel.ids import stream_name
from libs.kernel.messages import Event
from libs.runtime.kinds import PIT
from libs.table.messages import SessionOpened
from libs.table.outcome_messages import OutcomeAwaited, OutcomeConfirmed, OutcomeCorrected, OutcomeRecorded

LEAST_SAMPLES = 100
"""Fewer say nothing about a device."""


class RecordError(Exception):
    """A file of records that cannot be read as such; the sentence names the line."""


class Records(msgspec.Struct):
    """What one device showed, in order, each from 0."""

    name: str
    bound: int
    in_a_circle: bool
    values: list[int] = []


class _Line(msgspec.Struct, forbid_unknown_fields=False):
    """One line of a file: a face, or several that were thrown together."""

    face: str | int | None = None
    faces: list[str | int] = []
    device: str = ""


def faces_of(text: str) -> list[str]:
    """Return the faces of a device: `52` stands for 1 … 52, anything else for the faces themselves.

    >>> faces_of("3"), faces_of("RC,RN")
    (['1', '2', '3'], ['RC', 'RN'])
    """
    faces = [str(number) for number in range(1, int(text) + 1)] if text.isdecimal() else text.split(",")
    if not 2 <= len(set(faces)) == len(faces):
        raise RecordError(f"a device has two different faces or more, not {text!r}")
    return faces


def from_file(path: Path, faces: Sequence[str], *, in_a_circle: bool) -> list[Records]:
    """Return the records of each device in a file; raises `RecordError` that names the first bad line."""
    read = _csv_lines if path.suffix.lower() == ".csv" else _json_lines
    number_of = {face: number for number, face in enumerate(faces)}
    found: dict[str, Records] = {}
    for number, line in read(path):
        name = line.device or path.stem
        records = found.setdefault(name, Records(name, len(faces), in_a_circle))
        thrown: list[str | int | None] = [*line.faces] or [line.face]
        for face in thrown:
            if str(face) not in number_of:
                raise RecordError(f"{path.name}, line {number}: {face!r} is no face of this device")
            records.values.append(number_of[str(face)])
    return list(found.values())


def _csv_lines(path: Path) -> Iterator[tuple[int, _Line]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        if "face" not in (rows.fieldnames or ()):
            raise RecordError(f"{path.name}: the first line names the columns, and one of them is `face`")
        for row in rows:
            yield rows.line_num, _Line(face=(row["face"] or "").strip(), device=(row.get("device") or "").strip())


def _json_lines(path: Path) -> Iterator[tuple[int, _Line]]:
    decode = msgspec.json.Decoder(_Line).decode
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                yield number, decode(line)
            except msgspec.DecodeError as error:
                raise RecordError(f"{path.name}, line {number}: {error}") from error


async def from_log(log: EventLog, table: str) -> list[Records]:
    """Return what was recorded at a table, in all its sessions: by people, confirmed and as corrected, or by a sensor.

    Cards are left out: they are not put back before the next one is drawn.
    """
    shard, volumes = await find_table(log, table)
    found: dict[int, Records] = {}
    for volume in volumes:
        circle = False
        standing: dict[tuple[int, str], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        events = [event async for event in _events(log, shard, stream_name(table, volume))]
        if any(isinstance(event, SessionOpened) and event.game == "paire_poker" for event in events):
            continue
        circle = any(isinstance(event, SessionOpened) and event.game == "wheel" for event in events)
        _follow(events, standing)
        for bounds, values in standing.values():
            for bound, value in zip(bounds, values, strict=True):
                _of(found, table, bound, circle).values.append(value)
    return list(found.values())


def _follow(events: Sequence[Event], standing: dict[tuple[int, str], tuple[tuple[int, ...], tuple[int, ...]]]) -> None:
    """Gather the outcomes of a session that stand at its end, in the order in which they came to stand."""
    bounds: dict[tuple[int, str], tuple[int, ...]] = {}
    recorded: dict[tuple[int, str], tuple[int, ...]] = {}
    for number, event in enumerate(events):
        match event:
            case OutcomeAwaited():
                bounds[event.coup, event.name] = event.bounds
            case OutcomeRecorded():
                recorded[event.coup, event.name] = event.values
            case OutcomeCorrected():
                recorded[event.coup, event.name] = event.values
                for name in (event.name, *event.reopened):
                    standing.pop((event.coup, name), None)
            case OutcomeConfirmed():
                key = event.coup, event.name
                if key in recorded:
                    standing[key] = bounds[key], recorded[key]
            case SpinReported() if event.segment is not None and not event.anomaly:
                ring = MAIN_SEGMENTS if event.ring == "main" else INNER_SEGMENTS
                standing[event.coup, f"{event.ring} {number}"] = (len(ring),), (event.segment - 1,)
            case _:
                pass


async def _events(log: EventLog, shard: str, stream: str) -> AsyncIterator[Event]:
    async for page in log.load(shard, stream):
        for raw in page:
            yield PIT.codec.decode_event(bytes(decode_record(raw).body))


def _of(found: dict[int, Records], table: str, bound: int, in_a_circle: bool) -> Records:
    return found.setdefault(bound, Records(f"{table}, {bound}", bound, in_a_circle))


class TooFew(msgspec.Struct, frozen=True):
    """A device that has shown too little to be judged."""

    name: str
    samples: int
    needed: int

    def __str__(self) -> str:
        return f"{self.name}: {self.samples} records are too few, {self.needed} are needed"


def too_few(records: Records) -> TooFew | None:
    """Tell whether a device has shown too little to be judged."""
    needed, found = max(LEAST_SAMPLES, 5 * records.bound), len(records.values)
    return TooFew(records.name, found, needed) if found < needed else None
