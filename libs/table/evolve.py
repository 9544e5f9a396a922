"""How each event changes the state of a table. Nothing is refused or computed here that the event does not say."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from libs.games import GAMES
from libs.kernel.accounts import float_account
from libs.kernel.contracts.wallet import Leg
from libs.kernel.game import GameEvent, Terms
from libs.kernel.limits import HISTORY_COUPS
from libs.kernel.messages import Event
from libs.table import allowances, buy_ins
from libs.table import interruption_messages as i
from libs.table import messages as m
from libs.table.evolve_outcome import APPLY as APPLY_OUTCOME
from libs.table.evolve_seats import APPLY as APPLY_SEATS
from libs.table.float import APPLY as APPLY_FLOAT
from libs.table.held_up import DrawHeldUp, held_up
from libs.table.results import SeatResult
from libs.table.seeds import APPLY as APPLY_SEEDS
from libs.table.state import NO_STAKES, Check, Owed, Past, Seat, TableState, WantedDraw, hosted

NOTHING_AWAITED: dict[str, Any] = {"draws": {}, "awaited": {}, "standing": ()}
"""What the beginning and the end of a coup leave of the outcomes that were awaited."""


def evolve(state: TableState, event: Event) -> TableState:
    """Return the state after an event."""
    apply = _APPLY.get(type(event))
    if apply is None:
        assert isinstance(event, GameEvent), f"not an event of a table: {type(event).__name__}"
        return _game_event(state, event)
    return apply(state, event)


# -- the session --------------------------------------------------------------------------------------------------
def _prepared(_: TableState, event: m.SessionPrepared) -> TableState:
    return TableState(
        table=event.table,
        pit=event.pit,
        session=event.session,
        events=1,
        phase="prepared",
        checks=(Check("technician", event.by),),
        credits={answer.transfer_id: answer for answer in event.credits},
        credits_from=event.credits_from,
        carried=event.carried,
        float_answer=event.float_answer,
        allowances=event.allowances,
    )


def _checked(state: TableState, event: m.EquipmentChecked) -> TableState:
    return replace(state, events=state.events + 1, checks=(*state.checks, Check(event.role, event.by)))


def _opened(state: TableState, event: m.SessionOpened) -> TableState:
    terms = Terms(
        game=event.game,
        rules_version=event.rules_version,
        paytable=event.paytable,
        gains=event.paytable_content,
        edges=event.edges,
        minimum=event.minimum,
        maxima=event.maxima,
        seats=event.seats,
        source=event.source,
        betting_ms=event.betting_ms,
        decision_ms=event.decision_ms,
        options=event.options,
        seeded=event.seeded,
    )
    prefix = f"{event.game}."
    carried = {key.removeprefix(prefix): value for key, value in state.carried.items() if key.startswith(prefix)}
    return replace(
        state,
        events=state.events + 1,
        phase="idle",
        terms=terms,
        game_state=GAMES[event.game].begin(carried),
        float_balance=event.float_amount,
    )


def _last_coups(state: TableState, event: m.LastCoupsAnnounced) -> TableState:
    return replace(state, events=state.events + 1, last_left=event.coups, last_after=state.coup)


def _closed(state: TableState, event: m.SessionClosed) -> TableState:
    return replace(
        state,
        events=state.events + 1,
        phase="closed",
        seats={},
        places={},
        due_ms=None,
        float_balance=0,
        **_owing(state, event.posting, "float_closed", event.legs),
    )


# -- the coup -----------------------------------------------------------------------------------------------------
def _betting_opened(state: TableState, event: m.BettingOpened) -> TableState:
    return replace(
        state,
        events=state.events + 1,
        phase="betting",
        coup=event.coup,
        due_ms=event.closes_at_ms,
        counts={},
        **NOTHING_AWAITED,
    )


def _wager_placed(state: TableState, event: m.WagerPlaced) -> TableState:
    seat = state.seats[event.seat]
    seats = state.seats.copy()
    seats[event.seat] = Seat(seat.player, event.credit_after, {**seat.stakes, event.spot: event.stake_after})
    if state.allowances:
        state = replace(state, allowances=allowances.after_stake(state, seat.player, event.amount))
    return replace(state, events=state.events + 1, seats=seats)


def _wager_taken_back(state: TableState, event: m.WagerTakenBack) -> TableState:
    seat = state.seats[event.seat]
    stakes = {spot: stake for spot, stake in seat.stakes.items() if spot != event.spot}
    seats = {**state.seats, event.seat: Seat(seat.player, event.credit_after, stakes)}
    if state.allowances:
        state = replace(state, allowances=allowances.after_stake(state, seat.player, -event.amount))
    return replace(state, events=state.events + 1, seats=seats)


def _betting_closed(state: TableState, event: m.BettingClosed) -> TableState:
    return replace(state, events=state.events + 1, phase="locked", due_ms=event.decision_due_ms)


def _draw_requested(state: TableState, event: m.DrawRequested) -> TableState:
    wanted = WantedDraw(event.name, event.bounds, event.sealed)
    return replace(state, events=state.events + 1, draws={**state.draws, event.draw_id: wanted})


def _draw_received(state: TableState, event: m.DrawReceived | m.SealedDrawReceived) -> TableState:
    draws = {draw: wanted for draw, wanted in state.draws.items() if draw != event.draw_id}
    return replace(state, events=state.events + 1, draws=draws)


def _game_event(state: TableState, event: GameEvent) -> TableState:
    game, _, game_state = hosted(state)
    # While betting is open its end stands; between coups nobody is awaited.
    due_ms = event.due_ms if state.phase == "locked" else state.due_ms
    return replace(state, events=state.events + 1, due_ms=due_ms, game_state=game.evolve(game_state, event))


def _settled(state: TableState, event: m.CoupSettled) -> TableState:
    table_float = float_account(state.table)
    staked = sum(seat.staked for seat in event.seats)
    return replace(
        state,
        events=state.events + 1,
        phase="settled",
        seats=_after_coup(state, event.seats),
        due_ms=None,
        history=_history(state, Past(event.coup, "settled", event.outcome)),
        last_left=event.last_coups_left,
        empty_coups=0 if staked or event.held else state.empty_coups + 1,
        handle=state.handle + staked,
        float_balance=state.float_balance + sum(leg.amount for leg in event.legs if leg.account == table_float),
        allowances=allowances.after_coup(state, void=False) if state.allowances else state.allowances,
        **NOTHING_AWAITED,
        **_owing(state, event.posting, "coup", event.legs),
    )


def _voided(state: TableState, event: m.CoupVoided) -> TableState:
    return replace(
        state,
        events=state.events + 1,
        phase="idle",
        seats=_after_coup(state, event.seats),
        due_ms=None,
        history=_history(state, Past(event.coup, "voided", event.code, event.reason)),
        empty_coups=state.empty_coups + 1 if event.unplayed else state.empty_coups,
        allowances=allowances.after_coup(state, void=True) if state.allowances else state.allowances,
        **NOTHING_AWAITED,
    )


def _interrupted(state: TableState, _: i.SessionInterrupted) -> TableState:
    return replace(state, events=state.events + 1)


def _released(state: TableState, event: i.StakesReleased) -> TableState:
    table_float = float_account(state.table)
    seats = dict(state.seats)
    for result in event.seats:
        seats[result.seat] = Seat(result.player, result.credit_after, seats[result.seat].stakes)
    return replace(
        state,
        events=state.events + 1,
        seats=seats,
        float_balance=state.float_balance + sum(leg.amount for leg in event.legs if leg.account == table_float),
        **_owing(state, event.posting, "release", event.legs),
    )


# -- postings -----------------------------------------------------------------------------------------------------
def _posting_due(state: TableState, event: m.PostingDue) -> TableState:
    return replace(state, events=state.events + 1, **_owing(state, event.number, event.reason, event.legs))


def _posting_confirmed(state: TableState, event: m.PostingConfirmed) -> TableState:
    owed = {number: posting for number, posting in state.owed.items() if number > event.number}
    return replace(state, events=state.events + 1, owed=owed)


# -- helpers ------------------------------------------------------------------------------------------------------
def _owing(state: TableState, number: int, reason: str, legs: tuple[Leg, ...]) -> dict[str, Any]:
    """Return the fields that a new posting changes; none when no money moved (number 0)."""
    if number == 0:
        return {}
    return {"postings": number, "owed": {**state.owed, number: Owed(reason, legs)}}


def _after_coup(state: TableState, results: tuple[SeatResult, ...]) -> dict[int, Seat]:
    """Return the seats with the meters that the coup left and no stakes."""
    seats = {seat: Seat(taken.player, taken.credit, NO_STAKES) for seat, taken in state.seats.items()}
    for result in results:
        seats[result.seat] = Seat(result.player, result.credit_after, NO_STAKES)
    return seats


def _history(state: TableState, past: Past) -> tuple[Past, ...]:
    return (past, *state.history)[:HISTORY_COUPS]


_APPLY: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    m.SessionPrepared: _prepared,
    m.EquipmentChecked: _checked,
    m.SessionOpened: _opened,
    m.LastCoupsAnnounced: _last_coups,
    m.SessionClosed: _closed,
    m.BettingOpened: _betting_opened,
    m.WagerPlaced: _wager_placed,
    m.WagerTakenBack: _wager_taken_back,
    m.BettingClosed: _betting_closed,
    m.DrawRequested: _draw_requested,
    m.DrawReceived: _draw_received,
    m.SealedDrawReceived: _draw_received,
    DrawHeldUp: held_up,
    m.CoupSettled: _settled,
    m.CoupVoided: _voided,
    i.SessionInterrupted: _interrupted,
    i.StakesReleased: _released,
    m.PostingDue: _posting_due,
    m.PostingConfirmed: _posting_confirmed,
    **APPLY_SEATS,
    **buy_ins.APPLY,
    **APPLY_OUTCOME,
    **APPLY_FLOAT,
    **APPLY_SEEDS,
    **allowances.APPLY,
}

TABLE_EVENTS: frozenset[type[Event]] = frozenset(_APPLY)
"""All events of a table that are not a game's."""
