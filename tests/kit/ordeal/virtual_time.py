"""Time that passes only when everybody waits: hours of leases and deadlines take the seconds that the work takes.

All clocks of a process show it, so the same seed meets the same interleaving again.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
from unittest.mock import patch

T = TypeVar("T")

BEGAN_S = 1_000.0
"""What monotonic clocks show at first, in seconds."""


class Clock:
    """The machine's clocks: one that passes with waiting, and the date, which may be moved forward by hand."""

    def __init__(self, began_ms: int) -> None:
        self.now_s = BEGAN_S
        self._began_ms = began_ms
        self._ahead_ms = 0

    def server_ms(self) -> int:
        """Return the time of the log's server, milliseconds since 1970: it passes with waiting alone."""
        return self._began_ms + int((self.now_s - BEGAN_S) * 1000)

    def date_ms(self) -> int:
        """Return the time by which the services decide, milliseconds since 1970."""
        return self.server_ms() + self._ahead_ms

    def move(self, hours: float) -> None:
        """Move the date forward."""
        self._ahead_ms += int(hours * 3_600_000)


def in_virtual_time(clock: Clock, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run something on a loop whose time is this clock's, and so is that of all code it calls."""
    with (
        patch("time.monotonic", lambda: clock.now_s),
        patch("time.monotonic_ns", lambda: int(clock.now_s * 1e9)),
        patch("time.time_ns", lambda: clock.date_ms() * 1_000_000),
        patch("libs.runtime.outbox.monotonic", lambda: clock.now_s),
        asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(_Skipping(clock))) as runner,
    ):
        return runner.run(work())


class _Skipping(selectors.SelectSelector):
    """Does not wait: it moves the clock to when the next of the loop's timers is due."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[Any]:
        """Return at once, as if so much time had passed and nothing had arrived."""
        if timeout is None:
            raise RuntimeError("everybody waits, and nobody for a time")
        self._clock.now_s += max(0.0, timeout)
        return []
