"""Real cards: recorded at the console as they are turned, or read by a shuffler while they lie face down."""

import msgspec
import pytest

from libs.games.paire_poker import messages as p
from libs.games.paire_poker.cards import FACES
from libs.games.paire_poker.state import PokerState
from libs.kernel.limits import DEVICE_REPORT_MS, MANUAL_ENTRY_MS
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import board_of
from tests.kit.given import COMMITTEE, CROUPIER, DECISION_MS, DEVICE, PIT_BOSS, GivenTable, folds, money_is_conserved
from tests.kit.poker import given_poker, given_turned

WAGERS = (
    (1, "COULEUR_ROUGE", 500),
    (1, "VALEUR_7", 100),
    (1, "PAIRE_7", 100),
    (1, "TOUTE_PAIRE", 200),
    (1, "MAIN", 300),
)
STAKED, CREDIT = 1_200, 100_000


def given_real_cards(source: str) -> GivenTable:
    """Return a table whose cards are on it, betting over, 1 200 cents staked by one player."""
    table = given_poker(source=source).given_seated(1, credit=CREDIT).given_wagers(*WAGERS)
    return table.given(m.CloseBetting(), by=CROUPIER)


def given_recorded(table: GivenTable, *cards: str) -> GivenTable:
    """Let the croupier record and confirm the next cards."""
    assert isinstance(table.state.game_state, PokerState)
    for place, card in enumerate(cards, start=len(table.state.game_state.turned) + 1):
        table.given(o.RecordOutcome(name=f"card-{place}", faces=(card,)), by=CROUPIER)
        table.given(o.ConfirmOutcome(name=f"card-{place}"), by=CROUPIER)
    return table


def given_shuffled(*cards: str) -> GivenTable:
    """Return a table whose shuffler has read these cards, the burnt one first."""
    return given_real_cards("device").given(o.RecordOutcome(name="cards", faces=cards), by=DEVICE)


def void_of(table: GivenTable) -> str:
    """Return the code of the only void; everything must have been given back, to the cent."""
    (event,) = table.only(m.CoupVoided)
    assert isinstance(event, m.CoupVoided)
    assert CREDIT == table.credit()
    money_is_conserved(table)
    return event.code


# -- the console --------------------------------------------------------------------------------------------------
def test_cards_are_recorded_as_they_are_turned() -> None:
    """Each confirmed card is turned and collects its losers; the third is followed by the payment."""
    table = given_real_cards("console")
    assert ["card-1"] == [awaited.name for awaited in board_of(table.state).awaited]
    assert FACES == board_of(table.state).awaited[0].choices[0]
    assert {"face_down": 3} == board_of(table.state).facts
    given_recorded(table, "7C", "7K")
    assert {"face_down": 1, "card_1": "7C", "card_2": "7K"} == board_of(table.state).facts
    given_recorded(table, "JOKER").given(p.PayWinners(), by=CROUPIER)
    credited = {wager.spot: wager.credit for wager in table.last_settlement().wagers}
    assert {
        "COULEUR_ROUGE": 1_000,
        "VALEUR_7": 1_200,
        "PAIRE_7": 21_100,
        "TOUTE_PAIRE": 3_200,
        "MAIN": 4_800,
    } == credited
    assert "7C-7K-JOKER:BRELAN" == table.last_settlement().outcome
    money_is_conserved(table)
    assert folds(table.log) == table.state


def test_there_is_nothing_to_turn_at_the_console() -> None:
    """`TurnCard` is for cards that somebody knows already; payment waits for the third card."""
    table = given_real_cards("console")
    table.when(p.TurnCard(place=1), by=CROUPIER)
    table.then_refused("paire_poker.cards_are_recorded")
    given_recorded(table, "2C")
    table.when(p.TurnCard(place=1), by=CROUPIER)
    table.then_already()
    table.when(p.PayWinners(), by=CROUPIER)
    table.then_refused("paire_poker.still_face_down")


def test_the_console_in_time() -> None:
    """A recorded card stands, and the payment comes, when the time is up."""
    table = given_real_cards("console")
    for place, card in enumerate(("2C", "3K", "9P"), start=1):
        table.given(o.RecordOutcome(name=f"card-{place}", faces=(card,)), by=CROUPIER)
        table.later(DECISION_MS)
    table.later(DECISION_MS)
    assert "2C-3K-9P:RIEN" == table.last_settlement().outcome


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_card_that_nobody_records_voids(count: int) -> None:
    """Silence at the console ends the coup: every stake comes back."""
    table = given_recorded(given_real_cards("console"), *("7C", "7K", "9P")[:count])
    table.later(MANUAL_ENTRY_MS)
    assert "outcome.none" == void_of(table)


