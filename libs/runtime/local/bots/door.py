"""How a bot speaks to the gateway: a token, a command id, and the same id again until there is an answer."""

import asyncio
import itertools
import time
from collections.abc import Mapping

import httpx
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from libs.kernel.days import moment
from libs.kernel.messages import Command, tag_of
from libs.runtime.local.bots.journal import Answer, Journal, Line
from libs.runtime.tokens import mint

TOKEN_SECONDS = 3_600
RENEW_SECONDS = 300
"""A token is replaced when it has less than this left."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0

TRY_AGAIN = frozenset({429, 502, 503, 504})
"""Statuses after which the same command is sent again: whether it was done is unknown, or it was not."""

COUNTED_FROM_MS = 1_700_000_000_000
"""Command ids count milliseconds from here, to be short."""


class DoorSaysNo(RuntimeError):
    """The gateway did not understand a bot: a defect of the bot, not a refusal of the rules."""


class Seat(msgspec.Struct, frozen=True):
    """A seat that a player holds."""

    table: str
    seat: int
    credit: int


class Me(msgspec.Struct, frozen=True):
    """What a player may know of the own money, in cents."""

    balance: int | None = None
    seats: tuple[Seat, ...] = ()


class Door:
    """The gateway, as all bots of this process see it."""

    def __init__(
        self, http: httpx.AsyncClient, key: Ed25519PrivateKey, site: str, journal: Journal | None = None
    ) -> None:
        self.http, self._key, self._site, self._journal = http, key, site, journal
        self._tokens: dict[tuple[str, str], tuple[str, float]] = {}
        # Ids must be new after a restart of the bots too, and grow: they begin with the time.
        self._prefix = f"{int(time.time() * 1000) - COUNTED_FROM_MS:x}"
        self._numbers = itertools.count(1)

    def token(self, sub: str, role: str) -> str:
        """Return a token that is good for a while yet."""
        known, until = self._tokens.get((sub, role), ("", 0.0))
        if until - time.time() < RENEW_SECONDS:
            known, until = mint(self._key, sub, role, self._site, TOKEN_SECONDS), time.time() + TOKEN_SECONDS
            self._tokens[sub, role] = known, until
        return known

    def next_id(self) -> str:
        """Return a command id that was never used; it begins with the moment, as every id must."""
        return f"{moment(time.time_ns() // 1_000_000)}/{self._prefix}-{next(self._numbers)}"

    async def get(self, path: str, headers: Mapping[str, str]) -> bytes:
        """Read something, however long the gateway is away."""
        return (await self._insist("GET", path, headers, None)).content

    async def post(self, path: str, sub: str, role: str, command: Command) -> Answer:
        """Send a command and return its answer; on silence the same command is sent again with the same id."""
        command_id = self.next_id()
        self._note(sub, command_id, command, None)
        body = msgspec.json.encode({"command_id": command_id, "command": command})
        response = await self._insist("POST", path, {"authorization": f"Bearer {self.token(sub, role)}"}, body)
        answer = msgspec.json.decode(response.content, type=Answer)
        self._note(sub, command_id, command, answer)
        return answer

    def _note(self, sub: str, command_id: str, command: Command, answer: Answer | None) -> None:
        if self._journal is not None:
            self._journal.note(Line(f"{sub}:{command_id}", tag_of(command), answer))

    async def _insist(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> httpx.Response:
        pause = FIRST_PAUSE_S
        while True:
            try:
                sent = {**headers, "content-type": "application/json"}
                response = await self.http.request(method, path, headers=sent, content=body)
            except httpx.TransportError:
                response = None
            if response is not None and response.status_code not in TRY_AGAIN:
                if response.status_code in {httpx.codes.OK, httpx.codes.CONFLICT}:
                    return response
                raise DoorSaysNo(f"{method} {path}: {response.status_code} {response.text[:300]}")
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_S)


class Speaker:
    """One person or machine at the door."""

    def __init__(self, door: Door, sub: str, role: str) -> None:
        self.door, self.sub, self.role = door, sub, role

    async def tell(self, table: str, command: Command) -> Answer:
        """Say something to a table."""
        return await self.door.post(f"/v1/tables/{table}/commands", self.sub, self.role, command)

    async def tell_wallet(self, command: Command) -> Answer:
        """Say something to the wallet."""
        return await self.door.post("/v1/wallet/commands", self.sub, self.role, command)

    async def me(self) -> Me:
        """Ask for the own money and seats."""
        headers = {"authorization": f"Bearer {self.door.token(self.sub, self.role)}"}
        return msgspec.json.decode(await self.door.get("/v1/me", headers), type=Me)
