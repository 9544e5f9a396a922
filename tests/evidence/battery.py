"""The battery of NIST SP 800-22 Rev. 1a on a sequence of a million bits: 188 p-values of its fifteen tests.

Where a test gives one p-value it is that of the package `sp80022suite`, NIST's own program made a Python module; the
others are in `excursions.py`. `known_answers` compares both with what NIST published for the number e.
"""

from collections.abc import Callable, Iterator
from functools import partial

import msgspec
import numpy as np
import sp80022suite

from tests.evidence import excursions

SEQUENCE_BITS = 1_000_000

_SINGLE: dict[str, Callable[[bytearray], float]] = {
    "frequency": sp80022suite.frequency,
    "frequency within a block": partial(sp80022suite.block_frequency, 128),
    "runs": sp80022suite.runs,
    "longest run of ones": sp80022suite.longest_run_of_ones,
    "binary matrix rank": sp80022suite.rank,
    "discrete Fourier transform": sp80022suite.discrete_fourier_transform,
    "overlapping templates": partial(sp80022suite.overlapping_template_matchings, 9),
    "Maurer's universal": sp80022suite.universal,
    "linear complexity": partial(sp80022suite.linear_complexity, 500),
    "approximate entropy": partial(sp80022suite.approximate_entropy, 10),
}
"""Tests with one p-value, with the parameters of the standard's example."""

_SEVERAL = (
    excursions.cumulative_sums,
    excursions.serial,
    excursions.template_matchings,
    excursions.random_excursions,
)

_PUBLISHED = {
    "frequency": 0.953749,
    "frequency within a block": 0.211072,
    "cumulative sums, forward": 0.669887,
    "cumulative sums, reverse": 0.724266,
    "runs": 0.561917,
    "longest run of ones": 0.718945,
    "binary matrix rank": 0.306156,
    "discrete Fourier transform": 0.847187,
    "template 000000001": 0.078790,
    "overlapping templates": 0.110434,
    "Maurer's universal": 0.282568,
    "approximate entropy": 0.700073,
    "random excursions, +1": 0.786868,
    "random excursions variant, -1": 0.826009,
    "linear complexity": 0.826335,
    "serial, 1st": 0.766182,
    "serial, 2nd": 0.462921,
}
"""SP 800-22 Rev. 1a, appendix B: the first 1,000,000 binary digits of e."""

_buffer = bytearray(SEQUENCE_BITS)
"""The package never lets go of what it was shown: it is always shown this."""


class Known(msgspec.Struct, frozen=True):
    """A published p-value, and ours."""

    name: str
    published: float
    ours: float

    @property
    def agrees(self) -> bool:
        """Tell whether they are the same as far as it was printed."""
        return abs(self.published - self.ours) < 2e-6


def p_values(raw: bytes) -> dict[str, float]:
    """Return the p-values of a sequence (125,000 bytes) by name; excursions may be missing."""
    bits = np.unpackbits(np.frombuffer(raw, np.uint8))
    if len(bits) != SEQUENCE_BITS:
        raise ValueError(f"a sequence has {SEQUENCE_BITS} bits, not {len(bits)}")
    _buffer[:] = bits.tobytes()
    found = {name: float(test(_buffer)) for name, test in _SINGLE.items()}
    for tests in _SEVERAL:
        found |= tests(bits)
    return found


def known_answers() -> list[Known]:
    """Run the battery on the number e."""
    ours = p_values(digits_of_e(SEQUENCE_BITS))
    return [Known(name, published, ours[name]) for name, published in _PUBLISHED.items()]


def digits_of_e(count: int) -> bytes:
    """Return the first binary digits of e = 10.101101… , by halves of its series: sums of fractions, exact.

    >>> digits_of_e(16).hex()
    'adf8'
    """
    terms = next(k for k in _terms() if k * (k.bit_length() - 2) > count + 64)
    above, below = _series(0, terms)
    number = ((above + below) << (count - 2)) // below
    return number.to_bytes(count // 8, "big")


def _terms() -> Iterator[int]:
    number = 16
    while True:
        yield number
        number += number // 4


def _series(start: int, end: int) -> tuple[int, int]:
    """Return 1/(start+1) + 1/((start+1)(start+2)) + … to end, as a fraction."""
    if end - start == 1:
        return 1, end
    middle = (start + end) // 2
    (above, below), (more, under) = _series(start, middle), _series(middle, end)
    return above * under + more, below * under
