"""What may be staked at Pair'e poker: the layout, the limits, main and optional bets, and every refusal."""

from itertools import combinations

import msgspec
import pytest

from libs.games.paire_poker.cards import VALUES
from libs.games.paire_poker.layout import value_spots, values_of
from libs.table import messages as m
from tests.kit.given import CROUPIER, GivenTable, money_is_conserved, player
from tests.kit.poker import given_poker

MAXIMA = {
    # Copied by hand from rules.md: most per spot, in minimum stakes.
    "COULEUR_ROUGE": 200,
    "COULEUR_NOIR": 200,
    "VALEUR_7": 30,
    "VALEUR_JOKER": 30,
    "VALEUR_7-8": 60,
    "VALEUR_R-JOKER": 60,
    "VALEUR_7-8-9": 100,
    "VALEUR_D-R-JOKER": 100,
    "VALEUR_7-8-9-10": 120,
    "VALEUR_V-D-R-JOKER": 120,
    "PAIRE_7": 5,
    "PAIRE_UN_JOKER": 5,
    "PAIRE_DEUX_JOKERS": 1,
    "TOUTE_PAIRE": 25,
    "MAIN": 25,
}


def seated(**terms: object) -> GivenTable:
    """Return a table with a rich player who has a colour down while betting is open."""
    table = given_poker(**terms).given_seated(1, credit=1_000_000)
    return table.given_wagers((1, "COULEUR_ROUGE", 100))


def refused(table: GivenTable, spot: str, amount: int, code: str) -> None:
    """A wager is refused with this code and changes nothing."""
    before = table.state
    table.when(m.PlaceWager(spot=spot, amount=amount), by=player())
    table.then_refused(code)
    assert before == table.state


# -- the layout ---------------------------------------------------------------------------------------------------
def touching(values: tuple[str, ...], rows: int) -> bool:
    """Tell by distances alone whether one chip can touch all these boxes."""
    columns = 14 // rows
    boxes = [divmod(VALUES.index(value), columns) for value in values]
    high = max(row for row, _ in boxes) - min(row for row, _ in boxes) + 1
    wide = max(column for _, column in boxes) - min(column for _, column in boxes) + 1
    if high * wide != len(boxes):
        return False
    return (high == 1 and wide <= 3) or (high == 1 and rows == 1) or (high == 2 and wide <= 2)


@pytest.mark.parametrize("rows", [1, 2])
def test_exactly_what_touches_may_be_joined(rows: int) -> None:
    """Of all sets of one to four values, the layout offers exactly those whose boxes one chip can touch."""
    expected = {values for count in range(1, 5) for values in combinations(VALUES, count) if touching(values, rows)}
    assert expected == {values_of(spot) for spot in value_spots(rows)}


@pytest.mark.parametrize(("rows", "counts"), [(1, (14, 13, 12, 11)), (2, (14, 19, 10, 6))])
def test_how_many_of_each_form(rows: int, counts: tuple[int, ...]) -> None:
    """One row: 14 pleins, 13 chevaux, 12 transversales, 11 carrés; two rows: 14, 12 + 7, 10 and 6."""
    forms = list(value_spots(rows).values())
    assert counts == tuple(forms.count(form) for form in ("PLEIN", "CHEVAL", "TRANSVERSALE", "CARRE"))


@pytest.mark.parametrize("rows", [1, 2])
def test_every_spot_can_be_wagered_on(rows: int) -> None:
    """Each spot of the layout takes the minimum stake, and can be taken back again."""
    table = seated(options={"value_rows": rows})
    terms = table.state.terms
    assert terms is not None
    for spot in msgspec.convert(list(terms.maxima), list[m.Spot]):
        if spot != "COULEUR_ROUGE":
            table.given(m.PlaceWager(spot=spot, amount=100), by=player())
            table.given(m.TakeBackWager(spot=spot), by=player())
    money_is_conserved(table)


def test_the_printed_order_is_named() -> None:
    """Who names touching values in another order is told the spot's name."""
    table = seated()
    table.when(m.PlaceWager(spot="VALEUR_10-8-9", amount=100), by=player())
    assert "VALEUR_8-9-10" in repr(table.decision)


# -- limits -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("spot", sorted(MAXIMA))
def test_the_maximum_of_a_spot(spot: str) -> None:
    """The maximum is accepted at once; one cent more is refused; so is any sum above it."""
    most = MAXIMA[spot] * 100
    refused(seated(), spot, most + 1, "wager.over_maximum")
    table = seated()
    if spot == "COULEUR_ROUGE":
        most -= 100
    table.given(m.PlaceWager(spot=spot, amount=most), by=player())
    refused(table, spot, 1, "wager.over_maximum")
    refused(table, spot, 100, "wager.over_maximum")


def test_the_minimum_of_a_spot() -> None:
    """A stake is at least the minimum in total: 99 are refused, 100 are not, and then 1 more may follow."""
    table = seated()
    refused(table, "VALEUR_7", 99, "wager.under_minimum")
    table.given(m.PlaceWager(spot="VALEUR_7", amount=100), by=player())
    table.given(m.PlaceWager(spot="VALEUR_7", amount=1), by=player())
    assert 101 == table.state.seats[1].stakes["VALEUR_7"]


