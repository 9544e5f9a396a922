"""Find the first event at which a table's credit meter and its seat in the ledger part, from the two logs alone.

Both sides know each change of a seat under one reference: a buy-in's transfer id, or a posting's number. What they say
of it is compared in the order of the table, then what only the ledger knows.
"""

from dataclasses import dataclass, field

import msgspec

from libs.eventlog.api import EventLog
from libs.kernel.accounts import seat_account
from libs.kernel.contracts.table import SeatCredited
from libs.kernel.contracts.wallet import TablePosted
from libs.kernel.contracts.wallet_transit import TransferReceived
from libs.kernel.ids import posting_id, split_stream, stream_name
from libs.kernel.messages import Event
from libs.runtime.reading import read_events
from libs.runtime.references import reference_of
from libs.table.interruption_messages import StakesReleased
from libs.table.messages import CoupSettled, PostingDue, SeatDebited, SessionClosed


class Parting(msgspec.Struct, frozen=True):
    """The event at which the two sides part, and what each says of it, in cents; None when a side does not know it."""

    stream: str
    version: int
    at_ms: int
    reference: str
    meter: int | None
    ledger: int | None


async def first_parting(log: EventLog, pit: str, wallet: str, table: str, session: int, seat: int) -> Parting | None:
    """Return the first event of a session at which the sides of a seat part; None when they agree on all.

    `wallet` is the shard where the table's accounts are. Raises `LogBroken`.
    """
    booked = await _booked(log, wallet, table, session, seat)
    said = _Meter(table, session, seat)
    found: list[Parting] = []
    async for head, record, event in read_events(log, pit, stream_name(table, session)):
        for reference, cents in said.changes(event):
            other = booked.take(reference, cents)
            if (0 if other is None else other) != cents and not found:
                found.append(Parting(record.stream, head.version, record.at_ms, reference, cents, other))
    return min([*found, *booked.only_there()], key=lambda one: one.at_ms, default=None)


@dataclass(slots=True)
class _Meter:
    """What the events of a table do to one credit meter and the stakes before it."""

    table: str
    session: int
    seat: int
    _debited: int = 0

    def changes(self, event: Event) -> list[tuple[str, int]]:
        """Return reference and cents of each change that the ledger must know."""
        match event:
            case SeatCredited(seat=self.seat):
                return [(event.transfer_id, event.amount)]
            case SeatDebited(seat=self.seat):
                self._debited += event.amount
                return []
            case PostingDue():
                debited, self._debited = self._debited, 0
                return self._posted(event.number, -debited)
            case CoupSettled() | StakesReleased():
                gained = sum(one.credited - one.staked for one in event.seats if one.seat == self.seat)
                return self._posted(event.posting, gained)
            case SessionClosed():
                return self._posted(event.posting, -sum(one.amount for one in event.returned if one.seat == self.seat))
            case _:
                return []

    def _posted(self, number: int, cents: int) -> list[tuple[str, int]]:
        return [(posting_id(self.table, self.session, number), cents)] if number or cents else []


@dataclass(slots=True)
class _Booked:
    """What the ledger says of the seat since the session's first posting, by reference."""

    there: dict[str, Parting] = field(default_factory=dict)
    received: list[Parting] = field(default_factory=list)
    """Buy-ins out of another part of the wallet: their transfer ids are not known here, only what they brought."""
    begun: tuple[int, int] = (0, 0)
    """Volume and version of the session's first posting: before it the seat was another session's, but for a buy-in
    that was quicker."""
    ended: tuple[int, int] | None = None
    """Those of the next session's first posting."""

    def take(self, reference: str, cents: int) -> int | None:
        """Return what the ledger has under a reference, None if it has nothing, and strike it off."""
        found = self.there.pop(reference, None)
        if found is None and not reference.startswith("post:"):
            found = next((one for one in self.received if one.ledger == cents), None)
            if found is not None:
                self.received.remove(found)
        return None if found is None else found.ledger

    def only_there(self) -> list[Parting]:
        """Return what the table has not asked for."""
        return [one for one in (*self.there.values(), *self.received) if one.ledger and self._is_ours(one)]

    def _is_ours(self, one: Parting) -> bool:
        place = _place(one.stream, one.version)
        return self.begun < place and (self.ended is None or place < self.ended)


def _place(stream: str, version: int) -> tuple[int, int]:
    return split_stream(stream)[1], version


async def _booked(log: EventLog, wallet: str, table: str, session: int, seat: int) -> _Booked:
    """Read the ledger's volumes back to the one in which the session began, and note what each did to the seat."""
    booked, account = _Booked(), seat_account(table, seat)
    for stream in sorted(await log.heads(wallet), key=split_stream, reverse=True):
        async for head, record, event in read_events(log, wallet, stream):
            if isinstance(event, TablePosted) and event.table == table and event.number == 1:
                if event.session == session:
                    booked.begun = _place(stream, head.version)
                elif event.session == session + 1:
                    booked.ended = _place(stream, head.version)
            moved = [entry.amount for entry in getattr(event, "entries", ()) if entry.account == account]
            if moved:
                one = Parting(stream, head.version, record.at_ms, reference_of(event), None, sum(moved))
                if isinstance(event, TransferReceived):
                    booked.received.append(one)
                else:
                    booked.there[one.reference] = one
        if booked.begun != (0, 0):
            break
    return booked
