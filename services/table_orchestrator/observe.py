"""Count the metrics of the tables from the same events that are logged."""

import time
from collections.abc import Sequence

from libs.kernel.messages import Event
from libs.runtime import metrics
from libs.runtime.logs import log as logger
from libs.runtime.plan import Book
from libs.table.interruption_messages import StakesReleased
from libs.table.messages import CoupSettled, CoupVoided
from libs.table.seeds import DrawsNotRevealed, SeedMismatched
from libs.table.state import IN_SESSION, TableState

_COUNTED = frozenset({CoupSettled, StakesReleased, CoupVoided, DrawsNotRevealed, SeedMismatched})


class TableMetrics:
    """The observer of a pit: sessions, coups, money, and when each table last had an event."""

    def __init__(self) -> None:
        self._said: dict[str, set[tuple[str, str]]] = {}
        """Tables, with their game, of which something was said, by shard."""

    def __call__(self, shard: str, events: Sequence[tuple[str, Event]], books: dict[str, Book]) -> None:
        """Take in what was just appended, or, without books, that the shard is ours no longer."""
        said = self._said.setdefault(shard, set())
        if not books:
            # A gauge that stays behind would speak against that of the new owner.
            for table, game in said:
                metrics.session_open.labels(table, game).set(0)
                metrics.postings_owed.labels(table).set(0)
                metrics.draws_mistrusted.labels(table).set(0)
            said.clear()
            return
        for table, event in events:
            # Most events are wagers: they must cost no more than this question.
            if type(event) not in _COUNTED:
                continue
            _count(table, event, books[table].state)
        of, now_s = metrics.labelled, time.time()
        touched = {table for table, _ in events}
        for table in touched:
            of(metrics.table_last_event, table).set(now_s)
        for table in touched or books:
            state: TableState = books[table].state
            game = _game(state)
            said.add((table, game))
            of(metrics.session_open, table, game).set(1 if state.phase in IN_SESSION else 0)
            of(metrics.postings_owed, table).set(len(state.owed))
            of(metrics.draws_mistrusted, table).set(1 if state.mistrusted else 0)
            of(metrics.seeds_lost, table)


def _count(table: str, event: Event, state: TableState) -> None:
    game = _game(state)
    match event:
        case CoupSettled():
            metrics.coups.labels(table, game, "settled").inc()
            metrics.stakes.labels(game).inc(sum(seat.staked for seat in event.seats) / 100)
            metrics.credits_paid.labels(game).inc(sum(seat.credited for seat in event.seats) / 100)
        case StakesReleased():
            metrics.credits_paid.labels(game).inc(sum(seat.credited for seat in event.seats) / 100)
        case CoupVoided():
            metrics.coups.labels(table, game, "voided").inc()
        case DrawsNotRevealed():
            metrics.seeds_lost.labels(table).inc()
        case SeedMismatched():
            logger().error("a revealed seed does not fit its commitment", table=table, coup=event.coup)


def _game(state: TableState) -> str:
    return state.terms.game if state.terms else "none"
