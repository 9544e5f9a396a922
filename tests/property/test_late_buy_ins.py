"""Two parts of a wallet buy chips at one table; whatever is sent again, comes late or is not heard."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from libs.kernel.actors import Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import CreditSeat, SeatCredited
from libs.kernel.contracts.wallet import BuyIn, Deposit
from libs.kernel.decider import Accepted, NotYet
from libs.kernel.ids import credit_id
from libs.kernel.messages import Event
from libs.ledger.decider import DECIDER as LEDGER
from libs.table import messages as m
from tests.kit.book import TODAY, Book, facts
from tests.kit.given import COMMITTEE, given_wheel, player

AT_HOME = {0: 4, 1: 1}
"""Of each of two parts, a player who is at home there, and sits at the seat of that number."""
CASHIER = Actor("cashier-1", "cashier")


class Story:
    """A table, both parts, and every order that was ever sent."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._parts = {index: Book(LEDGER, f"ledger-{index}of2") for index in AT_HOME}
        self._table = given_wheel()
        self._sent: list[CreditSeat] = []
        self.credited: Counter[str] = Counter()
        for index, part in self._parts.items():
            deposit = Deposit(player=player(AT_HOME[index]).id, amount=1_000_000)
            part.accept(deposit, by=CASHIER, command_id=f"cashier-1:{TODAY}/1")
        self._sit_down()

    def go_on(self) -> None:
        """Let one thing happen, and look."""
        happens = (self._wish, self._wish, self._ask, self._ask, self._ask, self._come_late, self._next_session)
        self._chance.choice(happens)()
        assert max(self.credited.values(), default=0) <= 1
        waits = sum(len(part.state.pending) for part in self._parts.values())
        assert len(self._table.state.credits) <= waits + len(self._parts) * 64

    def _wish(self) -> None:
        """Buy chips, or, while nobody sits there, have them refused."""
        index = self._chance.choice(list(AT_HOME))
        part, who = self._parts[index], player(AT_HOME[index])
        wish = BuyIn(pit="pit-1", table="T1", seat=AT_HOME[index], amount=1)
        part.say(wish, by=who, command_id=f"{who.id}:{TODAY}/{len(part.log)}")

    def _ask(self) -> None:
        """Send what a part waits for; its answer is heard, or lost."""
        part = self._parts[self._chance.choice(list(AT_HOME))]
        for debt in LEDGER.react(part.state):
            if not isinstance(debt.command, CreditSeat):
                continue
            self._sent.append(debt.command)
            answer = self._order(debt.command)
            assert answer, "whoever waits is answered"
            if self._chance.randrange(3):
                part.accept(Answered(to=credit_id(debt.command.transfer_id), events=answer))

    def _come_late(self) -> None:
        """Let a copy of something that was sent at any time arrive."""
        if self._sent:
            self._order(self._chance.choice(self._sent))

    def _order(self, order: CreditSeat) -> tuple[Event, ...]:
        decision = self._table.when(order)
        assert isinstance(decision, NotYet) or facts(decision)
        if isinstance(decision, Accepted):
            self.credited.update(fact.transfer_id for fact in decision.events if isinstance(fact, SeatCredited))
        return facts(decision)

    def _next_session(self) -> None:
        for number in AT_HOME.values():
            self._table.given(m.LeaveSeat(), by=player(number))
        self._table.given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms().given_open()
        self._sit_down()

    def _sit_down(self) -> None:
        for number in AT_HOME.values():
            self._table.given_seated(number, credit=0)


@given(st.integers(min_value=0, max_value=2**32))
@settings(max_examples=30)
def test_each_buy_in_is_credited_once_whatever_comes_late(seed: int) -> None:
    """No seat is credited twice, whoever waits is answered, and what nobody asks about any more is forgotten."""
    story = Story(Random(seed))
    for _ in range(60):
        story.go_on()
    assert story.credited
