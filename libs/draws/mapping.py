"""From random bytes to fair integers, exactly: rejection sampling, never the remainder of a raw value.

A raw value of just enough bits is taken when it is below the bound and thrown away when not; so each value of the
range has exactly one raw value behind it, and its chance is exactly 1/bound if the bits are fair. (A remainder would
favour the small values.) The bits are SHA-256 in counter mode over the entropy and the draw's id.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count

_DOMAIN = b"tapis/draw/1"
"""Keeps these bytes apart from other uses of the same entropy, and numbers this function for a successor."""


def draw(entropy: bytes, label: str, bounds: Sequence[int]) -> tuple[int, ...]:
    """Return one integer in 0 … bound-1 for each bound: the same for the same entropy and label, for ever.

    >>> draw(bytes(32), "draw:pit-1/T1/4/17/main", (52, 6))
    (43, 1)
    """
    return integers(expand(entropy, label), bounds)


def integers(source: Iterator[bytes], bounds: Sequence[int]) -> tuple[int, ...]:
    """Return one integer per bound, from blocks of random bytes that are used in order, each byte once.

    >>> integers(iter([bytes([0b1111_1111, 0b1100_0001])]), (6,))
    (1,)
    """
    held, at, values = b"", 0, []
    for bound in bounds:
        size, value = raw_size(bound), None
        while value is None:
            while len(held) - at < size:
                held, at = held[at:] + next(source), 0
            value = pick(held[at : at + size], bound)
            at += size
        values.append(value)
    return tuple(values)


def raw_size(bound: int) -> int:
    """Return how many bytes are taken for one try at a value below `bound`.

    >>> raw_size(2), raw_size(256), raw_size(257)
    (1, 1, 2)
    """
    return ((bound - 1).bit_length() + 7) // 8


def pick(raw: bytes, bound: int) -> int | None:
    """Return the value that `raw` (`raw_size(bound)` bytes) stands for, or None when it must be thrown away.

    Only the lowest bits that `bound - 1` needs count; the others are dropped, which leaves these as fair as they were.

    >>> pick(bytes([0b0000_0101]), 6), pick(bytes([0b0000_0110]), 6)
    (5, None)
    """
    value = int.from_bytes(raw, "big") & ((1 << (bound - 1).bit_length()) - 1)
    return value if value < bound else None


def expand(entropy: bytes, label: str) -> Iterator[bytes]:
    """Yield blocks of 32 bytes without end: SHA-256(domain | entropy length | entropy | label | counter), from 0.

    The length (8 bytes) and the counter (8 bytes) are big-endian. Another label gives other blocks, also with the same
    entropy.
    """
    head = _DOMAIN + len(entropy).to_bytes(8, "big") + entropy + label.encode()
    for counter in count():
        yield sha256(head + counter.to_bytes(8, "big")).digest()
