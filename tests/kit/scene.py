"""A running casino as a test sees it: followed from outside, its processes killed, paused, spoken to."""

import asyncio
import contextlib
import os
import signal
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec

from libs.eventlog.api import EventLogError
from libs.eventlog.redis_log import RedisLog
from libs.kernel.actors import Role
from libs.kernel.envelope import FeedEntry
from libs.kernel.ids import LEDGER, WALLET_SHARD, split_stream, stream_name
from libs.kernel.messages import Command, Event
from libs.ledger.state import LedgerState
from libs.ledger.state import initial as empty_ledger
from libs.runtime.floor import TablePlan
from libs.runtime.follower import Follower, follow
from libs.runtime.kinds import PIT, WALLET
from libs.runtime.loading import current_volumes
from libs.runtime.local.bots.door import TRY_AGAIN, Door, Speaker
from libs.runtime.local.casino import Casino
from libs.runtime.local.inspection import Inspector
from libs.runtime.tokens import load_private_key
from libs.table.messages import CoupSettled
from libs.table.state import TableState, initial
from tests.kit.diary import Diary
from tests.kit.waiting import until

PIT_NAME = "pit-1"
ORCHESTRATORS = ("orchestrator-1", "orchestrator-2")
SERVICES = (*ORCHESTRATORS, "wallet", "rng", "display", "gateway")


