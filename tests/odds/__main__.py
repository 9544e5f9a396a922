"""`make odds`: the odds of every wager of every paytable, exact and as the rules pay them.

    python -m tests.odds [--coups 200000] [--seed 1] [--game NAME …] [--jobs N] [--json FILE]

The exact side goes through all that can happen and shares no code with the rules; the simulated side is the rules' own
code on the draws that the RNG would make. A wager beyond three standard errors is played again in fresh coups. The
command ends with 1 when it lies beyond three there too, when any wager is too far off for chance at once, or was paid
what it cannot be paid. What the figures mean is in docs/odds.md.
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
    again: list[sheet.Line]
    """In fresh coups: those that seemed to be far off."""
    off: list[tuple[str, str, str]]
    """Game, paytable and wager of what no chance explains."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the sheet, write the file that was asked for, and return how the process ends."""
    options = _options(arguments)
    began = since = time.monotonic()
    said, lines = list[str](), list[sheet.Line]()
    games = dict.fromkeys(options.game or sorted(TRIALS))
    for game, tally in run(games, options.seed, range(1, options.coups + 1), options.jobs):
        of_game, now = sheet.lines(game, tally), time.monotonic()
        _say(["", f"{game}: {options.coups:,} coups from seed {options.seed}".replace(",", " ")])
        _say(sheet.printed(of_game))
        said.append(sheet.summary(game, of_game, now - since))
        lines += of_game
        since = now
    again = _played_again([line for line in lines if line.far], options)
    _say(["", *said, *sheet.verdict(lines, again)])
    off = [line.key for line in sheet.off(lines, again)]
    if options.json:
        report = Report(options.seed, options.coups, time.monotonic() - began, lines, again, off)
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(report, enc_hook=str)) + b"\n")
    return 1 if off else 0


def _played_again(far: Sequence[sheet.Line], options: argparse.Namespace) -> list[sheet.Line]:
    """Play wagers in coups that nobody has seen yet."""
    keys, played = {line.key for line in far}, list[sheet.Line]()
    wagers = {line.game: frozenset(one.wager for one in far if one.game == line.game) for line in far}
    fresh = range(options.coups + 1, (1 + sheet.AGAIN) * options.coups + 1)
    for game, tally in run(wagers, options.seed, fresh, options.jobs):
        played += sheet.lines(game, tally)
    return [line for line in played if line.key in keys]


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
