"""Le Jeu du Rappel by two to eight players: all stay, or seat 1 has rolled a 1 and tries the rappel.

The coups are shared evenly by all numbers of players and ways of playing.
Hardly two games draw the same dice, so nothing is remembered. The rules judge and settle every game; who is in and who
has called is written down directly, without offering every word to everybody. One game in a hundred is played by the
rules from the first word to the last, and must be settled the same to the cent.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from msgspec.structs import replace

from libs.games.rappel.messages import Follow, TryRappel
from libs.games.rappel.paytables import ENTRY, JET_1_FACES, MAXIMUM_PLAYERS, MINIMUM_PLAYERS, NATURAL
from libs.games.rappel.rules import ATTEMPT, JET_1, JET_2
from libs.games.rappel.settlement import judge, settle
from libs.games.rappel.state import Entrant, RappelState
from libs.kernel.game import Paid, Round
from libs.kernel.messages import Command
from tests.odds.coups import Draws, Result, Values, Wagers, wanted
from tests.odds.host import Play, Speak, Table, silent

PAYTABLE = "RAPPEL-AFFICHE"
BASE = 8_400
"""Cents. Nine tenths of it divide by 1 to 8: no split has an odd cent."""

WHOLE_EVERY = 100
"""Of so many games at a table one is played whole."""

Others = Literal["stay", "called", "passed"]
"""What the game is about: all stay; seat 1 tries the rappel, and a success is called by all, or by nobody."""

Credits = tuple[int, int]
"""What seat 1 and all together get back, in cents."""


def counting(wagers: Wagers) -> "list[Games]":
    """Return what is played for the sake of these wagers."""
    return [Games(wagers)]


class Games:
    """Game after game, each at the next of the tables."""

    def __init__(self, wagers: Wagers) -> None:
        kinds: tuple[Others, ...] = ("stay", "called", "passed")
        self._tables = [Kind(n, others) for others in kinds for n in range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1)]
        self._wanted = [wanted(wagers, kind.wagers) for kind in self._tables]
        self._plays = [Play(kind.table(), PAYTABLE) for kind in self._tables]
        self._counts: list[Counter[Credits]] = [Counter() for _ in self._tables]

    def count(self, draws: Draws) -> None:
        """Play a game, if the table whose turn it is has a wager that is wanted."""
        turn, place = divmod(draws.number, len(self._tables))
        if not self._wanted[place]:
            return
        kind, play = self._tables[place], self._plays[place]
        paid = played_at_once(kind, play, draws)
        if turn % WHOLE_EVERY == 0:
            assert played_whole(kind, play, draws) == paid, f"coup {draws.number} ends otherwise when played whole"
        mine = sum(line.credit for line in paid if line.seat == 1)
        self._counts[place][mine, sum(line.credit for line in paid)] += 1

    def counted(self) -> Iterator[tuple[Result, int]]:
        """Return each result and how often it came."""
        for kind, counts in zip(self._tables, self._counts, strict=True):
            for credits_, times in counts.items():
                for wager, back in zip(kind.wagers, kind.returns(credits_), strict=True):
                    yield (PAYTABLE, wager, back), times


@dataclass(frozen=True)
class Kind:
    """A table with so many players who all play alike."""

    players: int
    others: Others

    @property
    def wagers(self) -> tuple[str, ...]:
        """What is watched."""
        name = f"JOUEURS_{self.players}"
        return (name, f"{name} ENTREE") if self.others == "stay" else (f"{name} RAPPEL {self.others}",)

    def returns(self, credits_: Credits) -> tuple[Fraction, ...]:
        """Return what each wager gave back per unit staked."""
        mine, of_all = credits_
        entry, of_entries = Fraction(mine, 2 * BASE), Fraction(of_all, 2 * BASE * self.players)
        return (of_entries, entry) if self.others == "stay" else (Fraction(mine, BASE * self.players),)

    def table(self) -> Table:
        """Return it as a host knows it."""
        speak: Speak = {"stay": silent, "called": tries_and_is_called, "passed": tries}[self.others]
        return Table("rappel", BASE, {seat: {ENTRY: 2 * BASE} for seat in range(1, self.players + 1)}, {}, speak)

    def values(self, draws: Draws, name: str, bounds: tuple[int, ...]) -> Values:
        """Return what is drawn; who tries the rappel has rolled a 1, and so speaks first."""
        values = draws.values(1, name, bounds)
        return (0, *values[1:]) if name == JET_1 and self.others != "stay" else values

    def rolled(self, draws: Draws) -> RappelState:
        """Return a game in which all has been said and rolled."""
        jets = self.values(draws, JET_1, (JET_1_FACES,) * self.players)
        # Who has rolled a 1 and does not try passes (GA4).
        entrants = {seat: Entrant(jet_1=value + 1, out=value == 0) for seat, value in enumerate(jets, start=1)}
        if self.others != "stay":
            entrants |= self._after_the_attempt(entrants, self.values(draws, f"{ATTEMPT}1", (JET_1_FACES,))[0] + 1)
        state = RappelState(base=BASE, entrants=entrants)
        standing = state.standing
        if len(standing) < MINIMUM_PLAYERS:
            return state
        values = self.values(draws, JET_2, tuple(entrants[seat].die for seat in standing))
        seconds = {seat: replace(entrants[seat], jet_2=v + 1) for seat, v in zip(standing, values, strict=True)}
        return replace(state, entrants={**entrants, **seconds})

    def _after_the_attempt(self, entrants: dict[int, Entrant], roll: int) -> dict[int, Entrant]:
        made = roll == NATURAL
        first = {1: Entrant(jet_1=1, tried=True, rappel=roll, out=not made)}
        if not made:
            return first
        stake, inside = BASE * self.players, {seat: one for seat, one in entrants.items() if not one.out}
        if self.others == "passed":
            return first | {seat: replace(one, out=True) for seat, one in inside.items()}
        return first | {seat: replace(one, bets=stake) for seat, one in inside.items()}


def tries(r: Round[Any]) -> tuple[int, Command] | None:
    """Seat 1 tries the rappel; the others say nothing, which after a success is passing."""
    state: RappelState = r.state
    return (1, TryRappel()) if state.stage == "rappel" and state.turn == 1 else None


def tries_and_is_called(r: Round[Any]) -> tuple[int, Command] | None:
    """Seat 1 tries the rappel; after a success all others call."""
    state: RappelState = r.state
    if state.stage == "bets" and state.turn is not None and state.to_pay(state.turn):
        return state.turn, Follow(level=state.level)
    return tries(r)


def played_at_once(kind: Kind, play: Play, draws: Draws) -> tuple[Paid, ...]:
    """Return the settlement of a game in which nobody was asked for a word."""
    state = kind.rolled(draws)
    return settle(state, judge(play.terms, state)).paid


def played_whole(kind: Kind, play: Play, draws: Draws) -> tuple[Paid, ...]:
    """Return the settlement of a game that is played word by word."""
    now = play.start()
    while now.asked is not None:
        now = play.go_on(now, kind.values(draws, now.asked.name, now.asked.bounds))
    return now.paid
