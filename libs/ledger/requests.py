"""Requests: what one person asks and another must approve. What they debit is held until they are posted or void.

An adjustment is posted when it is approved. A fill or a float credit goes to its table then, which must agree: its
float is the table's to count. Moves of one float are numbered and asked one at a time, so that the table can tell for
ever whether it has made one.
"""

from libs.kernel import buckets
from libs.kernel.accounts import HOUSE_BANK, PENDING_REQUEST, adjustable, float_account, player_of
from libs.kernel.actors import may_speak
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import FloatMoved, FloatMoveRefused
from libs.kernel.contracts.wallet import Entry, Leg
from libs.kernel.contracts.wallet_requests import (
    ApproveRequest,
    DeclineRequest,
    OpenRequest,
    RequestAdjustment,
    RequestApproved,
    RequestExpired,
    RequestFill,
    RequestFloatCredit,
    RequestKind,
    RequestPended,
    RequestPosted,
    RequestVoided,
)
from libs.kernel.decider import Accepted, Already, Context, Decision, NotYet
from libs.kernel.ids import float_id
from libs.kernel.limits import ADJUSTMENT_EXPIRES_MS, FLOAT_MOVE_EXPIRES_MS, OPEN_REQUESTS
from libs.kernel.money import balanced
from libs.kernel.refusals import Refusal, role_not_allowed
from libs.ledger import refusals
from libs.ledger.entries import entries_for, move, over_maximum, repeated, sums
from libs.ledger.roles import APPROVERS
from libs.ledger.state import LedgerDefect, LedgerState, TablePostings


# -- asking -------------------------------------------------------------------------------------------------------
def ask_adjustment(state: LedgerState, command: RequestAdjustment, context: Context) -> Decision:
    """Decide whether an adjustment can be asked: balanced, of accounts that are the house's to correct."""
    if not balanced([leg.amount for leg in command.legs]) or not any(sums(command.legs).values()):
        return refusals.UNBALANCED
    if not all(adjustable(leg.account) for leg in command.legs):
        return refusals.NOT_ADJUSTABLE
    decision = _ask(state, context, "adjustment", command.legs, command)
    # What an old log holds under another name can still be taken from it, and an old wish gets its old answer.
    paid = {player_of(leg.account) for leg in command.legs if leg.amount > 0} - {""}
    fit = all(may_speak(player, "player") for player in paid)
    return decision if fit or not isinstance(decision, Accepted) else refusals.NO_PLAYER


def ask_fill(state: LedgerState, command: RequestFill, context: Context) -> Decision:
    """Decide whether money can be asked for a table's float."""
    legs = (Leg(HOUSE_BANK, -command.amount), Leg(float_account(command.table), command.amount))
    return _ask(state, context, "fill", legs, command)


def ask_float_credit(state: LedgerState, command: RequestFloatCredit, context: Context) -> Decision:
    """Decide whether money of a table's float can be offered back."""
    legs = (Leg(float_account(command.table), -command.amount), Leg(HOUSE_BANK, command.amount))
    return _ask(state, context, "float_credit", legs, command)


def _ask(
    state: LedgerState,
    context: Context,
    kind: RequestKind,
    legs: tuple[Leg, ...],
    command: RequestAdjustment | RequestFill | RequestFloatCredit,
) -> Decision:
    lasts_ms = ADJUSTMENT_EXPIRES_MS if kind == "adjustment" else FLOAT_MOVE_EXPIRES_MS
    pended = RequestPended(
        transfer_id=context.command_id,
        kind=kind,
        legs=legs,
        reason=command.reason,
        by=context.actor.id,
        role=context.actor.role,
        expires_at_ms=context.now_ms + lasts_ms,
        entries=entries_for(state, _held(legs)),
        corrects=command.corrects if isinstance(command, RequestAdjustment) else "",
        pit="" if isinstance(command, RequestAdjustment) else command.pit,
        table="" if isinstance(command, RequestAdjustment) else command.table,
    )
    decision = move(state, pended, float_id(context.command_id), context)
    if isinstance(decision, Accepted) and len(state.requests) >= OPEN_REQUESTS:
        return refusals.TOO_MANY_REQUESTS
    return decision


def _debits(legs: tuple[Leg, ...]) -> tuple[Leg, ...]:
    return tuple(Leg(account, amount) for account, amount in sums(legs).items() if amount < 0)


def _held(legs: tuple[Leg, ...]) -> tuple[Leg, ...]:
    debits = _debits(legs)
    return (*debits, Leg(PENDING_REQUEST, -sum(leg.amount for leg in debits)))


def _carried_out(state: LedgerState, legs: tuple[Leg, ...]) -> tuple[Entry, ...]:
    """Return the entries of a request that is posted: what was held goes where it was meant to go."""
    gains = [Leg(account, amount) for account, amount in sums(legs).items() if amount > 0]
    return entries_for(state, (Leg(PENDING_REQUEST, -sum(leg.amount for leg in gains)), *gains))


