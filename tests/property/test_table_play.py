"""Random play at a wheel, legal and illegal: what must hold after every word that anybody says."""

import functools
import operator
from collections.abc import Sequence

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from libs.games.wheel import messages as w
from libs.games.wheel.rules import SEGMENTS
from libs.games.wheel.state import WheelState
from libs.kernel.actors import Actor, Role
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import CreditSeat
from libs.kernel.decider import Accepted
from libs.kernel.messages import Command, Event, Tick
from libs.table import messages as m
from libs.table.board import board_of
from libs.table.decider import DECIDER
from tests.kit.given import (
    ALL_ROLES,
    COMMITTEE,
    CROUPIER,
    DEVICE,
    PIT_BOSS,
    TECHNICIAN,
    GivenTable,
    folds,
    money_is_conserved,
    opening,
    player,
)

PLAYERS = [player(number) for number in (1, 2, 3)]
SPOTS = ["2", "4", "6", "16", "24", "48", "BONUS", "7"]
AMOUNTS = [1, 99, 100, 250, 500, 1_000, 1_200, 10_000, 10_100]
WAGERS = [("2", 250), ("BONUS", 1_000), ("4", 100), ("6", 500), ("16", 100), ("48", 100)]
WORDS: list[Command] = [
    m.OpenBetting(),
    m.CloseBetting(),
    m.AnnounceLastCoups(),
    m.CloseSession(),
    m.CheckEquipment(),
    m.LeaveSeat(),
    m.VoidCoup(reason="technical incident"),
    w.PressBuzzer(),
    w.LaunchWheel(),
]
MAY_GRANT_TWICE = (m.PlaceWager, m.CashOut)
"""Wishes that can be granted twice when they are two wishes: only their command id tells (the runtime's part)."""


ONE_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(functools.reduce(operator.or_, DECIDER.events))


def decoded(events: Sequence[Event]) -> list[Event]:
    """Return events as they come back from their wire form."""
    return [ONE_EVENT.decode(msgspec.json.encode(event)) for event in events]


