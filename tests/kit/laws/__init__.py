"""What must hold at a table after every word that anybody says: laws of every game, and of each in its own module.

A game's module, found by the game's name, has a function `laws(table, board)`; it may be without one.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import msgspec

from libs.kernel.limits import SEEDS_UNREVEALED
from libs.runtime.proofs import Proofs
from libs.table.board import Board, board_of
from libs.table.react import deadline
from libs.table.state import hosted
from tests.kit.given import GivenTable, money_is_conserved

Laws = Callable[[GivenTable, Board], None]


def laws(table: GivenTable) -> None:
    """Not a cent is made or lost, the board can be shown and names nobody, and the game's own laws hold."""
    money_is_conserved(table)
    board = board_of(table.state)
    assert b"player-" not in msgspec.json.encode(board)
    somebody_is_awaited(table)
    nothing_is_left_behind(table)
    chance_was_promised(table)
    nobody_stakes_more_than_allowed(table)
    if table.state.terms is not None:
        own_laws(table.state.terms.game)(table, board)


def somebody_is_awaited(table: GivenTable) -> None:
    """A coup that runs waits for the RNG, or for somebody until a stated time: it cannot be forgotten."""
    running = table.state.phase in {"betting", "locked"}
    assert not running or table.state.draws or deadline(table.state) is not None


def nothing_is_left_behind(table: GivenTable) -> None:
    """Once a session has closed nothing waits for a later coup: nobody will ever play it."""
    if table.state.phase == "closed" and table.state.terms is not None:
        game, terms, game_state = hosted(table.state)
        assert [] == [seat for seat in range(1, terms.seats + 1) if game.held(game_state, seat)]


def chance_was_promised(table: GivenTable) -> None:
    """A coup of the RNG runs on a promise that still stands; few seeds are unknown; the log shows each in its order."""
    state = table.state
    if state.terms is None or not state.terms.seeded:
        assert {} == state.seeds
        return
    if state.phase in {"betting", "locked"}:
        assert state.coup in state.seeds
    assert max(state.seeds, default=0) <= state.coup + 1
    assert len(state.seeds) <= SEEDS_UNREVEALED + 3
    if state.phase == "closed":
        proofs = Proofs()
        coups = [proof for event in table.log for proof in proofs.see(event)]
        assert [] == [what for proof in (*coups, *proofs.rest()) for what in proof.irregular]


def nobody_stakes_more_than_allowed(table: GivenTable) -> None:
    """What was staked under a word of the ledger, void coups left out, is never more than it said."""
    for heard in table.state.allowances.values():
        assert 0 <= heard.in_coup <= heard.staked
        cents = heard.said.allowance.cents
        assert heard.staked <= (heard.staked if cents is None else cents)


@cache
def own_laws(game: str) -> Laws:
    """Return the laws of a game."""
    name = f"{__name__}.{game}"
    if find_spec(name) is None:
        return lambda _table, _board: None
    own: Laws = import_module(name).laws
    return own
