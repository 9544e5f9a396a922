"""Refusals of money, remembered like transfers: once no, always no, whatever the balance is by then (law 4).

A refusal changes no account, but it is a fact: it is in the log, is remembered by the date of its id, goes on from day
to day with the transfers, and is found in the log later. A no to the id alone (undated, too old) needs no memory.

Refusals cost nothing to ask for, so there is an end: when a speaker has been refused too often under ids of one date,
every further new id of that date is refused undecided, which needs no memory either.
"""

from typing import get_args

from libs.kernel import buckets
from libs.kernel.contracts.wallet_refusals import MoneyCommand, TransferRefused, wish_of
from libs.kernel.days import days_before
from libs.kernel.decider import Context, Decision, NotYet, Refused
from libs.kernel.ids import date_of
from libs.kernel.limits import REFUSALS_PER_DATE, REFUSED_DAYS_AHEAD
from libs.kernel.messages import Command
from libs.kernel.refusals import Refusal
from libs.ledger import refusals
from libs.ledger.state import LedgerState

_KINDS: tuple[type[Command], ...] = get_args(MoneyCommand)


def refused_before(state: LedgerState, command: Command, context: Context) -> Decision | None:
    """Return the no that a wish has had, or must have undecided; None for one that is to be decided."""
    if not isinstance(command, _KINDS):
        return None
    known = buckets.find(state.transfers, context.command_id)
    if known is not None:
        made = known.event
        if not isinstance(made, TransferRefused):
            return None
        return Refusal(made.code, made.fr, made.en) if made.wish == wish_of(command) else refusals.CONFLICT
    dated = date_of(context.command_id)
    if dated is None or dated < state.remembers_from:
        return None
    if dated > days_before(context.now_ms, -REFUSED_DAYS_AHEAD):
        # To refuse it would mean to remember it until that day has passed. The door does not send such ids.
        return NotYet(f"{context.command_id} is dated far ahead")
    count = buckets.find(state.refused, _counted_under(context.actor.id, dated)) or 0
    return refusals.TOO_MANY_REFUSED if count >= REFUSALS_PER_DATE else None


def keep(state: LedgerState, command: Command, context: Context, decision: Decision) -> Decision:
    """Return a decision as it is, or the refusal of a wish with the fact that makes it last."""
    if not isinstance(decision, Refusal) or not isinstance(command, _KINDS):
        return decision
    transfer_id, by = context.command_id, context.actor.id
    dated = date_of(transfer_id)
    if dated is None or dated < state.remembers_from or buckets.find(state.transfers, transfer_id) is not None:
        return decision
    fact = TransferRefused(
        transfer_id=transfer_id,
        by=by,
        number=(buckets.find(state.refused, _counted_under(by, dated)) or 0) + 1,
        wish=wish_of(command),
        code=decision.code,
        fr=decision.fr,
        en=decision.en,
    )
    return Refused(decision, (fact,))


def counted(event: TransferRefused) -> dict[str, int]:
    """Return how often this speaker has been refused under ids of this date, by the key of `LedgerState.refused`."""
    return {_counted_under(event.by, date_of(event.transfer_id) or ""): event.number}


def _counted_under(speaker: str, dated: str) -> str:
    return f"{speaker}:{dated}"
