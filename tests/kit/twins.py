"""Twin evenings that differ in one hidden value: what everybody sees must be the same until that value is shown.

An evening is written down as it is played. Where something sealed arrives, the same evening is played again with one
value of it another, word for word. What its feed, boards and answers say must not differ before an event that says the
value itself: the card, not its colour, nor a sum, nor how long somebody thought.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from libs.games import GAMES
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import SealedDrawn
from libs.kernel.decider import Accepted, Already, Decision
from libs.kernel.messages import Command, Event
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import board_of, seat_of
from libs.table.react import react
from libs.table.state import TableState
from tests.kit.given import GivenTable

RECEIVED = (m.SealedDrawReceived, o.SealedOutcomeRecorded)
"""How something sealed arrives; a secret event of the game says what it means."""


@dataclass(frozen=True, slots=True)
class Line:
    """One word of an evening, and what came of it."""

    before: TableState
    now_ms: int
    said: Command
    by: Actor
    told: bytes
    """Everything that anybody may know of it."""
    events: tuple[Event, ...]


class WrittenTable(GivenTable):
    """A table whose evening is written down."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Line] = []

    def when(self, command: Command, by: Actor = SYSTEM) -> Decision:
        """Decide, and write down what everybody may know of it."""
        before, decision = self.state, super().when(command, by)
        events = decision.events if isinstance(decision, Accepted) else ()
        self.lines.append(Line(before, self.now_ms, command, by, self.told(decision), events))
        return decision

    def told(self, decision: Decision) -> bytes:
        """Return what is public: answer and feed, the board, each player's own seat, and what is asked of others."""
        said: object = decision
        if isinstance(decision, Accepted | Already):
            said = [event for event in decision.events if not event.secret]
        seats = [seat_of(self.state, player) for player in self.state.places]
        return msgspec.json.encode([said, board_of(self.state), seats, react(self.state)])

    def again(self, line: Line, said: Command | None = None) -> Line:
        """Say the same, or something else, at the same time; return what came of it here."""
        self.now_ms = line.now_ms
        self.when(said or line.said, line.by)
        return self.lines[-1]


def twin_of(line: Line) -> WrittenTable:
    """Return a table as it was before this line."""
    twin = WrittenTable()
    twin.state, twin.volumes, twin.rng_answers = line.before, [[]], False
    return twin


def sealed_lines(lines: list[Line]) -> list[int]:
    """Return where something sealed has arrived that the game could use."""
    return [
        place
        for place, line in enumerate(lines)
        if any(isinstance(event, RECEIVED) for event in line.events)
        and not any(isinstance(event, m.CoupVoided) for event in line.events)
    ]


def altered(line: Line, game: str, chance: Random) -> Command:
    """Return what was said in this line with one of its hidden values another."""
    said = line.said
    if isinstance(said, Answered):
        (drawn,) = said.events
        assert isinstance(drawn, SealedDrawn)
        place = chance.randrange(len(drawn.values))
        values = (*drawn.values[:place], chance.randrange(drawn.bounds[place]), *drawn.values[place + 1 :])
        return replace(said, events=(replace(drawn, values=values),))
    assert isinstance(said, o.RecordOutcome)
    assert said.faces is not None
    place = chance.randrange(len(said.faces))
    face = GAMES[game].face(said.name, chance.randrange(line.before.awaited[said.name].bounds[place]))
    return replace(said, faces=(*said.faces[:place], face, *said.faces[place + 1 :]))


# -- what differs -------------------------------------------------------------------------------------------------
Pairs = set[tuple[bytes, bytes]]


def hidden_difference(one: Line, other: Line) -> Pairs:
    """Return the hidden values that differ between two lines; none unless the game has one thing hidden differently."""
    if [type(event) for event in one.events] != [type(event) for event in other.events]:
        return set()
    pairs: Pairs = set()
    in_the_game = 0
    for event, twin in zip(one.events, other.events, strict=True):
        if event.secret:
            found = list(_unlike(msgspec.to_builtins(event), msgspec.to_builtins(twin)))
            pairs |= set(found)
            in_the_game += 0 if isinstance(event, RECEIVED) else len(found)
    return pairs if in_the_game == 1 else set()


def _unlike(one: Any, other: Any) -> Iterator[tuple[bytes, bytes]]:
    """Yield the values that differ between two messages, as JSON."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from _unlike(one[key], other[key])
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for left, right in zip(one, other, strict=True):
            yield from _unlike(left, right)
    elif one != other:
        yield msgspec.json.encode(one), msgspec.json.encode(other)


def says_itself(one: Line, other: Line, hidden: Pairs) -> bool:
    """Tell whether the first public event that differs says the hidden value outright, on either side its own."""
    for event, twin in zip(one.events, other.events, strict=False):
        if not event.secret and event != twin:
            return bool(hidden & set(_unlike(msgspec.to_builtins(event), msgspec.to_builtins(twin))))
    return False
