"""Limits and exclusions of players: who may set them, from when they count, and what they refuse.

Deposits and buy-ins are refused here. What is staked at tables is the tables' to refuse (`libs.ledger.allowances`).
Nothing here ever refuses a cash-out, a withdrawal or a settlement.
"""

from typing import Literal

from libs.kernel.actors import Actor, may_speak
from libs.kernel.contracts.wallet_limits import (
    Change,
    ExcludePlayer,
    ExcludeSelf,
    ExclusionLifted,
    LiftExclusion,
    LimitSet,
    Period,
    Player,
    PlayerExcluded,
    SetLimit,
    key_of,
)
from libs.kernel.days import is_date, later
from libs.kernel.decider import Accepted, Already, Context, Decision
from libs.kernel.limits import COOLING_DAY_LIMIT, COOLING_WEEK_LIMIT
from libs.kernel.refusals import Refusal
from libs.ledger import refusals
from libs.ledger.allowances import words_due
from libs.ledger.players import changed, exclusion, exclusions_of, flows, in_force, known_player, limits_of, used
from libs.ledger.state import LedgerState

COOLING: dict[Period, int] = {"day": COOLING_DAY_LIMIT, "week": COOLING_WEEK_LIMIT}


# -- wishes -------------------------------------------------------------------------------------------------------
def set_limit(state: LedgerState, command: SetLimit, context: Context) -> Decision:
    """A tighter limit counts at once; a looser one, or none, when the cooling time is over. The last wish stands."""
    refusal = _not_now(state, command.player, context.actor)
    if refusal is not None:
        return refusal
    today, amount = state.day, command.amount
    limit = known_player(state, command.player).limits.get(key_of(command.kind, command.period))
    before = in_force(limit, today)
    follows = limit is not None and limit.from_day > today
    if amount == (limit.following if limit is not None and follows else before):
        return Already()
    looser = before is not None and (amount is None or amount > before)
    said = LimitSet(
        player=command.player,
        kind=command.kind,
        period=command.period,
        amount=amount,
        before=before,
        day=today,
        from_day=later(today, 1 + COOLING[command.period]) if looser else today,
        by=context.actor.id,
        role=context.actor.role,
    )
    return _accepted(state, said)


def exclude_self(state: LedgerState, command: ExcludeSelf, context: Context) -> Decision:
    """A self-exclusion counts at once, and can only be made longer."""
    refusal = _not_now(state, command.player, context.actor) or _not_a_day(command.until, state.day)
    if refusal is not None:
        return refusal
    there, until = exclusions_of(known_player(state, command.player), state.day), command.until
    if "self" in there:
        before = there["self"]
        if until == before:
            return Already()
        if before is None or (until is not None and until < before):
            return refusals.ONLY_LONGER
    return _accepted(state, _excluded(state, command, context, ""))


def exclude_player(state: LedgerState, command: ExcludePlayer, context: Context) -> Decision:
    """The casino's exclusion counts at once; a later one of the same player takes its place."""
    refusal = _not_now(state, command.player, None) or _not_a_day(command.until, state.day)
    if refusal is not None:
        return refusal
    known = known_player(state, command.player)
    last = next((e for e in reversed(known.history) if isinstance(e, PlayerExcluded) and e.kind == "casino"), None)
    there = "casino" in exclusions_of(known, state.day)
    if there and last is not None and (last.until, last.reason) == (command.until, command.reason):
        return Already()
    return _accepted(state, _excluded(state, command, context, command.reason))


def _excluded(
    state: LedgerState, command: ExcludeSelf | ExcludePlayer, context: Context, reason: str
) -> PlayerExcluded:
    return PlayerExcluded(
        player=command.player,
        kind="self" if isinstance(command, ExcludeSelf) else "casino",
        until=command.until,
        reason=reason,
        day=state.day,
        by=context.actor.id,
        role=context.actor.role,
    )


def lift(state: LedgerState, command: LiftExclusion, context: Context) -> Decision:
    """End the casino's exclusion; one that is over, or never was, is nothing to end."""
    refusal = _not_now(state, command.player, None)
    if refusal is not None:
        return refusal
    there = exclusions_of(known_player(state, command.player), state.day)
    if "casino" not in there:
        return refusals.ONLY_THE_PLAYERS if "self" in there else Already()
    lifted = ExclusionLifted(
        player=command.player,
        reason=command.reason,
        day=state.day,
        by=context.actor.id,
        role=context.actor.role,
    )
    return _accepted(state, lifted)


def _not_now(state: LedgerState, player: str, speaker: Actor | None) -> Refusal | None:
    """Return why nothing can be said of a player now; `speaker` is given where a player speaks for himself alone."""
    if speaker is not None and speaker.role == "player" and speaker.id != player:
        return refusals.NOT_YOURSELF
    if not may_speak(player, "player"):
        return refusals.NO_PLAYER
    return None if state.day else refusals.NO_DAY


def _not_a_day(until: str | None, today: str) -> Refusal | None:
    return None if until is None or (is_date(until) and until > today) else refusals.UNTIL_NOT_AHEAD


def _accepted(state: LedgerState, said: Change) -> Decision:
    """Return the change, and what tables must be told for it."""
    known = changed(known_player(state, said.player), said)
    return Accepted((said, *words_due(said.player, known, state.day)))


# -- what they refuse ---------------------------------------------------------------------------------------------
def deposit_refused(state: LedgerState, player: str, amount: int) -> Refusal | None:
    """Return why a player may not bring so many cents to the cage now."""
    if not may_speak(player, "player"):
        return refusals.NO_PLAYER
    return _refused(known_player(state, player), state.day, "deposit", amount)


def buy_in_refused(state: LedgerState, player: str, amount: int) -> Refusal | None:
    """Return why a player may not carry so many cents to a table now."""
    return _refused(known_player(state, player), state.day, "loss", amount)


def _refused(known: Player, today: str, kind: Literal["deposit", "loss"], amount: int) -> Refusal | None:
    refusal = exclusion(known, today)
    if refusal is not None or not known.limits:
        return refusal
    now = flows(known, today)
    limits = limits_of(known, kind, today).items()
    left = min((cents - used(now[period], kind) for period, cents in limits), default=amount)
    if amount <= left:
        return None
    return (refusals.deposit_limit if kind == "deposit" else refusals.loss_limit)(max(0, left))
