"""Player cards: the number on a card leads to a player's account. A number is given once and never again."""

from typing import Annotated, Literal

import msgspec

from libs.kernel.actors import Id
from libs.kernel.limits import MAX_REASON_CHARS
from libs.kernel.messages import Command, Event

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_REASON_CHARS)]


class IssueCard(Command, frozen=True, kw_only=True, tag="wallet.IssueCard"):
    """A cashier gives a player a card with this number."""

    card: Id
    player: Id


class BlockCard(Command, frozen=True, kw_only=True, tag="wallet.BlockCard"):
    """A card is lost or misused: from now on it leads nowhere."""

    card: Id
    reason: Reason


class ReplaceCard(Command, frozen=True, kw_only=True, tag="wallet.ReplaceCard"):
    """A cashier gives the player of a card, active or blocked, a new one in its place."""

    card: Id
    new_card: Id
    reason: Reason


class CardIssued(Event, frozen=True, kw_only=True, tag="wallet.CardIssued"):
    """The card leads to the player's account."""

    card: str
    player: str
    by: str


class CardBlocked(Event, frozen=True, kw_only=True, tag="wallet.CardBlocked"):
    """The card leads nowhere any more."""

    card: str
    reason: str
    by: str


class CardReplaced(Event, frozen=True, kw_only=True, tag="wallet.CardReplaced"):
    """The new card leads to the player, the old one nowhere."""

    card: str
    new_card: str
    player: str
    reason: str
    by: str


class Card(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What is known of a card."""

    player: str
    status: Literal["active", "blocked", "replaced"] = "active"
    new_card: str = ""
    """The card that stands in its place."""
