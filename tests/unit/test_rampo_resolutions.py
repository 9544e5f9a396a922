"""The resolutions RA1 to RA17 of rules.md section 2, each by its id."""

import pytest

from libs.games.rampo import messages as r
from libs.table import messages as m
from libs.table.interruption_messages import InterruptSession, StakesReleased
from tests.kit.given import (
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    PIT_BOSS,
    TECHNICIAN,
    GivenTable,
    money_is_conserved,
    player,
)
from tests.kit.rampo import (
    HOUSE,
    HOUSE_2,
    LETTER,
    answered,
    game_of,
    given_rampo,
    given_trying,
    rampo_opening,
    settlement,
    thrown,
)
from tests.kit.spins import void_code


@pytest.mark.parametrize(("paytable", "credit"), [(LETTER, 3_000), (HOUSE, 3_000), (HOUSE_2, 3_500)])
def test_ra1_the_director_chooses_the_paytable(paytable: str, credit: int) -> None:
    """RA1: the paytable is named at opening and fixed; 500 on 6, not tried, pays 3 000, 3 000 and 3 500."""
    table = given_rampo(paytable).given_wagers((1, "6", 500))
    answered(thrown(table, 6), (1, False))
    assert credit == table.last_settlement().seats[0].credited
    table.when(rampo_opening(LETTER), by=COMMITTEE)
    table.then_refused("session.already_open")


def test_ra1_there_is_no_default_paytable() -> None:
    """RA1: a paytable that does not exist is refused; the command cannot even be written without one."""
    table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
    table.when(rampo_opening("RAMPO"), by=COMMITTEE)
    table.then_refused("session.unknown_paytable")


def test_ra2_the_rampo_gain_replaces_the_first() -> None:
    """RA2: 500 on 12, repeated, by the letter: 500 x 171 = 85 500, not 100 500."""
    table = given_trying(given_rampo(LETTER), 12)
    thrown(table.given_wagers(), 12)
    assert [("RAMPO", 1, "RAMPO-12", 85_500)] == settlement(table)


def test_ra3_the_stake_is_kept() -> None:
    """RA3: 1 000 on red, 3 thrown: 5 000 credited."""
    table = thrown(given_rampo().given_wagers((1, "ROUGE", 1_000)), 3)
    assert [("COULEUR", 1, "ROUGE", 5_000)] == settlement(table)


def test_ra4_no_rampo_on_7() -> None:
    """RA4: 500 on 7, 7 thrown: 2 500 at once, nothing is offered."""
    table = thrown(given_rampo().given_wagers((1, "7", 500)), 7)
    assert [("SEPT", 1, "7", 2_500)] == settlement(table)
    table.when(r.AnswerRampo(tries=True), by=player())
    table.then_refused("rampo.not_offered")


def test_ra5_what_makes_the_dice_change_hands() -> None:
    """RA5: a valid 7, refusing, leaving and removal by the pit boss; other numbers do not."""
    table = given_rampo(players=3)
    thrown(table.given_wagers((1, "ROUGE", 500)), 8)
    assert 1 == game_of(table).shooter
    thrown(table.given_wagers((1, "ROUGE", 500)), 7)
    assert 2 == game_of(table).shooter
    table.given_wagers().given(r.RefuseDice(), by=player(2))
    assert 3 == game_of(table).shooter
    table.given(m.LeaveSeat(), by=player(3))
    assert 1 == game_of(table).shooter
    table.given(r.RemoveShooter(seat=1, reason="dice kept in the hand"), by=PIT_BOSS)
    assert [] == table.only(m.CoupVoided)[1:]


def test_ra5_the_seven_is_paid_before_the_dice_move() -> None:
    """RA5: in the third throw of the example A is paid 4 000 on white, and the dice move on."""
    table = thrown(given_rampo().given_wagers((1, "BLANC", 1_000)), 7)
    assert [("COULEUR", 1, "BLANC", 4_000)] == settlement(table)
    assert 2 == game_of(table).shooter


def test_ra6_the_next_valid_throw_decides_and_is_open_to_new_bets() -> None:
    """RA6: A gets 20 500 from the zone while B is newly on 8; the zone is paid before the colours."""
    table = given_trying(given_rampo(), 8)
    table.given_wagers((2, "8", 500), (2, "ROUGE", 1_000))
    answered(thrown(table, 8), (2, False))
    expected = [("RAMPO", 1, "RAMPO-8", 20_500), ("COULEUR", 2, "ROUGE", 5_000), ("NUMERO", 2, "8", 3_000)]
    assert expected == settlement(table)


