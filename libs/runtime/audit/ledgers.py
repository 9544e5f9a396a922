"""All parts of the wallet together, as the comparison with the tables sees them."""

from collections.abc import Iterable

from libs.kernel.contracts.wallet import BuyInPended, BuyInPosted, TablePosted
from libs.kernel.contracts.wallet_requests import RequestPended
from libs.kernel.messages import Event
from libs.runtime.audit.ledger import LedgerAudit, PostingKey
from libs.runtime.audit.report import Faults
from libs.runtime.audit.transit import compare_transit


class Ledgers:
    """The audits of all parts, by shard, and what they come to."""

    def __init__(self, faults: Faults) -> None:
        self.parts: dict[str, LedgerAudit] = {}
        self._faults = faults
        self.balances: dict[str, int] = {}
        self.coming: dict[str, int] = {}
        """What one part has sent and another has not received, by account, in cents."""
        self.posted: dict[PostingKey, dict[str, int]] = {}
        self.posted_late: set[PostingKey] = set()
        """Postings made after their part was read."""
        self.pended: dict[str, BuyInPended] = {}
        self.buy_ins_posted: set[str] = set()
        self.buy_ins_voided: set[str] = set()
        self.float_moves: dict[str, tuple[str, int]] = {}
        self.open_requests: dict[str, RequestPended] = {}

    def part(self, shard: str) -> LedgerAudit:
        """Return the audit of one part."""
        return self.parts.setdefault(shard, LedgerAudit(self._faults))

    def see_late(self, shard: str, event: Event) -> None:
        """Note what a part wrote after it was read: others, read later, may have acted on it already."""
        part = self.part(shard)
        match event:
            case BuyInPended():
                part.pended.setdefault(event.transfer_id, event)
            case RequestPended():
                part.requests.open.setdefault(event.transfer_id, event)
            case BuyInPosted() | TablePosted():
                if isinstance(event, TablePosted):
                    self.posted_late.add((event.table, event.session, event.number))
                for one in event.sent:
                    there = (shard, one.number) in self.part(one.to).transit.received
                    if there:
                        part.transit.sent[one.to, one.number] = one.legs
                    if there and isinstance(event, BuyInPosted):
                        part.buy_ins_posted.add(event.transfer_id)
            case _:
                pass

    def end(self) -> None:
        """Check what only whole ledgers show, once all are read."""
        for part in self.parts.values():
            part.end()

    def unite(self) -> None:
        """Put together what the tables are compared with."""
        for part in self.parts.values():
            _add(self.balances, part.balances.items())
            self.posted |= part.posted
            self.pended |= part.pended
            self.buy_ins_posted |= part.buy_ins_posted
            self.buy_ins_voided |= part.buy_ins_voided
            self.float_moves |= part.requests.float_moves
            self.open_requests |= part.requests.open

    def compare_parts(self) -> None:
        """Compare what the parts have sent to one another with what they received."""
        self.coming = compare_transit({shard: part.transit for shard, part in self.parts.items()}, self._faults)


def _add(sums: dict[str, int], more: Iterable[tuple[str, int]]) -> None:
    for account, cents in more:
        sums[account] = sums.get(account, 0) + cents
