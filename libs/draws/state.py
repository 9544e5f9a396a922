"""What the RNG remembers: draws and seeds of the last coups of each table's current session; the log has the others."""

from typing import TypeVar

import msgspec

from libs.kernel import buckets
from libs.kernel.buckets import Buckets
from libs.kernel.contracts.rng import Drawn, SealedDrawn, SeedGivenUp, SeedRevealed, SeedSealed
from libs.kernel.ids import split_draw_id, split_seed_id
from libs.kernel.limits import DRAW_COUPS_REMEMBERED


class DrawDefect(Exception):
    """One of our own services did what cannot be: no draw is made, the command is parked."""


_BLOCK_BITS = 4
"""Coups are kept in blocks of 16: one more fact copies its block and the row of blocks, not all that is remembered."""

Coup = dict[str, Drawn | SealedDrawn]
"""The draws of one coup by name. Never written into."""

Seed = SeedSealed | SeedRevealed | SeedGivenUp
"""What is known of a coup's seed: the last fact about it. Only a `SeedSealed` may still be drawn from."""

V = TypeVar("V", Coup, Seed)

Blocks = dict[int, dict[int, V]]
"""Something of each coup: by number of the block, then by coup. The oldest block may hold forgotten coups too."""

_NO_DRAWS: Coup = {}


class TableDraws(msgspec.Struct, frozen=True, gc=False):
    """The remembered draws and seeds of one table's current session."""

    session: int
    newest: int
    """The highest coup with a draw or a seed."""
    draws: Blocks[Coup] = {}
    seeds: Blocks[Seed] = {}

    @property
    def forgotten(self) -> int:
        """The highest coup about which nothing is answered any more."""
        return self.newest - DRAW_COUPS_REMEMBERED

    def of_coup(self, coup: int) -> Coup:
        """Return the draws of a coup by name."""
        block = self.draws.get(coup >> _BLOCK_BITS)
        return block.get(coup, _NO_DRAWS) if block else _NO_DRAWS

    def seed_of(self, coup: int) -> Seed | None:
        """Return what is known of the seed of a coup."""
        block = self.seeds.get(coup >> _BLOCK_BITS)
        return block.get(coup) if block else None


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
    number = buckets.leaf_number(path)
    leaf = buckets.leaf(state.tables, number)
    known = leaf.get(path)
    if known is None or known.session != session:
        # A table's new session asks nothing about the session before: its coups are over.
        table = TableDraws(session, coup, _with({}, coup, coup, {name: event}))
    else:
        newest = max(known.newest, coup)
        draws = _with(known.draws, coup, newest, {**known.of_coup(coup), name: event})
        table = TableDraws(session, newest, draws, known.seeds)
    tables = buckets.put_leaf(state.tables, number, {**leaf, path: table})
    return DrawsState(state.book, state.opened, tables, state.table_count + (known is None))


def remember_seed(state: DrawsState, event: Seed) -> DrawsState:
    """Return the state with what a coup's seed has become, without the ones that it pushes out."""
    path, session, coup = split_seed_id(event.seed_id)
    number = buckets.leaf_number(path)
    leaf = buckets.leaf(state.tables, number)
    known = leaf.get(path)
    if known is None or known.session != session:
        table = TableDraws(session, coup, seeds=_with({}, coup, coup, event))
    else:
        newest = max(known.newest, coup)
        table = TableDraws(session, newest, known.draws, _with(known.seeds, coup, newest, event))
    tables = buckets.put_leaf(state.tables, number, {**leaf, path: table})
    return DrawsState(state.book, state.opened, tables, state.table_count + (known is None))


def seed_of(state: DrawsState, path: str, session: int, coup: int) -> Seed | None:
    """Return what is known of the seed of a coup of a table (`pit/table`)."""
    table = buckets.find(state.tables, path)
    return table.seed_of(coup) if table is not None and table.session == session else None


def unrevealed(state: DrawsState) -> tuple[SeedSealed, ...]:
    """Return all seeds that may still be drawn from."""
    return tuple(
        seed
        for _, table in buckets.items(state.tables)
        for block in table.seeds.values()
        for coup, seed in block.items()
        if isinstance(seed, SeedSealed) and coup > table.forgotten
    )


def _with(blocks: Blocks[V], coup: int, newest: int, content: V) -> Blocks[V]:
    """Return a copy of the blocks with one content; where a new block begins, without those that are forgotten."""
    number = coup >> _BLOCK_BITS
    block = blocks.get(number)
    if block is not None:
        return {**blocks, number: {**block, coup: content}}
    oldest = (newest - DRAW_COUPS_REMEMBERED + 1) >> _BLOCK_BITS
    kept = {one: block for one, block in blocks.items() if one >= oldest}
    kept[number] = {coup: content}
    return kept