@pytest.mark.parametrize("cards", [("7C", "7C"), ("7C", "7K", "7C"), ("7C", "7K", "7K")])
def test_pa13_a_double_card_voids(cards: tuple[str, ...]) -> None:
    """PA13: a card that comes twice is no card of one pack: 1 200 staked, 1 200 back."""
    table = given_recorded(given_real_cards("console"), *cards)
    assert "cards.card_double" == void_of(table)


def test_pa13_three_jokers_void() -> None:
    """PA13: the pack has two jokers; a third one is a double card."""
    assert "cards.card_double" == void_of(given_recorded(given_real_cards("console"), "JOKER", "JOKER", "JOKER"))


@pytest.mark.parametrize("kind", ["wrong_count", "card_missing", "card_double"])
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_pa13_an_irregular_pack_voids(kind: p.Irregularity, count: int) -> None:
    """PA13: a wrong number of cards, a card missing or double, at any moment: void, and all comes back."""
    table = given_recorded(given_real_cards("console"), *("2P", "7K", "9P")[:count])
    table.given(p.ReportIrregularity(kind=kind), by=PIT_BOSS)
    assert f"cards.{kind}" == void_of(table)
    board = board_of(table.state)
    assert board.last is not None
    assert all((board.last.outcome.fr, board.last.outcome.en, board.last.reason))
    assert "Coup nul" == board.announcement.fr


def test_pa13_an_exposed_card_changes_nothing() -> None:
    """PA13: a card that was merely exposed is noted once, and play goes on with the time that it had."""
    table = given_recorded(given_real_cards("console"), "7C", "7K", "9P")
    due = table.state.due_ms
    table.later(1_000)
    table.given(p.ReportIrregularity(kind="exposed_card"), by=COMMITTEE)
    assert due == table.state.due_ms
    table.when(p.ReportIrregularity(kind="exposed_card"), by=PIT_BOSS)
    table.then_already()
    table.given(p.PayWinners(), by=CROUPIER)
    assert 1_000 + 1_200 + 21_100 + 3_200 == sum(wager.credit for wager in table.last_settlement().wagers)


def test_a_card_is_corrected_before_payment() -> None:
    """A pit boss corrects the first card with a reason; what followed is undone and recorded anew; then it is paid."""
    table = given_recorded(given_real_cards("console"), "7C", "7K", "9P")
    before = len(table.log)
    table.given(o.CorrectOutcome(name="card-1", faces=("7P",), reason="misread suit"), by=PIT_BOSS)
    table.when(p.PayWinners(), by=CROUPIER)
    table.then_refused("paire_poker.still_face_down")
    assert {"face_down": 3} == board_of(table.state).facts
    table.given(o.ConfirmOutcome(name="card-1"), by=PIT_BOSS)
    given_recorded(table, "7K", "9P").given(p.PayWinners(), by=CROUPIER)
    credited = {wager.spot: wager.credit for wager in table.last_settlement().wagers}
    assert {"COULEUR_ROUGE": 0, "VALEUR_7": 1_200, "PAIRE_7": 21_100, "TOUTE_PAIRE": 3_200, "MAIN": 0} == credited
    turned = [event for event in table.log[before:] if isinstance(event, p.CardTurned)]
    assert (p.Collected(1, "COULEUR_ROUGE", 500),) == turned[0].collected
    money_is_conserved(table)
    assert folds(table.log) == table.state


def test_the_third_card_may_be_corrected_too() -> None:
    """The payment is a step of its own, so that the last card can still be put right."""
    table = given_recorded(given_real_cards("console"), "7C", "7K", "9P")
    table.given(o.CorrectOutcome(name="card-3", faces=("7P",), reason="misread"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="card-3"), by=PIT_BOSS).given(p.PayWinners(), by=CROUPIER)
    assert "7C-7K-7P:BRELAN" == table.last_settlement().outcome
    table.when(o.CorrectOutcome(name="card-3", faces=("9P",), reason="too late"), by=PIT_BOSS)
    table.then_refused("outcome.not_now")