class Scene:
    """A running casino as a test sees it: the log, the state of every table and of the ledger, the processes."""

    def __init__(self, casino: Casino, diary: Diary) -> None:
        self.casino, self.diary = casino, diary
        site = casino.floor.site.name
        self.log = RedisLog(casino.redis_url, site)
        self.settled: Counter[str] = Counter()
        """Coups settled since the scene began, by table."""
        self.events: list[tuple[str, int, Event]] = []
        """What the pit's feed told since the scene began: stream, version, event."""
        self.inspector = Inspector(casino.redis_url, site)
        self._pit: Follower[TableState] = follow(self.log, PIT_NAME, PIT)
        self._ledger: Follower[LedgerState] = follow(self.log, WALLET_SHARD, WALLET)
        self._pit.listen(self._hear)
        limits = httpx.Limits(max_connections=200)
        self.http = httpx.AsyncClient(base_url=casino.gateway_url, timeout=10, limits=limits, trust_env=False)
        self.door = Door(self.http, load_private_key(casino.keys[0]), site)
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def tables(self) -> dict[str, TablePlan]:
        """The tables of the floor, by name."""
        return {plan.name: plan for pit in self.casino.floor.pits for plan in pit.tables}

    def table(self, name: str) -> TableState:
        """Return the state of a table, as far as the feed has told."""
        return self._pit.states.get(name) or initial(name)

    @property
    def ledger(self) -> LedgerState:
        """The state of the ledger, as far as the feed has told."""
        return self._ledger.states.get(LEDGER) or empty_ledger(LEDGER)

    def speaker(self, sub: str, role: Role) -> Speaker:
        """Return somebody who speaks to the gateway as bots do: with the same id until there is an answer."""
        return Speaker(self.door, sub, role)

    async def insist(
        self, sub: str, role: Role, to: str, command_id: str, command: Command
    ) -> tuple[int, dict[str, Any]]:
        """Send a command with an id of one's own to `wallet` or `tables/<table>`, again until it is answered.

        Returns the status (200 or 409, or that of a mistake) and the content.
        """
        body = msgspec.json.encode({"command_id": command_id, "command": command})
        headers = {"authorization": f"Bearer {self.door.token(sub, role)}", "content-type": "application/json"}
        while True:
            with contextlib.suppress(httpx.TransportError):
                response = await self.http.post(f"/v1/{to}/commands", content=body, headers=headers)
                if response.status_code not in TRY_AGAIN:
                    return response.status_code, response.json()
            await asyncio.sleep(0.1)

    # -- processes -------------------------------------------------------------------------------------------------
    def pid(self, name: str) -> int | None:
        """Return the process id of a service, None while it does not run."""
        return self.casino.children[name].pid

    def signal(self, name: str, number: signal.Signals = signal.SIGKILL) -> int | None:
        """Send a signal (kill -9) to a service; return the process id that got it, None when it does not run."""
        pid = self.pid(name)
        if pid is None:
            return None
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return None
        self.diary.note(f"{number.name} to {name} (process {pid})")
        return pid

    async def is_ready(self, name: str) -> bool:
        """Tell whether a service says that it does its work."""
        with contextlib.suppress(httpx.TransportError):
            # Its socket is held while it is away: whoever asks then waits for its next start.
            answered = (await self.http.get(self.casino.ready_url(name))).status_code == httpx.codes.OK
            return answered and self.pid(name) is not None
        return False

    async def all_ready(self) -> None:
        """Wait until every service, killed and started again or not, says that it does its work."""
        waiting = set(SERVICES)

        async def ready() -> bool:
            waiting.difference_update([name for name in sorted(waiting) if await self.is_ready(name)])
            return not waiting

        await until(ready, why=lambda: f"not ready: {sorted(waiting)}")

    async def owner(self, shard: str = PIT_NAME) -> str:
        """Return the name of the living process that owns a shard; empty when there is none."""
        try:
            instance = await self.inspector.owner(shard)
        except OSError:
            return ""
        running = self.casino.children.items()
        return next((name for name, child in running if child.pid is not None and child.instance == instance), "")

    async def owner_other_than(self, name: str, shard: str = PIT_NAME) -> str:
        """Wait until another process owns the shard, and return its name."""
        found = ""

        async def owned() -> bool:
            nonlocal found
            found = await self.owner(shard)
            return found not in {"", name}

        await until(owned, why=f"nobody but {name or 'the dead'} owns {shard}")
        return found

    async def stop_bots(self) -> None:
        """Let the bots go home. They must have played all the time: a bot that crashed would hide a fault."""
        bots = self.casino.children.pop("bots")
        playing, starts = bots.pid is not None, bots.starts
        code = await bots.stop()
        assert (True, 1, 0) == (playing, starts, code), f"the bots crashed; see {bots.log_file}"

    async def until_settled(self, more: int = 1, *tables: str) -> None:
        """Wait until each table (of those named, or of all) has settled so many more coups."""
        # One after the other, so that patience is with a table and not with the sum of all.
        for name, count in {name: self.settled[name] + more for name in tables or self.tables}.items():
            await until(
                lambda name=name, count=count: self.settled[name] >= count,  # type: ignore[misc]
                why=f"{name} has not settled {count} coups",
            )

    # -- following -------------------------------------------------------------------------------------------------
    async def start(self) -> None:
        """Begin to follow."""
        self._tasks = [
            asyncio.create_task(one.run(), name=f"follower of {shard}") for shard, one in self._followers().items()
        ]
        await until(lambda: self._pit.live and self._ledger.live, why="the feeds are not there")

    def followed(self) -> Iterator[str]:
        """Say of each follower whether it follows."""
        for task, follower in zip(self._tasks, self._followers().values(), strict=True):
            end = "" if not task.done() else ", ended" if task.cancelled() else f", crashed: {task.exception()!r}"
            yield f"{task.get_name()}: {'live' if follower.live else 'not live'}{end}"

    async def unheard(self, log: RedisLog | None = None) -> list[str]:
        """Return a sentence for each book of which the log holds more than was heard here, or other events."""
        found = []
        for shard, follower in self._followers().items():
            heads = await (log or self.log).heads(shard)
            for book, volume in current_volumes(heads).items():
                stream = stream_name(book, volume)
                expected, heard = (stream, heads[stream].version), follower.versions.get(book)
                if heard != expected:
                    found.append(f"{book}: the log is at {expected}, heard {heard}")
        return found

    def _followers(self) -> dict[str, Follower[Any]]:
        return {PIT_NAME: self._pit, WALLET_SHARD: self._ledger}

    async def stop(self) -> None:
        """End following."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError, EventLogError):
                await task
        await self.http.aclose()
        await self.inspector.close()
        await self.log.close()

    def _hear(self, entry: FeedEntry, _raw: bytes = b"") -> None:
        for record in entry.events:
            event = PIT.codec.decode_event(bytes(record.body))
            self.events.append((record.stream, record.version, event))
            if isinstance(event, CoupSettled):
                self.settled[split_stream(record.stream)[0]] += 1
