"""The games of the house. A folder here with a value `GAME` is a game; nothing else names one."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any

from libs.kernel.game import Game


def _found() -> dict[str, Game[Any]]:
    """Return the games whose folders exist, by name; a folder without a `GAME` of its own name is a defect."""
    games: dict[str, Game[Any]] = {}
    for module in iter_modules(__path__):
        if module.ispkg:
            game: Game[Any] = import_module(f"{__name__}.{module.name}").GAME
            if game.name != module.name:
                raise TypeError(f"the game in folder {module.name} calls itself {game.name}")
            games[game.name] = game
    return games


GAMES: Mapping[str, Game[Any]] = MappingProxyType(_found())
"""All games by name."""
