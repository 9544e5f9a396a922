"""The commands of `tapis report`: what a gaming day came to, from the log alone."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from libs.cli.options import EPILOG, Json, WhereWithFloor, grouped

report = typer.Typer(
    help="Rapports d'une journée de jeu / reports of a gaming day, from the log alone.", no_args_is_help=True
)


def _dated(text: str | None) -> str | None:
    from libs.runtime.gaming_day import is_day

    if text is not None and not is_day(text):
        raise typer.BadParameter(f"a gaming day is written YYYY-MM-DD, not {text!r}")
    return text


_DAY = "YYYY-MM-DD; the running gaming day by default."
Day = Annotated[str | None, typer.Option("--day", help=_DAY, callback=_dated)]


@dataclass(frozen=True, slots=True)
class Form:
    """In which form a report is wanted; text when nothing is said."""

    as_json: Json = False
    as_csv: Annotated[bool, typer.Option("--csv", help="Comma-separated values, one row a line.")] = False
    parquet: Annotated[
        Path | None, typer.Option(help="Write the rows of --csv to this Parquet file (needs the extra `parquet`).")
    ] = None

    def __post_init__(self) -> None:
        """Refuse two forms at once, and one that cannot be made here."""
        if self.as_json + self.as_csv + (self.parquet is not None) > 1:
            raise typer.BadParameter("--json, --csv and --parquet exclude one another")
        if self.parquet is not None:
            from libs.cli.report.parquet import require

            require()


@report.command(epilog=EPILOG)
@grouped
def day(
    date: Annotated[str | None, typer.Argument(help=_DAY, callback=_dated)] = None,
    sign: Annotated[
        Path | None, typer.Option(help="Private key file (Ed25519, PEM): print the report of a closed day, signed.")
    ] = None,
    *,
    form: Form,
    where: WhereWithFloor,
) -> None:
    """Report all tables, games, the cage and what is owed to players.

    Examples: `tapis report day`, `tapis report day 2026-11-30 --csv`, `tapis report day 2026-11-30 --sign key.pem`.
    """
    from libs.cli.report import work

    if sign is not None:
        if form.as_csv or form.parquet is not None:
            raise typer.BadParameter("what is signed is JSON: --sign excludes --csv and --parquet")
        key = work.private_key(sign)
        work.run(where, lambda site: work.day_signed(site, date, key))
    work.run(where, lambda site: work.day(site, date, form))


@report.command(epilog=EPILOG)
@grouped
def table(
    name: Annotated[str, typer.Argument(help="A table.")], date: Day = None, *, form: Form, where: WhereWithFloor
) -> None:
    """Report one table's day: its float, drop, handle, win and hold, session by session."""
    from libs.cli.report import work

    work.run(where, lambda site: work.table(site, name, date, form))


@report.command(epilog=EPILOG)
@grouped
def player(
    name: Annotated[str, typer.Argument(help="The id of a player.")],
    date: Day = None,
    *,
    form: Form,
    where: WhereWithFloor,
) -> None:
    """Report one player's day: the account, every movement of it, and the play at each table."""
    from libs.cli.report import work

    work.run(where, lambda site: work.player(site, name, date, form))


@report.command(epilog=EPILOG)
@grouped
def check(
    file: Annotated[Path, typer.Argument(help="A signed report.")],
    key: Annotated[Path, typer.Option(help="Public key file (Ed25519, PEM).")],
    *,
    where: WhereWithFloor,
) -> None:
    """Check a signed report: the signature is good, and the log still gives the same bytes. Ends with 3 otherwise."""
    from libs.cli.report import work

    content = work.signed(file, key)
    work.run(where, lambda site: work.check(site, content))
