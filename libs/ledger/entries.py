"""What every transfer goes through: entries with before and after, once for its id, never overdrawn."""

from collections.abc import Callable, Sequence

import msgspec

from libs.kernel import buckets
from libs.kernel.accounts import may_be_overdrawn
from libs.kernel.contracts.wallet import Entry, Leg
from libs.kernel.contracts.wallet_days import MoneyMoved
from libs.kernel.contracts.wallet_refusals import TransferRefused
from libs.kernel.days import days_before
from libs.kernel.decider import Accepted, Already, Context, Decision
from libs.kernel.ids import date_of
from libs.kernel.limits import MAX_CENTS, MAX_ID_CHARS, TRANSFER_DAYS_AHEAD
from libs.kernel.refusals import Refusal
from libs.ledger import refusals
from libs.ledger.state import LedgerState, balance


def move(state: LedgerState, candidate: MoneyMoved, longest: str, context: Context) -> Decision:
    """Decide a person's transfer: once per id, never overdrawn. `longest` is the longest id that must fit."""
    known = repeated(state, candidate.transfer_id, lambda made: _wish(made) == _wish(candidate), context)
    if known is not None:
        return known
    if len(longest) > MAX_ID_CHARS:
        return refusals.NAME_TOO_LONG
    entries = entries_of(candidate)
    if overdrawn(entries):
        return refusals.INSUFFICIENT
    if over_maximum(entries):
        return refusals.OVER_MAXIMUM
    return Accepted((candidate,))


def repeated(
    state: LedgerState, transfer_id: str, same: Callable[[MoneyMoved], bool], context: Context
) -> Decision | None:
    """Return the answer to a wish whose id is known, or can no longer be known; None for a new one."""
    known = buckets.find(state.transfers, transfer_id)
    if known is None:
        return _not_new(state, transfer_id, context.now_ms)
    made = known.event
    return refusals.CONFLICT if isinstance(made, TransferRefused) or not same(made) else Already((made,))


def _not_new(state: LedgerState, transfer_id: str, now_ms: int) -> Refusal | None:
    """Refuse an id that cannot be told from a forgotten one: that is what makes "once" true for ever.

    Ids are forgotten by their own date and never before it has passed, so whatever is dated `remembers_from` or later
    and is not remembered was never done. No clock is trusted for it: only how long ids are kept depends on clocks.
    """
    dated = date_of(transfer_id)
    if dated is None:
        return refusals.UNDATED
    if dated < state.remembers_from:
        return refusals.too_old(dated)
    return refusals.DATED_AHEAD if dated > days_before(now_ms, -TRANSFER_DAYS_AHEAD) else None


_NOT_WISHED = {"entries", "number", "oldest", "expires_at_ms", "allowance", "day"}
"""What an event says beyond the wish that led to it."""


def _wish(event: MoneyMoved) -> dict[str, object]:
    """Return what was wished: the event without balances and whatever else the ledger added."""
    fields = {name: value for name, value in msgspec.structs.asdict(event).items() if name not in _NOT_WISHED}
    return {"type": type(event), "moves": sums(entries_of(event)), **fields}


def entries_of(event: object) -> tuple[Entry, ...]:
    """Return what an event did to accounts; nothing, for one that is only a word."""
    entries: tuple[Entry, ...] = getattr(event, "entries", ())
    return entries


def entries_for(state: LedgerState, legs: Sequence[Leg]) -> tuple[Entry, ...]:
    """Return what the legs do: one entry per account, in the order in which the accounts are first named."""
    entries = []
    for account, amount in sums(legs).items():
        before = balance(state, account)
        entries.append(Entry(account, amount, before, before + amount))
    return tuple(entries)


def sums(legs: Sequence[Leg] | Sequence[Entry]) -> dict[str, int]:
    """Return what legs come to for each account, in cents."""
    found: dict[str, int] = {}
    for leg in legs:
        found[leg.account] = found.get(leg.account, 0) + leg.amount
    return found


def overdrawn(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries that take an account below zero that may not be there."""
    return [e for e in entries if e.after < 0 and not may_be_overdrawn(e.account)]


def over_maximum(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries that people may not make because an account that is not the house's would hold too much.

    A withdrawal may leave more than the maximum (a great win is paid whatever it comes to); nothing may be added.
    """
    return [e for e in entries if e.amount > 0 and e.after > MAX_CENTS and not may_be_overdrawn(e.account)]
