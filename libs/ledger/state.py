"""What the ledger knows: balances, transfers by their id, buy-ins on their way, and how far each table has posted."""

from typing import Literal

import msgspec

from libs.kernel import buckets
from libs.kernel.accounts import seat_account
from libs.kernel.buckets import Buckets
from libs.kernel.contracts.wallet import BuyInPended, Deposited, TablePosted, Withdrawn

MoneyMoved = Deposited | Withdrawn | BuyInPended
"""The facts that a person's wish leads to; its transfer id is the id of the command."""


class LedgerDefect(Exception):
    """One of our own services said something that cannot be true; nothing is logged, the command is parked.

    A refusal would be wrong: nobody stands there to hear it, and the books of table and ledger would part in silence.
    """


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """A transfer that was made, by the first command with its id, and what became of it."""

    event: MoneyMoved
    outcome: Literal["pending", "posted", "voided"]


class TablePostings(msgspec.Struct, frozen=True, gc=False):
    """How far a table has posted: the last posting of its current session, and the last number of each one before."""

    session: int = 0
    number: int = 0
    last: TablePosted | None = None
    """The last posting, to be answered again; None when it was brought forward from another volume."""
    finished: dict[int, int] = {}


class LedgerState(msgspec.Struct, frozen=True, gc=False):
    """One volume of the ledger. Encodes to the same JSON wherever the same events are folded."""

    book: str
    opened: bool = False
    """False until the volume has its first event."""
    balances: Buckets[int] = buckets.empty()
    """Cents by account; an account that is not there has zero."""
    transfers: Buckets[Transfer] = buckets.empty()
    """By command id; kept as long as the volume."""
    pending: dict[str, BuyInPended] = {}
    """Buy-ins that wait for the answer of their table, by transfer id, oldest first."""
    tables: dict[str, TablePostings] = {}


def initial(book: str) -> LedgerState:
    """Return the ledger before its first event."""
    return LedgerState(book=book)


def balance(state: LedgerState, account: str) -> int:
    """Return the balance of an account in cents; zero when nothing was ever posted to it."""
    return buckets.find(state.balances, account) or 0


def pending_on_seat(state: LedgerState, table: str, seat: int) -> int:
    """Return the cents of buy-ins that may be on a seat already without the ledger having heard of it."""
    return sum(p.amount for p in state.pending.values() if (p.table, p.seat) == (table, seat))


def seats_of(state: LedgerState, table: str) -> dict[int, int]:
    """Return the balances of a table's seats that have money, by seat: what its credit meters must agree with.

    Walks over all accounts: for reconciliation, not for decisions.
    """
    head = seat_account(table, 0)[:-1]
    found = {name.removeprefix(head): cents for name, cents in buckets.items(state.balances) if name.startswith(head)}
    return {int(seat): cents for seat, cents in found.items() if cents and seat.isdecimal()}


def imbalance(state: LedgerState) -> int:
    """Return the sum of all accounts in cents: zero, or a defect (law 8). Walks over all accounts."""
    return sum(cents for _, cents in buckets.items(state.balances))
