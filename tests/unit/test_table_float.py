"""The float between opening and closing, and what a session came to."""

from libs.kernel.contracts.table import FloatMoved, FloatMoveRefused, MoveFloat
from libs.kernel.decider import Already, NotYet
from libs.runtime.report.sessions import SessionPlay
from libs.table import messages as m
from libs.table.float_messages import CountFloat, FloatCounted
from tests.golden.test_golden_logs import DECODER, LOGS, parts
from tests.kit.given import COMMITTEE, CROUPIER, PIT_BOSS, GivenTable, given_wheel, player
from tests.kit.session_result import session_result

FILL = MoveFloat(number=1, request="r-1", amount=10_000)


def test_a_fill_is_made_once() -> None:
    """The float grows; the same move again gets the same answer, an older one none."""
    table = given_wheel().given(FILL)
    table.then(FloatMoved(number=1, request="r-1", amount=10_000, float_after=510_000))
    assert Already((table.log[-1],)) == table.when(FILL)
    table.given(MoveFloat(number=2, request="r-2", amount=-60_000))
    assert isinstance(table.when(FILL), NotYet)
    assert 450_000 == table.state.float_balance


def test_a_refused_move_stays_refused() -> None:
    """What the table said no to is not made when the float would allow it later."""
    table = given_wheel()
    much = MoveFloat(number=1, request="r-1", amount=-500_001)
    table.given(much).then(FloatMoveRefused(number=1, request="r-1", amount=-500_001, code="float.too_low"))
    table.given(MoveFloat(number=2, request="r-2", amount=1))
    assert isinstance(table.when(much), NotYet)
    assert 500_001 == table.state.float_balance


def test_the_next_session_knows_what_was_made_in_this_one() -> None:
    """A repeat that arrives after the session was closed and another opened is no second move."""
    table = given_wheel().given(FILL).given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()
    table.given_open()
    assert Already((FloatMoved(number=1, request="r-1", amount=10_000, float_after=510_000),)) == table.when(FILL)
    assert 500_000 == table.state.float_balance


def test_what_was_filled_goes_back_at_closing() -> None:
    """The float that is given back is what was opened with, filled, relieved and won."""
    table = given_wheel().given(FILL).given(m.CloseSession(), by=COMMITTEE)
    assert {"float:T1": -510_000, "house:bank": 510_000} == {
        leg.account: leg.amount for leg in table.state.owed[2].legs
    }


def test_a_count_shows_what_the_log_makes_of_it() -> None:
    """Counted and expected side by side; the same count by the same person again is no news."""
    table = given_wheel()
    table.given(CountFloat(counted=499_000), by=CROUPIER)
    table.then(FloatCounted(counted=499_000, expected=500_000, by="croupier-1", role="croupier"))
    table.when(CountFloat(counted=499_000), by=CROUPIER)
    table.then_already()
    table.given(CountFloat(counted=500_000), by=CROUPIER)


def evening() -> GivenTable:
    """Two players, a won and a lost coup, a fill, a float credit, a cash-out, and two counts."""
    table = given_wheel().given_seated(1, credit=20_000).given_seated(2, credit=5_000)
    table.given(FILL).given_wagers((1, "2", 1_000), (2, "4", 500)).given_spin("2")
    table.given(MoveFloat(number=2, request="r-2", amount=-3_000))
    table.given_wagers((1, "6", 2_000)).given_spin("2")
    table.given(m.CashOut(amount=4_000), by=player(2))
    table.given(CountFloat(counted=508_500), by=CROUPIER).given(CountFloat(counted=508_500), by=PIT_BOSS)
    return table


def test_the_result_of_a_session_comes_from_its_log_alone() -> None:
    """Float, fills, float credits, drop, handle and win, of a running session and of a closed one."""
    table = evening()
    result = session_result(table.log)
    assert (500_000, 10_000, 3_000, 25_000, 4_000) == (
        result.opened,
        result.fills,
        result.float_credits,
        result.drop,
        result.redeemed,
    )
    assert (3_500, 1_500) == (result.handle, result.win)
    assert (508_500, False) == (result.float_now, result.closed)
    table.given(m.LeaveSeat(), by=player(1)).given(m.LeaveSeat(), by=player(2)).given(m.CloseSession(), by=COMMITTEE)
    closed = session_result(table.log)
    assert (True, 23_500) == (closed.closed, closed.redeemed)
    assert closed.win == closed.drop - closed.redeemed


def test_every_golden_session_adds_up() -> None:
    """What the house won in a closed session is what was paid for chips and not paid back; and so is its float."""
    looked_at = 0
    for log in LOGS:
        events = [DECODER.decode(line) for line in parts(log)[0]]
        result = session_result(events)
        if not result.closed:
            continue
        looked_at += 1
        assert result.win == result.drop - result.redeemed, log.name
        (closing,) = (event for event in events if isinstance(event, m.SessionClosed))
        home = sum(leg.amount for leg in closing.legs if leg.account == "house:bank")
        assert home == result.float_now, log.name
        assert result.handle == closing.handle, log.name
    assert looked_at > 10


def test_a_count_stands_when_two_have_counted_the_same() -> None:
    """The second person's count names the first; after a coup or a move of the float, both must count again."""
    table = given_wheel().given_seated(1, credit=20_000)
    table.given(CountFloat(counted=500_000), by=CROUPIER).given(CountFloat(counted=499_000), by=PIT_BOSS)
    table.given(CountFloat(counted=500_000), by=PIT_BOSS).given(FILL)
    table.given(CountFloat(counted=510_000), by=CROUPIER).given_wagers((1, "2", 1_000)).given_spin("4")
    table.given(CountFloat(counted=510_000), by=PIT_BOSS).given_wagers((1, "2", 1_000)).given_spin("4")
    play = SessionPlay("T1", 1, 1, 99, 0)
    for record, event in table.records:
        play.see(record.at_ms, event)
    assert [
        (500_000, "croupier-1", ""),
        (499_000, "pit-boss-1", ""),
        (500_000, "pit-boss-1", "croupier-1"),
        (510_000, "croupier-1", ""),
        (510_000, "pit-boss-1", ""),
    ] == [(line.counted, line.by, line.stands_with) for line in play.counts]
