"""Everything wrong that can be said at every decision, as tables: one module per game, found by the game's name.

A module has a value `WRONG`; `table` is that of the table itself. `tests/unit/test_bad_input.py` says each of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from libs.kernel.actors import Actor
from libs.kernel.messages import Command
from tests.kit.given import GivenTable


@dataclass(frozen=True, slots=True)
class Wrong:
    """What somebody says where the rules say no."""

    code: str
    """The refusal that it deserves."""
    given: Callable[[], GivenTable]
    """What has happened before."""
    said: Command
    by: Actor

    def __str__(self) -> str:
        """Name it after its code and what was said."""
        return f"{self.code}-{type(self.said).__name__}"


def wrongs(name: str) -> list[Wrong]:
    """Return the table of a game; raises `ModuleNotFoundError` when it has none."""
    table: list[Wrong] = import_module(f"{__name__}.{name}").WRONG
    return table
