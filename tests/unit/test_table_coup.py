"""One coup: the betting window, wagers, draws, postings and voids."""

import pytest

from libs.games.wheel import messages as w
from libs.kernel.actors import Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import Drawn, RequestDraw
from libs.kernel.contracts.wallet import Leg, PostFromTable
from libs.kernel.decider import Accepted, Already
from libs.kernel.limits import OWED_POSTINGS_SENT
from libs.kernel.messages import Command, Tick
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table.decider import DECIDER
from libs.table.results import SeatResult, Settled
from tests.kit.given import (
    BETTING_MS,
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    PIT_BOSS,
    START_MS,
    given_turning,
    given_wheel,
    money_is_conserved,
    player,
)


# -- betting ------------------------------------------------------------------------------------------------------
def test_faites_vos_jeux() -> None:
    """The croupier opens a coup; the time it closes by itself is in the event; saying it again changes nothing."""
    table = given_wheel()
    table.when(m.OpenBetting(), by=CROUPIER)
    table.then(m.BettingOpened(coup=1, closes_at_ms=START_MS + BETTING_MS))
    table.when(m.OpenBetting(), by=CROUPIER)
    table.then_already()
    assert START_MS + BETTING_MS == DECIDER.deadline(table.state)


def test_betting_closes_by_itself() -> None:
    """One millisecond before its time nothing happens; at its time betting closes, once."""
    table = given_wheel().given_wagers()
    assert Accepted() == table.later(BETTING_MS - 1)
    table.later(1)
    now = START_MS + BETTING_MS
    table.then(m.BettingClosed(coup=1, by_timer=True, decision_due_ms=now + DECISION_MS))
    assert Accepted() == table.when(Tick())
    table.when(m.CloseBetting(), by=CROUPIER)
    table.then_already()


def test_rien_ne_va_plus_by_the_croupier() -> None:
    """The croupier may close before the time; from then on nobody wagers or takes back."""
    table = given_wheel().given_seated(1).given_wagers((1, "2", 100))
    table.when(m.CloseBetting(), by=CROUPIER)
    table.then(m.BettingClosed(coup=1, by_timer=False, decision_due_ms=START_MS + DECISION_MS))
    for command in (m.PlaceWager(spot="2", amount=100), m.TakeBackWager(spot="2")):
        table.when(command, by=player())
        table.then_refused("wager.betting_closed")


def test_only_the_log_decides_whether_a_wager_was_in_time() -> None:
    """A wager that is decided after the time but before the closing is in the log before it: it counts."""
    table = given_wheel().given_seated(1).given_wagers()
    table.now_ms += BETTING_MS + 5_000
    table.given(m.PlaceWager(spot="2", amount=100), by=player())


def test_a_wager_is_debited_at_once() -> None:
    """A stake leaves the meter when it is accepted, and adds to what lies on the spot."""
    table = given_wheel().given_seated(1, credit=1_000).given_wagers((1, "2", 300))
    table.when(m.PlaceWager(spot="2", amount=50), by=player())
    table.then(m.WagerPlaced(coup=1, seat=1, spot="2", amount=50, stake_after=350, credit_after=650))
    table.when(m.TakeBackWager(spot="2"), by=player())
    table.then(m.WagerTakenBack(coup=1, seat=1, spot="2", amount=350, credit_after=1_000))


@pytest.mark.parametrize(
    ("spot", "amount", "code"),
    [
        ("2", 1_001, "seat.credit_too_low"),
        ("2", 99, "wager.under_minimum"),
        ("2", 10**12, "wager.over_maximum"),
        ("3", 100, "wager.unknown_spot"),
        ("BONUS_5", 100, "wager.unknown_spot"),
        ("BONUS", 999, "wager.bonus_fixed"),
    ],
)
def test_wagers_off_limits(spot: str, amount: int, code: str) -> None:
    """More than the meter holds, off the limits, or on no spot of the layout: refused, nothing changes."""
    table = given_wheel().given_seated(1, credit=1_000).given_wagers()
    before = table.state
    table.when(m.PlaceWager(spot=spot, amount=amount), by=player())
    table.then_refused(code)
    assert before == table.state


def test_taking_back_what_is_not_there() -> None:
    """There is nothing to take back on a spot without a stake of one's own."""
    table = given_wheel().given_seated(1).given_seated(2).given_wagers((2, "2", 100))
    table.when(m.TakeBackWager(spot="2"), by=player(1))
    table.then_refused("wager.none")


# -- draws and settlement -----------------------------------------------------------------------------------------
def test_a_settlement_says_everything() -> None:
    """Every wager, every seat, the posting's number and its legs are computed once and written into the event."""
    table = given_wheel().given_seated(1, credit=5_000).given_seated(2, credit=5_000)
    table.given_wagers((2, "4", 500), (1, "2", 1_000), (1, "48", 100)).given_spin("2")
    assert table.last_settlement() == m.CoupSettled(
        coup=1,
        outcome="2",
        wagers=(Settled(1, "2", 1_000, 2_000), Settled(1, "48", 100, 0), Settled(2, "4", 500, 0)),
        seats=(SeatResult(1, "player-1", 1_100, 2_000, 5_900), SeatResult(2, "player-2", 500, 0, 4_500)),
        posting=2,
        legs=(Leg("seat:T1:1", 900), Leg("seat:T1:2", -500), Leg("float:T1", -400)),
    )
    money_is_conserved(table)


