"""Le Jeu du Rappel by two to eight players: all stay, or seat 1 has rolled a 1 and tries the rappel.

The seven numbers of players have their coups in turn; each coup is played in three ways with the same dice.
Hardly two games draw the same dice, so nothing is remembered. The rules judge and settle every game; who is in and who
has called is written down directly, without offering every word to everybody. One game in a thousand is played by the
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
from tests.odds.coups import Draws, Result, Values
from tests.odds.host import Play, Speak, Table, silent

PAYTABLE = "RAPPEL-AFFICHE"
BASE = 8_400
"""Cents. Nine tenths of it divide by 1 to 8: no split has an odd cent."""

SIZES = range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1)

WHOLE_EVERY = 1_000
"""Of so many games at a table one is played whole."""

Others = Literal["stay", "called", "passed"]
"""What the game is about: all stay; seat 1 tries the rappel, and a success is called by all, or by nobody."""

Entrants = dict[int, Entrant]
"""By seat, ascending."""

Credits = tuple[int, int]
"""What seat 1 and all together get back, in cents."""


def counting() -> "list[Games]":
    """Return what is played."""
    return [Games()]


class Games:
    """Game after game, at the tables whose turn it is."""

    def __init__(self) -> None:
        ways: tuple[Others, ...] = ("stay", "called", "passed")
        self._tables = [[Kind(players, others) for others in ways] for players in SIZES]
        self._plays = {kind: Play(kind.table(), PAYTABLE) for of_size in self._tables for kind in of_size}
        self._counts: dict[Kind, Counter[Credits]] = {kind: Counter() for kind in self._plays}

    def count(self, draws: Draws) -> None:
        """Play a coup at the tables whose turn it is."""
        turn, place = divmod(draws.number, len(SIZES))
        whole = turn % WHOLE_EVERY == 0
        first, before = first_rolled(SIZES[place], draws), Entrants()
        paid: tuple[Paid, ...] = ()
        for kind in self._tables[place]:
            play, entrants = self._plays[kind], kind.spoken(first, draws)
            if entrants != before:  # an attempt that has failed leads to the same game in both ways
                before, paid = entrants, settled(play, rolled(entrants, draws))
            if whole:
                assert played_whole(kind, play, draws) == paid, f"coup {draws.number} ends otherwise when played whole"
            mine = sum([line.credit for line in paid if line.seat == 1])
            self._counts[kind][mine, sum([line.credit for line in paid])] += 1

    def counted(self) -> Iterator[tuple[Result, int]]:
        """Return each result and how often it came."""
        for kind, counts in self._counts.items():
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

    def spoken(self, first: Entrants, draws: Draws) -> Entrants:
        """Return the players who have rolled once when all has been said."""
        if self.others == "stay":
            return first
        roll = draws.values(1, f"{ATTEMPT}1", (JET_1_FACES,))[0] + 1
        if roll < NATURAL:
            return first | {1: Entrant(jet_1=1, tried=True, rappel=roll, out=True)}
        stake = BASE * self.players
        said = {seat: self._answered(one, stake) for seat, one in first.items() if not one.out}
        return first | said | {1: Entrant(jet_1=1, tried=True, rappel=roll)}

    def _answered(self, one: Entrant, stake: int) -> Entrant:
        return replace(one, out=True) if self.others == "passed" else replace(one, bets=stake)


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
    return settled(play, rolled(kind.spoken(first_rolled(kind.players, draws), draws), draws))


def first_rolled(players: int, draws: Draws) -> Entrants:
    """Return the players after JET 1; who has rolled a 1 passes, but for one who tries the rappel (GA4)."""
    values = draws.values(1, JET_1, (JET_1_FACES,) * players)
    return {seat: Entrant(jet_1=value + 1, out=value == 0) for seat, value in enumerate(values, start=1)}


def rolled(entrants: Entrants, draws: Draws) -> RappelState:
    """Return a game in which those who are in have rolled again, unless there is but one."""
    dice = {seat: one.die for seat, one in entrants.items() if not one.out}
    if len(dice) >= MINIMUM_PLAYERS:
        values = draws.values(1, JET_2, tuple(dice.values()))
        seconds = {seat: replace(entrants[seat], jet_2=v + 1) for seat, v in zip(dice, values, strict=True)}
        entrants = entrants | seconds
    return RappelState(base=BASE, entrants=entrants)


def settled(play: Play, state: RappelState) -> tuple[Paid, ...]:
    """Return the settlement of a game in which all has been said and rolled."""
    return settle(state, judge(play.terms, state)).paid


def played_whole(kind: Kind, play: Play, draws: Draws) -> tuple[Paid, ...]:
    """Return the settlement of a game that is played word by word."""
    now = play.start()
    while now.asked is not None:
        now = play.go_on(now, kind.values(draws, now.asked.name, now.asked.bounds))
    return now.paid
