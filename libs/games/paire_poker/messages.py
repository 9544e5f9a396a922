"""The messages that Pair'e poker adds to a table session. Their tags are the storage format."""

from typing import Annotated, Literal

import msgspec

from libs.kernel.game import GameEvent
from libs.kernel.messages import Command

Place = Annotated[int, msgspec.Meta(ge=1, le=3)]
"""Which of the three cards, in the order of drawing."""

Card = Annotated[str, msgspec.Meta(pattern=r"^((A|[2-9]|10|V|D|R)[CKPT]|JOKER)$(?!\n)")]
"""Value and suit (`7C`, `10T`, `RP`) or `JOKER`; see `cards`."""

CoupNo = Annotated[int, msgspec.Meta(ge=1)]

Irregularity = Literal["exposed_card", "wrong_count", "card_missing", "card_double"]
"""What may go wrong with cards. A card that was merely exposed changes nothing; the others void the coup (PA13)."""


class Collected(msgspec.Struct, frozen=True):
    """A losing stake that the croupier collects when a card is turned, in cents."""

    seat: int
    spot: str
    stake: int


# -- commands -----------------------------------------------------------------------------------------------------
class TurnCard(Command, frozen=True, kw_only=True, tag="paire_poker.TurnCard"):
    """The croupier turns the next card, which lies face down; `place` says which, so that a repeat is harmless."""

    place: Place


class PayWinners(Command, frozen=True, kw_only=True, tag="paire_poker.PayWinners"):
    """The croupier pays, once the three cards are turned; the coup is settled."""


class ReportIrregularity(Command, frozen=True, kw_only=True, tag="paire_poker.ReportIrregularity"):
    """The pit boss, who watches the croupier, establishes that something is wrong with the cards on the table."""

    kind: Irregularity


# -- events -------------------------------------------------------------------------------------------------------
class CardsLaid(GameEvent, frozen=True, kw_only=True, tag="paire_poker.CardsLaid"):
    """Which card was burnt and which lie face down, in the order of drawing; in the log, never on the feed (PA14)."""

    secret = True

    burnt: str = ""
    cards: tuple[str, ...] = ()
    """Empty at the console, where nobody knows a card before it is turned."""


class CardsDealt(GameEvent, frozen=True, kw_only=True, tag="paire_poker.CardsDealt"):
    """One card is burnt and three lie face down. The croupier turns the first by `due_ms`, or it is turned then.

    At the console there is no `due_ms`: the cards are recorded as they are turned.
    """


class CardTurned(GameEvent, frozen=True, kw_only=True, tag="paire_poker.CardTurned"):
    """A card is turned and announced, and the stakes that it loses are collected. By `due_ms` play goes on by itself.

    A collected stake still counts as staked until the coup is settled: a void gives it back.
    """

    place: int
    card: str
    collected: tuple[Collected, ...]
    by: str
    """Who turned it: an actor, `console` when it was recorded there, our own process when the time was up."""


class IrregularityFound(GameEvent, frozen=True, kw_only=True, tag="paire_poker.IrregularityFound"):
    """Something is wrong with the cards; a void follows at once unless a card was merely exposed."""

    kind: Irregularity
    by: str
