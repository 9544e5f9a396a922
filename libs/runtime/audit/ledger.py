"""Recompute the ledger: every entry's before and after, every posting's sum, every transfer's way."""

from functools import partial

from libs.kernel.accounts import may_be_overdrawn
from libs.kernel.contracts.wallet import (
    BuyInPended,
    BuyInPosted,
    BuyInVoided,
    Deposited,
    Entry,
    TablePosted,
    Withdrawn,
)
from libs.kernel.contracts.wallet_cards import Card, CardBlocked, CardIssued, CardReplaced
from libs.kernel.contracts.wallet_days import AllBroughtForward, BroughtForward, Count, LedgerClosed, LedgerOpened
from libs.kernel.contracts.wallet_limits import ExclusionLifted, LimitSet, PlayerExcluded
from libs.kernel.contracts.wallet_refusals import TransferRefused
from libs.kernel.contracts.wallet_requests import (
    RequestApproved,
    RequestExpired,
    RequestPended,
    RequestPosted,
    RequestVoided,
)
from libs.kernel.contracts.wallet_transit import TransferReceived, TransfersDelivered
from libs.kernel.messages import Event
from libs.runtime.audit import transfers
from libs.runtime.audit.limits import LimitsAudit
from libs.runtime.audit.report import Faults
from libs.runtime.audit.requests import RequestAudit
from libs.runtime.audit.transit import TransitAudit

PostingKey = tuple[str, int, int]
"""Table, session, number."""


