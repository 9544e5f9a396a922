"""What the ledger knows: balances, transfers by their id, buy-ins on their way, and how far each table has posted."""

import msgspec

from libs.kernel import buckets
from libs.kernel.accounts import seat_account
from libs.kernel.buckets import Buckets
from libs.kernel.contracts.wallet import BuyInPended, TablePosted
from libs.kernel.contracts.wallet_cards import Card
from libs.kernel.contracts.wallet_days import Count, Transfer
from libs.kernel.contracts.wallet_limits import Player
from libs.kernel.contracts.wallet_requests import OpenRequest
from libs.kernel.contracts.wallet_transit import Channel


class LedgerDefect(Exception):
    """One of our own services said something that cannot be true; nothing is logged, the command is parked.

    A refusal would be wrong: nobody stands there to hear it, and the books of table and ledger would part in silence.
    """


class TablePostings(msgspec.Struct, frozen=True, gc=False):
    """How far a table has posted: the last posting of its current session, and the last number of each one before."""

    session: int = 0
    number: int = 0
    last: TablePosted | None = None
    """The last posting, to be answered again; None when an old volume brought only its number forward."""
    finished: dict[int, int] = {}
    """Of the latest `SESSIONS_REMEMBERED` sessions before the current one."""
    buy_ins: int = 0
    """Buy-ins ever pended for this table."""
    float_moves: int = 0
    """Moves of its float ever approved."""


class Bringing(msgspec.Struct, frozen=True, gc=False):
    """How far a new volume has brought forward what the one before left to it."""

    expected: Count
    done: Count = Count()
    leaf: int = 0
    """The next small dict to bring."""
    touched: Buckets[int] = buckets.empty()
    """What accounts of later leaves had at the opening, of those that have moved since."""


class LedgerState(msgspec.Struct, frozen=True, gc=False):
    """One volume of the ledger. Encodes to the same JSON wherever the same events are folded."""

    book: str
    opened: bool = False
    """False until the volume has its first event."""
    day: str = ""
    """The gaming day of the volume; empty in a ledger whose days nobody has opened yet."""
    events: int = 0
    """Events of this volume so far; equal to the version of its stream."""
    remembers_from: str = ""
    """Transfers dated earlier are forgotten, and their ids never taken again."""
    bringing: Bringing | None = None
    """None when the volume holds all that the one before left to it."""
    balances: Buckets[int] = buckets.empty()
    """Cents by account; an account that is not there has zero."""
    transfers: Buckets[Transfer] = buckets.empty()
    """By command id; from `remembers_from` on, and whatever is pending. Refused ones too."""
    refused: Buckets[int] = buckets.empty()
    """How many wishes were refused, by speaker and date of the id."""
    pending: dict[str, BuyInPended] = {}
    """Buy-ins that wait for the answer of their table, by transfer id, oldest first."""
    tables: dict[str, TablePostings] = {}
    requests: dict[str, OpenRequest] = {}
    """Requests that wait for another person or for a table, by transfer id, oldest first."""
    cards: Buckets[Card] = buckets.empty()
    """All cards ever given, by number."""
    channels: dict[str, Channel] = {}
    """Transfers to and from each other part of the wallet, by its shard."""
    players: Buckets[Player] = buckets.empty()
    """Who has moved money this week, bought in lately, or ever had a limit or an exclusion."""
    untold: dict[str, bool] = {}
    """Players of whom some table has not answered the last word; always True."""


def initial(book: str) -> LedgerState:
    """Return the ledger before its first event."""
    return LedgerState(book=book)


def whole(state: LedgerState) -> bool:
    """Tell whether this volume alone makes the state: all that the one before left is in it."""
    return state.bringing is None


def count(state: LedgerState) -> Count:
    """Return what accounts and cards come to. Walks over all of them: once a gaming day."""
    accounts = credit = 0
    # Leaf by leaf, not account by account: nobody is served meanwhile.
    for leaf in (leaf for branch in state.balances for leaf in branch):
        amounts = list(leaf.values())
        accounts += len(amounts) - amounts.count(0)
        credit += sum([cents for cents in amounts if cents > 0])
    return Count(accounts, credit, sum(len(leaf) for branch in state.cards for leaf in branch))


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
    return sum([sum(leaf.values()) for branch in state.balances for leaf in branch if leaf])
