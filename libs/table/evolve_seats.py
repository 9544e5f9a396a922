"""How sitting down, leaving and cashing out change the state of a table."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from libs.kernel.messages import Event
from libs.table import messages as m
from libs.table.state import Seat, TableState


def _taken(state: TableState, event: m.SeatTaken) -> TableState:
    return replace(
        state,
        events=state.events + 1,
        seats={**state.seats, event.seat: Seat(event.player)},
        places={**state.places, event.player: event.seat},
    )


def _left(state: TableState, event: m.SeatLeft) -> TableState:
    return replace(
        state,
        events=state.events + 1,
        seats={seat: taken for seat, taken in state.seats.items() if seat != event.seat},
        places={player: seat for player, seat in state.places.items() if player != event.player},
    )


def _debited(state: TableState, event: m.SeatDebited) -> TableState:
    seat = Seat(event.player, event.credit_after, state.seats[event.seat].stakes)
    return replace(state, events=state.events + 1, seats={**state.seats, event.seat: seat})


APPLY: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    m.SeatTaken: _taken,
    m.SeatLeft: _left,
    m.SeatDebited: _debited,
}
