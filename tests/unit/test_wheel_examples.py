"""The worked examples of rules.md section 3, played at a table with m = 100 and F = 1 000 cents."""

import pytest

from libs.table import messages as m
from tests.kit.given import CROUPIER, PIT_BOSS, given_wheel, money_is_conserved

LETTER, HOUSE = "ROUE-ARR-2024", "ROUE-MAISON-1"
ALL_MAIN = [(spot, 100) for spot in ("2", "4", "6", "16", "24", "48")]

EXAMPLES = [
    # number, stakes, stops on, inner, credit by the letter, credit by the house table
    (1, [("2", 1_000)], "2", "", 3_000, 2_000),
    (2, [("48", 500)], "48", "", 24_500, 24_000),
    (3, [("2", 1_000), ("16", 300), ("BONUS", 1_000)], "16", "", 5_100, 4_800),
    (4, [("BONUS", 1_000), ("4", 500)], "BONUS", "5", 6_000, 1_500),
    (5, [("BONUS", 1_000), ("4", 500)], "BONUS", "250", 251_000, 26_000),
    (6, [("BONUS", 1_000)], "BONUS", "1000", 1_001_000, 101_000),
    (7, [("2", 2_000), ("24", 500)], "BONUS", "1000", 0, 0),
    (9, ALL_MAIN, "6", "", 700, 600),
]


@pytest.mark.parametrize("paytable", [LETTER, HOUSE])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"example-{example[0]}")
def test_example(paytable: str, example: tuple[int, list[tuple[str, int]], str, str, int, int]) -> None:
    """Each worked example pays what rules.md prints, by the letter of the decree and by the house table."""
    _, stakes, shows, inner, letter, house = example
    table = given_wheel(paytable).given_seated(1, credit=10_000)
    table.given_wagers(*((1, spot, amount) for spot, amount in stakes)).given_spin(shows, inner)
    staked, expected = sum(amount for _, amount in stakes), letter if paytable == LETTER else house
    (result,) = table.last_settlement().seats
    assert (staked, expected) == (result.staked, result.credited)
    assert 10_000 - staked + expected == table.credit()
    money_is_conserved(table)


@pytest.mark.parametrize("paytable", [LETTER, HOUSE])
def test_example_8(paytable: str) -> None:
    """Example 8: the wheel is stopped by hand, the spin is void, 2 300 cents come back and nothing is posted."""
    table = given_wheel(paytable).given_seated(1, credit=10_000)
    table.given_wagers((1, "2", 1_000), (1, "16", 300), (1, "BONUS", 1_000)).given(m.CloseBetting(), by=CROUPIER)
    table.given(m.VoidCoup(reason="stopped by hand"), by=PIT_BOSS)
    (voided,) = table.only(m.CoupVoided)
    assert isinstance(voided, m.CoupVoided)
    assert [(2_300, 2_300)] == [(result.staked, result.credited) for result in voided.seats]
    assert 10_000 == table.credit()
    assert 1 == table.state.postings
    money_is_conserved(table)
