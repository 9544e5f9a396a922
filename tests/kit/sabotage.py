"""Sources of chance that somebody has spoilt, and one that nobody has: the same in every run of a test."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count

from libs.draws.mapping import draw, expand, integers


def sound(seed: str = "sound") -> Callable[[], bytes]:
    """Return a source of 32 bytes at a time that nothing distinguishes from chance."""
    numbers = count()
    return lambda: sha256(f"{seed} {next(numbers)}".encode()).digest()


def with_remainder(entropy: bytes, label: str, bounds: Sequence[int]) -> tuple[int, ...]:
    """Map bytes to numbers by the remainder, which favours small ones."""
    blocks = expand(entropy, label)
    raw = b"".join(next(blocks) for _ in range(-(-len(bounds) // 32)))
    return tuple(byte % bound for byte, bound in zip(raw, bounds, strict=False))


def sticky(block: bytes) -> bytes:
    """Let the lowest bit of every eighth byte be 1 whatever it was."""
    return bytes(byte | (place % 8 == 0) for place, byte in enumerate(block))


def with_sticky_bit(entropy: bytes, label: str, bounds: Sequence[int]) -> tuple[int, ...]:
    """Map bytes exactly, but from blocks with a bit that sticks."""
    return integers((sticky(block) for block in expand(entropy, label)), bounds)


class Stuttering:
    """Says every block twice: the second of two draws is the first again."""

    def __init__(self) -> None:
        self._again: tuple[bytes, str] | None = None

    def __call__(self, entropy: bytes, label: str, bounds: Sequence[int]) -> tuple[int, ...]:
        """Map exactly, from bytes that are new only every other time."""
        if self._again is None:
            self._again = entropy, label
            return draw(entropy, label, bounds)
        before, self._again = self._again, None
        return draw(*before, bounds)

    @staticmethod
    def raw(blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Return the blocks, each of them twice."""
        for block in blocks:
            yield block
            yield block
