"""The chance of this process: its generator, fed by the operating system and watched; its keys, read at a take-over."""

import os
import time
from pathlib import Path
from typing import Any

from libs.draws.generator import Generator, News
from libs.kernel.decider import Chance
from libs.kernel.messages import Command
from libs.runtime import metrics
from libs.runtime.faults import CannotServe
from libs.runtime.keyfile import KeyFileError
from libs.runtime.logs import log as logger
from libs.runtime.seals import Seals, read_keys
from libs.runtime.settings import Settings, SettingsError

SERVICE = "rng"


class OwnChance:
    """Random bytes for draws from a generator of our own, and seeds that survive this process."""

    def __init__(self, keys: Path, *, give_up: bool = False) -> None:
        """Raises `KeyFileError`."""
        # Sets two processes apart that were given the same bytes by a cloned machine: process, and time to the ns.
        personalization = f"tapis rng {os.getpid()} {time.time_ns()} {time.monotonic_ns()}".encode()
        self._generator = Generator(os.getrandom, _clock_ms, personalization, _tell)
        self.fresh = self._generator.fresh
        self._file, self._seals = keys, Seals(self.fresh, read_keys(keys), give_up=give_up)
        # A child that went on from its parent's state would make the parent's draws.
        os.register_at_fork(after_in_child=self._generator.reseed)

    def taken_over(self) -> None:
        """Reseed: whatever was known of this process while it stood by is of no use. Read the keys of today."""
        self._generator.reseed()
        try:
            self._seals.keys = read_keys(self._file)
        except KeyFileError as error:
            raise CannotServe(f"TAPIS_RNG_SEAL_KEYS_FILE: {error}") from error

    def look_over(self, state: Any) -> None:
        """See that all unrevealed seeds of the draws can be opened; raises `CannotServe`."""
        self._seals.look_over(state)

    def provide(self, state: Any, command: Command) -> Chance:
        """Return what a decision on the draws needs."""
        return self._seals.provide(state, command)

    def failure(self) -> str:
        """Return why nothing may be drawn."""
        return "" if self._generator.healthy() else f"the generator is not healthy: {self._generator.failure}"


def chance_of(settings: Settings) -> OwnChance:
    """Return the chance that the settings describe; raises `SettingsError`."""
    if settings.rng_seal_keys is None:
        raise SettingsError("TAPIS_RNG_SEAL_KEYS_FILE must name the file of keys; `tapis seal-key FILE` makes one")
    try:
        return OwnChance(settings.rng_seal_keys, give_up=settings.rng_give_up_seeds)
    except KeyFileError as error:
        raise SettingsError(f"TAPIS_RNG_SEAL_KEYS_FILE: {error}") from error


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
