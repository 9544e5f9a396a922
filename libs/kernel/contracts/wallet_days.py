"""How the ledger goes from one gaming day to the next: a closing with counts, an opening, and pieces brought forward.

The new volume takes commands from its first event on. What the one before leaves to it is written into it piece by
piece meanwhile; the pieces together must come to what the closing counted.
"""

from typing import Annotated, ClassVar, Literal

import msgspec

from libs.kernel.contracts.wallet import BuyInPended, Deposited, TablePosted, Withdrawn
from libs.kernel.contracts.wallet_cards import Card
from libs.kernel.contracts.wallet_limits import Player
from libs.kernel.contracts.wallet_refusals import TransferRefused
from libs.kernel.contracts.wallet_requests import (
    OpenRequest,
    RequestApproved,
    RequestPended,
    RequestPosted,
    RequestVoided,
)
from libs.kernel.contracts.wallet_transit import Channel
from libs.kernel.messages import Command, Event

MoneyMoved = Deposited | Withdrawn | BuyInPended | RequestPended | RequestApproved | RequestPosted | RequestVoided
"""The facts that a person's wish leads to; its transfer id is the id of the command."""

TransferFact = MoneyMoved | TransferRefused
"""What a person's wish can lead to at all."""

Day = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}$(?!\n)")]
"""A gaming day, named by the date on which it began."""


class OpenGamingDay(Command, frozen=True, kw_only=True, tag="wallet.OpenGamingDay"):
    """A committee member, or the site's clock, closes the running gaming day of the ledger and opens this one."""

    day: Day


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """What the first command with an id has led to, and what became of it."""

    event: TransferFact
    outcome: Literal["pending", "posted", "voided", "refused"]


class PostedUpTo(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far a table's postings are in the ledger: `number` is the last one of `session`."""

    table: str
    session: int
    number: int
    last: TablePosted | None = None
    """That last posting, so that a repeat of it gets the same answer."""
    finished: dict[int, int] = {}
    """The last number of each of the sessions before, as far as they are remembered."""
    buy_ins: int = 0
    float_moves: int = 0
    """How many there have been at this table."""


class Count(msgspec.Struct, frozen=True):
    """What a closing counts, and what all that is brought forward must come to."""

    accounts: int = 0
    """Accounts whose balance is not zero."""
    credit: int = 0
    """Sum of all balances above zero, in cents; those below come to the same."""
    cards: int = 0


class LedgerClosed(Event, frozen=True, kw_only=True, tag="wallet.LedgerClosed"):
    """The last event of a volume of the ledger."""

    day: str
    events: int
    """Number of events of the volume, this one included: a count that must agree with the log."""
    count: Count


class LedgerOpened(Event, frozen=True, kw_only=True, tag="wallet.LedgerOpened"):
    """The first event of a volume of the ledger. Open items are here; `brings` says what else will be brought forward.

    `balances` is how the first ledgers brought accounts forward, all at once; today it is empty.
    """

    opens_volume: ClassVar[bool] = True

    book: str
    balances: dict[str, int] = {}
    """Balance of each account, in cents; they sum to zero."""
    pending: tuple[BuyInPended, ...] = ()
    """Buy-ins that still wait for their table, oldest first."""
    tables: tuple[PostedUpTo, ...] = ()
    requests: tuple[OpenRequest, ...] = ()
    """Requests that wait for another person or for a table, oldest first."""
    channels: dict[str, Channel] = {}
    """Transfers to and from each other part of the wallet, by its shard."""
    day: str = ""
    remembers_from: str = ""
    """Ids of transfers dated before this day are no longer taken: were they done, the log says so."""
    brings: Count | None = None
    """What the volume before has counted at its closing; None for the first volume."""


class BroughtForward(Event, frozen=True, kw_only=True, tag="wallet.BroughtForward"):
    """One piece of what the volume before left: accounts, cards, players and remembered transfers of some small dicts.

    Balances are those at the opening; accounts that have moved since keep what they have.
    """

    first: int
    last: int
    """Numbers of the small dicts (`libs.kernel.buckets`), both included."""
    balances: dict[str, int]
    transfers: tuple[Transfer, ...]
    cards: dict[str, Card] = {}
    refused: dict[str, int] = {}
    """How many wishes were refused, by speaker and date of the id."""
    players: dict[str, Player] = {}
    """As they are now, not at the opening: what is over is left out, and tables are told anew what is."""


class AllBroughtForward(Event, frozen=True, kw_only=True, tag="wallet.AllBroughtForward"):
    """The pieces are complete, and come to what the closing counted: from here on nobody needs the volume before."""

    count: Count
