"""What `make run` says every few seconds, counted from the feeds and the ledger, as any display would."""

import asyncio
import contextlib

import msgspec

from libs.eventlog.api import EventLogError
from libs.eventlog.redis_log import RedisLog
from libs.kernel.envelope import FeedEntry
from libs.kernel.messages import tag_of
from libs.ledger.state import imbalance
from libs.runtime.follower import Follower, follow
from libs.runtime.kinds import kind_of
from libs.runtime.local.casino import Casino
from libs.runtime.local.inspection import Inspector
from libs.table.messages import CoupSettled, CoupVoided, WagerPlaced


class _Tag(msgspec.Struct):
    """The tag of a message, whatever else is in it."""

    type: str


_tag = msgspec.json.Decoder(_Tag).decode
_SETTLED, _VOIDED, _WAGER = tag_of(CoupSettled), tag_of(CoupVoided), tag_of(WagerPlaced)


class Tally:
    """Counts of this run, over all tables."""

    def __init__(self) -> None:
        self.settled = self.voided = self.wagers = self.refused = 0

    def hear(self, entry: FeedEntry, _raw: bytes = b"") -> None:
        """Take a feed entry of a pit."""
        if entry.answer is not None and entry.answer.refusal is not None:
            self.refused += 1
        for record in entry.events:
            tag = _tag(record.body).type
            self.settled += tag == _SETTLED
            self.voided += tag == _VOIDED
            self.wagers += tag == _WAGER


class Status:
    """Follows a running casino and says in one line how it is."""

    def __init__(self, casino: Casino) -> None:
        self._casino = casino
        self._log = RedisLog(casino.redis_url, casino.floor.site.name)
        self._inspector = Inspector(casino.redis_url, casino.floor.site.name)
        self._tasks: list[asyncio.Task[None]] = []
        shards = [f"wallet-{index}" for index in range(casino.floor.site.wallets)]
        self._ledgers = [follow(self._log, shard, kind_of(shard)) for shard in shards]
        self.tally = Tally()

    async def start(self) -> None:
        """Begin to follow."""
        followers: list[Follower[object]] = [*self._ledgers]
        for pit in self._casino.floor.pits:
            pit_follower = follow(self._log, pit.name, kind_of(pit.name))
            pit_follower.listen(self.tally.hear)
            followers.append(pit_follower)
        self._tasks = [asyncio.create_task(follower.run()) for follower in followers]

    async def stop(self) -> None:
        """End following."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError, EventLogError):
                await task
        await self._log.close()
        await self._inspector.close()

    async def line(self) -> str:
        """Return the line: counts of this run, owner of each pit with its process id, and the sum of all accounts."""
        tally = self.tally
        voided = f" and {tally.voided} void" if tally.voided else ""
        owners = [await self._owner(pit.name) for pit in self._casino.floor.pits]
        return (
            f"this run: {tally.settled} coups{voided}, {tally.wagers} wagers, {tally.refused} refusals | "
            f"{', '.join(owners)} | {self._accounts()}"
        )

    async def _owner(self, pit: str) -> str:
        try:
            instance = await self._inspector.owner(pit)
        except OSError:
            return f"{pit}: the log does not answer"
        for child in self._casino.children.values():
            if child.pid is not None and child.instance == instance:
                return f"{pit}: {child.plan.name} (process {child.pid})"
        return f"{pit}: nobody yet, {instance} has died" if instance else f"{pit}: nobody yet"

    def _accounts(self) -> str:
        total = sum(imbalance(state) for ledger in self._ledgers for state in ledger.states.values())
        return f"all accounts sum to {total / 100:.2f} {self._casino.floor.site.currency}"
