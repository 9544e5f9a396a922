"""Reports as Parquet files, for analysts: the same rows as in CSV, with types."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import cast
from zoneinfo import ZoneInfo

import pytest

from libs.cli import exits
from libs.cli.report import work
from libs.cli.report.commands import Form
from libs.cli.report.parquet import write
from libs.cli.report.rows import Rows, movements, sessions, tables
from libs.cli.where import Site
from libs.eventlog.redis_log import RedisLog
from libs.runtime.report.gather import gather
from libs.runtime.report.player import player_report
from tests.kit.days import FIRST, FLOOR, SECOND, reported, two_days

pyarrow = pytest.importorskip("pyarrow", reason="the extra `parquet` is not installed")
from pyarrow import parquet  # noqa: E402 - only after it is known to be there


async def every_form() -> list[Rows]:
    """Return the rows of a day, of a table whose session runs on and of one that is closed, and of a player."""
    house = await two_days()
    first, second = [await reported(house, day) for day in (FIRST, SECOND)]
    player = player_report("site-a", "player-2", await gather(house.log, FLOOR, FIRST, "player:player-2"))
    return [tables(first), sessions(first, first.tables[0]), sessions(second, second.tables[0]), movements(player)]


async def test_a_parquet_file_holds_the_rows_of_the_report(tmp_path: Path) -> None:
    """Money and counts are 64-bit integers, days dates, times UTC; what is empty is null, and nothing is lost."""
    for rows in await every_form():
        assert rows.values
        write(rows, tmp_path / "rows.parquet")
        found = parquet.read_table(tmp_path / "rows.parquet")
        assert b"1" == found.schema.metadata[b"tapis.report"]
        for place, column in enumerate(rows.columns):
            expected = [row[place] for row in rows.values]
            read = found.column(place).to_pylist()
            field = found.schema.field(place)
            assert column.may_be_empty == field.nullable
            match column.kind:
                case "day":
                    assert pyarrow.date32() == field.type
                    assert [date.fromisoformat(value) for value in expected] == read
                case "time":
                    assert (pyarrow.timestamp("ms", tz="UTC"), column.name) == (field.type, f"{field.name}_ms")
                    assert [at and datetime.fromtimestamp(at / 1000, UTC) for at in expected] == read
                case kind:
                    assert {"whole": pyarrow.int64(), "text": pyarrow.string()}[kind] == field.type
                    assert expected == read


async def test_each_report_is_put_into_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`tapis report day|table|player --parquet FILE` makes the file and says nothing else."""
    house, file = await two_days(), tmp_path / "rows.parquet"
    site, form = Site("site-a", "", cast("RedisLog", house.log), ZoneInfo("Europe/Paris"), FLOOR), Form(parquet=file)
    day, table, _, player = [(len(rows.values), len(rows.columns)) for rows in await every_form()]
    for expected, report in (
        (day, work.day(site, FIRST, form)),
        (table, work.table(site, "T1", FIRST, form)),
        (player, work.player(site, "player-2", FIRST, form)),
    ):
        assert exits.OK == await report
        assert expected == parquet.read_table(file).shape
    assert "" == capsys.readouterr().out


async def test_a_session_that_runs_on_has_no_time_of_closing(tmp_path: Path) -> None:
    """The last session of the first day is closed in the second: in the first day's file its closing is null."""
    _, first, second, _ = await every_form()
    last = []
    for rows in (first, second):
        write(rows, tmp_path / "rows.parquet")
        last.append(parquet.read_table(tmp_path / "rows.parquet").to_pylist()[-1])
    assert last[0]["session"] == last[1]["session"]
    assert (True, False) == (last[0]["closed"] is None, last[1]["closed"] is None)


async def test_the_same_report_gives_the_same_file(tmp_path: Path) -> None:
    """A day without rows is a file too, with the same columns; written twice, the bytes are the same."""
    (rows, *_) = await every_form()
    empty = Rows(rows.columns, [])
    for one in (rows, empty):
        write(one, tmp_path / "a.parquet")
        write(one, tmp_path / "b.parquet")
        assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert (0, len(rows.columns)) == parquet.read_table(tmp_path / "b.parquet").shape


async def test_a_file_that_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that is not there is one sentence and exit code 1."""
    (rows, *_) = await every_form()
    with pytest.raises(SystemExit) as ended:
        write(rows, tmp_path / "nowhere" / "day.parquet")
    assert 1 == ended.value.code
    assert "day.parquet cannot be written: No such file or directory" in capsys.readouterr().err
