"""The worked examples of rules.md section 2, played at a table with minimum and chip of 500 cents."""

import pytest

from libs.games.rampo import messages as r
from libs.table import messages as m
from tests.kit.given import CROUPIER, PIT_BOSS, money_is_conserved
from tests.kit.rampo import HOUSE, LETTER, answered, game_of, given_rampo, given_trying, settlement, thrown

EXAMPLES = [
    # number, paytable, spot, stake, first throw, tries, second throw, credit
    (1, HOUSE, "ROUGE", 1_000, 8, None, None, 5_000),
    (2, HOUSE, "BLANC", 1_000, 7, None, None, 4_000),
    (3, HOUSE, "7", 500, 7, None, None, 2_500),
    (4, HOUSE, "6", 500, 6, False, None, 3_000),
    (5, HOUSE, "6", 500, 6, True, 6, 20_500),
    (6, LETTER, "6", 500, 6, True, 6, 6_500),
    (7, HOUSE, "12", 500, 12, True, 7, 0),
    (8, HOUSE, "12", 500, 12, False, None, 15_500),
    (9, LETTER, "12", 500, 12, True, 12, 85_500),
    (11, HOUSE, "NOIR", 2_000, 8, None, None, 0),
]


@pytest.mark.parametrize("source", ["rng", "console"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"example-{example[0]}")
def test_example(example: tuple[int, str, str, int, int, bool | None, int | None, int], source: str) -> None:
    """Each worked example pays what rules.md prints, whether dice are drawn or thrown by hand."""
    _, paytable, spot, stake, first, tries, second, credit = example
    table = given_rampo(paytable, source=source).given_wagers((1, spot, stake))
    thrown(table, first)
    if tries is not None:
        answered(table, (1, tries))
    if second is not None:
        thrown(table.given_wagers(), second)
    assert 100_000 - stake + credit == table.credit()
    assert 0 == sum(game_of(table).zone.values())
    money_is_conserved(table)


def test_example_3_changes_hands() -> None:
    """Example 3: after a 7 no rampo is offered, and the dice go to the next player."""
    table = given_rampo().given_wagers((1, "7", 500))
    assert 1 == game_of(table).shooter
    thrown(table, 7)
    assert 2_500 == table.last_settlement().seats[0].credited
    assert [] == table.only(r.RampoOffered)
    assert 2 == game_of(table).shooter


def test_example_10() -> None:
    """Example 10: number 4, throw 4, tried; then *coup nul*, then 4: 55 500."""
    table = given_trying(given_rampo(source="console"), 4).given_wagers().given(m.CloseBetting(), by=CROUPIER)
    table.given(r.CallCoupNul(throw=1, fault="leaning"), by=CROUPIER)
    thrown(table, 4, close=False)
    assert 100_000 - 500 + 55_500 == table.credit()
    money_is_conserved(table)


def test_the_whole_table() -> None:
    """The whole-table example: three throws, each settled in the printed order; then the very last throw."""
    table = given_rampo(players=3)
    table.given_wagers((1, "ROUGE", 1_000), (1, "8", 500), (2, "8", 1_000), (3, "VERT", 2_000))
    answered(thrown(table, 8), (1, True), (2, False))
    expected = [("RAMASSE", 3, "VERT", 0), ("COULEUR", 1, "ROUGE", 5_000), ("NUMERO", 2, "8", 6_000)]
    assert [*expected, ("ZONE", 1, "8", 0)] == settlement(table)
    assert (8, {1: 500}) == (game_of(table).zone_number, game_of(table).zone)

    table.given_wagers((2, "8", 500), (3, "NOIR", 1_000))
    answered(thrown(table, 8), (2, True))
    expected = [("RAMASSE", 3, "NOIR", 0), ("RAMPO", 1, "RAMPO-8", 20_500), ("ZONE", 2, "8", 0)]
    assert expected == settlement(table)
    assert (8, {2: 500}) == (game_of(table).zone_number, game_of(table).zone)

    thrown(table.given_wagers((1, "BLANC", 1_000)), 7)
    assert [("RAMASSE", 2, "RAMPO-8", 0), ("COULEUR", 1, "BLANC", 4_000)] == settlement(table)
    assert (0, {}) == (game_of(table).zone_number, game_of(table).zone)
    assert 2 == game_of(table).shooter

    table.given(m.AnnounceLastCoups(), by=PIT_BOSS)
    for _ in range(2):
        thrown(table.given_wagers((1, "ROUGE", 500)), 6)
    thrown(table.given_wagers((1, "10", 500)), 10)
    assert [("NUMERO", 1, "10", 5_000)] == settlement(table)
    assert 0 == table.state.last_left
    money_is_conserved(table)
