"""The ambiguities of rules.md section 4 and how they were resolved: PA1 to PA15, at a table with m = 100 cents."""

import pytest

from libs.games.paire_poker import messages as p
from libs.games.paire_poker.hands import hand_of
from libs.games.paire_poker.paytables import PAYTABLES
from libs.table import messages as m
from libs.table.board import board_of
from tests.kit.given import CROUPIER, player
from tests.kit.poker import credits_of, given_coup, given_dealt, given_poker, given_turned


def credited(cards: str, *wagers: tuple[str, int]) -> dict[str, int]:
    """Play one coup with these wagers (a colour is added where an optional bet needs it) and return the credits."""
    table = given_poker().given_seated(1, credit=100_000)
    main = () if wagers[0][0].startswith(("COULEUR", "VALEUR")) else (("COULEUR_ROUGE", 100),)
    table.given_wagers(*((1, spot, amount) for spot, amount in (*main, *wagers)))
    return credits_of(given_coup(table, *cards.split()))


def test_pa1_a_joker_has_no_colour() -> None:
    """PA1: with a joker first, red and black both lose."""
    expected = {"COULEUR_ROUGE": 0, "COULEUR_NOIR": 0}
    assert expected == credited("JOKER 8C 9C", ("COULEUR_ROUGE", 500), ("COULEUR_NOIR", 500))


def test_pa2_a_joker_is_not_wild_for_the_pairs() -> None:
    """PA2: a king and a joker are no pair of kings and not any pair."""
    found = credited("RC JOKER 2T", ("TOUTE_PAIRE", 100), ("PAIRE_R", 100), ("MAIN", 100))
    assert (0, 0) == (found["TOUTE_PAIRE"], found["PAIRE_R"])


@pytest.mark.parametrize("cards", ["JOKER 8C 2T", "8C JOKER 2T"])
def test_pa3_the_box_of_one_joker(cards: str) -> None:
    """PA3: a joker and an ordinary card, in either order, pay the fourteenth box: 100 -> 1 200."""
    found = credited(cards, ("PAIRE_UN_JOKER", 100), ("PAIRE_DEUX_JOKERS", 100), ("PAIRE_8", 100))
    assert (1_200, 0, 0) == (found["PAIRE_UN_JOKER"], found["PAIRE_DEUX_JOKERS"], found["PAIRE_8"])


def test_pa3_there_are_fifteen_pair_boxes() -> None:
    """PA3: thirteen values, one joker, two jokers."""
    boxes = [row.spot for row in board_of(given_poker().state).rows if row.spot.startswith("PAIRE_")]
    assert 15 == len(boxes)
    assert ["PAIRE_UN_JOKER", "PAIRE_DEUX_JOKERS"] == boxes[-2:]


def test_pa4_two_jokers_are_a_pair() -> None:
    """PA4: any pair wins on two jokers: 100 -> 1 600."""
    assert 1_600 == credited("JOKER JOKER 9C", ("TOUTE_PAIRE", 100))["TOUTE_PAIRE"]


@pytest.mark.parametrize(
    ("cards", "credit"),
    [
        ("9C 9T 4K", 0),
        ("9C 5T JOKER", 0),
        ("9C 6T 2K", 0),
        ("9C 2C 5C", 800),
        ("9C 8T 10K", 1_000),
        ("9C 9T 9K", 3_200),
        ("9C 8C 10C", 4_200),
    ],
)
def test_pa5_which_hands_win(cards: str, credit: int) -> None:
    """PA5: flush, straight, three of a kind and straight flush win; a pair loses. The best hand counts."""
    assert credit == credited(cards, ("MAIN", 200))["MAIN"]


@pytest.mark.parametrize("card", ["AC", "2K", "10P", "RT"])
def test_pa6_two_jokers_are_always_a_straight_flush(card: str) -> None:
    """PA6: both jokers are wild: 100 -> 2 100 with any third card."""
    assert 2_100 == credited(f"JOKER {card} JOKER", ("MAIN", 100))["MAIN"]


@pytest.mark.parametrize(
    ("cards", "hand"),
    [
        ("AC 2K 3P", "QUINTE"),
        ("DC RK AP", "QUINTE"),
        ("RC AK 2P", "RIEN"),
        ("RC AK JOKER", "QUINTE"),
        ("RC JOKER 2P", "PAIRE"),
        ("AC JOKER 3C", "QUINTE_FLUSH"),
    ],
)
def test_pa7_the_ace_is_low_or_high_but_never_between(cards: str, hand: str) -> None:
    """PA7: A-2-3 and D-R-A are straights, R-A-2 is not, nor is king and two with a joker."""
    assert hand == hand_of(cards.split())


