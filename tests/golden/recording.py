"""How golden logs are written: a line of JSON per event of one stream, then the state that it folds to, for ever."""

from pathlib import Path

import msgspec

from tests.kit.given import GivenTable
from tests.kit.goldens import add_digest


def write(game: str, name: str, table: GivenTable) -> None:
    """Write the current stream of a table and its state into the game's folder, and its digest; never overwrite one."""
    golden = Path(__file__).parent
    log = golden / game / name
    log.parent.mkdir(exist_ok=True)
    lines = [msgspec.json.encode(event) for event in table.log]
    lines.append(msgspec.json.encode({"state": table.state}))
    if not log.exists():
        log.write_bytes(b"\n".join(lines) + b"\n")
        add_digest(log, golden)
