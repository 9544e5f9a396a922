"""Read from the logs what a report needs: the day's volumes of every ledger, and the sessions of its tables."""

from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo

import msgspec

from libs.eventlog.api import EventLog, Head
from libs.kernel.contracts.wallet_days import LedgerOpened
from libs.kernel.ids import split_stream, stream_name
from libs.runtime.floor import Floor
from libs.runtime.gaming_day import gaming_date
from libs.runtime.kinds import PIT, WALLET, kind_of
from libs.runtime.reading import first_event, read_events
from libs.runtime.report.ledger import LedgerDay
from libs.runtime.report.sessions import SessionPlay


class NoSuchDay(LookupError):
    """The logs begin later or end earlier; the sentence says when."""


class Source(msgspec.Struct, frozen=True):
    """Up to where a log was read: whoever has this head and the log can make the same report."""

    stream: str
    version: int
    hash: str


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the logs say about a day."""

    day: str
    ledgers: list[LedgerDay] = field(default_factory=list)
    """Volumes of the day, by shard and volume; several where the wallet has parts, none on a day without a ledger."""
    plays: list[SessionPlay] = field(default_factory=list)
    """By table and session."""
    sources: list[Source] = field(default_factory=list)

    @property
    def closed(self) -> bool:
        """Tell whether the day is frozen in all parts of the wallet."""
        return all(ledger.closed_ms is not None for ledger in self.ledgers)


async def gather(log: EventLog, floor: Floor | None, day: str | None, watched: str = "") -> Gathered:
    """Read a day, the running one if none is named; raises `NoSuchDay`, and `LogBroken` when a chain does not hold.

    `watched` is an account whose movements are wanted.
    """
    volumes = await _volumes(log, floor, day)
    if not volumes:
        raise NoSuchDay("no ledger has begun a gaming day yet")
    days = sorted({found for _, _, found in volumes})
    wanted = day or days[-1]
    if not days[0] <= wanted <= days[-1]:
        days = sorted(found for _, _, found in await _volumes(log, floor, ""))
        raise NoSuchDay(f"the log knows the gaming days from {days[0]} to {days[-1]}, not {wanted}")
    gathered = Gathered(wanted)
    for shard, stream, found in volumes:
        if found == wanted:
            await _ledger(log, shard, stream, watched, gathered)
    await _sessions(log, gathered)
    gathered.sources.sort(key=lambda source: split_stream(source.stream))
    return gathered


async def _volumes(log: EventLog, floor: Floor | None, day: str | None) -> list[tuple[str, str, str]]:
    """Return shard, stream and gaming day of the ledgers' volumes, oldest first, back to the day or one before it.

    Without a day, those of the running day of each part, and one more.
    """
    zone: tzinfo = ZoneInfo(floor.site.timezone) if floor else UTC
    cut_off = floor.site.cutoff if floor else "06:00"
    found: list[tuple[str, str, str]] = []
    for shard in sorted(await log.shards()):
        if kind_of(shard) is not WALLET:
            continue
        oldest = day
        for stream in sorted(await log.heads(shard), key=split_stream, reverse=True):
            found.append((shard, stream, await _day_of(log, shard, stream, zone, cut_off)))
            oldest = found[-1][2] if oldest is None else oldest
            if found[-1][2] < oldest:
                break
    return sorted(found, key=lambda one: (one[0], split_stream(one[1])))


async def _day_of(log: EventLog, shard: str, stream: str, zone: tzinfo, cut_off: str) -> str:
    """Return the gaming day of a volume; one that nobody has given a day to has that of its first event's time."""
    first = await first_event(log, shard, stream)
    if first is None:
        return ""
    record, event = first
    said = event.day if isinstance(event, LedgerOpened) else ""
    return said or gaming_date(record.at_ms, zone, cut_off)


async def _ledger(log: EventLog, shard: str, stream: str, watched: str, gathered: Gathered) -> None:
    ledger, head = LedgerDay(shard, watched), Head()
    async for now, record, event in read_events(log, shard, stream):
        ledger.see(record.at_ms, event)
        head = now
    gathered.ledgers.append(ledger)
    gathered.sources.append(Source(stream, head.version, head.hash))


async def _sessions(log: EventLog, gathered: Gathered) -> None:
    """Read the sessions that have posted on this day, each from its beginning to its last posting of the day."""
    places = {}
    for shard in await log.shards():
        if kind_of(shard) is PIT:
            places.update(dict.fromkeys(await log.heads(shard), shard))
    for key, play in sorted(_plays(gathered.ledgers).items()):
        stream = stream_name(*key)
        if stream not in places:
            continue  # only a log that has lost it does not know it; `tapis verify` says so
        source: Source | None = None
        async for head, record, event in read_events(log, places[stream], stream):
            if play.see(record.at_ms, event):
                source = Source(stream, head.version, head.hash)
            if play.over:
                break
        gathered.plays.append(play)
        if source is not None:
            gathered.sources.append(source)


def _plays(ledgers: list[LedgerDay]) -> dict[tuple[str, int], SessionPlay]:
    """Return a fold for each session that has posted; a day of two volumes may hold a session twice."""
    plays: dict[tuple[str, int], SessionPlay] = {}
    for ledger in ledgers:
        begun_ms = 0 if ledger.first_volume else ledger.opened_ms
        for key, money in ledger.sessions.items():
            play = plays.setdefault(key, SessionPlay(*key, money.first, money.last, begun_ms))
            play.last, play.ended_ms = money.last, ledger.closed_ms
    return plays
