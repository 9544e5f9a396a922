"""What two people must agree to: adjustments of accounts, and money between a table's float and the house.

One asks, with a reason; the debited money is held. Another approves or declines; nobody in time, and it expires.
"""

from typing import Annotated, Literal

import msgspec

from libs.kernel.actors import Id
from libs.kernel.contracts.wallet import Entry, Leg
from libs.kernel.limits import ADJUSTMENT_LEGS, MAX_ENVELOPE_ID_CHARS, MAX_REASON_CHARS
from libs.kernel.messages import Command, Event
from libs.kernel.money import PositiveCents

RequestKind = Literal["adjustment", "fill", "float_credit"]

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_REASON_CHARS)]


class RequestAdjustment(Command, frozen=True, kw_only=True, tag="wallet.RequestAdjustment"):
    """Ask for a correction of players', the house's or the cage's accounts: new entries, never a change of old ones."""

    legs: Annotated[tuple[Leg, ...], msgspec.Meta(min_length=2, max_length=ADJUSTMENT_LEGS)]
    reason: Reason
    corrects: Annotated[str, msgspec.Meta(max_length=MAX_ENVELOPE_ID_CHARS)] = ""
    """The id of the transfer or posting that was wrong, if there is one."""


class RequestFill(Command, frozen=True, kw_only=True, tag="wallet.RequestFill"):
    """The croupier or pit boss asks for more money in the table's float, `amount` cents."""

    pit: Id
    table: Id
    amount: PositiveCents
    reason: Reason


class RequestFloatCredit(Command, frozen=True, kw_only=True, tag="wallet.RequestFloatCredit"):
    """The croupier or pit boss wants `amount` cents of the table's float taken back to the house."""

    pit: Id
    table: Id
    amount: PositiveCents
    reason: Reason


class ApproveRequest(Command, frozen=True, kw_only=True, tag="wallet.ApproveRequest"):
    """Another person has verified the request and approves it."""

    request: Id


class DeclineRequest(Command, frozen=True, kw_only=True, tag="wallet.DeclineRequest"):
    """A person who could approve it declines the request, or the one who asked takes it back."""

    request: Id
    reason: Reason


class RequestPended(Event, frozen=True, kw_only=True, tag="wallet.RequestPended"):
    """A request waits for another person; what its legs debit is held in `pending:request`."""

    transfer_id: str
    kind: RequestKind
    legs: tuple[Leg, ...]
    """What it will have done when it is posted."""
    reason: str
    by: str
    role: str
    expires_at_ms: int
    entries: tuple[Entry, ...]
    corrects: str = ""
    pit: str = ""
    table: str = ""


class RequestApproved(Event, frozen=True, kw_only=True, tag="wallet.RequestApproved"):
    """Another person has approved a fill or a float credit: now the table is asked; it will be posted or voided."""

    transfer_id: str
    """The id of the approval."""
    request: str
    by: str
    role: str
    number: int
    """Counts the moves of this table's float, without gaps."""


class RequestPosted(Event, frozen=True, kw_only=True, tag="wallet.RequestPosted"):
    """The request is carried out: its legs are in the ledger."""

    request: str
    by: str
    """Who approved it."""
    entries: tuple[Entry, ...]
    transfer_id: str = ""
    """The id of the approval, unless that has a fact of its own."""


class RequestVoided(Event, frozen=True, kw_only=True, tag="wallet.RequestVoided"):
    """The request was declined by a person, or refused by the table: what was held went back."""

    request: str
    by: str
    code: str
    """`declined`, or the code of the table's refusal."""
    reason: str
    entries: tuple[Entry, ...]
    transfer_id: str = ""
    """The id of the declining, when a person did it."""


class RequestExpired(Event, frozen=True, kw_only=True, tag="wallet.RequestExpired"):
    """Nobody has approved or declined the request in time: what was held went back."""

    request: str
    entries: tuple[Entry, ...]


class OpenRequest(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A request that is not ended."""

    pended: RequestPended
    approved: RequestApproved | None = None
