"""Spoilt generators fail the report, and one that nobody spoilt passes: the same in every run."""

from collections.abc import Callable, Iterator, Sequence

import pytest

pytest.importorskip("numpy", reason="the extra `evidence` is not installed")
pytest.importorskip("scipy", reason="the extra `evidence` is not installed")
pytest.importorskip("sp80022suite", reason="the extra `evidence` is not installed")

from libs.draws.mapping import draw
from tests.evidence.report import CARDS, RAW, SHAPES, Report, Sizes, of_generator
from tests.evidence.sources import Path
from tests.kit.sabotage import Stuttering, sound, sticky, with_remainder, with_sticky_bit

DRAWS = Sizes(sequences=0, values=50_000, orders=2_000)
BITS = Sizes(sequences=5, values=5_000, orders=200)

How = Callable[[bytes, str, Sequence[int]], tuple[int, ...]]


class StickyPath(Path):
    """A bit of the raw output sticks."""

    def blocks(self) -> Iterator[bytes]:
        """Yield the spoilt blocks."""
        return map(sticky, super().blocks())


class StutteringPath(Path):
    """Each raw block is said twice."""

    def blocks(self) -> Iterator[bytes]:
        """Yield the spoilt blocks."""
        return Stuttering.raw(super().blocks())


def report(sizes: Sizes, how: How = draw, kind: type[Path] = Path) -> Report:
    return of_generator(kind(sound(), how), sizes, lambda _: None)


def failed(made: Report) -> set[str]:
    return {section.name for section in made.sections if not section.passed}


def test_a_sound_generator_passes() -> None:
    """Draws and raw bits of a source that nobody has spoilt: nothing fails."""
    made = report(Sizes(sequences=5, values=50_000, orders=2_000))
    assert made.passed
    assert [RAW, *SHAPES, CARDS] == [section.name for section in made.sections]
    assert 376 == len(made.sections[0].findings)


def test_a_remainder_is_found() -> None:
    """Numbers by the remainder of a byte favour small ones: the wheel and the cards fail."""
    found = failed(report(Sizes(sequences=0, values=50_000, orders=10_000), with_remainder))
    assert {"Wheel, 52 segments", CARDS} <= found


def test_a_sticky_bit_is_found_in_the_draws() -> None:
    """The lowest bit of the first byte is always 1: every die and wheel, and the cards, fail."""
    assert {*SHAPES, CARDS} == failed(report(DRAWS, with_sticky_bit))


def test_a_repeated_block_is_found_in_the_draws() -> None:
    """Every second draw is the one before: every die and wheel, and the cards, fail."""
    assert {*SHAPES, CARDS} == failed(report(DRAWS, Stuttering()))


@pytest.mark.parametrize("kind", [StickyPath, StutteringPath])
def test_spoilt_raw_bits_are_found(kind: type[Path]) -> None:
    """A sticky bit in every eighth byte, and blocks said twice, fail the battery; the second look fails too."""
    made = report(BITS, kind=kind)
    assert RAW in failed(made)
    assert any(one.again_p is not None for one in made.sections[0].findings)
