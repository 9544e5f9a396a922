"""The resolutions WA1 to WA14 of rules.md section 3, each by its id."""

import pytest

from libs.games.wheel import messages as w
from libs.table import messages as m
from tests.kit.given import (
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    DEVICE,
    PIT_BOSS,
    given_wheel,
    money_is_conserved,
    player,
)
from tests.kit.spins import BONUS_SEGMENT, SEGMENT_2, directions, given_spinning, report, void_code


@pytest.mark.parametrize(("paytable", "credit"), [("ROUE-ARR-2024", 7_000), ("ROUE-MAISON-1", 6_000)])
def test_wa1_the_paytable_decides(paytable: str, credit: int) -> None:
    """WA1: 1 000 on 6 pays 7 000 by the letter, 6 000 by the house table."""
    table = given_wheel(paytable).given_seated().given_wagers((1, "6", 1_000)).given_spin("6")
    assert credit == table.last_settlement().seats[0].credited


@pytest.mark.parametrize(
    ("spot", "maximum"), [("2", 10_000), ("4", 5_000), ("6", 2_500), ("16", 1_200), ("24", 1_000), ("48", 500)]
)
def test_wa2_maxima_are_multiples_of_the_minimum(spot: str, maximum: int) -> None:
    """WA2: with m = 100, the maximum is accepted and 100 more refused, in one wager or in two; so is less than m."""
    table = given_wheel().given_seated().given_wagers()
    table.when(m.PlaceWager(spot=spot, amount=maximum + 100), by=player())
    table.then_refused("wager.over_maximum")
    table.when(m.PlaceWager(spot=spot, amount=99), by=player())
    table.then_refused("wager.under_minimum")
    table.given(m.PlaceWager(spot=spot, amount=maximum), by=player())
    table.when(m.PlaceWager(spot=spot, amount=100), by=player())
    table.then_refused("wager.over_maximum")


def test_wa3_the_bonus_stake_is_fixed() -> None:
    """WA3: with F = 1 000, 500 and 2 000 are refused, 1 000 is accepted once; taken back it may be placed again."""
    table = given_wheel().given_seated().given_wagers()
    for amount in (500, 2_000):
        table.when(m.PlaceWager(spot="BONUS", amount=amount), by=player())
        table.then_refused("wager.bonus_fixed")
    table.given(m.PlaceWager(spot="BONUS", amount=1_000), by=player())
    table.when(m.PlaceWager(spot="BONUS", amount=1_000), by=player())
    table.then_refused("wager.bonus_once")
    table.given(m.TakeBackWager(spot="BONUS"), by=player())
    table.given(m.PlaceWager(spot="BONUS", amount=1_000), by=player())


def test_wa4_main_bets_lose_when_bonus_comes() -> None:
    """WA4: 500 on 4 and BONUS 1 000 with inner 20 credit 21 000 by the letter."""
    table = given_wheel("ROUE-ARR-2024").given_seated().given_wagers((1, "4", 500), (1, "BONUS", 1_000))
    table.given_spin("BONUS", "20")
    assert {"4": 0, "BONUS": 21_000} == {wager.spot: wager.credit for wager in table.last_settlement().wagers}


def test_wa5_the_bonus_winner_keeps_the_stake() -> None:
    """WA5: inner 5 credits 6 000 = 1 000 + 5 000 by the letter."""
    table = given_wheel("ROUE-ARR-2024").given_seated().given_wagers((1, "BONUS", 1_000)).given_spin("BONUS", "5")
    assert 6_000 == table.last_settlement().seats[0].credited


def test_wa6_an_anomaly_of_the_inner_wheel_voids_everything() -> None:
    """WA6: an anomaly of the inner wheel alone returns 500 on 4 and BONUS 1 000."""
    table = given_spinning((1, "4", 500), (1, "BONUS", 1_000))
    table.given(report(segment=BONUS_SEGMENT), by=DEVICE)
    table.given(report("bonus", segment=3, anomaly=True), by=DEVICE)
    assert "spin.anomaly" == void_code(table)
    assert 10_000 == table.credit()
    money_is_conserved(table)


def test_wa7_two_turns_for_the_inner_wheel_too() -> None:
    """WA7: the inner wheel makes one turn: BONUS 1 000 comes back."""
    table = given_spinning((1, "BONUS", 1_000))
    table.given(report(segment=BONUS_SEGMENT), by=DEVICE)
    table.given(report("bonus", turns=1, segment=3), by=DEVICE)
    assert "spin.too_few_turns" == void_code(table)
    assert 10_000 == table.credit()


def test_wa8_direction_alternates_at_every_launch() -> None:
    """WA8: clockwise, then anticlockwise, whether the launch before was void or not, also across sessions."""
    table = given_wheel().given_seated()
    table.given_wagers().given_spin("2")
    table.given_wagers().given(m.CloseBetting(), by=CROUPIER).given(w.LaunchWheel(), by=CROUPIER)
    table.given(m.VoidCoup(reason="a hand on the wheel"), by=PIT_BOSS)
    table.given_wagers().given_spin("2")
    assert ["clockwise", "anticlockwise", "clockwise"] == directions(table)
    table.given(m.LeaveSeat(), by=player()).given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()
    table.given_open().given_wagers().given_spin("2")
    assert ["anticlockwise"] == directions(table)
    assert 2 == table.state.session


