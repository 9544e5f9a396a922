"""How the facts of `libs.ledger.days` change the ledger, whether the volume before is at hand or not.

A live owner has all balances when a volume opens; whoever reads the volume alone has none. So a piece replaces the
small dicts it speaks of, in both: from the last piece on the two states are the same, to the byte.
"""

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from libs.kernel import buckets
from libs.kernel.contracts.wallet import Entry
from libs.kernel.contracts.wallet_days import BroughtForward, LedgerOpened, MoneyMoved, PostedUpTo, Transfer
from libs.ledger.allowances import is_untold
from libs.ledger.days import added
from libs.ledger.state import Bringing, LedgerState, TablePostings

V = TypeVar("V")


def opened(state: LedgerState, event: LedgerOpened) -> LedgerState:
    """Begin a volume: what is open comes with the event, all else is what was there and is yet to be brought."""
    open_items: tuple[MoneyMoved, ...] = (*event.pending, *(found.pended for found in event.requests))
    waiting = {pended.transfer_id: pended for pended in event.pending}
    return replace(
        state,
        opened=True,
        day=event.day,
        events=0,
        remembers_from=event.remembers_from,
        bringing=None if event.brings is None else Bringing(event.brings),
        balances=buckets.put(state.balances, event.balances),
        transfers=buckets.put(state.transfers, {item.transfer_id: Transfer(item, "pending") for item in open_items}),
        pending=waiting,
        channels=event.channels,
        requests={found.pended.transfer_id: found for found in event.requests},
        tables={t.table: _table(t) for t in event.tables},
        # Who is still untold comes with the pieces.
        untold={},
    )


def _table(brought: PostedUpTo) -> TablePostings:
    return TablePostings(
        session=brought.session,
        number=brought.number,
        last=brought.last,
        finished=brought.finished,
        buy_ins=brought.buy_ins,
        float_moves=brought.float_moves,
    )


def moved(state: LedgerState, entries: Sequence[Entry]) -> LedgerState:
    """Apply entries; while accounts are being brought forward, note what those that move had at the opening."""
    bringing = state.bringing
    if bringing is not None:
        first = {
            entry.account: entry.before
            for entry in entries
            if buckets.leaf_number(entry.account) >= bringing.leaf
            and buckets.find(bringing.touched, entry.account) is None
        }
        bringing = replace(bringing, touched=buckets.put(bringing.touched, first)) if first else bringing
    balances = buckets.put(state.balances, {entry.account: entry.after for entry in entries})
    return replace(state, balances=balances, bringing=bringing)


def brought(state: LedgerState, event: BroughtForward) -> LedgerState:
    """Replace the small dicts of a piece: accounts, those that have moved since, transfers, cards, counts, players."""
    bringing = state.bringing
    assert bringing is not None, "a piece is brought forward, and nothing was to be brought"
    balances, transfers, touched = state.balances, state.transfers, bringing.touched
    accounts, numbers, cards = _by_leaf(event.balances), _by_leaf(event.cards), state.cards
    counts, refused = _by_leaf(event.refused), state.refused
    known, players = _by_leaf(event.players), state.players
    remembered = _by_leaf({transfer.event.transfer_id: transfer for transfer in event.transfers})
    for number in range(event.first, event.last + 1):
        live, moved_since = buckets.leaf(balances, number), buckets.leaf(touched, number)
        if live or number in accounts:
            leaf = accounts.get(number, {}) | {account: live[account] for account in moved_since}
            balances = buckets.put_leaf(balances, number, leaf)
        if number in remembered or buckets.leaf(transfers, number):
            transfers = buckets.put_leaf(transfers, number, remembered.get(number, {}))
        if number in numbers:
            cards = buckets.put_leaf(cards, number, numbers[number])
        if number in counts or buckets.leaf(refused, number):
            refused = buckets.put_leaf(refused, number, counts.get(number, {}))
        if number in known or buckets.leaf(players, number):
            players = buckets.put_leaf(players, number, known.get(number, {}))
        if moved_since:
            touched = buckets.put_leaf(touched, number, {})
    done = added(bringing.done, event)
    bringing = replace(bringing, done=done, leaf=event.last + 1, touched=touched)
    after = replace(state, balances=balances, transfers=transfers, cards=cards, refused=refused, players=players)
    return replace(after, untold=_untold(state, event), bringing=bringing)


def _untold(state: LedgerState, event: BroughtForward) -> dict[str, bool]:
    """Return of whom a table is still to be told: what a piece says of its players takes the place of what was."""
    others = [name for name in state.untold if not event.first <= buckets.leaf_number(name) <= event.last]
    return dict.fromkeys(sorted([*others, *(name for name, one in event.players.items() if is_untold(one))]), True)


def _by_leaf(content: dict[str, V]) -> dict[int, dict[str, V]]:
    found: dict[int, dict[str, V]] = {}
    for key, value in content.items():
        found.setdefault(buckets.leaf_number(key), {})[key] = value
    return found
