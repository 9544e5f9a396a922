"""Read the inbox of a shard with one FastStream batch subscriber, from the shard's cursor. The only user of FastStream.

No consumer group: the position is the cursor in the shard's meta, moved by the append script. The subscriber moves its
own position before the handler runs, so the handler never raises: a failure ends the run and the next one reads from
the cursor again.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from faststream.redis import RedisBroker, StreamSub
from faststream.redis.message import RedisBatchStreamMessage
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from libs.eventlog.api import EventLogUnavailable
from libs.eventlog.lost import LOST, sentence
from libs.kernel.limits import BATCH_COMMANDS

Handler = Callable[[Sequence[tuple[str, bytes]]], Awaitable[None]]
"""Takes inbox entries (id, bytes of field `c`), in order."""

_SILENT: Any = None
"""FastStream's word for no logger; its types do not know it."""

POLL_MS = 1000
"""How long one blocking read waits, in milliseconds."""

SILENT_AFTER_S = 5.0
"""A read that has not come back for this long will not come back."""


class InboxReader:
    """One subscriber on one inbox, started at a cursor. `lost` is called with the reason when a read fails.

    After a failed read FastStream would wait for five seconds, or not at all; whoever hears `lost` stops this reader
    and makes another one when the log answers.
    """

    def __init__(
        self, redis_url: str, inbox: str, cursor: str, handler: Handler, lost: Callable[[str], None] = lambda _: None
    ) -> None:
        self._calls = _Calls(lost)
        self._handling = False
        self._broker = RedisBroker(redis_url, apply_types=False, logger=_SILENT, socket_timeout=None, retry=self._calls)
        subscriber = self._broker.subscriber(
            stream=StreamSub(inbox, last_id=cursor, batch=True, max_records=BATCH_COMMANDS, polling_interval=POLL_MS),
            parser=_parse,
            decoder=_decode,
        )
        self._subscriber = subscriber

        @subscriber
        async def take(entries: Any) -> None:
            self._handling = True
            try:
                await handler(entries)
            finally:
                self._handling = False

    async def start(self) -> None:
        """Connect and read; raises `EventLogUnavailable`."""
        try:
            client = await self._broker.connect()
            # Nothing is open yet. FastStream would introduce itself on each connection, and takes no option against it:
            # Redis 7.0 does not know that command, our access list cannot name it, and a refusal there is an alarm.
            client.connection_pool.connection_kwargs["driver_info"] = None
            await self._broker.start()
        except LOST as error:
            raise EventLogUnavailable(sentence(error)) from error

    async def stop(self) -> None:
        """Stop after the batch in hand."""
        self._calls.ended = True
        with suppress(*LOST):
            await self._broker.stop()

    @property
    def reading(self) -> bool:
        """True while reads come back: the last one well, and not long ago (unless a batch is in hand)."""
        if not self._subscriber.running or self._calls.failed:
            return False
        return self._handling or time.monotonic() - self._calls.last_s < SILENT_AFTER_S


class _Calls(Retry):
    """Sees the outcome of every call that the subscriber makes: redis-py passes each through its retry policy.

    FastStream itself tells nobody whether its reads come back. Nothing is retried here.
    """

    def __init__(self, lost: Callable[[str], None]) -> None:
        super().__init__(NoBackoff(), 0)
        self._lost = lost
        self.last_s = time.monotonic()
        self.failed = False
        self.ended = False

    def __deepcopy__(self, _memo: object) -> "_Calls":
        """Stay one: each connection would take a copy."""
        return self

    async def call_with_retry(self, *args: Any, **kwargs: Any) -> Any:
        """Make the call and note how it ended."""
        try:
            answer = await super().call_with_retry(*args, **kwargs)
        except LOST as error:
            self.failed = True
            if not self.ended:
                self._lost(sentence(error))
            raise
        self.last_s = time.monotonic()
        return answer


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
