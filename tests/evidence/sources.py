"""The numbers that are looked at: raw bits and draws of the very path that play takes, from generator to integers."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice

import numpy as np

from libs.draws.generator import Generator
from libs.draws.mapping import draw, expand
from libs.kernel.ids import draw_id
from libs.kernel.shuffle import choice_bounds, chosen

Fresh = Callable[[], bytes]
"""Gives the 32 bytes of the next draw."""

CARDS = 54


def own_generator() -> Fresh:
    """Return the generator of the RNG service, set up as in its process."""
    made = Generator(os.getrandom, lambda: time.monotonic_ns() // 1_000_000, b"tapis rng report", lambda *_: None)
    if not made.healthy():
        raise RuntimeError(f"the generator is not healthy: {made.failure}")
    return made.fresh


class Path:
    """From fresh bytes to draws, with ids that go on from draw to draw as at a table."""

    def __init__(self, fresh: Fresh, how: Callable[[bytes, str, Sequence[int]], tuple[int, ...]] = draw) -> None:
        self._fresh, self._draw = fresh, how
        self._ids = (draw_id("pit-1", "report", 1, coup, "main") for coup in count(1))

    def raw(self, size: int) -> bytes:
        """Return raw bytes as the mapping cuts integers from: the first block behind each of many draws."""
        return b"".join(islice(self.blocks(), -(-size // 32)))[:size]

    def blocks(self) -> Iterator[bytes]:
        """Yield these blocks."""
        return (next(expand(self._fresh(), name)) for name in self._ids)

    def values(self, bound: int, size: int) -> np.ndarray:
        """Return one number of each of so many draws."""
        return np.fromiter((row[0] for row in islice(self._draws((bound,)), size)), dtype=np.int64, count=size)

    def orders(self, size: int) -> np.ndarray:
        """Return orders of 54 cards, each from one draw."""
        rows = islice(self._draws(choice_bounds(CARDS, CARDS)), size)
        return np.array([chosen(range(CARDS), row) for row in rows], dtype=np.int64)

    def _draws(self, bounds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for name in self._ids:
            yield self._draw(self._fresh(), name, bounds)
