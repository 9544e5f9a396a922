"""What is rejected, what is looked at again, and that a fair source is left alone."""

from collections.abc import Sequence

import pytest

np = pytest.importorskip("numpy", reason="the extra `evidence` is not installed")
pytest.importorskip("scipy", reason="the extra `evidence` is not installed")
pytest.importorskip("sp80022suite", reason="the extra `evidence` is not installed")

from tests.evidence import judging, shapes  # noqa: E402 - only once it is known that they can be imported
from tests.evidence.judging import Finding, judged, rejected  # noqa: E402 - the same


def findings(*ps: float, section: str = "s") -> list[Finding]:
    return [
        Finding(section=section, test=str(place), samples=1, statistic=0.0, measures="", p=p)
        for place, p in enumerate(ps)
    ]


@pytest.mark.parametrize(
    ("ps", "expected"),
    [
        ((0.5, 0.02, 0.9), set()),
        ((0.5, 0.003, 0.9), {"s: 1"}),
        ((0.004, 0.003, 0.9), {"s: 0", "s: 1"}),
        ((0.006, 0.003, 0.9), {"s: 1"}),
        ((0.009, 0.0049, 0.0033), {"s: 0", "s: 1", "s: 2"}),
        ((), set()),
    ],
)
def test_holm(ps: Sequence[float], expected: set[str]) -> None:
    """The smallest p is compared with 1 % by the number of tests, the next by one less, until one is larger."""
    assert expected == rejected(findings(*ps))


def test_a_second_look_is_the_last() -> None:
    """What is suspected is looked at once more: it passes again or fails, and both p-values stay."""
    asked: list[set[str]] = []

    def again(sections: set[str]) -> list[Finding]:
        asked.append(sections)
        return findings(0.4, 1e-9, 0.0)

    verdicts = [(one.verdict, one.p, one.again_p) for one in judged(findings(1e-6, 1e-7, 0.5), again)]
    assert [("passed_again", 1e-6, 0.4), ("failed", 1e-7, 1e-9), ("passed", 0.5, None)] == verdicts
    assert [{"s"}] == asked


def test_records_have_no_second_look() -> None:
    """What was recorded cannot be drawn anew: rejected is rejected."""
    assert ["failed", "passed"] == [one.verdict for one in judged(findings(1e-6, 0.5), None)]


def test_nothing_suspected_is_not_looked_at_again() -> None:
    """A look that finds nothing costs no second one."""
    assert ["passed"] * 2 == [one.verdict for one in judged(findings(0.02, 0.5), lambda _: pytest.fail("asked"))]


def test_the_battery_is_judged_by_number_and_by_spread() -> None:
    """Too many small p-values, and p-values that crowd, are each seen; even ones are neither."""
    even = [{"t": (place + 0.5) / 100} for place in range(100)]
    proportion, uniformity = judging.of_battery("s", even)
    assert (0.99, 0.0) == (proportion.statistic, uniformity.statistic)
    assert (True, True) == (proportion.nist, uniformity.nist)
    assert min(proportion.p, uniformity.p) > 0.2
    low, _ = judging.of_battery("s", [*even[:90], *[{"t": 0.001}] * 10])
    assert (False, True) == (low.nist, low.p < 1e-6)
    _, crowded = judging.of_battery("s", [{"t": 0.55}] * 100)
    assert crowded.p < 1e-100


def test_a_test_that_does_not_apply_is_counted_where_it_does() -> None:
    """Excursions are missing in some sequences: the others are the samples."""
    found = judging.of_battery("s", [{"a": 0.5, "b": 0.5}, {"a": 0.6}])
    assert {"a: proportion": 2, "b: proportion": 1} == {
        one.test: one.samples for one in found if one.test.endswith("proportion")
    }


@pytest.mark.parametrize("bound", [6, 20, 52])
def test_the_tests_of_numbers_are_calibrated(bound: int) -> None:
    """Of 400 fair series, about one in twenty has p below 0.05 in each test: none cries wolf, none is asleep."""
    chance = np.random.default_rng(bound)
    found: dict[str, list[float]] = {}
    for _ in range(400):
        for one in shapes.of_values("s", chance.integers(0, bound, 20_000), bound, in_a_circle=True):
            found.setdefault(one.test, []).append(one.p)
    assert {"chi-square", "runs", "serial correlation", "coupon collector", "duplicates", "tilt"} <= set(found)
    shares = {test: sum(p < 0.05 for p in ps) / len(ps) for test, ps in found.items()}
    # Two are larger than uniform by their making: few coincidences are whole numbers, and of many faces one is worst.
    least = {"duplicates": 0.0, "extreme": 0.005}
    wrong = {test: share for test, share in shares.items() if not least.get(test, 0.02) < share < 0.09}
    assert {} == wrong


def test_the_tests_of_orders_are_calibrated() -> None:
    """The same for orders of 54 cards, 200 times 1,000 of them."""
    chance = np.random.default_rng(54)
    pack = np.tile(np.arange(54), (1_000, 1))
    found: dict[str, list[float]] = {}
    for _ in range(200):
        for one in shapes.of_orders("s", chance.permuted(pack, axis=1)):
            found.setdefault(one.key, []).append(one.p)
    shares = {test: sum(p < 0.05 for p in found[f"s: {test}"]) / 200 for test in ("places", "successors", "rises")}
    assert {} == {test: share for test, share in shares.items() if not 0.01 < share < 0.11}
    assert {1.0} == set(found["s: no card twice"])


def test_a_card_that_comes_twice_is_certain_failure() -> None:
    """One order of many with a card twice is no matter of chance."""
    orders = np.tile(np.arange(54), (100, 1))
    orders[3, 5] = orders[3, 6]
    (one,) = [one for one in shapes.of_orders("s", orders) if one.test == "no card twice"]
    assert (1, 0.0) == (one.statistic, one.p)
