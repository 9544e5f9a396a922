"""`python -m libs.runtime.local`: a casino on this machine. `tapis run` does the same."""

import argparse
import os
import sys
from pathlib import Path

from libs.runtime.local.casino import LocalPlan
from libs.runtime.local.supervisor import run


def arguments() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m libs.runtime.local", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(".tapis"), help="where data and logs are kept (.tapis)")
    parser.add_argument("--floor", type=Path, default=Path("floor.toml"), help="the floor file (floor.toml)")
    parser.add_argument("--seconds", type=float, default=None, help="stop by itself after so many seconds")
    parser.add_argument("--players", type=int, default=5, help="bot players at each table (5)")
    parser.add_argument("--no-bots", action="store_true", help="nobody plays: you do, through the API")
    parser.add_argument("--fast", action="store_true", help="short betting windows")
    return parser


def main() -> None:
    """Run with the arguments of the command line; exits with 0, 2 (floor file) or 5 (cannot run here)."""
    given = arguments().parse_args()
    plan = LocalPlan(
        folder=given.folder,
        floor=given.floor,
        redis_url=os.environ.get("REDIS_URL") or None,
        durability=os.environ.get("TAPIS_DURABILITY", "durable"),
        bots=not given.no_bots,
        players=given.players,
        fast=given.fast,
    )
    sys.exit(run(plan, given.seconds))


if __name__ == "__main__":
    main()
