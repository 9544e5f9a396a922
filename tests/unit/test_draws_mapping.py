"""Fairness by counting all raw values, not by luck: the counts must be equal, exactly."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice, product

import pytest

from libs.draws.mapping import draw, expand, integers, pick, raw_size

ENTROPY = bytes(range(32))
GOLDEN = (53760, 506472, 196848, 801580)
"""Drawn once with this very code: a change of the mapping would make old draws unverifiable."""


def ragged(content: bytes, size: int) -> Iterator[bytes]:
    return (content[start : start + size] for start in range(0, len(content), size))


def endless(head: tuple[int, ...]) -> Iterator[bytes]:
    """Yield the given bytes one by one, then say that they did not suffice."""
    for byte in head:
        yield bytes([byte])
    raise EOFError


@pytest.mark.parametrize("bound", range(2, 257))
def test_each_value_has_as_many_raw_bytes(bound: int) -> None:
    """Of the 256 raw bytes, every value of a small range has the same number, and at least half are used."""
    assert raw_size(bound) == 1
    counts = Counter(pick(bytes([raw]), bound) for raw in range(256))
    thrown_away = counts.pop(None, 0)
    assert set(range(bound)) == set(counts)
    assert len(set(counts.values())) == 1
    assert thrown_away < 128


@pytest.mark.parametrize("bound", [257, 1_000, 32_768, 32_769, 65_535, 65_536])
def test_each_value_has_as_many_raw_pairs(bound: int) -> None:
    """The same over all 65,536 pairs of bytes."""
    assert raw_size(bound) == 2
    counts = Counter(pick(raw.to_bytes(2, "big"), bound) for raw in range(65_536))
    thrown_away = counts.pop(None, 0)
    assert set(range(bound)) == set(counts)
    assert len(set(counts.values())) == 1
    assert thrown_away < 32_768


def test_the_largest_bound_is_covered() -> None:
    """A million values need three bytes; the last value is reached and the next raw value is thrown away."""
    assert raw_size(1_000_000) == 3
    assert [0, 999_999, None] == [pick(raw.to_bytes(3, "big"), 1_000_000) for raw in (0, 999_999, 1_000_000)]


@pytest.mark.parametrize("bounds", [(6, 6), (3, 5), (52, 6), (2, 256)])
def test_values_of_one_draw_do_not_lean_on_one_another(bounds: tuple[int, int]) -> None:
    """Over all pairs of bytes that suffice, each pair of values comes equally often: the joint chance is a product."""
    counts: Counter[tuple[int, ...]] = Counter()
    for raw in product(range(256), repeat=2):
        try:
            counts[integers(endless(raw), bounds)] += 1
        except EOFError:
            continue
    assert set(product(range(bounds[0]), range(bounds[1]))) == set(counts)
    assert len(set(counts.values())) == 1


def test_a_remainder_would_be_seen() -> None:
    """The counting does find a biased mapping: with a remainder, six of the 256 raw bytes favour small dice."""
    assert len(set(Counter(raw % 6 for raw in range(256)).values())) == 2


def test_bytes_are_used_in_order_whatever_the_blocks() -> None:
    """How the bytes are cut into blocks changes nothing."""
    content = b"".join(islice(expand(ENTROPY, "x"), 40))
    bounds = (*range(54, 1, -1), 1_000_000, 257)
    drawn = {integers(ragged(content, size), bounds) for size in (1, 2, 7, 32, 1280)}
    assert len(drawn) == 1


def test_the_expansion_is_what_it_says() -> None:
    """Block n is SHA-256 of the domain, the entropy with its length, the label and n: anyone can compute it again."""
    head = b"tapis/draw/1" + (32).to_bytes(8, "big") + ENTROPY + b"draw:pit-1/T1/4/17/main"
    expected = [sha256(head + count.to_bytes(8, "big")).digest() for count in range(3)]
    assert expected == list(islice(expand(ENTROPY, "draw:pit-1/T1/4/17/main"), 3))


def test_a_draw_is_a_function_of_entropy_id_and_bounds() -> None:
    """The recorded example never changes; another id or other entropy gives other values."""
    bounds = (1_000_000,) * 4
    expected = draw(ENTROPY, "draw:pit-1/T1/4/17/main", bounds)
    assert expected == draw(ENTROPY, "draw:pit-1/T1/4/17/main", bounds)
    assert expected == GOLDEN
    assert expected != draw(ENTROPY, "draw:pit-1/T1/4/18/main", bounds)
    assert expected != draw(ENTROPY[::-1], "draw:pit-1/T1/4/17/main", bounds)
