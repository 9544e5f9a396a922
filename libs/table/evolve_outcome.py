"""How recorded outcomes change the state of a table."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from libs.kernel.messages import Event
from libs.table import outcome_messages as o
from libs.table.state import Awaited, Standing, TableState, hosted, staked


def _awaited(state: TableState, event: o.OutcomeAwaited) -> TableState:
    wanted = Awaited(event.name, event.bounds, event.due_ms, event.sealed, by_device=event.by == "device")
    return _with(state, wanted)


def _recorded(state: TableState, event: o.OutcomeRecorded | o.SealedOutcomeRecorded) -> TableState:
    return _with(state, replace(state.awaited[event.name], values=event.values, due_ms=event.due_ms))


def _confirmed(state: TableState, event: o.OutcomeConfirmed) -> TableState:
    others = _without(state, event.name)
    stands = Standing(
        outcome=state.awaited[event.name],
        game_state=hosted(state)[2],
        awaited=others,
        due_ms=state.due_ms,
        by=event.by,
        staked=staked(state),
    )
    return replace(state, events=state.events + 1, awaited=others, standing=(*state.standing, stands))


def _corrected(state: TableState, event: o.OutcomeCorrected) -> TableState:
    if event.name in state.awaited:
        return _with(state, replace(state.awaited[event.name], values=event.values, due_ms=event.due_ms))
    state, before = _gone_back(state, event.name, event.awaited_due_ms)
    return _with(state, replace(before, values=event.values, due_ms=event.due_ms))


def _manual(state: TableState, event: o.ManualEntryStarted) -> TableState:
    wanted = replace(state.awaited[event.name], values=None, by_device=False, manual=True, due_ms=event.due_ms)
    return _with(state, wanted)


def _withdrawn(state: TableState, event: o.OutcomeWithdrawn) -> TableState:
    return replace(state, events=state.events + 1, awaited=_without(state, event.name))


def _gone_back(state: TableState, name: str, due_ms: int) -> tuple[TableState, Awaited]:
    """Return the table as it was before the outcome was confirmed, and that outcome; `due_ms` is what others get."""
    place = next(number for number, stands in enumerate(state.standing) if stands.outcome.name == name)
    stands = state.standing[place]
    game, _terms, now = hosted(state)
    state = replace(
        state,
        game_state=game.go_back(stands.game_state, now),
        awaited={other: replace(wanted, due_ms=due_ms) for other, wanted in stands.awaited.items()},
        standing=state.standing[:place],
        due_ms=None if stands.due_ms is None else due_ms,
    )
    return state, stands.outcome


def _with(state: TableState, wanted: Awaited) -> TableState:
    return replace(state, events=state.events + 1, awaited={**state.awaited, wanted.name: wanted})


def _without(state: TableState, name: str) -> dict[str, Awaited]:
    return {other: wanted for other, wanted in state.awaited.items() if other != name}


APPLY: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    o.OutcomeAwaited: _awaited,
    o.OutcomeRecorded: _recorded,
    o.SealedOutcomeRecorded: _recorded,
    o.OutcomeConfirmed: _confirmed,
    o.OutcomeCorrected: _corrected,
    o.ManualEntryStarted: _manual,
    o.OutcomeWithdrawn: _withdrawn,
}
