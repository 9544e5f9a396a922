"""A wallet of three parts, two tables, and a network that loses, doubles and reorders whatever crosses it.

A part that crashes loses nothing but what it had not sent: its state is the fold of its log, and owes it again.
"""

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from libs.kernel import buckets
from libs.kernel.accounts import may_be_overdrawn, player_account
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import CreditSeat
from libs.kernel.contracts.wallet import BuyIn, Deposit, TablePosted
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.days import DAY_MS, day_of
from libs.kernel.ids import posting_id
from libs.kernel.messages import Command, Tick
from libs.kernel.wallets import index_of, wallet_at
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerState, balance, imbalance, seats_of
from tests.kit.book import Book, code, facts
from tests.kit.fake_table import FakeTable
from tests.kit.wire import Wire

PARTS = 3
NAMES = [f"player-{number}" for number in range(1, 6)]
PLAYERS = st.sampled_from(NAMES)
TABLES = st.sampled_from(["T1", "T2"])
SEATS = st.integers(1, 3)
CASHIER = Actor("cashier-1", "cashier")


class WalletsModel(Wire[tuple[int, Command, str]]):
    """Letters go to a part: which one, what, and the id. What is owed may be asked for again at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[Book[LedgerState]] = [Book(DECIDER, wallet_at(n, PARTS).book) for n in range(PARTS)]
        self.tables = {name: FakeTable(name) for name in ("T1", "T2")}
        self.brought = 0
        self.number = 0

    @initialize()
    def begin(self) -> None:
        """Both tables take a float, everybody brings money."""
        for table in self.tables.values():
            table.open_float(5_000)
        for name in NAMES:
            self.deposit(name, 1_000)

    @rule(player=PLAYERS, amount=st.sampled_from([1, 100, 500]))
    def deposit(self, player: str, amount: int) -> None:
        """A cashier takes money."""
        self.number += 1
        wish = Deposit(player=player, amount=amount)
        assert not code(self._home(player).say(wish, by=CASHIER, command_id=self._id("cashier-1")))
        self.brought += amount

    @rule(player=PLAYERS, table=TABLES, seat=SEATS, amount=st.sampled_from([1, 100, 700]))
    def buy_in(self, player: str, table: str, seat: int, amount: int) -> None:
        """A player buys chips, perhaps at a seat that is not free, perhaps without the money."""
        self.number += 1
        wish = BuyIn(pit="pit-1", table=table, seat=seat, amount=amount)
        said = self._home(player).say(wish, by=Actor(player, "player"), command_id=self._id(player))
        assert code(said) in {"", "account.insufficient"}

    @rule(table=TABLES, results=st.dictionaries(SEATS, st.sampled_from([-1_000, -100, 50, 700]), max_size=3))
    def coup(self, table: str, results: dict[int, int]) -> None:
        """A coup is won and lost, perhaps with chips that no ledger has heard of."""
        self.tables[table].coup(results)

    @rule(table=TABLES, seat=SEATS)
    def cash_out(self, table: str, seat: int) -> None:
        """A player leaves; the account may be in another part."""
        if seat in self.tables[table].meters:
            self.tables[table].cash_out(seat)

    @rule(part=st.integers(0, PARTS - 1))
    def crash(self, part: int) -> None:
        """A part dies, and another process folds its log."""
        self.parts[part].state = self.parts[part].replayed()

    @rule(part=st.integers(0, PARTS - 1))
    def next_day(self, part: int) -> None:
        """One part goes on to the next gaming day, before the others."""
        book = self.parts[part]
        for other in self.parts:
            other.now_ms += DAY_MS
        if not code(book.say(OpenGamingDay(day=day_of(book.now_ms)))):
            while book.state.bringing is not None:
                book.accept(Tick())
            assert msgspec.json.encode(book.alone()) == msgspec.json.encode(book.state)

    # -- the network
    @rule(part=st.integers(0, PARTS - 1), which=st.integers(0, 10_000))
    def send(self, part: int, which: int) -> None:
        """One thing that a part owes goes out: a question to a table, or a transfer to another part."""
        owed = DECIDER.react(self.parts[part].state)
        if owed:
            out = owed[which % len(owed)]
            if isinstance(out.command, CreditSeat):
                self.wire.append((part, self.tables[out.book].credit(out.command), f"answer:{out.command_id}"))
            else:
                self.wire.append((self._index(out.book), out.command, out.command_id))

    @rule(table=TABLES)
    def post(self, table: str) -> None:
        """A table sends all that it owes."""
        for owed in self.tables[table].owed():
            letter = index_of(table, PARTS), owed, posting_id(owed.table, owed.session, owed.number)
            self.wire.append(letter)

    def _arrive(self, letter: tuple[int, Command, str]) -> None:
        part, command, command_id = letter
        said = self.parts[part].say(command, by=SYSTEM, command_id=command_id)
        for event in facts(said):
            if isinstance(event, TablePosted):
                self.tables[event.table].hear(event)
        if command_id.startswith("transit:") and facts(said):
            origin = int(command_id.partition("/")[0].rpartition("-")[2])
            self.wire.append((origin, Answered(to=command_id, events=facts(said)), f"answer:{command_id}"))

    # -- laws
    @invariant()
    def every_part_balances(self) -> None:
        """Each part sums to zero, nobody is overdrawn, and pairs in transit come to what is owed between them."""
        between: dict[frozenset[int], int] = {}
        for part, book in enumerate(self.parts):
            assert 0 == imbalance(book.state)
            for account, cents in buckets.items(book.state.balances):
                assert cents >= 0 or may_be_overdrawn(account)
                if account.startswith("transit:"):
                    pair = frozenset({part, int(account.rpartition("-")[2])})
                    between[pair] = between.get(pair, 0) + cents
        for pair, cents in between.items():
            assert cents == sum(self._on_the_way(one, other) for one in pair for other in pair if one != other)

    def _on_the_way(self, origin: int, to: int) -> int:
        """Return what one part has sent and the other has not received, in cents."""
        sent, received = (self.parts[n].state.channels for n in (origin, to))
        shard = f"wallet-{to}"
        if shard not in sent:
            return 0
        last = received[f"wallet-{origin}"].received if f"wallet-{origin}" in received else 0
        return sum(leg.amount for number, one in sent[shard].open.items() if number > last for leg in one.legs)

    def teardown(self) -> None:
        """When everything has arrived at last, nothing is in transit, and no cent was made or lost."""
        for _ in range(300):
            if not self._owes():
                break
            for part in range(PARTS):
                for which in range(len(DECIDER.react(self.parts[part].state))):
                    self.send(part, which)
            for name in self.tables:
                self.post(name)
            self.deliver_all()
            self.deliver_all()
        assert not self._owes()
        self.every_part_balances()
        assert not any(channel.open for book in self.parts for channel in book.state.channels.values())
        for name, table in self.tables.items():
            at_home = self.parts[index_of(name, PARTS)].state
            assert {seat: cents for seat, cents in table.meters.items() if cents} == seats_of(at_home, name)
        money = sum(balance(self._home(name).state, player_account(name)) for name in NAMES)
        chips = sum(sum(table.meters.values()) + table.bank for table in self.tables.values())
        house = sum(balance(book.state, "house:bank") for book in self.parts)
        assert self.brought == money + chips + house
        for book in self.parts:
            assert msgspec.json.encode(book.replayed()) == msgspec.json.encode(book.state)

    def _owes(self) -> bool:
        return any(DECIDER.react(book.state) for book in self.parts) or any(t.owed() for t in self.tables.values())

    def _home(self, player: str) -> Book[LedgerState]:
        return self.parts[index_of(player, PARTS)]

    @staticmethod
    def _index(book: str) -> int:
        return next(n for n in range(PARTS) if wallet_at(n, PARTS).book == book)

    def _id(self, who: str) -> str:
        return f"{who}:{day_of(self.parts[0].now_ms)}/{self.number}"


TestWalletsModel = WalletsModel.TestCase
TestWalletsModel.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
