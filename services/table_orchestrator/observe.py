"""Count the metrics of the tables from the same events that are logged."""

import time
from collections.abc import Sequence

from libs.kernel.messages import Event
from libs.runtime import metrics
from libs.runtime.deciding import Book
from libs.table.interruption_messages import StakesReleased
from libs.table.messages import CoupSettled, CoupVoided
from libs.table.state import IN_SESSION, TableState


class TableMetrics:
    """The observer of a pit: sessions, coups, money, and when each table last had an event."""

    def __call__(self, _shard: str, events: Sequence[tuple[str, Event]], books: dict[str, Book]) -> None:
        """Take in what was just appended."""
        for table, event in events:
            # Most events are wagers: they must cost no more than these questions.
            if isinstance(event, CoupSettled):
                game = _game(books, table)
                metrics.coups.labels(table, game, "settled").inc()
                metrics.stakes.labels(game).inc(sum(seat.staked for seat in event.seats) / 100)
                metrics.credits_paid.labels(game).inc(sum(seat.credited for seat in event.seats) / 100)
            elif isinstance(event, StakesReleased):
                metrics.credits_paid.labels(_game(books, table)).inc(sum(seat.credited for seat in event.seats) / 100)
            elif isinstance(event, CoupVoided):
                metrics.coups.labels(table, _game(books, table), "voided").inc()
        touched = {table for table, _ in events}
        for table in touched:
            metrics.table_last_event.labels(table).set(time.time())
        for table in touched or books:
            state: TableState = books[table].state
            metrics.session_open.labels(table, _game(books, table)).set(1 if state.phase in IN_SESSION else 0)
            metrics.postings_owed.labels(table).set(len(state.owed))


def _game(books: dict[str, Book], table: str) -> str:
    state: TableState = books[table].state
    return state.terms.game if state.terms else "none"
