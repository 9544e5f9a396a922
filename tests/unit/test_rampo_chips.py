"""Chips, stakes and terms of Rampo: colours in order of arrival, chip values, limits, what is refused."""

import pytest

from libs.games.rampo import messages as r
from libs.games.rampo.chips import CHIP_COLOURS
from libs.kernel.messages import Command
from libs.table import messages as m
from libs.table.board import board_of
from tests.kit.given import COMMITTEE, CROUPIER, TECHNICIAN, GivenTable, player
from tests.kit.rampo import HOUSE, HOUSE_2, LETTER, answered, game_of, given_rampo, given_trying, rampo_opening, thrown

COLOURS = list(CHIP_COLOURS)


def test_colours_are_given_in_order_of_arrival() -> None:
    """The first to arrive gets the first colour, whatever the seat; a colour that came back is given again."""
    table = GivenTable().given_open(rampo_opening())
    for number, seat in ((1, 8), (2, 1), (3, 4)):
        table.given_seated(number, seat=seat)
    assert {8: COLOURS[0], 1: COLOURS[1], 4: COLOURS[2]} == game_of(table).colours
    table.given(m.LeaveSeat(), by=player(2)).given_seated(4, seat=5)
    assert COLOURS[1] == game_of(table).colours[5]
    assert 1 not in game_of(table).colours


def test_eight_players_have_eight_colours() -> None:
    """Each of the eight players has a colour of the own; there is no ninth seat."""
    table = given_rampo(players=8)
    assert COLOURS == [game_of(table).colours[seat] for seat in range(1, 9)]
    table.when(m.TakeSeat(seat=9), by=player(9))
    table.then_refused("seat.unknown")
    assert COLOURS[2] == board_of(table.state).facts["chips_3"]


def test_a_chip_is_worth_the_minimum_until_the_marker_says_otherwise() -> None:
    """Chips of 500 by default; with the marker at 700, a number takes 700 and 1 400 but not 500 or 1 000."""
    table = given_rampo()
    assert 500 == game_of(table).chips[1]
    table.when(r.SetChipValue(value=700), by=player(1))
    table.then(r.ChipValueSet(coup=0, seat=1, chip_value=700))
    table.when(r.SetChipValue(value=700), by=player(1))
    table.then_already()
    table.given_wagers((1, "8", 700), (1, "9", 1_400), (2, "8", 500))
    for amount in (500, 1_000):
        table.when(m.PlaceWager(spot="8", amount=amount), by=player(1))
        table.then_refused("rampo.not_whole_chips")


def test_value_chips_are_for_colours_only() -> None:
    """Any amount from the minimum on a colour, whatever the chips are worth; whole chips on a number."""
    table = given_rampo().given(r.SetChipValue(value=700), by=player(1)).given_wagers((1, "ROUGE", 501))
    table.given(m.PlaceWager(spot="ROUGE", amount=1), by=player(1))
    table.when(m.PlaceWager(spot="8", amount=501), by=player(1))
    table.then_refused("rampo.not_whole_chips")


@pytest.mark.parametrize(
    ("value", "code"), [(499, "rampo.chip_under_minimum"), (20_001, "rampo.chip_over_maximum"), (20_000, "")]
)
def test_limits_of_a_chip(value: int, code: str) -> None:
    """A chip is worth at least the minimum and at most what one number takes."""
    table = given_rampo()
    table.when(r.SetChipValue(value=value), by=player(1))
    assert (value if not code else 500) == game_of(table).chips[1]
    if code:
        table.then_refused(code)


def test_the_marker_stands_while_chips_are_down() -> None:
    """With a chip on a number or in the zone the value cannot change; stakes on colours do not matter."""
    table = given_rampo().given_wagers((1, "ROUGE", 500)).given(r.SetChipValue(value=600), by=player(1))
    table.given(r.SetChipValue(value=500), by=player(1)).given(m.PlaceWager(spot="8", amount=500), by=player(1))
    table.when(r.SetChipValue(value=600), by=player(1))
    table.then_refused("rampo.chips_down")
    answered(thrown(table, 8), (1, True))
    table.when(r.SetChipValue(value=600), by=player(1))
    table.then_refused("rampo.chips_down")
    thrown(table.given_wagers(), 9)
    table.given(r.SetChipValue(value=600), by=player(1))
    table.when(r.SetChipValue(value=600), by=player(7))
    table.then_refused("rampo.not_seated")


@pytest.mark.parametrize(("spot", "maximum"), [("8", 20_000), ("2", 20_000), ("7", 20_000), ("ROUGE", 100_000)])
def test_limits_hold_singly_and_in_sum(spot: str, maximum: int) -> None:
    """RA15: 40 times the minimum on a number, 200 times on a colour, in one stake or in several, for each player."""
    table = given_rampo(credit=1_000_000).given_wagers((1, spot, maximum - 500), (1, spot, 500), (2, spot, maximum))
    table.when(m.PlaceWager(spot=spot, amount=500), by=player(1))
    table.then_refused("wager.over_maximum")


def test_a_stake_on_credit_is_refused() -> None:
    """Art. 35: no more than the credit meter holds."""
    table = given_rampo(credit=400).given_wagers()
    table.when(m.PlaceWager(spot="8", amount=500), by=player(1))
    table.then_refused("seat.credit_too_low")


@pytest.mark.parametrize(
    ("paytable", "times", "least"),
    [(LETTER, 40, 7_500_000), (HOUSE, 40, 20_000_000), (HOUSE, 15, 7_500_000), (HOUSE_2, 40, 23_000_000)],
)
def test_the_float_pays_one_player_the_dearest_rampo(paytable: str, times: int, least: int) -> None:
    """The exposure warning of rules.md: a larger float, or 2 and 12 capped at 15 times the minimum."""
    for short, code in ((1, "rampo.float_too_small"), (0, "")):
        table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
        options = {"extremes_times": times}
        table.when(rampo_opening(paytable, float_amount=least - short, options=options), by=COMMITTEE)
        if code:
            table.then_refused(code)
        else:
            assert "idle" == table.state.phase


def test_the_capped_extremes() -> None:
    """With `extremes_times` 15, 2 and 12 take 7 500; the other numbers 20 000."""
    table = given_rampo(options={"extremes_times": 15}).given_wagers((1, "12", 7_500), (1, "11", 20_000))
    table.when(m.PlaceWager(spot="12", amount=500), by=player(1))
    table.then_refused("wager.over_maximum")


@pytest.mark.parametrize(
    ("command", "role"),
    [(r.CallCoupNul(throw=1, fault="other"), "player"), (r.RemoveShooter(seat=1, reason="x"), "croupier")],
)
def test_the_staffs_words_are_the_staffs(command: Command, role: str) -> None:
    """Players call no *coup nul*, croupiers remove no shooter."""
    table = given_trying(given_rampo(), 8)
    table.when(command, by=player(1) if role == "player" else CROUPIER)
    table.then_refused("role.not_allowed")
