"""Buy-ins that arrive at a table: chips for the credit meter, once for each, whatever comes late or twice.

Each part of the wallet counts its buy-ins at a table and says, with a new one, which is the oldest that still waits for
an answer. Answers are remembered from there on, in later sessions too; what stands before it is never credited again.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from libs.kernel.contracts.table import CreditSeat, SeatCredited, SeatCreditRefused
from libs.kernel.decider import Accepted, Already, Context, Decision, NotYet
from libs.kernel.limits import CREDITS_CARRIED, CREDITS_REMEMBERED, MAX_CENTS
from libs.kernel.messages import Event
from libs.kernel.refusals import Refusal
from libs.table import allowances, refusals
from libs.table.state import IN_SESSION, Seat, TableState

METER_CENTS = MAX_CENTS // 2
"""Most that buy-ins may bring a credit meter to, in cents: gains still fit into one posting."""

CreditAnswer = SeatCredited | SeatCreditRefused


def credit_seat(state: TableState, command: CreditSeat, _: Context) -> Decision:
    """A buy-in arrives: credit the meter once per transfer. A refusal is recorded: it must never become a yes."""
    answer = state.credits.get(command.transfer_id)
    if answer is not None:
        return Already((answer,))
    turn = command.turn
    if turn is not None and turn.number < state.credits_from.get(turn.part, 0):
        return NotYet(f"a late copy: {turn.part} has heard the answer to its buy-in {turn.number} here")
    refusal = _credit_refusal(state, command)
    if refusal is None:
        credited = SeatCredited(
            transfer_id=command.transfer_id,
            player=command.player,
            seat=command.seat,
            amount=command.amount,
            credit_after=state.seats[command.seat].credit + command.amount,
            turn=turn,
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
        turn=turn,
    )
    return Accepted((refused,))


def _credit_refusal(state: TableState, command: CreditSeat) -> Refusal | None:
    if state.phase not in IN_SESSION:
        return refusals.NOT_OPEN
    seat: Seat | None = state.seats.get(command.seat)
    if seat is None or seat.player != command.player:
        return refusals.NOT_YOURS
    return refusals.METER_FULL if seat.credit + command.amount > METER_CENTS else None


def answers_carried(state: TableState) -> tuple[CreditAnswer, ...]:
    """Return the answers that the next session must remember; of those to uncounted buy-ins the latest alone."""
    answers = list(state.credits.values())
    uncounted = [answer for answer in answers if answer.turn is None]
    return (*uncounted[-CREDITS_CARRIED:], *(answer for answer in answers if answer.turn is not None))


# -- how facts change it ------------------------------------------------------------------------------------------
def _credited(state: TableState, event: SeatCredited) -> TableState:
    seat = Seat(event.player, event.credit_after, state.seats[event.seat].stakes)
    return replace(_answered(state, event), seats={**state.seats, event.seat: seat})


def _answered(state: TableState, event: CreditAnswer) -> TableState:
    """Remember an answer, and forget what nobody can ask about any more."""
    answers, begin, turn = {**state.credits, event.transfer_id: event}, state.credits_from, event.turn
    if turn is not None and turn.oldest > begin.get(turn.part, 0):
        begin = {**begin, turn.part: turn.oldest}
        answers = {name: answer for name, answer in answers.items() if not _is_over(answer, begin)}
    elif turn is None:
        uncounted = [name for name, answer in answers.items() if answer.turn is None]
        for name in uncounted[:-CREDITS_REMEMBERED]:
            del answers[name]
    return replace(state, events=state.events + 1, credits=answers, credits_from=begin)


def _is_over(answer: CreditAnswer, begin: dict[str, int]) -> bool:
    turn = answer.turn
    return turn is not None and turn.number < begin.get(turn.part, 0)


APPLY: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    SeatCredited: _credited,
    SeatCreditRefused: _answered,
}
