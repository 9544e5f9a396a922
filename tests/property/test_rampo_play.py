"""Random play at a Rampo table, legal and illegal: what must hold after every word that anybody says."""

import functools
import operator
from collections.abc import Sequence

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from libs.games.rampo import messages as r
from libs.games.rampo.state import RampoState
from libs.kernel.actors import Actor
from libs.kernel.contracts.table import CreditSeat
from libs.kernel.decider import Accepted
from libs.kernel.messages import Command, Event, Tick
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import board_of
from libs.table.decider import DECIDER
from libs.table.interruption_messages import InterruptSession
from tests.kit.given import (
    COMMITTEE,
    CROUPIER,
    DEVICE,
    PIT_BOSS,
    TECHNICIAN,
    GivenTable,
    folds,
    money_is_conserved,
    player,
)
from tests.kit.rampo import HOUSE, HOUSE_2, LETTER, game_of, rampo_opening

PLAYERS = [player(number) for number in (1, 2, 3)]
SPOTS = ["ROUGE", "NOIR", "VERT", "JAUNE", "BLANC", *map(str, range(2, 13)), "2-3", "13"]
AMOUNTS = [1, 499, 500, 501, 700, 1_000, 1_500, 20_000, 20_500, 100_000]
FACES = st.one_of(st.none(), st.lists(st.sampled_from(["1", "2", "3", "4", "5", "6", "7"]), min_size=1, max_size=3))
WORDS: list[Command] = [
    m.OpenBetting(),
    m.CloseBetting(),
    m.AnnounceLastCoups(),
    m.CloseSession(),
    m.CheckEquipment(),
    m.LeaveSeat(),
    m.VoidCoup(reason="technical incident"),
    InterruptSession(reason="technical incident"),
    r.RefuseDice(),
    r.ThrowDice(),
    r.ChangeDice(pair=1),
    r.ChangeDice(pair=2),
    r.AnswerRampo(tries=True),
    r.AnswerRampo(tries=False),
    *(r.CallCoupNul(throw=throw, fault=fault) for throw in (1, 2, 3) for fault in ("broken", "sliding")),
    *(r.RemoveShooter(seat=seat, reason="again") for seat in (1, 2, 3, 4)),
    *(r.SetChipValue(value=value) for value in (400, 500, 700, 30_000)),
    *(o.ConfirmOutcome(name=f"throw-{throw}") for throw in (1, 2)),
]
INCIDENTS = ["refuse", "change", "coup nul", "remove", "void", "leave", "last", "silence", "correct"]
STAFF = [CROUPIER, PIT_BOSS, COMMITTEE, TECHNICIAN, DEVICE]
MAY_GRANT_TWICE = (m.PlaceWager, m.CashOut)
"""Wishes that can be granted twice when they are two wishes: only their command id tells (the runtime's part)."""

ONE_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(functools.reduce(operator.or_, DECIDER.events))


def decoded(events: Sequence[Event]) -> list[Event]:
    """Return events as they come back from their wire form."""
    return [ONE_EVENT.decode(msgspec.json.encode(event)) for event in events]


