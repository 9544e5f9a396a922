"""The log of all, with somebody who looks at everything that is appended to it."""

import asyncio
from collections import Counter
from collections.abc import Callable

from libs.eventlog.api import Appended, AppendResult, Batch
from libs.eventlog.memory import MemoryLog
from libs.kernel.ids import split_stream, stream_name

FEED_ENTRIES = 100
"""Entries kept on a feed. Who takes over remembers so many answers; all older ones are the ledger's to give."""


class WatchedLog(MemoryLog):
    """Tells each batch to a witness at the moment at which it is in the log."""

    def __init__(self, clock: Callable[[], int], see: Callable[[str, Batch], None]) -> None:
        super().__init__(clock, feed_entries=FEED_ENTRIES)
        self._see = see
        self.results: Counter[str] = Counter()
        """What became of appends, by the name of the result."""
        self.faults: list[AssertionError] = []
        """What the witness objects to; who appends may not live to tell."""
        self._late: set[asyncio.Task[AppendResult]] = set()

    async def append(self, shard: str, batch: Batch) -> AppendResult:
        """Append and tell; older volumes than those that a take-over reads are dropped, as if they were archived."""
        result = await super().append(shard, batch)
        self.results[type(result).__name__] += 1
        if isinstance(result, Appended):
            try:
                self._see(shard, batch)
            except AssertionError as fault:
                self.faults.append(fault)
                raise
            for one in batch.appends:
                book, volume = split_stream(one.stream)
                self._shard(shard).logs.pop(stream_name(book, volume - 2), None)
        return result

    def append_later(self, shard: str, batch: Batch, after_s: float) -> None:
        """Let a request arrive when its sender has given it up."""

        async def arrive() -> AppendResult:
            await asyncio.sleep(after_s)
            return await WatchedLog.append(self, shard, batch)

        task = asyncio.create_task(arrive())
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    def forget_epoch(self, shard: str) -> int:
        """Give the owner of now the epoch of the one before; return it."""
        here = self._shard(shard)
        here.epoch -= 1
        return here.epoch
