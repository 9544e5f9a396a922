"""Read the events of a stream from its first on, whoever wants to fold them."""

from collections.abc import AsyncIterator

from libs.eventlog.api import EventLog, Head, LogBroken
from libs.eventlog.chain import head_of, next_record
from libs.eventlog.codec import BadMessage
from libs.kernel.envelope import EventRecord
from libs.kernel.messages import Event
from libs.runtime.kinds import kind_of


async def read_events(log: EventLog, shard: str, stream: str) -> AsyncIterator[tuple[Head, EventRecord, Event]]:
    """Yield head, record and event, the chain checked on the way; raises `LogBroken`."""
    kind, head = kind_of(shard), Head()
    async for page in log.load(shard, stream):
        for raw in page:
            record = next_record(stream, raw, head)
            head = head_of(record)
            try:
                event = kind.codec.decode_event(bytes(record.body))
            except BadMessage as bad:
                raise LogBroken(stream, head.version, f"this release cannot read it: {bad.reason}") from bad
            yield head, record, event


async def first_event(log: EventLog, shard: str, stream: str) -> tuple[EventRecord, Event] | None:
    """Return the first event of a stream, None while it has none; raises `LogBroken`."""
    async for _, record, event in read_events(log, shard, stream):
        return record, event
    return None
