"""Fold one volume of a ledger: what a gaming day moved, with the balances before and after it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from libs.kernel.accounts import (
    HOUSE_ENTRY,
    HOUSE_RAKE,
    float_account,
    player_account,
    player_of,
    seat_number,
    table_of,
)
from libs.kernel.contracts.wallet import (
    BuyInPended,
    BuyInPosted,
    BuyInVoided,
    Deposited,
    Entry,
    Leg,
    TablePosted,
    Withdrawn,
)
from libs.kernel.contracts.wallet_days import BroughtForward, LedgerClosed, LedgerOpened
from libs.kernel.contracts.wallet_limits import ExclusionLifted, LimitSet, Player, PlayerExcluded
from libs.kernel.contracts.wallet_requests import RequestExpired, RequestPended, RequestPosted, RequestVoided
from libs.kernel.contracts.wallet_transit import TransferReceived
from libs.kernel.messages import Event, tag_of
from libs.ledger.players import NOBODY, changed
from libs.runtime.references import reference_of

SessionKey = tuple[str, int]
"""Table and session."""


class OpenItem(msgspec.Struct, frozen=True):
    """Something that is not ended when a day is: it goes on in the next one."""

    kind: str
    """`buy_in`, `adjustment`, `fill` or `float_credit`."""
    reference: str
    table: str
    amount: int
    """What is held for it, in cents."""


class Correction(msgspec.Struct, frozen=True):
    """An adjustment that was posted: who asked, who approved, why, and what it moved."""

    reference: str
    corrects: str
    reason: str
    asked_by: str
    approved_by: str
    at_ms: int
    legs: tuple[Leg, ...]


class Movement(msgspec.Struct, frozen=True):
    """A change of the account that is watched."""

    at_ms: int
    event: str
    """The event's tag."""
    reference: str
    amount: int
    after: int


@dataclass(slots=True)
class SessionMoney:
    """What the postings of one session moved on this day, in cents."""

    first: int
    last: int
    """Numbers of the first and the last posting of the day."""
    float_opened: int = 0
    float_closed: int = 0
    float_gain: int = 0
    rake: int = 0
    entry_fees: int = 0
    redeemed: int = 0


@dataclass(slots=True)
class TableMoney:
    """What moved at a table on this day outside of its postings, in cents."""

    drop: int = 0
    fills: int = 0
    float_credits: int = 0


