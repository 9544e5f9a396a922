"""What the RNG remembers: the draws of the last coups of each table's current session; the log has the others."""

import msgspec

from libs.kernel import buckets
from libs.kernel.buckets import Buckets
from libs.kernel.contracts.rng import Drawn, SealedDrawn
from libs.kernel.ids import split_draw_id
from libs.kernel.limits import DRAW_COUPS_REMEMBERED


class DrawDefect(Exception):
    """One of our own services did what cannot be: no draw is made, the command is parked."""


_BLOCK_BITS = 4
"""Coups are kept in blocks of 16: one more draw copies its block and the row of blocks, not all that is remembered."""

Coup = dict[str, Drawn | SealedDrawn]
"""The draws of one coup by name. Never written into."""

_NO_BLOCK: dict[int, Coup] = {}
_NO_DRAWS: Coup = {}


class TableDraws(msgspec.Struct, frozen=True, gc=False):
    """The remembered draws of one table's current session."""

    session: int
    newest: int
    """The highest coup with a draw."""
    blocks: dict[int, dict[int, Coup]] = {}
    """By number of the block, then by coup. The oldest block may hold coups that are forgotten already."""

    @property
    def forgotten(self) -> int:
        """The highest coup whose draws are no longer answered."""
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
        table = TableDraws(session, newest, _with(_kept(known.blocks, coup, newest), coup, name, event))
    tables = buckets.put_leaf(state.tables, number, {**leaf, path: table})
    return DrawsState(state.book, state.opened, tables, state.table_count + (known is None))


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
