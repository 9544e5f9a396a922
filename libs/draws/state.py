"""What the RNG remembers: the draws of the last coups of each table's current session; the log has the others."""

import msgspec

from libs.kernel import buckets
from libs.kernel.buckets import Buckets
from libs.kernel.contracts.rng import Drawn, SealedDrawn
from libs.kernel.ids import split_draw_id
from libs.kernel.limits import DRAW_COUPS_REMEMBERED


class DrawDefect(Exception):
    """One of our own services did what cannot be: no draw is made, the command is parked."""


class TableDraws(msgspec.Struct, frozen=True, gc=False):
    """The remembered draws of one table's current session, by coup and name."""

    session: int
    newest: int
    """The highest coup with a draw."""
    coups: dict[int, dict[str, Drawn | SealedDrawn]] = {}

    @property
    def forgotten(self) -> int:
        """The highest coup whose draws are no longer answered."""
        return self.newest - DRAW_COUPS_REMEMBERED


class DrawsState(msgspec.Struct, frozen=True, gc=False):
    """One volume of the draws. Encodes to the same JSON wherever the same events are folded."""

    book: str
    opened: bool = False
    """False until the volume has its first event."""
    tables: Buckets[TableDraws] = buckets.empty()
    """By `pit/table`."""
    table_count: int = 0


def initial(book: str) -> DrawsState:
    """Return the draws before the first event."""
    return DrawsState(book=book)


def remember(state: DrawsState, event: Drawn) -> DrawsState:
    """Return the state with one more draw, without the ones that it pushes out."""
    path, session, coup, name = split_draw_id(event.draw_id)
    known = buckets.find(state.tables, path)
    if known is None or known.session != session:
        # A table's new session asks nothing about the session before: its coups are over.
        table = TableDraws(session=session, newest=coup, coups={coup: {name: event}})
    else:
        table = TableDraws(session=session, newest=max(known.newest, coup), coups=_kept(known, coup, name, event))
    return msgspec.structs.replace(
        state,
        tables=buckets.put(state.tables, {path: table}),
        table_count=state.table_count + (known is None),
    )


def _kept(known: TableDraws, coup: int, name: str, event: Drawn) -> dict[int, dict[str, Drawn | SealedDrawn]]:
    coups = {**known.coups, coup: {**known.coups.get(coup, {}), name: event}}
    coups.pop(coup - DRAW_COUPS_REMEMBERED, None)
    if len(coups) <= DRAW_COUPS_REMEMBERED:
        return coups
    floor = max(known.newest, coup) - DRAW_COUPS_REMEMBERED
    return {number: draws for number, draws in coups.items() if number > floor}
