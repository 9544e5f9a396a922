"""Sitting down, leaving, and chips that become account money again; those that come are in `buy_ins.py`."""

from libs.kernel.accounts import player_account, seat_account
from libs.kernel.contracts.wallet import Leg
from libs.kernel.decider import Accepted, Already, Context, Decision
from libs.kernel.limits import MAX_PLAYER_ID_CHARS
from libs.table import allowances, refusals
from libs.table import messages as m
from libs.table.state import IN_SESSION, TableState, hosted
from libs.table.steps import Draft, take_steps


def take_seat(state: TableState, command: m.TakeSeat, context: Context) -> Decision:
    """One player per station, one station per player (WA14)."""
    if state.phase not in IN_SESSION:
        return refusals.NOT_OPEN
    terms = hosted(state)[1]
    player = context.actor.id
    if command.seat > terms.seats:
        return refusals.no_such_seat(terms.seats)
    if len(player) > MAX_PLAYER_ID_CHARS:
        return refusals.PLAYER_ID_TOO_LONG
    if player in state.places:
        return Already() if state.places[player] == command.seat else refusals.ONE_SEAT_PER_PLAYER
    if command.seat in state.seats:
        return refusals.SEAT_TAKEN
    refusal = allowances.seat_refused(state, player)
    if refusal is not None:
        return refusal
    draft = Draft(state, context.now_ms)
    draft.add(m.SeatTaken(seat=command.seat, player=player))
    take_steps(draft, hosted(state)[0].on_seated(draft.round(), command.seat))
    return draft.accepted()


def leave_seat(state: TableState, _: m.LeaveSeat, context: Context) -> Decision:
    """Leave with all chips, when no stake is down."""
    number = state.places.get(context.actor.id)
    if number is None:
        return refusals.NOT_SEATED
    seat = state.seats[number]
    game, _terms, game_state = hosted(state)
    if seat.stakes or game.held(game_state, number):
        return refusals.STAKE_DOWN
    draft = Draft(state, context.now_ms)
    if seat.credit:
        for event in _cashed_out(state, number, seat.credit):
            draft.add(event)
    draft.add(m.SeatLeft(seat=number, player=seat.player))
    take_steps(draft, game.on_left(draft.round(), number))
    return draft.accepted()


def cash_out(state: TableState, command: m.CashOut, context: Context) -> Decision:
    """Turn chips of the meter into account money; stakes that are down stay down."""
    number = state.places.get(context.actor.id)
    if number is None:
        return refusals.NOT_SEATED
    credit = state.seats[number].credit
    if command.amount > credit:
        return refusals.credit_too_low(credit)
    return Accepted(_cashed_out(state, number, command.amount))


def _cashed_out(state: TableState, number: int, amount: int) -> tuple[m.SeatDebited, m.PostingDue]:
    seat = state.seats[number]
    legs = (Leg(seat_account(state.table, number), -amount), Leg(player_account(seat.player), amount))
    debited = m.SeatDebited(seat=number, player=seat.player, amount=amount, credit_after=seat.credit - amount)
    return debited, m.PostingDue(number=state.postings + 1, reason="cash_out", legs=legs)
