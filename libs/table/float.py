"""The table's float between opening and closing: moves that the ledger asks for, and counts."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from libs.kernel.contracts.table import FloatMoved, FloatMoveRefused, MoveFloat
from libs.kernel.decider import Accepted, Already, Context, Decision, NotYet
from libs.kernel.messages import Event
from libs.kernel.refusals import Refusal
from libs.table import refusals
from libs.table.float_messages import CountFloat, FloatCounted
from libs.table.state import BETWEEN_COUPS, IN_SESSION, TableState


def move_float(state: TableState, command: MoveFloat, _: Context) -> Decision:
    """An approved fill or float credit arrives: made once. A refusal is recorded, so that it never becomes a yes."""
    last = state.float_answer
    if last is not None and command.number <= last.number:
        if command.number == last.number:
            return Already((last,))
        return NotYet(f"move {command.number} of this float was answered before {last.number}")
    refusal = _refusal(state, command.amount)
    number, request, amount = command.number, command.request, command.amount
    if refusal is None:
        after = state.float_balance + amount
        return Accepted((FloatMoved(number=number, request=request, amount=amount, float_after=after),))
    if state.session == 0:
        return refusal  # there is no stream yet that could record it
    return Accepted((FloatMoveRefused(number=number, request=request, amount=amount, code=refusal.code),))


def _refusal(state: TableState, amount: int) -> Refusal | None:
    if state.phase not in IN_SESSION:
        return refusals.NOT_OPEN
    return refusals.FLOAT_TOO_LOW if state.float_balance + amount < 0 else None


def count_float(state: TableState, command: CountFloat, context: Context) -> Decision:
    """Somebody has counted the float, between coups: while one runs, it is not known what will be paid from it."""
    if state.phase not in IN_SESSION:
        return refusals.NOT_OPEN
    if state.phase not in BETWEEN_COUPS:
        return refusals.COUP_RUNNING
    if state.counts.get(context.actor.id) == command.counted:
        return Already()
    counted = FloatCounted(
        counted=command.counted, expected=state.float_balance, by=context.actor.id, role=context.actor.role
    )
    return Accepted((counted,))


def _moved(state: TableState, event: FloatMoved) -> TableState:
    return replace(state, events=state.events + 1, float_balance=event.float_after, float_answer=event, counts={})


def _move_refused(state: TableState, event: FloatMoveRefused) -> TableState:
    return replace(state, events=state.events + 1, float_answer=event)


def _counted(state: TableState, event: FloatCounted) -> TableState:
    return replace(state, events=state.events + 1, counts={**state.counts, event.by: event.counted})


APPLY: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    FloatMoved: _moved,
    FloatMoveRefused: _move_refused,
    FloatCounted: _counted,
}
