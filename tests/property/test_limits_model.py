"""Limits and exclusions against a simple model: real tables, a wallet, a network that loses, doubles and reorders."""

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from libs.kernel.contracts.wallet import BuyIn, Deposit, Withdraw
from libs.kernel.contracts.wallet_limits import (
    ExcludePlayer,
    ExcludeSelf,
    LiftExclusion,
    LimitKind,
    Period,
    SetLimit,
)
from libs.kernel.days import later, week_of
from libs.kernel.decider import Accepted
from libs.ledger.state import balance, imbalance
from libs.table import messages as m
from libs.table.interruption_messages import InterruptSession
from tests.kit.book import code
from tests.kit.given import CASHIER, COMMITTEE, CROUPIER, PIT_BOSS, opening, player
from tests.kit.limited_house import NO, LimitedHouse, Wished

PLAYERS = st.sampled_from([1, 1, 1, 2])
TABLES = st.sampled_from(["T1", "T1", "T2"])
CENTS = st.sampled_from([100, 200, 500, 1_000])
LIMITS = st.sampled_from([None, 0, 500, 500, 1_000, 1_000, 2_000])
KINDS = st.sampled_from(["stake", "stake", "stake", "loss", "deposit"])
PERIODS = st.sampled_from(["day", "day", "week"])
ARRIVES = st.sampled_from([True, True, True, False])
"""Whether all that follows from a wish arrives at once, or nothing for now."""
AHEAD = st.sampled_from([0, 1, 1, 1, 2, None])


