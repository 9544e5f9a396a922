"""Append a batch until its outcome is known, or end the run."""

import asyncio
from collections.abc import Callable

from libs.eventlog.api import (
    Appended,
    AppendResult,
    AppendUnknown,
    Batch,
    Conflict,
    CursorMoved,
    EventLog,
    EventLogUnavailable,
    Fenced,
)
from libs.runtime import metrics
from libs.runtime.faults import OwnershipLost, StartAgain

READ_BACK_EVERY_S = 0.2


class Appender:
    """Appends batches of one shard. `ended` tells that nobody waits for this run any more."""

    def __init__(self, log: EventLog, service: str, shard: str, ended: Callable[[], bool]) -> None:
        self._log, self._service, self._shard, self._ended = log, service, shard, ended

    async def append(self, batch: Batch) -> None:
        """Return when the batch is in the log; raises `OwnershipLost`, or `StartAgain` with what was found instead."""
        match await self._outcome(batch):
            case Appended():
                return
            case Fenced():
                self._note("fenced")
                raise OwnershipLost
            case Conflict(stream, head):
                self._note("conflict")
                raise StartAgain(f"{stream} is at {head.version}, not where we thought")
            case CursorMoved(cursor):
                self._note("cursor")
                raise StartAgain(f"the inbox cursor is at {cursor}, not where we thought")

    async def _outcome(self, batch: Batch) -> AppendResult:
        """Append; when the connection is lost on the way, read back what happened and go on from there."""
        while True:
            try:
                return await self._log.append(self._shard, batch)
            except AppendUnknown:
                self._note("unknown")
                result = await self._read_back(batch)
                if result is not None:
                    return result
            except EventLogUnavailable as error:
                self._note("unavailable")
                raise StartAgain(str(error)) from error

    async def _read_back(self, batch: Batch) -> AppendResult | None:
        while True:
            try:
                return await self._log.resolve(self._shard, batch)
            except EventLogUnavailable as error:
                # The next run loads whatever came of it.
                if self._ended():
                    raise StartAgain("the outcome of an append is unknown") from error
                await asyncio.sleep(READ_BACK_EVERY_S)

    def _note(self, reason: str) -> None:
        metrics.append_failures.labels(self._service, reason).inc()
