"""The coups of the sessions that somebody looks at, read from the tables' logs and kept for the next look."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from libs.draws.proof import CoupProof
from libs.eventlog.api import EventLog
from libs.eventlog.codec import Codec
from libs.kernel.ids import stream_name
from libs.kernel.limits import PROOF_COUPS, PROOF_READERS, PROOF_SESSIONS
from libs.runtime.proofs import Proofs


class ShelfBusy(Exception):
    """So many wait for a log to be read that another one is turned away."""


@dataclass(slots=True)
class _Reading:
    version: int = 0
    proofs: Proofs = field(default_factory=Proofs)
    done: deque[CoupProof] = field(default_factory=lambda: deque(maxlen=PROOF_COUPS))


class ProofShelf:
    """Reads each log once, and later only what is new. One at a time: boards come first."""

    def __init__(self, log: EventLog, codec: Codec) -> None:
        self._log, self._codec = log, codec
        self._readings: dict[tuple[str, int], _Reading] = {}
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def coups(self, pit: str, table: str, session: int) -> tuple[CoupProof, ...]:
        """Return the latest coups of a session by number; raises `EventLogError`, `BadMessage` and `ShelfBusy`."""
        if self._waiting >= PROOF_READERS:
            raise ShelfBusy
        self._waiting += 1
        try:
            async with self._turn:
                reading = await self._read(pit, table, session)
        finally:
            self._waiting -= 1
        return tuple(sorted([*reading.done, *reading.proofs.rest()], key=lambda proof: proof.coup))

    async def _read(self, pit: str, table: str, session: int) -> _Reading:
        # Taken off first, so that a reading that breaks in the middle is not kept; put back as the latest.
        reading = self._readings.pop((table, session), None) or _Reading()
        async for page in self._log.load(pit, stream_name(table, session), reading.version):
            for raw in page:
                reading.done.extend(reading.proofs.see(self._codec.decode_recorded(raw)))
            reading.version += len(page)
            await asyncio.sleep(0)
        self._readings[table, session] = reading
        if len(self._readings) > PROOF_SESSIONS:
            del self._readings[next(iter(self._readings))]
        return reading