class LimitsModel(LimitedHouse):
    """Two players, two wheels and the wallet; nothing is delivered unless a rule delivers it."""

    def teardown(self) -> None:
        """All that is on its way arrives; then no table has more to be told."""
        self.small.stop()
        if self.number:
            for _ in range(12):
                self.send()
                self.deliver_all()
            assert not any(part.state.untold for part in self.parts)

    @initialize(amount=LIMITS, period=PERIODS)
    def begin(self, amount: int | None, period: Period) -> None:
        """A gaming day opens, both tables too, everybody has money and chips, player 1 a limit of stakes, perhaps."""
        self.next_day()
        self.all_brought()
        for table in self.tables.values():
            table.given_open(opening())
        for who in (1, 2):
            for _ in range(5):
                self.deposit(who, 1_000)
        self.set_limit(1, "stake", period, amount, arrives=False)
        self.buy_in(1, "T1", 1_000, arrives=True)
        self.buy_in(2, "T2", 1_000, arrives=True)

    # -- wishes
    @rule(who=PLAYERS, amount=CENTS)
    def deposit(self, who: int, amount: int) -> None:
        """A cashier takes money, if the player may bring it."""
        if not self._tell(who, Deposit(player=player(who).id, amount=amount), CASHIER):
            self.deposits.append((who, self.day, amount))
            assert not self._is_excluded(who)
            for period in ("day", "week"):
                self._within(who, "deposit", period, sum(self._of_period(self.deposits, who, period)))

    @rule(who=PLAYERS, amount=CENTS)
    def withdraw(self, who: int, amount: int) -> None:
        """Money that is there is always paid out."""
        had = balance(self._home(who).state, f"player:{player(who).id}")
        assert (had < amount) == bool(self._tell(who, Withdraw(player=player(who).id, amount=amount), CASHIER))

    @rule(who=PLAYERS, table=TABLES, amount=CENTS, arrives=ARRIVES)
    def buy_in(self, who: int, table: str, amount: int, arrives: bool) -> None:
        """A player takes the seat of his number and buys chips."""
        self.tables[table].when(m.TakeSeat(seat=who), by=player(who))
        wish = BuyIn(pit="pit-1", table=table, seat=who, amount=amount)
        if not self._tell(who, wish, player(who)):
            self.carried.append((who, self.day, amount))
            self.visits[who, table] = self.day
            assert not self._is_excluded(who)
            for period in ("day", "week"):
                flows = self._of_period(self.carried, who, period)
                worst = max(sum(flows[start:]) for start in range(len(flows)))
                self._within(who, "loss", period, worst)
        self.perhaps(arrives)

    @rule(who=PLAYERS, kind=KINDS, period=PERIODS, amount=LIMITS, arrives=ARRIVES)
    def set_limit(self, who: int, kind: LimitKind, period: Period, amount: int | None, arrives: bool) -> None:
        """A player wants less, more, or no limit any more."""
        wish = SetLimit(player=player(who).id, kind=kind, period=period, amount=amount)
        assert not self._tell(who, wish, player(who))
        self.limits.setdefault((who, kind, period), Wished(period)).wish(self.day, amount)
        self.perhaps(arrives)

    @rule(who=PLAYERS, kind=st.sampled_from(["self", "casino"]), ahead=AHEAD, arrives=ARRIVES)
    def exclude(self, who: int, kind: str, ahead: int | None, arrives: bool) -> None:
        """A player excludes himself, or the casino does it."""
        until = None if ahead is None else later(self.day, ahead)
        before = self.excluded.get((who, kind), "")
        if kind == "casino":
            said = self._tell(who, ExcludePlayer(player=player(who).id, until=until, reason="cheating"), COMMITTEE)
            refused = ahead == 0
        else:
            said = self._tell(who, ExcludeSelf(player=player(who).id, until=until), player(who))
            lasts = before is None or before > self.day
            shorter = lasts and until != before and (before is None or (until is not None and until < before))
            refused = ahead == 0 or shorter
        assert refused == bool(said)
        if not refused:
            self.excluded[who, kind] = until
        self.perhaps(arrives)

    @rule(who=PLAYERS)
    def lift(self, who: int) -> None:
        """A committee member lifts what the casino said, never what the player did."""
        self._tell(who, LiftExclusion(player=player(who).id, reason="error"), COMMITTEE)
        self.excluded.pop((who, "casino"), None)

    # -- play
    @rule(who=PLAYERS, table=TABLES, amount=CENTS, spot=st.sampled_from(["2", "4"]), times=st.integers(1, 3))
    def stake(self, who: int, table: str, amount: int, spot: str, times: int) -> None:
        """A player stakes what the table has heard that he may, a few times."""
        self.tables[table].when(m.OpenBetting(), by=CROUPIER)
        for _ in range(times):
            self._stake(who, table, amount, spot)

    def _stake(self, who: int, table: str, amount: int, spot: str) -> None:
        given = self.tables[table]
        decision = given.when(m.PlaceWager(spot=spot, amount=amount), by=player(who))
        assert code(decision) in NO | {""}
        heard = given.state.allowances.get(player(who).id)
        if isinstance(decision, Accepted) and heard is not None and heard.said.allowance.cents is not None:
            day, *limits = self.under[player(who).id, table, heard.said.allowance.number].split()
            self.staked.append((who, day, table, given.state.coup, amount))
            for period, cents in (limit.split(":") for limit in limits):
                begun = day if period == "day" else week_of(day)
                of = [
                    x for w, d, _, _, x in self.staked if w == who and (d if period == "day" else week_of(d)) == begun
                ]
                assert sum(of) <= int(cents)

    @rule(who=PLAYERS, table=TABLES, spot=st.sampled_from(["2", "4"]))
    def take_back(self, who: int, table: str, spot: str) -> None:
        """A player takes a stake back: it was not staked."""
        given = self.tables[table]
        if isinstance(given.when(m.TakeBackWager(spot=spot), by=player(who)), Accepted):
            taken = given.log[-1]
            assert isinstance(taken, m.WagerTakenBack)
            self._unstake(table, taken.amount, who)

    @rule(table=TABLES, shows=st.sampled_from(["2", "4", "48"]))
    def spin(self, table: str, shows: str) -> None:
        """What lies there is played out, whatever was said since."""
        given = self.tables[table]
        if given.state.phase == "betting":
            given.given_spin(shows)
            assert given.only(m.CoupSettled)

    @rule(table=TABLES)
    def void(self, table: str) -> None:
        """The coup is void: nothing was staked."""
        given = self.tables[table]
        if isinstance(given.when(m.VoidCoup(reason="power cut"), by=PIT_BOSS), Accepted):
            self._unstake(table, None, None)

    @rule(who=PLAYERS, table=TABLES, amount=CENTS)
    def cash_out(self, who: int, table: str, amount: int) -> None:
        """Chips are always money again."""
        given = self.tables[table]
        place = given.state.places.get(player(who).id)
        has = given.state.seats[place].credit if place else 0
        assert (has >= amount) == isinstance(given.when(m.CashOut(amount=amount), by=player(who)), Accepted)

    @rule(who=PLAYERS, table=TABLES)
    def leave(self, who: int, table: str) -> None:
        """A player leaves with all chips, unless a stake is down."""
        self.tables[table].when(m.LeaveSeat(), by=player(who))

    @rule(table=TABLES)
    def next_session(self, table: str) -> None:
        """The table is closed, and opened again once the ledger has all of it."""
        given = self.tables[table]
        given.when(InterruptSession(reason="water damage"), by=COMMITTEE)
        self._unstake(table, None, None)
        self.settle()
        given.rng_speaks_of_seeds()
        given.given_open(opening())

    @rule(chance=st.integers(0, 2**32 - 1).map(Random), words=st.integers(5, 15))
    def live(self, chance: Random, words: int) -> None:
        """Much happens: random rules alone rarely bring a long story."""
        for _ in range(words):
            who, table = chance.choice([1, 1, 1, 2]), chance.choice(["T1", "T1", "T2"])
            amount, arrives = chance.choice([100, 200, 500]), chance.random() < 0.7
            match chance.randrange(13):
                case 0 | 1 | 2 | 3:
                    self.stake(who, table, amount, chance.choice(["2", "4"]), chance.randrange(1, 4))
                case 4 | 5:
                    self.spin(table, chance.choice(["2", "4", "48"]))
                case 6 | 7:
                    self.buy_in(who, table, amount, arrives)
                case 8:
                    kind, period = chance.choice(["stake", "stake", "loss", "deposit"]), chance.choice(["day", "week"])
                    self.set_limit(who, kind, period, chance.choice([None, 500, 1_000, 2_000]), arrives)
                case 9:
                    self.a_day_passes(arrives)
                case 10:
                    chance.choice([self.void, self.next_session])(table)
                case 11:
                    self.cash_out(who, table, amount)
                    self.take_back(who, table, chance.choice(["2", "4"]))
                case _:
                    self.deposit(who, amount)

    # -- time
    @rule(arrives=ARRIVES)
    def a_day_passes(self, arrives: bool) -> None:
        """A gaming day ends, and the next begins; perhaps all is brought forward at once, and tables hear of it."""
        self.next_day()
        if arrives:
            self.all_brought()
            self.settle()

    @precondition(lambda self: any(part.state.bringing for part in self.parts))
    @rule()
    def tick(self) -> None:
        """Some more is brought forward, and the tables of its players are told anew."""
        self.bring_some()

    # -- the network
    @rule()
    def all_speak(self) -> None:
        """Everybody says what is owed."""
        self.send()

    @rule()
    def quiet(self) -> None:
        """Everything arrives and is answered: what was wished is known at the tables."""
        self.settle()

    @invariant()
    def money_is_conserved(self) -> None:
        """Every part sums to zero."""
        assert not any(imbalance(part.state) for part in self.parts)


class PartsModel(LimitsModel):
    """The same where the wallet has three parts: limits are kept where the player is at home."""

    parts_count = 3


TestLimits = LimitsModel.TestCase
TestLimits.settings = settings(max_examples=25, stateful_step_count=50, deadline=None)
TestLimitsInParts = PartsModel.TestCase
TestLimitsInParts.settings = settings(max_examples=8, stateful_step_count=50, deadline=None)
