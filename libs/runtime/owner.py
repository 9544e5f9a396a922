"""Own shards: share them evenly among living replicas, keep the leases, take over, hand over, start again.

Ownership only gives speed; the version check of the append script gives safety (law 5).
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from libs.eventlog.api import EventLog, EventLogError, EventLogUnavailable, Held, Owned
from libs.runtime import metrics
from libs.runtime.deciding import Defect
from libs.runtime.inbox import InboxReader
from libs.runtime.kinds import Kind
from libs.runtime.logs import log as logger
from libs.runtime.settings import Settings
from libs.runtime.shard import Observer, OwnershipLost, Shard, StartAgain

RETRY_S = 0.5
"""How often a shard that somebody else owns is asked for, and how long a failed run waits before the next."""

LONGEST_BACKOFF_S = 5.0


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """A shard that this service may own, and the books that exist in it besides those in its log."""

    name: str
    known: frozenset[str]


@dataclass(slots=True)
class ShardStatus:
    """What is true of one shard in this process, for `/readyz`."""

    phase: str = "waiting"
    """`waiting` (not asked yet), `standby` (another replica owns it), `loading`, `consuming` or `failing`."""
    reader: InboxReader | None = None
    since: float = field(default_factory=time.monotonic)

    def becomes(self, phase: str) -> None:
        """Note a change."""
        if phase != self.phase:
            self.phase, self.since = phase, time.monotonic()


class Owner:
    """Keeps this process's share of a service's shards running."""

    def __init__(
        self,
        log: EventLog,
        settings: Settings,
        service: str,
        kind: Kind,
        plans: Sequence[ShardPlan],
        inbox_key: Callable[[str], str],
        entropy: Callable[[], bytes] | None = None,
        observe: Observer | None = None,
    ) -> None:
        self._log, self._settings, self._service, self._kind = log, settings, service, kind
        self._plans = sorted(plans, key=lambda plan: plan.name)
        self._inbox_key, self._entropy, self._observe = inbox_key, entropy, observe
        self._stopping = asyncio.Event()
        self._mine: frozenset[str] = frozenset()
        self.status = {plan.name: ShardStatus() for plan in self._plans}
        self.heard_from_log = 0.0
        """Monotonic time at which the log last answered."""

    async def run(self) -> None:
        """Own and run shards until `stop` is called."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._share_for_ever())
            for plan in self._plans:
                group.create_task(self._keep(plan))

    def stop(self) -> None:
        """Hand everything over and end `run`."""
        self._stopping.set()

    def ready(self) -> tuple[bool, str]:
        """Tell whether this process does its work, and why not."""
        silent_s = time.monotonic() - self.heard_from_log
        if silent_s > max(3.0, self._settings.lease_ms / 1000):
            return False, "the log does not answer"
        for name, status in self.status.items():
            if status.phase == "consuming" and not (status.reader and status.reader.reading):
                return False, f"{name}: the inbox is not read"
            if status.phase in ("waiting", "loading", "failing"):
                return False, f"{name}: {status.phase}"
        return True, "ready"

    async def _share_for_ever(self) -> None:
        """Announce this member and work out which shards are its share."""
        me, ttl_ms = self._settings.instance, self._settings.lease_ms
        while not self._stopping.is_set():
            try:
                members = await self._log.enlist(self._service, me, ttl_ms)
            except EventLogUnavailable:
                await self._pause(RETRY_S)
                continue
            self.heard_from_log = time.monotonic()
            if me in members:
                place, count = members.index(me), len(members)
                self._mine = frozenset(p.name for i, p in enumerate(self._plans) if i % count == place)
            await self._pause(min(RETRY_S, ttl_ms / 3000))
        with suppress(EventLogError):
            await self._log.resign(self._service, me)

    async def _keep(self, plan: ShardPlan) -> None:
        """Own the shard whenever it is ours to own; start again after failures, with growing pauses."""
        status, backoff, careful = self.status[plan.name], RETRY_S, False
        while not self._stopping.is_set():
            if self.heard_from_log and plan.name not in self._mine:
                status.becomes("standby")
                await self._pause(RETRY_S / 2)
                continue
            try:
                owned = await self._log.acquire(plan.name, self._settings.instance, self._settings.lease_ms)
                if isinstance(owned, Held):
                    status.becomes("standby")
                    await self._pause(min(RETRY_S, owned.for_ms / 1000 + 0.01))
                    continue
                began = time.monotonic()
                careful = await self._run_owned(plan, owned, careful)
                if time.monotonic() - began > LONGEST_BACKOFF_S:
                    backoff = RETRY_S
            except EventLogUnavailable:
                status.becomes("failing")
                await self._pause(RETRY_S)
            except EventLogError as error:
                # The log does not hold together: an operator must look, and meanwhile we neither play nor give up.
                status.becomes("failing")
                logger().error("shard cannot be loaded", shard=plan.name, reason=str(error))
                metrics.shard_crashes.labels(self._service).inc()
                await self._pause(LONGEST_BACKOFF_S)
            else:
                if careful:
                    await self._pause(backoff)
                    backoff = min(backoff * 2, LONGEST_BACKOFF_S)

    async def _run_owned(self, plan: ShardPlan, owned: Owned, careful: bool) -> bool:
        """Run the shard until the run ends; return whether the next run must be careful."""
        status = self.status[plan.name]
        status.becomes("loading")
        metrics.takeovers.labels(self._service).inc()
        logger().info("shard taken over", shard=plan.name, epoch=owned.epoch, clean=owned.clean)
        shard = Shard(self._log, self._service, self._kind, owned, plan.known, self._entropy, self._observe)
        if careful:
            shard.be_careful()
        lease = asyncio.create_task(self._hold_lease(shard, owned))
        reader: InboxReader | None = None
        try:
            await shard.load()
            reader = InboxReader(self._settings.redis_url, self._inbox_key(plan.name), shard.cursor, shard.handle)
            await reader.start()
            status.reader = reader
            status.becomes("consuming")
            metrics.shard_owned.labels(self._service, plan.name).set(1)
            await shard.run()
        except OwnershipLost:
            logger().info("shard handed over", shard=plan.name, epoch=owned.epoch)
        except StartAgain as again:
            logger().warning("shard starts again", shard=plan.name, reason=again.reason)
            return again.careful
        except Defect as defect:
            metrics.shard_crashes.labels(self._service).inc()
            logger().error("decision crashed", shard=plan.name, entry=defect.entry, book=defect.book, exc_info=defect)
            return True
        finally:
            metrics.shard_owned.labels(self._service, plan.name).set(0)
            await shard.settle_down()
            lease.cancel()
            if reader is not None:
                await reader.stop()
            status.reader = None
            status.becomes("waiting" if not self._stopping.is_set() else "standby")
            with suppress(EventLogError):
                await self._log.release(plan.name, owned.epoch)
        return False

    async def _hold_lease(self, shard: Shard, owned: Owned) -> None:
        """Renew the lease at a third of its time; end the run when it is lost, not our share, or we stop."""
        pause_s = min(self._settings.lease_ms / 3000, RETRY_S)
        renewed = time.monotonic()
        while True:
            await self._pause(pause_s)
            if self._stopping.is_set() or shard.name not in self._mine:
                shard.end(OwnershipLost())
                return
            if time.monotonic() - renewed < self._settings.lease_ms / 3000:
                continue
            try:
                if not await self._log.renew(shard.name, owned.epoch, self._settings.lease_ms):
                    shard.end(OwnershipLost())
                    return
                renewed = self.heard_from_log = time.monotonic()
            except EventLogUnavailable:
                if time.monotonic() - renewed > self._settings.lease_ms / 1000:
                    shard.end(StartAgain("the log did not answer within the lease"))
                    return

    async def _pause(self, seconds: float) -> None:
        """Wait, but not when stopping."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)
