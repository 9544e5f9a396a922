"""Record the little day of `tests.kit.days`: the logs of a house, and reports of its first day. Never overwrites."""

import asyncio
from pathlib import Path
from zoneinfo import ZoneInfo

from libs.cli.report import text
from libs.cli.report.rows import as_csv, tables
from libs.runtime.report.signing import encode
from tests.kit.days import FIRST, FLOOR, records, reported, two_days
from tests.kit.goldens import add_digest

GOLDEN = Path(__file__).parent
FOLDER = GOLDEN / "days" / "lively"


async def record() -> None:
    """Play the day and write what is not there yet."""
    log = FOLDER / "records.jsonl"
    if log.exists():
        return
    house = await two_days()
    report = await reported(house, FIRST)
    FOLDER.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"\n".join(records(house)) + b"\n")
    (FOLDER / "report.json").write_bytes(encode(report) + b"\n")
    lines = text.day(report, ZoneInfo(FLOOR.site.timezone))
    (FOLDER / "report.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (FOLDER / "report.csv").write_text(as_csv(tables(report)) + "\n", encoding="utf-8")
    add_digest(log, GOLDEN)


if __name__ == "__main__":
    asyncio.run(record())
