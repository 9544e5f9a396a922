"""What the door tells of tables, seats, cards and speakers."""

import msgspec

from libs.table.board import BoardPhase


class OwnSeat(msgspec.Struct, frozen=True):
    """A seat that a player holds; money in cents."""

    table: str
    pit: str
    seat: int
    credit: int
    """Chips on the credit meter."""
    staked: int
    """All stakes of the running coup."""
    stakes: dict[str, int]
    """The same by spot."""
    allowance: int | None = None
    """What the player's limits and exclusions still let him stake there; null without any."""


class Me(msgspec.Struct, frozen=True):
    """Who the token says is speaking; for a player also the account balance in cents, and the seats."""

    sub: str
    role: str
    balance: int | None
    seats: tuple[OwnSeat, ...]


class CardLine(msgspec.Struct, frozen=True):
    """What is known of a player's card; one that is not active leads nowhere."""

    card: str
    player: str
    status: str
    new_card: str


class TableLine(msgspec.Struct, frozen=True):
    """One line of the list of tables; the words are those of `Board`, money in cents."""

    table: str
    pit: str
    game: str
    session: int
    phase: BoardPhase
    coup: int
    minimum: int
    seats: int
    seats_taken: int
