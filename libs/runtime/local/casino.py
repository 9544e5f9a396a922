"""A whole casino as processes on this machine: the server, every service, and bots. `Casino` starts and stops it.

folder/
  lock             held while a casino runs here
  run.json         where everything is (`RunNote`), for the `tapis` command
  redis/           the embedded server's data
  keys/            keys of the tokens and of the RNG's seeds, made here once
  logs/<name>.log  what each process says
"""

import asyncio
import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import cast, get_args

import httpx
import msgspec

import libs
from libs.eventlog import acl
from libs.eventlog.server_check import check_server
from libs.runtime.floor import Floor
from libs.runtime.local.children import Child, ChildPlan
from libs.runtime.local.embedded import Durability, EmbeddedServer
from libs.runtime.local.engines import EmbeddedServerError
from libs.runtime.local.folder import FolderLock
from libs.runtime.local.note import RunNote, write_note
from libs.runtime.local.openings import load_openable
from libs.runtime.local.sockets import HeldSockets, NoFreePort
from libs.runtime.persons.keyfile import PERSON_KEYS_FILE, add_person_key
from libs.runtime.seals import SEAL_KEYS_FILE, add_key
from libs.runtime.tokens import PRIVATE_KEY_FILE, PUBLIC_KEY_FILE, generate_keys

GATEWAY_PORT, DISPLAY_PORT, WORKERS_PORT = 8080, 8090, 8100
"""Where ports are looked for, upwards, when these are taken."""

READY_SECONDS = 120.0
"""How long all services may take to be ready; one that dies meanwhile is announced at once."""

GUARD_EVERY_S = 0.5
"""How often the embedded server is looked at, in seconds."""

LEASE_MS = 3_000
"""Lease of local owners, in milliseconds: how long a killed one is missed."""

TABLE_ORCHESTRATORS = 2


class LocalPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What to run, and how."""

    folder: Path
    floor: Path
    redis_url: str | None = None
    """A server that runs already; None for the embedded one."""
    durability: str = "durable"
    bots: bool = True
    players: int = 5
    """Bot players at each table."""
    fast: bool = False
    """Short betting windows, no pauses: for tests and the impatient."""
    lease_ms: int = LEASE_MS
    bot_journal: Path | None = None
    """Where bots note what they asked and what they were told (for tests); None for nowhere."""


class NotReady(RuntimeError):
    """A service did not become ready; the message names it and its log."""


class Casino:
    """Runs a `LocalPlan`. Use it as an async context, or `start` and `stop` it. `say` gets a sentence at a time."""

    def __init__(self, plan: LocalPlan, say: Callable[[str], None]) -> None:
        self.plan = plan
        self.floor: Floor = load_openable(plan.floor)
        self.children: dict[str, Child] = {}
        self.server: EmbeddedServer | None = None
        self.redis_url = plan.redis_url or ""
        self.gateway_url = self.display_url = ""
        self._say = say
        self._lock = FolderLock(plan.folder)
        self._sockets = HeldSockets()
        self._passwords = {user: secrets.token_hex(16) for user in acl.SERVICES}
        """Of the users of our own server; new at each start."""
        self._guard: asyncio.Task[None] | None = None

    @property
    def keys(self) -> tuple[Path, Path]:
        """Files of the private and the public token key."""
        folder = self.plan.folder / "keys"
        return folder / PRIVATE_KEY_FILE, folder / PUBLIC_KEY_FILE

    @property
    def person_keys(self) -> Path:
        """File of the keys of the register of persons; the gateway alone is told of it."""
        return self.plan.folder / "keys" / PERSON_KEYS_FILE

    @property
    def seal_keys(self) -> Path:
        """File of the keys that open the seeds of coups."""
        return self.plan.folder / "keys" / SEAL_KEYS_FILE

    async def start(self) -> None:
        """Start everything and return when all services are ready; on any failure nothing is left running."""
        self._lock.acquire()
        self._say(self._opening_words())
        try:
            self._prepare_folder()
            await self._start_server()
            self._open_sockets()
            for plan in self._service_plans():
                await self._start_child(plan)
            await self._wait_until_ready()
            if self.plan.bots:
                await self._start_child(self._bots_plan())
        except BaseException:
            await self.stop()
            raise

    async def _guard_server(self) -> None:
        """Start the embedded server again whenever it ends by itself: the services wait for it and go on."""
        while True:
            await asyncio.sleep(GUARD_EVERY_S)
            if self.server is None or self.server.pid is not None:
                continue
            self._say("the server has ended; starting it again on its data")
            try:
                await asyncio.to_thread(self.server.relaunch)
            except EmbeddedServerError as error:
                self._say(f"the server does not start: {error}")

    async def stop(self) -> None:
        """Stop all: the bots, then the services together, the server last. Harmless when nothing runs."""
        if self._guard is not None:
            self._guard.cancel()
            self._guard = None
        bots = self.children.pop("bots", None)
        if bots is not None:
            await bots.stop()
        for child in self.children.values():
            child.ask_to_stop()
        await asyncio.gather(*(child.stop() for child in self.children.values()))
        self.children.clear()
        if self.server is not None:
            await asyncio.to_thread(self.server.stop)
            self.server = None
        self._sockets.close()
        self._lock.release()

    async def __aenter__(self) -> "Casino":
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def ready_url(self, name: str) -> str:
        """Return the address where a process says whether it is ready."""
        return f"{self._sockets.url(name)}/readyz"

    def _opening_words(self) -> str:
        server = "the server of REDIS_URL" if self.plan.redis_url else "an embedded server"
        tables = ", ".join(self.floor.tables)
        return f"Opening {self.floor.site.name} ({tables}) on {server}; data and logs in {self.plan.folder}"

    # -- starting ------------------------------------------------------------------------------------------------
    def _prepare_folder(self) -> None:
        (self.plan.folder / "logs").mkdir(parents=True, exist_ok=True)
        private, _ = self.keys
        if not private.exists():
            generate_keys(private.parent)
        if not self.seal_keys.exists():
            add_key(self.seal_keys, "local-1")
        if not self.person_keys.exists():
            add_person_key(self.person_keys, "local-1")

    async def _start_server(self) -> None:
        if self.plan.redis_url:
            # Said at once, rather than by each service in its log.
            await check_server(self.plan.redis_url, self.plan.durability, sees_settings=True)
            return
        if self.plan.durability not in get_args(Durability):
            raise NotReady(f"the embedded server knows no durability {self.plan.durability!r}: name one in REDIS_URL")
        pits = [pit.name for pit in self.floor.pits]
        # The first line is of whoever needs no name: here that is us, and the `tapis` command.
        users = acl.users(self.floor.site.name, pits, self.floor.site.wallets, self._passwords)[1:]
        self.server = EmbeddedServer(self.plan.folder / "redis", cast("Durability", self.plan.durability), users=users)
        self.redis_url = await asyncio.to_thread(self.server.start)
        self._guard = asyncio.create_task(self._guard_server())

    def _open_sockets(self) -> None:
        bases = [("gateway", GATEWAY_PORT), ("display", DISPLAY_PORT)]
        try:
            for name, base in [*bases, *((name, WORKERS_PORT) for name, _ in _workers())]:
                self._sockets.hold(name, base)
        except NoFreePort as error:
            raise NotReady(str(error)) from error
        self.gateway_url, self.display_url = self._sockets.url("gateway"), self._sockets.url("display")

    def _service_plans(self) -> Sequence[ChildPlan]:
        return [
            ChildPlan(name, f"services.{service}", self._environ(name, service), self._sockets.descriptors(name))
            for name, service in [*_workers(), ("display", "display"), ("gateway", "gateway")]
        ]

    def _bots_plan(self) -> ChildPlan:
        environ = {
            **self._environ("bots"),
            "TAPIS_GATEWAY_URL": self.gateway_url,
            "TAPIS_TOKEN_PRIVATE_KEY_FILE": str(self.keys[0]),
            "TAPIS_BOT_PLAYERS": str(self.plan.players),
            "TAPIS_BOT_FAST": "1" if self.plan.fast else "",
            "TAPIS_BOT_JOURNAL": str(self.plan.bot_journal or ""),
        }
        return ChildPlan("bots", "libs.runtime.local.bots", environ)

    def _url_of(self, user: str) -> str:
        """Return the server's address for a service; on our own server each is a user of its own."""
        if self.server is None or user not in self._passwords:
            return self.redis_url
        return self.redis_url.replace("unix://", f"unix://{user}:{self._passwords[user]}@", 1)

    def _environ(self, name: str, user: str = "") -> dict[str, str]:
        """Return the settings of one process, which is this user of our own server."""
        root = str(Path(libs.__path__[0]).parent)
        descriptors = self._sockets.descriptors(name)
        return {
            "PYTHONPATH": os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")])),
            "REDIS_URL": self._url_of(user),
            "REDIS_URL_FILE": "",
            "TAPIS_SITE": self.floor.site.name,
            "TAPIS_FLOOR": str(self.plan.floor.resolve()),
            "TAPIS_DURABILITY": self.plan.durability,
            "TAPIS_HTTP_FD": str(descriptors[0]) if descriptors else "",
            "TAPIS_LEASE_MS": str(self.plan.lease_ms),
            "TAPIS_TOKEN_PUBLIC_KEY_FILE": str(self.keys[1].resolve()),
            # The RNG alone may open seeds.
            "TAPIS_RNG_SEAL_KEYS_FILE": str(self.seal_keys.resolve()) if name == "rng" else "",
            "TAPIS_PERSON_KEYS_FILE": str(self.person_keys.resolve()) if name == "gateway" else "",
        }

    async def _start_child(self, plan: ChildPlan) -> None:
        child = Child(plan, self.plan.folder / "logs", self._say, self._write_note)
        self.children[plan.name] = child
        await child.start()

    def _write_note(self) -> None:
        """Say where everything is now."""
        note = RunNote(
            site=self.floor.site.name,
            floor=str(self.plan.floor.resolve()),
            redis_url=self.redis_url,
            embedded=self.server is not None,
            gateway_url=self.gateway_url,
            display_url=self.display_url,
            processes={name: child.pid for name, child in self.children.items() if child.pid is not None},
        )
        write_note(self.plan.folder, note)

    async def _wait_until_ready(self) -> None:
        """Wait for `/readyz` of every service; raises `NotReady` naming those that are not."""
        waiting = set(self.children)
        try:
            async with asyncio.timeout(READY_SECONDS), httpx.AsyncClient(timeout=2, trust_env=False) as client:
                while waiting:
                    waiting = {name for name in waiting if not await self._is_ready(client, name)}
                    await asyncio.sleep(0.05)
        except TimeoutError:
            logs = ", ".join(str(self.children[name].log_file) for name in sorted(waiting))
            raise NotReady(f"not ready after {READY_SECONDS:.0f} s: {', '.join(sorted(waiting))}; see {logs}") from None

    async def _is_ready(self, client: httpx.AsyncClient, name: str) -> bool:
        if self.children[name].pid is None:
            return False  # whoever answers at its port is somebody else
        try:
            return (await client.get(self.ready_url(name))).status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False


def _workers() -> list[tuple[str, str]]:
    """Names of the processes that own shards, and their services."""
    orchestrators = [(f"orchestrator-{n}", "table_orchestrator") for n in range(1, TABLE_ORCHESTRATORS + 1)]
    return [("rng", "rng"), ("wallet", "wallet"), *orchestrators]
