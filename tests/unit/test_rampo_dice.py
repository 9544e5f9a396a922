"""Dice and shooters of Rampo: order, refusals, pairs, *coup nul*, removal, time-outs, and what is refused."""

import pytest

from libs.games.rampo import messages as r
from libs.kernel.messages import Command
from libs.table import messages as m
from libs.table import outcome_messages as o
from tests.kit.given import (
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    PIT_BOSS,
    START_MS,
    GivenTable,
    folds,
    money_is_conserved,
    player,
)
from tests.kit.rampo import answered, faces_of, game_of, given_rampo, given_trying, rampo_opening, thrown

REFUSE, THROW = r.RefuseDice(), r.ThrowDice()


def given_locked(*wagers: tuple[int, str, int], **terms: object) -> GivenTable:
    """Return a table with two players after *rien ne va plus*."""
    return given_rampo(**terms).given_wagers(*wagers).given(m.CloseBetting(), by=CROUPIER)  # type: ignore[arg-type]


def void_code(table: GivenTable) -> str:
    """Return the code of the latest void."""
    void = table.only(m.CoupVoided)[-1]
    assert isinstance(void, m.CoupVoided)
    return void.code


# -- whose turn it is ---------------------------------------------------------------------------------------------
def test_the_first_offer_goes_to_the_croupiers_left() -> None:
    """Art. 55-22-1: in the first coup the dice go to the lowest seat, whoever arrived first; then clockwise."""
    table = GivenTable().given_open(rampo_opening())
    for number, seat in ((1, 5), (2, 3), (3, 8)):
        table.given_seated(number, seat=seat)
    assert game_of(table).shooter is None
    order = []
    table.given_wagers()
    for _ in range(4):
        shooter = game_of(table).shooter
        order.append(shooter)
        number = next(number for number in (1, 2, 3) if table.state.places[f"player-{number}"] == shooter)
        table.given(m.PlaceWager(spot="BLANC", amount=500), by=player(number))
        thrown(table, 7).given_wagers()
    assert [3, 5, 8, 3] == order


def test_a_player_who_sits_down_when_nobody_has_the_dice_gets_them() -> None:
    """Betting was opened at an empty table: whoever sits down first is the shooter."""
    table = GivenTable().given_open(rampo_opening()).given_wagers().given_seated(1, seat=4).given_seated(2, seat=1)
    assert 4 == game_of(table).shooter


def test_a_shooter_keeps_the_dice() -> None:
    """Numbers other than 7 leave the dice where they are, whatever the shooter wins."""
    table = given_rampo()
    for number in (2, 12, 6):
        thrown(table.given_wagers((1, "NOIR", 500)), number)
        assert 1 == game_of(table).shooter


def test_a_refusal_passes_the_dice_on() -> None:
    """The shooter may refuse while betting is open; said twice it is one refusal; others have nothing to refuse."""
    table = given_rampo(players=3)
    table.when(REFUSE, by=player(1))
    table.then_refused("rampo.not_betting")
    table.given_wagers()
    table.when(REFUSE, by=player(2))
    table.then_refused("rampo.not_shooter")
    table.when(REFUSE, by=player(1))
    refused = r.DiceRefused(coup=1, seat=1)
    table.then(refused, r.DiceOffered(coup=1, seat=2, why="refused"))
    table.when(REFUSE, by=player(1))
    table.then_already()
    assert START_MS + 30_000 == table.state.due_ms


def test_whoever_refused_is_not_asked_again_in_the_same_coup() -> None:
    """The dice go round once in a coup; in the next coup the turn comes again."""
    table = given_rampo(players=3).given_wagers((3, "ROUGE", 500))
    table.given(REFUSE, by=player(1)).given(REFUSE, by=player(2))
    thrown(table, 7)
    assert 1 == game_of(table).shooter
    table.given_wagers().given(REFUSE, by=player(1))
    assert 2 == game_of(table).shooter