def test_wa9_void_spins_do_not_count_in_the_last_three() -> None:
    """WA9: after the announcement a void, then three valid spins: only then may the session close."""
    table = given_wheel().given_seated()
    table.given(m.AnnounceLastCoups(), by=PIT_BOSS)
    table.given_wagers((1, "2", 1_000)).given(m.CloseBetting(), by=CROUPIER)
    table.given(m.VoidCoup(reason="blocked"), by=COMMITTEE)
    for left in (2, 1, 0):
        table.when(m.CloseSession(), by=COMMITTEE)
        table.then_refused("session.last_coups_first")
        table.given_wagers((1, "2", 1_000)).given_spin("2")
        assert left == table.state.last_left
    table.when(m.OpenBetting(), by=CROUPIER)
    table.then_refused("coup.last_played")
    table.given(m.CloseSession(), by=COMMITTEE)
    money_is_conserved(table)


def test_wa10_the_wheel_is_launched_when_nobody_presses() -> None:
    """WA10: after the time-out the wheel is launched by the timer, and the bets stand."""
    table = given_wheel().given_seated().given_wagers((1, "2", 1_000)).given(m.CloseBetting(), by=CROUPIER)
    table.later(DECISION_MS - 1)
    assert [] == table.only(w.WheelLaunched)
    table.later(1)
    (launched,) = table.only(w.WheelLaunched)
    assert isinstance(launched, w.WheelLaunched)
    assert ("timer", "tapis") == (launched.launched_by, launched.actor)
    table.given_drawn(SEGMENT_2 - 1)
    assert 2_000 == table.last_settlement().seats[0].credited


def test_wa11_three_spins_without_a_stake_may_end_the_session() -> None:
    """WA11: a spin without any stake moves no money; after three in a row the session may close (art. 31)."""
    table = given_wheel().given_seated()
    for spins in range(3):
        table.when(m.CloseSession(), by=COMMITTEE)
        table.then_refused("session.last_coups_first")
        table.given_wagers().given_spin("48")
        assert (0, ()) == (table.last_settlement().posting, table.last_settlement().legs)
        assert spins + 1 == table.state.empty_coups
    table.given(m.CloseSession(), by=COMMITTEE)


def test_wa11_a_stake_breaks_the_row() -> None:
    """A spin with a stake starts the count of empty spins again."""
    table = given_wheel().given_seated()
    for stakes in ((), (), ((1, "2", 100),), ()):
        table.given_wagers(*stakes).given_spin("2")
    assert 1 == table.state.empty_coups
    table.when(m.CloseSession(), by=COMMITTEE)
    table.then_refused("session.last_coups_first")


def test_wa12_nobody_needs_to_be_there_after_rien_ne_va_plus() -> None:
    """WA12: a player who is never heard of again after the bet is settled normally."""
    table = given_wheel("ROUE-ARR-2024").given_seated(credit=1_000).given_wagers((1, "2", 1_000)).given_spin("2")
    assert 3_000 == table.credit()
    table.when(m.LeaveSeat(), by=player())
    table.then(
        m.SeatDebited(seat=1, player="player-1", amount=3_000, credit_after=0),
        m.PostingDue(number=3, reason="cash_out", legs=table.state.owed[3].legs),
        m.SeatLeft(seat=1, player="player-1"),
    )


def test_wa13_manual_entry_by_a_committee_member() -> None:
    """WA13: a result that was not detected is entered by a committee member, and recorded."""
    table = given_spinning((1, "2", 1_000))
    table.given(report(segment=None), by=DEVICE)
    table.when(w.EnterSegment(ring="main", segment=SEGMENT_2), by=CROUPIER)
    table.then_refused("role.not_allowed")
    table.given(w.EnterSegment(ring="main", segment=SEGMENT_2), by=COMMITTEE)
    (entered,) = table.only(w.SegmentEntered)
    assert w.SegmentEntered(coup=1, ring="main", segment=SEGMENT_2, by=COMMITTEE.id) == entered
    assert 3_000 == table.last_settlement().seats[0].credited


def test_wa13_an_uncertain_segment_is_void() -> None:
    """WA13: if the segment is not certain the committee member voids, and 1 000 come back."""
    table = given_spinning((1, "2", 1_000)).given(report(segment=None), by=DEVICE)
    table.given(m.VoidCoup(reason="marker between two segments"), by=COMMITTEE)
    assert 10_000 == table.credit()


def test_wa13_manual_mode_also_for_the_inner_wheel() -> None:
    """The inner wheel's result may be entered by hand as well, for that ring only."""
    table = given_spinning((1, "BONUS", 1_000)).given(report(segment=BONUS_SEGMENT), by=DEVICE)
    table.given(report("bonus", segment=None), by=DEVICE)
    table.when(w.EnterSegment(ring="main", segment=1), by=COMMITTEE)
    table.then_refused("wheel.wrong_ring")
    table.when(w.EnterSegment(ring="bonus", segment=7), by=COMMITTEE)
    table.then_refused("wheel.no_such_segment")
    table.given(w.EnterSegment(ring="bonus", segment=6), by=COMMITTEE)
    assert "BONUS:1000" == table.last_settlement().outcome


def test_wa14_one_station_per_player() -> None:
    """WA14: a second station for the same player is refused, and so is a station that is taken."""
    table = given_wheel().given_seated(1, seat=1)
    table.when(m.TakeSeat(seat=2), by=player(1))
    table.then_refused("seat.one_per_player")
    table.when(m.TakeSeat(seat=1), by=player(2))
    table.then_refused("seat.taken")
    table.when(m.TakeSeat(seat=1), by=player(1))
    table.then_already()
