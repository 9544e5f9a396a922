"""Millions of coups: what they draw, and how often each wager gave back how much.

A coup is a function of what it draws, so the rules play it once for every different draw and the result is remembered;
each coup that draws the same counts as often as it comes.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from libs.draws.mapping import draw
from libs.kernel.game import AskDraw, Paid
from libs.kernel.ids import draw_id
from libs.kernel.terms import Terms
from tests.odds.host import Moment, Play, Table

Values = tuple[int, ...]

Result = tuple[str, str, Fraction]
"""Paytable, wager, and what the wager gave back per unit staked."""

Tally = dict[tuple[str, str], Counter[Fraction]]
"""How often each return came, by paytable and wager."""


class Draws:
    """The integers that the RNG would draw for the coups of a game: the same for the same seed and number, for ever."""

    def __init__(self, game: str, seed: int) -> None:
        self._game, self._entropy = game, seed.to_bytes(32, "big")
        self._drawn: dict[tuple[int, str, Values], Values] = {}
        self.number = 0
        """Which coup of the run it is; in the id of its draws it is the session."""

    def begin(self, number: int) -> None:
        """Begin another coup."""
        self.number, self._drawn = number, {}

    def values(self, coup: int, name: str, bounds: tuple[int, ...]) -> Values:
        """Return what is drawn under this name: the same at every table that asks in this coup for as much."""
        drawn = self._drawn.get((coup, name, bounds))
        if drawn is None:
            label = draw_id("odds", self._game, self.number, coup, name)
            drawn = self._drawn[coup, name, bounds] = draw(self._entropy, label, bounds)
        return drawn


class Counting(Protocol):
    """Wagers that are placed again and again."""

    def count(self, draws: Draws) -> None:
        """Play a coup."""

    def counted(self) -> Iterable[tuple[Result, int]]:
        """Return each result and how often it came."""


def whole(values: Values) -> Hashable:
    """Return all that was drawn."""
    return values


@dataclass(frozen=True)
class Trial:
    """A table whose wagers are watched."""

    table: Table
    watched: Callable[[Terms, tuple[Paid, ...]], Iterator[tuple[str, Fraction]]]
    """The wagers among the lines of a settlement, with what each gave back per unit staked."""
    part: Callable[[Values], Hashable] = whole
    """The part of a draw that decides the watched wagers."""
    given: tuple[Values, ...] = ()
    """First draws that are not drawn but given, each at a table of its own; all tables draw the same after it."""

    def start(self, play: Play) -> Iterator[Moment]:
        """Yield where each table waits for its first draw that is not given."""
        start = play.start()
        yield from (play.go_on(start, values) for values in self.given) if self.given else (start,)


@dataclass
class _Waiting:
    """A coup before a draw, at each table, and what it came to for every draw that has come so far."""

    moments: tuple[Moment, ...]
    coup: int
    asked: AskDraw
    after: dict[Hashable, "_Waiting | int"] = field(default_factory=dict)


class Remembered:
    """A trial under all paytables of its game, every different coup played once."""

    def __init__(self, trial: Trial) -> None:
        self.trial, self._part = trial, trial.part
        plays = [Play(trial.table, paytable) for paytable in trial.table.rules.paytables]
        started = [(play, moment) for play in plays for moment in trial.start(play)]
        self._plays = [play for play, _ in started]
        self._numbers: dict[tuple[Result, ...], int] = {}
        self._counts: list[int] = []
        self._root = self._seen(tuple(moment for _, moment in started))

    def count(self, draws: Draws) -> None:
        """Play a coup, or remember it."""
        now = self._root
        while isinstance(now, _Waiting):
            values = draws.values(now.coup, now.asked.name, now.asked.bounds)
            seen = self._part(values)
            after = now.after.get(seen)
            if after is None:
                after = now.after[seen] = self._seen(
                    tuple(play.go_on(moment, values) for play, moment in zip(self._plays, now.moments, strict=True))
                )
            now = after
        self._counts[now] += 1

    def counted(self) -> Iterator[tuple[Result, int]]:
        """Return each result and how often it came."""
        for results, number in self._numbers.items():
            for result in results:
                yield result, self._counts[number]

    def _seen(self, moments: tuple[Moment, ...]) -> "_Waiting | int":
        """Return what a coup waits for, or the number of what it has come to."""
        first = moments[0]
        assert {(first.coup, first.asked)} == {(moment.coup, moment.asked) for moment in moments}
        if first.asked is not None:
            return _Waiting(moments, first.coup, first.asked)
        results = tuple(self._results(moments))
        if results not in self._numbers:
            self._numbers[results] = len(self._counts)
            self._counts.append(0)
        return self._numbers[results]

    def _results(self, moments: tuple[Moment, ...]) -> Iterator[Result]:
        for play, moment in zip(self._plays, moments, strict=True):
            for wager, back in self.trial.watched(play.terms, moment.paid):
                yield play.terms.paytable, wager, back


def counted(counting: Iterable[Counting], draws: Draws, numbers: range) -> Tally:
    """Play the coups of these numbers and return how often each return of each wager came."""
    counting = list(counting)
    for number in numbers:
        draws.begin(number)
        for one in counting:
            one.count(draws)
    return added((result, times) for one in counting for result, times in one.counted())


def added(results: Iterable[tuple[Result, int]]) -> Tally:
    """Add up results by wager."""
    found: Tally = defaultdict(Counter)
    for (paytable, wager, back), times in results:
        found[paytable, wager][back] += times
    return dict(found)