def test_ra7_the_try_outlives_the_shooter_and_a_coup_nul() -> None:
    """RA7: *coup nul*, the shooter removed, the dice locked for requests: the try on 4 stands and pays 55 500."""
    table = given_trying(given_rampo(source="console"), 4)
    table.given_wagers((2, "ROUGE", 500))
    table.when(r.ChangeDice(pair=2), by=player(1))
    table.then_refused("rampo.dice_locked")
    table.given(m.CloseBetting(), by=CROUPIER)
    table.given(r.CallCoupNul(throw=1, fault="off_table"), by=CROUPIER)
    table.given(r.RemoveShooter(seat=1, reason="off the table again"), by=PIT_BOSS)
    assert 2 == game_of(table).shooter
    thrown(table, 4, close=False)
    assert 100_000 - 500 + 55_500 == table.credit(1)


def test_ra7_a_broken_die_is_replaced_during_a_try() -> None:
    """RA7: the croupier replaces a broken die by the other pair, also while a rampo is tried."""
    table = given_trying(given_rampo(source="console"), 4).given_wagers().given(m.CloseBetting(), by=CROUPIER)
    assert 1 == game_of(table).pair
    table.given(r.CallCoupNul(throw=1, fault="broken"), by=CROUPIER)
    assert 2 == game_of(table).pair


def test_ra8_each_winner_decides_and_silence_is_paid() -> None:
    """RA8: silence with 1 000 on 8 is paid 6 000; another winner tries for the whole stake."""
    table = given_rampo().given_wagers((1, "8", 1_000), (2, "8", 1_500))
    answered(thrown(table, 8), (2, True))
    assert [] == table.only(m.CoupSettled)
    table.later(DECISION_MS)
    assert [("NUMERO", 1, "8", 6_000), ("ZONE", 2, "8", 0)] == settlement(table)
    assert {2: 1_500} == game_of(table).zone


def test_ra9_a_won_rampo_is_paid_and_over() -> None:
    """RA9: A receives 20 500 and has nothing left in the zone, nor is A asked again."""
    table = given_trying(given_rampo(), 8)
    thrown(table.given_wagers(), 8)
    assert {} == game_of(table).zone
    assert 100_000 - 500 + 20_500 == table.credit()
    assert 1 == len(table.only(r.RampoOffered))


def test_ra10_a_colour_stake_does_not_follow() -> None:
    """RA10: A keeps 5 000 of red even if the try on 8 fails."""
    table = given_rampo().given_wagers((1, "ROUGE", 1_000), (1, "8", 500))
    answered(thrown(table, 8), (1, True))
    assert 100_000 - 1_500 + 5_000 == table.credit()
    thrown(table.given_wagers(), 9)
    assert 100_000 - 1_500 + 5_000 == table.credit()


def test_ra11_stakes_are_locked_after_coup_nul() -> None:
    """RA11: after *coup nul* nobody bets or takes back; 500 on 6, coup nul, 6: 3 000."""
    table = given_rampo(source="console").given_wagers((1, "6", 500)).given(m.CloseBetting(), by=CROUPIER)
    table.given(r.CallCoupNul(throw=1, fault="sliding"), by=CROUPIER)
    table.when(m.PlaceWager(spot="ROUGE", amount=500), by=player())
    table.then_refused("wager.betting_closed")
    table.when(m.TakeBackWager(spot="6"), by=player())
    table.then_refused("wager.betting_closed")
    answered(thrown(table, 6, close=False), (1, False))
    assert [("NUMERO", 1, "6", 3_000)] == settlement(table)


def test_ra12_no_rampo_on_the_very_last_throw() -> None:
    """RA12: 500 on 10 in the last of the last three throws: 5 000 at once; in the two before it is offered."""
    table = given_rampo().given(m.AnnounceLastCoups(), by=PIT_BOSS)
    for last_left in (2, 1):
        answered(thrown(table.given_wagers((1, "10", 500)), 10), (1, False))
        assert last_left == table.state.last_left
    thrown(table.given_wagers((1, "10", 500)), 10)
    assert [("NUMERO", 1, "10", 5_000)] == settlement(table)
    table.given(m.CloseSession(), by=COMMITTEE)
    money_is_conserved(table)


def test_ra13_an_interrupted_session_pays_pending_tries_at_the_first_gain() -> None:
    """RA13: 500 on 12 pending and 1 000 of fresh bets: 15 500 paid, 1 000 back."""
    table = given_trying(given_rampo(), 12)
    table.given_wagers((2, "ROUGE", 1_000))
    table.given(InterruptSession(reason="water damage"), by=COMMITTEE)
    (paid,) = table.only(StakesReleased)
    assert isinstance(paid, StakesReleased)
    assert [("NUMERO", 1, "RAMPO-12", 15_500)] == [(w.step, w.seat, w.spot, w.credit) for w in paid.wagers]
    assert {"player:player-1": 15_000, "player:player-2": 0} == {
        account: table.balances[account] for account in ("player:player-1", "player:player-2")
    }
    money_is_conserved(table)


