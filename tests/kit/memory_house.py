"""A whole house in one process and no time: the three kinds of shard on a `MemoryLog`, with a clock set by hand.

For tests that need true logs (of sessions, coups, money and draws) without processes or a server.
"""

import itertools
from dataclasses import dataclass
from hashlib import sha256

import msgspec

from libs.eventlog.api import Appended, EventLog, Owned
from libs.eventlog.memory import MemoryLog
from libs.kernel.actors import Actor, Role
from libs.kernel.contracts.wallet import BuyIn, Deposit
from libs.kernel.days import moment
from libs.kernel.envelope import CommandEnvelope
from libs.kernel.ids import DRAWS, RNG_SHARD
from libs.kernel.limits import ANSWERS_REMEMBERED
from libs.kernel.messages import Command
from libs.kernel.wallets import wallet_at, wallet_of
from libs.ledger.decider import DECIDER as LEDGER
from libs.runtime.answers import Answers, Given
from libs.runtime.deciding import Decisions
from libs.runtime.kinds import kind_of
from libs.runtime.loading import load_answers, load_books
from libs.runtime.outbox import Outbox
from libs.runtime.plan import Book, Plan
from libs.runtime.seals import SealKeys, Seals
from libs.table.messages import CheckEquipment, CloseBetting, OpenBetting, OpenSession, PlaceWager, TakeSeat
from libs.table.state import TableState

PIT = "pit-1"
START_MS = 1_700_000_000_000


@dataclass
class _Shard:
    name: str
    owned: Owned
    cursor: str
    books: dict[str, Book]
    decisions: Decisions
    outbox: Outbox
    answers: Answers