def _back(state: LedgerState, legs: tuple[Leg, ...]) -> tuple[Entry, ...]:
    """Return the entries of a request that comes to nothing: what was held goes back to where it came from."""
    return entries_for(state, tuple(Leg(leg.account, -leg.amount) for leg in _held(legs)))


# -- the other person's word --------------------------------------------------------------------------------------
def approve(state: LedgerState, command: ApproveRequest, context: Context) -> Decision:
    """Another person, of a role that may, approves: once, and never the one who asked."""
    known = repeated(
        state,
        context.command_id,
        lambda made: isinstance(made, RequestPosted | RequestApproved) and made.request == command.request,
        context,
    )
    if known is not None:
        return known
    found = _open(state, command.request, context)
    if isinstance(found, Refusal):
        return found
    if context.actor.role not in APPROVERS[found.kind]:
        return role_not_allowed(APPROVERS[found.kind])
    if context.actor.id == found.by:
        return refusals.TWO_PEOPLE
    if found.kind == "adjustment":
        entries = _carried_out(state, found.legs)
        if over_maximum(entries):
            return refusals.OVER_MAXIMUM
        by = context.actor.id
        return Accepted(
            (RequestPosted(request=command.request, by=by, entries=entries, transfer_id=context.command_id),)
        )
    approved = RequestApproved(
        transfer_id=context.command_id,
        request=command.request,
        by=context.actor.id,
        role=context.actor.role,
        number=state.tables.get(found.table, TablePostings()).float_moves + 1,
    )
    return Accepted((approved,))


def decline(state: LedgerState, command: DeclineRequest, context: Context) -> Decision:
    """Whoever could approve it declines, or the one who asked takes it back: what was held goes back."""
    known = repeated(
        state,
        context.command_id,
        lambda made: (
            isinstance(made, RequestVoided) and (made.request, made.reason) == (command.request, command.reason)
        ),
        context,
    )
    if known is not None:
        return known
    found = _open(state, command.request, context)
    if isinstance(found, Refusal):
        return found
    if context.actor.role not in APPROVERS[found.kind] and context.actor.id != found.by:
        return role_not_allowed(APPROVERS[found.kind])
    voided = RequestVoided(
        request=command.request,
        by=context.actor.id,
        code="declined",
        reason=command.reason,
        entries=_back(state, found.legs),
        transfer_id=context.command_id,
    )
    return Accepted((voided,))


def _open(state: LedgerState, request: str, context: Context) -> RequestPended | Refusal:
    """Return a request that can still be approved or declined, or why it cannot."""
    found = state.requests.get(request)
    if found is not None:
        over = found.approved is not None or found.pended.expires_at_ms <= context.now_ms
        return refusals.REQUEST_ENDED if over else found.pended
    known = buckets.find(state.transfers, request)
    ended = known is not None and isinstance(known.event, RequestPended)
    return refusals.REQUEST_ENDED if ended else refusals.REQUEST_UNKNOWN


def expire(state: LedgerState, context: Context) -> Decision:
    """Let one request expire whose time is over; the next one follows at the next tick."""
    for request, found in state.requests.items():
        if found.approved is None and found.pended.expires_at_ms <= context.now_ms:
            return Accepted((RequestExpired(request=request, entries=_back(state, found.pended.legs)),))
    return Accepted()


# -- the table's word ---------------------------------------------------------------------------------------------
def hear_float(state: LedgerState, command: Answered) -> Decision:
    """Decide the answer to `MoveFloat`: moved, so post the request; refused, so void it."""
    request = command.to.removeprefix("float:")
    found = state.requests.get(request)
    if found is None or found.approved is None or command.to != float_id(request):
        return Already()
    by, legs = found.approved.by, found.pended.legs
    for event in command.events:
        if isinstance(event, FloatMoved) and event.request == request:
            if (event.number, event.amount) != (found.approved.number, float_change(found)):
                raise LedgerDefect(f"the table moved something else than request {request}: {event}")
            return Accepted((RequestPosted(request=request, by=by, entries=_carried_out(state, legs)),))
    code = _refusal_code(command, request)
    if code is None:
        return NotYet(f"the answer to request {request} says neither moved nor refused")
    voided = RequestVoided(request=request, by=by, code=code, reason="", entries=_back(state, legs))
    return Accepted((voided,))


def _refusal_code(command: Answered, request: str) -> str | None:
    if command.refusal is not None:
        return command.refusal.code
    refused = (e for e in command.events if isinstance(e, FloatMoveRefused) and e.request == request)
    return next((event.code for event in refused), None)


def float_change(found: OpenRequest) -> int:
    """Return by how many cents a request changes the float of its table."""
    return sums(found.pended.legs)[float_account(found.pended.table)]
