"""The messages of the duel."""

from libs.kernel.game import GameEvent
from libs.kernel.messages import Command


class Raise(Command, frozen=True, kw_only=True, tag="duel.Raise"):
    """The speaking player doubles the stake."""


class Stay(Command, frozen=True, kw_only=True, tag="duel.Stay"):
    """The speaking player leaves the stake as it is."""


class CardsDealt(GameEvent, frozen=True, kw_only=True, tag="duel.CardsDealt"):
    """The cards lie face down."""

    secret = True

    cards: dict[int, int]


class Stayed(GameEvent, frozen=True, kw_only=True, tag="duel.Stayed"):
    """A player has stayed."""

    seat: int


class Raised(GameEvent, frozen=True, kw_only=True, tag="duel.Raised"):
    """A player has raised."""

    seat: int


class CardShown(GameEvent, frozen=True, kw_only=True, tag="duel.CardShown"):
    """One card is turned."""

    seat: int
    card: int


class PotHeld(GameEvent, frozen=True, kw_only=True, tag="duel.PotHeld"):
    """A tie: the stakes wait for the next coup."""

    held: dict[int, int]
