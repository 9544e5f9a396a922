"""The clock of the runtime: the machine's, but it never goes back while the process lives."""

import time
from collections.abc import Callable


class SteadyClock:
    """Milliseconds since 1970. When the machine's clock is set back, this one goes on at its pace from where it was.

    So timers that were set before still end in time, and the events of a run stand in the order of their times. Only
    the order of the log counts; a new process begins with the machine's clock again.
    """

    def __init__(
        self,
        wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        monotonic_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
    ) -> None:
        self._wall_ms, self._monotonic_ms = wall_ms, monotonic_ms
        self._last_ms, self._at_ms = wall_ms(), monotonic_ms()

    def __call__(self) -> int:
        """Return the time."""
        at_ms = self._monotonic_ms()
        self._last_ms = max(self._wall_ms(), self._last_ms + at_ms - self._at_ms)
        self._at_ms = at_ms
        return self._last_ms
