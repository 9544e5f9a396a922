"""Find in the logs what the ledger no longer keeps in memory: the transfer of an old id."""

from typing import get_args

from libs.eventlog.api import EventLog
from libs.eventlog.chain import decode_record
from libs.kernel.contracts.wallet_days import LedgerOpened, TransferFact
from libs.kernel.days import days_before
from libs.kernel.ids import date_of, split_stream
from libs.kernel.limits import REFUSED_DAYS_AHEAD
from libs.runtime.kinds import WALLET
from libs.runtime.reading import first_event


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
