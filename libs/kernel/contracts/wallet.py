"""What the wallet (the ledger) is asked, and the facts it answers with.

Accounts are named in `libs/kernel/accounts.py`: `player:<id>`, `seat:<table>:<seat>`, `float:<table>`, `house:bank`,
`house:rake`, `house:entry`, `cage:main`, `pending:buy-in`, `pending:request`. Only `house:*`, `cage:*` and
`float:*` may go below zero.
"""

from typing import Annotated, ClassVar

import msgspec

from libs.kernel.actors import Id
from libs.kernel.allowances import Allowance
from libs.kernel.limits import MAX_SEATS
from libs.kernel.messages import Command, Event
from libs.kernel.money import Cents, PositiveCents

SeatNo = Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS)]
"""Number of a seat (station) at a table, from 1."""


class Leg(msgspec.Struct, frozen=True, gc=False):
    """One line of a posting: `account` gains `amount` cents (loses, when negative); a posting's legs sum to zero."""

    account: Id
    amount: Cents


class Entry(msgspec.Struct, frozen=True, gc=False):
    """What a posting did to one account, in cents."""

    account: str
    amount: int
    before: int
    after: int


class Sent(msgspec.Struct, frozen=True, gc=False):
    """Legs of a posting whose accounts are in another part of the wallet: on their way there (`wallet_transit`)."""

    to: str
    """The shard where the accounts are."""
    number: int
    """Counts the transfers to that shard, without gaps."""
    legs: tuple[Leg, ...]


class Deposit(Command, frozen=True, kw_only=True, tag="wallet.Deposit"):
    """A cashier took `amount` cents at the cage and puts them on the player's account."""

    player: Id
    amount: PositiveCents


class Withdraw(Command, frozen=True, kw_only=True, tag="wallet.Withdraw"):
    """A cashier pays `amount` cents out of the player's account at the cage."""

    player: Id
    amount: PositiveCents


class BuyIn(Command, frozen=True, kw_only=True, tag="wallet.BuyIn"):
    """The speaking player turns money of the account into chips at a seat he occupies."""

    pit: Id
    table: Id
    seat: SeatNo
    amount: PositiveCents


class PostFromTable(Command, frozen=True, kw_only=True, tag="wallet.PostFromTable"):
    """One posting of a table session, in order: `number` counts from 1 in each session without gaps.

    A number already posted gets its answer again; a number beyond the next one must wait (`NotYet`).
    """

    internal: ClassVar[bool] = True

    table: Id
    session: int
    number: int
    reason: str
    """`float_opened`, `coup`, `release`, `cash_out` or `float_closed`."""
    legs: tuple[Leg, ...]


class Deposited(Event, frozen=True, kw_only=True, tag="wallet.Deposited"):
    """Money came in at the cage."""

    transfer_id: str
    entries: tuple[Entry, ...]


class Withdrawn(Event, frozen=True, kw_only=True, tag="wallet.Withdrawn"):
    """Money went out at the cage."""

    transfer_id: str
    entries: tuple[Entry, ...]


class BuyInPended(Event, frozen=True, kw_only=True, omit_defaults=True, tag="wallet.BuyInPended"):
    """A buy-in is on its way: the amount left the player's account and waits in `pending:buy-in`."""

    transfer_id: str
    player: str
    pit: str
    table: str
    seat: int
    amount: int
    entries: tuple[Entry, ...]
    number: int = 0
    """Counts the buy-ins at this table."""
    oldest: int = 0
    """The lowest of these numbers that waits, this one included; 0 in older logs."""
    allowance: Allowance | None = None
    """What the table is told with it; None for a player without a limit of stakes."""
    day: str = ""
    """The gaming day of the wish: a void gives back in this period, not in a later one. Empty in older logs."""


class BuyInPosted(Event, frozen=True, kw_only=True, tag="wallet.BuyInPosted"):
    """The table has credited the seat; the pending amount is the seat's."""

    transfer_id: str
    entries: tuple[Entry, ...]
    sent: tuple[Sent, ...] = ()


class BuyInVoided(Event, frozen=True, kw_only=True, tag="wallet.BuyInVoided"):
    """The table refused the credit; the pending amount went back to the player."""

    transfer_id: str
    code: str
    entries: tuple[Entry, ...]


class TablePosted(Event, frozen=True, kw_only=True, tag="wallet.TablePosted"):
    """A posting of a table session is in the ledger.

    As an answer to a posting older than the session's last one, `entries` is empty: the ledger remembers that it has
    the posting, the log what it did.
    """

    table: str
    session: int
    number: int
    reason: str
    entries: tuple[Entry, ...]
    sent: tuple[Sent, ...] = ()
