"""`tapis replay`: rebuild a table, the ledger or the draws from the log alone, up to any moment."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from hashlib import sha256
from typing import Any

import msgspec

from libs.cli.output import put, put_json
from libs.cli.where import NotFound, Site
from libs.cli.words import event_line, moment, money, table_lines
from libs.eventlog.api import EventLog, Head
from libs.eventlog.chain import decode_record, verify_records
from libs.kernel import buckets
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import split_stream, stream_name
from libs.ledger.state import LedgerState
from libs.runtime.kinds import PIT, kind_of
from libs.runtime.loading import begin_volume
from libs.runtime.reading import first_event
from libs.table.state import TableState


@dataclass(frozen=True, slots=True)
class Until:
    """How far to replay: to a version, to a time, or (both None) to the end."""

    version: int | None = None
    at_ms: int | None = None

    def includes(self, record: EventRecord) -> bool:
        """Tell whether an event still belongs to it."""
        if self.version is not None:
            return record.version <= self.version
        return self.at_ms is None or record.at_ms <= self.at_ms


def parse_until(text: str | None, zone: tzinfo) -> Until:
    """Read `--at`: a number is a version, anything else an ISO 8601 time (the site's, when it names no zone)."""
    if text is None:
        return Until()
    if text.isdecimal():
        return Until(version=int(text))
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"--at is a version or a time such as 2026-11-29T21:30:00+01:00, not {text!r}") from None
    if time.tzinfo is None:
        time = time.replace(tzinfo=zone)
    return Until(at_ms=round(time.timestamp() * 1000))


async def find_book(log: EventLog, book: str) -> tuple[str, list[int]]:
    """Return the shard of a book and its volumes; raises `NotFound` that names the books there are."""
    return await _find(log, book, await log.shards(), "")


async def find_table(log: EventLog, table: str) -> tuple[str, list[int]]:
    """Return the pit of a table and its sessions; raises `NotFound` that names the tables there are."""
    return await _find(log, table, [shard for shard in await log.shards() if kind_of(shard) is PIT], "table ")


async def _find(log: EventLog, book: str, shards: Iterable[str], what: str) -> tuple[str, list[int]]:
    there: set[str] = set()
    for shard in shards:
        volumes = []
        for stream in await log.heads(shard):
            name, volume = split_stream(stream)
            there.add(name)
            if name == book:
                volumes.append(volume)
        if volumes:
            return shard, sorted(volumes)
    raise NotFound(f"no {what}{book} in the log; there are: {', '.join(sorted(there)) or 'none'}")


async def choose_volume(log: EventLog, shard: str, book: str, volumes: list[int], until: Until) -> int:
    """Return the session that was running at a time; the last one when no time is given."""
    if until.at_ms is not None:
        for volume in reversed(volumes):
            first = await first_event(log, shard, stream_name(book, volume))
            if first is not None and first[0].at_ms <= until.at_ms:
                return volume
    return volumes[-1]


async def replay(site: Site, book: str, session: int | None, at: str | None, as_json: bool) -> None:
    """Print the events of a session and the state that they make."""
    until = parse_until(at, site.timezone)
    shard, volumes = await find_book(site.log, book)
    if session is not None and session not in volumes:
        raise NotFound(f"{book} has no session {session}; there are {volumes[0]} to {volumes[-1]}")
    volume = session or await choose_volume(site.log, shard, book, volumes, until)
    kind = kind_of(shard)
    state: Any = (await begin_volume(site.log, shard, kind.decider, kind.codec, book, volume)).state
    head, at_ms = Head(), 0
    async for raw, record, now in _events(site.log, shard, stream_name(book, volume), until):
        put(raw.decode() if as_json else event_line(record, site.timezone))
        state = kind.decider.evolve(state, kind.codec.decode_event(bytes(record.body)))
        head, at_ms = now, record.at_ms
    if until.version is not None and head.version < until.version:
        raise NotFound(f"{stream_name(book, volume)} has only {head.version} events")
    encoded = msgspec.json.encode(state)
    if as_json:
        last = {"stream": stream_name(book, volume), "version": head.version, "hash": head.hash}
        put_json({**last, "state": msgspec.Raw(encoded)})
        return
    when = moment(at_ms, site.timezone) if head.version else "before the first event"
    put(f"\n{stream_name(book, volume)} at version {head.version}, {when}")
    for line in state_lines(state):
        put(line)
    put(f"hash of the last event {head.hash}\nhash of the state      {sha256(encoded).hexdigest()}")


async def _events(
    log: EventLog, shard: str, stream: str, until: Until
) -> AsyncIterator[tuple[bytes, EventRecord, Head]]:
    """Yield the events up to a moment, each checked against the chain; raises `LogBroken`."""
    head = Head()
    async for page in log.load(shard, stream):
        for raw in page:
            record = decode_record(raw)
            if not until.includes(record):
                return
            head = verify_records(stream, (raw,), head)
            yield raw, record, head


def state_lines(state: object) -> list[str]:
    """Return any state for people."""
    if isinstance(state, TableState):
        return table_lines(state)
    if isinstance(state, LedgerState):
        accounts = sorted(buckets.items(state.balances))
        lines = [f"  {name:<40} {money(cents):>16}" for name, cents in accounts if cents]
        idle = [f"  (accounts at zero: {zeros})"] if (zeros := len(accounts) - len(lines)) else []
        total = money(sum(cents for _, cents in accounts))
        return [*lines, *idle, f"  {'sum of all accounts':<40} {total:>16}"]
    if _is_big(state):
        return ["  too much to show here: --json prints it"]
    return [msgspec.json.format(msgspec.json.encode(state)).decode()]


def _is_big(state: object) -> bool:
    return len(msgspec.json.encode(state)) > 10_000
