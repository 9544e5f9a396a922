"""What a report holds, and how it is made: each section is looked at once, and those suspected a second time."""

import platform
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec
import numpy as np

from tests.evidence import battery, shapes
from tests.evidence.battery import SEQUENCE_BITS, Known
from tests.evidence.judging import LEVEL, Finding, judged, of_battery
from tests.evidence.records import Records, TooFew
from tests.evidence.sources import Path

RAW = "Raw bits"


class Sizes(msgspec.Struct, frozen=True):
    """How much is looked at."""

    sequences: int
    """Sequences of a million raw bits."""
    values: int
    """Draws of each kind of die and wheel."""
    orders: int
    """Orders of 54 cards."""


QUICK = Sizes(sequences=100, values=200_000, orders=20_000)
LONG = Sizes(sequences=1_000, values=2_000_000, orders=100_000)

SHAPES: dict[str, int] = {
    "Die, 6 faces": 6,
    "Die, 20 faces": 20,
    "Wheel, 52 segments": 52,
    "Inner wheel, 6 segments": 6,
}
CARDS = "54 cards, without replacement"


class Section(msgspec.Struct, frozen=True):
    """The findings about one kind of number."""

    name: str
    samples: int
    findings: list[Finding]

    @property
    def passed(self) -> bool:
        """Tell whether nothing in it fails."""
        return all(one.verdict != "failed" for one in self.findings)


class Report(msgspec.Struct, frozen=True):
    """A whole report."""

    made_at: str
    python: str
    subject: str
    """What was looked at: `generator`, or the names of the records."""
    level: float
    sizes: Sizes | None
    known: list[Known]
    """The battery on the number e, against what NIST published."""
    sections: list[Section]
    left_out: list[TooFew] = []
    """Devices that have shown too little: nothing is said of them."""

    @property
    def passed(self) -> bool:
        """Tell whether the battery is right and nothing fails."""
        return all(one.agrees for one in self.known) and all(section.passed for section in self.sections)


def of_generator(path: Path, sizes: Sizes, say: Callable[[str], None]) -> Report:
    """Look at the generator: its raw bits and its draws."""

    def look(sections: set[str] | None = None) -> list[Finding]:
        return [
            one
            for name in _looks(sizes)
            if sections is None or name in sections
            for one in _look(path, name, sizes, say)
        ]

    found = judged(look(), lambda suspected: look({_section_of(name) for name in suspected}))
    known = battery.known_answers() if sizes.sequences else []
    counts = {RAW: sizes.sequences * SEQUENCE_BITS, CARDS: sizes.orders} | dict.fromkeys(SHAPES, sizes.values)
    grouped = [
        Section(name, counts[name], [one for one in found if _section_of(one.section) == name])
        for name in _looks(sizes)
    ]
    return Report(_now(), platform.python_version(), "generator", LEVEL, sizes, known, grouped)


def of_records(records: Sequence[Records], left_out: Sequence[TooFew]) -> Report:
    """Look at what physical devices showed, and name those that are left out."""
    looks = [
        shapes.of_values(one.name, np.array(one.values), one.bound, in_a_circle=one.in_a_circle) for one in records
    ]
    found = judged([one for look in looks for one in look], None)
    sections = [
        Section(one.name, len(one.values), [finding for finding in found if finding.section == one.name])
        for one in records
    ]
    subject = ", ".join(one.name for one in records)
    return Report(_now(), platform.python_version(), subject, LEVEL, None, [], sections, [*left_out])


def _looks(sizes: Sizes) -> list[str]:
    return [*([RAW] if sizes.sequences else []), *SHAPES, CARDS]


def _look(path: Path, name: str, sizes: Sizes, say: Callable[[str], None]) -> list[Finding]:
    say(name)
    if name == RAW:
        return of_battery(name, [battery.p_values(path.raw(SEQUENCE_BITS // 8)) for _ in range(sizes.sequences)])
    if name == CARDS:
        return shapes.of_orders(name, path.orders(sizes.orders))
    return shapes.of_values(name, path.values(SHAPES[name], sizes.values), SHAPES[name])


def _section_of(name: str) -> str:
    """Return the section that a finding is printed in: the top cards are part of the cards."""
    return CARDS if name.startswith(CARDS) else name


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