def test_limits_are_per_player() -> None:
    """The maximum of one player is nothing to another: "considéré isolément"."""
    table = seated().given_seated(2, credit=50_000)
    table.given(m.PlaceWager(spot="COULEUR_ROUGE", amount=20_000), by=player(2))
    table.given(m.PlaceWager(spot="COULEUR_ROUGE", amount=19_900), by=player(1))


def test_a_minimum_of_five_euros() -> None:
    """Maxima rise with the minimum (art. 53)."""
    table = given_poker(minimum=500, float_amount=1_500_000).given_seated(1, credit=1_000_000)
    table.given_wagers((1, "VALEUR_7", 15_000))
    refused(table, "PAIRE_DEUX_JOKERS", 501, "wager.over_maximum")
    refused(table, "PAIRE_DEUX_JOKERS", 499, "wager.under_minimum")


def test_whole_chips() -> None:
    """Where the colour chips have a value, a stake is made of whole chips."""
    table = given_poker(options={"chip": 50}).given_seated(1, credit=10_000).given_wagers((1, "VALEUR_7", 150))
    refused(table, "VALEUR_7", 25, "wager.not_whole_chips")
    refused(table, "COULEUR_NOIR", 101, "wager.not_whole_chips")
    table.given(m.PlaceWager(spot="VALEUR_7", amount=50), by=player())


def test_more_than_the_credit_meter() -> None:
    """No bet on credit or on word (art. 35)."""
    table = given_poker().given_seated(1, credit=300).given_wagers((1, "COULEUR_ROUGE", 200))
    refused(table, "COULEUR_NOIR", 101, "seat.credit_too_low")


# -- main and optional --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("spot", ["PAIRE_7", "PAIRE_UN_JOKER", "PAIRE_DEUX_JOKERS", "TOUTE_PAIRE", "MAIN"])
def test_an_optional_bet_needs_a_main_one(spot: str) -> None:
    """Without a stake on the colour or the value of the first card, an optional one is refused; then accepted."""
    table = given_poker().given_seated().given_wagers()
    refused(table, spot, 100, "wager.main_first")
    table.given(m.PlaceWager(spot="VALEUR_R-JOKER", amount=100), by=player())
    table.given(m.PlaceWager(spot=spot, amount=100), by=player())


def test_another_players_main_bet_does_not_help() -> None:
    """Each place needs a main bet of its own."""
    table = seated().given_seated(2)
    table.when(m.PlaceWager(spot="MAIN", amount=100), by=player(2))
    table.then_refused("wager.main_first")


def test_the_last_main_bet_stays_while_options_lie() -> None:
    """A main bet may be taken back while another stays, or when no option lies there any more."""
    table = seated()
    for spot in ("VALEUR_7", "TOUTE_PAIRE", "MAIN"):
        table.given(m.PlaceWager(spot=spot, amount=100), by=player())
    table.given(m.TakeBackWager(spot="COULEUR_ROUGE"), by=player())
    table.when(m.TakeBackWager(spot="VALEUR_7"), by=player())
    table.then_refused("wager.main_needed")
    for spot in ("TOUTE_PAIRE", "MAIN", "VALEUR_7"):
        table.given(m.TakeBackWager(spot=spot), by=player())
    assert {} == table.state.seats[1].stakes
    money_is_conserved(table)


def test_who_and_when() -> None:
    """Only a seated player stakes, and only while betting is open."""
    table = seated()
    table.when(m.PlaceWager(spot="VALEUR_7", amount=100), by=player(2))
    table.then_refused("seat.not_seated")
    table.when(m.PlaceWager(spot="VALEUR_7", amount=100), by=CROUPIER)
    table.then_refused("role.not_allowed")
    table.when(m.TakeBackWager(spot="VALEUR_8"), by=player())
    table.then_refused("wager.none")
    table.given(m.CloseBetting(), by=CROUPIER)
    refused(table, "VALEUR_7", 100, "wager.betting_closed")
    table.when(m.TakeBackWager(spot="COULEUR_ROUGE"), by=player())
    table.then_refused("wager.betting_closed")


# -- terms --------------------------------------------------------------------------------------------------------
def test_terms_are_recorded_whole() -> None:
    """The session's first facts hold paytable, edges and maxima of every spot, for replays under other code."""
    table = given_poker(float_amount=300_000, options={"chip": 100, "value_rows": 1})
    (opened,) = table.only(m.SessionOpened)
    assert isinstance(opened, m.SessionOpened)
    assert ("55/477", "16/159") == (opened.edges["PAIRE"], opened.edges["MAIN"])
    assert (1_250, 69) == (opened.paytable_content["DEUX_JOKERS"], len(opened.maxima))
    assert {spot: times * 100 for spot, times in MAXIMA.items()} == {spot: opened.maxima[spot] for spot in MAXIMA}
