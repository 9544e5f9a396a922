"""The ledger against a plain dict, two fake tables and a network that loses, doubles and reorders everything."""

from collections import Counter
from typing import Literal
from unittest.mock import patch

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from libs.kernel.accounts import CAGE, PENDING_BUY_IN, PENDING_REQUEST, float_account, may_be_overdrawn, player_account
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import CreditSeat, MoveFloat
from libs.kernel.contracts.wallet import (
    BuyIn,
    Deposit,
    Leg,
    TablePosted,
    Withdraw,
)
from libs.kernel.contracts.wallet_days import (
    LedgerOpened,
    OpenGamingDay,
)
from libs.kernel.contracts.wallet_requests import (
    ApproveRequest,
    DeclineRequest,
    RequestAdjustment,
    RequestFill,
    RequestFloatCredit,
)
from libs.kernel.days import DAY_MS, day_of
from libs.kernel.decider import Accepted, Outgoing, Refused
from libs.kernel.ids import date_of, posting_id
from libs.kernel.limits import FLOAT_MOVE_EXPIRES_MS
from libs.kernel.messages import Command, Event, Tick
from libs.ledger import days
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerState, balance, imbalance, seats_of
from tests.kit.book import Book, code, facts
from tests.kit.effects import Effect, effect_of
from tests.kit.fake_table import FakeTable

PLAYERS = st.sampled_from(["player-1", "player-2", "player-3"])
TABLES = st.sampled_from(["T1", "T2"])
SEATS = st.integers(1, 3)
CENTS = st.sampled_from([1, 99, 100, 500])
IDS = st.integers(1, 12)
"""Few ids, so that many come again, with the same content and with other."""
CASHIER = Actor("cashier-1", "cashier")
COMMITTEE = Actor("committee-1", "committee_member")
CROUPIER, PIT_BOSS = Actor("croupier-1", "croupier"), Actor("pit-boss-1", "pit_boss")
SPEAKERS = {who.id: who for who in (CASHIER, COMMITTEE, CROUPIER, PIT_BOSS)}
NO = {"account.insufficient", "transfer.too_old", "request.ended", "request.two_people", "role.not_allowed"}


