"""A coup of Pair'e poker: dealing, turning card by card, collecting, paying; who may do what, and when."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.games.paire_poker import messages as p
from libs.games.paire_poker.cards import DEAL_BOUNDS, DECK, dealt, too_many
from libs.kernel.actors import Actor, Role
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import Drawn, RequestDraw
from libs.kernel.messages import Command
from libs.table import messages as m
from libs.table.board import board_of
from libs.table.decider import DECIDER
from tests.kit.given import (
    ALL_ROLES,
    BETTING_MS,
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    PIT_BOSS,
    GivenTable,
    folds,
    given_wheel,
    money_is_conserved,
    player,
)
from tests.kit.poker import drawn_for, given_coup, given_dealt, given_poker, given_turned

WAGERS = (
    (1, "COULEUR_NOIR", 500),
    (1, "VALEUR_7", 100),
    (1, "PAIRE_9", 100),
    (1, "TOUTE_PAIRE", 100),
    (1, "MAIN", 100),
    (2, "VALEUR_8-9", 200),
    (2, "PAIRE_UN_JOKER", 100),
    (2, "COULEUR_ROUGE", 100),
)


def given_face_down(*cards: str) -> GivenTable:
    """Return a table where two players have wagered and three cards lie face down."""
    table = given_poker().given_seated(1).given_seated(2).given_wagers(*WAGERS)
    return given_dealt(table, *(cards or ("9C", "9T", "4K")))


def turned(table: GivenTable) -> list[p.CardTurned]:
    """Return all turns of the session."""
    return [event for event in table.only(p.CardTurned) if isinstance(event, p.CardTurned)]


# -- drawing ------------------------------------------------------------------------------------------------------
def test_every_ordered_choice_of_cards_is_equally_likely() -> None:
    """All 54 x 53 x 52 draws of three numbers: each ordered choice of three cards comes once, the jokers being two."""
    assert (54, 53, 52, 51) == DEAL_BOUNDS
    counted = Counter(dealt(values) for values in product(*map(range, DEAL_BOUNDS[:3])))
    assert 54 * 53 * 52 == counted.total()
    ways = {0: 1, 1: 2, 2: 2}
    assert all(ways[cards.count("JOKER")] == count for cards, count in counted.items())
    assert 52 * 51 * 50 + 3 * 52 * 51 + 3 * 52 == len(counted)


@given(st.tuples(*(st.integers(0, bound - 1) for bound in DEAL_BOUNDS)))
def test_cards_come_without_replacement(values: tuple[int, ...]) -> None:
    """Any four numbers are four cards of the pack, none more often than it is there."""
    cards = dealt(values)
    assert too_many(cards) is None
    assert cards == dealt(drawn_for(*cards))


def test_the_pack() -> None:
    """52 cards and two jokers."""
    assert (54, 53) == (len(DECK), len(set(DECK)))
    assert 2 == DECK.count("JOKER")


def test_the_deal_is_sealed_everywhere() -> None:
    """The order to the RNG is sealed, the answer is a secret fact, and so are the cards laid down."""
    table = given_poker().given_seated().given_wagers((1, "COULEUR_ROUGE", 100))
    table.given(m.CloseBetting(), by=CROUPIER)
    (order,) = [out for out in DECIDER.react(table.state) if isinstance(out.command, RequestDraw)]
    assert RequestDraw(draw_id="draw:pit-1/T1/1/1/cards", bounds=DEAL_BOUNDS, sealed=True, seeded=True) == order.command
    table.given_drawn(*drawn_for("RT", "7C", "7K", "9P"))
    received, laid, told = table.log[-3:]
    assert (True, True, False) == (received.secret, laid.secret, told.secret)
    assert p.CardsDealt(coup=1, due_ms=table.now_ms + DECISION_MS) == told


# -- turning ------------------------------------------------------------------------------------------------------
def test_each_card_collects_what_it_decides() -> None:
    """1st card: colours and values; 2nd: pairs; 3rd: hands. Winners stay for the payment."""
    table = given_turned(given_face_down("9C", "9T", "4K"))
    first, second, third = (event.collected for event in turned(table))
    assert (p.Collected(1, "COULEUR_NOIR", 500), p.Collected(1, "VALEUR_7", 100)) == first
    assert (p.Collected(2, "PAIRE_UN_JOKER", 100),) == second
    assert (p.Collected(1, "MAIN", 100),) == third
    assert "locked" == table.state.phase
    table.given(p.PayWinners(), by=CROUPIER)
    won = {(wager.seat, wager.spot): wager.credit for wager in table.last_settlement().wagers if wager.credit}
    expected = {(1, "PAIRE_9"): 21_100, (1, "TOUTE_PAIRE"): 1_600, (2, "VALEUR_8-9"): 1_200, (2, "COULEUR_ROUGE"): 200}
    assert expected == won
    money_is_conserved(table)


def test_payment_follows_the_order_of_the_cards() -> None:
    """First card (colour, then value), pair (of a value, then any), hand: "dans le même ordre"."""
    settled = given_coup(given_poker().given_seated(1).given_seated(2).given_wagers(*WAGERS), "9C", "9T", "4K")
    order = [(wager.seat, wager.spot) for wager in settled.last_settlement().wagers]
    assert [
        (1, "COULEUR_NOIR"),
        (2, "COULEUR_ROUGE"),
        (1, "VALEUR_7"),
        (2, "VALEUR_8-9"),
        (1, "PAIRE_9"),
        (2, "PAIRE_UN_JOKER"),
        (1, "TOUTE_PAIRE"),
        (1, "MAIN"),
    ] == order


def test_cards_are_turned_in_order_and_once() -> None:
    """The second before the first is refused; the first again is harmless."""
    table = given_face_down()
    table.when(p.TurnCard(place=2), by=CROUPIER)
    table.then_refused("paire_poker.wrong_order")
    table.given(p.TurnCard(place=1), by=CROUPIER)
    table.when(p.TurnCard(place=1), by=CROUPIER)
    table.then_already()
    table.when(p.TurnCard(place=3), by=PIT_BOSS)
    table.then_refused("paire_poker.wrong_order")
    table.given(p.TurnCard(place=2), by=PIT_BOSS)
    assert [(1, "9C", CROUPIER.id), (2, "9T", PIT_BOSS.id)] == [(e.place, e.card, e.by) for e in turned(table)]


def test_nobody_pays_before_the_third_card() -> None:
    """Payment waits until all three are turned; afterwards there is nothing to pay."""
    table = given_face_down()
    for place in (1, 2, 3):
        table.when(p.PayWinners(), by=CROUPIER)
        table.then_refused("paire_poker.still_face_down")
        table.given(p.TurnCard(place=place), by=CROUPIER)
    table.given(p.PayWinners(), by=CROUPIER)
    table.when(p.PayWinners(), by=CROUPIER)
    table.then_refused("paire_poker.not_dealt")


def test_the_coup_goes_on_without_a_croupier() -> None:
    """Betting closes, each card is turned and the winners are paid when the time is up, each step in its own time."""
    table = given_poker().given_seated(1).given_seated(2).given_wagers(*WAGERS)
    table.later(BETTING_MS)
    table.given_drawn(*drawn_for("2P", "9C", "9T", "4K"))
    for place in (1, 2, 3):
        table.later(DECISION_MS - 1)
        assert place - 1 == len(turned(table))
        table.later(1)
        assert ("tapis", place) == (turned(table)[-1].by, len(turned(table)))
    table.later(DECISION_MS)
    assert "9C-9T-4K:PAIRE" == table.last_settlement().outcome
    money_is_conserved(table)


def test_a_turn_gives_the_next_one_its_full_time() -> None:
    """A card turned by hand starts the clock anew."""
    table = given_face_down()
    table.later(DECISION_MS - 1)
    table.given(p.TurnCard(place=1), by=CROUPIER)
    table.later(DECISION_MS - 1)
    assert 1 == len(turned(table))
    table.later(1)
    assert 2 == len(turned(table))


@pytest.mark.parametrize("command", [p.TurnCard(place=1), p.PayWinners(), p.ReportIrregularity(kind="wrong_count")])
def test_there_is_nothing_to_turn_before_the_deal(command: Command) -> None:
    """Between coups, while betting is open and while the RNG is asked, the game's commands are refused."""
    table = given_poker().given_seated()
    for prepare in (lambda: None, table.given_wagers, lambda: table.given(m.CloseBetting(), by=CROUPIER)):
        prepare()
        table.when(command, by=PIT_BOSS)
        table.then_refused("paire_poker.not_dealt")


