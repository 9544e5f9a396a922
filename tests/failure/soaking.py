"""What every long run needs: quiet services that start again at once, an end by Ctrl-C, and a few lines for people."""

import asyncio
import logging
import signal
import statistics
import sys
from dataclasses import dataclass, field

import structlog

from libs.runtime.local import children


@dataclass
class Times:
    """How long something took, in seconds, each time."""

    what: str
    seconds: list[float] = field(default_factory=list)

    def line(self) -> str:
        """Say it in one line."""
        if not self.seconds:
            return f"  {self.what:<34} -"
        low, middle, high = min(self.seconds), statistics.median(self.seconds), max(self.seconds)
        return f"  {self.what:<34} {len(self.seconds):>4} times, {low:.1f} / {middle:.1f} / {high:.1f} s"


def say(sentence: str) -> None:
    """Say something on standard output."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def prepare() -> None:
    """Make this process fit for a long run with processes that die all the time."""
    # The server is away on purpose: what this process reads of it need not say so each time.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    children.FIRST_PAUSE_S = children.LONGEST_PAUSE_S = 0.2
    task = asyncio.current_task()
    assert task is not None
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
