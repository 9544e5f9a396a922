"""What the house demands of games: they are found by existing, and bring README, examples, bad input, logs and odds."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from libs.games import GAMES
from tests.kit.games import ROOT, failed_examples, game_folders, shortcomings

GAME_FOLDERS = game_folders(ROOT / "libs" / "games")


def test_games_are_found_by_existing() -> None:
    """Every folder of `libs/games` is a game of that name, and there is no other game."""
    assert [folder.name for folder in GAME_FOLDERS] == sorted(GAMES)


@pytest.mark.parametrize("folder", GAME_FOLDERS, ids=lambda folder: folder.name)
def test_a_game_brings_what_the_house_demands(folder: Path) -> None:
    """A game has a README with running examples, worked examples as tests, bad input, golden logs, and its odds."""
    assert [] == shortcomings(folder, ROOT / "tests")


@pytest.mark.parametrize("folder", GAME_FOLDERS, ids=lambda folder: folder.name)
def test_the_examples_of_a_readme_run(folder: Path) -> None:
    """Every example in a game's README gives what it says."""
    assert 0 == failed_examples(folder / "README.md")


@pytest.mark.parametrize("folder", GAME_FOLDERS, ids=lambda folder: folder.name)
def test_a_readme_quotes_the_tags_and_tables_of_its_game(folder: Path) -> None:
    """The README names every paytable and every command of its game."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    game = GAMES[folder.name]
    commands = [str(kind.__struct_config__.tag) for kind in game.roles]
    assert [] == [name for name in (*game.paytables, *commands) if name not in text]


def test_a_game_without_a_readme_fails(tmp_path: Path) -> None:
    """A new folder with nothing but code is found wanting, and is told everything that it lacks."""
    game = tmp_path / "games" / "baccara"
    game.mkdir(parents=True)
    (game / "__init__.py").touch()
    assert [game] == game_folders(tmp_path / "games")
    assert [
        "no README.md",
        "no worked examples in tests/unit/test_baccara_examples.py",
        "no bad input in tests/kit/wrongs/baccara.py",
        "no golden log in tests/golden/baccara",
        "no odds in tests/odds/exact/baccara.py",
        "no odds in tests/odds/trials/baccara.py",
    ] == shortcomings(game, tmp_path)
    (game / "README.md").write_text("# Baccara\n", encoding="utf-8")
    assert "a README.md without a running example" in shortcomings(game, tmp_path)


SHARED = (
    "house/test_games.py",
    "unit/test_duel_examples.py",
    "unit/test_bad_input.py",
    "unit/test_short_words.py",
    "unit/test_odds_sheet.py",
    "golden/test_golden_logs.py",
    "golden/test_decided_again.py",
    "property/test_games_play.py",
    "property/test_games_secrets.py",
    "property/test_codec_round_trip.py",
)
"""The suites that every game must pass, and the worked examples of the duel."""


def test_a_game_is_one_new_folder(tmp_path: Path) -> None:
    """In a copy of the house, one folder more is a game more, and passes what every game must pass.

    The duel has decisions in the middle of a coup, hidden cards, a pot with a rake, stakes that wait for a next coup.
    """
    without = shutil.ignore_patterns("__pycache__", "*.pyc")
    for part in ("libs", "tests"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=without)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    duel = tmp_path / "libs" / "games" / "duel"
    shutil.copytree(tmp_path / "tests" / "kit" / "duel", duel)
    (duel / "examples.py").rename(tmp_path / "tests" / "unit" / "test_duel_examples.py")
    (duel / "wrongs.py").rename(tmp_path / "tests" / "kit" / "wrongs" / "duel.py")
    for side in ("exact", "trials"):
        (duel / f"{side}.py").rename(tmp_path / "tests" / "odds" / side / "duel.py")
    run_in(tmp_path, "tests.unit.test_duel_examples")
    suites = [f"tests/{suite}" for suite in SHARED]
    told = run_in(tmp_path, "pytest", *suites, "-k", "duel", "-p", "no:cacheprovider", "-p", "no:randomly", "-v")
    for suite in SHARED:
        assert f"tests/{suite} ." in told, f"nothing of {suite} was about the duel"


def run_in(house: Path, module: str, *words: str) -> str:
    """Run a module in a house of its own; return what it says, once it has ended well."""
    said = subprocess.run(
        [sys.executable, "-m", module, *words], cwd=house, capture_output=True, text=True, timeout=300, check=False
    )
    assert 0 == said.returncode, said.stdout + said.stderr
    return said.stdout
