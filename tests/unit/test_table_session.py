"""Opening and closing a session: people, terms, edges, the last coups."""

import msgspec
import pytest

from libs.games.wheel.paytables import PAYTABLES
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet import Leg
from libs.kernel.messages import Command
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table.interruption_messages import InterruptSession, SessionInterrupted
from tests.kit.given import (
    COMMITTEE,
    CROUPIER,
    PIT_BOSS,
    TECHNICIAN,
    GivenTable,
    given_wheel,
    money_is_conserved,
    opening,
    player,
)


def test_the_technicians_check_begins_the_stream_of_the_session() -> None:
    """The first event says table, pit, session and who checked; it opens the next volume."""
    table = GivenTable()
    table.when(m.CheckEquipment(), by=TECHNICIAN)
    table.then(m.SessionPrepared(table="T1", pit="pit-1", session=1, by=TECHNICIAN.id))
    assert m.SessionPrepared.opens_volume


def test_check_and_opening_take_two_people() -> None:
    """Whoever checked as technician can neither check as committee member nor open, whatever role the token says."""
    both = Actor(TECHNICIAN.id, "committee_member")
    table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
    table.when(m.CheckEquipment(), by=both)
    table.then_refused("equipment.two_people")
    table.when(opening(), by=both)
    table.then_refused("equipment.two_people")


def test_the_committees_check_is_recorded() -> None:
    """A committee member may check before another opens: both names of the check stand in SessionOpened."""
    table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
    table.when(m.CheckEquipment(), by=COMMITTEE)
    table.then(m.EquipmentChecked(by=COMMITTEE.id, role="committee_member"))
    table.given(opening(), by=Actor("committee-2", "committee_member"))
    (opened,) = table.only(m.SessionOpened)
    assert isinstance(opened, m.SessionOpened)
    assert ((TECHNICIAN.id, COMMITTEE.id), "committee-2") == (opened.checked_by, opened.opened_by)


def test_opening_without_a_check_of_the_own_is_the_committees_check() -> None:
    """The opener signs for the committee's check when nobody else of the committee did."""
    (opened,) = given_wheel().only(m.SessionOpened)
    assert isinstance(opened, m.SessionOpened)
    assert (TECHNICIAN.id, COMMITTEE.id) == opened.checked_by


def test_checks_repeat_and_refuse() -> None:
    """The same check again changes nothing; another technician, or a committee member first, is refused."""
    table = GivenTable()
    table.when(m.CheckEquipment(), by=COMMITTEE)
    table.then_refused("equipment.technician_first")
    table.given(m.CheckEquipment(), by=TECHNICIAN)
    table.when(m.CheckEquipment(), by=TECHNICIAN)
    table.then_already()
    table.when(m.CheckEquipment(), by=Actor("technician-2", "technician"))
    table.then_refused("equipment.already_checked")
    table.given(opening(), by=COMMITTEE)
    table.when(m.CheckEquipment(), by=TECHNICIAN)
    table.then_refused("session.already_open")


def test_opening_needs_a_check_and_happens_once() -> None:
    """No session opens unchecked, and an open one is not opened again."""
    table = GivenTable()
    table.when(opening(), by=COMMITTEE)
    table.then_refused("session.not_prepared")
    table.given_open().when(opening(), by=COMMITTEE)
    table.then_refused("session.already_open")


def test_the_paytable_is_mandatory() -> None:
    """An order to open without a paytable is not even readable: there is no default."""
    with pytest.raises(msgspec.ValidationError, match="paytable"):
        msgspec.json.decode(
            b'{"type":"table.OpenSession","game":"wheel","minimum":1,"float_amount":1,"seats":1}', type=m.OpenSession
        )


def test_unknown_games_and_paytables_are_refused() -> None:
    """What does not exist is refused with a list of what does."""
    table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
    decision = table.when(opening(game="roulette"), by=COMMITTEE)
    table.then_refused("session.unknown_game")
    assert "wheel" in repr(decision)
    decision = table.when(opening("RAMPO-ARR-2014"), by=COMMITTEE)
    table.then_refused("session.unknown_paytable")
    assert "ROUE-ARR-2024, ROUE-MAISON-1" in repr(decision)


