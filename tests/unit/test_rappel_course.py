"""The course of a game of the Rappel at a table: phases, time-outs, leaving, voids, a whole evening."""

import pytest

from libs.games.rappel import messages as r
from libs.kernel.contracts.answers import Answered
from libs.kernel.decider import Accepted
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from tests.kit.given import (
    BETTING_MS,
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    PIT_BOSS,
    START_MS,
    folds,
    money_is_conserved,
    player,
)
from tests.kit.rappel import (
    BASE,
    CREDIT,
    credited,
    first_game,
    game,
    given_entries,
    given_jet_1,
    given_meters,
    given_rappel,
    given_rolls,
    meters,
    paid,
    play,
    say,
    turn,
)


def test_the_events_of_a_small_game() -> None:
    """Two players, nobody tries or raises: every fact in order, each with its money and its deadline."""
    table = given_entries(given_rappel(2))
    table.when(m.CloseBetting(), by=CROUPIER)
    jet_1 = "draw:pit-1/T1/1/1/jet-1"
    table.then(
        m.BettingClosed(coup=1, by_timer=False),
        r.GameStarted(coup=1, base=1_000, seats=(1, 2), rappel_stake=2_000),
        m.DrawRequested(coup=1, draw_id=jet_1, name="jet-1", bounds=(20, 20)),
    )
    due_ms = START_MS + DECISION_MS
    given_rolls(table, 13, 4)
    table.then(
        m.DrawReceived(coup=1, draw_id=jet_1, name="jet-1", values=(12, 3)),
        r.FirstRolled(coup=1, rolls={1: 13, 2: 4}),
        r.WordGiven(coup=1, stage="rappel", seat=2, to_pay=2_000, due_ms=due_ms),
    )
    play(table, "B:declines A:declines").then(
        r.RappelDeclined(coup=1, seat=1, by="player", out=False),
        r.WordGiven(coup=1, stage="bets", seat=2, to_pay=0, due_ms=due_ms),
    )
    play(table, "B:raises").then(
        m.WagerPlaced(
            coup=1, seat=2, spot="MISE", amount=1_000, stake_after=1_000, credit_after=CREDIT - 3_000, charged=True
        ),
        r.Raised(coup=1, seat=2, paid=1_000, level=1_000),
        r.WordGiven(coup=1, stage="bets", seat=1, to_pay=1_000, due_ms=due_ms),
    )
    play(table, "A:follows").then(
        m.WagerPlaced(
            coup=1, seat=1, spot="MISE", amount=1_000, stake_after=1_000, credit_after=CREDIT - 3_000, charged=True
        ),
        r.Followed(coup=1, seat=1, paid=1_000, by="player"),
        r.BetsMatched(coup=1, dice={1: 10, 2: 6}),
        m.DrawRequested(coup=1, draw_id="draw:pit-1/T1/1/1/jet-2", name="jet-2", bounds=(10, 6)),
    )
    given_rolls(table, 9, 6)
    assert (
        r.PotDecided(coup=1, decided="win", pot=4_000, fees=2_000, rake=400, credits={1: 3_600}, bank=2_400)
        == table.played[-2]
    )
    assert [3_600, 0] == credited(table)


def test_an_attempt_is_charged_and_rolled_at_once() -> None:
    """The rappel stake leaves the meter when the attempt is made; its die has its own draw."""
    table = first_game((3, 9), "A:tries")
    table.then(
        m.WagerPlaced(
            coup=1, seat=1, spot="RAPPEL", amount=2_000, stake_after=2_000, credit_after=CREDIT - 4_000, charged=True
        ),
        r.RappelTried(coup=1, seat=1, stake=2_000),
        m.DrawRequested(coup=1, draw_id="draw:pit-1/T1/1/1/rappel-1", name="rappel-1", bounds=(20,)),
    )
    assert table.state.due_ms is None
    given_rolls(table, 20)
    assert r.RappelRolled(coup=1, seat=1, roll=20, made=True) in table.log


# -- time-outs ----------------------------------------------------------------------------------------------------
def test_silence_declines_the_rappel() -> None:
    """A rappel that is not answered in time is declined; with a 1 this is passing."""
    table = first_game((1, 9, 14), "waits")
    assert r.RappelDeclined(coup=1, seat=1, by="timer", out=True) in table.log
    assert "B" == turn(table)


def test_silence_is_parole_when_there_is_nothing_to_pay() -> None:
    """In the betting round a silent player with nothing to pay stays in."""
    table = first_game((2, 9), "A:declines B:declines waits")
    assert r.Followed(coup=1, seat=1, paid=0, by="timer") in table.log
    play(table, "B:follows rolls:6,3")
    assert [1_800, 0] == credited(table)


