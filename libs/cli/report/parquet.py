"""Rows as a Parquet file. pyarrow, which writes it, is large: it is the extra `parquet`, and no service needs it."""

from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from libs.cli import exits
from libs.cli.report.rows import Column, Rows
from libs.cli.where import fail
from libs.runtime.report.shapes import REPORT_VERSION


def require() -> None:
    """End with a sentence when Parquet cannot be written here."""
    if find_spec("pyarrow") is None:
        fail(exits.FAILURE, "--parquet needs pyarrow, the extra `parquet`: `make parquet`, or `pip install pyarrow`")


def write(rows: Rows, path: Path) -> None:
    """Write the rows to a file, or end with a sentence. The same rows give the same bytes from the same pyarrow."""
    import pyarrow
    from pyarrow import parquet

    types = {
        "text": pyarrow.string(),
        "whole": pyarrow.int64(),
        "time": pyarrow.timestamp("ms", tz="UTC"),
        "day": pyarrow.date32(),
    }
    fields = [pyarrow.field(_name(one), types[one.kind], nullable=one.may_be_empty) for one in rows.columns]
    schema = pyarrow.schema(fields, metadata={"tapis.report": str(REPORT_VERSION)})
    arrays = [
        pyarrow.array([_value(column, row[place]) for row in rows.values], field.type)
        for place, (column, field) in enumerate(zip(rows.columns, fields, strict=True))
    ]
    content = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), content, compression="zstd")
    try:
        path.write_bytes(content.getvalue())
    except OSError as error:
        fail(exits.FAILURE, f"{path} cannot be written: {error.strerror}")


def _name(column: Column) -> str:
    """Return the name of a column here: a time is a time and no number, so that it has no unit."""
    return column.name.removesuffix("_ms") if column.kind == "time" else column.name


def _value(column: Column, value: Any) -> Any:
    return date.fromisoformat(value) if column.kind == "day" else value
