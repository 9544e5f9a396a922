"""The resolutions GA1 to GA22 of rules.md section 5, each by its id."""

import pytest

from libs.games.rappel import messages as r
from libs.kernel.contracts.wallet import Leg
from libs.table import messages as m
from tests.kit.given import CROUPIER, GivenTable, money_is_conserved, player
from tests.kit.rappel import (
    BASE,
    CREDIT,
    bank,
    credited,
    first_game,
    game,
    given_entries,
    given_jet_1,
    given_meters,
    given_rappel,
    meters,
    paid,
    play,
    say,
    turn,
)


def void_code(table: GivenTable) -> str:
    """Return the code of the session's only void."""
    (event,) = table.only(m.CoupVoided)
    assert isinstance(event, m.CoupVoided)
    return event.code


def test_ga1_the_fee_is_paid_for_every_game() -> None:
    """GA1: with B = 1 000 each pays 2 000 before JET 1, in the next game again; the fee is the bank's."""
    table = given_entries(given_rappel(2))
    assert [CREDIT - 2_000] * 2 == meters(table)
    table.given(m.CloseBetting(), by=CROUPIER)
    play(table, "rolls:5,9 A:declines B:declines A:follows B:follows rolls:6,1")
    assert 2_000 == table.balances["house:entry"]
    play(given_jet_1(table, 5, 9), "A:declines B:declines A:follows B:follows rolls:6,1")
    assert 4_000 == table.balances["house:entry"]
    assert [2_000, 2_000] == paid(table)


@pytest.mark.parametrize(("players", "stake"), [(5, 5_000), (3, 3_000)])
def test_ga2_a_rappel_costs_the_sum_of_the_antes(players: int, stake: int) -> None:
    """GA2: R = n x B, 5 000 with five players and 3 000 with three, also when some are out already."""
    table = first_game((1,) * (players - 1) + (7,), "A:declines B:tries")
    tried = table.only(r.RappelTried)[-1]
    assert r.RappelTried(coup=1, seat=2, stake=stake) == tried
    assert CREDIT - 2_000 - stake == table.credit(2)


def test_ga3_the_rappel_is_offered_weakest_first_and_once() -> None:
    """GA3: in ascending JET 1, then seat; not to a natural 20; a refusal is final; a try is the only one."""
    table = first_game((9, 1, 20, 9))
    asked = []
    while game(table).stage == "rappel":
        asked.append(turn(table))
        play(table, f"{turn(table)}:declines")
    assert ["B", "A", "D"] == asked
    say(table, "A:tries").then_refused("rappel.declined")
    table = first_game((9, 1, 20, 9), "B:tries rolls:20")
    say(table, "B:tries").then_refused("rappel.once")
    say(table, "C:tries").then_refused("rappel.natural_20")


def test_ga3_the_last_player_in_is_not_asked() -> None:
    """GA3: A's rappel fails, so B is the last one in: he has won without a word."""
    table = first_game((4, 9), "A:tries rolls:3")
    assert "LONE:2" == table.last_settlement().outcome
    assert [0, 3_600] == credited(table)


def test_ga4_who_rolled_a_1_passes_or_tries() -> None:
    """GA4: a 1 may be answered by the rappel or by declining, which passes; it costs A 5 000 in all (example 4)."""
    table = first_game((1, 9, 14))
    for word in ("A:follows", "A:raises", "A:passes"):
        say(table, word).then_refused("rappel.not_betting_round")
    play(table, "A:declines")
    assert (1, 3) == (game(table).entrants[1].jet_1, len(game(table).entrants))
    assert game(table).entrants[1].out
    say(table, "A:follows").then_refused("rappel.out")
    table = first_game((1, 9, 14), "A:tries rolls:12 B:declines C:declines B:follows C:follows rolls:5,7")
    assert 5_000 == paid(table)[0]


def test_ga5_a_failed_rappel_stays_in_the_pot_and_obliges_nobody() -> None:
    """GA5: after A's failed rappel the pot is 6 000, A is out, and B and C have nothing to pay."""
    table = first_game((1, 9, 14), "A:tries rolls:12 B:declines C:declines")
    assert (6_000, 0, (2, 3)) == (game(table).pot, game(table).level, game(table).standing)
    assert [0, 0] == [game(table).to_pay(seat) for seat in (2, 3)]


def test_ga6_a_successful_rappel_is_matched_in_the_betting_round() -> None:
    """GA6: the level starts at R: B passes, C pays 3 000, nobody pays before his turn there."""
    table = first_game((1, 9, 14), "A:tries rolls:20 B:declines C:declines")
    assert (3_000, 6_000) == (game(table).level, game(table).pot)
    play(table, "B:passes C:follows")
    assert [CREDIT - 5_000, CREDIT - 2_000, CREDIT - 5_000] == meters(table)


