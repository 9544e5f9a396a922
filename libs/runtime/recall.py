"""Find in the logs what is no longer in memory: what a command of an old id led to, or the transfer of one."""

from collections.abc import Mapping, Sequence
from typing import get_args

import msgspec

from libs.eventlog.api import EventLog, Head
from libs.eventlog.chain import decode_record
from libs.kernel.contracts.wallet_days import LedgerOpened, TransferFact
from libs.kernel.days import DAY_MS, days_before
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import date_of, moment_of, split_stream
from libs.kernel.limits import COMMAND_LATE_MS, REFUSED_DAYS_AHEAD
from libs.runtime.kinds import WALLET, kind_of
from libs.runtime.reading import first_event

CLOCKS_APART_MS = DAY_MS
"""By how much the clocks of owners, which date records, are taken to differ from that of the log's server at most."""


class Decided(msgspec.Struct, frozen=True):
    """What a command led to, as it was told when it was accepted."""

    digest: str
    """Of the command's body; empty in records of releases that did not note it."""
    stream: str
    events: tuple[msgspec.Raw, ...]


async def find_decision(log: EventLog, shard: str, book: str, command_id: str) -> Decided | None:
    """Return what a person's command has led to in a book, or None when it has left no facts there.

    Reads only the volumes that can hold it: an id is taken within `COMMAND_LATE_MS` after its moment, or never.
    """
    found: list[EventRecord] = []
    heads = await log.heads(shard)
    for stream in await _volumes_at(log, shard, book, moment_of(command_id), heads):
        found += await _records_of(log, shard, stream, command_id)
        # One decision may close a volume and open the next.
        if found and found[-1].version < heads[stream].version:
            break
    if not found:
        return None
    codec = kind_of(shard).codec
    bodies = [bytes(record.body) for record in found]
    told = tuple(msgspec.Raw(body) for body in bodies if not codec.decode_event(body).secret)
    return Decided(found[0].digest, found[-1].stream, told)


async def _volumes_at(
    log: EventLog, shard: str, book: str, moment_ms: int | None, heads: Mapping[str, Head]
) -> Sequence[str]:
    """Return the volumes of a book in which an id of that moment can have been decided, oldest first."""
    if moment_ms is None:
        return ()
    volumes = sorted((stream for stream in heads if split_stream(stream)[0] == book), key=split_stream)

    async def begun_before(time_ms: int) -> int:
        """Count the volumes that began before a time, looking into a few of them."""
        low, high = 0, len(volumes)
        while low < high:
            middle = (low + high) // 2
            first = await first_event(log, shard, volumes[middle])
            if first is not None and first[0].at_ms < time_ms:
                low = middle + 1
            else:
                high = middle
        return low

    # A volume ended when the next one began.
    begin = await begun_before(moment_ms - CLOCKS_APART_MS)
    end = await begun_before(moment_ms + COMMAND_LATE_MS + CLOCKS_APART_MS)
    return volumes[max(0, begin - 1) : end]


async def _records_of(log: EventLog, shard: str, stream: str, cause: str) -> list[EventRecord]:
    """Return the records of one decision, which stand together."""
    sought, found = cause.encode(), list[EventRecord]()
    async for page in log.load(shard, stream):
        for raw in page:
            if sought in raw and (record := decode_record(raw)).cause == cause:
                found.append(record)
            elif found:
                return found
    return found


async def find_transfer(log: EventLog, shard: str, transfer_id: str) -> TransferFact | None:
    """Return the fact that an id has led to, or None when there is none.

    Reads only the volumes in which an id of that date can have been taken: those that had not forgotten the day, and
    did not end before it.
    """
    dated = date_of(transfer_id)
    if dated is None:
        return None
    ends_ms: int | None = None
    for stream in sorted(await log.heads(shard), key=split_stream, reverse=True):
        if ends_ms is not None and days_before(ends_ms, -REFUSED_DAYS_AHEAD) < dated:
            return None
        first = await first_event(log, shard, stream)
        if first is None:
            continue
        record, opened = first
        if isinstance(opened, LedgerOpened) and opened.remembers_from <= dated:
            found = await _search(log, shard, stream, transfer_id)
            if found is not None:
                return found
        ends_ms = record.at_ms
    return None


async def _search(log: EventLog, shard: str, stream: str, transfer_id: str) -> TransferFact | None:
    sought = transfer_id.encode()
    async for page in log.load(shard, stream):
        for raw in page:
            if sought not in raw:
                continue
            record = decode_record(raw)
            if record.cause != transfer_id:
                continue
            event = WALLET.codec.decode_event(bytes(record.body))
            if isinstance(event, get_args(TransferFact)):
                made: TransferFact = event
                return made
    return None