def test_silence_is_passing_when_there_is_something_to_pay() -> None:
    """A silent player who would have to pay is out; what he has paid stays in the pot."""
    table = first_game((2, 9, 12), "A:declines B:declines C:declines A:raises waits")
    assert r.Passed(coup=1, seat=2, by="timer") in table.log
    play(table, "waits")
    assert ("LONE:1", [3_600, 0, 0]) == (table.last_settlement().outcome, credited(table))


def test_a_table_of_absent_players_plays_to_the_end() -> None:
    """Everybody has gone away after the entry: time-outs alone lead to JET 2, and the highest wins."""
    table = given_jet_1(given_rappel(4), 1, 5, 9, 14)
    for _ in range(4 + 3):
        table.later(DECISION_MS)
    play(table, "rolls:2,7,3")
    assert [0, 0, 3_600, 0] == credited(table)
    money_is_conserved(table)


def test_each_word_has_its_own_time() -> None:
    """A word spoken late leaves the next player the whole time; one millisecond early nothing happens."""
    table = first_game((2, 9))
    table.later(DECISION_MS - 1)
    assert "A" == turn(table)
    play(table, "A:declines")
    table.later(DECISION_MS - 1)
    assert "B" == turn(table)
    table.later(1)
    assert "bets" == game(table).stage


def test_a_late_call_does_not_pay_a_level_it_has_not_seen() -> None:
    """A's *parole* arrives after the timer spoke for him and B has raised: it is refused, not taken for a call."""
    table = first_game((2, 9), "A:declines B:declines waits B:raises")
    table.when(r.Follow(level=0), by=player(1))
    table.then_refused("rappel.level_changed")
    assert CREDIT - 2_000 == table.credit(1)


# -- entering, leaving, cashing out -------------------------------------------------------------------------------
def test_a_player_who_leaves_before_the_start_gets_both_back() -> None:
    """While the entries are open the entry is taken back, fee and ante, and the seat may be left."""
    table = given_entries(given_rappel(3))
    table.given(m.TakeBackWager(spot="ENTREE"), by=player(2)).given(m.LeaveSeat(), by=player(2))
    assert 0 == table.balances["player:player-2"]
    table.later(BETTING_MS)
    started = table.only(r.GameStarted)
    assert [r.GameStarted(coup=1, base=1_000, seats=(1, 3), rappel_stake=2_000)] == started


def test_a_seated_player_without_an_entry_looks_on() -> None:
    """Who has not paid the entry has no part in the game, nor a word in it."""
    table = given_jet_1(given_rappel(3), 5, 9, letters="AC")
    assert [1, 3] == list(game(table).entrants)
    say(table, "B:follows").then_refused("rappel.not_in_game")
    play(table, "A:declines C:declines A:follows C:follows rolls:6,2")
    assert [2_000, 2_000] == paid(table)
    assert CREDIT == table.credit(2)


def test_nobody_leaves_a_running_game() -> None:
    """A stake is down: who is out waits for the end of the game, then may go."""
    table = first_game((1, 9, 14), "A:declines B:declines C:declines")
    table.when(m.LeaveSeat(), by=player(1))
    table.then_refused("seat.stake_down")
    play(table, "B:follows C:follows rolls:8,3").given(m.LeaveSeat(), by=player(1))
    assert [2, 3] == list(table.state.seats)


def test_who_cashes_out_in_the_game_can_still_only_pass() -> None:
    """Chips that were turned into money are not there to match a raise; a buy-in during one's turn is."""
    table = given_jet_1(given_meters(9_000, 9_000), 5, 9)
    play(table, "A:declines B:declines A:raises")
    table.given(m.CashOut(amount=6_500), by=player(2))
    say(table, "B:follows").then_refused("rappel.meter_too_low")
    table.given_credit(2, 2, 500)
    play(table, "B:follows rolls:6,3")
    assert 0 == table.credit(2)
    money_is_conserved(table)


# -- voids --------------------------------------------------------------------------------------------------------
VOIDED_AT = {
    "jet_1": ("", 0),
    "rappel": ("rolls:1,9,14", 0),
    "attempt": ("rolls:1,9,14 A:tries", 3_000),
    "bets": ("rolls:1,9,14 A:tries rolls:20 B:declines C:declines B:follows C:raises", 3_000),
    "jet_2": ("rolls:1,9,14 A:tries rolls:20 B:declines C:declines B:follows C:follows", 3_000),
}


