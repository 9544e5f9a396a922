"""Orders of cards: every one can come, each has one draw behind it, and nothing comes twice."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.draws.mapping import draw, integers, pick, raw_size
from libs.kernel.limits import DRAW_ENTROPY_BYTES
from libs.kernel.shuffle import choice_bounds, chosen, numbers_of

CARDS = range(54)


@pytest.mark.parametrize(("things", "wanted"), [(n, k) for n in range(2, 8) for k in range(1, n + 1)])
def test_each_ordered_choice_has_one_draw(things: int, wanted: int) -> None:
    """Over all rows of numbers, each ordered choice of a small pack comes exactly once, and no other comes."""
    counted = Counter(chosen(range(things), row) for row in product(*map(range, choice_bounds(things, wanted))))
    # One before the last leaves no choice for the last: both are taken.
    length = things if wanted >= things - 1 else wanted
    assert set(permutations(range(things), length)) == set(counted)
    assert {1} == set(counted.values())


def endless(head: tuple[int, ...]) -> Iterator[bytes]:
    """Yield the given bytes one by one, then say that they did not suffice."""
    for byte in head:
        yield bytes([byte])
    raise EOFError


def test_small_packs_from_all_bytes() -> None:
    """Over all rows of six bytes that suffice (their two low bits count), each order of four comes equally often."""
    counted: Counter[tuple[int, ...]] = Counter()
    for raw in product(range(4), repeat=6):
        try:
            counted[chosen(range(4), integers(endless(raw), choice_bounds(4, 4)))] += 1
        except EOFError:
            continue
    assert set(permutations(range(4))) == set(counted)
    assert 1 == len(set(counted.values()))


@given(st.permutations(CARDS))
def test_every_order_of_54_cards_has_a_draw(order: list[int]) -> None:
    """Whatever order somebody names, there is a draw that makes it, and bytes that make that draw."""
    bounds, values = choice_bounds(54, 54), numbers_of(CARDS, order)
    assert all(0 <= value < bound for value, bound in zip(values, bounds, strict=True))
    assert tuple(order) == chosen(CARDS, values)
    raw = [value.to_bytes(raw_size(bound), "big") for value, bound in zip(values, bounds, strict=True)]
    assert list(values) == [pick(one, bound) for one, bound in zip(raw, bounds, strict=True)]
    assert values == integers(iter(raw), bounds)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 54))
def test_no_card_comes_twice(entropy: bytes, wanted: int) -> None:
    """A real draw of any length from any entropy is of different cards of the pack."""
    cards = chosen(CARDS, draw(entropy, "draw:pit-1/T1/1/1/cards", choice_bounds(54, wanted)))
    assert len(set(cards)) == len(cards)
    assert set(cards) <= set(CARDS)


def test_a_seed_is_longer_than_an_order() -> None:
    """54! orders need 238 bits; a seed has 256, so that there are at least 2^18 seeds for each order on average."""
    assert factorial(54) == prod(choice_bounds(54, 54))
    assert 238 == factorial(54).bit_length()
    assert 2 ** (8 * DRAW_ENTROPY_BYTES) // factorial(54) > 2**18
