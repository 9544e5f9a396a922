"""Look at every request again: asked once, ended once, approved by another person, and carried out as it was asked."""

from libs.kernel.accounts import PENDING_REQUEST, float_account
from libs.kernel.contracts.wallet import Leg
from libs.kernel.contracts.wallet_requests import (
    RequestApproved,
    RequestExpired,
    RequestPended,
    RequestPosted,
    RequestVoided,
)
from libs.runtime.audit.report import Faults
from libs.runtime.audit.transfers import sums

_Request = RequestPended | RequestApproved | RequestPosted | RequestVoided | RequestExpired


class RequestAudit:
    """Folds the requests of the ledger, independently of its own `evolve`."""

    def __init__(self, faults: Faults) -> None:
        self.open: dict[str, RequestPended] = {}
        self.ids: set[str] = set()
        """Ids of requests, and of what people have answered to them."""
        self.float_moves: dict[str, tuple[str, int]] = {}
        """Table and cents of every fill and float credit that was posted, by request."""
        self._faults = faults

    def see(self, stream: str, version: int, event: _Request) -> None:
        """Take the next event about a request."""
        own_id = "" if isinstance(event, RequestExpired) else event.transfer_id
        if own_id and own_id in self.ids:
            self._faults.add(stream, version, "transfer.twice", f"transfer {own_id} is in the ledger twice")
        self.ids.add(own_id)
        if isinstance(event, RequestPended):
            self.open[event.transfer_id] = event
            self._holds(stream, version, event)
            return
        asked = self.open.get(event.request)
        if asked is None:
            self._faults.add(stream, version, "request.unknown", f"request {event.request} is not open")
            return
        if isinstance(event, RequestApproved | RequestPosted) and event.by == asked.by:
            self._faults.add(stream, version, "request.person", f"{event.by} has approved the own {event.request}")
        if isinstance(event, RequestApproved):
            return
        del self.open[event.request]
        done = sums([*asked.entries, *event.entries])
        wanted = sums(asked.legs) if isinstance(event, RequestPosted) else {}
        if done != wanted:
            what = f"request {event.request} comes to {done}, not {wanted}"
            self._faults.add(stream, version, "request.differs", what)
        if isinstance(event, RequestPosted) and asked.table:
            self.float_moves[event.request] = (asked.table, sums(asked.legs).get(float_account(asked.table), 0))

    def _holds(self, stream: str, version: int, asked: RequestPended) -> None:
        """A request holds what it will take, and gives nobody anything yet."""
        held = [Leg(account, cents) for account, cents in sums(asked.legs).items() if cents < 0]
        wanted = sums([*held, Leg(PENDING_REQUEST, -sum(leg.amount for leg in held))])
        if sums(asked.entries) != wanted:
            what = f"request {asked.transfer_id} holds {sums(asked.entries)}, not {wanted}"
            self._faults.add(stream, version, "request.differs", what)
