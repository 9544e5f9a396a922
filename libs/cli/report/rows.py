"""Reports as rows for other programs: what CSV and Parquet files hold. Money in whole cents."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import msgspec

from libs.runtime.report.ledger import Movement
from libs.runtime.report.player import PlayerReport
from libs.runtime.report.shapes import DayReport, SessionReport, TableReport


class Column(NamedTuple):
    """A column: its name, and what its values are."""

    name: str
    kind: Literal["text", "whole", "time", "day"] = "text"
    """`time` is milliseconds since 1970, `day` a date as `YYYY-MM-DD`."""
    may_be_empty: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of values; each row has one for each column, None where it is empty."""

    columns: tuple[Column, ...]
    values: list[list[Any]]


def tables(report: DayReport) -> Rows:
    """Return one row per table; a day without activity has none."""
    own = [column for column in _columns(TableReport) if column.name not in ("table", "sessions")]
    columns = (*_OF_DAY, Column("table"), Column("games"), Column("categories"), *own)
    values = []
    for table in report.tables:
        games = "+".join(sorted({session.game for session in table.sessions}))
        kinds = "+".join(sorted({session.category for session in table.sessions}))
        values.append([*_of_day(report), table.table, games, kinds, *(getattr(table, one.name) for one in own)])
    return Rows(columns, values)


def sessions(report: DayReport, table: TableReport | None) -> Rows:
    """Return one row per session of a table."""
    found = [[*_of_day(report), table.table, *msgspec.structs.astuple(one)] for one in table.sessions] if table else []
    return Rows((*_OF_DAY, Column("table"), *_columns(SessionReport)), found)


def movements(report: PlayerReport) -> Rows:
    """Return one row per movement of a player's account."""
    place = [report.site, report.day, report.player]
    columns = (Column("site"), Column("day", "day"), Column("player"), *_columns(Movement))
    return Rows(columns, [[*place, *msgspec.structs.astuple(one)] for one in report.movements])


def as_csv(rows: Rows) -> str:
    """Return a header and the rows as comma-separated values."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.name for column in rows.columns)
    writer.writerows(rows.values)
    return text.getvalue().removesuffix("\n")


_OF_DAY = (Column("site"), Column("day", "day"), Column("status"))


def _of_day(report: DayReport) -> tuple[str, str, str]:
    return report.site, report.day, report.status


def _columns(struct: type[msgspec.Struct]) -> Iterable[Column]:
    """Return the columns of a struct's fields: whole numbers, of which those in `_ms` are times, and texts."""
    for field in msgspec.structs.fields(struct):
        if field.type in (int, int | None):
            yield Column(field.name, "time" if field.name.endswith("_ms") else "whole", field.type is not int)
        else:
            yield Column(field.name)
