"""Reads known answers in the form of the NIST CAVP response files (`tests/vectors`)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

VECTORS = Path(__file__).parents[1] / "vectors"


@dataclass
class Vector:
    """One numbered entry: its section's title lines, and its fields, each with all its values in order."""

    section: str
    fields: dict[str, list[bytes]] = field(default_factory=dict)

    def one(self, name: str) -> bytes:
        """Return a field that stands once, or nothing at all."""
        return self.fields.get(name, [b""])[0]


def vectors(name: str) -> Iterator[Vector]:
    """Yield the entries of a response file."""
    titles: list[str] = []
    current: Vector | None = None
    for line in [*(VECTORS / name).read_text(encoding="ascii").splitlines(), "[end]"]:
        if line.startswith(("[", "COUNT")) and current is not None:
            yield current
            current, titles = None, [] if line.startswith("[") else titles
        if line.startswith("["):
            titles.append(line)
        elif line.startswith("COUNT"):
            current = Vector(" ".join(titles) + f" {line}")
        elif "=" in line and not line.startswith("#") and current is not None:
            key, _, value = line.partition("=")
            current.fields.setdefault(key.strip(), []).append(bytes.fromhex(value))