def test_a_settlement_without_a_difference_posts_nothing() -> None:
    """When every seat gets back exactly what it staked there is nothing to post."""
    table = given_wheel().given_seated(1)
    table.given_wagers(*((1, spot, 100) for spot in ("2", "4", "6", "16", "24", "48"))).given_spin("6")
    assert (0, ()) == (table.last_settlement().posting, table.last_settlement().legs)


def test_a_draw_is_asked_until_it_arrives() -> None:
    """What the state waits for is asked again and again, with the same id, and no longer once it has arrived."""
    table = given_turning().given_ledger_confirms()
    (asked,) = DECIDER.react(table.state)
    assert ("draw:pit-1/T1/1/1/main", "rng-0", "draws") == (asked.command_id, asked.shard, asked.book)
    assert RequestDraw(draw_id=asked.command_id, bounds=(52,), seeded=True) == asked.command
    answer = table.drawn(5)
    table.given(answer).given_ledger_confirms()
    assert () == tuple(DECIDER.react(table.state))
    assert Already() == table.when(answer)


@pytest.mark.parametrize("values", [(52,), (-1,), (), (1, 2)])
def test_values_that_do_not_fit_void_the_coup(values: tuple[int, ...]) -> None:
    """An answer with values out of bounds, too few or too many is a technical incident: every stake goes back."""
    table = given_turning()
    table.given(table.drawn(*values))
    assert ("voided", "draw.failed") == (table.state.history[0].result, table.state.history[0].code)
    assert 5_000 == table.credit()


def test_a_refused_draw_voids_the_coup() -> None:
    """When the RNG refuses a draw the coup is void, with the refusal's code as reason."""
    table = given_turning()
    (draw_id,) = table.state.draws
    table.given(Answered(to=draw_id, refusal=Refusal("rng.conflict", "Non.", "No.")))
    assert "draw main: rng.conflict" == table.state.history[0].reason
    assert {} == table.state.draws


def test_answers_that_nobody_awaits_change_nothing() -> None:
    """An answer to another command, of another session, or after a void is heard without effect."""
    table = given_turning()
    late = table.drawn(5)
    table.given(m.VoidCoup(reason="power cut"), by=PIT_BOSS)
    stray = Drawn(draw_id="draw:x", bounds=(52,), values=(1,))
    for answer in (late, Answered(to="draw:x", events=(stray,)), Answered(to="post:T1/9/1"), table.posted(99)):
        before = table.state
        table.when(answer)
        table.then_already()
        assert before == table.state


def test_postings_are_owed_in_order_until_confirmed() -> None:
    """The oldest unconfirmed postings are sent, in order and bounded; a confirmation covers all before it."""
    table = given_wheel().given_seated(1)
    for _ in range(OWED_POSTINGS_SENT + 5):
        table.given_wagers((1, "2", 100)).given_spin("4")
    sent = [out.command for out in DECIDER.react(table.state) if isinstance(out.command, PostFromTable)]
    assert list(range(1, OWED_POSTINGS_SENT + 1)) == [posting.number for posting in sent]
    assert all(0 == sum(leg.amount for leg in posting.legs) for posting in sent)
    table.when(table.posted(3))
    table.then(m.PostingConfirmed(number=3))
    assert 4 == min(table.state.owed)
    table.when(table.posted(3))
    table.then_already()


def test_a_refused_posting_stays_owed() -> None:
    """A posting that the ledger refuses is not forgotten: it stays owed, in sight of whoever watches."""
    table = given_wheel()
    table.when(Answered(to="post:T1/1/1", refusal=Refusal("ledger.no", "Non.", "No.")))
    table.then_already()
    assert {1} == set(table.state.owed)


# -- voids --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("by", [PIT_BOSS, COMMITTEE])
def test_the_staff_may_void_until_the_settlement(by: Actor) -> None:
    """A coup may be voided while betting, before the launch and while the wheel turns, not afterwards."""
    table = given_wheel().given_seated(1, credit=5_000)
    stages: list[list[Command]] = [[], [m.CloseBetting()], [m.CloseBetting(), w.LaunchWheel()]]
    for stage in stages:
        table.given_wagers((1, "2", 1_000))
        for command in stage:
            table.given(command, by=CROUPIER)
        table.given(m.VoidCoup(reason="a chair on the wheel"), by=by)
        assert 5_000 == table.credit()
        table.when(m.VoidCoup(reason="again"), by=by)
        table.then_refused("coup.none")
    money_is_conserved(table)


def test_a_void_posts_nothing_and_play_goes_on() -> None:
    """After a void betting opens again with the next coup's number."""
    table = given_turning().given(m.VoidCoup(reason="blocked"), by=PIT_BOSS)
    assert 1 == table.state.postings
    table.when(m.OpenBetting(), by=CROUPIER)
    table.then(m.BettingOpened(coup=2, closes_at_ms=START_MS + BETTING_MS))


def test_no_second_coup_before_the_first_has_ended() -> None:
    """Betting does not open while the wheel is locked or turning."""
    table = given_turning()
    table.when(m.OpenBetting(), by=CROUPIER)
    table.then_refused("coup.running")


def test_closing_betting_that_is_not_open() -> None:
    """Between coups there is nothing to close."""
    table = given_wheel()
    table.when(m.CloseBetting(), by=CROUPIER)
    table.then_refused("coup.none")
