"""What Le Jeu du Rappel remembers of a game, and what follows from it: pot, level, order of the word."""

import msgspec

from libs.games.rappel.messages import Decided, Stage
from libs.games.rappel.paytables import BEST_DIE, NATURAL, die_of
from libs.kernel.game import GameState


class Entrant(msgspec.Struct, frozen=True):
    """One player's part in a game. Money in cents."""

    jet_1: int = 0
    """0 before the roll."""
    declined: bool = False
    """The rappel was offered and declined, or could not be paid."""
    tried: bool = False
    rappel: int = 0
    """The roll of the attempt; 0 before it."""
    out: bool = False
    spoken: bool = False
    """Has said something in the betting round; a successful rappel says enough (GA7)."""
    raised: bool = False
    bets: int = 0
    """Paid in the betting round."""
    jet_2: int = 0

    @property
    def made(self) -> bool:
        """Tell whether the rappel succeeded."""
        return self.rappel == NATURAL

    @property
    def die(self) -> int:
        """Faces of the die for JET 2; 0 when there is none (a 1 without a rappel)."""
        return BEST_DIE if self.made else die_of(self.jet_1)

    @property
    def standing(self) -> bool:
        """Tell whether the player is in: has a die and has not passed."""
        return not self.out and self.die > 0

    @property
    def rank(self) -> int:
        """What the order of the word goes by: JET 1, a successful rappel as 20."""
        return NATURAL if self.made else self.jet_1


class RappelState(GameState, frozen=True, tag="rappel"):
    """The running game, or the last one of the session. Money in cents."""

    coup: int = 0
    """The coup that is this game; 0 before the first."""
    stage: Stage = "none"
    base: int = 0
    entrants: dict[int, Entrant] = {}
    """By seat, ascending."""
    turn: int | None = None
    """The seat whose word is awaited."""
    last_spoke: int | None = None
    """The seat that spoke last in the betting round."""
    called: bool = False
    """True from a successful rappel until somebody has spoken after it: it is announced."""
    cocked: int | None = None
    """The seat whose die did not lie flat and is thrown again."""
    decided: Decided | None = None

    # -- money ----------------------------------------------------------------------------------------------------
    @property
    def fees(self) -> int:
        """All entry fees."""
        return self.base * len(self.entrants)

    @property
    def rappel_stake(self) -> int:
        """What an attempt costs: the sum of the antes (GA2)."""
        return self.base * len(self.entrants)

    @property
    def pot(self) -> int:
        """Antes, rappels and bets."""
        antes = self.base * len(self.entrants)
        return antes + sum(self.rappel_paid(seat) + one.bets for seat, one in self.entrants.items())

    def rappel_paid(self, seat: int) -> int:
        """Return what a seat has engaged for its attempt."""
        return self.rappel_stake if self.entrants[seat].tried else 0

    def engaged(self, seat: int) -> int:
        """Return what counts towards the level: a successful rappel and bets, not a failed one (GA5, GA8)."""
        one = self.entrants[seat]
        return one.bets + (self.rappel_stake if one.made else 0)

    @property
    def level(self) -> int:
        """The highest amount engaged by one player (GA8)."""
        return max((self.engaged(seat) for seat in self.entrants), default=0)

    def to_pay(self, seat: int) -> int:
        """Return what a seat lacks to the level."""
        return self.level - self.engaged(seat)

    # -- the order of the word ------------------------------------------------------------------------------------
    @property
    def standing(self) -> tuple[int, ...]:
        """The seats that are in, ascending."""
        return tuple(seat for seat, one in self.entrants.items() if one.standing)

    @property
    def order(self) -> tuple[int, ...]:
        """All seats of the game, weakest first, equals by seat (GA12)."""
        return tuple(sorted(self.entrants, key=lambda seat: (self.entrants[seat].rank, seat)))

    @property
    def rolling(self) -> tuple[int, ...]:
        """The seats whose dice roll now, ascending."""
        match self.stage:
            case "jet_1":
                return tuple(self.entrants)
            case "rappel":
                return tuple(seat for seat, one in self.entrants.items() if one.tried and not one.rappel)
            case "jet_2":
                return self.standing
            case _:
                return ()

    def is_last_in(self, seat: int) -> bool:
        """Tell whether a seat is in and nobody else can be any more: he has won and is not asked (GA13)."""
        others_out = all(one.out for other, one in self.entrants.items() if other != seat)
        return self.entrants[seat].standing and others_out

    def next_to_try(self) -> int | None:
        """Return the seat that the rappel must be offered to next, None when all have answered (GA3)."""
        for seat in self.order:
            one = self.entrants[seat]
            answered = one.declined or one.tried
            if not answered and one.jet_1 != NATURAL and not self.is_last_in(seat):
                return seat
        return None

    def next_to_speak(self) -> int | None:
        """Return the seat whose word is next in the betting round, None when all who are in have matched (GA9)."""
        order = self.order
        start = order.index(self.last_spoke) + 1 if self.last_spoke is not None else 0
        for seat in (*order[start:], *order[:start]):
            one = self.entrants[seat]
            if one.standing and (not one.spoken or self.to_pay(seat)):
                return seat
        return None