def test_a_negative_edge_must_be_confirmed() -> None:
    """The letter of the decree favours the players on 2, 4, 6 and BONUS: refused with that list until confirmed."""
    table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
    decision = table.when(opening("ROUE-ARR-2024", confirm_negative_edge=False), by=COMMITTEE)
    table.then_refused("session.negative_edge")
    assert "2: -5/13, 4: -2/13, 6: -1/13, BONUS: -425/52" in repr(decision)
    table.given(opening("ROUE-ARR-2024", confirm_negative_edge=True), by=COMMITTEE)
    (opened,) = table.only(m.SessionOpened)
    assert isinstance(opened, m.SessionOpened)
    assert opened.negative_edge_confirmed


def test_a_house_table_needs_no_confirmation() -> None:
    """The house table has no negative edge: it opens without a confirmation, and none is recorded."""
    table = given_wheel("ROUE-MAISON-1", confirm_negative_edge=False)
    (opened,) = table.only(m.SessionOpened)
    assert isinstance(opened, m.SessionOpened)
    assert not opened.negative_edge_confirmed


def test_everything_that_later_decisions_need_is_in_the_opening() -> None:
    """SessionOpened carries the paytable's content, the exact edges, the maxima and all terms (law 3)."""
    table = given_wheel()
    opened, due = table.log[1:3]
    assert isinstance(opened, m.SessionOpened)
    assert PAYTABLES["ROUE-MAISON-1"].gains == opened.paytable_content
    assert {"2": "1/13", "BONUS": "5/104"}.items() <= opened.edges.items()
    assert {"2": 10_000, "4": 5_000, "6": 2_500, "16": 1_200, "24": 1_000, "48": 500, "BONUS": 1_000} == opened.maxima
    legs = (Leg("house:bank", -500_000), Leg("float:T1", 500_000))
    assert m.PostingDue(number=1, reason="float_opened", legs=legs) == due


def test_limits_that_one_coup_could_break_are_refused() -> None:
    """A minimum so high that one coup could cost more than a posting may hold is refused at opening."""
    table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
    table.when(opening(minimum=10**9), by=COMMITTEE)
    table.then_refused("session.limits_too_high")


# -- closing ------------------------------------------------------------------------------------------------------
def test_a_session_where_nobody_sits_may_close_at_once() -> None:
    """Art. 31: when the players have left, no announcement is needed; only the float goes home."""
    table = given_wheel()
    table.when(m.CloseSession(), by=COMMITTEE)
    legs = (Leg("float:T1", -500_000), Leg("house:bank", 500_000))
    table.then(
        m.SessionClosed(session=1, by=COMMITTEE.id, coups=0, events=5, handle=0, returned=(), posting=2, legs=legs)
    )
    assert {"house:bank": 0, "float:T1": 0} == table.balances
    table.when(m.CloseSession(), by=COMMITTEE)
    table.then_already()


def test_closing_sends_all_chips_home() -> None:
    """After the last coups every meter goes back to its player, and the float with its result to the house."""
    table = given_wheel().given_seated(1, credit=5_000).given_seated(2, credit=0)
    table.given(m.AnnounceLastCoups(), by=COMMITTEE)
    for _ in range(3):
        table.given_wagers((1, "2", 1_000)).given_spin("4")
    table.given(m.CloseSession(), by=COMMITTEE)
    (closed,) = table.only(m.SessionClosed)
    assert isinstance(closed, m.SessionClosed)
    assert (3, 3_000, table.log.index(closed) + 1) == (closed.coups, closed.handle, closed.events)
    assert [(1, 2_000), (2, 0)] == [(seat.seat, seat.amount) for seat in closed.returned]
    assert {"player:player-1": -3_000, "house:bank": 3_000} == {
        account: balance for account, balance in table.balances.items() if balance
    }
    money_is_conserved(table)


def test_no_closing_in_the_middle_of_a_coup() -> None:
    """A coup that is running must be finished or voided first."""
    table = given_wheel().given_wagers()
    table.when(m.CloseSession(), by=COMMITTEE)
    table.then_refused("session.coup_running")
    table.given(m.CloseBetting(), by=CROUPIER)
    table.when(m.CloseSession(), by=COMMITTEE)
    table.then_refused("session.coup_running")


