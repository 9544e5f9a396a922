"""The messages that Rampo adds to a table session. Their tags are the storage format.

Each command says so much of what it is about (the pair wanted, the seat, the throw) that saying it twice is harmless.
"""

from typing import Annotated, Literal

import msgspec

from libs.kernel.contracts.wallet import SeatNo
from libs.kernel.game import GameEvent
from libs.kernel.limits import MAX_REASON_CHARS
from libs.kernel.messages import Command
from libs.kernel.money import PositiveCents

Pair = Literal[1, 2]
"""One of the two pairs of dice of the table."""

Fault = Literal["broken", "stacked", "leaning", "on_chip", "off_table", "sliding", "no_back_wall", "other"]
"""Why a throw is irregular (art. 55-22-1): dice broken, one on the other, leaning, on a chip, off the table; they slid
instead of rolling; neither struck the side opposite the shooter."""

Why = Literal["first", "refused", "left", "removed", "no_stake", "seven"]
"""Why the dice are offered: first of a series of offers; or what became of the shooter before (RA5)."""

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_REASON_CHARS)]


# -- commands of players ------------------------------------------------------------------------------------------
class SetChipValue(Command, frozen=True, kw_only=True, tag="rampo.SetChipValue"):
    """The speaking player has the marker give the own chips this value, in cents, while none of them is down."""

    value: PositiveCents


class RefuseDice(Command, frozen=True, kw_only=True, tag="rampo.RefuseDice"):
    """The shooter does not want the dice: they pass to the next player clockwise."""


class ChangeDice(Command, frozen=True, kw_only=True, tag="rampo.ChangeDice"):
    """The shooter asks for this pair of dice: *les dés changent*. Not while a rampo is being tried."""

    pair: Pair


class ThrowDice(Command, frozen=True, kw_only=True, tag="rampo.ThrowDice"):
    """The shooter throws, at once after *rien ne va plus*. Only where the RNG is the source: else dice are thrown."""


class AnswerRampo(Command, frozen=True, kw_only=True, tag="rampo.AnswerRampo"):
    """The speaking player, who holds the winning number, tries the rampo or takes the payment."""

    tries: bool


# -- commands of the staff ----------------------------------------------------------------------------------------
class CallCoupNul(Command, frozen=True, kw_only=True, tag="rampo.CallCoupNul"):
    """The throw was irregular: *coup nul*. Stakes stay locked and the same shooter throws again (RA11)."""

    throw: Annotated[int, msgspec.Meta(ge=1)]
    """Which throw of the coup, from 1."""
    fault: Fault


class RemoveShooter(Command, frozen=True, kw_only=True, tag="rampo.RemoveShooter"):
    """The pit boss takes the dice from a repeated offender: *les dés changent de main*."""

    seat: SeatNo
    reason: Text


# -- events: chips ------------------------------------------------------------------------------------------------
class ColourGiven(GameEvent, frozen=True, kw_only=True, tag="rampo.ColourGiven"):
    """A player who sat down got chips of a colour, each worth `chip_value` cents until the marker says otherwise."""

    seat: int
    colour: str
    chip_value: int


class ColourReturned(GameEvent, frozen=True, kw_only=True, tag="rampo.ColourReturned"):
    """A player has left: the colour waits for the next one to arrive."""

    seat: int
    colour: str


class ChipValueSet(GameEvent, frozen=True, kw_only=True, tag="rampo.ChipValueSet"):
    """The marker gives a player's chips this value, in cents."""

    seat: int
    chip_value: int


# -- events: the dice ---------------------------------------------------------------------------------------------
class DiceOffered(GameEvent, frozen=True, kw_only=True, tag="rampo.DiceOffered"):
    """The croupier passes the dice to a player, who is the shooter from now on; to nobody when no one is left."""

    seat: int | None
    why: Why


class DiceRefused(GameEvent, frozen=True, kw_only=True, tag="rampo.DiceRefused"):
    """The shooter refused the dice."""

    seat: int


class ShooterRemoved(GameEvent, frozen=True, kw_only=True, tag="rampo.ShooterRemoved"):
    """*Les dés changent de main*: the pit boss took the dice from the shooter."""

    seat: int
    by: str
    reason: str
    irregular_throws: int
    """Irregular throws of this shooter since the dice were offered."""


class DiceChanged(GameEvent, frozen=True, kw_only=True, tag="rampo.DiceChanged"):
    """*Les dés changent*: this pair is in play now, as the shooter asked, or because a die of the other broke (RA7)."""

    pair: Pair
    why: Literal["asked", "broken"]


class DiceThrown(GameEvent, frozen=True, kw_only=True, tag="rampo.DiceThrown"):
    """The dice are thrown and the RNG is asked; by the timer when the shooter did not act in time."""

    seat: int
    by: Literal["shooter", "timer"]


class ThrowAnnulled(GameEvent, frozen=True, kw_only=True, tag="rampo.ThrowAnnulled"):
    """*Coup nul*: the throw was irregular, it counts for nothing and is repeated with the same stakes."""

    throw: int
    seat: int
    fault: Fault
    by: str


class NumberThrown(GameEvent, frozen=True, kw_only=True, tag="rampo.NumberThrown"):
    """A valid throw: its number and colour are announced."""

    seat: int
    """The shooter's."""
    faces: tuple[int, int]
    number: int
    colour: str
    rampo: bool
    """True when it repeats the number for which stakes lie in the rampo zone."""


# -- events: the rampo --------------------------------------------------------------------------------------------
class RampoOffered(GameEvent, frozen=True, kw_only=True, tag="rampo.RampoOffered"):
    """Each of these seats holds the winning number and may try the rampo; silence until `due_ms` is no (RA8)."""

    number: int
    seats: tuple[int, ...]


class RampoAnswered(GameEvent, frozen=True, kw_only=True, tag="rampo.RampoAnswered"):
    """A player has decided to try, or not."""

    seat: int
    tries: bool


class ZoneSet(GameEvent, frozen=True, kw_only=True, tag="rampo.ZoneSet"):
    """What lies in the rampo zone from now on: the stakes, by seat, of those who try that `number` comes again."""

    number: int
    """0 when the zone is empty."""
    stakes: dict[int, int]
