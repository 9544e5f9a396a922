"""Reports as comma-separated values: a header, then rows. Money in whole cents, times in milliseconds since 1970."""

import csv
import io
from collections.abc import Iterable
from typing import Any

import msgspec

from libs.runtime.report.ledger import Movement
from libs.runtime.report.player import PlayerReport
from libs.runtime.report.shapes import DayReport, SessionReport, TableReport

_TABLE = [name for name in TableReport.__struct_fields__ if name not in ("table", "sessions")]


def day(report: DayReport) -> str:
    """Return one row per table; a day without activity has the header alone."""
    head = ["site", "day", "status", "table", "games", "categories", *_TABLE]
    return _written(head, ([*_of(report), *_table_row(table)] for table in report.tables))


def _table_row(table: TableReport) -> list[Any]:
    games = "+".join(sorted({session.game for session in table.sessions}))
    kinds = "+".join(sorted({session.category for session in table.sessions}))
    return [table.table, games, kinds, *(getattr(table, name) for name in _TABLE)]


def sessions(report: DayReport, table: TableReport | None) -> str:
    """Return one row per session of a table."""
    head = ["site", "day", "status", "table", *SessionReport.__struct_fields__]
    found = table.sessions if table else ()
    name = table.table if table else ""
    return _written(head, ([*_of(report), name, *msgspec.structs.astuple(session)] for session in found))


def movements(report: PlayerReport) -> str:
    """Return one row per movement of a player's account."""
    head = ["site", "day", "player", *Movement.__struct_fields__]
    place = [report.site, report.day, report.player]
    return _written(head, ([*place, *msgspec.structs.astuple(one)] for one in report.movements))


def _of(report: DayReport) -> list[str]:
    return [report.site, report.day, report.status]


def _written(head: list[str], rows: Iterable[list[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue().removesuffix("\n")
