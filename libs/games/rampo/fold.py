"""How each fact of Rampo changes what the game remembers. Nothing is refused or computed here."""

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from libs.games.rampo import messages as m
from libs.games.rampo.state import RampoState, Throw, throw_of
from libs.kernel.game import GameEvent

V = TypeVar("V")


def evolve(state: RampoState, event: GameEvent) -> RampoState:
    """Apply a fact of Rampo."""
    match event:
        case m.ColourGiven(seat=seat, colour=colour, chip_value=value):
            return replace(state, colours={**state.colours, seat: colour}, chips={**state.chips, seat: value})
        case m.ColourReturned(seat=seat):
            # Whoever sits down here next has not refused the dice.
            throw = replace(state.throw, out=tuple(other for other in state.throw.out if other != seat))
            colours, chips = _without(state.colours, seat), _without(state.chips, seat)
            return replace(state, colours=colours, chips=chips, throw=throw)
        case m.ChipValueSet(seat=seat, chip_value=value):
            return replace(state, chips={**state.chips, seat: value})
        case m.ZoneSet(number=number, stakes=stakes):
            return replace(state, zone_number=number, zone=stakes)
        case m.DiceOffered() | m.ShooterRemoved() | m.DiceChanged() | m.DiceRefused() | m.ThrowAnnulled():
            return _dice(state, throw_of(state, event.coup), event)
        case _:
            return replace(state, throw=_throw(throw_of(state, event.coup), event))


def _dice(state: RampoState, throw: Throw, event: GameEvent) -> RampoState:
    match event:
        case m.DiceOffered(seat=seat, why=why):
            said = "les_des_changent_de_main" if why == "seven" else throw.said
            after = state.after if state.shooter is None else state.shooter
            throw = replace(throw, said=said)
            return replace(state, shooter=seat, after=after, irregular_throws=0, throw=throw)
        case m.DiceRefused(seat=seat):
            return replace(state, throw=replace(throw, out=(*throw.out, seat)))
        case m.ShooterRemoved(seat=seat):
            said_and_out = replace(throw, out=(*throw.out, seat), said="les_des_changent_de_main")
            return replace(state, throw=said_and_out)
        case m.DiceChanged(pair=pair, why=why):
            said = "les_des_changent" if why == "asked" else throw.said
            return replace(state, pair=pair, throw=replace(throw, said=said))
        case m.ThrowAnnulled(throw=number):
            throw = replace(throw, number_of_throw=number + 1, said="coup_nul")
            return replace(state, irregular_throws=state.irregular_throws + 1, throw=throw)
        case _:
            return state


def _throw(throw: Throw, event: GameEvent) -> Throw:
    match event:
        case m.DiceThrown():
            return replace(throw, thrown=True, said="")
        case m.NumberThrown(faces=faces, number=number, rampo=rampo):
            return replace(throw, faces=faces, number=number, rampo=rampo, said="")
        case m.RampoOffered(seats=seats):
            return replace(throw, offered=seats)
        case m.RampoAnswered(seat=seat, tries=tries):
            return replace(throw, answers={**throw.answers, seat: tries})
        case _:
            return throw


def _without(of_seats: Mapping[int, V], seat: int) -> dict[int, V]:
    return {other: value for other, value in of_seats.items() if other != seat}


def go_back(then: RampoState, now: RampoState) -> RampoState:
    """A correction undoes what followed from a throw; who has come, gone or moved the marker since is no part of it."""
    return replace(then, colours=now.colours, chips=now.chips)


def begin(_: Mapping[str, int]) -> RampoState:
    """Start a session: nobody has chips or dice."""
    return RampoState()


def carry(_: RampoState) -> dict[str, int]:
    """Nothing lasts from one session to the next."""
    return {}