def test_ra13_between_coups_too() -> None:
    """RA13: interrupted between two throws, a pending 12 is paid 15 500 as well."""
    table = given_trying(given_rampo(), 12).given(InterruptSession(reason="water damage"), by=COMMITTEE)
    assert 15_000 == table.balances["player:player-1"]
    money_is_conserved(table)


def test_ra13_an_announced_number_is_paid() -> None:
    """RA13: interrupted while the rampo is offered, the throw counts: the number is paid, nothing is tried."""
    table = given_rampo().given_wagers((1, "8", 500), (2, "8", 500))
    answered(thrown(table, 8), (1, True)).given(InterruptSession(reason="water damage"), by=COMMITTEE)
    assert [("NUMERO", 1, "8", 3_000), ("NUMERO", 2, "8", 3_000)] == settlement(table)
    assert "closed" == table.state.phase
    money_is_conserved(table)


def test_ra14_everybody_refuses_the_dice() -> None:
    """RA14: no throw; 1 000 on red come back, 500 on 6 pending are paid 3 000, and the next coup offers the dice."""
    table = given_trying(given_rampo(), 6)
    table.given_wagers((2, "ROUGE", 1_000)).given(r.RefuseDice(), by=player(1))
    table.given(r.RefuseDice(), by=player(2))
    (voided,) = table.only(m.CoupVoided)
    assert isinstance(voided, m.CoupVoided)
    assert "rampo.no_shooter" == voided.code
    assert (100_000 - 500 + 3_000, 100_000) == (table.credit(1), table.credit(2))
    assert {} == game_of(table).zone
    money_is_conserved(table)
    table.given_wagers()
    assert 1 == game_of(table).shooter


def test_ra15_the_limit_is_in_total_and_the_zone_counts() -> None:
    """RA15: number 20 000 at most, colour 100 000; 20 500 is refused; so is 500 more on a number that is tried."""
    table = given_rampo(credit=1_000_000).given_wagers((1, "8", 20_000))
    for spot, amount in (("8", 500), ("9", 20_500), ("ROUGE", 100_500)):
        table.when(m.PlaceWager(spot=spot, amount=amount), by=player())
        table.then_refused("wager.over_maximum")
    table.given(m.PlaceWager(spot="ROUGE", amount=100_000), by=player())
    answered(thrown(table, 8), (1, True)).given_wagers((1, "9", 20_000))
    table.when(m.PlaceWager(spot="8", amount=500), by=player())
    table.then_refused("rampo.over_maximum_with_zone")
    table.given(m.PlaceWager(spot="8", amount=500), by=player(2))


def test_ra16_any_stake_lets_one_shoot() -> None:
    """RA16: a player with 500 on 8 in the zone and nothing else may shoot."""
    table = given_trying(given_rampo(), 8)
    table.given_wagers((2, "ROUGE", 500)).given(m.CloseBetting(), by=CROUPIER)
    table.given(r.ThrowDice(), by=player(1))


def test_ra16_a_stake_in_the_zone_alone_is_a_stake() -> None:
    """RA16, art. 31: a throw that decides the zone alone is no coup without a stake, whatever it decides."""
    for number in (8, 9):
        table = thrown(given_trying(given_rampo(), 8).given_wagers(), number)
        if table.state.phase != "settled":
            answered(table, (1, False))
        assert 0 == table.state.empty_coups


def test_ra16_a_zone_that_nobody_throws_for_was_a_stake() -> None:
    """RA16, art. 31: nor is a void coup one without a stake when it gave the zone back."""
    table = given_trying(given_rampo(), 8).given_wagers()
    table.given(r.RefuseDice(), by=player(1)).given(m.CloseBetting(), by=CROUPIER)
    assert "rampo.no_shooter" == void_code(table)
    assert 0 == table.state.empty_coups


def test_ra17_seat_order_inside_a_step() -> None:
    """RA17: three winners on red are paid in seat order, whatever the order of their wagers."""
    table = given_rampo(players=3).given_wagers((3, "ROUGE", 500), (1, "ROUGE", 1_000), (2, "ROUGE", 500))
    thrown(table, 8)
    assert [1, 2, 3] == [seat for _, seat, _, _ in settlement(table)]
