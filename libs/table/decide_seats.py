"""Sitting down, leaving, and the money of a seat: buy-ins that arrive, cash-outs that leave."""

from libs.kernel.accounts import player_account, seat_account
from libs.kernel.contracts.table import CreditSeat, SeatCredited, SeatCreditRefused
from libs.kernel.contracts.wallet import Leg
from libs.kernel.decider import Accepted, Already, Context, Decision
from libs.kernel.limits import MAX_CENTS, MAX_PLAYER_ID_CHARS
from libs.kernel.refusals import Refusal
from libs.table import allowances, refusals
from libs.table import messages as m
from libs.table.state import IN_SESSION, Seat, TableState, hosted
from libs.table.steps import Draft, take_steps

METER_CENTS = MAX_CENTS // 2
"""Most that buy-ins may bring a credit meter to, in cents: gains still fit into one posting."""


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


def credit_seat(state: TableState, command: CreditSeat, _: Context) -> Decision:
    """A buy-in arrives: credit the meter once per transfer. A refusal is recorded: it must never become a yes."""
    answer = state.credits.get(command.transfer_id)
    if answer is not None:
        return Already((answer,))
    refusal = _credit_refusal(state, command)
    if refusal is None:
        credited = SeatCredited(
            transfer_id=command.transfer_id,
            player=command.player,
            seat=command.seat,
            amount=command.amount,
            credit_after=state.seats[command.seat].credit + command.amount,
        )
        news = command.allowance is not None and allowances.is_news(state, command.player, command.allowance)
        if command.allowance is None or not news:
            return Accepted((credited,))
        return Accepted((credited, allowances.heard_now(state, command.player, command.allowance)))
    if state.session == 0:
        return refusal  # there is no stream yet that could record it
    refused = SeatCreditRefused(
        transfer_id=command.transfer_id,
        player=command.player,
        seat=command.seat,
        amount=command.amount,
        code=refusal.code,
    )
    return Accepted((refused,))


def _credit_refusal(state: TableState, command: CreditSeat) -> Refusal | None:
    if state.phase not in IN_SESSION:
        return refusals.NOT_OPEN
    seat: Seat | None = state.seats.get(command.seat)
    if seat is None or seat.player != command.player:
        return refusals.NOT_YOURS
    return refusals.METER_FULL if seat.credit + command.amount > METER_CENTS else None