def test_ga7_the_rappel_was_the_raise() -> None:
    """GA7: A made the rappel, C re-raises by 1 000: A pays 1 000 or passes, but cannot raise."""
    table = first_game((2, 9, 14), "A:tries rolls:20 B:declines C:declines B:passes C:raises")
    assert ("A", 1_000) == (turn(table), game(table).to_pay(1))
    say(table, "A:raises").then_refused("rappel.rappel_was_the_raise")
    play(table, "A:follows rolls:13,7")
    assert [6_000, 2_000, 6_000] == paid(table)


def test_ga8_two_successful_rappels_are_one_level() -> None:
    """GA8: both A and B engage 3 000: the level is 3 000, C pays it once, the pot is 12 000."""
    table = first_game((2, 3, 9), "A:tries rolls:20 B:tries rolls:20 C:declines")
    assert (3_000, 3_000) == (game(table).level, game(table).to_pay(3))
    play(table, "C:follows")
    assert ("jet_2", 12_000) == (game(table).stage, game(table).pot)


def test_ga9_the_word_goes_round_until_all_have_matched() -> None:
    """GA9: C has raised to 1 000; B re-raises, so C and D speak again and pay 1 000 more (example 2)."""
    line = "A:declines E:declines C:declines D:declines E:follows C:raises D:follows B:raises"
    table = first_game((1, 20, 8, 15, 4), line)
    assert ("E", 2_000) == (turn(table), game(table).to_pay(5))
    play(table, "E:passes")
    assert ("C", 1_000) == (turn(table), game(table).to_pay(3))
    play(table, "C:follows D:follows")
    assert "jet_2" == game(table).stage


def test_ga10_a_raise_is_the_base_once_per_player() -> None:
    """GA10: five raises of 1 000 make a level of 5 000; nobody raises twice (example 14)."""
    line = "A:declines B:declines C:declines D:declines E:declines A:raises B:raises C:raises D:raises E:raises"
    table = first_game((3, 7, 12, 14, 18), line)
    assert ([1_000, 2_000, 3_000, 4_000, 5_000], 5_000) == ([raised(table, n) for n in range(5)], game(table).level)
    say(table, "A:raises").then_refused("rappel.raise_once")
    say(play(table, "A:follows"), "B:raises").then_refused("rappel.raise_once")


def raised(table: GivenTable, number: int) -> int:
    """Return the level after a raise of the session, by its number from 0."""
    event = table.only(r.Raised)[number]
    assert isinstance(event, r.Raised)
    return event.level


def test_ga11_who_cannot_pay_passes() -> None:
    """GA11: no side pots: B, who cannot match, passes and loses what he put."""
    table = play(given_jet_1(given_meters(9_000, 2_500, 9_000), 3, 5, 16), "A:declines")
    play(table, "C:declines A:raises")
    say(table, "B:follows").then_refused("rappel.meter_too_low")
    say(table, "B:raises").then_refused("rappel.meter_too_low")
    play(table, "B:passes C:follows rolls:6,3")
    assert [3_000, 2_000, 3_000] == paid(table)
    assert 500 == table.credit(2)
    money_is_conserved(table)


def test_ga11_a_rappel_is_offered_only_to_a_player_who_holds_its_stake() -> None:
    """GA11: R = 3 000; A holds 2 999 after the entry and is not asked, B holds 3 000 and is; A's 1 is out with it."""
    table = given_jet_1(given_meters(4_999, 5_000, CREDIT), 1, 5, 16)
    assert "B" == turn(table)
    assert [r.RappelDeclined(coup=1, seat=1, by="meter", out=True)] == table.only(r.RappelDeclined)
    say(table, "A:tries").then_refused("rappel.declined")
    table.given(m.CashOut(amount=1), by=player(2))
    say(table, "B:tries").then_refused("rappel.meter_too_low")


def test_ga12_equal_rolls_speak_in_seat_order() -> None:
    """GA12: A and B both rolled 5: C (3), then A, then B, in the attempts and in the bets (example 7)."""
    table = first_game((5, 5, 3))
    asked = []
    while game(table).stage != "jet_2":
        asked.append(turn(table))
        play(table, f"{turn(table)}:{'declines' if game(table).stage == 'rappel' else 'follows'}")
    assert ["C", "A", "B", "C", "A", "B"] == asked


def test_ga13_nobody_in_at_all_leaves_the_pot_to_the_bank() -> None:
    """GA13: the last one in is not asked, he has won; with nobody in, the bank takes 6 000 (example 10)."""
    table = first_game((1, 1), "A:tries rolls:5 B:declines")
    assert "NOBODY" == table.last_settlement().outcome
    assert ([0, 0], 6_000) == (credited(table), bank(table))
    table = first_game((4, 9, 14), "A:declines B:declines C:declines A:passes B:passes")
    assert "LONE:3" == table.last_settlement().outcome


def test_ga14_one_player_left_takes_the_pot_without_jet_2() -> None:
    """GA14: 2 700 in example 9; a natural 20 that is left alone rolls no JET 2 and is no double rappel."""
    table = first_game((1, 1, 8), "A:declines B:declines")
    assert [0, 0, 2_700] == credited(table)
    table = first_game((1, 20), "A:declines")
    assert ("LONE:2", [0, 1_800]) == (table.last_settlement().outcome, credited(table))
    assert [] == table.only(r.SecondRolled)
    assert 1 == len(table.only(m.DrawRequested))


