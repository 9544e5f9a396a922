"""`make rng-report`: what draws, or the records of physical devices, look like to a statistician.

    python -m tests.evidence                              # the generator: 10^8 raw bits and draws as games use them
    python -m tests.evidence --long                       # the same with 10^9 raw bits and ten times the draws
    python -m tests.evidence --records spins.csv --faces 52 --circle
    python -m tests.evidence --table roue-1               # outcomes recorded at a table, from its log

Writes report.html and report.json. Ends with 1 when something fails the rule of `judging.py`, with 2 when the records
cannot be read.
"""

import argparse
import sys
from pathlib import Path

import msgspec

from libs.cli.options import Where
from libs.cli.where import with_site
from tests.evidence.page import page
from tests.evidence.records import RecordError, Records, TooFew, faces_of, from_file, from_log, too_few
from tests.evidence.report import LONG, QUICK, Report, of_generator, of_records
from tests.evidence.sources import Path as DrawPath
from tests.evidence.sources import own_generator

EXIT_FAILED, EXIT_RECORDS = 1, 2


def main(arguments: list[str] | None = None) -> int:
    """Make a report and say where it is; return the exit code."""
    options = _options().parse_args(arguments)
    try:
        report = _report(options)
    except (RecordError, OSError) as error:
        sys.stderr.write(f"rng-report: {error}\n")
        return EXIT_RECORDS
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "report.json").write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")
    (options.out / "report.html").write_text(page(report), encoding="utf-8")
    for section in report.sections:
        failed = [one.test for one in section.findings if one.verdict == "failed"]
        again = sum(one.verdict == "passed_again" for one in section.findings)
        said = f"FAILED: {', '.join(failed[:8])}" if failed else "passed" + (f", {again} again" if again else "")
        _say(f"{section.name}: {len(section.findings)} questions to {section.samples} samples, {said}")
    _say(f"{'passed' if report.passed else 'FAILED'}: {options.out / 'report.html'}")
    return 0 if report.passed else EXIT_FAILED


def _report(options: argparse.Namespace) -> Report:
    if options.records or options.table:
        return of_records(*_records(options))
    return of_generator(
        DrawPath(own_generator()), LONG if options.long else QUICK, lambda name: _say(f"looks at {name}")
    )


def _records(options: argparse.Namespace) -> tuple[list[Records], list[TooFew]]:
    """Return what is judged, and the devices that are left out."""
    found: list[Records] = []
    for path in options.records:
        if not options.faces:
            raise RecordError("--faces says which faces the device has, as 52 or as R,N,V")
        found += from_file(path, faces_of(options.faces), in_a_circle=options.circle)
    if options.table:
        where = Where(options.folder, options.redis, options.site)
        found += with_site(where, lambda site: from_log(site.log, options.table))
    if not found and options.table:
        raise RecordError(
            f"people and devices recorded nothing at {options.table}; `tapis verify-draws {options.table}` checks draws"
        )
    if not found:
        raise RecordError("nothing was recorded")
    left_out = [few for few in map(too_few, found) if few is not None]
    if len(left_out) == len(found):
        raise RecordError("; ".join(map(str, left_out)))
    for few in left_out:
        _say(f"{few}: left out")
    return [one for one in found if too_few(one) is None], left_out


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make rng-report", description="Evidence that draws are fair.")
    parser.add_argument("--long", action="store_true", help="10^9 raw bits and ten times the draws")
    parser.add_argument("--out", type=Path, default=Path(".tapis/rng-report"), metavar="FOLDER", help="where to write")
    parser.add_argument(
        "--records", type=Path, nargs="+", default=[], metavar="FILE", help="CSV or JSON lines with `face`"
    )
    parser.add_argument("--faces", metavar="FACES", help="the faces of that device: 52, or their names")
    parser.add_argument("--circle", action="store_true", help="neighbouring faces lie side by side, as on a wheel")
    parser.add_argument("--table", metavar="NAME", help="what people or a device recorded at this table, from its log")
    parser.add_argument("--folder", type=Path, default=Path(".tapis"), metavar="FOLDER", help="of the local casino")
    parser.add_argument("--redis", metavar="URL", help="the log's server, instead of the local casino's")
    parser.add_argument("--site", metavar="NAME", help="name of the site")
    return parser


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