class LedgerModel(RuleBasedStateMachine):
    """People and tables speak in any order; `wire` holds every message to the ledger that may still (re)appear."""

    def __init__(self) -> None:
        super().__init__()
        # Small pieces, so that much happens between them.
        self.small = patch.multiple(days, BRING_FORWARD_ENTRIES=3, BRING_FORWARD_PIECES=2)
        self.small.start()
        self.book: Book[LedgerState] = Book(DECIDER, "ledger")
        self.tables = {name: FakeTable(name) for name in ("T1", "T2")}
        self.wire: list[tuple[Command, Actor, str]] = []
        self.first: dict[str, tuple[Command, tuple[Event, ...]]] = {}
        self.refused: dict[str, tuple[Command, str]] = {}
        self.checked = 0
        self.accounts: dict[str, int] = {}
        self.day = ""
        self.once: Counter[Effect] = Counter()

    @initialize()
    def open_tables(self) -> None:
        """Both tables take a float, which they owe to the ledger for now, and everybody brings money."""
        for table in self.tables.values():
            table.open_float(5_000)
        for number, player in enumerate(("player-1", "player-2", "player-3"), start=1):
            self._wish(Deposit(player=player, amount=1_000), CASHIER, f"cashier-1:2026-01-01/first-{number}")

    # -- people: a wish may be new, a repetition, or another wish under a used id
    @rule(player=PLAYERS, amount=CENTS, number=IDS)
    def deposit(self, player: str, amount: int, number: int) -> None:
        """A cashier takes money."""
        self._wish(Deposit(player=player, amount=amount), CASHIER, self._id("cashier-1", number))

    @rule(player=PLAYERS, amount=CENTS, number=IDS)
    def withdraw(self, player: str, amount: int, number: int) -> None:
        """A cashier pays out."""
        self._wish(Withdraw(player=player, amount=amount), CASHIER, self._id("cashier-1", number))

    @rule(player=PLAYERS, table=TABLES, seat=SEATS, amount=CENTS, number=IDS)
    def buy_in(self, player: str, table: str, seat: int, amount: int, number: int) -> None:
        """A player buys chips, perhaps at a seat that is not free."""
        wish = BuyIn(pit="pit-1", table=table, seat=seat, amount=amount)
        self._wish(wish, Actor(player, "player"), self._id(player, number))

    @precondition(lambda self: self.first)
    @rule(which=st.integers(0, 10_000), among=st.sampled_from(["first", "refused"]))
    def repeat(self, which: int, among: Literal["first", "refused"]) -> None:
        """A wish that was granted, or refused, comes again, word for word."""
        wishes = self.refused or self.first if among == "refused" else self.first
        command_id = sorted(wishes)[which % len(wishes)]
        speaker = command_id.partition(":")[0]
        by = SPEAKERS.get(speaker) or Actor(speaker, "player")
        self._wish(wishes[command_id][0], by, command_id)

    # -- two people
    @rule(who=st.sampled_from([CASHIER, COMMITTEE]), player=PLAYERS, amount=CENTS, number=IDS)
    def ask_adjustment(self, who: Actor, player: str, amount: int, number: int) -> None:
        """Somebody asks that a player's account be debited, or credited."""
        cents = amount if number % 2 else -amount
        legs = (Leg(player_account(player), cents), Leg("house:bank", -cents))
        self._wish(RequestAdjustment(legs=legs, reason="error"), who, self._id(who.id, number + 20))

    @rule(who=st.sampled_from([CROUPIER, PIT_BOSS]), table=TABLES, amount=CENTS, number=IDS)
    def ask_fill(self, who: Actor, table: str, amount: int, number: int) -> None:
        """A table's float is to be filled, or relieved."""
        kind = RequestFill if number % 2 else RequestFloatCredit
        self._wish(kind(pit="pit-1", table=table, amount=amount, reason="float"), who, self._id(who.id, number))

    @precondition(lambda self: self.book.state.requests)
    @rule(who=st.sampled_from([CASHIER, COMMITTEE, CROUPIER]), which=IDS, yes=st.booleans(), number=IDS)
    def answer_request(self, who: Actor, which: int, yes: bool, number: int) -> None:
        """Somebody approves or declines, who may or may not."""
        requests = list(self.book.state.requests)
        request = requests[which % len(requests)]
        word = ApproveRequest(request=request) if yes else DeclineRequest(request=request, reason="no")
        self._wish(word, who, self._id(who.id, number + 40))

    @rule()
    def an_hour_passes(self) -> None:
        """What nobody has answered in time expires."""
        self.book.now_ms += FLOAT_MOVE_EXPIRES_MS
        deadline = DECIDER.deadline(self.book.state)
        while deadline is not None and 0 < deadline <= self.book.now_ms:
            self.book.accept(Tick())
            deadline = DECIDER.deadline(self.book.state)

    # -- the days go by
    @rule()
    def next_day(self) -> None:
        """A gaming day is closed and the next is opened, if the last one has brought everything forward."""
        self.book.now_ms += DAY_MS
        decision = self.book.say(OpenGamingDay(day=day_of(self.book.now_ms)))
        assert code(decision) == ("" if isinstance(decision, Accepted) else "day.opening")

    @precondition(lambda self: self.book.state.bringing)
    @rule()
    def tick(self) -> None:
        """Some more of what the day before left is brought forward."""
        self.book.accept(Tick())

    # -- the tables live on, whatever the ledger has heard
    @rule(table=TABLES, results=st.dictionaries(SEATS, st.sampled_from([-1_000, -100, 0, 50, 700]), max_size=3))
    def coup(self, table: str, results: dict[int, int]) -> None:
        """A coup is won and lost, perhaps with chips that the ledger has not heard of."""
        self.tables[table].coup(results)

    @rule(table=TABLES, seat=SEATS)
    def cash_out(self, table: str, seat: int) -> None:
        """A player leaves."""
        if seat in self.tables[table].meters:
            self.tables[table].cash_out(seat)

    @rule(table=TABLES)
    def close_and_open(self, table: str) -> None:
        """A session ends and the next begins; messages of the old one may still arrive later."""
        if not self.tables[table].owed():
            self.tables[table].close()
            late = [*self.wire, *self._letters(self.tables[table])]
            self._settle()
            self.wire = late
            assert self.tables[table].next_session(5_000)

    # -- the network
    @rule(which=st.integers(0, 10_000), lost=st.booleans())
    def ask_a_table(self, which: int, lost: bool) -> None:
        """One CreditSeat arrives at its table; the answer may be lost."""
        owed = DECIDER.react(self.book.state)
        if owed:
            out = owed[which % len(owed)]
            answer = self._answer(out)
            if not lost:
                self.wire.append((answer, SYSTEM, f"answer:{out.command_id}"))

    @rule(table=TABLES)
    def send_postings(self, table: str) -> None:
        """A table sends what it owes, not for the first time perhaps."""
        self.wire += self._letters(self.tables[table])

    @precondition(lambda self: self.wire)
    @rule(which=st.integers(0, 10_000), again=st.booleans())
    def deliver(self, which: int, again: bool) -> None:
        """Any message on the wire arrives, in any order; it may arrive again later."""
        place = which % len(self.wire)
        self._arrive(self.wire[place] if again else self.wire.pop(place))

    @rule(table=TABLES)
    def deliver_postings(self, table: str) -> None:
        """All that a table owes arrives in order, before any answer to a buy-in."""
        for letter in self._letters(self.tables[table]):
            self._arrive(letter)

    # -- laws
    @invariant()
    def every_prefix_is_sound(self) -> None:
        """Each fact balances, continues the balances before it, overdraws nobody, and happens once."""
        for event in self.book.log[self.checked :]:
            for entry in getattr(event, "entries", ()):
                assert self.accounts.get(entry.account, 0) == entry.before
                assert entry.after == entry.before + entry.amount
                assert entry.after >= 0 or may_be_overdrawn(entry.account)
                self.accounts[entry.account] = entry.after
            assert sum(self.accounts.values()) == 0
            self.once[effect_of(event, self.day)] += 1
            self.day = event.day if isinstance(event, LedgerOpened) else self.day
        self.checked = len(self.book.log)
        assert all(count == 1 for count in self.once.values())

    @invariant()
    def the_state_is_the_fold_of_the_log(self) -> None:
        """The live state, the plain dict and a replay agree, and the waiting money is that of the waiting buy-ins."""
        assert imbalance(self.book.state) == 0
        assert all(cents == balance(self.book.state, account) for account, cents in self.accounts.items())
        waiting = sum(pended.amount for pended in self.book.state.pending.values())
        assert waiting == balance(self.book.state, PENDING_BUY_IN)
        held = sum(
            leg.amount for found in self.book.state.requests.values() for leg in found.pended.legs if leg.amount > 0
        )
        assert held == balance(self.book.state, PENDING_REQUEST)

    def teardown(self) -> None:
        """Give the pieces their size back, whatever came of it."""
        try:
            self._all_has_arrived()
        finally:
            self.small.stop()

    def _all_has_arrived(self) -> None:
        """When every message has arrived at last, nothing waits, and ledger and tables agree to the cent."""
        self._settle()
        while self.book.state.bringing is not None:
            self.book.accept(Tick())
        self.every_prefix_is_sound()
        state = self.book.state
        assert msgspec.json.encode(self.book.alone()) == msgspec.json.encode(state)
        assert msgspec.json.encode(self.book.replayed()) == msgspec.json.encode(state)
        assert msgspec.json.decode(msgspec.json.encode(state), type=LedgerState) == state
        assert {} == state.pending
        for name, table in self.tables.items():
            assert {seat: cents for seat, cents in table.meters.items() if cents} == seats_of(state, name)
        chips = sum(sum(table.meters.values()) for table in self.tables.values())
        # What a float credit holds has left the ledger's float, and is still on the table.
        open_credits = [found.pended for found in state.requests.values() if found.pended.kind == "float_credit"]
        for name, table in self.tables.items():
            held_of_it = sum(pended.legs[1].amount for pended in open_credits if pended.table == name)
            assert table.bank - held_of_it == balance(state, float_account(name))
        banks = sum(balance(state, float_account(name)) for name in self.tables)
        money = sum(balance(state, player_account(f"player-{number}")) for number in (1, 2, 3))
        held = balance(state, PENDING_REQUEST)
        assert -balance(state, CAGE) == money + chips + banks + held + balance(state, "house:bank")

    # -- how it is done
    def _id(self, who: str, number: int) -> str:
        """Return an id of today, or of one of the days before."""
        return f"{who}:{day_of(self.book.now_ms - number % 4 * DAY_MS)}/{number}"

    def _wish(self, wish: Command, speaker: Actor, command_id: str) -> None:
        decision = self.book.say(wish, by=speaker, command_id=command_id)
        if command_id in self.first:
            same_wish, answer = self.first[command_id]
            if code(decision) == "transfer.too_old":
                assert (date_of(command_id) or "") < self.book.state.remembers_from
            elif wish == same_wish:
                assert tuple(answer) == facts(decision)
            else:
                assert code(decision) == "transfer.conflict"
        elif command_id in self.refused:
            same_wish, refusal = self.refused[command_id]
            if code(decision) == "transfer.too_old":
                assert (date_of(command_id) or "") < self.book.state.remembers_from
            else:
                assert code(decision) == (refusal if wish == same_wish else "transfer.conflict")
        elif isinstance(decision, Accepted):
            self.first[command_id] = (wish, decision.events[-1:])
        else:
            assert code(decision) in NO
            if isinstance(decision, Refused):
                self.refused[command_id] = wish, code(decision)

    def _answer(self, out: Outgoing) -> Answered:
        if isinstance(out.command, CreditSeat):
            return self.tables[out.book].credit(out.command)
        assert isinstance(out.command, MoveFloat)
        return self.tables[out.book].move_float(out.command)

    def _letters(self, table: FakeTable) -> list[tuple[Command, Actor, str]]:
        return [(owed, SYSTEM, posting_id(owed.table, owed.session, owed.number)) for owed in table.owed()]

    def _arrive(self, message: tuple[Command, Actor, str]) -> None:
        command, speaker, command_id = message
        for event in facts(self.book.say(command, by=speaker, command_id=command_id)):
            if isinstance(event, TablePosted):
                self.tables[event.table].hear(event)

    def _settle(self) -> None:
        """Deliver everything: what is on the wire, what `react` asks, what the tables owe."""
        for message in self.wire:
            self._arrive(message)
        self.wire.clear()
        while DECIDER.react(self.book.state):
            for out in DECIDER.react(self.book.state):
                self._arrive((self._answer(out), SYSTEM, f"answer:{out.command_id}"))
        for table in self.tables.values():
            self.wire += self._letters(table)
        for message in self.wire:
            self._arrive(message)
        self.wire.clear()
        assert not any(table.owed() for table in self.tables.values())


TestLedgerModel = LedgerModel.TestCase
TestLedgerModel.settings = settings(max_examples=40, stateful_step_count=50, deadline=None)
