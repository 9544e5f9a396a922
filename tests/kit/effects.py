"""What may happen in a ledger but once."""

from collections.abc import Callable
from typing import Any

from libs.kernel.contracts.wallet import BuyInPended, BuyInPosted, BuyInVoided, Deposited, TablePosted, Withdrawn
from libs.kernel.contracts.wallet_days import AllBroughtForward, BroughtForward, LedgerClosed, LedgerOpened
from libs.kernel.contracts.wallet_refusals import TransferRefused
from libs.kernel.contracts.wallet_requests import (
    RequestApproved,
    RequestExpired,
    RequestPended,
    RequestPosted,
    RequestVoided,
)
from libs.kernel.contracts.wallet_transit import TransferReceived, TransfersDelivered
from libs.kernel.messages import Event

Effect = tuple[object, ...]


def effect_of(event: Event, day: str) -> Effect:
    """Return what may be in the log of a ledger but once: a volume's opening, a transfer, its end, a posting.

    `day` is the gaming day of the event: what is brought forward is brought once a day.
    """
    return _EFFECTS[type(event)](event, day)


def _transfer(event: Deposited | Withdrawn | BuyInPended | RequestPended | TransferRefused, _: str) -> Effect:
    return "transfer", event.transfer_id


def _resolved(event: BuyInPosted | BuyInVoided, _: str) -> Effect:
    return "resolved", event.transfer_id


def _ended(event: RequestPosted | RequestVoided | RequestExpired, _: str) -> Effect:
    return "ended", event.request


_EFFECTS: dict[type[Event], Callable[[Any, str], Effect]] = {
    Deposited: _transfer,
    Withdrawn: _transfer,
    TransferRefused: _transfer,
    BuyInPended: _transfer,
    BuyInPosted: _resolved,
    BuyInVoided: _resolved,
    TablePosted: lambda event, _: ("posting", event.table, event.session, event.number),
    TransferReceived: lambda event, _: ("received", event.origin, event.number),
    TransfersDelivered: lambda event, _: ("delivered", event.to, event.number),
    RequestPended: _transfer,
    RequestApproved: lambda event, _: ("approved", event.request),
    RequestPosted: _ended,
    RequestVoided: _ended,
    RequestExpired: _ended,
    LedgerOpened: lambda event, _: ("opened", event.day),
    LedgerClosed: lambda event, _: ("closed", event.day),
    BroughtForward: lambda event, day: ("brought", day, event.first),
    AllBroughtForward: lambda _, day: ("all brought", day),
}
