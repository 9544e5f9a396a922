"""The simulation of `make odds` plays as a table plays."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from libs.kernel.game import Paid
from libs.table import messages as m
from libs.table.state import hosted, round_of
from tests.kit.given import CROUPIER, DECISION_MS, GivenTable, opening, player
from tests.odds.coups import Draws, Remembered, Values, counted
from tests.odds.host import METER, Moment, Play, Table
from tests.odds.run import run
from tests.odds.trials import TRIALS, rappel

REMEMBERED = [
    pytest.param(one, id=f"{game}-{place}")
    for game in sorted(set(TRIALS) - {"rappel"})
    for place, one in enumerate(TRIALS[game]())
]
KINDS = [rappel.Kind(players, others) for players in (2, 5) for others in ("stay", "called", "passed")]
COUPS = 12


def drawn(draws: Draws, now: Moment) -> Values:
    """Return what a waiting coup draws."""
    assert now.asked is not None
    return draws.values(now.coup, now.asked.name, now.asked.bounds)


def played(play: Play, draws: Draws, first: Values | None) -> tuple[list[Values], tuple[Paid, ...]]:
    """Play a coup from its wagers to its end, the first draw given or drawn; return all draws and what was paid."""
    seen: list[Values] = []
    now = play.start()
    while now.asked is not None:
        seen.append(first if first and not seen else drawn(draws, now))
        now = play.go_on(now, seen[-1])
    return seen, now.paid


def at_a_table(table: Table, paytable: str, values: Iterator[Values]) -> tuple[Paid, ...]:
    """Play the same coup in a session of a real table, by commands, answers of the RNG, and ticks."""
    given = GivenTable().given_open(
        opening(
            paytable,
            game=table.game,
            minimum=table.minimum,
            seats=len(table.stakes),
            float_amount=METER,
            options=dict(table.options),
        )
    )
    for seat in table.stakes:
        given.given_seated(seat, credit=METER)
    given.given_wagers(*((seat, spot, cents) for seat, laid in table.stakes.items() for spot, cents in laid.items()))
    given.given(m.CloseBetting(), by=CROUPIER)
    while True:
        if given.state.draws:
            given.given_drawn(*next(values))
        elif given.state.phase == "settled":
            if not any(_held(given, seat) for seat in table.stakes):
                break
            given.given(m.OpenBetting(), by=CROUPIER).given(m.CloseBetting(), by=CROUPIER)
        elif (said := table.speak(round_of(given.state, given.now_ms))) is not None:
            given.given(said[1], by=player(said[0]))
        else:
            given.later(DECISION_MS)
    lines = [line for event in given.only(m.CoupSettled) for line in _settled(event).wagers]
    return tuple(Paid(line.seat, line.spot, line.stake, line.credit, line.step) for line in lines)


def _held(given: GivenTable, seat: int) -> int:
    game, _, state = hosted(given.state)
    return game.held(state, seat)


def _settled(event: Any) -> m.CoupSettled:
    assert isinstance(event, m.CoupSettled)
    return event


@pytest.mark.parametrize("remembered", REMEMBERED)
def test_a_coup_ends_as_at_a_table(remembered: Remembered) -> None:
    """With the same draws a session of a table settles the same lines, in the same order, to the cent."""
    trial, draws = remembered.trial, Draws("test", 1)
    for paytable in trial.table.rules.paytables:
        play = Play(trial.table, paytable)
        for number in range(1, COUPS + 1):
            draws.begin(number)
            first = trial.given[number % len(trial.given)] if trial.given else None
            seen, paid = played(play, draws, first)
            assert at_a_table(trial.table, paytable, iter(seen)) == paid


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.players}-{kind.others}")
def test_a_game_of_the_rappel_ends_as_at_a_table(kind: rappel.Kind) -> None:
    """With the same dice a session of a table settles what was settled without a word, to the cent."""
    table, draws = kind.table(), Draws("test", 1)
    play = Play(table, rappel.PAYTABLE)
    for number in range(1, COUPS + 1):
        draws.begin(number)
        seen: list[Values] = []
        now = play.start()
        while now.asked is not None:
            seen.append(kind.values(draws, now.asked.name, now.asked.bounds))
            now = play.go_on(now, seen[-1])
        assert rappel.played_at_once(kind, play, draws) == now.paid
        assert at_a_table(table, rappel.PAYTABLE, iter(seen)) == now.paid


def test_what_is_told_apart_decides_a_game_of_the_rappel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are told apart by nothing are settled the same to the cent when each is played word by word."""
    monkeypatch.setattr(rappel, "WHOLE_EVERY", 1)
    tally = counted(rappel.counting(), Draws("test", 3), range(1, 101))
    assert {counts.total() for counts in tally.values()} == {100}


@pytest.mark.parametrize("remembered", REMEMBERED)
def test_what_is_remembered_is_what_would_be_played(remembered: Remembered) -> None:
    """Counting remembered coups gives the same as playing every single one."""
    trial, draws, coups = remembered.trial, Draws("test", 2), range(1, 61)
    singly: Counter[object] = Counter()
    for paytable in trial.table.rules.paytables:
        play = Play(trial.table, paytable)
        for number in coups:
            draws.begin(number)
            for first in trial.given or (None,):
                for wager, back in trial.watched(play.terms, played(play, draws, first)[1]):
                    singly[paytable, wager, back] += 1
    tally = counted([Remembered(trial)], draws, coups)
    together = {(*wager, back): times for wager, counts in tally.items() for back, times in counts.items()}
    assert singly == together


def test_processes_change_nothing() -> None:
    """The same seed gives the same figures, however many processes share the coups."""
    alone, shared = (dict(run(["wheel", "rappel"], 1, 500, jobs)) for jobs in (1, 2))
    assert alone == shared
