"""What a table still waits on from others, as a function of its state (law 6): draws, their seeds, and postings."""

from itertools import islice

from libs.kernel.contracts.rng import RequestDraw
from libs.kernel.contracts.wallet import PostFromTable
from libs.kernel.decider import Outgoing
from libs.kernel.ids import DRAWS, LEDGER, RNG_SHARD, WALLET_SHARD, again_id, posting_id
from libs.kernel.limits import OWED_POSTINGS_SENT
from libs.table import seeds
from libs.table.state import TableState, WantedDraw


def react(state: TableState) -> tuple[Outgoing, ...]:
    """Return the orders for draws, what is asked about seeds, and the oldest unconfirmed postings."""
    asked = tuple(seeds.owed(state))
    if not state.draws and not state.owed:
        return asked
    seeded = state.terms is not None and state.terms.seeded
    draws = (_order(draw_id, wanted, seeded=seeded) for draw_id, wanted in state.draws.items())
    postings = (
        Outgoing(
            posting_id(state.table, state.session, number),
            WALLET_SHARD,
            LEDGER,
            PostFromTable(table=state.table, session=state.session, number=number, reason=owed.reason, legs=owed.legs),
        )
        for number, owed in islice(state.owed.items(), OWED_POSTINGS_SENT)
    )
    return (*draws, *asked, *postings)


def _order(draw_id: str, wanted: WantedDraw, *, seeded: bool) -> Outgoing:
    again = wanted.held_up is not None
    order = RequestDraw(draw_id=draw_id, bounds=wanted.bounds, sealed=wanted.sealed, again=again, seeded=seeded)
    return Outgoing(again_id(draw_id) if again else draw_id, RNG_SHARD, DRAWS, order)


def deadline(state: TableState) -> int | None:
    """Return when the table wants a `Tick`: the end of betting, of an awaited decision or of an awaited outcome."""
    if not state.awaited:
        return state.due_ms
    first = min(wanted.due_ms for wanted in state.awaited.values())
    return first if state.due_ms is None else min(first, state.due_ms)
