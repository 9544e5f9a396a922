"""Who may say what to the ledger. The door asks here too, so that nobody waits for a no that is certain."""

from libs.kernel.actors import Role
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.wallet import BuyIn, Deposit, PostFromTable, Withdraw
from libs.kernel.contracts.wallet_cards import BlockCard, IssueCard, ReplaceCard
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.contracts.wallet_limits import ExcludePlayer, ExcludeSelf, LiftExclusion, SetLimit
from libs.kernel.contracts.wallet_requests import (
    ApproveRequest,
    DeclineRequest,
    RequestAdjustment,
    RequestFill,
    RequestFloatCredit,
    RequestKind,
)
from libs.kernel.contracts.wallet_transit import ReceiveTransfer
from libs.kernel.messages import Command, Tick

ROLES: dict[type[Command], frozenset[Role]] = {
    BuyIn: frozenset({"player"}),
    Deposit: frozenset({"cashier"}),
    Withdraw: frozenset({"cashier"}),
    RequestAdjustment: frozenset({"cashier", "pit_boss", "committee_member"}),
    RequestFill: frozenset({"croupier", "pit_boss"}),
    RequestFloatCredit: frozenset({"croupier", "pit_boss"}),
    ApproveRequest: frozenset({"cashier", "committee_member"}),
    DeclineRequest: frozenset({"cashier", "croupier", "pit_boss", "committee_member"}),
    IssueCard: frozenset({"cashier"}),
    BlockCard: frozenset({"cashier", "pit_boss", "committee_member"}),
    ReplaceCard: frozenset({"cashier"}),
    SetLimit: frozenset({"player", "cashier", "pit_boss"}),
    ExcludeSelf: frozenset({"player", "cashier", "pit_boss"}),
    ExcludePlayer: frozenset({"committee_member"}),
    LiftExclusion: frozenset({"committee_member"}),
    OpenGamingDay: frozenset({"committee_member", "service"}),
    ReceiveTransfer: frozenset({"service"}),
    PostFromTable: frozenset({"service"}),
    Answered: frozenset({"service"}),
    Tick: frozenset({"service"}),
}

APPROVERS: dict[RequestKind, frozenset[Role]] = {
    "adjustment": frozenset({"committee_member"}),
    "fill": frozenset({"cashier", "committee_member"}),
    "float_credit": frozenset({"cashier", "committee_member"}),
}
"""Who may approve what another person has asked."""

LIMIT_READERS: frozenset[Role] = frozenset({"cashier", "pit_boss", "committee_member", "auditor"})
"""Who may ask for the limits and exclusions of any player; a player may for his own."""

CARD_READERS: frozenset[Role] = frozenset({"cashier", "pit_boss", "committee_member"})
"""Who may ask which player a card leads to."""
