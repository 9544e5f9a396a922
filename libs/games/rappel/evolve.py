"""How each fact of a game changes what Le Jeu du Rappel remembers. Nothing is computed that the event does not say."""

from typing import Any

from msgspec.structs import replace

from libs.games.rappel import messages as m
from libs.games.rappel.state import Entrant, RappelState
from libs.kernel.game import GameEvent


def evolve(state: RappelState, event: GameEvent) -> RappelState:
    """Return the state after a fact of the game."""
    match event:
        case m.GameStarted():
            entrants = {seat: Entrant() for seat in event.seats}
            return RappelState(coup=event.coup, stage="jet_1", base=event.base, entrants=entrants)
        case m.WordGiven():
            return replace(state, stage=event.stage, turn=event.seat)
        case m.RappelDeclined():
            return _said(state, event.seat, declined=True, out=event.out)
        case m.RappelTried():
            return _said(state, event.seat, tried=True)
        case m.FirstRolled() | m.RappelRolled() | m.SecondRolled() | m.DieCocked():
            return _dice(state, event)
        case m.BetsMatched():
            return replace(state, stage="jet_2", turn=None)
        case m.PotDecided():
            return replace(state, stage="over", turn=None, called=False, decided=event.decided)
        case _:
            return _bet(state, event)


def _dice(state: RappelState, event: m.FirstRolled | m.RappelRolled | m.SecondRolled | m.DieCocked) -> RappelState:
    """Apply what a die showed; one that did not lie flat is thrown again until it does."""
    match event:
        case m.DieCocked():
            return replace(state, cocked=event.seat)
        case m.FirstRolled():
            rolled = {seat: replace(state.entrants[seat], jet_1=roll) for seat, roll in event.rolls.items()}
            return replace(state, stage="rappel", cocked=None, entrants={**state.entrants, **rolled})
        case m.RappelRolled(made=made):
            after = _said(state, event.seat, rappel=event.roll, out=not made, spoken=made, raised=made)
            return replace(after, cocked=None, called=made)
        case m.SecondRolled():
            rolled = {seat: replace(state.entrants[seat], jet_2=roll) for seat, roll in event.rolls.items()}
            return replace(state, cocked=None, entrants={**state.entrants, **rolled})


def _bet(state: RappelState, event: GameEvent) -> RappelState:
    """Apply a word of the betting round."""
    match event:
        case m.Followed():
            after = _said(state, event.seat, spoken=True, bets=state.entrants[event.seat].bets + event.paid)
        case m.Raised():
            bets = state.entrants[event.seat].bets + event.paid
            after = _said(state, event.seat, spoken=True, raised=True, bets=bets)
        case m.Passed():
            after = _said(state, event.seat, spoken=True, out=True)
        case _:
            raise TypeError(f"not an event of the Rappel: {type(event).__name__}")
    return replace(after, last_spoke=event.seat)


def _said(state: RappelState, seat: int, **changes: Any) -> RappelState:
    """Return the state after a seat's word: nobody's turn until the next one is given."""
    entrants = {**state.entrants, seat: replace(state.entrants[seat], **changes)}
    return replace(state, entrants=entrants, turn=None, called=False)
