"""The commands of `tapis report`: what a gaming day came to, from the log alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libs.cli.options import EPILOG, LOCAL, Folder, Json, RedisUrl, SiteName

if TYPE_CHECKING:
    from libs.cli.report import Asked

report = typer.Typer(
    help="Rapports d'une journée de jeu / reports of a gaming day, from the log alone.", no_args_is_help=True
)

Csv = Annotated[bool, typer.Option("--csv", help="Comma-separated values, one row a line.")]
FloorFile = Annotated[
    Path | None, typer.Option(help="The floor file, instead of the local casino's.", envvar="TAPIS_FLOOR")
]
Day = Annotated[str | None, typer.Option("--day", help="YYYY-MM-DD; the running gaming day by default.")]


@report.command(epilog=EPILOG)
def day(
    date: Annotated[str | None, typer.Argument(help="YYYY-MM-DD; the running gaming day by default.")] = None,
    as_json: Json = False,
    as_csv: Csv = False,
    sign: Annotated[
        Path | None, typer.Option(help="Private key file (Ed25519, PEM): print the report of a closed day, signed.")
    ] = None,
    folder: Folder = LOCAL,
    redis_url: RedisUrl = None,
    site: SiteName = None,
    floor: FloorFile = None,
) -> None:
    """Report all tables, games, the cage and what is owed to players.

    Examples: `tapis report day`, `tapis report day 2026-11-30 --csv`, `tapis report day 2026-11-30 --sign key.pem`.
    """
    from libs.cli import report as work

    key = work.private_key(sign) if sign is not None else None
    asked = _asked(date, as_json, as_csv)
    work.run(folder, redis_url, site, floor, lambda opened: work.day(opened, asked, key))


@report.command(epilog=EPILOG)
def table(
    name: Annotated[str, typer.Argument(help="A table.")],
    date: Day = None,
    as_json: Json = False,
    as_csv: Csv = False,
    folder: Folder = LOCAL,
    redis_url: RedisUrl = None,
    site: SiteName = None,
    floor: FloorFile = None,
) -> None:
    """Report one table's day: its float, drop, handle, win and hold, session by session."""
    from libs.cli import report as work

    asked = _asked(date, as_json, as_csv)
    work.run(folder, redis_url, site, floor, lambda opened: work.table(opened, name, asked))


@report.command(epilog=EPILOG)
def player(
    name: Annotated[str, typer.Argument(help="The id of a player.")],
    date: Day = None,
    as_json: Json = False,
    as_csv: Csv = False,
    folder: Folder = LOCAL,
    redis_url: RedisUrl = None,
    site: SiteName = None,
    floor: FloorFile = None,
) -> None:
    """Report one player's day: the account, every movement of it, and the play at each table."""
    from libs.cli import report as work

    asked = _asked(date, as_json, as_csv)
    work.run(folder, redis_url, site, floor, lambda opened: work.player(opened, name, asked))


@report.command(epilog=EPILOG)
def check(
    file: Annotated[Path, typer.Argument(help="A signed report.")],
    key: Annotated[Path, typer.Option(help="Public key file (Ed25519, PEM).")],
    folder: Folder = LOCAL,
    redis_url: RedisUrl = None,
    site: SiteName = None,
    floor: FloorFile = None,
) -> None:
    """Check a signed report: the signature is good, and the log still gives the same bytes. Ends with 3 otherwise."""
    from libs.cli import report as work

    content = work.signed(file, key)
    work.run(folder, redis_url, site, floor, lambda opened: work.check(opened, content))


def _asked(date: str | None, as_json: bool, as_csv: bool) -> "Asked":
    from libs.cli.report import Asked, Form
    from libs.runtime.gaming_day import is_day

    if date is not None and not is_day(date):
        raise typer.BadParameter(f"a gaming day is written YYYY-MM-DD, not {date!r}")
    if as_json and as_csv:
        raise typer.BadParameter("--json and --csv exclude one another")
    form: Form = "json" if as_json else "csv" if as_csv else "text"
    return Asked(date, form)