@pytest.mark.parametrize("role", ALL_ROLES)
def test_who_may_turn_pay_and_report(role: Role) -> None:
    """Croupier and pit boss turn and pay; whoever watches the croupier reports irregularities; nobody else."""
    table = given_face_down()
    for command, allowed in (
        (p.TurnCard(place=3), {"croupier", "pit_boss"}),
        (p.PayWinners(), {"croupier", "pit_boss"}),
        (p.ReportIrregularity(kind="card_missing"), {"pit_boss", "committee_member"}),
    ):
        decision = table.when(command, by=Actor("somebody-1", role))
        code = getattr(decision, "code", "")
        assert (role in allowed) == (code != "role.not_allowed"), (role, command, code)


def test_a_command_of_another_game_is_refused() -> None:
    """A wheel has no cards to turn."""
    table = given_wheel()
    table.when(p.TurnCard(place=1), by=CROUPIER)
    table.then_refused("game.other")


# -- voids --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_void_at_any_moment_gives_everything_back(count: int) -> None:
    """Also stakes that were collected come back, and what was not turned is never shown (PA13)."""
    table = given_turned(given_face_down("9C", "9T", "4K"), count)
    before = {number: table.credit(number) for number in (1, 2)}
    table.given(m.VoidCoup(reason="a card fell on the floor"), by=PIT_BOSS)
    assert {1: before[1] + 900, 2: before[2] + 400} == {number: table.credit(number) for number in (1, 2)}
    shown = [event.card for event in turned(table)]
    assert ["9C", "9T", "4K"][:count] == shown
    board = repr(board_of(table.state))
    assert all((card in board) == (card in shown) for card in ("9C", "9T", "4K"))
    money_is_conserved(table)


