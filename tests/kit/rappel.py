"""Le Jeu du Rappel in a few words: seats are A, B, C … in order (seat 1, 2, 3 …), a game is a line of words.

play(table, "A:declines B:tries rolls:20 C:follows A:follows rolls:13,7")

`rolls` answers the dice that are awaited, in seat order; `waits` lets the time of a word run out.
"""

from libs.games.rappel import messages as r
from libs.games.rappel.state import RappelState
from libs.kernel.messages import Command
from libs.table import messages as m
from libs.table import outcome_messages as o
from tests.kit.given import CROUPIER, DECISION_MS, DEVICE, GivenTable, opening, player

LETTERS = "ABCDEFGH"
BASE = 1_000
CREDIT = 1_000_000
FLOAT = 500_000


def rappel_opening(base: int = BASE, **terms: object) -> m.OpenSession:
    """Return an order to open a table of the Rappel."""
    wanted: dict[str, object] = {"game": "rappel", "minimum": base, "seats": 8, "options": {}, "float_amount": FLOAT}
    return opening("RAPPEL-AFFICHE", **(wanted | terms))


def given_rappel(players: int, base: int = BASE, **terms: object) -> GivenTable:
    """Return a table with so many players in the first seats, each with much on the meter."""
    return given_meters(*[CREDIT] * players, base=base, **terms)


def given_meters(*amounts: int, base: int = BASE, **terms: object) -> GivenTable:
    """Return a table with players in the first seats, with these amounts on their meters."""
    table = GivenTable().given_open(rappel_opening(base, **terms))
    for number, credit in enumerate(amounts, start=1):
        table.given_seated(number, credit=credit)
    return table


def given_entries(table: GivenTable, letters: str = "") -> GivenTable:
    """Open a game and let players (all that sit, or those named) pay their entry."""
    cost = 2 * minimum(table)
    seats = [seat_of(letter) for letter in letters] or list(table.state.seats)
    return table.given_wagers(*((seat, "ENTREE", cost) for seat in seats))


def given_jet_1(table: GivenTable, *rolls: int, letters: str = "") -> GivenTable:
    """Play the beginning of a game: entries, and JET 1 of all who entered, in seat order."""
    given_entries(table, letters).given(m.CloseBetting(), by=CROUPIER)
    return given_rolls(table, *rolls)


def given_rolls(table: GivenTable, *rolls: int) -> GivenTable:
    """Let the dice show these faces: drawn by the RNG, or real dice read by a device and confirmed by the staff."""
    if table.state.awaited:
        (name,) = table.state.awaited
        table.given(o.RecordOutcome(name=name, faces=tuple(map(str, rolls))), by=DEVICE)
        return table.given(o.ConfirmOutcome(name=name), by=CROUPIER)
    return table.given_drawn(*(roll - 1 for roll in rolls))


def play(table: GivenTable, line: str) -> GivenTable:
    """Play a line of words; each must be accepted."""
    for word in line.split():
        who, _, what = word.partition(":")
        if who == "rolls":
            given_rolls(table, *map(int, what.split(",")))
        elif who == "waits":
            table.later(DECISION_MS)
        else:
            table.given(command(table, what), by=player(seat_of(who)))
    return table


def say(table: GivenTable, word: str) -> GivenTable:
    """Say one word that may be refused."""
    who, _, what = word.partition(":")
    table.when(command(table, what), by=player(seat_of(who)))
    return table


def command(table: GivenTable, what: str) -> Command:
    """Return the command of a word; calls and raises name the level as the table has it."""
    match what:
        case "tries":
            return r.TryRappel()
        case "declines":
            return r.Decline()
        case "follows":
            return r.Follow(level=game(table).level)
        case "raises":
            return r.Raise(level=game(table).level)
        case "passes":
            return r.Pass()
        case _:
            raise ValueError(f"no such word: {what}")


def game(table: GivenTable) -> RappelState:
    """Return what the game remembers."""
    assert isinstance(table.state.game_state, RappelState)
    return table.state.game_state


def minimum(table: GivenTable) -> int:
    """Return the base stake of the session."""
    assert table.state.terms is not None
    return table.state.terms.minimum


def seat_of(letter: str) -> int:
    """Return the seat (and player number) of a letter."""
    return LETTERS.index(letter) + 1


def meters(table: GivenTable) -> list[int]:
    """Return all credit meters, in seat order."""
    return [seat.credit for _, seat in sorted(table.state.seats.items())]


def paid(table: GivenTable) -> list[int]:
    """Return what each player of the last game has paid, in seat order."""
    return [result.staked for result in table.last_settlement().seats]


def credited(table: GivenTable) -> list[int]:
    """Return what each player of the last game got back, in seat order."""
    return [result.credited for result in table.last_settlement().seats]


def bank(table: GivenTable) -> int:
    """Return what the house has gained in this session: float, rake and entry fees."""
    gained = table.state.float_balance - FLOAT
    return gained + table.balances.get("house:rake", 0) + table.balances.get("house:entry", 0)


def turn(table: GivenTable) -> str:
    """Return the letter of the player whose word it is; empty when it is nobody's."""
    seat = game(table).turn
    return LETTERS[seat - 1] if seat else ""


def first_game(jet_1: tuple[int, ...], line: str = "", base: int = BASE) -> GivenTable:
    """Return a table after JET 1 of its first game and a line of words."""
    return play(given_jet_1(given_rappel(len(jet_1), base), *jet_1), line)
