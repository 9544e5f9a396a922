"""Some tables that credit seats, play and cash out, behind the inbox of a pit. They never die: the wallet does."""

from random import Random
from typing import Protocol

import msgspec

from libs.eventlog.api import Batch, EventLog, Owned
from libs.eventlog.codec import decode_envelope
from libs.kernel.actors import SYSTEM
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import CreditSeat, MoveFloat
from libs.kernel.contracts.wallet import TablePosted
from libs.kernel.envelope import CommandEnvelope, ReturnAddress
from libs.kernel.ids import posting_id
from libs.kernel.limits import BATCH_COMMANDS, MAX_LEASE_MS, OWED_POSTINGS_SENT
from libs.kernel.wallets import wallet_of
from libs.runtime.kinds import PIT
from tests.kit.fake_table import FakeTable

PIT_NAME = "pit-1"
SEATS = 12
FLOAT = 500_000
"""What a table opens with, in cents."""


class Put(Protocol):
    """Gives a letter to the network."""

    def __call__(self, shard: str, raw: bytes, *, counts: bool = True) -> None:
        """Take a letter; `counts` if it is a command and no answer."""


class Pit:
    """The tables of a pit; all that they say goes through the network."""

    def __init__(self, log: EventLog, tables: int, wallets: int, chance: Random, put: Put) -> None:
        self._log, self._wallets, self._chance, self._put = log, wallets, chance, put
        self.tables = {f"T{number}": FakeTable(f"T{number}") for number in range(1, tables + 1)}
        self._closed: set[str] = set()
        self._owned: Owned | None = None
        self._cursor = "0-0"

    def open(self) -> None:
        """Open a first session at every table."""
        for table in self.tables.values():
            table.open_float(FLOAT)

    def act(self) -> None:
        """Let something happen at one of the tables, and what it owes be said to the wallet."""
        chance = self._chance
        table = self.tables[chance.choice(list(self.tables))]
        seats = sorted(table.meters)
        what = chance.random()
        if table.name in self._closed:
            if table.next_session(FLOAT):
                self._closed.remove(table.name)
        elif what < 0.004 and not table.owed():
            table.close()
            self._closed.add(table.name)
        elif what < 0.4 and seats:
            table.cash_out(chance.choice(seats))
        elif seats:
            won_and_lost = {seat: chance.randint(-4_000, 3_500) for seat in chance.sample(seats, min(3, len(seats)))}
            table.coup(won_and_lost)
        self.say_owed(table)

    def say_owed(self, table: FakeTable) -> int:
        """Send what a table owes, oldest first, not for the first time perhaps; return how much that was."""
        owed = table.owed()[:OWED_POSTINGS_SENT]
        for posting in owed:
            part = wallet_of(table.name, self._wallets)
            command_id = posting_id(posting.table, posting.session, posting.number)
            body = msgspec.Raw(msgspec.json.encode(posting))
            reply = ReturnAddress(PIT_NAME, table.name)
            self._put(part.shard, msgspec.json.encode(CommandEnvelope(command_id, part.book, SYSTEM, body, reply)))
        return len(owed)

    async def hear(self) -> int:
        """Handle what waits on the pit's inbox; return how much that was."""
        if self._owned is None:
            owned = await self._log.acquire(PIT_NAME, "pit", MAX_LEASE_MS)
            assert isinstance(owned, Owned)
            self._owned = owned
        entries = await self._log.read_inbox(PIT_NAME, self._cursor, BATCH_COMMANDS)
        for _, raw in entries:
            self._take(decode_envelope(raw))
        if entries:
            cursor = entries[-1][0]
            await self._log.append(PIT_NAME, Batch(self._owned.epoch, self._cursor, cursor))
            self._cursor = cursor
        return len(entries)

    def _take(self, envelope: CommandEnvelope) -> None:
        table, command = self.tables[envelope.book], PIT.codec.decode_command(envelope.body)
        match command:
            case Answered():
                for event in command.events:
                    if isinstance(event, TablePosted):
                        table.hear(event)
            case CreditSeat():
                self._answer(envelope, table.credit(command))
            case MoveFloat():
                last = table.float_answer
                # An older one was answered before the last was asked: a table says nothing to it.
                if last is None or command.number >= last.number:
                    self._answer(envelope, table.move_float(command))
            case _:
                raise AssertionError(command)

    def _answer(self, envelope: CommandEnvelope, answer: Answered) -> None:
        assert envelope.reply is not None
        body = msgspec.Raw(msgspec.json.encode(answer))
        answered = CommandEnvelope(f"answer:{envelope.id}", envelope.reply.book, SYSTEM, body)
        self._put(envelope.reply.shard, msgspec.json.encode(answered), counts=False)
