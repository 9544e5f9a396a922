"""The refusal of a wish that would have moved money: a fact, because its sender gets the same answer for ever."""

import msgspec

from libs.kernel.contracts.wallet import BuyIn, Deposit, Leg, Withdraw
from libs.kernel.contracts.wallet_requests import (
    ApproveRequest,
    DeclineRequest,
    RequestAdjustment,
    RequestFill,
    RequestFloatCredit,
)
from libs.kernel.messages import Command, Event, tag_of

MoneyCommand = (
    Deposit | Withdraw | BuyIn | RequestAdjustment | RequestFill | RequestFloatCredit | ApproveRequest | DeclineRequest
)
"""What people may wish with money; the id of the command is the id of the transfer."""


class Wish(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What was wished, whatever the command: its tag, and its fields by their names there."""

    type: str
    player: str = ""
    pit: str = ""
    table: str = ""
    seat: int = 0
    amount: int = 0
    legs: tuple[Leg, ...] = ()
    reason: str = ""
    corrects: str = ""
    request: str = ""


def wish_of(command: Command) -> Wish:
    """Return what a `MoneyCommand` wishes."""
    return Wish(tag_of(command), **msgspec.structs.asdict(command))


class TransferRefused(Event, frozen=True, kw_only=True, tag="wallet.TransferRefused"):
    """The ledger said no to this wish, and will say no to it whenever it comes again. No account changes."""

    transfer_id: str
    by: str
    """Who wished it."""
    number: int
    """Counts what this speaker was refused under ids of the same date."""
    wish: Wish
    code: str
    fr: str
    en: str
