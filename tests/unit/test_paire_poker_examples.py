"""The worked examples of rules.md section 4, played at a table of `PAIRE-MAISON-1` with m = 100 cents."""

import pytest

from tests.kit.given import money_is_conserved
from tests.kit.poker import credits_of, given_coup, given_poker

Wagers = dict[str, tuple[int, int]]

EXAMPLES: list[tuple[int, str, str, Wagers, int, int, int]] = [
    # number, cards, hand, spot -> (stake, credit), stakes, credit, net
    (
        1,
        "7C 7K 7P",
        "BRELAN",
        {
            "COULEUR_ROUGE": (500, 1_000),
            "VALEUR_7": (100, 1_200),
            "PAIRE_7": (100, 21_100),
            "TOUTE_PAIRE": (100, 1_600),
            "MAIN": (100, 1_600),
        },
        900,
        26_500,
        25_600,
    ),
    (
        2,
        "JOKER RP RT",
        "BRELAN",
        {
            "COULEUR_NOIR": (500, 0),
            "VALEUR_R-JOKER": (100, 1_200),
            "PAIRE_UN_JOKER": (100, 1_200),
            "TOUTE_PAIRE": (100, 0),
            "MAIN": (100, 1_600),
        },
        900,
        4_000,
        3_100,
    ),
    (
        3,
        "5C JOKER 7C",
        "QUINTE_FLUSH",
        {
            "COULEUR_ROUGE": (500, 1_000),
            "VALEUR_5-6-7-8": (100, 300),
            "PAIRE_5": (100, 0),
            "MAIN": (100, 2_100),
        },
        800,
        3_400,
        2_600,
    ),
    (
        4,
        "JOKER JOKER 2T",
        "QUINTE_FLUSH",
        {
            "VALEUR_JOKER": (100, 2_400),
            "PAIRE_DEUX_JOKERS": (100, 125_100),
            "PAIRE_UN_JOKER": (100, 0),
            "TOUTE_PAIRE": (100, 1_600),
            "MAIN": (100, 2_100),
        },
        500,
        131_200,
        130_700,
    ),
    (
        5,
        "AP RC DK",
        "QUINTE",
        {"COULEUR_NOIR": (1_000, 2_000), "VALEUR_A-2": (100, 600), "MAIN": (200, 1_000)},
        1_300,
        3_600,
        2_300,
    ),
    (
        6,
        "RC AP 2K",
        "RIEN",
        {"COULEUR_NOIR": (500, 0), "VALEUR_D-R-JOKER": (300, 1_200), "MAIN": (200, 0)},
        1_000,
        1_200,
        200,
    ),
    (
        7,
        "9C 9T 4K",
        "PAIRE",
        {"COULEUR_ROUGE": (500, 1_000), "PAIRE_9": (100, 21_100), "TOUTE_PAIRE": (200, 3_200), "MAIN": (200, 0)},
        1_000,
        25_300,
        24_300,
    ),
    (
        8,
        "4T 9C JOKER",
        "PAIRE",
        {"COULEUR_ROUGE": (500, 0), "VALEUR_2-3-4": (100, 400), "MAIN": (100, 0)},
        700,
        400,
        -300,
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"example-{example[0]}")
def test_example(example: tuple[int, str, str, Wagers, int, int, int]) -> None:
    """Each worked example pays, bet by bet and in all, what rules.md prints."""
    _, cards, hand, wagers, staked, credited, net = example
    table = given_poker().given_seated(1, credit=10_000)
    table.given_wagers(*((1, spot, stake) for spot, (stake, _) in wagers.items()))
    given_coup(table, *cards.split())
    assert {spot: credit for spot, (_, credit) in wagers.items()} == credits_of(table)
    assert f"{cards.replace(' ', '-')}:{hand}" == table.last_settlement().outcome
    (result,) = table.last_settlement().seats
    assert (staked, credited) == (result.staked, result.credited)
    assert 10_000 + net == table.credit()
    money_is_conserved(table)