def test_who_sits_down_where_somebody_refused_has_not_refused() -> None:
    """The dice are offered to a new player even when the one before refused them from the same seat."""
    table = given_rampo().given_wagers().given(REFUSE, by=player(1)).given(m.LeaveSeat(), by=player(1))
    table.given_seated(3, seat=1).given(REFUSE, by=player(2))
    assert 1 == game_of(table).shooter


def test_a_shooter_without_a_stake_has_refused() -> None:
    """At *rien ne va plus* the dice go to the next player who has a stake down."""
    table = given_rampo(players=3).given_wagers((3, "ROUGE", 500)).given(m.CloseBetting(), by=CROUPIER)
    assert 3 == game_of(table).shooter
    (_, passed) = table.log[-2:]
    due = table.now_ms + DECISION_MS
    assert r.DiceOffered(coup=1, seat=3, why="no_stake", due_ms=due) == passed
    table.given(THROW, by=player(3))


def test_nobody_has_a_stake() -> None:
    """Without any stake there is no throw: the coup is void and counts as empty; after three the session may close."""
    table = given_rampo()
    for empty in (1, 2, 3):
        table.given_wagers().given(m.CloseBetting(), by=CROUPIER)
        assert ("rampo.no_stake", empty) == (void_code(table), table.state.empty_coups)
    table.given(m.CloseSession(), by=COMMITTEE)


def test_only_those_who_refused_have_stakes() -> None:
    """A refused the dice and alone has a stake, B has none: nobody may throw, the stake comes back (RA14)."""
    table = given_rampo().given_wagers((1, "ROUGE", 500)).given(REFUSE, by=player(1))
    table.given(m.CloseBetting(), by=CROUPIER)
    assert "rampo.no_shooter" == void_code(table)
    assert 100_000 == table.credit(1)
    table.given_wagers()
    assert 1 == game_of(table).shooter


def test_a_shooter_who_leaves_loses_the_dice() -> None:
    """RA5, between coups and while betting is open; with a stake in the zone nobody leaves."""
    table = given_trying(given_rampo(players=3), 8)
    table.when(m.LeaveSeat(), by=player(1))
    table.then_refused("seat.stake_down")
    thrown(table.given_wagers(), 9)
    table.given(m.LeaveSeat(), by=player(1))
    assert 2 == game_of(table).shooter
    table.given_wagers().given(m.LeaveSeat(), by=player(2))
    assert 3 == game_of(table).shooter
    table.given(m.LeaveSeat(), by=player(3))
    assert game_of(table).shooter is None
    table.given_seated(4, seat=6)
    assert 6 == game_of(table).shooter


def test_the_last_who_may_throw_leaves() -> None:
    """A has refused, B leaves: nobody is left to throw, the coup is void at once."""
    table = given_rampo().given_wagers().given(REFUSE, by=player(1)).given(m.LeaveSeat(), by=player(2))
    assert "rampo.no_shooter" == void_code(table)


# -- the pair -----------------------------------------------------------------------------------------------------
def test_les_des_changent() -> None:
    """The shooter asks for the other pair while betting is open; twice is once; the pair in play is no change."""
    table = given_rampo()
    table.when(r.ChangeDice(pair=2), by=player(1))
    table.then_refused("rampo.not_betting")
    table.given_wagers((1, "ROUGE", 500))
    table.when(r.ChangeDice(pair=2), by=player(2))
    table.then_refused("rampo.not_shooter")
    table.when(r.ChangeDice(pair=1), by=player(1))
    table.then_already()
    table.when(r.ChangeDice(pair=2), by=player(1))
    table.then(r.DiceChanged(coup=1, pair=2, why="asked"))
    table.when(r.ChangeDice(pair=2), by=player(1))
    table.then_already()
    table.given(m.CloseBetting(), by=CROUPIER)
    table.when(r.ChangeDice(pair=1), by=player(1))
    table.then_refused("rampo.not_betting")


