"""Worked examples of the duel and its golden sessions, for `tests/house/test_games.py`.

They are copied into a house of its own that has the duel as a fifth game: as `tests/unit/test_duel_examples.py`, which
also records the golden sessions when it is run as a program.
"""

import msgspec

from libs.games import GAMES
from libs.kernel.contracts.wallet import Leg
from libs.kernel.limits import DEVICE_REPORT_MS
from libs.kernel.messages import tag_of
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import board_of
from libs.table.decider import DECIDER
from tests.golden.recording import write
from tests.kit.given import (
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    DEVICE,
    PIT_BOSS,
    GivenTable,
    folds,
    money_is_conserved,
    opening,
    player,
)


def given_duel(**terms: object) -> GivenTable:
    """Return a table of the duel with two players."""
    table = GivenTable().given_open(opening("DUEL", game="duel", options={}, **terms))
    return table.given_seated(1, credit=1_000).given_seated(2, credit=1_000)


def given_cards(table: GivenTable, *cards: int) -> None:
    """Let everybody stake and the cards lie face down."""
    table.given_wagers(*((number + 1, "POT", 100) for number in range(len(cards))))
    table.given(m.CloseBetting(), by=CROUPIER)
    table.given_drawn(*cards)


def hidden_until_shown(table: GivenTable) -> None:
    """Nothing public has said a card: neither an event for the feed nor the board."""
    public = [event for event in table.log if not event.secret]
    assert not any(type(event).__name__ in {"CardShown", "DrawReceived"} for event in public)
    assert {} == board_of(table.state).facts
    assert "decision" == board_of(table.state).phase


def played_with_a_tie() -> GivenTable:
    """Two coups: a tie whose pot waits, with a raise; then a winner by time-out who takes both pots less the rake."""
    words = {tag_of(kind): kind for kind in GAMES["duel"].roles}
    raises, stays = words["duel.Raise"](), words["duel.Stay"]()
    table = given_duel()
    given_cards(table, 7, 7)
    hidden_until_shown(table)
    table.given(raises, by=player(1))
    table.when(raises, by=player(1))
    table.then_already()
    table.given(stays, by=player(2))
    assert (800, 900) == (table.credit(1), table.credit(2))
    table.when(m.LeaveSeat(), by=player(1))
    table.then_refused("seat.stake_down")
    given_cards(table, 3, 9)
    table.later(DECISION_MS)
    return table


def test_a_tie_waits_and_the_winner_takes_both_pots() -> None:
    """The pot less a tenth goes to the higher card; every cent is accounted for, and the log folds to the table."""
    table = played_with_a_tie()
    assert (700, 1_250) == (table.credit(1), table.credit(2))
    settled = table.last_settlement()
    legs = (Leg("seat:T1:1", -100), Leg("seat:T1:2", 350), Leg("float:T1", -300), Leg("house:rake", 50))
    assert legs == settled.legs, settled.legs
    assert 500_000 == table.state.float_balance
    money_is_conserved(table)
    table.given(m.LeaveSeat(), by=player(1)).given(m.LeaveSeat(), by=player(2)).given(m.CloseSession(), by=COMMITTEE)
    money_is_conserved(table)
    assert 50 == table.balances["house:rake"]
    assert msgspec.json.encode(table.state) == msgspec.json.encode(folds(table.log))
    assert set(GAMES["duel"].roles) < DECIDER.commands


def dealt(table: GivenTable, *faces: str) -> o.RecordOutcome:
    """Let everybody stake; return what the device says of the cards."""
    table.given_wagers((1, "POT", 100), (2, "POT", 100)).given(m.CloseBetting(), by=CROUPIER)
    return o.RecordOutcome(name="cards", faces=faces or None)


def dealt_by_a_device() -> GivenTable:
    """A device deals: its report is secret and stands at once; what it says later voids; silence voids."""
    table = given_duel(source="device")
    table.given(dealt(table, "8", "8"), by=DEVICE)
    hidden_until_shown(table)
    assert () == board_of(table.state).awaited
    table.when(o.RecordOutcome(name="cards", faces=("8", "8")), by=DEVICE)
    table.then_already()
    table.when(o.CorrectOutcome(name="cards", faces=("8", "9"), reason="x"), by=PIT_BOSS)
    table.then_refused("outcome.sealed")
    table.given(o.RecordOutcome(name="cards", faces=("8", "9")), by=DEVICE)
    table.given(dealt(table), by=DEVICE)
    dealt(table)
    assert () == board_of(table.state).awaited[0].recorded
    table.later(DEVICE_REPORT_MS)
    return table


def test_a_device_that_deals_keeps_its_secrets() -> None:
    """All three coups are void, and every stake is back."""
    table = dealt_by_a_device()
    assert ["outcome.device_failed"] * 3 == [past.code for past in table.state.history]
    assert (1_000, 1_000) == (table.credit(1), table.credit(2))
    money_is_conserved(table)


if __name__ == "__main__":
    write("duel", "0001-a-tie.jsonl", played_with_a_tie())
    write("duel", "0002-dealt-by-a-device.jsonl", dealt_by_a_device())
