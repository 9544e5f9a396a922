"""Helpers for a Rampo table: rules.md's worked examples have minimum and chip 500 cents."""

from libs.games.rampo import messages as r
from libs.games.rampo.state import RampoState
from libs.table import messages as m
from libs.table import outcome_messages as o
from tests.kit.given import CROUPIER, DECISION_MS, GivenTable, opening, player

HOUSE, HOUSE_2, LETTER = "RAMPO-MAISON-1", "RAMPO-MAISON-2", "RAMPO-ARR-2014"
MINIMUM = 500
FLOAT = 30_000_000


def rampo_opening(paytable: str = HOUSE, **terms: object) -> m.OpenSession:
    """Return an order to open a Rampo table as in the worked examples."""
    wanted = {"game": "rampo", "minimum": MINIMUM, "seats": 8, "float_amount": FLOAT, "options": {}}
    return opening(paytable, **(wanted | terms))


def given_rampo(paytable: str = HOUSE, players: int = 2, credit: int = 100_000, **terms: object) -> GivenTable:
    """Return a Rampo table in an open session, with players 1 … n on seats 1 … n."""
    table = GivenTable().given_open(rampo_opening(paytable, **terms))
    for number in range(1, players + 1):
        table.given_seated(number, credit=credit)
    return table


def faces_of(number: int) -> tuple[int, int]:
    """Return two dice that show this number."""
    first = max(1, number - 6)
    return first, number - first


def thrown(table: GivenTable, number: int, close: bool = True) -> GivenTable:
    """Close betting and let this number be thrown, by the timer and the RNG, or by hand and console."""
    if close:
        table.given(m.CloseBetting(), by=CROUPIER)
    faces = faces_of(number)
    if table.state.awaited:
        (name,) = table.state.awaited
        table.given(o.RecordOutcome(name=name, faces=tuple(map(str, faces))), by=CROUPIER)
        return table.given(o.ConfirmOutcome(name=name), by=CROUPIER)
    if not table.state.draws:
        table.later(DECISION_MS)
    return table.given_drawn(*(face - 1 for face in faces))


def answered(table: GivenTable, *tries: tuple[int, bool]) -> GivenTable:
    """Let players answer the offer of the rampo."""
    for number, tried in tries:
        table.given(r.AnswerRampo(tries=tried), by=player(number))
    return table


def settlement(table: GivenTable) -> list[tuple[str, int, str, int]]:
    """Return the latest settlement as it was made: step, seat, spot, credit."""
    return [(line.step, line.seat, line.spot, line.credit) for line in table.last_settlement().wagers]


def game_of(table: GivenTable) -> RampoState:
    """Return what Rampo remembers."""
    assert isinstance(table.state.game_state, RampoState)
    return table.state.game_state


def given_trying(table: GivenTable, number: int, seat: int = 1, stake: int = 500) -> GivenTable:
    """Let a player win on a number and try the rampo with the stake."""
    table.given_wagers((seat, str(number), stake))
    return answered(thrown(table, number), (seat, True))
