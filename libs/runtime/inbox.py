"""Read the inbox of a shard with one FastStream batch subscriber, from the shard's cursor. The only user of FastStream.

No consumer group: the position is the cursor in the shard's meta, moved by the append script. The subscriber moves its
own position before the handler runs, so the handler never raises: a failure ends the run and the next one reads from
the cursor again.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from faststream.redis import RedisBroker, StreamSub
from faststream.redis.message import RedisBatchStreamMessage

from libs.kernel.limits import BATCH_COMMANDS

Handler = Callable[[Sequence[tuple[str, bytes]]], Awaitable[None]]
"""Takes inbox entries (id, bytes of field `c`), in order."""

_SILENT: Any = None
"""FastStream's word for no logger; its types do not know it."""

POLL_MS = 1000
"""How long one blocking read waits, in milliseconds."""


class InboxReader:
    """One subscriber on one inbox, started at a cursor."""

    def __init__(self, redis_url: str, inbox: str, cursor: str, handler: Handler) -> None:
        self._broker = RedisBroker(redis_url, apply_types=False, logger=_SILENT, socket_timeout=None)
        subscriber = self._broker.subscriber(
            stream=StreamSub(inbox, last_id=cursor, batch=True, max_records=BATCH_COMMANDS, polling_interval=POLL_MS),
            parser=_parse,
            decoder=_decode,
        )
        self._subscriber = subscriber

        @subscriber
        async def take(entries: Any) -> None:
            await handler(entries)

    async def start(self) -> None:
        """Connect and read."""
        await self._broker.start()

    async def stop(self) -> None:
        """Stop after the batch in hand."""
        with suppress(ConnectionError, OSError):
            await self._broker.stop()

    @property
    def reading(self) -> bool:
        """True while the subscriber's read loop is alive."""
        tasks = getattr(self._subscriber, "tasks", [])
        return bool(self._subscriber.running) and any(not task.done() for task in tasks)


async def _parse(message: Any) -> RedisBatchStreamMessage:
    """Hand the raw batch over untouched; FastStream's own parser would decode every entry three times."""
    return RedisBatchStreamMessage(message, b"", correlation_id="-", consumer=_SILENT, group=None)


async def _decode(message: RedisBatchStreamMessage) -> list[tuple[str, bytes]]:
    raw = message.raw_message
    fields: list[dict[bytes, bytes]] = raw["data"]
    return [(entry.decode(), data.get(b"c", b"")) for entry, data in zip(raw["message_ids"], fields, strict=True)]


def quiet() -> None:
    """Keep FastStream's logger silent; what matters is reported by the shard's loop."""
    logging.getLogger("faststream").setLevel(logging.CRITICAL)
