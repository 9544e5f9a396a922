"""The generator of this process: fed by the operating system, reseeded after a fork and at a take-over, reported on."""

import os
import time

from libs.draws.generator import Generator, News
from libs.runtime import metrics
from libs.runtime.logs import log as logger

SERVICE = "rng"


class OwnChance:
    """Random bytes for draws from a generator of our own."""

    def __init__(self) -> None:
        # Sets two processes apart that were given the same bytes by a cloned machine: process, and time to the ns.
        personalization = f"tapis rng {os.getpid()} {time.time_ns()} {time.monotonic_ns()}".encode()
        self._generator = Generator(os.getrandom, _clock_ms, personalization, _tell)
        self.fresh = self._generator.fresh
        # A child that went on from its parent's state would make the parent's draws.
        os.register_at_fork(after_in_child=self._generator.reseed)

    def taken_over(self) -> None:
        """Reseed: whatever was known of this process while it stood by is of no use."""
        self._generator.reseed()

    def failure(self) -> str:
        """Return why nothing may be drawn."""
        return "" if self._generator.healthy() else f"the generator is not healthy: {self._generator.failure}"


def _clock_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _tell(news: News, test: str) -> None:
    metrics.labelled(metrics.rng_healthy, SERVICE).set(0 if news == "failed" else 1)
    if news == "seeded":
        metrics.labelled(metrics.rng_seedings, SERVICE).inc()
    elif news == "failed":
        metrics.labelled(metrics.rng_failures, SERVICE, test).inc()
        logger().error("the generator is not healthy: no draw is made", test=test)
    else:
        logger().info("the generator is healthy again", test=test)