class MemoryHouse:
    """Say something to a book and everything that follows from it happens before `tell` returns."""

    def __init__(
        self,
        tables: tuple[str, ...] = ("T1",),
        log: EventLog | None = None,
        wallets: int = 1,
        answers: int = ANSWERS_REMEMBERED,
    ) -> None:
        self.now_ms = START_MS
        self.log = log or MemoryLog(lambda: self.now_ms)
        self._tables, self.wallets, self._answers = tables, wallets, answers
        self._shards: dict[str, _Shard] = {}
        self._ids = itertools.count(1)
        self._entropy = itertools.count(1)
        self.seals = Seals(self._draw_entropy, SealKeys({"of-the-test": bytes(range(32))}))
        self.generator_is_sound = True
        """False while the RNG's generator gives no bytes."""

    async def open(self) -> "MemoryHouse":
        """Own all shards."""
        known = {PIT: frozenset(self._tables), RNG_SHARD: frozenset({DRAWS})}
        for index in range(self.wallets):
            part = wallet_at(index, self.wallets)
            known[part.shard] = frozenset({part.book})
        for name, books_known in known.items():
            await self.take_over(name, books_known)
        return self

    async def take_over(self, name: str, known: frozenset[str]) -> None:
        """Own a shard, from a process that died or was never there: all that is known of it is in the log."""
        owned = await self.log.acquire(name, "house", 60_000)
        assert isinstance(owned, Owned)
        kind, answers = kind_of(name), Answers(self._answers)
        books = await load_books(self.log, name, kind.decider, kind.codec, owned.heads)
        await load_answers(self.log, name, owned.cursor, answers)
        chance = self.seals.provide if name == RNG_SHARD else None
        decisions = Decisions(name, kind.decider, kind.codec, books, answers, known, chance)
        outbox = Outbox(self.log, kind.name, name, self.wallets)
        self._shards[name] = _Shard(name, owned, owned.cursor, books, decisions, outbox, answers)

    async def tell(self, who: str, role: Role, shard: str, book: str, command: Command) -> Given:
        """Send a command and return its answer, after all that follows from it has happened."""
        # Money goes by the house's days; what else an id may be, by the clock of the log.
        made_ms = self.now_ms if type(command) in LEDGER.remembers else await self.log.now_ms()
        command_id = f"{who}:{moment(made_ms)}/{next(self._ids)}"
        body = msgspec.Raw(msgspec.json.encode(command))
        envelope = CommandEnvelope(command_id, book, Actor(who, role), body)
        await self.log.send([(shard, msgspec.json.encode(envelope))])
        await self._until_quiet()
        given = self._shards[shard].answers.get(command_id)
        assert given is not None, f"no answer to {command}"
        return given

    async def pass_time(self, milliseconds: int) -> None:
        """Let time pass and tell every book whose deadline came."""
        self.now_ms += milliseconds
        for shard in self._shards.values():
            deadline = kind_of(shard.name).decider.deadline
            wanted = {name: deadline(book.state) for name, book in shard.books.items()}
            due = [name for name, at_ms in wanted.items() if at_ms is not None and at_ms <= self.now_ms]
            await self._commit(shard, shard.decisions.tick(due, self.now_ms), shard.cursor)
        await self._until_quiet()

    # -- what people do --------------------------------------------------------------------------------------------
    async def staff(self, role: Role, command: Command, table: str = "T1") -> Given:
        """Say something as a member of the staff; it must be accepted."""
        given = await self.tell(f"{role.replace('_', '-')}-1", role, PIT, table, command)
        assert given.refusal is None, given.refusal
        return given

    async def player(self, who: str, command: Command, table: str = "T1") -> Given:
        """Say something as a player; it must be accepted."""
        given = await self.tell(who, "player", PIT, table, command)
        assert given.refusal is None, given.refusal
        return given

    async def open_session(self, table: str = "T1", paytable: str = "ROUE-MAISON-1") -> None:
        """Prepare and open a session of the wheel."""
        await self.staff("technician", CheckEquipment(), table)
        await self.staff(
            "committee_member",
            OpenSession(
                game="wheel",
                paytable=paytable,
                minimum=100,
                float_amount=1_000_000,
                seats=8,
                options={"bonus_stake": 1_000},
                confirm_negative_edge=True,
            ),
            table,
        )

    async def sit_down(self, who: str, seat: int, cents: int, table: str = "T1") -> None:
        """Bring money, take a seat, buy chips for all of it."""
        deposit = Deposit(player=who, amount=cents)
        part = wallet_of(who, self.wallets)
        assert (await self.tell("cashier-1", "cashier", *part, deposit)).refusal is None
        await self.player(who, TakeSeat(seat=seat), table)
        buy_in = BuyIn(pit=PIT, table=table, seat=seat, amount=cents)
        assert (await self.tell(who, "player", *part, buy_in)).refusal is None

    async def play_coup(self, wagers: dict[str, dict[str, int]], table: str = "T1") -> None:
        """Play a coup with these stakes (player -> spot -> cents) until it is settled."""
        await self.staff("croupier", OpenBetting(), table)
        for who, on_spots in wagers.items():
            for spot, amount in on_spots.items():
                await self.player(who, PlaceWager(spot=spot, amount=amount), table)
        await self.staff("croupier", CloseBetting(), table)
        await self.pass_time(60_000)

    async def ask_again(self) -> None:
        """Let every shard send once more what it still owes, as it does after a while."""
        for shard in self._shards.values():
            react = kind_of(shard.name).decider.react
            shard.outbox.forget()
            await shard.outbox.send([(name, react(book.state)) for name, book in shard.books.items()], ())
        await self._until_quiet()

    def state_of(self, table: str = "T1") -> TableState:
        """Return what a table's events fold to."""
        state: TableState = self._shards[PIT].books[table].state
        return state

    # -- what follows ----------------------------------------------------------------------------------------------
    async def _until_quiet(self) -> None:
        """Handle all inboxes until nothing waits."""
        busy = True
        while busy:
            busy = False
            for shard in self._shards.values():
                entries = await self.log.read_inbox(shard.name, shard.cursor, 100)
                if entries:
                    busy = True
                    await self._commit(shard, shard.decisions.decide(entries, self.now_ms), entries[-1][0])

    async def _commit(self, shard: _Shard, plan: Plan, cursor_to: str) -> None:
        batch = plan.batch(shard.owned.epoch, shard.cursor, cursor_to)
        if cursor_to == shard.cursor and not (batch.appends or batch.feed or batch.parked):
            return
        assert isinstance(await self.log.append(shard.name, batch), Appended)
        shard.cursor = cursor_to
        shard.books.update(plan.books)
        shard.answers.remember(plan.given)
        react = kind_of(shard.name).decider.react
        await shard.outbox.send([(name, react(book.state)) for name, book in plan.books.items()], plan.replies)

    def _draw_entropy(self) -> bytes:
        """Return bytes that differ each time and are the same in every run of a test."""
        if not self.generator_is_sound:
            return b""
        return sha256(str(next(self._entropy)).encode()).digest()