# -- the throw ----------------------------------------------------------------------------------------------------
def test_the_shooter_throws_once_after_rien_ne_va_plus() -> None:
    """Only the shooter throws, only once, only when betting is closed; the RNG is asked for two dice."""
    table = given_rampo().given_wagers((1, "ROUGE", 500), (2, "ROUGE", 500))
    table.when(THROW, by=player(1))
    table.then_refused("rampo.betting_not_closed")
    table.given(m.CloseBetting(), by=CROUPIER)
    table.when(THROW, by=player(2))
    table.then_refused("rampo.not_shooter")
    table.when(THROW, by=player(9))
    table.then_refused("rampo.not_seated")
    table.given(THROW, by=player(1))
    (order,) = table.only(m.DrawRequested)
    assert isinstance(order, m.DrawRequested)
    assert ("draw:pit-1/T1/1/1/throw-1", (6, 6)) == (order.draw_id, order.bounds)
    table.when(THROW, by=player(1))
    table.then_already()


def test_a_silent_shooters_dice_are_thrown_by_the_timer() -> None:
    """A disconnected shooter holds up nobody: after the decision time the dice are thrown."""
    table = given_locked((1, "ROUGE", 500))
    table.later(DECISION_MS - 1)
    assert [] == table.only(r.DiceThrown)
    table.later(1)
    assert [r.DiceThrown(coup=1, seat=1, by="timer")] == table.only(r.DiceThrown)


def test_coming_and_going_leaves_the_shooters_time_alone() -> None:
    """Somebody sits down or leaves while the throw is awaited: the shooter's deadline stays."""
    table = given_locked((1, "ROUGE", 500), players=3)
    due = table.state.due_ms
    table.later(1_000)
    table.given_seated(4).given(m.LeaveSeat(), by=player(3)).given(r.SetChipValue(value=600), by=player(2))
    assert due == table.state.due_ms == START_MS + DECISION_MS


def test_where_dice_are_thrown_by_hand_nobody_throws_by_command() -> None:
    """At the console two faces are awaited at once; the shooter's terminal has nothing to say."""
    table = given_locked((1, "ROUGE", 500), source="console")
    assert ["throw-1"] == list(table.state.awaited)
    table.when(THROW, by=player(1))
    table.then_refused("rampo.thrown_by_hand")


@pytest.mark.parametrize(
    ("faces", "code"),
    [(("3",), "outcome.wrong_count"), (("3", "7"), "outcome.unknown_face"), (("0", "1"), "outcome.unknown_face")],
)
def test_dice_have_two_faces_of_one_to_six(faces: tuple[str, ...], code: str) -> None:
    """One die, a 7 or a 0 cannot be recorded."""
    table = given_locked((1, "ROUGE", 500), source="console")
    table.when(o.RecordOutcome(name="throw-1", faces=faces), by=CROUPIER)
    table.then_refused(code)


# -- coup nul -----------------------------------------------------------------------------------------------------
def test_coup_nul_is_thrown_again_by_the_same_shooter() -> None:
    """The annulled throw is named, the next one awaited under its own name; said twice it is one *coup nul*."""
    table = given_locked((1, "ROUGE", 500), source="console")
    table.given(o.RecordOutcome(name="throw-1", faces=("4", "4")), by=CROUPIER)
    table.given(r.CallCoupNul(throw=1, fault="stacked"), by=CROUPIER)
    annulled = r.ThrowAnnulled(coup=1, throw=1, seat=1, fault="stacked", by=CROUPIER.id)
    assert [annulled] == table.only(r.ThrowAnnulled)
    assert ["throw-2"] == list(table.state.awaited)
    table.when(r.CallCoupNul(throw=1, fault="stacked"), by=CROUPIER)
    table.then_already()
    table.when(r.CallCoupNul(throw=3, fault="stacked"), by=CROUPIER)
    table.then_refused("rampo.other_throw")
    assert 1 == game_of(table).shooter
    thrown(table, 8, close=False)
    assert "8" == table.last_settlement().outcome