@dataclass(slots=True)
class LedgerDay:
    """One volume. Hand the events to `see` in order."""

    shard: str
    watched: str = ""
    """An account whose movements are kept."""
    day: str = ""
    first_volume: bool = False
    opened_ms: int = 0
    closed_ms: int | None = None
    before: dict[str, int] = field(default_factory=dict)
    after: dict[str, int] = field(default_factory=dict)
    sessions: dict[SessionKey, SessionMoney] = field(default_factory=dict)
    tables: dict[str, TableMoney] = field(default_factory=dict)
    deposits: int = 0
    withdrawals: int = 0
    corrections: list[Correction] = field(default_factory=list)
    carried_in: tuple[OpenItem, ...] = ()
    movements: list[Movement] = field(default_factory=list)
    known: Player = NOBODY
    """What the ledger keeps of the limits and exclusions of the player whose account is watched."""
    _buy_ins: dict[str, BuyInPended] = field(default_factory=dict)
    _requests: dict[str, RequestPended] = field(default_factory=dict)

    def see(self, at_ms: int, event: Event) -> None:
        """Take the next event of the volume."""
        entries: tuple[Entry, ...] = getattr(event, "entries", ())
        for entry in entries:
            self.before.setdefault(entry.account, entry.before)
            self.after[entry.account] = entry.after
        match event:
            case LedgerOpened():
                self._opened(at_ms, event)
            case LedgerClosed():
                self.closed_ms = at_ms
            case BroughtForward():
                for account, cents in event.balances.items():
                    self.before.setdefault(account, cents)
                    self.after.setdefault(account, cents)
                self.known = event.players.get(player_of(self.watched), self.known)
            case Deposited():
                self.deposits += _gained(entries, "player:")
            case Withdrawn():
                self.withdrawals -= _gained(entries, "player:")
            case TablePosted():
                self._posted(event)
            case _:
                self._wishes(at_ms, event)
        self.movements += [
            Movement(at_ms, tag_of(event), reference_of(event), entry.amount, entry.after)
            for entry in entries
            if entry.account == self.watched
        ]

    @property
    def carried_out(self) -> tuple[OpenItem, ...]:
        """What is open at the end."""
        return (*map(_open_buy_in, self._buy_ins.values()), *map(_open_request, self._requests.values()))

    def held(self, table: str, items: Iterable[OpenItem]) -> int:
        """Return what is held of a table's float for open float credits."""
        return sum(item.amount for item in items if item.kind == "float_credit" and item.table == table)

    def table(self, name: str) -> TableMoney:
        """Return the sums of a table."""
        return self.tables.setdefault(name, TableMoney())

    def _opened(self, at_ms: int, event: LedgerOpened) -> None:
        self.day, self.opened_ms, self.first_volume = event.day, at_ms, event.brings is None and not event.balances
        self.before, self.after = dict(event.balances), dict(event.balances)
        self._buy_ins = {pended.transfer_id: pended for pended in event.pending}
        self._requests = {found.pended.transfer_id: found.pended for found in event.requests}
        self.carried_in = self.carried_out
        for posted in event.tables:
            self.table(posted.table)

    def _posted(self, event: TablePosted) -> None:
        key = (event.table, event.session)
        money = self.sessions.setdefault(key, SessionMoney(event.number, event.number))
        money.last = event.number
        self.table(event.table)
        for entry in event.entries:
            if entry.account == float_account(event.table):
                match event.reason:
                    case "float_opened":
                        money.float_opened += entry.amount
                    case "float_closed":
                        money.float_closed -= entry.amount
                    case _:
                        money.float_gain += entry.amount
            elif entry.account == HOUSE_RAKE:
                money.rake += entry.amount
            elif entry.account == HOUSE_ENTRY:
                money.entry_fees += entry.amount
            elif seat_number(entry.account) and event.reason in ("cash_out", "float_closed"):
                money.redeemed -= entry.amount

    def _wishes(self, at_ms: int, event: Event) -> None:
        match event:
            case BuyInPended():
                self._buy_ins[event.transfer_id] = event
            case BuyInVoided():
                self._buy_ins.pop(event.transfer_id, None)
            case BuyInPosted():
                self._buy_ins.pop(event.transfer_id, None)
                self._dropped(event.entries)
            case TransferReceived():
                # Of what other parts send, only a buy-in puts money on a seat.
                self._dropped(event.entries)
            case RequestPended():
                self._requests[event.transfer_id] = event
            case RequestPosted():
                self._request_posted(at_ms, event)
            case LimitSet() | PlayerExcluded() | ExclusionLifted() if self.watched == player_account(event.player):
                self.known = changed(self.known, event)
            case RequestVoided() | RequestExpired():
                self._requests.pop(event.request, None)
            case _:
                pass

    def _dropped(self, entries: tuple[Entry, ...]) -> None:
        for entry in entries:
            if seat_number(entry.account):
                self.table(table_of(entry.account)).drop += entry.amount

    def _request_posted(self, at_ms: int, event: RequestPosted) -> None:
        pended = self._requests.pop(event.request)
        amount = sum(leg.amount for leg in pended.legs if leg.account == float_account(pended.table))
        match pended.kind:
            case "fill":
                self.table(pended.table).fills += amount
            case "float_credit":
                self.table(pended.table).float_credits -= amount
            case "adjustment":
                said = (pended.transfer_id, pended.corrects, pended.reason, pended.by, event.by)
                self.corrections.append(Correction(*said, at_ms, pended.legs))


def _gained(entries: tuple[Entry, ...], kind: str) -> int:
    return sum(entry.amount for entry in entries if entry.account.startswith(kind))


def _open_buy_in(pended: BuyInPended) -> OpenItem:
    return OpenItem("buy_in", pended.transfer_id, pended.table, pended.amount)


def _open_request(pended: RequestPended) -> OpenItem:
    held = -sum(leg.amount for leg in pended.legs if leg.amount < 0)
    return OpenItem(pended.kind, pended.transfer_id, pended.table, held)