class LedgerAudit:
    """Folds the ledger's events into balances, independently of the ledger's own `evolve`."""

    def __init__(self, faults: Faults) -> None:
        self.balances: dict[str, int] = {}
        self.posted: dict[PostingKey, dict[str, int]] = {}
        """What each posting moved, wherever the accounts are kept."""
        self.transit = TransitAudit(faults)
        self.pended: dict[str, BuyInPended] = {}
        """Every buy-in ever pended, by transfer id."""
        self.buy_ins_posted: set[str] = set()
        self.buy_ins_voided: set[str] = set()
        self.requests = RequestAudit(faults)
        self._cage_transfers: set[str] = set()
        self._refused: set[str] = set()
        """Ids of wishes that were refused: none of them may ever move money."""
        self._last_number: dict[tuple[str, int], int] = {}
        self._cards: dict[str, Card] = {}
        self._limits = LimitsAudit()
        self._left: dict[str, int] | None = None
        """What the volume before left and this one has not brought forward yet; None when that is over."""
        self._faults = faults

    def see(self, stream: str, version: int, event: Event) -> None:
        """Take the next event of the ledger."""
        match event:
            case Deposited() | Withdrawn() | TransferRefused() | BuyInPended():
                self._wish(stream, version, event)
            case BuyInPosted() | BuyInVoided():
                self._buy_in_ends(stream, version, event)
            case TablePosted():
                self._table_posts(stream, version, event)
            case CardIssued() | CardBlocked() | CardReplaced():
                self._card(stream, version, event)
            case TransferReceived() | TransfersDelivered():
                self.transit.sees(stream, version, event)
            case RequestPended() | RequestApproved() | RequestPosted() | RequestVoided() | RequestExpired():
                own_id = "" if isinstance(event, RequestExpired) else event.transfer_id
                self._once(stream, version, own_id in self._refused, own_id)
                self.requests.see(stream, version, event)
            case _:
                self._days(stream, version, event)
        entries: tuple[Entry, ...] = getattr(event, "entries", ())
        for entry in entries:
            self._apply(stream, version, entry)
        total = sum(entry.amount for entry in entries)
        if total:
            self._faults.add(stream, version, "posting.unbalanced", f"the entries sum to {total} cents, not to zero")

    def end(self) -> None:
        """Check what only the whole ledger shows."""
        total = sum(self.balances.values())
        if total:
            self._faults.add("ledger", 0, "ledger.unbalanced", f"all accounts sum to {total} cents, not to zero")

    def _wish(self, stream: str, version: int, event: Deposited | Withdrawn | TransferRefused | BuyInPended) -> None:
        transfer = event.transfer_id
        self._is_new(stream, version, transfer)
        match event:
            case TransferRefused():
                self._refused.add(transfer)
            case BuyInPended():
                self._means(stream, version, transfer, transfers.pended(event))
                self.pended[transfer] = event
            case _:
                self._means(stream, version, transfer, transfers.at_the_cage(event))
                self._cage_transfers.add(transfer)

    def _apply(self, stream: str, version: int, entry: Entry) -> None:
        before = self.balances.get(entry.account, 0)
        if entry.before != before:
            self._faults.add(
                stream, version, "entry.before", f"{entry.account} had {before} cents, the entry says {entry.before}"
            )
        if entry.after != entry.before + entry.amount:
            self._faults.add(
                stream,
                version,
                "entry.after",
                f"{entry.account}: {entry.before} and {entry.amount} cents do not make {entry.after}",
            )
        if entry.after < 0 and not may_be_overdrawn(entry.account):
            self._faults.add(stream, version, "entry.negative", f"{entry.account} falls to {entry.after} cents")
        self.balances[entry.account] = entry.after

    def _days(self, stream: str, version: int, event: Event) -> None:
        match event:
            case LedgerClosed():
                if event.events != version:
                    self._carried_wrong(stream, version, f"the closing is event {version}, and counts {event.events}")
                self._counts(stream, version, event.count, self.balances)
            case LedgerOpened():
                self._opened(stream, version, event)
            case BroughtForward():
                self._brought(stream, version, event)
            case AllBroughtForward():
                for account in sorted(self._left or {}):
                    self._carried_wrong(stream, version, f"{account} is not brought forward")
                self._limits.all_brought(partial(self._carried_wrong, stream, version))
                self._left = None
            case LimitSet() | PlayerExcluded() | ExclusionLifted():
                self._limits.sees(event)
            case _:
                pass

    def _opened(self, stream: str, version: int, event: LedgerOpened) -> None:
        """A new volume begins with exactly what the volume before left."""
        waiting = self.pended.keys() - self.buy_ins_posted - self.buy_ins_voided
        if waiting != {pended.transfer_id for pended in event.pending}:
            self._carried_wrong(stream, version, "the pending buy-ins are not those of the volume before")
        if self.requests.open.keys() != {found.pended.transfer_id for found in event.requests}:
            self._carried_wrong(stream, version, "the open requests are not those of the volume before")
        if not self.transit.carried(event.channels):
            self._carried_wrong(stream, version, "the transfers in transit are not those of the volume before")
        self._limits.opened(event.day)
        self._left = {account: cents for account, cents in self.balances.items() if cents}
        if event.brings is not None:
            self._counts(stream, version, event.brings, self._left)
            return
        for account in sorted(self._left.keys() | event.balances.keys()):
            before, after = self._left.get(account, 0), event.balances.get(account, 0)
            if before != after:
                self._carried_wrong(
                    stream, version, f"{account} had {before} cents, the new volume begins with {after}"
                )
        self.balances, self._left = dict(event.balances), None

    def _brought(self, stream: str, version: int, event: BroughtForward) -> None:
        for account, cents in event.balances.items():
            left = self._left.pop(account, 0) if self._left is not None else 0
            if left != cents:
                self._carried_wrong(stream, version, f"{account} had {left} cents, {cents} are brought forward")
        if any(self._cards.get(card) != known for card, known in event.cards.items()):
            self._carried_wrong(stream, version, "a card is brought forward otherwise than it was")
        self._limits.brought(event.players, partial(self._carried_wrong, stream, version))
        for transfer in event.transfers:
            moved = transfer.event.transfer_id
            if not self._is_known(moved):
                self._carried_wrong(stream, version, f"transfer {moved} is brought forward and was never made")

    def _card(self, stream: str, version: int, event: CardIssued | CardBlocked | CardReplaced) -> None:
        match event:
            case CardIssued():
                self._cards[event.card] = Card(event.player)
            case CardBlocked() if event.card not in self._cards:
                self._faults.add(stream, version, "card.unknown", f"card {event.card} is blocked and was never issued")
            case CardBlocked():
                self._cards[event.card] = Card(self._cards[event.card].player, "blocked")
            case CardReplaced():
                self._cards[event.card] = Card(event.player, "replaced", event.new_card)
                self._cards[event.new_card] = Card(event.player)

    def _counts(self, stream: str, version: int, count: Count, balances: dict[str, int]) -> None:
        there = [cents for cents in balances.values() if cents]
        found = Count(len(there), sum(cents for cents in there if cents > 0), len(self._cards))
        if found != count:
            self._carried_wrong(stream, version, f"the accounts come to {found}, the count says {count}")

    def _carried_wrong(self, stream: str, version: int, what: str) -> None:
        self._faults.add(stream, version, "carried.wrong", what)

    def _buy_in_ends(self, stream: str, version: int, event: BuyInPosted | BuyInVoided) -> None:
        transfer = event.transfer_id
        if isinstance(event, BuyInPosted):
            self.transit.sends(stream, version, event)
        asked = self.pended.get(transfer)
        if asked is None:
            self._faults.add(stream, version, "transfer.unknown", f"buy-in {transfer} ends but never began")
        else:
            self._means(stream, version, transfer, transfers.ended(event, asked))
        self._once(stream, version, transfer in self.buy_ins_posted or transfer in self.buy_ins_voided, transfer)
        (self.buy_ins_posted if isinstance(event, BuyInPosted) else self.buy_ins_voided).add(transfer)

    def _table_posts(self, stream: str, version: int, event: TablePosted) -> None:
        session = (event.table, event.session)
        expected = self._last_number.get(session, 0) + 1
        if event.number != expected:
            self._faults.add(
                stream,
                version,
                "posting.order",
                f"posting {event.number} of {event.table}/{event.session} comes in place of {expected}",
            )
        self._last_number[session] = max(event.number, expected)
        self.transit.sends(stream, version, event)
        self.posted[event.table, event.session, event.number] = transfers.moved(event)

    def _means(self, stream: str, version: int, transfer: str, wrong: str | None) -> None:
        if wrong is not None:
            self._faults.add(stream, version, "transfer.differs", f"{transfer}: {wrong}")

    def _is_new(self, stream: str, version: int, transfer: str) -> None:
        self._once(stream, version, self._is_known(transfer), transfer)

    def _is_known(self, transfer: str) -> bool:
        return any(transfer in ids for ids in (self._cage_transfers, self.pended, self.requests.ids, self._refused))

    def _once(self, stream: str, version: int, seen: bool, transfer: str) -> None:
        if seen:
            self._faults.add(stream, version, "transfer.twice", f"transfer {transfer} is in the ledger twice")
