"""The arrows of a buy-in and of a cash-out, and a casino whose processes die at any of them."""

import asyncio
import contextlib
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from libs.kernel.accounts import player_account
from libs.kernel.contracts.wallet import BuyIn
from libs.kernel.ids import WALLET_SHARD
from libs.kernel.messages import Command
from libs.ledger.state import balance, imbalance, seats_of
from libs.runtime.local.casino import GATEWAY_PORT, WORKERS_PORT, Casino
from libs.runtime.local.children import ChildPlan
from libs.table.messages import CashOut
from tests.kit.aftermath import rests
from tests.kit.casino import following, plan_in
from tests.kit.diary import Diary
from tests.kit.doomed import Moment, Snare, Trap
from tests.kit.play import TableParty
from tests.kit.redis_server import ServerProcess
from tests.kit.scene import PIT_NAME, Scene
from tests.kit.waiting import until

Victim = Literal["wallet", "table_orchestrator", "redis"]
VICTIMS: tuple[Victim, ...] = ("wallet", "table_orchestrator", "redis")
SHARDS = {"wallet": WALLET_SHARD, "table_orchestrator": PIT_NAME}

HOUSE = {
    "wallet-1": "wallet",
    "wallet-2": "wallet",
    "orchestrator-1": "table_orchestrator",
    "orchestrator-2": "table_orchestrator",
    "gateway": "gateway",
}
"""The processes, two of each that owns shards, and their services."""

PLAYERS = ("player-1", "player-2", "player-3", "player-4")
MONEY, CENTS = 1_000_000, 100
AT_ONCE = 3
"""How often each wish is sent at the same time, with the same id."""


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """One end of an arrow: which service is there, doing what."""

    of: Literal["buy-in", "cash-out"]
    arrow: str
    service: str
    moment: Moment
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """The arrow in words."""
        return f"{self.of}: {self.arrow}"


def _points(of: Literal["buy-in", "cash-out"], *rows: tuple[str, str, Moment, str]) -> list[Point]:
    return [Point(of=of, arrow=a, service=s, moment=m, words=tuple(words.split())) for a, s, m, words in rows]


POINTS = (
    *_points(
        "buy-in",
        ("door to wallet", "gateway", "before send", '"type":"wallet.BuyIn"'),
        ("door to wallet", "wallet", "before append", '"type":"wallet.BuyInPended"'),
        ("wallet to pit", "wallet", "before send", '"type":"table.CreditSeat"'),
        ("wallet to pit", "table_orchestrator", "before append", '"type":"table.SeatCredited"'),
        ("pit's answer to wallet", "table_orchestrator", "before send", '"type":"kernel.Answered" "to":"credit:'),
        ("pit's answer to wallet", "wallet", "before append", '"type":"wallet.BuyInPosted"'),
        ("wallet to door", "wallet", "after append", '"type":"wallet.BuyInPended"'),
        ("wallet posts", "wallet", "after append", '"type":"wallet.BuyInPosted"'),
    ),
    *_points(
        "cash-out",
        ("door to pit", "gateway", "before send", '"type":"table.CashOut"'),
        ("door to pit", "table_orchestrator", "before append", '"type":"table.SeatDebited"'),
        ("pit to door", "table_orchestrator", "after append", '"type":"table.SeatDebited"'),
        ("pit to wallet", "table_orchestrator", "before send", '"type":"wallet.PostFromTable" "cash_out"'),
        ("pit to wallet", "wallet", "before append", '"type":"wallet.TablePosted" "cash_out"'),
        ("wallet's answer to pit", "wallet", "before send", '"type":"kernel.Answered" "to":"post:'),
        ("wallet's answer to pit", "table_orchestrator", "before append", '"type":"table.PostingConfirmed"'),
        ("pit notes it", "table_orchestrator", "after append", '"type":"table.PostingConfirmed"'),
    ),
)
"""Both ends of each arrow, in the order in which money goes; `words` are in the message that is about to cross."""

ARROWS = {name: [point for point in POINTS if point.name == name] for name in dict.fromkeys(p.name for p in POINTS)}
"""The points of each arrow, by its name."""


class TrapCasino(Casino):
    """The processes that money crosses, each of which can be caught at a point of its loop."""

    def _open_sockets(self) -> None:
        for name in HOUSE:
            self._sockets.hold(name, GATEWAY_PORT if name == "gateway" else WORKERS_PORT)
        self.gateway_url = self._sockets.url("gateway")

    def _service_plans(self) -> Sequence[ChildPlan]:
        trap = {"TAPIS_TEST_TRAP": str(self.plan.folder.resolve())}
        return [
            ChildPlan(
                name,
                "tests.kit.doomed",
                {**self._environ(name, service), **trap, "TAPIS_TEST_MODULE": f"services.{service}"},
                self._sockets.descriptors(name),
            )
            for name, service in HOUSE.items()
        ]


