"""Le Jeu du Rappel by two to eight players: all stay, or seat 1 has rolled a 1 and tries the rappel.

Each coup is played at twenty-one tables with the same dice: by each number of players, in each of three ways. Fewer
players roll the first of the dice that eight roll, since a draw of fewer dice is the beginning of a draw of more.
The rules judge and settle a game once for all that is told apart here: who is in, who has rolled highest, and whether
that is a 1, a 20 or between. One coup in some thousands is played by the rules from the first word to the last at every
table, and must be settled the same to the cent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from msgspec.structs import replace

from libs.games.rappel.messages import Follow, TryRappel
from libs.games.rappel.paytables import BEST_DIE, ENTRY, JET_1_FACES, MAXIMUM_PLAYERS, MINIMUM_PLAYERS, NATURAL, die_of
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

WHOLE_EVERY = 5_000
"""Of so many coups one is played whole."""

Others = Literal["stay", "called", "passed"]
"""What the game is about: all stay; seat 1 tries the rappel, and a success is called by all, or by nobody."""

WAYS: tuple[Others, ...] = ("stay", "called", "passed")

Entrants = dict[int, Entrant]
"""By seat, ascending."""

Deciding = tuple[int, int, int]
"""What decides a game: a bit for each seat that is in, one for each that rolled highest, and that roll if 1 or 20."""

Credits = tuple[int, int]
"""What seat 1 and all together get back, in cents."""


def counting() -> "list[Games]":
    """Return what is played."""
    return [Games()]


class Games:
    """Game after game, at all tables."""

    def __init__(self) -> None:
        self._tables = [_Watched(Kind(players, others)) for others in WAYS for players in SIZES]

    def count(self, draws: Draws) -> None:
        """Play a coup at every table."""
        whole = draws.number % WHOLE_EVERY == 0
        for table, deciding in zip(self._tables, told_apart(draws), strict=True):
            table.count(deciding, draws)
            if whole:
                table.check(deciding, draws)

    def counted(self) -> Iterator[tuple[Result, int]]:
        """Return each result and how often it came."""
        for table in self._tables:
            yield from table.counted()


class _Watched:
    """A table, and how often its games were decided in each way."""

    def __init__(self, kind: "Kind") -> None:
        self._kind, self._play = kind, Play(kind.table(), PAYTABLE)
        self._credits: dict[Deciding, Credits] = {}
        self._times: dict[Deciding, int] = {}

    def count(self, deciding: Deciding, draws: Draws) -> None:
        if deciding in self._times:
            self._times[deciding] += 1
        else:
            self._credits[deciding] = credits_of(played_at_once(self._kind, self._play, draws))
            self._times[deciding] = 1

    def check(self, deciding: Deciding, draws: Draws) -> None:
        paid = played_whole(self._kind, self._play, draws)
        assert paid == played_at_once(self._kind, self._play, draws), f"coup {draws.number} ends otherwise when whole"
        assert credits_of(paid) == self._credits[deciding], (
            f"coup {draws.number} is decided by more than was told apart"
        )

    def counted(self) -> Iterator[tuple[Result, int]]:
        for deciding, times in self._times.items():
            returns = self._kind.returns(self._credits[deciding])
            for wager, back in zip(self._kind.wagers, returns, strict=True):
                yield (PAYTABLE, wager, back), times


def told_apart(draws: Draws) -> Iterator[Deciding]:
    """Yield what decides a coup: when all stay, and when an attempt is called or passed; each by number of players."""
    firsts = [value + 1 for value in draws.values(1, JET_1, (JET_1_FACES,) * MAXIMUM_PLAYERS)]
    dice = [die_of(first) for first in firsts]
    yield from decidings(dice, draws)
    if rolled_rappel(draws) < NATURAL:
        failed = decidings([0, *dice[1:]], draws)
        yield from failed * 2
    else:
        yield from decidings([BEST_DIE, *dice[1:]], draws)
        yield from decidings([BEST_DIE] + [0] * (MAXIMUM_PLAYERS - 1), draws)


def decidings(dice: Sequence[int], draws: Draws) -> list[Deciding]:
    """Return, by number of players, what decides a game in which seats have these dice for JET 2, 0 for none."""
    rolls = iter(draws.values(1, JET_2, tuple([die for die in dice if die])))
    found, inside, highest, best = [], 0, 0, 0
    for seat, die in enumerate(dice, start=1):
        if die:
            bit, roll = 1 << seat, next(rolls) + 1
            inside |= bit
            if roll >= best:
                highest, best = highest | bit if roll == best else bit, roll
        if seat >= MINIMUM_PLAYERS:
            found.append((inside, highest, best if best in {1, NATURAL} else 0))
    return found


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
        roll = rolled_rappel(draws)
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


def rolled_rappel(draws: Draws) -> int:
    """Return the roll of the attempt by seat 1."""
    return draws.values(1, f"{ATTEMPT}1", (JET_1_FACES,))[0] + 1


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


def credits_of(paid: Sequence[Paid]) -> Credits:
    """Return what seat 1 and all together got back."""
    return sum(line.credit for line in paid if line.seat == 1), sum(line.credit for line in paid)


def settled(play: Play, state: RappelState) -> tuple[Paid, ...]:
    """Return the settlement of a game in which all has been said and rolled."""
    return settle(state, judge(play.terms, state)).paid


def played_whole(kind: Kind, play: Play, draws: Draws) -> tuple[Paid, ...]:
    """Return the settlement of a game that is played word by word."""
    now = play.start()
    while now.asked is not None:
        now = play.go_on(now, kind.values(draws, now.asked.name, now.asked.bounds))
    return now.paid
