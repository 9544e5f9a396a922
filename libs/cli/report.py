"""What `tapis report` does: gather a day from the logs, make its report, print it."""

import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn

import msgspec
import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from libs.cli import exits, report_csv, report_text
from libs.cli.where import NotFound, Site, Where, fail, with_site
from libs.kernel.accounts import player_account
from libs.runtime.report.day import day_report, of_table
from libs.runtime.report.gather import Gathered, NoSuchDay, gather
from libs.runtime.report.player import player_report
from libs.runtime.report.shapes import DayReport
from libs.runtime.report.signing import NotSigned, encode, sign, signed_bytes, signed_day
from libs.runtime.tokens import KeyUnusable, load_private_key, load_public_keys

Form = Literal["text", "json", "csv"]


@dataclass(frozen=True, slots=True)
class Asked:
    """Which day, and in which form."""

    day: str | None
    form: Form


def run(
    folder: Path,
    redis_url: str | None,
    site: str | None,
    floor: Path | None,
    work: Callable[[Site], Awaitable[int]],
) -> NoReturn:
    """Open the site's log, do the work, end with its exit code."""
    raise typer.Exit(with_site(Where(folder, redis_url, site, floor), work))


async def day(site: Site, asked: Asked, key: Ed25519PrivateKey | None) -> int:
    """Print the report of a day; signed, with a key."""
    report = day_report(site.name, site.floor, await _gathered(site, asked.day))
    if key is not None:
        try:
            _put(sign(report, key))
        except ValueError as error:
            sys.stderr.write(f"tapis: {error}\n")
            return exits.FAILURE
    elif asked.form == "json":
        _put(encode(report).decode())
    elif asked.form == "csv":
        _put(report_csv.day(report))
    else:
        _put("\n".join(report_text.day(report, site.timezone)))
    return exits.OK


async def table(site: Site, name: str, asked: Asked) -> int:
    """Print one table's lines of the report of a day."""
    report = of_table(day_report(site.name, site.floor, await _gathered(site, asked.day)), name)
    found = report.tables[0] if report.tables else None
    if found is None:
        shards = [await site.log.heads(shard) for shard in await site.log.shards()]
        if not any(stream.rpartition("/")[0] == name for heads in shards for stream in heads):
            raise NotFound(f"no table {name} in the log")
    if asked.form == "json":
        lists = {of: getattr(report, of) for of in ("voids", "outcomes", "counts", "late", "carried_in", "carried_out")}
        place = {"site": report.site, "day": report.day, "status": report.status, "table": name}
        _put_json({**place, "result": found, **lists})
    elif asked.form == "csv":
        _put(report_csv.sessions(report, found))
    else:
        _put("\n".join(report_text.table(report, name, found, site.timezone)))
    return exits.OK


async def player(site: Site, name: str, asked: Asked) -> int:
    """Print the report of one player's day."""
    gathered = await _gathered(site, asked.day, player_account(name))
    report = player_report(site.name, name, gathered)
    if asked.form == "json":
        _put_json(report)
    elif asked.form == "csv":
        _put(report_csv.movements(report))
    else:
        _put("\n".join(report_text.player(report, site.timezone)))
    return exits.OK


async def check(site: Site, content: bytes) -> int:
    """Make the report that was signed once more and compare it, to the byte."""
    name, date = signed_day(content)
    if name != site.name:
        raise NotFound(f"the report is that of {name}, this log that of {site.name}")
    report: DayReport = day_report(site.name, site.floor, await _gathered(site, date))
    if encode(report) != content:
        _put(f"{date}: la signature est bonne, le journal dit autre chose / signed, but the log says otherwise")
        return exits.VERIFICATION_FAILED
    _put(f"{date}: signature et journal concordent / signature and log agree")
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


async def _gathered(site: Site, wanted: str | None, watched: str = "") -> Gathered:
    try:
        return await gather(site.log, site.floor, wanted, watched)
    except NoSuchDay as error:
        raise NotFound(str(error)) from error


def _put(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _put_json(value: object) -> None:
    _put(msgspec.json.encode(value).decode())
