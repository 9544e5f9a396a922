"""What Rampo remembers between the events of a session."""

from typing import Literal

import msgspec

from libs.games.rampo.messages import Pair
from libs.kernel.game import GameState

Said = Literal["", "coup_nul", "les_des_changent", "les_des_changent_de_main"]


class Throw(msgspec.Struct, frozen=True):
    """What has happened in one coup so far."""

    coup: int = 0
    number_of_throw: int = 1
    """Which throw of the coup is awaited or was the last: irregular ones are repeated."""
    thrown: bool = False
    """True once the RNG has been asked."""
    out: tuple[int, ...] = ()
    """Seats that refused the dice or lost them to the pit boss in this coup."""
    faces: tuple[int, int] | None = None
    number: int = 0
    """0 until a throw was valid."""
    rampo: bool = False
    """True when the number was the one of the rampo zone."""
    offered: tuple[int, ...] = ()
    answers: dict[int, bool] = {}
    said: Said = ""
    """The croupier's last announcement about the dice."""


class RampoState(GameState, frozen=True, tag="rampo"):
    """Chips, dice, the running coup and the rampo zone, which lasts from one coup to the next."""

    colours: dict[int, str] = {}
    """Colour of the chips of each taken seat."""
    chips: dict[int, int] = {}
    """Value of one chip of each taken seat, in cents."""
    shooter: int | None = None
    """Seat that has the dice; None before the first offer and when nobody wants them."""
    after: int = 0
    """Seat after which the dice are offered next when nobody has them; 0 is the croupier."""
    irregular_throws: int = 0
    """Of the shooter, since the dice were offered."""
    pair: Pair = 1
    throw: Throw = Throw()
    zone_number: int = 0
    zone: dict[int, int] = {}
    """Stakes in the rampo zone by seat, in cents; decided by the next valid throw (RA6)."""


def throw_of(state: RampoState, coup: int) -> Throw:
    """Return what has happened in this coup; nothing when the last throw was of an earlier one."""
    return state.throw if state.throw.coup == coup else Throw(coup=coup)