def test_pa7_in_money() -> None:
    """PA7: on R A 2 the hand's 200 are lost, on A R D they become 1 000."""
    assert 0 == credited("RC AP 2K", ("MAIN", 200))["MAIN"]
    assert 1_000 == credited("AP RC DK", ("MAIN", 200))["MAIN"]


def test_pa8_only_neighbours_join() -> None:
    """PA8: R-JOKER is accepted, JOKER-A is refused: there is no way round."""
    table = given_poker().given_seated()
    table.given_wagers((1, "VALEUR_R-JOKER", 100))
    for spot in ("VALEUR_A-JOKER", "VALEUR_JOKER-A"):
        table.when(m.PlaceWager(spot=spot, amount=100), by=player())
        table.then_refused("wager.values_not_touching")


def test_pa8_two_rows() -> None:
    """PA8: two rows of seven join one above the other and four around a corner; no four in line, not 7 and 8."""
    table = given_poker(options={"value_rows": 2}).given_seated()
    table.given_wagers((1, "VALEUR_A-8", 100), (1, "VALEUR_6-7-R-JOKER", 100), (1, "VALEUR_9-10-V", 100))
    for spot in ("VALEUR_7-8", "VALEUR_2-3-4-5", "VALEUR_6-7-8"):
        table.when(m.PlaceWager(spot=spot, amount=100), by=player())
        table.then_refused("wager.values_not_touching")
    one_row = given_poker().given_seated().given_wagers((1, "VALEUR_7-8", 100), (1, "VALEUR_2-3-4-5", 100))
    for spot in ("VALEUR_A-8", "VALEUR_A-2-8-9"):
        one_row.when(m.PlaceWager(spot=spot, amount=100), by=player())
        one_row.then_refused("wager.values_not_touching")


@pytest.mark.parametrize(("first", "credit"), [("RC", 600), ("JOKER", 1_200), ("DC", 0)])
def test_pa9_a_joined_bet_with_the_joker(first: str, credit: int) -> None:
    """PA9: R-JOKER pays by the card that comes: a king 600, a joker 1 200."""
    assert {"VALEUR_R-JOKER": credit} == credited(f"{first} 5K 9T", ("VALEUR_R-JOKER", 100))


def test_pa10_options_live_without_the_main_bet() -> None:
    """PA10: black has lost 500, any pair still brings 3 200."""
    assert {"COULEUR_NOIR": 0, "TOUTE_PAIRE": 3_200} == credited(
        "9C 9T 4K", ("COULEUR_NOIR", 500), ("TOUTE_PAIRE", 200)
    )


def test_pa11_red_and_black_together() -> None:
    """PA11: 500 on each colour: a red card brings 1 000."""
    expected = {"COULEUR_ROUGE": 1_000, "COULEUR_NOIR": 0}
    assert expected == credited("5C 9T 4K", ("COULEUR_ROUGE", 500), ("COULEUR_NOIR", 500))


def test_pa12_every_coup_has_all_54_cards() -> None:
    """PA12: each coup asks for a new draw from the whole pack, so a card may come again at once."""
    table = given_poker().given_seated()
    for _ in range(2):
        table.given_wagers((1, "COULEUR_ROUGE", 100))
        given_coup(table, "7C", "7K", "JOKER")
    asked = table.only(m.DrawRequested)
    assert [(54, 53, 52, 51)] * 2 == [event.bounds for event in asked if isinstance(event, m.DrawRequested)]
    assert 2 == len({event.draw_id for event in asked if isinstance(event, m.DrawRequested)})


def test_pa12_half_of_the_cards_but_the_jokers_are_red() -> None:
    """PA12: the chance of red is 26/54 in every coup: an edge of 1/27 at 1 to 1."""
    assert all("1/27" == str(paytable.edges["COULEUR"]) for paytable in PAYTABLES.values())


def test_pa14_the_burnt_card_is_in_the_log_and_nowhere_else() -> None:
    """PA14: the burnt card is recorded in secret facts only, and stays off the board even after the coup."""
    table = given_poker().given_seated().given_wagers((1, "COULEUR_ROUGE", 100))
    given_turned(given_dealt(table, "7C", "7K", "9P", burnt="RT")).given(p.PayWinners(), by=CROUPIER)
    laid = p.CardsLaid(coup=1, burnt="RT", cards=("7C", "7K", "9P"))
    assert [laid] == table.only(p.CardsLaid)
    assert laid.secret
    assert not any("RT" in repr(event) for event in table.log if not event.secret)
    assert "RT" not in repr(board_of(table.state))


def test_pa15_a_pair_needs_no_matching_first_bet() -> None:
    """PA15: red has lost, the pair of nines still brings 21 100."""
    expected = {"COULEUR_ROUGE": 0, "PAIRE_9": 21_100}
    assert expected == credited("9T 9C 4K", ("COULEUR_ROUGE", 100), ("PAIRE_9", 100))