def test_the_announcement_speaks_of_the_next_three() -> None:
    """Announced in the middle of a coup, that coup does not count; announced again, nothing changes."""
    table = given_wheel().given_wagers()
    table.when(m.AnnounceLastCoups(), by=PIT_BOSS)
    table.then(m.LastCoupsAnnounced(coups=3, by=PIT_BOSS.id))
    table.when(m.AnnounceLastCoups(), by=COMMITTEE)
    table.then_already()
    table.given_spin("2")
    assert 3 == table.state.last_left
    table.given_wagers().given_spin("2")
    assert 2 == table.state.last_left


def test_no_new_session_before_the_ledger_has_everything() -> None:
    """The next session is prepared only when all postings of the one before are confirmed."""
    table = given_wheel().given(m.CloseSession(), by=COMMITTEE)
    table.when(m.CheckEquipment(), by=TECHNICIAN)
    table.then_refused("session.postings_pending")
    table.given(table.posted(1)).given(table.posted(2))
    table.given(m.CheckEquipment(), by=TECHNICIAN)
    assert (2, 2, 1) == (table.state.session, len(table.volumes), table.state.events)


def test_a_session_carries_nothing_but_what_it_says() -> None:
    """Seats, coups and history of the session before are gone; the wheel's direction and the buy-in answers are not."""
    table = given_wheel().given_seated(1).given_wagers((1, "2", 100)).given_spin("2")
    answers = table.state.credits
    table.given(m.LeaveSeat(), by=player()).given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms().given_open()
    state = table.state
    assert ({}, 0, (), answers) == (state.seats, state.coup, state.history, state.credits)
    assert {"wheel.direction": 1} == state.carried


@pytest.mark.parametrize(
    ("command", "by"),
    [
        (m.OpenBetting(), CROUPIER),
        (m.CloseBetting(), CROUPIER),
        (m.AnnounceLastCoups(), PIT_BOSS),
        (m.CloseSession(), COMMITTEE),
        (m.VoidCoup(reason="x"), PIT_BOSS),
        (m.TakeSeat(seat=1), player()),
        (m.LeaveSeat(), player()),
        (m.CashOut(amount=1), player()),
        (m.PlaceWager(spot="2", amount=100), player()),
        (m.TakeBackWager(spot="2"), player()),
    ],
)
def test_nothing_happens_at_a_table_that_is_not_open(command: Command, by: Actor) -> None:
    """Before the first session, after a check and after closing, every command of play is refused."""
    closed = given_wheel().given(m.CloseSession(), by=COMMITTEE)
    prepared = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
    for table in (GivenTable(), prepared, closed):
        if table is closed and isinstance(command, m.CloseSession):
            continue  # it has been closed: the wish is granted
        before = table.state
        table.when(command, by=by)
        assert isinstance(table.decision, Refusal)
        assert before == table.state


def test_an_interrupted_session_closes_at_once() -> None:
    """Art. 44, 48: a committee member interrupts; the running coup is void, all chips go home, nothing is left over."""
    table = given_wheel().given_seated(1, credit=5_000).given_wagers((1, "2", 1_000))
    table.given(InterruptSession(reason="fire alarm"), by=COMMITTEE)
    interrupted, voided, closed = table.played[-3:]
    assert SessionInterrupted(session=1, by=COMMITTEE.id, reason="fire alarm") == interrupted
    assert isinstance(voided, m.CoupVoided)
    assert "interrupted" == voided.code
    assert isinstance(closed, m.SessionClosed)
    assert table.log.index(closed) + 1 == closed.events
    assert 5_000 == sum(seat.amount for seat in closed.returned)
    assert "closed" == table.state.phase
    money_is_conserved(table)
    table.when(InterruptSession(reason="fire alarm"), by=COMMITTEE)
    table.then_already()
    table.given_ledger_confirms().given_open()


def test_only_an_open_session_is_interrupted() -> None:
    """Before the first session, and while one is being prepared, there is nothing to interrupt."""
    table = GivenTable()
    table.when(InterruptSession(reason="x"), by=COMMITTEE)
    table.then_refused("session.not_open")
    table.given(m.CheckEquipment(), by=TECHNICIAN)
    table.when(InterruptSession(reason="x"), by=COMMITTEE)
    table.then_refused("session.not_open")
