"""What may be said wrong at the Rappel (base stake 1 000 cents). JET 1 of the games is 2, 9, 14: A speaks first."""

from collections.abc import Callable

import msgspec

from libs.games.rappel import messages as r
from libs.kernel.messages import Command
from libs.table import messages as m
from tests.kit.given import COMMITTEE, CROUPIER, TECHNICIAN, GivenTable, player
from tests.kit.rappel import (
    command,
    first_game,
    given_entries,
    given_jet_1,
    given_meters,
    given_rappel,
    rappel_opening,
    seat_of,
)
from tests.kit.wrongs import Wrong

WORDS: list[Command] = [r.TryRappel(), r.Decline(), r.Follow(level=0), r.Raise(level=0), r.Pass()]
BETS = "A:declines B:declines C:declines"
"""The betting round begins."""
POOR = "B:declines C:declines"
"""The same when A's meter holds too little to be offered the rappel."""
MADE = "A:tries rolls:20 B:declines C:declines"
"""A's rappel has succeeded: B has the word and must match it."""


def prepared() -> GivenTable:
    """The technician has checked the dice."""
    return GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)


def entries(letters: str = "") -> GivenTable:
    """Entries are open; these players have entered."""
    table = given_rappel(2).given_wagers()
    for letter in letters:
        table.given(m.PlaceWager(spot="ENTREE", amount=2_000), by=player(seat_of(letter)))
    return table


def rolling(source: str = "rng") -> GivenTable:
    """The dice of JET 1 roll."""
    return given_entries(given_rappel(2, source=source)).given(m.CloseBetting(), by=CROUPIER)


def two_of_three() -> GivenTable:
    """A and B play, C sits there and looks on."""
    return given_jet_1(given_rappel(3), 2, 9, letters="AB")


def _terms(code: str, **terms: object) -> Wrong:
    return Wrong(code, prepared, msgspec.structs.replace(rappel_opening(), **terms), COMMITTEE)


def _entry(code: str, spot: str, amount: int, letters: str = "") -> Wrong:
    return Wrong(code, lambda: entries(letters), m.PlaceWager(spot=spot, amount=amount), player())


def _said(code: str, line: str, word: str, rolls: tuple[int, ...] = (2, 9, 14)) -> Wrong:
    """After a line of words, one more; the level that it names is right."""

    def given() -> GivenTable:
        return first_game(rolls, line)

    who, _, what = word.partition(":")
    return Wrong(code, given, command(given(), what), player(seat_of(who)))


def _level(level: int, word: type[r.Follow | r.Raise]) -> Wrong:
    return Wrong(
        "rappel.level_changed", lambda: first_game((2, 9, 14), f"{BETS} A:raises"), word(level=level), player(2)
    )


def _poor(code: str, credit: int, line: str, word: str) -> Wrong:
    """A, whose meter holds so much before the game, cannot pay for the word."""

    def given() -> GivenTable:
        table = given_jet_1(given_meters(credit, 1_000_000, 1_000_000), 2, 9, 14)
        for said in line.split():
            who, _, what = said.partition(":")
            table.given(command(table, what), by=player(seat_of(who)))
        return table

    return Wrong(code, given, command(given(), word), player())


def _each(code: str, given: Callable[[], GivenTable], number: int = 1, **changes: object) -> list[Wrong]:
    """Return the five words, changed, each of them wrong."""
    return [Wrong(code, given, msgspec.structs.replace(word, **changes), player(number)) for word in WORDS]


WRONG = [
    _terms("rappel.base_not_multiple_of_10", minimum=1_005),
    _terms("rappel.base_not_multiple_of_10", minimum=1),
    _terms("rappel.seats", seats=1),
    _terms("rappel.seats", seats=9),
    _terms("rappel.no_options", options={"bonus_stake": 10}),
    _entry("wager.entry_fixed", "ENTREE", 1_000),
    _entry("wager.entry_fixed", "ENTREE", 1_999),
    _entry("wager.entry_fixed", "ENTREE", 2_001),
    _entry("wager.entry_fixed", "ENTREE", 4_000),
    _entry("wager.entry_once", "ENTREE", 2_000, "A"),
    _entry("wager.not_at_entry", "RAPPEL", 3_000),
    _entry("wager.not_at_entry", "MISE", 1_000),
    _entry("wager.unknown_spot", "17", 2_000),
    *_each("rappel.no_game", lambda: given_rappel(2)),
    *_each("rappel.no_game", lambda: entries("AB")),
    *_each("rappel.not_in_game", two_of_three, 3),
    *_each("rappel.not_in_game", two_of_three, 9),
    *_each("rappel.other_coup", two_of_three, coup=2),
    Wrong("rappel.dice_rolling", rolling, r.TryRappel(), player()),
    Wrong("rappel.dice_rolling", rolling, r.Decline(), player()),
    _said("rappel.not_your_turn", "", "B:tries"),
    _said("rappel.not_your_turn", "", "B:declines"),
    _said("rappel.not_betting_round", "", "A:follows"),
    _said("rappel.not_betting_round", "", "A:raises"),
    _said("rappel.not_betting_round", "", "A:passes"),
    _said("rappel.once", "A:tries", "A:tries"),
    _said("rappel.dice_rolling", "A:tries", "A:declines"),
    _said("rappel.dice_rolling", "A:tries", "B:tries"),
    _said("rappel.once", "A:tries rolls:5", "A:tries"),
    _said("rappel.out", "A:tries rolls:5", "A:declines"),
    _said("rappel.declined", "A:declines", "A:tries"),
    _said("rappel.declined", BETS, "A:tries"),
    _said("rappel.natural_20", "", "B:tries", (2, 20)),
    _said("rappel.natural_20", "", "B:declines", (2, 20)),
    _said("rappel.not_rappel_time", "A:declines", "B:tries", (2, 20)),
    _said("rappel.not_your_turn", BETS, "B:follows"),
    _said("rappel.not_your_turn", BETS, "B:raises"),
    _said("rappel.not_your_turn", BETS, "B:passes"),
    _said("rappel.raise_once", f"{BETS} A:raises", "A:raises"),
    _said("rappel.raise_once", f"{BETS} A:raises B:raises C:follows", "A:raises"),
    _said("rappel.out", f"{BETS} A:passes", "A:follows"),
    _said("rappel.out", f"{BETS} A:passes", "A:raises"),
    _said("rappel.not_betting_round", f"{BETS} A:follows B:follows C:follows", "A:raises"),
    _said("rappel.not_betting_round", f"{BETS} A:follows B:follows C:follows", "A:passes"),
    _said("rappel.once", MADE, "A:tries"),
    _said("rappel.rappel_was_the_raise", MADE, "A:raises"),
    _said("rappel.not_your_turn", MADE, "A:passes"),
    *(_level(level, word) for level in (0, 999, 1_001, 2_000) for word in (r.Follow, r.Raise)),
    _poor("rappel.meter_too_low", 2_999, POOR, "raises"),
    _poor("rappel.meter_too_low", 2_999, f"{POOR} A:follows B:raises C:follows", "follows"),
    Wrong("rappel.no_real_dice", rolling, r.CallCocked(seat=1), CROUPIER),
    Wrong("rappel.die_not_rolling", lambda: rolling("console"), r.CallCocked(seat=3), CROUPIER),
    Wrong("rappel.other_coup", lambda: rolling("console"), r.CallCocked(seat=1, coup=2), CROUPIER),
    Wrong("rappel.no_game", lambda: given_rappel(2, source="console"), r.CallCocked(seat=1), CROUPIER),
]
