"""Count every stake of every game from the log, one by one: each ends exactly once, those held for a later coup too."""

from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeAlias, TypeVar

from libs.eventlog.api import EventLog
from libs.eventlog.chain import decode_record
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import split_stream
from libs.kernel.messages import Event
from libs.runtime.kinds import PIT
from libs.table.interruption_messages import StakesReleased
from libs.table.messages import (
    BettingOpened,
    CoupSettled,
    CoupVoided,
    SessionOpened,
    WagerPlaced,
    WagerTakenBack,
)
from libs.table.state import TableState, hosted

Place = TypeVar("Place")
Stakes: TypeAlias = Counter[tuple[int, str]]
"""Cents by seat and spot."""


@dataclass
class Count:
    """What was seen of one game."""

    wagers: int = 0
    charged: int = 0
    """Of these, stakes taken after *rien ne va plus*: raises, attempts."""
    ended: Counter[str] = field(default_factory=Counter)
    """Coups by how they ended: `settled`, `void`."""
    held: int = 0
    """Stakes that were held for a later coup and then ended."""


async def every_stake_ends_once(log: EventLog, pit: str) -> dict[str, Count]:
    """Follow each stake of a pit from its wager to its end; return what was seen, by game."""
    counts: dict[str, Count] = defaultdict(Count)
    for stream in sorted(await log.heads(pit), key=split_stream):
        book = split_stream(stream)[0]
        session = _Session(stream, PIT.decider.initial(book), counts)
        events = [pair async for pair in _events(log, pit, stream)]
        # The events of one decision stand together: what they do to a stake is judged as a whole.
        for _, decision in groupby(events, key=lambda pair: pair[0].cause):
            session.take([event for _, event in decision])
    return dict(counts)


async def _events(log: EventLog, pit: str, stream: str) -> AsyncIterator[tuple[EventRecord, Event]]:
    async for page in log.load(pit, stream):
        for raw in page:
            record = decode_record(raw)
            yield record, PIT.codec.decode_event(bytes(record.body))


class _Session:
    """One session while it is read."""

    def __init__(self, stream: str, state: TableState, counts: dict[str, Count]) -> None:
        self._stream, self._state, self._counts = stream, state, counts
        self._game = ""
        self._stakes: Stakes = Counter()

    def take(self, decision: list[Event]) -> None:
        """Take the events of one decision."""
        held_before = self._held()
        ended: list[int] = []
        """Seats whose held stake ends here."""
        for event in decision:
            self._state = PIT.decider.evolve(self._state, event)
            self._take(event)
            if isinstance(event, CoupSettled | StakesReleased):
                ended += [line.seat for line in event.wagers if line.stake == 0]
        if self._game:
            self._compare_held(held_before, self._held(), Counter(ended))

    def _held(self) -> dict[int, int]:
        """Return what each seat has on the table for a later coup."""
        if self._state.terms is None:
            return {}
        game, _, state = hosted(self._state)
        return {seat: cents for seat in self._state.seats if (cents := game.held(state, seat))}

    def _compare_held(self, before: dict[int, int], after: dict[int, int], ended: Counter[int]) -> None:
        assert ended.keys() <= before.keys(), f"{self._stream}: nothing was held for {ended.keys() - before.keys()}"
        for seat, cents in before.items():
            if seat in ended:
                assert 1 == ended[seat], f"{self._stream}: the held stake of seat {seat} ends {ended[seat]} times"
                self._counts[self._game].held += 1
            else:
                assert cents == after.get(seat), f"{self._stream}: the held stake of seat {seat} is gone"

    def _take(self, event: Event) -> None:
        match event:
            case SessionOpened():
                self._game = event.game
            case BettingOpened():
                assert not +self._stakes, f"{self._stream}: {self._stakes} lie there when betting opens"
            case WagerPlaced():
                self._stakes[event.seat, event.spot] += event.amount
                self._counts[self._game].wagers += 1
                self._counts[self._game].charged += event.charged
            case WagerTakenBack():
                self._stakes[event.seat, event.spot] -= event.amount
            case CoupSettled():
                lines = [((line.seat, line.spot), line.stake) for line in event.wagers if line.stake]
                assert len(dict(lines)) == len(lines), f"{self._stream}: coup {event.coup} settles a stake twice"
                self._end("settled", event.coup, dict(lines), +self._stakes)
            case CoupVoided():
                placed: Counter[int] = Counter()
                for (seat, _), cents in self._stakes.items():
                    placed[seat] += cents
                assert all(result.staked == result.credited for result in event.seats)
                self._end("void", event.coup, {result.seat: result.staked for result in event.seats}, +placed)
            case _:
                pass

    def _end(self, how: str, coup: int, said: dict[Place, int], placed: Counter[Place]) -> None:
        assert dict(placed) == said, f"{self._stream}: coup {coup} is {how}: {said}, staked were {dict(placed)}"
        self._stakes.clear()
        self._counts[self._game].ended[how] += 1
