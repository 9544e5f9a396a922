"""What the RNG remembers: draws and seeds of the last coups of each table's current session; the log has the others."""

import msgspec

from libs.kernel import buckets
from libs.kernel.buckets import Buckets
from libs.kernel.contracts.rng import Drawn, SealedDrawn, SeedGivenUp, SeedRevealed, SeedSealed
from libs.kernel.ids import split_draw_id, split_seed_id
from libs.kernel.limits import DRAW_COUPS_REMEMBERED


class DrawDefect(Exception):
    """One of our own services did what cannot be: no draw is made, the command is parked."""


_BLOCK_BITS = 4
"""Coups are kept in blocks of 16: one more draw copies its block and the row of blocks, not all that is remembered."""

Coup = dict[str, Drawn | SealedDrawn]
"""The draws of one coup by name. Never written into."""

Seed = SeedSealed | SeedRevealed | SeedGivenUp
"""What is known of a coup's seed: the last fact about it. Only a `SeedSealed` may still be drawn from."""

_NO_BLOCK: dict[int, Coup] = {}
_NO_DRAWS: Coup = {}


class TableDraws(msgspec.Struct, frozen=True, gc=False):
    """The remembered draws and seeds of one table's current session."""

    session: int
    newest: int
    """The highest coup with a draw or a seed."""
    blocks: dict[int, dict[int, Coup]] = {}
    """By number of the block, then by coup. The oldest block may hold coups that are forgotten already."""
    seeds: dict[int, Seed] = {}
    """By coup."""

    @property
    def forgotten(self) -> int:
        """The highest coup about which nothing is answered any more."""
        return self.newest - DRAW_COUPS_REMEMBERED

    def of_coup(self, coup: int) -> Coup:
        """Return the draws of a coup by name."""
        return self.blocks.get(coup >> _BLOCK_BITS, _NO_BLOCK).get(coup, _NO_DRAWS)


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
        table = TableDraws(session, coup, _with({}, coup, name, event))
    else:
        newest = max(known.newest, coup)
        table = TableDraws(session, newest, _with(_kept(known.blocks, coup, newest), coup, name, event), known.seeds)
    tables = buckets.put_leaf(state.tables, number, {**leaf, path: table})
    return DrawsState(state.book, state.opened, tables, state.table_count + (known is None))


def remember_seed(state: DrawsState, event: Seed) -> DrawsState:
    """Return the state with what a coup's seed has become, without the ones that it pushes out."""
    path, session, coup = split_seed_id(event.seed_id)
    known = buckets.find(state.tables, path)
    if known is None or known.session != session:
        table = TableDraws(session, coup, seeds={coup: event})
    else:
        newest = max(known.newest, coup)
        seeds = {**known.seeds, coup: event}
        seeds.pop(coup - DRAW_COUPS_REMEMBERED, None)
        if len(seeds) > DRAW_COUPS_REMEMBERED:
            floor = newest - DRAW_COUPS_REMEMBERED
            seeds = {number: seed for number, seed in seeds.items() if number > floor}
        table = TableDraws(session, newest, known.blocks, seeds)
    tables = buckets.put(state.tables, {path: table})
    return DrawsState(state.book, state.opened, tables, state.table_count + (known is None))


def seed_of(state: DrawsState, path: str, session: int, coup: int) -> Seed | None:
    """Return what is known of the seed of a coup of a table (`pit/table`)."""
    table = buckets.find(state.tables, path)
    return table.seeds.get(coup) if table is not None and table.session == session else None


def unrevealed(state: DrawsState) -> tuple[SeedSealed, ...]:
    """Return all seeds that may still be drawn from."""
    return tuple(
        seed
        for _, table in buckets.items(state.tables)
        for coup, seed in table.seeds.items()
        if isinstance(seed, SeedSealed) and coup > table.forgotten
    )


def _kept(blocks: dict[int, dict[int, Coup]], coup: int, newest: int) -> dict[int, dict[int, Coup]]:
    """Return a copy of the blocks; where a new one begins, without those that are forgotten as a whole."""
    if coup >> _BLOCK_BITS in blocks:
        return blocks.copy()
    oldest = (newest - DRAW_COUPS_REMEMBERED + 1) >> _BLOCK_BITS
    return {number: block for number, block in blocks.items() if number >= oldest}


def _with(blocks: dict[int, dict[int, Coup]], coup: int, name: str, event: Drawn) -> dict[int, dict[int, Coup]]:
    """Put one draw into blocks that are ours alone; the blocks themselves are shared, and replaced."""
    number = coup >> _BLOCK_BITS
    block = blocks.get(number, _NO_BLOCK)
    blocks[number] = {**block, coup: {**block.get(coup, _NO_DRAWS), name: event}}
    return blocks
