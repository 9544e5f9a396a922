"""Own shards: share them evenly among living replicas, keep the leases, take over, hand over, start again.

Ownership only gives speed; the version check of the append script gives safety (law 5).
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from libs.eventlog.api import EventLog, EventLogError, EventLogUnavailable, Held, Owned
from libs.eventlog.primary import Primary
from libs.runtime import metrics
from libs.runtime.chance import ChanceSource
from libs.runtime.clock import SteadyClock
from libs.runtime.faults import Defect, Experience, OwnershipLost, StartAgain
from libs.runtime.gaming_day import Timed
from libs.runtime.inbox import InboxReader
from libs.runtime.kinds import Kind
from libs.runtime.logs import log as logger
from libs.runtime.settings import Settings
from libs.runtime.shard import Observer, Shard

RETRY_S = 0.5
"""How often a shard that somebody else owns, or a log that is away, is asked for."""

SHORTEST_BACKOFF_S, LONGEST_BACKOFF_S = 0.1, 5.0
"""How long a failed run waits before the next: twice as long each time, until a run has lasted."""

LONGEST_SILENCE_S = 3.0
"""How long the log may be silent before this process is not ready."""


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """A shard that this service may own, and the books that exist in it besides those in its log."""

    name: str
    known: frozenset[str]
    wallets: int = 1
    """Parts of the site's wallet."""
    kind: Kind | None = None
    """What kind of shard it is, where that is another than the service's."""


