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


def test_a_game_is_one_new_folder(tmp_path: Path) -> None:
    """In a copy of the house, one folder more is a game more: hosted with decisions, hidden cards, pot and rake."""
    for part in ("libs/kernel", "libs/games", "libs/table", "tests/kit"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    for package in ("libs", "tests"):
        shutil.copy(ROOT / package / "__init__.py", tmp_path / package)
    shutil.copytree(tmp_path / "tests/kit/duel", tmp_path / "libs/games/duel")
    (tmp_path / "libs/games/duel/evening.py").unlink()
    played = subprocess.run(
        [sys.executable, "-m", "tests.kit.duel.evening"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "the evening ends well\n" == played.stdout, played.stderr
