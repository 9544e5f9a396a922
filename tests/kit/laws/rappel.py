"""What must hold at a table of the Rappel."""

from collections.abc import Sequence

from libs.games.rappel import messages as r
from libs.games.rappel.state import RappelState
from libs.kernel.messages import Event
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import Board
from tests.kit.given import GivenTable


def laws(table: GivenTable, board: Board) -> None:
    """Fees and pot are what lies on the table, verdicts share them out, words are few, no die is shown too early."""
    state, game = table.state, table.state.game_state
    assert isinstance(game, RappelState)
    if state.phase == "locked":
        staked = sum(sum(seat.stakes.values()) for seat in state.seats.values())
        assert game.fees + game.pot == staked
    events = table.of_coup()
    verdict(events)
    few_words(events)
    rolled = {type(event) for event in events}
    for fact in board.facts:
        assert not fact.endswith("_jet_1") or r.FirstRolled in rolled
        assert not fact.endswith("_rappel") or r.RappelRolled in rolled
        assert not fact.endswith("_jet_2") or r.SecondRolled in rolled
    shown = {die.roll.code for one in board.carpet.contenders for die in one.dice if die.roll is not None and die.face}
    rolls = {"jet_1": r.FirstRolled, "rappel": r.RappelRolled, "jet_2": r.SecondRolled}
    assert shown <= {name for name, event in rolls.items() if event in rolled}
    if board.carpet.pot is not None:
        assert board.carpet.pot.amount == sum(one.staked for one in board.carpet.contenders)


def verdict(events: Sequence[Event]) -> None:
    """Of a game: credits + bank = pot + fees; the rake is a tenth of the pot; a double rappel has none."""
    for event in events:
        match event:
            case r.PotDecided(decided=decided, pot=pot, fees=fees, rake=rake, credits=credits_, bank=bank):
                assert pot + fees == sum(credits_.values()) + bank
                assert rake == (pot // 10 if decided in {"win", "tie", "lone"} else 0)
                assert (bank == 0) == (decided == "double")
            case m.CoupSettled(legs=legs, seats=seats):
                house = [leg.amount for leg in legs if not leg.account.startswith("seat:")]
                assert sum(house) == sum(result.staked - result.credited for result in seats)
                assert all(amount > 0 for amount in house)
            case _:
                pass


def few_words(events: Sequence[Event]) -> None:
    """Of a game: an answer to the rappel and one in the bets each, and one more for each raise of another."""
    words = sum(isinstance(event, r.WordGiven) for event in events)
    corrections = sum(isinstance(event, o.OutcomeCorrected) for event in events)
    players = max((len(event.seats) for event in events if isinstance(event, r.GameStarted)), default=0)
    assert words <= (2 * players + players**2) * (1 + corrections)
