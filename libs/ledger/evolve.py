"""How facts change the ledger: balances become what the entries say. Nothing is computed, nothing refused (law 1)."""

from typing import Literal

from msgspec.structs import replace

from libs.kernel import buckets
from libs.kernel.buckets import Buckets
from libs.kernel.contracts.wallet import (
    BuyInPended,
    BuyInPosted,
    BuyInVoided,
    Deposited,
    Entry,
    LedgerOpened,
    TablePosted,
    Withdrawn,
)
from libs.kernel.messages import Event, tag_of
from libs.ledger.state import LedgerDefect, LedgerState, TablePostings, Transfer


def evolve(state: LedgerState, event: Event) -> LedgerState:
    """Return the state after one fact. The state given stays whole: new dicts are made for what changed."""
    match event:
        case TablePosted():
            postings = _posted(state.tables.get(event.table, TablePostings()), event)
            tables = {**state.tables, event.table: postings}
            return replace(state, balances=_after(state, event.entries), tables=tables)
        case Deposited() | Withdrawn():
            transfers = buckets.put(state.transfers, {event.transfer_id: Transfer(event, "posted")})
            return replace(state, balances=_after(state, event.entries), transfers=transfers)
        case BuyInPended():
            transfers = buckets.put(state.transfers, {event.transfer_id: Transfer(event, "pending")})
            pending = {**state.pending, event.transfer_id: event}
            return replace(state, balances=_after(state, event.entries), transfers=transfers, pending=pending)
        case BuyInPosted():
            return _resolved(state, event, "posted")
        case BuyInVoided():
            return _resolved(state, event, "voided")
        case LedgerOpened():
            return _opened(state, event)
        case _:
            raise LedgerDefect(f"the ledger knows no event {tag_of(event)}")


def _after(state: LedgerState, entries: tuple[Entry, ...]) -> Buckets[int]:
    return buckets.put(state.balances, {entry.account: entry.after for entry in entries})


def _posted(before: TablePostings, event: TablePosted) -> TablePostings:
    finished = before.finished
    if event.session != before.session and before.session:
        finished = {**finished, before.session: before.number}
    return TablePostings(session=event.session, number=event.number, last=event, finished=finished)


def _resolved(
    state: LedgerState, event: BuyInPosted | BuyInVoided, outcome: Literal["posted", "voided"]
) -> LedgerState:
    pended = state.pending[event.transfer_id]
    return replace(
        state,
        balances=_after(state, event.entries),
        transfers=buckets.put(state.transfers, {event.transfer_id: Transfer(pended, outcome)}),
        pending={key: waiting for key, waiting in state.pending.items() if key != event.transfer_id},
    )


def _opened(state: LedgerState, event: LedgerOpened) -> LedgerState:
    waiting = {pended.transfer_id: pended for pended in event.pending}
    return replace(
        state,
        opened=True,
        balances=buckets.put(state.balances, event.balances),
        transfers=buckets.put(state.transfers, {key: Transfer(p, "pending") for key, p in waiting.items()}),
        pending=waiting,
        tables={t.table: TablePostings(session=t.session, number=t.number) for t in event.tables},
    )
