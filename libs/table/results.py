"""The lines of a settlement, a void and a closing, and what is carried to a next session, as events carry them."""

import msgspec

from libs.kernel.contracts.table import AllowanceSet


class Settled(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What became of one wager: `credit` is 0, the stake (refund), or stake x (k+1) for a win at k to 1, in cents."""

    seat: int
    spot: str
    stake: int
    credit: int
    step: str = ""
    """Which part of the settlement it belongs to, where the game's rules prescribe an order."""


class SeatResult(msgspec.Struct, frozen=True, gc=False):
    """One seat's coup: all stakes, all credits, and the credit meter after it, in cents."""

    seat: int
    player: str
    staked: int
    credited: int
    credit_after: int


class SeatClosed(msgspec.Struct, frozen=True):
    """A seat's chips returned to the player's account at closing, in cents."""

    seat: int
    player: str
    amount: int


class Heard(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The ledger's last word about a player's stakes, and what was staked under it, in cents."""

    said: AllowanceSet
    staked: int = 0
    in_coup: int = 0
    """Of it in the running coup: it goes back with a void."""
    carried: bool = False
    """True when it was heard in an earlier session."""
