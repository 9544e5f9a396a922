"""Which part of the wallet a command is for: where its player, its table or its request is at home."""

from collections.abc import Mapping

from libs.kernel import buckets
from libs.kernel.accounts import player_of
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet import BuyIn, Deposit, Withdraw
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.contracts.wallet_limits import ExcludePlayer, ExcludeSelf, LiftExclusion, SetLimit
from libs.kernel.contracts.wallet_requests import (
    ApproveRequest,
    DeclineRequest,
    RequestAdjustment,
    RequestFill,
    RequestFloatCredit,
)
from libs.kernel.messages import Command
from libs.kernel.wallets import Wallet, place_of, wallet_at, wallet_of
from libs.ledger.state import LedgerState


def parts_for(command: Command, actor: Actor, count: int, states: Mapping[str, LedgerState]) -> list[Wallet]:
    """Return the parts that a command goes to, one after the other: one, or for a new gaming day all of them.

    `states` are the ledgers by book, to find a request. What cannot be found goes to the first part, which says so.
    """
    match command:
        case OpenGamingDay():
            return [wallet_at(index, count) for index in range(count)]
        case Deposit() | Withdraw() | SetLimit() | ExcludeSelf() | ExcludePlayer() | LiftExclusion():
            return [wallet_of(command.player, count)]
        case BuyIn():
            return [wallet_of(actor.id, count)]
        case RequestFill() | RequestFloatCredit():
            return [wallet_of(command.table, count)]
        case RequestAdjustment():
            players = [player for leg in command.legs if (player := player_of(leg.account))]
            return [wallet_of(players[0], count) if players else wallet_at(0, count)]
        case ApproveRequest() | DeclineRequest():
            return [_holding(command.request, count, states)]
        case _:
            return [wallet_at(0, count)]


def _holding(request: str, count: int, states: Mapping[str, LedgerState]) -> Wallet:
    for book, state in states.items():
        if request in state.requests or buckets.find(state.transfers, request) is not None:
            return wallet_at(place_of(book)[0], count)
    return wallet_at(0, count)
