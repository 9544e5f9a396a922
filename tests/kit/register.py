"""A register of persons with a door before it: real rules, real keys, on any log and any store of keys."""

import asyncio
import base64
import itertools
import json
import time
import unicodedata
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec

from libs.eventlog.api import EventLog, EventLogUnavailable
from libs.eventlog.person_keys import MemoryPersonKeys, PersonKeyStore
from libs.kernel.contracts.wallet_limits import Player
from libs.kernel.days import moment
from libs.kernel.ids import PERSONS, PERSONS_SHARD
from libs.kernel.messages import Command
from libs.ledger.players import NOBODY
from libs.persons.state import PersonsState
from libs.runtime import kinds
from libs.runtime.floor import Floor, Pit, Site, TablePlan
from libs.runtime.persons.keyfile import PersonKeys
from libs.runtime.persons.vault import Vault
from libs.runtime.tokens import Verifier
from services.gateway.answers import Desk
from services.gateway.app import gateway_app
from services.gateway.door import Door
from services.gateway.house import FollowedHouse
from services.gateway.keeper import Keeper
from services.gateway.rates import Rates
from services.gateway.register import Lockup, Register
from tests.kit.door import KEY, bearer
from tests.kit.shard_run import ShardRun, open_run

PLAN = TablePlan(name="T1", game="wheel", paytable="ROUE-MAISON-1", minimum=100, float_amount=1_000_000, seats=8)
FLOOR = Floor(site=Site(name="site-a"), pits=(Pit(name="pit-1", tables=(PLAN,)),))

INDEX, OLD, NEW = (bytes(31) + bytes([number]) for number in (1, 2, 3))
KEYS = PersonKeys(INDEX, {"old": OLD})

NAME, BORN, DOCUMENT = "Zoë Müller-Lüdenscheidt", "1971-03-09", "Passport Q7-4471 Ü"
PAPERS = {"name": NAME, "birth_date": BORN, "document": DOCUMENT}


_NUMBERS = itertools.count(1)


class PumpedHouse(FollowedHouse):
    """A followed house whose register handles a command as soon as it is sent."""

    def __init__(self, run: ShardRun) -> None:
        super().__init__(run.log, FLOOR)
        self._run = run
        self.players: dict[str, Player] = {}
        """What the ledger would keep of players, if there were one."""
        self.has_read = True

    def caught_up(self) -> bool:
        """As `House` says, unless the test has it forget what it has read."""
        return self.has_read and super().caught_up()

    def player(self, player: str) -> tuple[Player, str]:
        """As `House` says."""
        return self.players.get(player, NOBODY), "2026-11-30"

    async def send(self, shard: str, envelope: bytes) -> None:
        """Send, and let it be decided and logged."""
        await super().send(shard, envelope)
        await self._run.take()


class Counter:
    """A counter where people show their papers: speaks to the door over HTTP."""

    def __init__(
        self, http: httpx.AsyncClient, run: ShardRun, keeper: Keeper, lockup: Lockup | None, house: PumpedHouse
    ) -> None:
        self.http, self.run, self.keeper, self.lockup, self.house = http, run, keeper, lockup, house
        self.players = house.players
        self._came = moment(time.time_ns() // 1_000_000)

    async def post(
        self, path: str, body: dict[str, Any], role: str = "cashier", who: str = "", command_id: str = ""
    ) -> httpx.Response:
        """Post something below `/v1/persons`; without an id it gets the next number, and every id a moment."""
        numbered = f"{self._came}/{command_id or next(_NUMBERS)}"
        content = msgspec.json.encode({"command_id": numbered, **body})
        return await self.http.post(f"/v1/persons{path}", content=content, headers=bearer(who or f"{role}-1", role))

    async def register(self, papers: dict[str, str] | None = None, command_id: str = "") -> str:
        """Register a person; return the pseudonym."""
        answer = await self.post("", {"person": papers or PAPERS}, command_id=command_id)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["player"])

    async def look(self, player: str, command_id: str = "") -> httpx.Response:
        """Look at a person."""
        return await self.post(f"/{player}/look", {"purpose": "cage"}, command_id=command_id)

    async def forget(self, player: str, reason: str = "person", command_id: str = "") -> httpx.Response:
        """Forget a person."""
        return await self.post(f"/{player}/forget", {"reason": reason}, "committee_member", command_id=command_id)

    @property
    def state(self) -> PersonsState:
        """The register as its owner has it."""
        state: PersonsState = self.run.state(PERSONS)
        return state


class AwayPersonKeys(MemoryPersonKeys):
    """A store that answers, or does not: `away` names the calls that fail."""

    def __init__(self) -> None:
        super().__init__()
        self.away: set[str] = set()

    async def destroy(self, player: str) -> bool:
        """Destroy, unless it is away."""
        if "destroy" in self.away:
            raise EventLogUnavailable("away")
        return await super().destroy(player)

    async def fetch(self, player: str) -> str | None:
        """Fetch, unless it is away."""
        if "fetch" in self.away:
            raise EventLogUnavailable("away")
        return await super().fetch(player)


@asynccontextmanager
async def counter(
    log: EventLog,
    store: PersonKeyStore,
    keys: PersonKeys | None = KEYS,
    *,
    now_ms: Callable[[], int] = lambda: 0,
) -> AsyncIterator[Counter]:
    """Take the register over and open a door before it; nobody looks after the keys unless the test does."""
    run = await open_run(log, kind=kinds.PERSONS, name=PERSONS_SHARD, known=[PERSONS], clock_ms=now_ms)
    house = PumpedHouse(run)
    lockup = Lockup(store, Vault(keys, "site-a")) if keys is not None else None
    keeper = Keeper(log, house.register, lockup)
    following = asyncio.create_task(house.run())
    while not (house.hears(PERSONS_SHARD) and house.caught_up()):  # noqa: ASYNC110 - a follower tells nobody
        await asyncio.sleep(0)
    door = Door(house, Rates(), Desk())
    commands: frozenset[type[Command]] = kinds.PIT.decider.commands
    app = gateway_app(door, Register(door, keeper, lockup, now_ms), Verifier([KEY.public_key()], "site-a"), commands)
    try:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://door") as client:
            yield Counter(client, run, keeper, lockup, house)
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


def traces(*texts: str) -> set[bytes]:
    """Return the bytes by which personal texts would give themselves away, in the ways that bytes are written here."""
    found: set[bytes] = set()
    for text in texts:
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            same = unicodedata.normalize(form, text)
            for spelt in (same, same.casefold(), same.upper()):
                raw = spelt.encode()
                found |= {raw, raw.hex().encode(), json.dumps(spelt)[1:-1].encode(), repr(spelt)[1:-1].encode()}
                # Wherever it begins in a base64 text, the middle of it looks like one of these.
                found |= {base64.b64encode(b"\0" * shift + raw)[4:-4] for shift in range(3)}
    return {trace for trace in found if len(trace) >= 8}


PERSONAL = traces(NAME, DOCUMENT, BORN, "Lüdenscheidt")
"""What must be found nowhere after `PAPERS` were registered."""


def found_in(content: bytes) -> list[bytes]:
    """Return the traces of `PAPERS` in some bytes."""
    return sorted(trace for trace in PERSONAL if trace in content)
