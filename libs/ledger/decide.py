"""The ledger's decisions: who may move which money, once per id, in entries that show before and after.

Deposits, buy-ins and requests come from people; postings and answers from our own services. What a person may not do is
refused; what a service may not say is a `LedgerDefect`.
"""

from collections.abc import Callable
from typing import Any

from libs.kernel.accounts import CAGE, player_account, player_of
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.wallet import BuyIn, Deposit, Deposited, Leg, PostFromTable, Withdraw, Withdrawn
from libs.kernel.contracts.wallet_cards import BlockCard, IssueCard, ReplaceCard
from libs.kernel.contracts.wallet_days import LedgerOpened, OpenGamingDay
from libs.kernel.contracts.wallet_limits import ExcludePlayer, ExcludeSelf, LiftExclusion, SetLimit
from libs.kernel.contracts.wallet_requests import (
    ApproveRequest,
    DeclineRequest,
    RequestAdjustment,
    RequestFill,
    RequestFloatCredit,
)
from libs.kernel.contracts.wallet_transit import ReceiveTransfer
from libs.kernel.decider import Accepted, Context, Decision, Refused
from libs.kernel.messages import Command, Tick, tag_of
from libs.kernel.refusals import role_not_allowed
from libs.kernel.wallets import index_of, place_of
from libs.ledger import allowances, cards, limits, refusals, refused, requests, transit
from libs.ledger.buy_ins import buy_in, hear_credit
from libs.ledger.days import bring_forward, first_opening, open_gaming_day
from libs.ledger.entries import entries_for, move
from libs.ledger.postings import post
from libs.ledger.roles import ROLES
from libs.ledger.state import LedgerDefect, LedgerState


def decide(state: LedgerState, command: Command, context: Context) -> Decision:
    """Decide one command. The first facts of a fresh ledger open its volume."""
    decision = refused.refused_before(state, command, context)
    if decision is None:
        decision = refused.keep(state, command, context, _decide(state, command, context))
    return decision if state.opened else _opening(decision, context)


def _decide(state: LedgerState, command: Command, context: Context) -> Decision:
    decide_it = _DECIDE.get(type(command))
    if decide_it is None:
        raise LedgerDefect(f"the ledger knows no command {tag_of(command)}")
    allowed = ROLES[type(command)]
    if context.actor.role not in allowed:
        return role_not_allowed(allowed)
    if _is_elsewhere(state, command, context):
        return refusals.ELSEWHERE
    return decide_it(state, command, context)


def _opening(decision: Decision, context: Context) -> Decision:
    match decision:
        case Accepted(events) if events and not isinstance(events[0], LedgerOpened):
            return Accepted((first_opening(context), *events))
        case Refused(refusal, events):
            return Refused(refusal, (first_opening(context), *events))
        case _:
            return decision


def _is_elsewhere(state: LedgerState, command: Command, context: Context) -> bool:
    """Tell whether the player or table that a command is about is at home in another part of the wallet."""
    index, count = place_of(state.book)
    if count == 1:
        return False
    match command:
        case Deposit() | Withdraw() | SetLimit() | ExcludeSelf() | ExcludePlayer() | LiftExclusion():
            names = [command.player]
        case BuyIn():
            names = [context.actor.id]
        case PostFromTable() | RequestFill() | RequestFloatCredit():
            names = [command.table]
        case RequestAdjustment():
            names = [player for leg in command.legs if (player := player_of(leg.account))]
        case _:
            names = []
    return any(index_of(name, count) != index for name in names)


def _deposit(state: LedgerState, command: Deposit, context: Context) -> Decision:
    legs = (Leg(CAGE, -command.amount), Leg(player_account(command.player), command.amount))
    candidate = Deposited(transfer_id=context.command_id, entries=entries_for(state, legs))
    decision = move(state, candidate, context.command_id, context)
    if isinstance(decision, Accepted):
        return limits.deposit_refused(state, command.player, command.amount) or decision
    return decision


def _withdraw(state: LedgerState, command: Withdraw, context: Context) -> Decision:
    account = player_account(command.player)
    entries = entries_for(state, (Leg(account, -command.amount), Leg(CAGE, command.amount)))
    return move(state, Withdrawn(transfer_id=context.command_id, entries=entries), account, context)


def _hear(state: LedgerState, command: Answered, _: Context) -> Decision:
    """Decide what a table has answered to one of our questions."""
    if command.to.startswith("transit:"):
        return transit.hear_received(state, command)
    if command.to.startswith("float:"):
        return requests.hear_float(state, command)
    if command.to.startswith("allowance:"):
        return allowances.hear(state, command)
    return hear_credit(state, command)


def _tick(state: LedgerState, _: Tick, context: Context) -> Decision:
    """Bring forward what is still to be brought; else let a request expire whose time is over."""
    return bring_forward(state) if state.bringing is not None else requests.expire(state, context)


_DECIDE: dict[type[Command], Callable[[LedgerState, Any, Context], Decision]] = {
    PostFromTable: post,
    ReceiveTransfer: transit.receive,
    BuyIn: buy_in,
    Answered: _hear,
    Deposit: _deposit,
    Withdraw: _withdraw,
    RequestAdjustment: requests.ask_adjustment,
    RequestFill: requests.ask_fill,
    RequestFloatCredit: requests.ask_float_credit,
    ApproveRequest: requests.approve,
    DeclineRequest: requests.decline,
    IssueCard: cards.issue,
    BlockCard: cards.block,
    ReplaceCard: cards.replace_card,
    SetLimit: limits.set_limit,
    ExcludeSelf: limits.exclude_self,
    ExcludePlayer: limits.exclude_player,
    LiftExclusion: limits.lift,
    OpenGamingDay: open_gaming_day,
    Tick: _tick,
}
