"""`make odds`: the odds of every wager of every paytable, exact and as the rules pay them.

    python -m tests.odds [--coups 200000] [--seed 1] [--game NAME …] [--jobs N] [--json FILE] [--csv FILE]

The exact side goes through all that can happen and shares no code with the rules; the simulated side is the rules' own
code on the draws that the RNG would make. The command ends with 1 when any wager is off: beyond three standard errors,
or paid what it cannot be paid. What the figures mean is in docs/odds.md.
"""

import argparse
import csv
import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from tests.odds import sheet
from tests.odds.run import run
from tests.odds.trials import TRIALS


class Report(msgspec.Struct, frozen=True):
    """All of a run."""

    seed: int
    coups: int
    """Of each game."""
    seconds: float
    wagers: list[sheet.Line]
    off: list[tuple[str, str, str]]
    """Game, paytable and wager."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the sheet, write the files that were asked for, and return how the process ends."""
    options = _options(arguments)
    began = since = time.monotonic()
    said, lines = list[str](), list[sheet.Line]()
    games = list(dict.fromkeys(options.game or sorted(TRIALS)))
    for game, tally in run(games, options.seed, options.coups, options.jobs):
        of_game, now = sheet.lines(game, tally), time.monotonic()
        _say(["", f"{game}: {options.coups:,} coups from seed {options.seed}".replace(",", " ")])
        _say(sheet.printed(of_game))
        said.append(sheet.summary(game, of_game, now - since))
        lines += of_game
        since = now
    _say(["", *said, *sheet.verdict(lines)])
    off = [line.key for line in lines if line.off]
    if options.json:
        report = Report(options.seed, options.coups, time.monotonic() - began, lines, off)
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(report, enc_hook=str)) + b"\n")
    if options.csv:
        with options.csv.open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(sheet.Line.__struct_fields__)
            rows.writerows(msgspec.structs.astuple(line) for line in lines)
    return 1 if off else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make odds", description="The odds of every wager, exact and simulated.")
    parser.add_argument("--coups", type=_positive, default=200_000, help="of each game (200000)")
    parser.add_argument("--seed", type=_positive, default=1, help="what the draws are made from (1)")
    parser.add_argument("--game", action="append", choices=sorted(TRIALS), help="only this game; may be repeated")
    parser.add_argument("--jobs", type=_positive, default=os.cpu_count() or 1, help="processes (one per processor)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures to FILE")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="the same, one row a wager")
    return parser.parse_args(arguments)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above zero")
    return number


def _say(texts: Iterable[str]) -> None:
    sys.stdout.write("".join(f"{text}\n" for text in texts))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
