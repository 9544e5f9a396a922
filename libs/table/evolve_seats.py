"""How sitting down, leaving and the money of a seat change the state of a table."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from libs.kernel.contracts.table import SeatCredited, SeatCreditRefused
from libs.kernel.limits import CREDITS_REMEMBERED
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


def _credited(state: TableState, event: SeatCredited) -> TableState:
    seat = Seat(event.player, event.credit_after, state.seats[event.seat].stakes)
    return replace(
        state,
        events=state.events + 1,
        seats={**state.seats, event.seat: seat},
        credits=_remembered(state, event),
    )


def _credit_refused(state: TableState, event: SeatCreditRefused) -> TableState:
    return replace(state, events=state.events + 1, credits=_remembered(state, event))


def _debited(state: TableState, event: m.SeatDebited) -> TableState:
    seat = Seat(event.player, event.credit_after, state.seats[event.seat].stakes)
    return replace(state, events=state.events + 1, seats={**state.seats, event.seat: seat})


def _remembered(
    state: TableState, answer: SeatCredited | SeatCreditRefused
) -> dict[str, SeatCredited | SeatCreditRefused]:
    """Return the answers to buy-ins with a new one; the oldest is forgotten when there are too many."""
    credits_ = {**state.credits, answer.transfer_id: answer}
    if len(credits_) > CREDITS_REMEMBERED:
        del credits_[next(iter(credits_))]
    return credits_


APPLY: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    m.SeatTaken: _taken,
    m.SeatLeft: _left,
    SeatCredited: _credited,
    SeatCreditRefused: _credit_refused,
    m.SeatDebited: _debited,
}
