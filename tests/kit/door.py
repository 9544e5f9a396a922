"""A house behind the door that answers as it is told, and the door in front of it."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from libs.games.wheel.messages import LaunchWheel, PressBuzzer
from libs.kernel.actors import Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import CreditSeat
from libs.kernel.contracts.wallet_cards import Card
from libs.kernel.contracts.wallet_days import TransferFact
from libs.kernel.contracts.wallet_limits import Player
from libs.kernel.envelope import Answer, CommandEnvelope, EventRecord, FeedEntry
from libs.kernel.messages import Command
from libs.kernel.refusals import Refusal
from libs.kernel.wallets import Wallet
from libs.runtime.answers import digest_of
from libs.runtime.httpkit import Readiness
from libs.runtime.recall import Decided
from libs.runtime.tokens import Verifier, mint
from libs.table.board import Board
from libs.table.messages import CashOut, OpenSession, PlaceWager, TakeSeat, VoidCoup
from services.gateway.answers import Desk
from services.gateway.app import gateway_app
from services.gateway.door import Door, Hear
from services.gateway.parts import parts_for
from services.gateway.rates import Rates
from services.gateway.register import Lockup, Register
from services.gateway.shapes import OwnSeat
from tests.kit.boards import BETTING

KEY = Ed25519PrivateKey.generate()
TABLE_COMMANDS: frozenset[type[Command]] = frozenset(
    {OpenSession, TakeSeat, PlaceWager, CashOut, VoidCoup, PressBuzzer, LaunchWheel, CreditSeat, Answered}
)
"""Some commands of a table, two internal ones among them."""

WAGER = {"type": "table.PlaceWager", "spot": "2", "amount": 100}


def accepted(envelope: CommandEnvelope) -> FeedEntry:
    """Return the feed entry of an accepted command, with one event."""
    body = msgspec.Raw(b'{"type":"table.WagerPlaced","coup":1}')
    record = EventRecord("T1/4", 9, 1, envelope.actor, envelope.id, body)
    answer = Answer(envelope.id, envelope.book, digest_of(envelope.body), "T1/4")
    return FeedEntry(events=(record,), answer=answer)


def repeated(envelope: CommandEnvelope) -> FeedEntry:
    """Return the feed entry of a command that came before: the events are in the answer."""
    body = msgspec.Raw(b'{"type":"table.WagerPlaced","coup":1}')
    return FeedEntry(answer=Answer(envelope.id, envelope.book, digest_of(envelope.body), "T1/4", (body,)))


def refused(envelope: CommandEnvelope) -> FeedEntry:
    """Return the feed entry of a refused command."""
    refusal = Refusal("wager.over_maximum", "Mise au-dessus du maximum.", "Stake above the maximum.")
    return denied(envelope, refusal)


def denied(envelope: CommandEnvelope, refusal: Refusal) -> FeedEntry:
    """Return the feed entry of a command that is refused so."""
    return FeedEntry(answer=Answer(envelope.id, envelope.book, digest_of(envelope.body), refusal=refusal))


class FakeHouse:
    """Implements `services.gateway.door.House`; `reply` makes the feed entry that answers a command, or None."""

    def __init__(self, reply: Callable[[CommandEnvelope], FeedEntry | None] = accepted) -> None:
        self.reply = reply
        self.sent: list[tuple[str, CommandEnvelope]] = []
        self.arrivals: asyncio.Queue[CommandEnvelope] = asyncio.Queue()
        self.inbox = 0
        self.is_live = True
        self.has_read = True
        self.error: Exception | None = None
        """What `send` raises."""
        self.length_error: Exception | None = None
        """What `waiting` raises."""
        self.hears_of: list[Hear] = []
        self.made: dict[str, TransferFact] = {}
        self.decided: dict[tuple[str, str, str], Decided] = {}
        """What the logs say of old transfers."""
        self.known: dict[str, Player] = {}
        """What the ledger keeps of players."""
        self.registered: dict[str, bytes] = {}
        """Sealed data of persons."""

    def caught_up(self) -> bool:
        """As `House` says."""
        return self.has_read

    def tables(self) -> list[str]:
        """As `House` says."""
        return ["T1"]

    def pit_of(self, table: str) -> str | None:
        """As `House` says."""
        return "pit-1" if table == "T1" else None

    def board(self, table: str) -> Board:
        """As `House` says."""
        return msgspec.structs.replace(BETTING, table=table)

    def balance(self, player: str) -> int:
        """As `House` says."""
        return 12_300 if player == "player-1" else 0

    def card(self, number: str) -> Card | None:
        """As `House` says."""
        return Card("player-1") if number == "C-1" else None

    def seats(self, player: str) -> tuple[OwnSeat, ...]:
        """As `House` says."""
        return (OwnSeat("T1", "pit-1", 2, 4_500, 100, {"2": 100}),) if player == "player-1" else ()

    def player(self, player: str) -> tuple[Player, str]:
        """As `House` says."""
        return self.known.get(player, Player()), "2026-11-30"

    def hears(self, shard: str) -> bool:
        """As `House` says."""
        return self.is_live and shard in {"pit-1", "wallet-0", "persons-0"}

    async def send(self, shard: str, envelope: bytes) -> None:
        """As `House` says; the answer comes with the next turn of the loop."""
        if self.error is not None:
            raise self.error
        command = msgspec.json.decode(envelope, type=CommandEnvelope)
        self.sent.append((shard, command))
        self.arrivals.put_nowait(command)
        entry = self.reply(command) if command.refusal is None else denied(command, command.refusal)
        if entry is not None:
            asyncio.get_running_loop().call_soon(self.tell, entry)

    def tell(self, entry: FeedEntry) -> None:
        """Put an entry on the feed."""
        for hear in tuple(self.hears_of):
            hear(entry, b"")

    async def waiting(self, shard: str) -> int:
        """As `House` says."""
        if self.length_error is not None:
            raise self.length_error
        return self.inbox if shard in {"pit-1", "wallet-0", "persons-0"} else 0

    def listen(self, hear: Hear) -> Callable[[], None]:
        """As `House` says."""
        self.hears_of.append(hear)
        return lambda: self.hears_of.remove(hear)

    async def sealed(self, player: str) -> bytes | None:
        """As `Registrations` says."""
        return self.registered.get(player)

    def wallets_for(self, command: Command, actor: Actor) -> list[Wallet]:
        """As `House` says."""
        return parts_for(command, actor, 1, {})

    async def recall_decision(self, shard: str, book: str, command_id: str) -> Decided | None:
        """As `House` says."""
        return self.decided.get((shard, book, command_id))

    async def recall_transfer(self, shard: str, transfer_id: str) -> TransferFact | None:
        """As `House` says."""
        return self.made.get(transfer_id) if shard == "wallet-0" else None

    def readiness(self) -> Readiness:
        """As `House` says."""
        return Readiness(self.is_live, {"pit-1": "live" if self.is_live else "not followed"})


class Caller:
    """Speaks to a door over HTTP as whoever a test wants."""

    def __init__(
        self,
        house: FakeHouse | None = None,
        rates: Rates | None = None,
        desk: Desk | None = None,
        answer_ms: int = 5_000,
        lockup: Lockup | None = None,
        now_ms: Callable[[], int] = lambda: 0,
    ) -> None:
        self.house = FakeHouse() if house is None else house
        self.desk = Desk() if desk is None else desk
        door = Door(self.house, Rates() if rates is None else rates, self.desk, answer_ms)
        register = Register(door, self.house, lockup, now_ms)
        app = gateway_app(door, register, Verifier([KEY.public_key()], "site-a"), TABLE_COMMANDS)
        # A defect must become a 500 for the caller, as it does on a real server.
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://door")

    async def tell(
        self,
        command: object,
        *,
        table: str = "T1",
        command_id: object = "1",
        who: str = "player-1",
        role: str = "player",
    ) -> httpx.Response:
        """Post a command to a table."""
        body = msgspec.json.encode({"command_id": command_id, "command": command})
        return await self.post(f"/v1/tables/{table}/commands", body, who, role)

    async def tell_wallet(self, command: object, who: str = "player-1", role: str = "player") -> httpx.Response:
        """Post a command to the wallet."""
        body = msgspec.json.encode({"command_id": "1", "command": command})
        return await self.post("/v1/wallet/commands", body, who, role)

    async def post(self, path: str, body: bytes, who: str = "player-1", role: str = "player") -> httpx.Response:
        """Post a body as somebody."""
        return await self.http.post(path, content=body, headers=bearer(who, role))

    async def get(self, path: str, who: str = "player-1", role: str = "player") -> httpx.Response:
        """Get a path as somebody."""
        return await self.http.get(path, headers=bearer(who, role))


def bearer(who: str = "player-1", role: str = "player", site: str = "site-a") -> dict[str, str]:
    """Return the header that says who is speaking."""
    return {"authorization": f"Bearer {mint(KEY, who, role, site, 60)}"}


def error_of(response: httpx.Response) -> tuple[int, str, str]:
    """Return status, code and path of a problem, after a look at its form."""
    error: dict[str, Any] = response.json()["error"]
    assert error["fr"].endswith(".")
    assert error["en"].endswith((".", "`."))
    return response.status_code, error["code"], error.get("path", "")