class Siege:
    """Buy-ins and cash-outs, at each of which somebody is killed."""

    def __init__(self, scene: Scene, server: ServerProcess, snare: Snare) -> None:
        self.scene, self._server, self._snare = scene, server, snare
        self._party = TableParty(scene)
        self._turns = itertools.cycle(PLAYERS)
        self._accounts = dict.fromkeys(PLAYERS, MONEY // 2)
        self._meters = dict.fromkeys(PLAYERS, MONEY // 2)
        self.kills: Counter[tuple[str, Victim]] = Counter()
        """By arrow and victim."""
        self.answers = 0
        """Answers to wishes, each the same for all who asked with its id."""

    async def open(self) -> None:
        """Open a table, and seat the players with half of their money."""
        await self._party.open()
        for seat, who in enumerate(PLAYERS, start=1):
            await self._party.sit_down(who, seat, MONEY // 2)
            await self._party.deposit(who, MONEY // 2)
        await self._at_rest()

    async def kill_at(self, point: Point, victim: Victim) -> None:
        """Let a player move money, kill the victim when it is at that point; then all must be as if nobody had died."""
        scene, who = self.scene, next(self._turns)
        seat = PLAYERS.index(who) + 1
        deadly = point.service == victim
        self._snare.set(Trap(moment=point.moment, words=point.words, deadly=deadly))
        buys = point.of == "buy-in"
        to = "wallet" if buys else f"tables/{self._party.name}"
        wish: Command = CashOut(amount=CENTS)
        if buys:
            wish = BuyIn(pit=PIT_NAME, table=self._party.name, seat=seat, amount=CENTS)
        command_id = scene.door.next_id()
        asked = [asyncio.create_task(scene.insist(who, "player", to, command_id, wish)) for _ in range(AT_ONCE)]
        await until(lambda: self._snare.caught() > 0, why=f"nobody comes to {point}")
        if deadly:
            await self._until_dead(self._snare.caught())
        else:
            await self._kill(victim)
        self._snare.take_away()
        if victim == "redis":
            await asyncio.to_thread(self._server.start)
        self.kills[point.name, victim] += 1
        answers = await asyncio.gather(*asked)
        _one_and_the_same(answers)
        self.answers += len(answers)
        self._accounts[who] -= CENTS if buys else -CENTS
        self._meters[who] += CENTS if buys else -CENTS
        await self._at_rest()

    async def _kill(self, victim: Victim) -> None:
        """Kill -9, and see it dead."""
        if victim == "redis":
            await asyncio.to_thread(self._server.kill)
            return
        pid = self.scene.signal(await self.scene.owner_other_than("", SHARDS[victim]))
        assert pid is not None, "somebody else was quicker"
        await self._until_dead(pid)

    async def _until_dead(self, pid: int) -> None:
        children = self.scene.casino.children.values()
        await until(lambda: all(child.pid != pid for child in children), why=f"process {pid} does not die")

    async def _at_rest(self) -> None:
        """Wait until nothing is on its way any more and everybody has what is his, to the cent."""
        differences: list[str] = []

        def settled() -> bool:
            differences[:] = list(self._differences())
            return not differences

        await until(settled, why=lambda: "; ".join(differences))
        assert imbalance(self.scene.ledger) == 0

    def _differences(self) -> list[str]:
        ledger, table = self.scene.ledger, self.scene.table(self._party.name)
        accounts = {who: balance(ledger, player_account(who)) for who in PLAYERS}
        meters = {who: self._party.credit(who) for who in PLAYERS}
        found = []
        if (accounts, meters) != (self._accounts, self._meters):
            found.append(f"accounts {accounts}, wanted {self._accounts}; chips {meters}, wanted {self._meters}")
        seats = {seat: self._meters[who] for seat, who in enumerate(PLAYERS, start=1)}
        if seats_of(ledger, self._party.name) != seats:
            found.append("the ledger has other seats")
        if ledger.pending or not rests(table):
            found.append(f"{len(ledger.pending)} buy-ins pending, {len(table.owed)} postings owed")
        return found


def _one_and_the_same(answers: Sequence[tuple[int, dict[str, Any]]]) -> None:
    status, content = answers[0]
    assert (200, True) == (status, content.get("accepted")), answers
    assert all(answer == answers[0] for answer in answers), answers


@contextlib.asynccontextmanager
async def besieged(folder: Path, server: ServerProcess, lease_ms: int) -> AsyncIterator[Siege]:
    """Run a casino of the processes that money crosses, with a table open and players seated."""
    plan = plan_in(folder, tables=("roue-1",), redis_url=server.url, lease_ms=lease_ms, bots=False)
    diary = Diary()
    async with TrapCasino(plan, diary.note) as casino, following(casino, diary) as scene:
        siege = Siege(scene, server, Snare(folder))
        await siege.open()
        yield siege
