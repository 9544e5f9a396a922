"""A big dictionary that is never changed in place: `put` returns a new one that shares all but what it touched.

States are values: a failed append drops the new state and keeps the old one (law 5), so `evolve` may not write into a
dict of 100,000 accounts, nor copy it. Keys are spread over 64 x 64 small dicts by CRC-32 (Python's own hash differs
from process to process, and a replay elsewhere must give the same bytes); a change copies one small dict, one branch
of 64 and the trunk of 64. Plain tuples and dicts, so msgspec encodes and decodes it as it is, in an order that only
the history of changes decides.

>>> before: Buckets[int] = empty()
>>> after = put(before, {"player:player-1": 500})
>>> find(before, "player:player-1"), find(after, "player:player-1")
(None, 500)
"""

from collections.abc import Iterator, Mapping
from typing import TypeVar
from zlib import crc32

V = TypeVar("V")

Buckets = tuple[tuple[dict[str, V], ...], ...]
"""Trunk of 64 branches of 64 small dicts. Never write into one of them."""

_BITS = 6
_WIDTH = 1 << _BITS
_LOW = _WIDTH - 1
_ALL = _WIDTH * _WIDTH - 1

LEAVES = _WIDTH * _WIDTH
"""Number of small dicts: the pieces in which the whole may be taken through."""


def empty() -> Buckets[V]:
    """Return the dictionary without keys."""
    nothing: dict[str, V] = {}
    return ((nothing,) * _WIDTH,) * _WIDTH


def find(buckets: Buckets[V], key: str) -> V | None:
    """Return the value of a key, or None."""
    place = crc32(key.encode()) & _ALL
    return buckets[place >> _BITS][place & _LOW].get(key)


def put(buckets: Buckets[V], changes: Mapping[str, V]) -> Buckets[V]:
    """Return the dictionary with these keys set; the one given stays as it is."""
    branches: dict[int, list[dict[str, V]]] = {}
    leaves: dict[int, dict[str, V]] = {}
    for key, value in changes.items():
        place = crc32(key.encode()) & _ALL
        leaf = leaves.get(place)
        if leaf is None:
            high, low = place >> _BITS, place & _LOW
            branch = branches.get(high)
            if branch is None:
                branch = branches[high] = list(buckets[high])
            leaf = leaves[place] = branch[low] = branch[low].copy()
        leaf[key] = value
    trunk = list(buckets)
    for high, branch in branches.items():
        trunk[high] = tuple(branch)
    return tuple(trunk)


def leaf_number(key: str) -> int:
    """Return which of the `LEAVES` small dicts a key is in."""
    return crc32(key.encode()) & _ALL


def leaf(buckets: Buckets[V], number: int) -> dict[str, V]:
    """Return one small dict; not to be written into."""
    return buckets[number >> _BITS][number & _LOW]


def put_leaf(buckets: Buckets[V], number: int, content: dict[str, V]) -> Buckets[V]:
    """Return the dictionary with one small dict replaced; its keys must be those that belong there."""
    high, low = number >> _BITS, number & _LOW
    # By way of lists, which are copied whole: three times as fast as putting slices together.
    trunk, branch = list(buckets), list(buckets[high])
    branch[low] = content
    trunk[high] = tuple(branch)
    return tuple(trunk)


def items(buckets: Buckets[V]) -> Iterator[tuple[str, V]]:
    """Yield all keys and values: for totals and reports, not for decisions."""
    for branch in buckets:
        for leaf in branch:
            if leaf:  # most are empty in a small house
                yield from leaf.items()