@dataclass(slots=True)
class ShardStatus:
    """What is true of one shard in this process, for `/readyz`."""

    phase: str = "waiting"
    """`waiting` (not asked yet), `standby` (another replica owns it), `loading`, `consuming` or `failing`."""
    reader: InboxReader | None = None
    experience: Experience = field(default_factory=Experience)
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
        chance: ChanceSource | None = None,
        observe: Observer | None = None,
        timed: "Callable[[ShardPlan], Timed] | None" = None,
    ) -> None:
        self._timed = timed
        self._log, self._settings, self._service, self._kind = log, settings, service, kind
        self._plans = sorted(plans, key=lambda plan: plan.name)
        self._inbox_key, self._chance, self._observe = inbox_key, chance, observe
        self._primary = Primary(settings.redis_url, self._start_again)
        self._running: set[Shard] = set()
        self._stopping = asyncio.Event()
        self._clock = SteadyClock()
        self._mine: frozenset[str] | None = None
        """The shards of our share; None until the log has told who else there is."""
        self.status = {plan.name: ShardStatus() for plan in self._plans}
        self.heard_from_log: float | None = None
        """Monotonic time at which the log last answered."""

    async def run(self) -> None:
        """Own and run shards until `stop` is called."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._share_for_ever())
                for plan in self._plans:
                    group.create_task(self._keep(plan))
        finally:
            await self._primary.close()

    def stop(self) -> None:
        """Hand everything over and end `run`."""
        self._stopping.set()

    def ready(self) -> tuple[bool, str]:
        """Tell whether this process does its work, and why not."""
        longest_s = max(LONGEST_SILENCE_S, self._settings.lease_ms / 1000)
        if self.heard_from_log is None or time.monotonic() - self.heard_from_log > longest_s:
            return False, "the log does not answer"
        for name, status in self.status.items():
            if status.phase == "consuming" and not (status.reader and status.reader.reading):
                return False, f"{name}: the inbox is not read"
            if status.phase in ("waiting", "loading", "failing"):
                return False, f"{name}: {status.phase}"
        return True, "ready"

    async def _share_for_ever(self) -> None:
        """Announce this member and work out which shards are its share.

        Whoever cannot do its work is no member, and steps back for those who can. Where there is none it keeps what it
        has: somebody must say why no draw is made.
        """
        me, ttl_ms = self._settings.instance, self._settings.lease_ms
        while not self._stopping.is_set():
            fit = self._chance is None or not self._chance.failure()
            try:
                members = await self._log.enlist(self._service, me, ttl_ms if fit else 0)
            except EventLogUnavailable:
                await self._pause(RETRY_S)
                continue
            self.heard_from_log = time.monotonic()
            self._mine = self._share(members or (me,))
            await self._pause(min(RETRY_S, ttl_ms / 3000))
        with suppress(EventLogError):
            await self._log.resign(self._service, me)

    def _share(self, members: Sequence[str]) -> frozenset[str]:
        """Return the shards that are ours to own: each n-th of the n members."""
        me, count = self._settings.instance, len(members)
        mine = (plan.name for i, plan in enumerate(self._plans) if members[i % count] == me)
        return frozenset(mine)

    async def _keep(self, plan: ShardPlan) -> None:
        """Own the shard whenever it is ours to own; start again after failures, with growing pauses."""
        status, backoff_s = self.status[plan.name], SHORTEST_BACKOFF_S
        while not self._stopping.is_set():
            if self._mine is None or plan.name not in self._mine:
                if self._mine is not None:
                    status.becomes("standby")
                await self._pause(RETRY_S / 10)
                continue
            began = time.monotonic()
            pause_s = await self._try(plan, status)
            if time.monotonic() - began > LONGEST_BACKOFF_S:
                backoff_s = SHORTEST_BACKOFF_S
            if pause_s is None:
                pause_s, backoff_s = backoff_s, min(backoff_s * 2, LONGEST_BACKOFF_S)
            await self._pause(pause_s)

    async def _try(self, plan: ShardPlan, status: ShardStatus) -> float | None:
        """Own the shard as long as it lasts; return how long to wait before the next time (None: a run failed)."""
        try:
            owned = await self._log.acquire(plan.name, self._settings.instance, self._settings.lease_ms)
            if isinstance(owned, Held):
                status.becomes("standby")
                return min(RETRY_S, owned.for_ms / 1000 + 0.01)
            await self._run(plan, status, owned)
        except OwnershipLost:
            logger().info("shard handed over", shard=plan.name)
            status.becomes("standby")
            return RETRY_S
        except StartAgain as again:
            logger().warning("shard starts again", shard=plan.name, reason=str(again))
        except Defect as defect:
            self._note(plan.name, status.experience, defect)
        except EventLogUnavailable as error:
            if status.phase != "failing":
                logger().warning("the log does not answer", shard=plan.name, reason=str(error))
            status.becomes("failing")
            return RETRY_S
        except EventLogError as error:
            # The log does not hold together: an operator must look, and meanwhile we neither play nor give up.
            logger().error("shard cannot be loaded", shard=plan.name, reason=str(error))
            metrics.shard_crashes.labels(self._service).inc()
            status.becomes("failing")
            return LONGEST_BACKOFF_S
        status.becomes("failing")
        return None

    def _note(self, shard: str, experience: Experience, defect: Defect) -> None:
        """Take what can be learnt from a crash into the next run."""
        metrics.shard_crashes.labels(self._service).inc()
        logger().error("code crashed", shard=shard, entry=defect.entry, book=defect.book, exc_info=defect)
        if defect.entry or not defect.book:
            experience.careful = True
            return
        crashes = experience.crashed(defect.book)
        if experience.suspended(defect.book):
            logger().error("book suspended: no ticks, nothing sent", shard=shard, book=defect.book, crashes=crashes)

    async def _run(self, plan: ShardPlan, status: ShardStatus, owned: Owned) -> None:
        """Run the shard until the run ends; raises why."""
        status.becomes("loading")
        metrics.takeovers.labels(self._service).inc()
        logger().info("shard taken over", shard=plan.name, epoch=owned.epoch, clean=owned.clean)
        shard = self._shard(plan, status, owned)
        lease = asyncio.create_task(self._hold_lease(shard, status, owned))
        reader: InboxReader | None = None
        self._running.add(shard)
        try:
            await shard.load()
            reader = self._reader(plan, shard, await self._primary.url())
            await reader.start()
            status.reader = reader
            status.becomes("consuming")
            metrics.shard_owned.labels(self._service, plan.name).set(1)
            await shard.run()
        finally:
            self._running.discard(shard)
            metrics.shard_owned.labels(self._service, plan.name).set(0)
            metrics.inbox_lag.labels(plan.name).set(0)
            status.reader = None
            status.becomes("waiting")
            await shard.settle_down()
            shard.leave()
            lease.cancel()
            await asyncio.gather(lease, return_exceptions=True)
            if reader is not None:
                await reader.stop()
            with suppress(EventLogError):
                await self._log.release(plan.name, owned.epoch)

    def _start_again(self) -> None:
        """End all runs: what they have in hand is at a server that is the primary no longer."""
        for shard in self._running:
            shard.end(StartAgain("another server is the primary"))

    def _shard(self, plan: ShardPlan, status: ShardStatus, owned: Owned) -> Shard:
        if self._chance is not None:
            self._chance.taken_over()
        timed = self._timed(plan) if self._timed else None
        rest = (self._chance, self._observe, self._clock, status.experience)
        return Shard(self._log, self._service, plan.kind or self._kind, owned, plan.known, *rest, plan.wallets, timed)

    def _reader(self, plan: ShardPlan, shard: Shard, url: str) -> InboxReader:
        def lost(reason: str) -> None:
            shard.end(StartAgain(f"the inbox cannot be read: {reason}"))

        return InboxReader(url, self._inbox_key(plan.name), shard.cursor, shard.handle, lost)

    async def _hold_lease(self, shard: Shard, status: ShardStatus, owned: Owned) -> None:
        """Renew the lease at a third of its time; end the run when it is lost, not our share, or we stop."""
        third_s = self._settings.lease_ms / 3000
        renewed = time.monotonic()
        while not shard.failure.done():
            await self._pause(min(third_s, RETRY_S / 10))
            if self._stopping.is_set() or shard.name not in (self._mine or ()):
                shard.end(OwnershipLost())
            elif status.reader is not None and not status.reader.reading:
                shard.end(StartAgain("the inbox is not read"))
            elif time.monotonic() - renewed >= third_s:
                try:
                    if not await self._log.renew(shard.name, owned.epoch, self._settings.lease_ms):
                        shard.end(OwnershipLost())
                    renewed = self.heard_from_log = time.monotonic()
                except EventLogError as error:
                    # Loading again is cheap, and the next run begins as soon as the log answers.
                    shard.end(StartAgain(f"the lease could not be renewed: {error}"))

    async def _pause(self, seconds: float) -> None:
        """Wait, but not when stopping."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)