class Play(RuleBasedStateMachine):
    """One table, three players, the staff, a sensor, an RNG and a ledger, all of them unruly."""

    @initialize(source=st.sampled_from(["rng", "device"]), paytable=st.sampled_from(["ROUE-ARR-2024", "ROUE-MAISON-1"]))
    def open(self, source: str, paytable: str) -> None:
        """Open a session; the terms stay for reopening."""
        self.opening = opening(paytable, source=source)
        self.table = GivenTable().given_open(self.opening)
        self.transfers = 0
        for number in (1, 2):
            self.table.given_seated(number, credit=20_000)

    def say(self, command: Command, by: Actor) -> None:
        """Say it twice: what was granted by phase or by id is not granted again."""
        self.table.when(command, by=by)
        first = self.table.decision
        self.table.when(command, by=by)
        second = self.table.decision
        if isinstance(first, Accepted) and isinstance(second, Accepted) and not isinstance(command, MAY_GRANT_TWICE):
            assert not second.events or isinstance(command, Tick), (command, second)

    @rule(who=st.sampled_from(PLAYERS), spot=st.sampled_from(SPOTS), amount=st.sampled_from(AMOUNTS))
    def wager(self, who: Actor, spot: str, amount: int) -> None:
        """A player wagers, in time or not, on something or not."""
        self.say(m.PlaceWager(spot=spot, amount=amount), who)

    @rule(who=st.sampled_from(PLAYERS), spot=st.sampled_from(SPOTS))
    def take_back(self, who: Actor, spot: str) -> None:
        """A player takes a stake back."""
        self.say(m.TakeBackWager(spot=spot), who)

    @rule(who=st.sampled_from(PLAYERS), seat=st.integers(1, 4))
    def sit(self, who: Actor, seat: int) -> None:
        """A player sits down, or tries."""
        self.say(m.TakeSeat(seat=seat), who)

    @rule(who=st.sampled_from(PLAYERS), amount=st.integers(1, 3_000))
    def cash_out(self, who: Actor, amount: int) -> None:
        """A player turns chips into money."""
        self.say(m.CashOut(amount=amount), who)

    @rule(who=st.sampled_from(PLAYERS), amount=st.integers(1, 50_000), seat=st.integers(1, 4))
    def buy_in(self, who: Actor, amount: int, seat: int) -> None:
        """A buy-in arrives, for a player who sits there or not; the ledger's side is booked when it is credited."""
        self.transfers += 1
        order = CreditSeat(transfer_id=f"t-{self.transfers}", player=who.id, seat=seat, amount=amount)
        self.table.when(order)
        decision = self.table.decision
        if isinstance(decision, Accepted) and type(decision.events[0]).__name__ == "SeatCredited":
            for account, change in ((f"player:{who.id}", -amount), (f"seat:T1:{seat}", amount)):
                self.table.balances[account] = self.table.balances.get(account, 0) + change
        self.table.when(order)
        assert not isinstance(self.table.decision, Accepted)

    @rule(command=st.sampled_from(WORDS), by=st.sampled_from([*PLAYERS, CROUPIER, PIT_BOSS, COMMITTEE, TECHNICIAN]))
    def speak(self, command: Command, by: Actor) -> None:
        """Somebody says something, allowed or not."""
        self.say(command, by)

    @rule(
        times=st.integers(1, 8),
        value=st.one_of(st.integers(0, 51), st.sampled_from([13, 39])),
        turns=st.sampled_from([1, 2, 3, 3, 3]),
        detected=st.sampled_from([True, True, False]),
    )
    def play_on(self, times: int, value: int, turns: int, detected: bool) -> None:
        """What a quiet evening would bring happens, a few steps: random words alone rarely finish a coup."""
        for step in range(times):
            self.play_step((value + 26 * step) % 52, turns, detected=detected)
            money_is_conserved(self.table)

    def play_step(self, value: int, turns: int, *, detected: bool) -> None:
        """Let the one next thing happen."""
        state = self.table.state
        if state.phase in {"idle", "settled"}:
            self.say(m.OpenBetting(), CROUPIER)
            for number in (0, 1):
                spot, amount = WAGERS[(value + number) % len(WAGERS)]
                self.table.when(m.PlaceWager(spot=spot, amount=amount), by=PLAYERS[number])
        elif state.phase == "betting":
            self.say(m.CloseBetting(), CROUPIER)
        elif state.draws:
            self.table.when(self.table.drawn(value % next(iter(state.draws.values())).bounds[0]))
        elif isinstance(state.game_state, WheelState) and state.game_state.coup == state.coup:
            wheel = state.game_state
            segment = value % len(SEGMENTS[wheel.ring]) + 1
            assert wheel.direction is not None
            self.sense(wheel.ring, turns, wheel.direction, segment if detected else None, False)
            self.say(w.EnterSegment(ring=wheel.ring, segment=segment), COMMITTEE)
        else:
            self.say(w.PressBuzzer(), PLAYERS[0])

    @rule(
        number=st.sampled_from([0, 1]),
        wager=st.sampled_from(WAGERS),
        again=st.integers(0, 3),
    )
    def wager_well(self, number: int, wager: tuple[str, int], again: int) -> None:
        """A player who knows the limits wagers."""
        for _ in range(again + 1):
            self.table.when(m.PlaceWager(spot=wager[0], amount=wager[1]), by=PLAYERS[number])

    @rule(role=st.sampled_from(ALL_ROLES), command=st.sampled_from(WORDS))
    def speak_in_any_role(self, role: Role, command: Command) -> None:
        """Somebody with any role says something."""
        self.say(command, Actor("somebody-1", role))

    @rule(
        ring=st.sampled_from(["main", "bonus"]),
        turns=st.integers(0, 4),
        direction=st.sampled_from(["clockwise", "anticlockwise"]),
        segment=st.one_of(st.none(), st.sampled_from([1, 3, 5, 14, 40, 52])),
        anomaly=st.sampled_from([False, False, False, True]),
    )
    def sense(self, ring: w.Ring, turns: int, direction: w.Direction, segment: int | None, anomaly: bool) -> None:
        """The sensor reports something."""
        report = w.ReportSpin(ring=ring, turns=turns, direction=direction, segment=segment, anomaly=anomaly)
        self.say(report, DEVICE)

    @rule(ring=st.sampled_from(["main", "bonus"]), segment=st.integers(1, 8))
    def enter(self, ring: w.Ring, segment: int) -> None:
        """A committee member enters a segment."""
        self.say(w.EnterSegment(ring=ring, segment=segment), COMMITTEE)

    @rule(ms=st.sampled_from([1, 5_000, 15_000, 30_000, 120_000, 600_000]))
    def wait(self, ms: int) -> None:
        """Time passes."""
        self.table.later(ms)

    @precondition(lambda self: self.table.state.draws)
    @rule(value=st.integers(0, 51), lost=st.booleans())
    def draw(self, value: int, lost: bool) -> None:
        """The RNG answers, sometimes twice and sometimes what cannot be."""
        answer = self.table.drawn(value)
        self.table.when(answer)
        if not lost:
            before = self.table.state
            self.table.when(answer)
            assert before == self.table.state

    @precondition(lambda self: self.table.state.owed)
    @rule()
    def confirm(self) -> None:
        """The ledger confirms its oldest debt, twice."""
        answer = self.table.posted(min(self.table.state.owed))
        self.say(answer, Actor("tapis", "service"))

    @precondition(lambda self: self.table.state.phase == "closed")
    @rule()
    def reopen(self) -> None:
        """A closed table opens again, once the ledger has everything."""
        self.table.given_ledger_confirms().given_open(self.opening)

    @rule()
    def stray(self) -> None:
        """An answer comes that nobody awaits."""
        before = self.table.state
        self.table.when(Answered(to="nothing"))
        assert before == self.table.state

    @invariant()
    def money(self) -> None:
        """Not a cent is made or lost."""
        if hasattr(self, "table"):
            money_is_conserved(self.table)

    @invariant()
    def board(self) -> None:
        """The board can always be shown, and names nobody."""
        if hasattr(self, "table"):
            board = board_of(self.table.state)
            assert b"player-" not in msgspec.json.encode(board)
            if self.table.state.draws and "BonusLaunched" not in {type(e).__name__ for e in self.table.log[-3:]}:
                assert "segment" not in board.facts or board.facts["ring"] == "bonus"

    def teardown(self) -> None:
        """Every coup ends within a few ticks; every log folds to its state, also from its wire form."""
        if not hasattr(self, "table"):
            return
        table = self.table
        for _ in range(6):
            if table.state.draws:
                table.when(table.drawn(0))
            elif table.state.due_ms is not None:
                table.now_ms = max(table.now_ms, table.state.due_ms)
                table.when(Tick())
        assert table.state.phase not in {"betting", "locked"}
        money_is_conserved(table)
        live = msgspec.json.encode(table.state)
        assert live == msgspec.json.encode(folds(decoded(table.log)))
        assert len(table.log) == table.state.events


Play.TestCase.settings = settings(max_examples=60, stateful_step_count=50, deadline=None)
test_play = Play.TestCase
