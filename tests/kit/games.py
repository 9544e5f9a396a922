"""What the house demands of a game's folder."""

import doctest
from pathlib import Path

ROOT = Path(__file__).parents[2]


def game_folders(games: Path) -> list[Path]:
    """Return the folders that are games: packages directly in `libs/games`."""
    return sorted(path.parent for path in games.glob("*/__init__.py"))


def shortcomings(game: Path, tests: Path) -> list[str]:
    """Return what a game lacks: a README with running examples, worked examples, bad input, golden logs, odds."""
    found = []
    readme = game / "README.md"
    if not readme.exists():
        found.append("no README.md")
    elif ">>>" not in readme.read_text(encoding="utf-8"):
        found.append("a README.md without a running example")
    if not (tests / "unit" / f"test_{game.name}_examples.py").exists():
        found.append(f"no worked examples in tests/unit/test_{game.name}_examples.py")
    if not (tests / "kit" / "wrongs" / f"{game.name}.py").exists():
        found.append(f"no bad input in tests/kit/wrongs/{game.name}.py")
    if not sorted((tests / "golden" / game.name).glob("*.jsonl")):
        found.append(f"no golden log in tests/golden/{game.name}")
    odds = [Path("odds", side, f"{game.name}.py") for side in ("exact", "trials")]
    return found + [f"no odds in tests/{path}" for path in odds if not (tests / path).exists()]


def failed_examples(readme: Path) -> int:
    """Run the examples of a README; return how many failed."""
    return doctest.testfile(str(readme), module_relative=False, encoding="utf-8").failed