def test_a_void_while_the_rng_is_asked() -> None:
    """The draw that arrives later changes nothing and deals nothing."""
    table = given_poker().given_seated().given_wagers((1, "VALEUR_7", 100)).given(m.CloseBetting(), by=CROUPIER)
    late = table.drawn(*drawn_for("2P", "9C", "9T", "4K"))
    table.given(m.VoidCoup(reason="power cut"), by=COMMITTEE)
    before = table.state
    table.when(late)
    table.then_already()
    assert before == table.state


def test_no_irregularity_of_cards_that_are_not_there() -> None:
    """With the RNG there is no pack to be wrong: only a void by the staff."""
    table = given_face_down()
    table.when(p.ReportIrregularity(kind="wrong_count"), by=PIT_BOSS)
    table.then_refused("paire_poker.no_real_cards")


def test_a_draw_that_was_not_sealed_is_not_used() -> None:
    """Values that came openly may have been seen: the coup is void."""
    table = given_poker().given_seated().given_wagers((1, "VALEUR_7", 100)).given(m.CloseBetting(), by=CROUPIER)
    (draw_id,) = table.state.draws
    seen = Drawn(draw_id=draw_id, bounds=DEAL_BOUNDS, values=(0, 0, 0, 0))
    table.given(Answered(to=draw_id, events=(seen,)))
    (voided,) = table.only(m.CoupVoided)
    assert isinstance(voided, m.CoupVoided)
    assert "draw.failed" == voided.code
    assert 100_000 == table.credit()


# -- whole evenings -----------------------------------------------------------------------------------------------
def test_an_evening() -> None:
    """Three players, a win, a void, a take-back, an empty coup, leaving, the last three coups, closing: all adds up."""
    table = given_poker(paytable="PAIRE-MAISON-2").given_seated(1).given_seated(2).given_seated(3, seat=5)
    given_coup(table.given_wagers(*WAGERS), "7P", "7K", "JOKER")
    table.given_ledger_confirms()
    table.given_wagers((3, "VALEUR_V-D-R-JOKER", 300), (3, "TOUTE_PAIRE", 200), (1, "COULEUR_NOIR", 20_000))
    table.given(m.TakeBackWager(spot="TOUTE_PAIRE"), by=player(3))
    given_coup(table, "JOKER", "JOKER", "5C")
    given_dealt(table.given_wagers((2, "COULEUR_NOIR", 100)), "AC", "2C", "3C")
    table.given(m.VoidCoup(reason="test"), by=PIT_BOSS)
    given_coup(table.given_wagers(), "AC", "2C", "3C")
    table.given(m.LeaveSeat(), by=player(3)).given(m.AnnounceLastCoups(), by=PIT_BOSS)
    for number in (1, 2, 1):
        given_coup(table.given_wagers((number, "COULEUR_ROUGE", 100)), "AC", "2P", "9C")
        money_is_conserved(table)
    table.when(m.OpenBetting(), by=CROUPIER)
    table.then_refused("coup.last_played")
    table.given(m.CloseSession(), by=COMMITTEE)
    money_is_conserved(table)
    assert 0 == table.balances["float:T1"]
    assert folds(table.log) == table.state


def test_a_player_who_is_gone_is_paid() -> None:
    """A disconnection changes nothing after *rien ne va plus*; leaving with a stake down is refused."""
    table = given_face_down("7C", "9T", "4K")
    table.when(m.LeaveSeat(), by=player(1))
    table.then_refused("seat.stake_down")
    for _ in range(4):
        table.later(DECISION_MS)
    assert 100_000 - 900 + 1_200 == table.credit(1)
