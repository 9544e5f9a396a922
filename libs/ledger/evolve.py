"""How facts change the ledger: balances become what the entries say. Nothing is computed, nothing refused (law 1)."""

from typing import Literal

from msgspec.structs import replace

from libs.kernel import buckets
from libs.kernel.contracts.wallet import (
    BuyInPended,
    BuyInPosted,
    BuyInVoided,
    Deposited,
    TablePosted,
    Withdrawn,
)
from libs.kernel.contracts.wallet_cards import CardBlocked, CardIssued, CardReplaced
from libs.kernel.contracts.wallet_days import (
    AllBroughtForward,
    BroughtForward,
    LedgerClosed,
    LedgerOpened,
    Transfer,
    TransferFact,
)
from libs.kernel.contracts.wallet_limits import (
    AllowanceDue,
    AllowanceHeard,
    Change,
    ExclusionLifted,
    LimitSet,
    Player,
    PlayerExcluded,
)
from libs.kernel.contracts.wallet_refusals import TransferRefused
from libs.kernel.contracts.wallet_requests import (
    OpenRequest,
    RequestApproved,
    RequestExpired,
    RequestPended,
    RequestPosted,
    RequestVoided,
)
from libs.kernel.contracts.wallet_transit import TransferReceived, TransfersDelivered
from libs.kernel.limits import SESSIONS_REMEMBERED
from libs.kernel.messages import Event, tag_of
from libs.ledger import cards
from libs.ledger.allowances import after_due, after_heard, visited, with_player
from libs.ledger.evolve_days import brought, moved, opened
from libs.ledger.players import changed, flowed, known_player
from libs.ledger.refused import counted
from libs.ledger.state import LedgerDefect, LedgerState, TablePostings
from libs.ledger.transit import after_delivery, after_receiving, after_sending


def evolve(state: LedgerState, event: Event) -> LedgerState:
    """Return the state after one fact. The state given stays whole: new dicts are made for what changed."""
    after = flowed(_evolve(state, event), event, state.pending)
    return replace(after, events=after.events + 1)


def _evolve(state: LedgerState, event: Event) -> LedgerState:
    match event:
        case TablePosted():
            postings = _posted(state.tables.get(event.table, TablePostings()), event)
            after = after_sending(moved(state, event.entries), event.sent)
            return replace(after, tables={**state.tables, event.table: postings})
        case Deposited() | Withdrawn():
            return _remembered(moved(state, event.entries), event, "posted")
        case TransferRefused():
            counts = buckets.put(state.refused, counted(event))
            return replace(_remembered(state, event, "refused"), refused=counts)
        case BuyInPended():
            pending = {**state.pending, event.transfer_id: event}
            table = state.tables.get(event.table, TablePostings())
            tables = {**state.tables, event.table: replace(table, buy_ins=event.number or table.buy_ins + 1)}
            after = _remembered(moved(state, event.entries), event, "pending")
            known = visited(known_player(state, event.player), event, state.day)
            return with_player(replace(after, pending=pending, tables=tables), event.player, known)
        case BuyInPosted():
            return _resolved(after_sending(state, event.sent), event, "posted")
        case BuyInVoided():
            return _resolved(state, event, "voided")
        case TransferReceived() | TransfersDelivered():
            return _evolve_transit(state, event)
        case CardIssued() | CardBlocked() | CardReplaced():
            return cards.after(state, event)
        case RequestPended() | RequestApproved() | RequestPosted() | RequestVoided() | RequestExpired():
            return _evolve_requests(state, event)
        case _:
            return _evolve_days_and_players(state, event)


def _evolve_transit(state: LedgerState, event: TransferReceived | TransfersDelivered) -> LedgerState:
    if isinstance(event, TransfersDelivered):
        return after_delivery(state, event)
    return after_receiving(moved(state, event.entries), event)


def _evolve_days_and_players(state: LedgerState, event: Event) -> LedgerState:
    match event:
        case BroughtForward():
            return brought(state, event)
        case AllBroughtForward():
            return replace(state, bringing=None)
        case LedgerClosed():
            return state
        case LedgerOpened():
            return opened(state, event)
        case LimitSet() | PlayerExcluded() | ExclusionLifted() | AllowanceDue() | AllowanceHeard():
            return with_player(state, event.player, _player_after(known_player(state, event.player), event, state.day))
        case _:
            raise LedgerDefect(f"the ledger knows no event {tag_of(event)}")


def _player_after(known: Player, event: Change | AllowanceDue | AllowanceHeard, today: str) -> Player:
    match event:
        case AllowanceDue():
            return after_due(known, event, today)
        case AllowanceHeard():
            return after_heard(known, event, today)
        case _:
            return changed(known, event)


_Requests = RequestPended | RequestApproved | RequestPosted | RequestVoided | RequestExpired


def _evolve_requests(state: LedgerState, event: _Requests) -> LedgerState:
    match event:
        case RequestPended():
            requests = {**state.requests, event.transfer_id: OpenRequest(event)}
            return replace(_remembered(moved(state, event.entries), event, "pending"), requests=requests)
        case RequestApproved():
            found = state.requests[event.request]
            table = state.tables.get(found.pended.table, TablePostings())
            return replace(
                _remembered(state, event, "posted"),
                requests={**state.requests, event.request: replace(found, approved=event)},
                tables={**state.tables, found.pended.table: replace(table, float_moves=event.number)},
            )
        case _:
            asked = state.requests[event.request].pended
            outcome: Literal["posted", "voided"] = "posted" if isinstance(event, RequestPosted) else "voided"
            after = _remembered(moved(state, event.entries), asked, outcome)
            if not isinstance(event, RequestExpired) and event.transfer_id:
                after = _remembered(after, event, "posted")
            requests = {key: found for key, found in state.requests.items() if key != event.request}
            return replace(after, requests=requests)


_Outcome = Literal["pending", "posted", "voided", "refused"]


def _remembered(state: LedgerState, event: TransferFact, outcome: _Outcome) -> LedgerState:
    transfers = buckets.put(state.transfers, {event.transfer_id: Transfer(event, outcome)})
    return replace(state, transfers=transfers)


def _posted(before: TablePostings, event: TablePosted) -> TablePostings:
    finished = before.finished
    if event.session != before.session and before.session:
        finished = {**finished, before.session: before.number}
        if len(finished) > SESSIONS_REMEMBERED:
            del finished[min(finished)]
    return replace(before, session=event.session, number=event.number, last=event, finished=finished)


def _resolved(
    state: LedgerState, event: BuyInPosted | BuyInVoided, outcome: Literal["posted", "voided"]
) -> LedgerState:
    pended = state.pending[event.transfer_id]
    pending = {key: waiting for key, waiting in state.pending.items() if key != event.transfer_id}
    return replace(_remembered(moved(state, event.entries), pended, outcome), pending=pending)
