"""What may be said wrong at Pair'e poker (m = 100 cents)."""

from libs.games.paire_poker import messages as p
from libs.table import messages as m
from tests.kit.given import COMMITTEE, CROUPIER, PIT_BOSS, TECHNICIAN, GivenTable, player
from tests.kit.poker import given_dealt, given_poker, given_turned, poker_opening
from tests.kit.wrongs import Wrong

RED = (1, "COULEUR_ROUGE", 100)


def prepared() -> GivenTable:
    """The technician has checked the cards."""
    return GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)


def betting(*wagers: tuple[int, str, int], **terms: object) -> GivenTable:
    """Betting is open and a rich player has these stakes down."""
    return given_poker(**terms).given_seated(1, credit=1_000_000).given_wagers(*wagers)


def being_dealt() -> GivenTable:
    """*Rien ne va plus* has been said and the RNG is asked for the cards."""
    return betting(RED).given(m.CloseBetting(), by=CROUPIER)


def dealt() -> GivenTable:
    """Three cards lie face down."""
    return given_dealt(betting(RED), "7C", "8K", "9P")


def two_turned() -> GivenTable:
    """The third card lies face down."""
    return given_turned(dealt(), 2)


def settled() -> GivenTable:
    """The coup is paid."""
    return given_turned(dealt()).given(p.PayWinners(), by=CROUPIER)


def at_the_console() -> GivenTable:
    """Real cards lie there, of which the first is awaited at the console."""
    return betting(RED, source="console").given(m.CloseBetting(), by=CROUPIER)


def _terms(code: str, **terms: object) -> Wrong:
    return Wrong(code, prepared, poker_opening(**terms), COMMITTEE)


def _wager(code: str, spot: str, amount: int, *before: tuple[int, str, int], **terms: object) -> Wrong:
    return Wrong(code, lambda: betting(*before, **terms), m.PlaceWager(spot=spot, amount=amount), player())


def _no_spot(code: str, *spots: str) -> list[Wrong]:
    return [_wager(code, spot, 100, RED) for spot in spots]


def _turn(place: int) -> p.TurnCard:
    return p.TurnCard(place=place)


def _report(kind: p.Irregularity) -> p.ReportIrregularity:
    return p.ReportIrregularity(kind=kind)


WRONG = [
    _terms("paire_poker.too_many_seats", seats=6),
    _terms("paire_poker.unknown_option", options={"bonus_stake": 1_000}),
    _terms("paire_poker.value_rows", options={"value_rows": 3}),
    _terms("paire_poker.value_rows", options={"value_rows": 0}),
    _terms("paire_poker.chip", options={"chip": 0}),
    _terms("paire_poker.chip", options={"chip": -50}),
    _terms("paire_poker.chip", options={"chip": 30}),
    _terms("paire_poker.chip", options={"chip": 200}),
    _terms("paire_poker.float_too_low", float_amount=299_999),
    *_no_spot("wager.values_not_touching", "VALEUR_7-9", "VALEUR_A-JOKER", "VALEUR_2-3-5"),
    _wager("wager.values_not_touching", "VALEUR_6-7-8-9", 100, RED, options={"value_rows": 2}),
    _wager("wager.values_not_touching", "VALEUR_7-8", 100, RED, options={"value_rows": 2}),
    *_no_spot("wager.printed_order", "VALEUR_8-7", "VALEUR_JOKER-R"),
    *_no_spot("wager.value_twice", "VALEUR_7-7", "VALEUR_7-8-7"),
    *_no_spot("wager.too_many_values", "VALEUR_5-6-7-8-9"),
    *_no_spot("wager.unknown_spot", "VALEUR_1", "VALEUR_7-", "VALEUR_", "VALEUR", "VALEUR_X-Y"),
    *_no_spot("wager.unknown_spot", "PAIRE_1", "PAIRE_JOKER", "COULEUR_VERT", "COULEUR", "MAIN_BRELAN", "48"),
    _wager("wager.main_first", "MAIN", 100),
    _wager("wager.main_first", "PAIRE_7", 100),
    _wager("wager.under_minimum", "VALEUR_7", 99),
    _wager("wager.over_maximum", "VALEUR_7", 3_001),
    _wager("wager.over_maximum", "PAIRE_DEUX_JOKERS", 101, RED),
    _wager("wager.over_maximum", "COULEUR_ROUGE", 1, (1, "COULEUR_ROUGE", 15_000), (1, "COULEUR_ROUGE", 5_000)),
    _wager("wager.over_maximum", "VALEUR_7-8", 500, (1, "VALEUR_7-8", 5_600)),
    _wager("wager.not_whole_chips", "VALEUR_7", 125, options={"chip": 50}),
    _wager("wager.not_whole_chips", "VALEUR_7", 25, (1, "VALEUR_7", 150), options={"chip": 50}),
    Wrong("wager.main_needed", lambda: betting(RED, (1, "MAIN", 100)), m.TakeBackWager(spot="COULEUR_ROUGE"), player()),
    Wrong("paire_poker.not_dealt", betting, _turn(1), CROUPIER),
    Wrong("paire_poker.not_dealt", being_dealt, _turn(1), CROUPIER),
    Wrong("paire_poker.not_dealt", settled, _turn(1), CROUPIER),
    Wrong("paire_poker.wrong_order", dealt, _turn(2), CROUPIER),
    Wrong("paire_poker.wrong_order", dealt, _turn(3), CROUPIER),
    Wrong("paire_poker.cards_are_recorded", at_the_console, _turn(1), CROUPIER),
    Wrong("paire_poker.not_dealt", being_dealt, p.PayWinners(), CROUPIER),
    Wrong("paire_poker.not_dealt", settled, p.PayWinners(), CROUPIER),
    Wrong("paire_poker.still_face_down", dealt, p.PayWinners(), CROUPIER),
    Wrong("paire_poker.still_face_down", two_turned, p.PayWinners(), CROUPIER),
    Wrong("paire_poker.still_face_down", at_the_console, p.PayWinners(), CROUPIER),
    Wrong("paire_poker.not_dealt", betting, _report("wrong_count"), PIT_BOSS),
    Wrong("paire_poker.no_real_cards", dealt, _report("card_double"), PIT_BOSS),
    Wrong("paire_poker.no_real_cards", dealt, _report("exposed_card"), PIT_BOSS),
]