def test_when_coup_nul_cannot_be_called() -> None:
    """Not before *rien ne va plus*, not once the result is announced, and never about a draw of the RNG (law 9)."""
    nul = r.CallCoupNul(throw=1, fault="other")
    table = given_rampo(source="console").given_wagers((1, "8", 500))
    table.when(nul, by=CROUPIER)
    table.then_refused("rampo.no_throw")
    thrown(table, 8)
    table.when(nul, by=CROUPIER)
    table.then_refused("rampo.already_announced")
    table = given_locked((1, "ROUGE", 500))
    table.when(nul, by=CROUPIER)
    table.then_refused("rampo.no_irregular_draw")


# -- removal ------------------------------------------------------------------------------------------------------
def test_les_des_changent_de_main() -> None:
    """The pit boss removes a repeated offender, with a reason; the dice go to the left; said twice it is once."""
    table = given_locked((1, "ROUGE", 500), (2, "ROUGE", 500), source="console")
    for number in (1, 2):
        table.given(r.CallCoupNul(throw=number, fault="no_back_wall"), by=CROUPIER)
    command = r.RemoveShooter(seat=1, reason="never strikes the back wall")
    table.when(command, by=PIT_BOSS)
    removed = r.ShooterRemoved(coup=1, seat=1, by=PIT_BOSS.id, reason="never strikes the back wall", irregular_throws=2)
    table.then(removed, r.DiceOffered(coup=1, seat=2, why="removed"))
    table.when(command, by=PIT_BOSS)
    table.then_already()
    table.when(r.RemoveShooter(seat=3, reason="x"), by=PIT_BOSS)
    table.then_refused("rampo.not_the_shooter")
    assert 0 == game_of(table).irregular_throws


def test_when_a_shooter_cannot_be_removed() -> None:
    """Not between coups, and not once the dice are thrown; in time, with the RNG, the next shooter's time begins."""
    command = r.RemoveShooter(seat=1, reason="x")
    table = given_rampo()
    table.when(command, by=PIT_BOSS)
    table.then_refused("rampo.nothing_to_take")
    table = given_locked((1, "ROUGE", 500), (2, "ROUGE", 500))
    table.later(5_000)
    table.given(command, by=PIT_BOSS)
    assert table.now_ms + DECISION_MS == table.state.due_ms
    table.given(THROW, by=player(2))
    table.when(r.RemoveShooter(seat=2, reason="x"), by=PIT_BOSS)
    table.then_refused("rampo.nothing_to_take")


def test_a_throw_that_is_recorded_is_its_shooters() -> None:
    """The pit boss takes the dice before the throw, not when its faces are on show: then *coup nul* comes first."""
    command = r.RemoveShooter(seat=1, reason="never strikes the back wall")
    table = given_locked((1, "ROUGE", 500), (2, "ROUGE", 500), source="console")
    table.given(o.RecordOutcome(name="throw-1", faces=("3", "4")), by=CROUPIER)
    table.when(command, by=PIT_BOSS)
    table.then_refused("rampo.nothing_to_take")
    table.given(r.CallCoupNul(throw=1, fault="no_back_wall"), by=CROUPIER).given(command, by=PIT_BOSS)
    assert 2 == game_of(table).shooter
    table = given_rampo(source="console").given_wagers((1, "8", 500))
    thrown(table, 8).when(command, by=PIT_BOSS)
    table.then_refused("rampo.already_announced")


def test_the_only_one_with_a_stake_is_removed() -> None:
    """Nobody else may throw: fresh bets come back, pending tries are paid at the first gain (RA14)."""
    table = given_trying(given_rampo(), 6).given_wagers((1, "ROUGE", 500)).given(m.CloseBetting(), by=CROUPIER)
    table.given(r.RemoveShooter(seat=1, reason="x"), by=PIT_BOSS)
    assert "rampo.no_shooter" == void_code(table)
    assert 100_000 - 500 + 3_000 == table.credit()
    money_is_conserved(table)


