"""The wagers of every game, placed and paid by the game's own rules.

Each module is called as its game and has a function `counting()`.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules

from tests.odds.coups import Counting

TRIALS: Mapping[str, Callable[[], Sequence[Counting]]] = {
    module.name: import_module(f"{__name__}.{module.name}").counting for module in iter_modules(__path__)
}
"""By game: what is played in every coup."""
