"""Where the chance of a shard's decisions comes from; only the RNG has such a source (law 2)."""

from typing import Any, Protocol

from libs.kernel.decider import Chance
from libs.kernel.messages import Command


class Chances(Protocol):
    """Hands chance to each decision."""

    def look_over(self, state: Any) -> None:
        """Look at a book that was loaded; raises `CannotServe` when it cannot be gone on with."""

    def provide(self, state: Any, command: Command) -> Chance:
        """Return what one decision needs; fresh bytes are empty while nothing may be drawn."""


class ChanceSource(Chances, Protocol):
    """The chance of a process, which knows when nothing may be drawn."""

    def taken_over(self) -> None:
        """Hear that this process owns the shard from now on; raises `CannotServe`."""

    def failure(self) -> str:
        """Return why nothing may be drawn, as a sentence for `/readyz`; an empty text when all is well."""
