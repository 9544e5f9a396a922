"""A coup by a game's own rules, asked as a table session asks them, from the wagers to the settlement.

Nobody speaks but whom a trial lets speak: everything else happens by the time-outs, which every game has. A coup is a
function of what it draws, so it is played up to the next draw, waits there as a `Moment`, and goes on with its values.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from libs.games import GAMES
from libs.kernel.actors import Actor
from libs.kernel.game import AskDraw, Charge, Game, GameState, Note, Paid, Proposal, Round, RoundPhase, Settle, Steps
from libs.kernel.messages import Command
from libs.kernel.terms import Terms

METER = 10**9
"""Cents on every meter: no wager is refused for want of chips."""

Stakes = dict[int, dict[str, int]]
"""Cents by seat and spot."""

Speak = Callable[[Round[Any]], tuple[int, Command] | None]
"""What a seat says when its game awaits somebody: seat and command, None for silence."""


@dataclass(frozen=True)
class Table:
    """Who sits at a table of a game, what they stake in every coup, and what they say."""

    game: str
    minimum: int
    stakes: Stakes
    options: Mapping[str, int]
    speak: Speak

    def terms(self, paytable: str) -> Terms:
        """Return the terms of a session with this paytable; the game must accept them."""
        game = self.rules
        proposal = Proposal(self.minimum, "rng", len(self.stakes), dict(self.options), METER, paytable)
        assert game.check_terms(proposal) is None, f"{self.game} refuses the terms of {paytable}"
        return Terms(
            game=game.name,
            rules_version=game.rules_version,
            paytable=paytable,
            gains=game.paytables[paytable].gains,
            edges={},
            minimum=self.minimum,
            maxima=game.maxima(proposal),
            seats=len(self.stakes),
            source="rng",
            betting_ms=1,
            decision_ms=1,
            options=dict(self.options),
        )

    @property
    def rules(self) -> Game[Any]:
        """The game."""
        return GAMES[self.game]

    @property
    def players(self) -> dict[int, str]:
        """The player of each seat."""
        return {seat: f"player-{seat}" for seat in self.stakes}


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a coup waits for a draw, or what it has come to."""

    state: GameState
    stakes: Stakes
    coup: int
    due_ms: int | None = None
    asked: AskDraw | None = None
    """The draw that is awaited; None when everything is settled."""
    settled: bool = False
    paid: tuple[Paid, ...] = ()
    """The settlement of the coup, and of a later one that decides what the game held."""


class Play:
    """One coup after the other at a table, under one paytable; each is the first of a session of its own."""

    def __init__(self, table: Table, paytable: str) -> None:
        self.table, self.terms = table, table.terms(paytable)
        self._game, self._players = table.rules, table.players
        self._credits = dict.fromkeys(self._players, METER)

    def start(self) -> Moment:
        """Open a session, seat the players, take their wagers, and go on to the first draw."""
        now = Moment(self._game.begin({}), {}, coup=0)
        for seat in self._players:
            now = self._taken(now, self._game.on_seated(self._round(now, "between"), seat))
        return self._coup(replace(now, coup=1), self.table.stakes)

    def go_on(self, now: Moment, values: tuple[int, ...]) -> Moment:
        """Hand the game what it has asked for, and go on to its next draw or to the end."""
        assert now.asked is not None, "everything is settled"
        steps = self._game.on_draw(self._round(now), now.asked.name, values)
        return self._played(replace(now, asked=None), steps)

    def _coup(self, now: Moment, stakes: Stakes) -> Moment:
        """*Faites vos jeux*, the wagers, *rien ne va plus*."""
        now = self._taken(now, self._game.on_open(self._round(now, "betting")))
        for seat, spots in stakes.items():
            laid: dict[str, int] = {}
            for spot, amount in spots.items():
                refusal = self._game.check_wager(self.terms, now.state, seat, laid, spot, amount)
                assert refusal is None, refusal
                laid[spot] = amount
        now = replace(now, stakes=stakes)
        lock = self._game.on_lock(self._round(now))
        return self._played(replace(now, due_ms=lock.due_ms), lock.steps)

    def _played(self, now: Moment, steps: Steps) -> Moment:
        """Take steps, then those that follow when somebody speaks or the time is up, until a draw or the end."""
        now = self._taken(now, steps)
        while now.asked is None and not now.settled:
            now = self._taken(now, self._said(now))
        if now.settled and any(self._game.held(now.state, seat) for seat in self._players):
            # What is held for a later coup is decided by the next one; nobody wagers anew.
            return self._coup(replace(now, coup=now.coup + 1, settled=False), {})
        return now

    def _said(self, now: Moment) -> Steps:
        asked = self._round(now)
        said = self.table.speak(asked)
        if said is None:
            return self._game.on_due(asked)
        seat, command = said
        steps = self._game.on_command(asked, command, Actor(self._players[seat], "player"))
        assert isinstance(steps, tuple), steps
        return steps

    def _taken(self, now: Moment, steps: Steps) -> Moment:
        """Take a game's steps as a table does."""
        for step in steps:
            match step:
                case Note(event):
                    now = replace(now, state=self._game.evolve(now.state, event), due_ms=event.due_ms)
                case AskDraw():
                    now = replace(now, asked=step)
                case Charge(seat, spot, amount):
                    of_seat = now.stakes[seat]
                    more = {**of_seat, spot: of_seat.get(spot, 0) + amount}
                    now = replace(now, stakes={**now.stakes, seat: more})
                case Settle():
                    staked, paid_for = sum(map(total, now.stakes.values())), sum(line.stake for line in step.paid)
                    assert staked == paid_for, "the game did not settle every stake, to the cent"
                    now = replace(now, stakes={}, settled=True, paid=(*now.paid, *step.paid))
                case _:
                    raise TypeError(f"not a step of a coup in which nothing goes wrong: {step}")
        return now

    def _round(self, now: Moment, phase: RoundPhase = "locked") -> Round[Any]:
        return Round(
            terms=self.terms,
            state=now.state,
            coup=now.coup,
            phase=phase,
            final=False,
            players=self._players,
            stakes=now.stakes,
            credits=self._credits,
            now_ms=0,
            due_ms=now.due_ms,
        )


def total(of_seat: Mapping[str, int]) -> int:
    """Return all that a seat has staked, in cents."""
    return sum(of_seat.values())


def silent(_: Round[Any]) -> None:
    """Say nothing."""
