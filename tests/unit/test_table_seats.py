"""Sitting, leaving, buy-ins and cash-outs."""

import pytest

from libs.kernel.actors import Actor
from libs.kernel.contracts.table import CreditSeat, SeatCredited, SeatCreditRefused, Turn
from libs.kernel.contracts.wallet import Leg
from libs.kernel.decider import Already, NotYet
from libs.kernel.limits import CREDITS_CARRIED, CREDITS_REMEMBERED, MAX_CENTS
from libs.table import messages as m
from tests.kit.given import COMMITTEE, CROUPIER, TECHNICIAN, GivenTable, given_wheel, money_is_conserved, player


def credit(
    transfer: str = "t-1", number: int = 1, seat: int = 1, amount: int = 500, turn: Turn | None = None
) -> CreditSeat:
    """Return the ledger's order to credit a seat."""
    return CreditSeat(transfer_id=transfer, player=player(number).id, seat=seat, amount=amount, turn=turn)


def next_session(table: GivenTable) -> None:
    """Close the session; in the next one the same player sits down again."""
    table.given(m.LeaveSeat(), by=player()).given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()
    table.given_open().given_seated(1, credit=0)


def test_a_buy_in_arrives_once() -> None:
    """The seat is credited once per transfer id; the same order again gets the same answer and changes nothing."""
    table = given_wheel().given_seated(1, credit=0)
    credited = SeatCredited(transfer_id="t-1", player="player-1", seat=1, amount=500, credit_after=500)
    table.when(credit())
    table.then(credited)
    for _ in range(3):
        assert Already((credited,)) == table.when(credit())
    assert 500 == table.credit()


def test_a_refused_buy_in_stays_refused() -> None:
    """A refusal is recorded with its code: when the player sits down later, the same transfer is still refused."""
    table = given_wheel()
    refused = SeatCreditRefused(transfer_id="t-1", player="player-1", seat=1, amount=500, code="seat.not_yours")
    table.when(credit())
    table.then(refused)
    table.given_seated(1, credit=0)
    assert Already((refused,)) == table.when(credit())
    assert 0 == table.credit()


@pytest.mark.parametrize(("number", "seat"), [(2, 1), (1, 2)])
def test_a_buy_in_is_for_the_player_of_the_seat(number: int, seat: int) -> None:
    """Another player's seat, or a free one, is not credited."""
    table = given_wheel().given_seated(1, credit=0)
    table.when(credit(number=number, seat=seat))
    assert {"seat.not_yours"} == {event.code for event in table.only(SeatCreditRefused) if hasattr(event, "code")}


def test_a_buy_in_at_a_closed_table_is_refused_for_ever() -> None:
    """After closing, and in the next session, the answer is the same refusal; before any session nothing is logged."""
    table = GivenTable()
    table.when(credit())
    table.then_refused("session.not_open")
    table.given_open().given(m.CloseSession(), by=COMMITTEE)
    table.given(credit())
    (refused,) = table.only(SeatCreditRefused)
    table.given_ledger_confirms().given_open().given_seated(1, credit=0)
    assert Already((refused,)) == table.when(credit())


def test_a_late_repeat_in_the_next_session_is_not_credited_twice() -> None:
    """The answer to a buy-in of the session before is brought forward: no double credit."""
    table = given_wheel().given_seated(1, credit=0).given(credit())
    answer = table.state.credits["t-1"]
    next_session(table)
    assert Already((answer,)) == table.when(credit())
    assert 0 == table.credit()


def test_a_part_of_the_wallet_that_was_away_is_not_forgotten_for_others() -> None:
    """However many buy-ins of another part pass, in however many sessions, the one that waits gets its answer."""
    table = given_wheel().given_seated(1, credit=0).given(credit("away", turn=Turn("ledger-0of2", 1, 1)))
    answer = table.state.credits["away"]
    for number in range(1, 2 * CREDITS_CARRIED):
        table.given(credit(f"t-{number}", amount=1, turn=Turn("ledger-1of2", number, number)))
    next_session(table)
    next_session(table)
    assert ["away", f"t-{number}"] == list(table.state.credits)
    assert Already((answer,)) == table.when(credit("away", turn=Turn("ledger-0of2", 1, 1)))
    assert 0 == table.credit()


def test_a_copy_that_comes_after_all_is_over_credits_nothing() -> None:
    """An order that lay somewhere until its answer was heard and forgotten is not obeyed, nor answered otherwise."""
    late = credit(turn=Turn("ledger", 1, 1))
    table = given_wheel().given_seated(1, credit=0).given(late)
    table.given(credit("t-2", turn=Turn("ledger", 2, 2)))
    assert ["t-2"] == list(table.state.credits)
    assert isinstance(table.when(late), NotYet)
    next_session(table)
    assert isinstance(table.when(late), NotYet)
    assert 0 == table.credit()