def test_words_that_are_no_card() -> None:
    """Faces are cards of the pack, one at a time, in order of drawing."""
    table = given_real_cards("console")
    for name, faces, code in (
        ("card-1", ("1C",), "outcome.unknown_face"),
        ("card-1", ("7c",), "outcome.unknown_face"),
        ("card-1", ("7C", "8C"), "outcome.wrong_count"),
        ("card-2", ("7C",), "outcome.not_awaited"),
        ("cards", ("7C",), "outcome.not_awaited"),
    ):
        table.when(o.RecordOutcome(name=name, faces=faces), by=CROUPIER)
        table.then_refused(code)


# -- a shuffler ---------------------------------------------------------------------------------------------------
def test_a_shuffler_reads_cards_that_lie_face_down() -> None:
    """What it read is secret; the croupier turns the cards as with the RNG, and pays."""
    table = given_shuffled("RT", "7C", "7K", "7P")
    assert p.CardsLaid(coup=1, burnt="RT", cards=("7C", "7K", "7P")) == table.only(p.CardsLaid)[0]
    assert not any(b'"7C"' in msgspec.json.encode(event) for event in table.log if not event.secret)
    for shown in range(4):
        board = repr(board_of(table.state))
        assert [card for card in ("7C", "7K", "7P") if card in board] == ["7C", "7K", "7P"][:shown]
        assert "RT" not in board
        if shown < 3:
            given_turned(table, 1)
    table.given(p.PayWinners(), by=CROUPIER)
    assert "7C-7K-7P:BRELAN" == table.last_settlement().outcome
    assert folds(table.log) == table.state


def test_a_silent_shuffler_voids() -> None:
    """Nobody can enter cards that lie face down: the coup is void."""
    table = given_real_cards("device")
    table.later(DEVICE_REPORT_MS)
    assert "outcome.device_failed" == void_of(table)


@pytest.mark.parametrize("faces", [("RT", "7C", "7K"), ("RT", "7C", "7K", "7P", "8P"), None])
def test_pa13_a_wrong_number_of_cards_from_the_shuffler_voids(faces: tuple[str, ...] | None) -> None:
    """PA13: three cards, five or none are not a deal: 1 200 back."""
    table = given_real_cards("device")
    table.given(o.RecordOutcome(name="cards", faces=faces), by=DEVICE)
    assert "outcome.device_failed" == void_of(table)


@pytest.mark.parametrize(
    "cards", [("RT", "7C", "7K", "RT"), ("7C", "8C", "9C", "9C"), ("JOKER", "JOKER", "JOKER", "2C")]
)
def test_pa13_a_double_card_from_the_shuffler_voids(cards: tuple[str, ...]) -> None:
    """PA13: a card that it read twice, the burnt one included, voids; and no card is named, for none was turned."""
    table = given_shuffled(*cards)
    assert "cards.card_double" == void_of(table)
    public = [msgspec.json.encode(event).decode() for event in table.log if not event.secret]
    assert not any(f'"{card}"' in said or f" {card} " in said for said in public for card in cards if card != "JOKER")


def test_a_shuffler_that_contradicts_itself_voids() -> None:
    """Other cards than before: nothing it says can be relied on; the same cards again are no news."""
    table = given_turned(given_shuffled("RT", "7C", "7K", "7P"), 1)
    table.when(o.RecordOutcome(name="cards", faces=("RT", "7C", "7K", "7P")), by=DEVICE)
    table.then_already()
    table.given(o.RecordOutcome(name="cards", faces=("RT", "7C", "7K", "8P")), by=DEVICE)
    assert "outcome.device_failed" == void_of(table)


def test_an_irregular_pack_with_a_shuffler() -> None:
    """The pit boss may establish that the pack is wrong whatever the shuffler says."""
    table = given_turned(given_shuffled("RT", "7C", "7K", "7P"), 2)
    table.given(p.ReportIrregularity(kind="card_missing"), by=COMMITTEE)
    assert "cards.card_missing" == void_of(table)
    assert "7P" not in repr(board_of(table.state))


def test_the_croupier_cannot_enter_what_lies_face_down() -> None:
    """While the shuffler is asked nobody else is heard, and sealed cards cannot be corrected."""
    table = given_real_cards("device")
    table.when(o.RecordOutcome(name="cards", faces=("RT", "7C", "7K", "7P")), by=CROUPIER)
    table.then_refused("outcome.device_speaks")
    table.given(o.RecordOutcome(name="cards", faces=("RT", "7C", "7K", "7P")), by=DEVICE)
    table.when(o.CorrectOutcome(name="cards", faces=("RT", "7C", "7K", "8P"), reason="no"), by=PIT_BOSS)
    table.then_refused("outcome.sealed")
