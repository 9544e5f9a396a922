"""What a table does with the ledger's word about a player: it counts, refuses, tells, and plays out what lies there."""

from msgspec.structs import replace

from libs.games.rappel import messages as r
from libs.kernel.allowances import Allowance
from libs.kernel.contracts.table import AllowanceSet, CreditSeat, SetAllowance
from libs.kernel.decider import Already, NotYet
from libs.table import messages as m
from libs.table.board import seat_of
from libs.table.interruption_messages import InterruptSession
from tests.kit.given import COMMITTEE, CROUPIER, DECISION_MS, PIT_BOSS, GivenTable, given_wheel, opening, player
from tests.kit.rappel import given_jet_1, given_rappel


def word(number: int, cents: int | None, code: str = "limit.stake", known: int = 0) -> SetAllowance:
    """Return a word about player 1."""
    return SetAllowance(player="player-1", allowance=Allowance(number, cents, code), known=known)


def heard(table: GivenTable) -> AllowanceSet:
    """Return the last thing that the table has told of it."""
    fact = table.only(AllowanceSet)[-1]
    assert isinstance(fact, AllowanceSet)
    return fact


def stake(table: GivenTable, amount: int, spot: str = "2") -> GivenTable:
    """Player 1 stakes while betting is open."""
    table.when(m.PlaceWager(spot=spot, amount=amount), by=player(1))
    return table


def test_stakes_are_counted_to_the_cent() -> None:
    """Exactly as much as was allowed may be staked, over several coups, gains or not; the seat shows what is left."""
    table = given_wheel().given_seated(1).given(word(1, 1_000))
    table.given_wagers((1, "2", 600)).given_spin("2")
    assert 400 == (view.allowance if (view := seat_of(table.state, "player-1")) else None)
    table.given_wagers()
    stake(table, 401).then_refused("limit.stake")
    stake(table, 300).then(*table.log[-1:])
    stake(table, 101, "4").then_refused("limit.stake")
    assert heard(table.given(word(2, 0))).staked == {1: 900}


def test_what_goes_back_was_not_staked() -> None:
    """A stake taken back, or of a void coup, may be made again."""
    table = given_wheel().given_seated(1).given(word(1, 500)).given_wagers((1, "2", 300), (1, "4", 200))
    table.given(m.TakeBackWager(spot="4"), by=player(1)).given(m.VoidCoup(reason="power cut"), by=PIT_BOSS)
    table.given_wagers((1, "2", 500)).given_spin("4")
    assert heard(table.given(word(2, 0))).staked == {1: 500}


def test_what_the_ledger_was_told_stays_counted() -> None:
    """A coup that is void after its stakes were reported does not make room under the next word."""
    table = given_wheel().given_seated(1).given(word(1, 500)).given_wagers((1, "2", 500))
    assert heard(table.given(word(2, 0))).staked == {1: 500}
    table.given(word(3, 100, known=2)).given(m.VoidCoup(reason="power cut"), by=PIT_BOSS).given_wagers()
    stake(table, 101).then_refused("limit.stake")
    assert heard(stake(table, 100).given(word(4, 0, known=2))).staked == {3: 100}


def test_words_are_taken_in_their_order() -> None:
    """The same word again gets the same answer; one that was overtaken is not taken any more."""
    table = given_wheel().given_seated(1).given(word(2, 500)).given_wagers((1, "2", 100))
    table.when(word(2, 500))
    assert Already((heard(table),)) == table.decision
    assert isinstance(table.when(word(1, 9_000)), NotYet)
    assert heard(table.given(word(5, 0))).staked == {2: 100}
    assert heard(table.given(word(6, 0, known=1))).staked == {2: 100}
    assert heard(table.given(word(7, 0, known=2))).staked == {}


def test_chips_come_with_their_word() -> None:
    """A buy-in under a limit never has a moment without it; one from before an exclusion does not undo it."""
    table = given_wheel().given(m.TakeSeat(seat=1), by=player(1))
    credit = CreditSeat(
        transfer_id="t-1", player="player-1", seat=1, amount=900, allowance=Allowance(1, 100, "limit.stake")
    )
    table.given(credit).given_wagers()
    stake(table, 101).then_refused("limit.stake")
    table.given(word(2, 0, "exclusion.self")).given(replace(credit, transfer_id="t-2"))
    table.given(replace(credit, transfer_id="t-3", allowance=None))
    stake(table, 100).then_refused("exclusion.self")
    assert 2_700 == table.credit()


def test_an_excluded_player_ends_what_he_began() -> None:
    """The wager that lies there is played out and paid; no other is taken; chips go home, and he may stand up."""
    table = given_wheel().given_seated(1, credit=1_000).given_wagers((1, "2", 400))
    table.given(word(1, 0, "exclusion.self"))
    stake(table, 100).then_refused("exclusion.self")
    table.given_spin("2")
    assert 1_400 == table.credit()
    table.given(m.CashOut(amount=400), by=player(1)).given(m.LeaveSeat(), by=player(1))
    table.when(m.TakeSeat(seat=1), by=player(1))
    table.then_refused("exclusion.self")
    assert not heard(table.given(word(2, None, ""))).seated
    table.given(m.TakeSeat(seat=1), by=player(1))


def test_a_duty_of_the_game_that_may_not_be_paid_is_left_to_its_time_out() -> None:
    """Le Jeu du Rappel: excluded in a running game, a player cannot pay; silent, he passes by the timer."""
    table = given_jet_1(given_rappel(3), 4, 9, 12)
    for number in (1, 2, 3):
        table.given(r.Decline(), by=player(number))
    table.given(r.Raise(level=0), by=player(1))
    table.given(SetAllowance(player="player-2", allowance=Allowance(1, 0, "exclusion.casino"), known=0))
    level = table.only(r.Raised)[-1].level  # type: ignore[attr-defined]
    table.when(r.Follow(level=level), by=player(2))
    table.then_refused("exclusion.casino")
    table.later(DECISION_MS)
    assert [(2, "timer")] == [(fact.seat, fact.by) for fact in table.only(r.Passed)]  # type: ignore[attr-defined]
    table.given(r.Follow(level=level), by=player(3))


def test_a_word_that_costs_nothing_is_always_taken() -> None:
    """Whoever has nothing to pay may stay in the game: *parole*."""
    table = given_jet_1(given_rappel(2), 4, 9)
    for number in (1, 2):
        table.given(r.Decline(), by=player(number))
    table.given(word(1, 0, "exclusion.self")).given(r.Follow(level=0), by=player(1))


def test_the_next_session_knows_what_is_not_told_yet() -> None:
    """An open grant and a count go on into the next session; what nobody asked for in a whole one is forgotten."""
    table = given_wheel().given_seated(1).given(word(1, 500)).given_wagers((1, "2", 200)).given_spin("4")
    table.given(SetAllowance(player="player-2", allowance=Allowance(1, 0, "exclusion.self"), known=0))
    for _ in range(2):
        table.given(InterruptSession(reason="the evening is over"), by=COMMITTEE).given_ledger_confirms()
        table.given_open(opening())
    assert {"player-1"} == set(table.state.allowances)
    assert heard(table.given(word(2, 0))).staked == {1: 200}


def test_nobody_else_is_touched() -> None:
    """Players of whom the ledger says nothing stake as before, and the table keeps nothing of them."""
    table = given_wheel().given_seated(1).given_seated(2).given(word(1, 0))
    table.given(m.OpenBetting(), by=CROUPIER).given(m.PlaceWager(spot="2", amount=5_000), by=player(2))
    assert {"player-1"} == set(table.state.allowances)
