"""Who may say what to the ledger. The door asks here too, so that nobody waits for a no that is certain."""

from libs.kernel.actors import Role
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.wallet import BuyIn, Deposit, PostFromTable, Withdraw
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.messages import Command, Tick

ROLES: dict[type[Command], frozenset[Role]] = {
    BuyIn: frozenset({"player"}),
    Deposit: frozenset({"cashier"}),
    Withdraw: frozenset({"cashier"}),
    OpenGamingDay: frozenset({"committee_member", "service"}),
    PostFromTable: frozenset({"service"}),
    Answered: frozenset({"service"}),
    Tick: frozenset({"service"}),
}
