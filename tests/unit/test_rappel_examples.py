"""The worked examples of rules.md section 5, played at a table: pot, payments, credits and bank as printed."""

import msgspec
import pytest

from libs.games.rappel import messages as r
from libs.table.results import Settled
from tests.kit.given import GivenTable, folds, money_is_conserved
from tests.kit.rappel import bank, credited, first_game, paid


def decided(table: GivenTable) -> r.PotDecided:
    """Return the verdict on the session's only game."""
    (event,) = table.only(r.PotDecided)
    assert isinstance(event, r.PotDecided)
    return event


class Example(msgspec.Struct, frozen=True):
    """A row of the table of worked examples, and the words that lead to it."""

    number: int
    base: int
    jet_1: tuple[int, ...]
    line: str
    pot: int
    paid: list[int]
    credits: list[int]
    bank: int


EXAMPLES = [
    Example(
        1,
        100_000,
        (7, 12, 3, 18, 15),
        "C:declines A:declines B:declines E:declines D:declines"
        " C:follows A:follows B:follows E:follows D:follows rolls:8,9,6,11,10",
        500_000,
        [200_000] * 5,
        [0, 0, 0, 450_000, 0],
        550_000,
    ),
    Example(
        2,
        1_000,
        (1, 20, 8, 15, 4),
        "A:declines E:declines C:declines D:declines"
        " E:follows C:raises D:follows B:raises E:passes C:follows D:follows rolls:11,8,10",
        11_000,
        [2_000, 4_000, 4_000, 4_000, 2_000],
        [0, 9_900, 0, 0, 0],
        6_100,
    ),
    Example(
        3,
        1_000,
        (1, 9, 14),
        "A:tries rolls:20 B:declines C:declines B:passes C:follows rolls:13,7",
        9_000,
        [5_000, 2_000, 5_000],
        [8_100, 0, 0],
        3_900,
    ),
    Example(
        4,
        1_000,
        (1, 9, 14),
        "A:tries rolls:12 B:declines C:declines B:follows C:follows rolls:5,7",
        6_000,
        [5_000, 2_000, 2_000],
        [0, 0, 5_400],
        3_600,
    ),
    Example(
        5,
        1_000,
        (20, 5, 9),
        "B:declines C:declines B:follows C:follows A:follows rolls:20,6,8",
        3_000,
        [2_000, 2_000, 2_000],
        [6_000, 0, 0],
        0,
    ),
    Example(
        6,
        1_000,
        (6, 9, 14),
        "A:tries rolls:20 B:declines C:declines B:follows C:follows rolls:20,8,10",
        12_000,
        [5_000, 5_000, 5_000],
        [15_000, 0, 0],
        0,
    ),
    Example(
        7,
        250,
        (5, 5, 3),
        "C:declines A:declines B:declines C:follows A:follows B:follows rolls:4,4,2",
        750,
        [500, 500, 500],
        [338, 337, 0],
        825,
    ),
    Example(
        8,
        1_000,
        (2, 7, 12),
        "A:declines B:declines C:declines A:follows B:follows C:follows rolls:1,1,1",
        3_000,
        [2_000, 2_000, 2_000],
        [0, 0, 0],
        6_000,
    ),
    Example(9, 1_000, (1, 1, 8), "A:declines B:declines", 3_000, [2_000, 2_000, 2_000], [0, 0, 2_700], 3_300),
    Example(10, 1_000, (1, 1), "A:tries rolls:5 B:declines", 4_000, [4_000, 2_000], [0, 0], 6_000),
    Example(
        11,
        1_000,
        (20, 20, 4),
        "C:declines C:follows A:follows B:follows rolls:20,20,6",
        3_000,
        [2_000, 2_000, 2_000],
        [3_000, 3_000, 0],
        0,
    ),
    Example(
        12,
        1_000,
        (4, 9, 14),
        "A:declines B:declines C:declines A:raises B:passes C:passes",
        4_000,
        [3_000, 2_000, 2_000],
        [3_600, 0, 0],
        3_400,
    ),
    Example(
        13,
        1_000,
        (2, 3, 9),
        "A:tries rolls:20 B:tries rolls:20 C:declines C:follows rolls:9,15,8",
        12_000,
        [5_000, 5_000, 5_000],
        [0, 10_800, 0],
        4_200,
    ),
    Example(
        14,
        1_000,
        (3, 7, 12, 14, 18),
        "A:declines B:declines C:declines D:declines E:declines"
        " A:raises B:raises C:raises D:raises E:raises A:follows B:follows C:follows D:follows rolls:6,8,10,10,12",
        30_000,
        [7_000] * 5,
        [0, 0, 0, 0, 27_000],
        8_000,
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"example-{example.number}")
def test_example(example: Example) -> None:
    """Each worked example has the pot, the payments, the credits and the bank that rules.md prints."""
    table = first_game(example.jet_1, example.line, example.base)
    assert "settled" == table.state.phase
    verdict = decided(table)
    assert (example.pot, example.bank) == (verdict.pot, verdict.bank)
    assert example.paid == paid(table)
    assert example.credits == credited(table)
    assert example.bank == bank(table)
    assert example.pot + verdict.fees == sum(example.credits) + example.bank
    money_is_conserved(table)
    assert msgspec.json.encode(table.state) == msgspec.json.encode(folds(table.log))


def test_all_fourteen_are_there() -> None:
    """No example of rules.md is left out."""
    assert list(range(1, 15)) == [example.number for example in EXAMPLES]


def test_fee_ante_rappel_and_bets_are_lines_of_their_own() -> None:
    """Example 3 in the log: 2 000 of entry each, A's rappel of 3 000, C's call of 3 000; fees 3 000 and rake 900."""
    settled = first_game((1, 9, 14), EXAMPLES[2].line).last_settlement()
    assert "WIN:1:13" == settled.outcome
    assert (
        Settled(1, "ENTREE", 2_000, 8_100),
        Settled(1, "RAPPEL", 3_000, 0),
        Settled(2, "ENTREE", 2_000, 0),
        Settled(3, "ENTREE", 2_000, 0),
        Settled(3, "MISE", 3_000, 0),
    ) == settled.wagers
    assert {"seat:T1:1": 3_100, "seat:T1:2": -2_000, "seat:T1:3": -5_000, "house:rake": 900, "house:entry": 3_000} == {
        leg.account: leg.amount for leg in settled.legs
    }