# -- the answer ---------------------------------------------------------------------------------------------------
def test_who_may_answer_and_how_often() -> None:
    """Only holders of the winning number answer, once; the same answer again changes nothing, another is refused."""
    table = given_rampo(players=3).given_wagers((1, "8", 500), (2, "8", 500), (3, "ROUGE", 500))
    table.when(r.AnswerRampo(tries=True), by=player(1))
    table.then_refused("rampo.not_offered")
    thrown(table, 8)
    due = table.state.due_ms
    table.later(1_000)
    table.when(r.AnswerRampo(tries=True), by=player(1))
    table.then(r.RampoAnswered(coup=1, seat=1, tries=True, due_ms=due))
    table.when(r.AnswerRampo(tries=True), by=player(1))
    table.then_already()
    table.when(r.AnswerRampo(tries=False), by=player(1))
    table.then_refused("rampo.already_answered")
    table.when(r.AnswerRampo(tries=True), by=player(3))
    table.then_refused("rampo.not_offered")
    table.when(r.AnswerRampo(tries=True), by=player(8))
    table.then_refused("rampo.not_seated")
    answered(table, (2, False))
    table.when(r.AnswerRampo(tries=False), by=player(2))
    table.then_already()


def test_a_void_while_the_rampo_is_offered_leaves_the_zone_as_it_was() -> None:
    """A coup that is void decides nothing: the try of the throw before still waits, fresh stakes go back."""
    table = given_trying(given_rampo(), 8)
    thrown(table.given_wagers((2, "8", 500)), 8)
    table.given(m.VoidCoup(reason="power cut"), by=PIT_BOSS)
    assert (8, {1: 500}) == (game_of(table).zone_number, game_of(table).zone)
    assert 100_000 == table.credit(2)
    thrown(table.given_wagers(), 8)
    assert 100_000 - 500 + 20_500 == table.credit(1)
    money_is_conserved(table)


def test_a_corrected_number_takes_the_offer_back() -> None:
    """A pit boss corrects 8 to 9 while the rampo is offered: the answers are undone, 8 loses and 9 is offered."""
    table = given_rampo(source="console").given_wagers((1, "8", 500), (2, "8", 500), (2, "9", 500))
    answered(thrown(table, 8), (1, True))
    faces = tuple(map(str, faces_of(9)))
    table.given(o.CorrectOutcome(name="throw-1", faces=faces, reason="one die misread"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="throw-1"), by=PIT_BOSS)
    assert (2,) == game_of(table).throw.offered
    table.when(r.AnswerRampo(tries=True), by=player(1))
    table.then_refused("rampo.not_offered")
    answered(table, (2, False))
    assert "9" == table.last_settlement().outcome
    assert 100_000 - 1_000 + 3_500 == table.credit(2)
    money_is_conserved(table)
    assert table.state == folds(table.log)


def test_a_correction_leaves_chips_where_they_are() -> None:
    """Art. 55-22-1: all have chips of their own, whoever came, left or moved the marker before a throw is corrected."""
    table = given_rampo(players=7, source="console").given_wagers((1, "8", 500))
    thrown(table, 8).given_seated(8).given(m.LeaveSeat(), by=player(7)).given(r.SetChipValue(value=600), by=player(2))
    faces = tuple(map(str, faces_of(9)))
    table.given(o.CorrectOutcome(name="throw-1", faces=faces, reason="one die misread"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="throw-1"), by=PIT_BOSS)
    table.given_seated(9, seat=7).given_wagers((8, "3", 500), (9, "3", 500), (2, "3", 600))
    game = game_of(table)
    assert set(range(1, 9)) == game.colours.keys() == game.chips.keys()
    assert 8 == len(set(game.colours.values()))
    assert folds(table.log) == table.state


@pytest.mark.parametrize("command", [REFUSE, THROW, r.ChangeDice(pair=2), r.AnswerRampo(tries=True)])
def test_only_the_seated_speak(command: Command) -> None:
    """A player without a seat has no dice and no number."""
    table = given_rampo().given_wagers()
    table.when(command, by=player(9))
    table.then_refused("rampo.not_seated")