@pytest.mark.parametrize("moment", VOIDED_AT)
def test_a_technical_failure_gives_everything_back(moment: str) -> None:
    """At whatever moment before settlement: fee, ante and everything added come back, and no posting is owed."""
    line, added = VOIDED_AT[moment]
    table = given_entries(given_rappel(3)).given(m.CloseBetting(), by=CROUPIER)
    play(table, line)
    assert CREDIT - 2_000 - added == table.credit(1)
    table.given(m.VoidCoup(reason="a die fell off the table"), by=PIT_BOSS)
    assert [CREDIT] * 3 == meters(table)
    assert 1 == table.state.postings
    money_is_conserved(table)
    play(given_jet_1(table, 5, 9, 14), "A:declines B:declines C:declines A:follows B:follows C:follows rolls:1,1,2")
    assert [0, 0, 2_700] == credited(table)


@pytest.mark.parametrize("line", ["", "rolls:1,9 A:tries", "rolls:2,9 A:declines B:declines A:follows B:follows"])
def test_a_failed_draw_voids_the_game(line: str) -> None:
    """A draw that the RNG refuses, of JET 1, an attempt or JET 2, voids the game."""
    table = given_entries(given_rappel(2)).given(m.CloseBetting(), by=CROUPIER)
    play(table, line)
    refusal = Refusal("draw.bad_id", "Mal formé.", "Malformed.")
    table.given(Answered(to=next(iter(table.state.draws)), refusal=refusal))
    assert [CREDIT] * 2 == meters(table)
    say(table, "A:passes").then_refused("rappel.no_game")
    money_is_conserved(table)


# -- a whole evening ----------------------------------------------------------------------------------------------
def test_an_evening() -> None:
    """Several games of several endings, the last three games, closing: all money is where it belongs."""
    table = given_rappel(3)
    play(given_jet_1(table, 1, 9, 14), "A:tries rolls:20 B:declines C:declines B:passes C:follows rolls:13,7")
    play(given_jet_1(table, 20, 5, 9), "B:declines C:declines B:follows C:follows A:follows rolls:20,6,8")
    table.given_ledger_confirms().given(m.AnnounceLastCoups(), by=PIT_BOSS)
    play(given_jet_1(table, 1, 1, 1), "A:declines B:declines C:tries rolls:4")
    table.given_wagers((1, "ENTREE", 2 * BASE)).given(m.CloseBetting(), by=CROUPIER)
    assert 2 == table.state.last_left
    for _ in range(2):
        play(given_jet_1(table, 2, 3, 4), "A:declines B:declines C:declines A:raises B:passes C:passes")
    table.when(m.OpenBetting(), by=CROUPIER)
    table.then_refused("coup.last_played")
    table.given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()
    outcomes = [past.code for past in reversed(table.state.history)]
    assert ["WIN:1:13", "DOUBLE:1", "NOBODY", "game.no_opponent", "LONE:1", "LONE:1"] == outcomes
    assert (900 + 2 * 400, 4 * 3_000) == (table.balances["house:rake"], table.balances["house:entry"])
    assert table.balances["house:bank"] == 6_000
    money_is_conserved(table)
    assert folds(table.log) == table.state


def test_three_games_without_an_opponent_close_the_table() -> None:
    """Art. 31: one player who waits for an opponent in vain cannot keep the session open."""
    table = given_rappel(1)
    for _ in range(3):
        table.when(m.CloseSession(), by=COMMITTEE)
        table.then_refused("session.last_coups_first")
        given_entries(table).given(m.CloseBetting(), by=CROUPIER)
    assert isinstance(table.when(m.CloseSession(), by=COMMITTEE), Accepted)
    money_is_conserved(table)


def test_a_played_game_ends_the_count_of_those_without_an_opponent() -> None:
    """Three in a row are meant: a game that was played in between begins the count anew."""
    table = given_rappel(2)
    for _ in range(2):
        given_entries(table, "A").given(m.CloseBetting(), by=CROUPIER)
    assert 2 == table.state.empty_coups
    play(given_jet_1(table, 1, 5), "A:declines")
    assert 0 == table.state.empty_coups


def test_the_next_game_starts_from_nothing() -> None:
    """Nothing of a game is left in the next one: not a die, not a raise, not a declined rappel."""
    table = first_game((2, 9), "A:declines B:declines A:raises B:passes")
    play(given_jet_1(table, 3, 4), "A:tries rolls:20 B:declines B:raises A:follows rolls:19,6")
    assert ("WIN:1:19", [5_000, 5_000]) == (table.last_settlement().outcome, paid(table))
