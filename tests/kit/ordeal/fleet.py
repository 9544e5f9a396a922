"""Two processes that both own whatever they can of a wallet; they die, freeze, stop, and start again."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import cast

from libs.eventlog.api import EventLog, EventLogUnavailable
from libs.kernel.limits import BATCH_COMMANDS
from libs.kernel.wallets import wallet_at
from libs.runtime.faults import Defect, Experience, StartAgain
from libs.runtime.floor import Floor
from libs.runtime.gaming_day import clock_of_days
from libs.runtime.inbox import InboxReader
from libs.runtime.kinds import WALLET
from libs.runtime.owner import Owner, ShardPlan
from libs.runtime.settings import Settings
from libs.runtime.shard import Shard
from tests.kit.ordeal.shaky import Life, ShakyLog, Trouble
from tests.kit.ordeal.watched import WatchedLog

LEASE_MS = 1_000
SLOTS = ("one", "two")
READ_EVERY_S = 0.02


class Fleet:
    """Keeps two processes running, whatever becomes of them."""

    def __init__(self, log: WatchedLog, floor: Floor, trouble: Trouble) -> None:
        self._log, self._floor, self._trouble = log, floor, trouble
        self.defects: list[Defect] = []
        self.starts = 0
        self._running: dict[str, ShakyOwner] = {}

    async def run(self) -> None:
        """Run until cancelled."""
        async with asyncio.TaskGroup() as group:
            for slot in SLOTS:
                group.create_task(self._keep(slot))

    def stop_one(self) -> None:
        """Tell one process to stop in order; it is started again."""
        owners = [self._running[slot] for slot in SLOTS if slot in self._running]
        if owners:
            self._trouble.met["stop in order"] += 1
            self._trouble.chance.choice(owners).stop()

    async def _keep(self, slot: str) -> None:
        while True:
            self.starts += 1
            life = Life(f"{self.starts:06}-{slot}")
            owner = self._running[slot] = ShakyOwner(self._log, self._floor, life, self._trouble, self.defects)
            running, dying = asyncio.create_task(owner.run()), asyncio.create_task(life.ended.wait())
            try:
                await asyncio.wait({running, dying}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                life.end()
                for task in (running, dying):
                    task.cancel()
                await asyncio.gather(running, dying, return_exceptions=True)
                del self._running[slot]
            await asyncio.sleep(self._trouble.chance.uniform(0, 1.0))


class ShakyOwner(Owner):
    """The owner of every service, on a log in memory; it has no subscriber, so it reads the inbox itself."""

    def __init__(self, log: WatchedLog, floor: Floor, life: Life, trouble: Trouble, defects: list[Defect]) -> None:
        shaky = cast("EventLog", ShakyLog(log, life, trouble))
        count = floor.site.wallets
        parts = [wallet_at(index, count) for index in range(count)]
        plans = [ShardPlan(part.shard, frozenset({part.book}), count) for part in parts]
        settings = Settings(redis_url="unix:///nowhere", site=floor.site.name, instance=life.name, lease_ms=LEASE_MS)
        super().__init__(
            shaky,
            settings,
            "wallet",
            WALLET,
            plans,
            inbox_key=str,
            timed=lambda plan: clock_of_days(floor, plan.known),
        )
        self._defects = defects

    def _reader(self, _: ShardPlan, shard: Shard, __: str) -> InboxReader:
        return cast("InboxReader", _Reader(self._log, shard))

    def _note(self, shard: str, experience: Experience, defect: Defect) -> None:
        self._defects.append(defect)
        super()._note(shard, experience, defect)


class _Reader:
    """Reads the inbox of one shard again and again."""

    reading = True

    def __init__(self, log: EventLog, shard: Shard) -> None:
        self._log, self._shard, self._cursor = log, shard, shard.cursor
        self._handle: Callable[[Sequence[tuple[str, bytes]]], Awaitable[None]] = shard.handle
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._read_for_ever())

    async def stop(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(self._task, return_exceptions=True)

    async def _read_for_ever(self) -> None:
        while True:
            try:
                entries = await self._log.read_inbox(self._shard.name, self._cursor, BATCH_COMMANDS)
            except EventLogUnavailable as error:
                self._shard.end(StartAgain(f"the inbox cannot be read: {error}"))
                return
            if entries:
                await self._handle(entries)
                self._cursor = entries[-1][0]
            else:
                await asyncio.sleep(READ_EVERY_S)
