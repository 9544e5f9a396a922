"""The audit of a site: read every log from its first event, believe nothing, and compare the books with one another.

It uses none of the deciders' own arithmetic, but for a second look at the tables, with their rules (`decisions.py`).
On a running casino it reads the ledger first and the tables after it, so that what is on its way between them is
counted, not taken for a fault.
"""

from collections.abc import AsyncIterator, Callable

from libs.draws.proof import MadeDraw
from libs.eventlog.api import EventLog, Head, LogBroken
from libs.eventlog.chain import decode_record, head_of, next_record
from libs.eventlog.codec import BadMessage
from libs.kernel.accounts import seat_number
from libs.kernel.contracts.rng import Drawn, SeedCommitted, SeedGivenUp, SeedRevealed
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import split_stream
from libs.kernel.limits import AUDIT_FAULTS
from libs.kernel.messages import Event
from libs.kernel.wallets import place_of, wallet_of
from libs.runtime.audit.agreement import SeatDiffers, compare_draws, compare_failed, compare_money
from libs.runtime.audit.decisions import DecisionAudit
from libs.runtime.audit.ledgers import Ledgers
from libs.runtime.audit.report import AuditReport, Fault, Faults, Redecided
from libs.runtime.audit.seeds import SeedAudit
from libs.runtime.audit.table import TableAudit
from libs.runtime.kinds import Kind, kind_of
from libs.runtime.parting import first_parting

__all__ = ["AuditReport", "Fault", "audit"]

_READING_ORDER = ("wallet", "pit", "rng", "persons")
"""Who tells before who acts on it is read last: a posting in the ledger is then always in its table's log too."""


async def audit(log: EventLog, progress: Callable[[str, int], None] = lambda _stream, _events: None) -> AuditReport:
    """Read and check all logs of the site. `progress` is told each stream and how many events it had."""
    return await _Audit(log, progress).run()


