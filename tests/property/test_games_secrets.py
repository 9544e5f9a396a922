"""Nobody can learn what is not public yet: evenings that differ in it alone are alike until it is shown (law 10)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from libs.games import GAMES
from libs.kernel.actors import Actor
from libs.kernel.game import Game, RoundPhase, Show
from libs.kernel.messages import Command
from tests.kit.evening import Evening
from tests.kit.frugal import frugal, make_rows_once
from tests.kit.twins import WrittenTable, altered, hidden_difference, says_itself, sealed_lines, twin_of

pytestmark = pytest.mark.usefixtures("rows_made_once")

SEEN = "something that is hidden can be told from another"
STEPS = 25
TWINS = 6
"""How many twins of an evening are tried for each thing that arrives sealed."""


@pytest.fixture
def rows_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are looked at after every word."""
    make_rows_once(monkeypatch)


def evening(game: str, chance: Random) -> WrittenTable:
    """Play an evening and write it down."""
    table = WrittenTable()
    played = Evening(game, chance, table)
    for _ in range(STEPS):
        chance.choice([played.go_on] * 6 + [played.disturb])(chance)
    return table


def twin_differs_only_when_shown(game: str, table: WrittenTable, place: int, chance: Random) -> str:
    """Play a twin that differs in one hidden value: return whether that was `shown`, `never` was, or is `none`."""
    one = table.lines[place]
    twin, said = twin_of(one), altered(one, game, chance)
    other = twin.again(one, said)
    hidden = hidden_difference(one, other)
    if not hidden:
        return "none"
    assert one.told == other.told, SEEN
    for line in table.lines[place + 1 :]:
        # Whoever knows what is hidden says it again as it is there, and contradicts it there as here.
        # In another coup the same words are about something else.
        here = line.before.coup == one.before.coup
        swapped = said if line.said == one.said else one.said if line.said == said else None
        again = twin.again(line, swapped if here else None)
        if line.told != again.told:
            assert says_itself(line, again, hidden), f"{SEEN}: {line.told!r} is not {again.told!r}"
            return "shown"
    return "never"


@pytest.mark.parametrize("game", GAMES)
def test_what_is_hidden_makes_no_difference(game: str) -> None:
    """Feed, answers, boards, seats and orders of twins are the same, byte for byte, until an event says the value."""
    found: Counter[str] = Counter()

    @settings(max_examples=20, deadline=None)
    @given(chance=st.integers(0, 2**32 - 1).map(Random))
    def twins(chance: Random) -> None:
        table = evening(game, chance)
        for place in sealed_lines(table.lines):
            for _ in range(TWINS):
                found[twin_differs_only_when_shown(game, table, place, chance)] += 1

    twins()
    has_secrets = any(kind.secret for kind in GAMES[game].events)
    assert has_secrets == bool(found["shown"]) == bool(found["never"])
    if not has_secrets:
        assert {} == found, "something arrives sealed, and the game has no secret event that says what it means"


# -- leaks that must be found -------------------------------------------------------------------------------------
def leaky_show(game: Game[Any]) -> Game[Any]:
    """Let the board tell how many letters the names of the hidden cards have."""

    def show(state: Any, coup: int, phase: RoundPhase) -> Show:
        shown = game.show(state, coup, phase)
        return structs.replace(shown, facts=shown.facts | {"hint": len(repr(state))})

    return replace(game, show=show)


def leaky_time(game: Game[Any]) -> Game[Any]:
    """Let the croupier think longer when the burnt card has more letters."""

    def on_draw(r: Any, name: str, values: tuple[int, ...]) -> Any:
        return game.on_draw(replace(r, now_ms=r.now_ms + values[0]), name, values)

    return replace(game, on_draw=on_draw)


def leaky_turn(game: Game[Any]) -> Game[Any]:
    """Let the croupier take longer to turn a card when the last one is a joker."""

    def on_command(r: Any, command: Command, actor: Actor) -> Any:
        longer = "JOKER" in r.state.face_down[1:]
        return game.on_command(replace(r, now_ms=r.now_ms + longer), command, actor)

    return replace(game, on_command=on_command)


@pytest.mark.parametrize("leaky", [leaky_show, leaky_time, leaky_turn])
def test_a_leak_is_found(leaky: Callable[[Game[Any]], Game[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """What depends on a hidden card, on the board or in a deadline, is found though no card is named."""
    leaking = frugal(leaky(GAMES["paire_poker"]))
    monkeypatch.setattr("libs.table.state.GAMES", {**GAMES, "paire_poker": leaking})

    def search() -> None:
        for number in range(100):
            chance = Random(number)
            table = evening("paire_poker", chance)
            for place in sealed_lines(table.lines):
                for _ in range(TWINS):
                    twin_differs_only_when_shown("paire_poker", table, place, chance)

    with pytest.raises(AssertionError, match=SEEN):
        search()
