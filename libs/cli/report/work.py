"""What `tapis report` does: gather a day from the logs, make its report, put it out in the form that is wanted."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NoReturn

import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from libs.cli import exits
from libs.cli.options import WhereWithFloor
from libs.cli.output import put, put_json
from libs.cli.replay import find_table
from libs.cli.report import parquet, text
from libs.cli.report.commands import Form
from libs.cli.report.rows import Rows, as_csv, movements, sessions, tables
from libs.cli.where import NotFound, Site, fail, with_site
from libs.kernel.accounts import player_account
from libs.runtime.report.day import day_report, of_table
from libs.runtime.report.gather import Gathered, NoSuchDay, gather
from libs.runtime.report.player import NoSuchPlayer, player_report
from libs.runtime.report.shapes import LISTS_OF_TABLES, DayReport
from libs.runtime.report.signing import NotSigned, encode, sign, signed_bytes, signed_day
from libs.runtime.tokens import KeyUnusable, load_private_key, load_public_keys


def run(where: WhereWithFloor, work: Callable[[Site], Awaitable[int]]) -> NoReturn:
    """Open the site's log, do the work, end with its exit code."""
    raise typer.Exit(with_site(where, work))


async def day(site: Site, date: str | None, form: Form) -> int:
    """Put out the report of a day."""
    report = await _report(site, date)
    return _put_out(form, lambda: report, lambda: tables(report), lambda: text.day(report, site.timezone))


async def day_signed(site: Site, date: str | None, key: Ed25519PrivateKey) -> int:
    """Print the signed report of a closed day."""
    report = await _report(site, date)
    try:
        signed_text = sign(report, key)
    except ValueError as error:
        fail(exits.FAILURE, str(error))
    put(signed_text)
    return exits.OK


async def table(site: Site, name: str, date: str | None, form: Form) -> int:
    """Put out one table's lines of the report of a day."""
    report = of_table(await _report(site, date), name)
    found = report.tables[0] if report.tables else None
    if found is None:
        await find_table(site.log, name)  # a table that nobody has ever opened is not there
    lists = {of: getattr(report, of) for of in LISTS_OF_TABLES}
    place = {"site": report.site, "day": report.day, "status": report.status, "table": name}
    return _put_out(
        form,
        lambda: {**place, "result": found, **lists},
        lambda: sessions(report, found),
        lambda: text.table(report, name, found, site.timezone),
    )


async def player(site: Site, name: str, date: str | None, form: Form) -> int:
    """Put out the report of one player's day."""
    gathered = await _gathered(site, date, player_account(name))
    try:
        report = player_report(site.name, name, gathered)
    except NoSuchPlayer as error:
        raise NotFound(str(error)) from error
    return _put_out(form, lambda: report, lambda: movements(report), lambda: text.player(report, site.timezone))


async def check(site: Site, content: bytes) -> int:
    """Make the report that was signed once more and compare it, to the byte."""
    name, date = signed_day(content)
    if name != site.name:
        raise NotFound(f"the report is that of {name}, this log that of {site.name}")
    if encode(await _report(site, date)) != content:
        put(f"{date}: la signature est bonne, le journal dit autre chose / signed, but the log says otherwise")
        return exits.VERIFICATION_FAILED
    put(f"{date}: signature et journal concordent / signature and log agree")
    return exits.OK


def private_key(path: Path) -> Ed25519PrivateKey:
    """Read the signing key or end with a sentence."""
    try:
        return load_private_key(path)
    except KeyUnusable as error:
        fail(exits.NOT_FOUND, str(error))


def signed(file: Path, key: Path) -> bytes:
    """Return what a file says and a key has signed, or end with a sentence."""
    try:
        content = signed_bytes(file.read_text(encoding="ascii"), load_public_keys(key))
        signed_day(content)
    except (OSError, KeyUnusable) as error:
        fail(exits.NOT_FOUND, str(error))
    except (NotSigned, UnicodeDecodeError) as error:
        fail(exits.VERIFICATION_FAILED, f"{file}: {error}")
    return content


async def _report(site: Site, date: str | None) -> DayReport:
    return day_report(site.name, site.floor, await _gathered(site, date))


async def _gathered(site: Site, date: str | None, watched: str = "") -> Gathered:
    try:
        return await gather(site.log, site.floor, date, watched)
    except NoSuchDay as error:
        raise NotFound(str(error)) from error


def _put_out(form: Form, data: Callable[[], object], rows: Callable[[], Rows], lines: Callable[[], list[str]]) -> int:
    """Make what is wanted of the three and put it out; return the exit code."""
    if form.as_json:
        put_json(data())
    elif form.as_csv:
        put(as_csv(rows()))
    elif form.parquet is not None:
        parquet.write(rows(), form.parquet)
    else:
        put("\n".join(lines()))
    return exits.OK
