"""Tests of SP 800-22 that give several p-values a sequence, each of them; the package gives only the smallest.

The smallest of several dependent p-values is not uniform, so neither proportion nor uniformity could be judged by it.
That these agree with the package's smallest, and with NIST's own figures for the number e, is tested.
"""

import numpy as np
from scipy.special import erfc, gammaincc, ndtr

TEMPLATE_BITS = 9
BLOCKS = 8
SERIAL_BITS = 16
LEAST_CYCLES = 500
_EXCURSIONS = (
    (0.5, 0.25, 0.125, 0.0625, 0.03125, 0.03125),
    (0.75, 0.0625, 0.046875, 0.03515625, 0.0263671875, 0.0791015625),
    (0.8333333333, 0.02777777778, 0.02314814815, 0.01929012346, 0.01607510288, 0.0803755143),
    (0.875, 0.015625, 0.013671875, 0.01196289063, 0.0104675293, 0.0732727051),
)
"""Chances of 0, 1, 2, 3, 4 and more visits to the states at distance 1 to 4 in one cycle (3.14)."""


def cumulative_sums(bits: np.ndarray) -> dict[str, float]:
    """2.13, forward and in reverse."""
    walk = np.cumsum(2 * bits.astype(np.int64) - 1)
    high, low, end = max(int(walk.max()), 0), min(int(walk.min()), 0), int(walk[-1])
    return {
        "cumulative sums, forward": _excess(len(bits), max(high, -low)),
        "cumulative sums, reverse": _excess(len(bits), max(high - end, end - low)),
    }


def _excess(n: int, z: int) -> float:
    """Return the chance that a walk of n steps goes as far as z; the bounds are cut off as NIST's program does."""
    root = n**0.5
    first = np.arange(int((int(-n / z) + 1) / 4), int((n // z - 1) / 4) + 1)
    second = np.arange(int((int(-n / z) - 3) / 4), int((n // z - 1) / 4) + 1)
    inside = np.sum(ndtr((4 * first + 1) * z / root) - ndtr((4 * first - 1) * z / root))
    outside = np.sum(ndtr((4 * second + 3) * z / root) - ndtr((4 * second + 1) * z / root))
    return float(1 - inside + outside)


def serial(bits: np.ndarray, size: int = SERIAL_BITS) -> dict[str, float]:
    """2.11: overlapping patterns of 16 bits, around the end."""
    counts = np.bincount(_patterns(np.concatenate([bits, bits[: size - 1]]), size), minlength=2**size)
    psi = []
    for _ in range(3):
        psi.append(float((counts.astype(float) ** 2).sum() * len(counts) / len(bits) - len(bits)))
        counts = counts.reshape(-1, 2).sum(axis=1)
    return {
        "serial, 1st": float(gammaincc(2.0 ** (size - 2), (psi[0] - psi[1]) / 2)),
        "serial, 2nd": float(gammaincc(2.0 ** (size - 3), (psi[0] - 2 * psi[1] + psi[2]) / 2)),
    }


def aperiodic_templates(size: int = TEMPLATE_BITS) -> list[int]:
    """Return the patterns that cannot overlap themselves: 148 of 9 bits."""
    found = []
    for pattern in range(2**size):
        overlaps = (pattern >> shift == pattern & (2 ** (size - shift) - 1) for shift in range(1, size))
        if not any(overlaps):
            found.append(pattern)
    return found


def template_matchings(bits: np.ndarray, size: int = TEMPLATE_BITS) -> dict[str, float]:
    """2.7 for all templates at once: what cannot overlap itself is counted by counting all patterns."""
    length = len(bits) // BLOCKS
    mean = (length - size + 1) / 2**size
    variance = length * (1 / 2**size - (2 * size - 1) / 2 ** (2 * size))
    excess = np.zeros(2**size)
    for block in range(BLOCKS):
        patterns = _patterns(bits[block * length : (block + 1) * length], size)
        excess += (np.bincount(patterns, minlength=2**size) - mean) ** 2 / variance
    chances = gammaincc(BLOCKS / 2, excess / 2)
    return {f"template {pattern:0{size}b}": float(chances[pattern]) for pattern in aperiodic_templates(size)}


def random_excursions(bits: np.ndarray) -> dict[str, float]:
    """2.14 and 2.15; nothing for a sequence with too few cycles, as the standard wants it."""
    walk = np.cumsum(2 * bits.astype(np.int64) - 1)
    back = walk == 0
    cycles = int(back.sum()) + int(walk[-1] != 0)
    if cycles < max(0.005 * len(bits) ** 0.5, LEAST_CYCLES):
        return {}
    cycle = np.cumsum(back) - back
    found: dict[str, float] = {}
    for state in (*range(-4, 0), *range(1, 5)):
        visits = np.minimum(np.bincount(cycle[walk == state], minlength=cycles), 5)
        expected = cycles * np.array(_EXCURSIONS[abs(state) - 1])
        excess = float((((np.bincount(visits, minlength=6) - expected) ** 2) / expected).sum())
        found[f"random excursions, {state:+d}"] = float(gammaincc(2.5, excess / 2))
    for state in (*range(-9, 0), *range(1, 10)):
        off = abs(int((walk == state).sum()) - cycles)
        found[f"random excursions variant, {state:+d}"] = float(erfc(off / (2 * cycles * (4 * abs(state) - 2)) ** 0.5))
    return found


def _patterns(bits: np.ndarray, size: int) -> np.ndarray:
    """Return the number that each overlapping row of so many bits spells."""
    count = len(bits) - size + 1
    patterns = np.zeros(count, dtype=np.int64)
    for place in range(size):
        patterns = 2 * patterns + bits[place : place + count]
    return patterns
