"""`make odds`: the odds of every wager of every paytable, exact and as the rules pay them.

    python -m tests.odds [--coups 200000] [--seed 1] [--game NAME …] [--jobs N] [--json FILE]

The exact side goes through all that can happen and shares no code with the rules; the simulated side is the rules' own
code on the draws that the RNG would make. Ends with 1 when any wager lies more than three standard errors off, or was
paid what it cannot be paid. What the figures mean is in docs/odds.md.
"""

import argparse
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the sheet, write the file that was asked for, and return how the process ends."""
    options = _options(arguments)
    began, lines = time.monotonic(), list[sheet.Line]()
    games = options.game or sorted(TRIALS)
    since, said = began, list[str]()
    for game, tally in run(games, options.seed, options.coups, options.jobs):
        of_game, now = sheet.lines(game, tally), time.monotonic()
        _say(["", f"{game}: {options.coups:,} coups from seed {options.seed}".replace(",", " ")])
        _say(sheet.printed(of_game))
        said.append(sheet.summary(game, of_game, now - since))
        lines += of_game
        since = now
    _say(["", *said, *sheet.verdict(lines)])
    if options.json:
        report = Report(options.seed, options.coups, time.monotonic() - began, lines)
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(report, enc_hook=str)) + b"\n")
    return 0 if all(line.holds for line in lines) else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make odds", description="The odds of every wager, exact and simulated.")
    parser.add_argument("--coups", type=_positive, default=200_000, help="of each game (200000)")
    parser.add_argument("--seed", type=_positive, default=1, help="what the draws are made from (1)")
    parser.add_argument("--game", action="append", choices=sorted(TRIALS), help="only this game; may be repeated")
    parser.add_argument("--jobs", type=_positive, default=os.cpu_count() or 1, help="processes (one per processor)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures to FILE")
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
