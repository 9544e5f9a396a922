"""Money between two parts of a wallet: sent in numbered transfers, each received once, in order.

Every part balances on its own: what it has sent stands in its account `transit:<the other>`, what it has received in
that of the other as a debit. The two accounts of a pair come to what is on its way.
"""

from typing import ClassVar

import msgspec

from libs.kernel.contracts.wallet import Entry, Leg, Sent
from libs.kernel.messages import Command, Event


class ReceiveTransfer(Command, frozen=True, kw_only=True, tag="wallet.ReceiveTransfer"):
    """Another part has taken this money from its accounts: put it on yours, once per number, in order."""

    internal: ClassVar[bool] = True

    origin: str
    """The shard that sends it."""
    number: int
    legs: tuple[Leg, ...]


class TransferReceived(Event, frozen=True, kw_only=True, tag="wallet.TransferReceived"):
    """A transfer of another part is in the ledger. As an answer to one that was here before, it has no entries."""

    origin: str
    at: str
    """The shard that received it."""
    number: int
    entries: tuple[Entry, ...]


class TransfersDelivered(Event, frozen=True, kw_only=True, tag="wallet.TransfersDelivered"):
    """The other part has received all transfers up to this number: they are owed no longer."""

    to: str
    number: int


class Channel(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What one part knows of its transfers to and from another."""

    sent: int = 0
    """The number of the last transfer sent."""
    received: int = 0
    """The number of the last transfer received."""
    open: dict[int, Sent] = {}
    """Transfers sent, and not known to be received, by number."""
