"""The messages that Le Jeu du Rappel adds to a table session. Their tags are the storage format. Money in cents."""

from typing import Annotated, Literal

import msgspec

from libs.kernel.contracts.wallet import SeatNo
from libs.kernel.game import GameEvent
from libs.kernel.limits import MAX_CENTS
from libs.kernel.messages import Command

CoupNo = Annotated[int, msgspec.Meta(ge=1)]

Level = Annotated[int, msgspec.Meta(ge=0, le=MAX_CENTS)]
"""What every player still in must have engaged in the betting round, in cents (`level` on the board)."""

Stage = Literal["none", "jet_1", "rappel", "bets", "jet_2", "over"]
"""Where a game is: before the first one, the dice of JET 1 roll, attempts, the betting round, JET 2 rolls, decided."""

By = Literal["player", "timer", "meter"]
"""Who settled a decision: the player, the time-out, or a credit meter that does not hold the rappel stake (GA11)."""

Decided = Literal["nobody", "lone", "ones", "double", "win", "tie"]
"""Which rule decided: nobody in, one left before JET 2, all ones, a double rappel, one highest roll, several."""


# -- commands: a player's in his own turn, and one of the staff ---------------------------------------------
class TryRappel(Command, frozen=True, kw_only=True, tag="rappel.TryRappel"):
    """Engage the rappel stake (the sum of the antes) and roll: a 20 plays a d20, anything else is out (GA2, GA5)."""

    coup: CoupNo | None = None
    """The game that is meant, when the sender says it; in another game the command is refused. So in all commands."""


class Decline(Command, frozen=True, kw_only=True, tag="rappel.Decline"):
    """Do not try the rappel; who has rolled a 1 thereby passes (GA4). It is final (GA3)."""

    coup: CoupNo | None = None


class Follow(Command, frozen=True, kw_only=True, tag="rappel.Follow"):
    """Pay up to the level (*suivre*); nothing to pay is *parole*."""

    level: Level
    """The level that the player has seen and agrees to: one that has grown since is not paid unawares."""
    coup: CoupNo | None = None


class Raise(Command, frozen=True, kw_only=True, tag="rappel.Raise"):
    """Pay up to the level and the base stake on top (*relancer*), once per player (GA10)."""

    level: Level
    """The level that the player has seen, before his raise."""
    coup: CoupNo | None = None


class Pass(Command, frozen=True, kw_only=True, tag="rappel.Pass"):
    """Leave the game in the betting round; all that was paid stays in the pot (*passer*)."""

    coup: CoupNo | None = None


class CallCocked(Command, frozen=True, kw_only=True, tag="rappel.CallCocked"):
    """The staff calls a die that does not lie flat: *coup nul*, the same die is thrown again (GA21)."""

    seat: SeatNo
    """Whose die it is."""
    coup: CoupNo | None = None


# -- events -------------------------------------------------------------------------------------------------------
class GameStarted(GameEvent, frozen=True, kw_only=True, tag="rappel.GameStarted"):
    """Two players or more have paid fee and ante: the dice of JET 1 roll."""

    base: int
    seats: tuple[int, ...]
    rappel_stake: int
    """What an attempt costs in this game: players x base (GA2)."""


class FirstRolled(GameEvent, frozen=True, kw_only=True, tag="rappel.FirstRolled"):
    """JET 1: each player's d20, by seat."""

    rolls: dict[int, int]


class WordGiven(GameEvent, frozen=True, kw_only=True, tag="rappel.WordGiven"):
    """It is a player's turn, until `due_ms`."""

    stage: Literal["rappel", "bets"]
    seat: int
    to_pay: int
    """The rappel stake, or what is missing to the level."""


class RappelDeclined(GameEvent, frozen=True, kw_only=True, tag="rappel.RappelDeclined"):
    """A player does not try the rappel, or cannot."""

    seat: int
    by: By
    out: bool
    """True when the player has rolled a 1 and is out with it."""


class RappelTried(GameEvent, frozen=True, kw_only=True, tag="rappel.RappelTried"):
    """A player has engaged the rappel stake; the die rolls."""

    seat: int
    stake: int


class RappelRolled(GameEvent, frozen=True, kw_only=True, tag="rappel.RappelRolled"):
    """The die of an attempt: 20 succeeds, anything else is out."""

    seat: int
    roll: int
    made: bool


class Followed(GameEvent, frozen=True, kw_only=True, tag="rappel.Followed"):
    """A player matches the level; `paid` is 0 for *parole*."""

    seat: int
    paid: int
    by: By


class Raised(GameEvent, frozen=True, kw_only=True, tag="rappel.Raised"):
    """A player has paid up to the level and the base stake on top."""

    seat: int
    paid: int
    level: int
    """The new level."""


class Passed(GameEvent, frozen=True, kw_only=True, tag="rappel.Passed"):
    """A player has left the game."""

    seat: int
    by: By


class BetsMatched(GameEvent, frozen=True, kw_only=True, tag="rappel.BetsMatched"):
    """*Rien ne va plus*: everybody still in has spoken and matched the level; JET 2 rolls."""

    dice: dict[int, int]
    """Faces of the die of each seat still in."""


class SecondRolled(GameEvent, frozen=True, kw_only=True, tag="rappel.SecondRolled"):
    """JET 2: the roll of each seat still in."""

    rolls: dict[int, int]


class DieCocked(GameEvent, frozen=True, kw_only=True, tag="rappel.DieCocked"):
    """A die did not lie flat; it is thrown again, and nothing else changes."""

    seat: int
    by: str


class PotDecided(GameEvent, frozen=True, kw_only=True, tag="rappel.PotDecided"):
    """What becomes of pot and fees: credits + bank = pot + fees, always."""

    decided: Decided
    pot: int
    fees: int
    rake: int
    """10 % of the pot, rounded down, when somebody wins without a double rappel."""
    credits: dict[int, int]
    """By seat, winners only."""
    bank: int
    """All that the house keeps: fees, rake, and a pot that nobody has won."""