class _Audit:
    """One audit while it runs."""

    def __init__(self, log: EventLog, progress: Callable[[str, int], None]) -> None:
        self._log = log
        self._progress = progress
        self._faults = Faults()
        self._ledger = Ledgers(self._faults)
        self._tables: dict[str, TableAudit] = {}
        self._decisions: dict[str, DecisionAudit] = {}
        self._redecided = Redecided()
        self._draws: dict[str, tuple[int, ...]] = {}
        self._seeds = SeedAudit(self._faults)
        self._ledger_read: dict[tuple[str, str], int] = {}
        """Up to which version each stream of the ledger was read."""
        self._pits: dict[str, str] = {}
        """The shard of each table."""
        self._sessions: dict[str, int] = {}
        """How many sessions each table has had."""
        self._wallets = 1
        """Parts of the wallet."""
        self._streams = self._events = 0

    async def run(self) -> AuditReport:
        shards = await self._log.shards()
        kinds = {shard: kind_of(shard) for shard in shards}
        for shard in sorted(shards, key=lambda name: (_READING_ORDER.index(kinds[name].name), name)):
            await self._shard(shard, kinds[shard])
        self._ledger.end()
        # Behind a broken chain nothing more is known: comparing the books would only repeat the first fault.
        compared = 0
        sound = not self._faults.broken
        if sound:
            await self._read_late_wishes()
        self._ledger.unite()
        if sound:
            self._ledger.compare_parts()
            compared, differing = compare_money(self._ledger, self._tables, self._faults)
            # No more are named, and for each all sessions of a table may have to be read.
            for seat in differing[:AUDIT_FAULTS]:
                await self._seat_differs(seat)
            compare_draws(self._draws, self._tables, self._faults)
            for decisions in self._decisions.values():
                compare_failed(self._draws, decisions.failed, self._faults)
            self._seeds.compare()
        return AuditReport(
            shards=len(shards),
            streams=self._streams,
            events=self._events,
            coups=sum(table.coups for table in self._tables.values()),
            voided=sum(table.voided for table in self._tables.values()),
            wagers=sum(table.wagers for table in self._tables.values()),
            accounts=sum(len(part.balances) for part in self._ledger.parts.values()),
            total=sum(sum(part.balances.values()) for part in self._ledger.parts.values()),
            owed=sum(len(table.postings.keys() - self._ledger.posted.keys()) for table in self._tables.values()),
            seats_compared=compared,
            redecided=self._redecided,
            draws=self._seeds.counts,
            faults=tuple(self._faults.found),
        )

    async def _seat_differs(self, seat: SeatDiffers) -> None:
        """Note a seat that differs, with the first event at which table and ledger part, in whatever session."""
        what = (
            f"{seat.account}: the table holds {seat.held} cents, "
            f"the ledger {seat.balance} and {seat.coming} more on the way"
        )
        wallet = wallet_of(seat.table, self._wallets).shard
        for session in range(1, self._sessions.get(seat.table, 0) + 1):
            pit = self._pits[seat.table]
            parting = await first_parting(self._log, pit, wallet, seat.table, session, seat_number(seat.account))
            if parting is not None:
                meter, booked = (
                    "nothing" if said is None else f"{said} cents" for said in (parting.meter, parting.ledger)
                )
                what += f"; they part at {parting.reference}: the table says {meter}, the ledger {booked}"
                self._faults.add(parting.stream, parting.version, "seat.differs", what)
                return
        self._faults.add(seat.table, 0, "seat.differs", what)

    async def _shard(self, shard: str, kind: Kind) -> None:
        """Read all streams of a shard, volume after volume."""
        heads = await self._log.heads(shard)
        last_volume: dict[str, int] = {}
        for stream in sorted(heads, key=split_stream):
            book, volume = split_stream(stream)
            expected, broken = last_volume.get(book, 0) + 1, self._faults.broken
            if volume != expected:
                self._faults.add(f"{book}/{expected}", 0, "chain.volume", f"volume {expected} of {book} is missing")
            last_volume[book] = volume
            if kind.name == "pit":
                self._begin_session(shard, book, volume, whole=volume == expected)
            elif kind.name == "wallet":
                self._wallets = place_of(book)[1]
            seen = 0
            async for record, event in self._verified(shard, kind, stream, heads[stream]):
                self._take(shard, kind, book, record, event)
                seen += 1
            if kind.name == "wallet":
                self._ledger_read[shard, stream] = seen
            elif kind.name == "pit":
                self._decisions[book].end(whole=self._faults.broken == broken)
            self._streams += 1
            self._events += seen
            self._progress(stream, seen)

    def _begin_session(self, pit: str, table: str, session: int, *, whole: bool) -> None:
        """A session is read next; unless it is `whole`, those before it are not all there."""
        self._pits[table], self._sessions[table] = pit, session
        if table not in self._tables:
            self._tables[table] = TableAudit(table, self._faults)
            self._decisions[table] = DecisionAudit(pit, table, self._faults, self._redecided)
        if not whole:
            self._decisions[table].lose()

    def _take(self, shard: str, kind: Kind, book: str, record: EventRecord, event: Event) -> None:
        """Hand an event to the folds of its kind."""
        stream, version = record.stream, record.version
        match kind.name:
            case "wallet":
                self._ledger.part(shard).see(stream, version, event)
            case "pit":
                self._tables[book].see(stream, version, event)
                self._decisions[book].see(record, event)
                self._seeds.see(stream, version, event)
            case "persons":
                pass  # that it can be read, and that its hashes chain, is all there is to see from outside
            case _:
                self._draw(stream, version, event)

    async def _read_late_wishes(self) -> None:
        """Note what the ledger pended after it was read: tables, read later, may have acted on it already."""
        for shard in {shard for shard, _ in self._ledger_read}:
            codec = kind_of(shard).codec
            for stream in await self._log.heads(shard):
                async for page in self._log.load(shard, stream, self._ledger_read.get((shard, stream), 0)):
                    for raw in page:
                        event = codec.decode_event(bytes(decode_record(raw).body))
                        self._ledger.see_late(shard, event)

    def _draw(self, stream: str, version: int, event: Event) -> None:
        if isinstance(event, SeedCommitted):
            self._seeds.promised(stream, version, event)
        elif isinstance(event, SeedRevealed | SeedGivenUp):
            self._seeds.ended(stream, version, event)
        if not isinstance(event, Drawn):
            return
        self._seeds.drew(MadeDraw(event.draw_id, event.bounds, event.values))
        if event.draw_id in self._draws:
            self._faults.add(stream, version, "draw.twice", f"draw {event.draw_id} was made twice")
        if any(not 0 <= value < bound for value, bound in zip(event.values, event.bounds, strict=False)):
            self._faults.add(stream, version, "draw.range", f"draw {event.draw_id} has a value out of its bounds")
        if len(event.values) != len(event.bounds):
            self._faults.add(stream, version, "draw.range", f"draw {event.draw_id} has not one value per bound")
        self._draws[event.draw_id] = event.values

    async def _verified(
        self, shard: str, kind: Kind, stream: str, promised: Head
    ) -> AsyncIterator[tuple[EventRecord, Event]]:
        """Yield the records and events of a stream while its chain holds; note the first fault and stop there."""
        head = Head()
        try:
            async for page in self._log.load(shard, stream):
                for raw in page:
                    record = next_record(stream, raw, head)
                    head = head_of(record)
                    _compare(stream, head, promised)
                    yield record, kind.codec.decode_event(record.body)
        except LogBroken as broken:
            self._faults.add(broken.stream, broken.version, "chain.broken", broken.reason)
            return
        except BadMessage as error:
            self._faults.add(stream, head.version, "event.unknown", f"the event cannot be read: {error}")
            return
        if head.version < promised.version:
            self._faults.add(
                stream,
                head.version + 1,
                "chain.cut",
                f"the log ends at version {head.version}, the head in meta is {promised.version}",
            )
        elif head.version > promised.version:
            now = (await self._log.heads(shard)).get(stream, Head())
            if now.version < head.version:
                self._faults.add(stream, now.version + 1, "chain.beyond", "the log goes on behind the head in meta")


def _compare(stream: str, head: Head, promised: Head) -> None:
    """Raise `LogBroken` when this is the event that the head in meta speaks of, and it is another one."""
    if head.version == promised.version and head.hash != promised.hash:
        raise LogBroken(stream, head.version, "its hash is not that of the head in meta")