class Play(RuleBasedStateMachine):
    """One table, three players, the staff, a device, an RNG and a ledger, all of them unruly."""

    @initialize(
        source=st.sampled_from(["rng", "console", "device"]), paytable=st.sampled_from([LETTER, HOUSE, HOUSE_2])
    )
    def open(self, source: str, paytable: str) -> None:
        """Open a session; the terms stay for reopening."""
        self.opening = rampo_opening(paytable, source=source, seats=4)
        self.table = GivenTable().given_open(self.opening)
        self.transfers = 0
        for number in (1, 2):
            self.table.given_seated(number, credit=60_000)

    def say(self, command: Command, by: Actor) -> None:
        """Say it twice: what was granted by phase or by what it names is not granted again."""
        self.table.when(command, by=by)
        first = self.table.decision
        self.table.when(command, by=by)
        second = self.table.decision
        if isinstance(first, Accepted) and isinstance(second, Accepted) and not isinstance(command, MAY_GRANT_TWICE):
            assert not second.events, (command, second)

    @rule(who=st.sampled_from(PLAYERS), spot=st.sampled_from(SPOTS), amount=st.sampled_from(AMOUNTS))
    def wager(self, who: Actor, spot: str, amount: int) -> None:
        """A player wagers, in time or not, on something or not."""
        self.say(m.PlaceWager(spot=spot, amount=amount), who)

    @rule(who=st.sampled_from(PLAYERS), spot=st.sampled_from(SPOTS))
    def take_back(self, who: Actor, spot: str) -> None:
        """A player takes a stake back."""
        self.say(m.TakeBackWager(spot=spot), who)

    @rule(who=st.sampled_from(PLAYERS), seat=st.integers(1, 4), amount=st.integers(500, 50_000))
    def sit(self, who: Actor, seat: int, amount: int) -> None:
        """A player sits down, or tries, and a buy-in arrives."""
        self.say(m.TakeSeat(seat=seat), who)
        self.transfers += 1
        transfer = f"t-{self.transfers}"
        self.table.when(CreditSeat(transfer_id=transfer, player=who.id, seat=seat, amount=amount))
        decision = self.table.decision
        if isinstance(decision, Accepted) and type(decision.events[0]).__name__ == "SeatCredited":
            for account, change in ((f"player:{who.id}", -amount), (f"seat:T1:{seat}", amount)):
                self.table.balances[account] = self.table.balances.get(account, 0) + change

    @rule(who=st.sampled_from(PLAYERS), amount=st.integers(1, 3_000))
    def cash_out(self, who: Actor, amount: int) -> None:
        """A player turns chips into money."""
        self.say(m.CashOut(amount=amount), who)

    @rule(command=st.sampled_from(WORDS), by=st.sampled_from([*PLAYERS, *PLAYERS, *STAFF]))
    def speak(self, command: Command, by: Actor) -> None:
        """Somebody says something, allowed or not."""
        self.say(command, by)

    @rule(throw=st.integers(1, 2), faces=FACES, by=st.sampled_from(STAFF))
    def record(self, throw: int, faces: list[str] | None, by: Actor) -> None:
        """Somebody records dice."""
        self.say(o.RecordOutcome(name=f"throw-{throw}", faces=None if faces is None else tuple(faces)), by)

    @rule(throw=st.integers(1, 2), first=st.integers(1, 6), second=st.integers(1, 6))
    def correct(self, throw: int, first: int, second: int) -> None:
        """A pit boss corrects dice."""
        faces = (str(first), str(second))
        self.say(o.CorrectOutcome(name=f"throw-{throw}", faces=faces, reason="misread"), PIT_BOSS)

    @rule(
        number=st.sampled_from([4, 6, 6, 7, 8, 8]),
        tries=st.sampled_from([True, True, False, None]),
        incidents=st.lists(st.sampled_from(["", "", "", *INCIDENTS]), min_size=1, max_size=10),
    )
    def play_on(self, number: int, tries: bool | None, incidents: list[str]) -> None:
        """What an evening would bring happens, a few steps: random words alone rarely finish a coup."""
        for incident in incidents:
            self.play_step(number, tries)
            self.incident(incident)
            money_is_conserved(self.table)

    def incident(self, kind: str) -> None:
        """Let something happen that is not the one next thing, by whoever may do it."""
        if self.table.state.game_state is None:
            return
        game, places = game_of(self.table), {seat: who for who, seat in self.table.state.places.items()}
        shooter = Actor(places.get(game.shooter or 0, "player-1"), "player")
        throw = game.throw.number_of_throw if game.throw.coup == self.table.state.coup else 1
        happens: dict[str, tuple[Command, Actor]] = {
            "refuse": (r.RefuseDice(), shooter),
            "change": (r.ChangeDice(pair=2 if game.pair == 1 else 1), shooter),
            "coup nul": (r.CallCoupNul(throw=throw, fault="broken"), CROUPIER),
            "remove": (r.RemoveShooter(seat=game.shooter or 1, reason="again"), PIT_BOSS),
            "void": (m.VoidCoup(reason="technical incident"), PIT_BOSS),
            "leave": (m.LeaveSeat(), shooter),
            "last": (m.AnnounceLastCoups(), PIT_BOSS),
            "correct": (o.CorrectOutcome(name=f"throw-{throw}", faces=("4", "4"), reason="misread"), PIT_BOSS),
        }
        if kind == "silence":
            self.table.later(600_000)
        elif kind:
            self.say(*happens[kind])

    def play_step(self, number: int, tries: bool | None) -> None:
        """Let the one next thing happen."""
        table, state = self.table, self.table.state
        first = max(1, number - 6)
        if state.phase in {"idle", "settled"}:
            self.say(m.OpenBetting(), CROUPIER)
            for who, spot in ((PLAYERS[0], str(number)), (PLAYERS[1], "ROUGE"), (PLAYERS[1], str(number))):
                table.when(m.PlaceWager(spot=spot, amount=700 if spot == "ROUGE" else 500), by=who)
        elif state.phase == "betting":
            self.say(m.CloseBetting(), CROUPIER)
        elif state.draws:
            table.when(table.drawn(first - 1, number - first - 1))
        elif state.awaited:
            (name,) = state.awaited
            if state.awaited[name].values is None:
                record = o.RecordOutcome(name=name, faces=(str(first), str(number - first)))
                self.say(record, DEVICE if state.awaited[name].by_device else PIT_BOSS)
            self.say(o.ConfirmOutcome(name=name), PIT_BOSS)
        elif state.phase == "locked" and game_of(table).throw.offered and tries is not None:
            for who in PLAYERS:
                self.say(r.AnswerRampo(tries=tries), who)
        elif state.due_ms is not None:
            table.later(max(0, state.due_ms - table.now_ms))

    @rule(ms=st.sampled_from([1, 5_000, 15_000, 30_000, 120_000, 600_000]))
    def wait(self, ms: int) -> None:
        """Time passes."""
        self.table.later(ms)

    @precondition(lambda self: self.table.state.draws)
    @rule(first=st.integers(0, 5), second=st.integers(0, 5))
    def draw(self, first: int, second: int) -> None:
        """The RNG answers, twice."""
        answer = self.table.drawn(first, second)
        self.table.when(answer)
        before = self.table.state
        self.table.when(answer)
        assert before == self.table.state

    @precondition(lambda self: self.table.state.owed)
    @rule()
    def confirm(self) -> None:
        """The ledger confirms its oldest debt, twice."""
        self.say(self.table.posted(min(self.table.state.owed)), Actor("tapis", "service"))

    @precondition(lambda self: self.table.state.phase == "closed")
    @rule()
    def reopen(self) -> None:
        """A closed table opens again, once the ledger has everything."""
        self.table.given_ledger_confirms().given_open(self.opening)

    @invariant()
    def money(self) -> None:
        """Not a cent is made or lost, and who has stakes in the zone sits at the table."""
        if hasattr(self, "table") and self.table.state.game_state is not None:
            money_is_conserved(self.table)
            if self.table.state.phase not in {"closed", "prepared"}:
                game, seats = game_of(self.table), self.table.state.seats
                assert set(game.zone) <= set(seats)
                assert seats.keys() == game.colours.keys() == game.chips.keys()
                assert len(set(game.colours.values())) == len(game.colours)
                assert game.shooter is None or game.shooter in seats

    @invariant()
    def board(self) -> None:
        """The board can always be shown, names nobody, and has no dice before they lie there."""
        if hasattr(self, "table"):
            board = board_of(self.table.state)
            assert b"player-" not in msgspec.json.encode(board)
            if self.table.state.draws or self.table.state.awaited:
                assert "faces" not in board.facts

    def teardown(self) -> None:
        """Every coup ends within a few ticks; every log folds to its state, also from its wire form."""
        if not hasattr(self, "table"):
            return
        table = self.table
        for _ in range(8):
            due = [wanted.due_ms for wanted in table.state.awaited.values()]
            due += [table.state.due_ms] if table.state.due_ms is not None else []
            if table.state.draws:
                table.when(table.drawn(0, 0))
            elif due:
                table.now_ms = max(table.now_ms, min(due))
                table.when(Tick())
        assert table.state.phase not in {"betting", "locked"}
        money_is_conserved(table)
        live = msgspec.json.encode(table.state)
        assert live == msgspec.json.encode(folds(decoded(table.log)))
        assert len(table.log) == table.state.events
        if isinstance(table.state.game_state, RampoState) and table.state.phase != "closed":
            self.say(InterruptSession(reason="the evening is over"), COMMITTEE)
            assert {} == game_of(table).zone
            money_is_conserved(table)


Play.TestCase.settings = settings(max_examples=100, stateful_step_count=50, deadline=None)
test_play = Play.TestCase