def test_uncounted_buy_in_answers_are_bounded() -> None:
    """Of buy-ins that no ledger counts, a session remembers a stated number and carries fewer, the latest."""
    table = given_wheel().given_seated(1, credit=0)
    for number in range(CREDITS_REMEMBERED + 10):
        table.given(credit(f"t-{number}", amount=1))
    assert CREDITS_REMEMBERED == len(table.state.credits)
    assert "t-9" not in table.state.credits
    table.given(m.LeaveSeat(), by=player()).given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()
    table.given(m.CheckEquipment(), by=TECHNICIAN)
    assert CREDITS_CARRIED == len(table.state.credits)
    assert f"t-{CREDITS_REMEMBERED + 9}" in table.state.credits


def test_a_meter_has_a_limit() -> None:
    """A buy-in that would overfill the credit meter is refused, so that every gain still fits into a posting."""
    table = given_wheel().given_seated(1, credit=0).given(credit(amount=MAX_CENTS // 2))
    table.given(credit("t-2", amount=1))
    (refused,) = table.only(SeatCreditRefused)
    assert isinstance(refused, SeatCreditRefused)
    assert "seat.meter_full" == refused.code


def test_buy_in_during_a_coup() -> None:
    """Chips may arrive while the wheel turns; the settlement pays on top of them."""
    table = (
        given_wheel().given_seated(1, credit=1_000).given_wagers((1, "2", 1_000)).given(m.CloseBetting(), by=CROUPIER)
    )
    table.given_credit(1, 1, 700).later(15_000)
    table.given_drawn(2)
    assert 2_700 == table.credit()
    money_is_conserved(table)


def test_seats_have_numbers() -> None:
    """A station that the table does not have is refused."""
    table = given_wheel(seats=4)
    table.when(m.TakeSeat(seat=5), by=player())
    table.then_refused("seat.unknown")


def test_a_player_id_that_no_account_name_can_hold_is_refused() -> None:
    """An id too long for its account's name could never be paid out: it cannot sit down."""
    table = given_wheel()
    table.when(m.TakeSeat(seat=1), by=Actor("p" * 90, "player"))
    table.then_refused("seat.player_id_too_long")


def test_leaving_takes_all_chips_home() -> None:
    """Leaving debits the whole meter, owes the posting and frees the seat for the next player."""
    table = given_wheel().given_seated(1, credit=700)
    table.when(m.LeaveSeat(), by=player())
    table.then(
        m.SeatDebited(seat=1, player="player-1", amount=700, credit_after=0),
        m.PostingDue(number=2, reason="cash_out", legs=(Leg("seat:T1:1", -700), Leg("player:player-1", 700))),
        m.SeatLeft(seat=1, player="player-1"),
    )
    table.given_seated(2, seat=1)
    table.when(m.LeaveSeat(), by=player(1))
    table.then_refused("seat.not_seated")
    money_is_conserved(table)


def test_leaving_with_an_empty_meter_owes_nothing() -> None:
    """No money, no posting."""
    table = given_wheel().given_seated(1, credit=0)
    table.when(m.LeaveSeat(), by=player())
    table.then(m.SeatLeft(seat=1, player="player-1"))


def test_nobody_leaves_a_stake_behind() -> None:
    """With a stake down, leaving is refused: while betting take it back first, afterwards wait for the settlement."""
    table = given_wheel().given_seated(1).given_wagers((1, "2", 100))
    table.when(m.LeaveSeat(), by=player())
    table.then_refused("seat.stake_down")
    table.given(m.TakeBackWager(spot="2"), by=player()).given(m.LeaveSeat(), by=player())
    money_is_conserved(table)


def test_cash_out_takes_from_the_meter_only() -> None:
    """Part of the meter may go home at any time, never more than it holds, and never a stake that is down."""
    table = given_wheel().given_seated(1, credit=1_000).given_wagers((1, "2", 400))
    table.when(m.CashOut(amount=601), by=player())
    table.then_refused("seat.credit_too_low")
    table.given(m.CashOut(amount=600), by=player())
    assert (0, {"2": 400}) == (table.credit(), table.state.seats[1].stakes)
    table.given_spin("2")
    assert 800 == table.credit()
    money_is_conserved(table)


def test_players_without_a_seat_have_nothing_to_do() -> None:
    """A player who does not sit here can neither cash out nor wager nor take back."""
    table = given_wheel().given_wagers()
    for command in (
        m.CashOut(amount=1),
        m.PlaceWager(spot="2", amount=100),
        m.TakeBackWager(spot="2"),
        m.LeaveSeat(),
    ):
        table.when(command, by=player(7))
        table.then_refused("seat.not_seated")