def test_ga15_the_rake_is_on_the_pot_alone() -> None:
    """GA15: five antes of 1 000 make a rake of 500; the winner gets 4 500."""
    line = " ".join(f"{letter}:{word}" for word in ("declines", "follows") for letter in "CABED")
    table = first_game((7, 12, 3, 18, 15), f"{line} rolls:8,9,6,11,10")
    assert Leg("house:rake", 500) in table.last_settlement().legs
    assert [0, 0, 0, 4_500, 0] == credited(table)


def test_ga16_a_double_rappel_by_way_of_a_rappel_counts() -> None:
    """GA16: A (JET 1 = 6) rolls 20 twice: 15 000 (example 6)."""
    line = "A:tries rolls:20 B:declines C:declines B:follows C:follows rolls:20,8,10"
    assert [15_000, 0, 0] == credited(first_game((6, 9, 14), line))


def test_ga17_the_double_rappel_takes_pot_and_all_fees() -> None:
    """GA17: no rake, all fees, those of players who passed included: the bank has nothing, no leg is the house's."""
    table = first_game((20, 5, 9), "B:declines C:declines B:raises C:passes A:follows rolls:20,6")
    assert [5_000 + 3_000, 0, 0] == credited(table)
    assert [2_000 + 1_000, 2_000 + 1_000, 2_000] == paid(table)
    assert 0 == bank(table)
    assert {"seat:T1:1", "seat:T1:2", "seat:T1:3"} == {leg.account for leg in table.last_settlement().legs}


def test_ga18_two_20s_share_pot_and_fees() -> None:
    """GA18: 3 000 each (example 11)."""
    table = first_game((20, 20, 4), "C:declines C:follows A:follows B:follows rolls:20,20,6")
    assert ("DOUBLE:1+2", [3_000, 3_000, 0]) == (table.last_settlement().outcome, credited(table))


def test_ga19_ones_are_the_banks_only_when_all_have_them() -> None:
    """GA19: all who roll have 1: the bank takes 6 000; two ones and a 2: the 2 wins."""
    line = "A:declines B:declines C:declines A:follows B:follows C:follows"
    table = first_game((2, 7, 12), f"{line} rolls:1,1,1")
    assert ("ONES", 6_000) == (table.last_settlement().outcome, bank(table))
    assert [2_700, 0, 0] == credited(first_game((2, 7, 12), f"{line} rolls:2,1,1"))


def test_ga19_a_player_who_passed_does_not_hinder_all_ones() -> None:
    """GA19: it counts who rolls: C has passed, A and B roll 1."""
    line = "A:declines B:declines C:declines A:follows B:follows C:passes rolls:1,1"
    assert "ONES" == first_game((2, 7, 12), line).last_settlement().outcome


@pytest.mark.parametrize(
    ("rolls", "shares"), [("4,4,2", [338, 337, 0]), ("2,4,4", [0, 338, 337]), ("4,4,4", [225, 225, 225])]
)
def test_ga20_odd_cents_go_one_each_in_seat_order(rolls: str, shares: list[int]) -> None:
    """GA20: B = 250, pot 750, rake 75: 675 is shared 338 and 337 by seat, whoever spoke first (example 7)."""
    line = "A:declines B:declines C:declines A:follows B:follows C:follows"
    table = first_game((3, 4, 5), f"{line} rolls:{rolls}", base=250)
    assert shares == credited(table)
    assert 825 == bank(table)


def test_ga20_no_cent_is_lost() -> None:
    """GA20: three players, B = 10, a failed rappel and a raise: a tenth of 80 is raked, two share the rest."""
    table = first_game((3, 4, 5), "A:tries rolls:2 B:declines C:declines B:raises C:follows rolls:4,4", base=10)
    assert (80, [30 + 20, 30, 30]) == (verdict(table).pot, paid(table))
    assert (8, [0, 36, 36]) == (verdict(table).rake, credited(table))
    assert 72 + bank(table) == sum(paid(table))


def verdict(table: GivenTable) -> r.PotDecided:
    """Return the verdict on the session's last game."""
    event = table.only(r.PotDecided)[-1]
    assert isinstance(event, r.PotDecided)
    return event


@pytest.mark.parametrize("letters", ["", "A"])
def test_ga22_a_game_takes_two_players(letters: str) -> None:
    """GA22: without an opponent there is no game: 2 000 back; it counts as a coup without a stake."""
    table = given_rappel(3)
    table.given(m.OpenBetting(), by=CROUPIER)
    for _ in letters:
        table.given(m.PlaceWager(spot="ENTREE", amount=2 * BASE), by=player(1))
    table.given(m.CloseBetting(), by=CROUPIER)
    assert "game.no_opponent" == void_code(table)
    assert [CREDIT] * 3 == meters(table)
    assert (1, {}) == (table.state.empty_coups, table.state.draws)
    assert [] == table.only(r.GameStarted)
    money_is_conserved(table)
