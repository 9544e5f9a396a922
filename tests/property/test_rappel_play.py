"""Random play of the Rappel, legal and illegal: what must hold after every word that anybody says."""

import functools
import operator
from collections.abc import Sequence

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from libs.games.rappel import messages as r
from libs.games.rappel.state import RappelState
from libs.kernel.actors import Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.decider import Accepted
from libs.kernel.messages import Command, Event, Tick
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import board_of
from libs.table.decider import DECIDER
from tests.kit.given import (
    COMMITTEE,
    CROUPIER,
    PIT_BOSS,
    TECHNICIAN,
    GivenTable,
    folds,
    money_is_conserved,
    player,
)
from tests.kit.rappel import FLOAT, bank, game, rappel_opening

SEATS = (1, 2, 3, 4)
WORDS: list[Command] = [r.TryRappel(), r.Decline(), r.Follow(level=0), r.Raise(level=0), r.Pass()]
STAFF: list[Command] = [
    m.OpenBetting(),
    m.CloseBetting(),
    m.AnnounceLastCoups(),
    m.CloseSession(),
    m.CheckEquipment(),
    m.VoidCoup(reason="technical incident"),
    r.CallCocked(seat=1),
]
FACES = st.sampled_from([1, 1, 2, 5, 6, 9, 12, 15, 19, 20, 20])
ONE_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(functools.reduce(operator.or_, DECIDER.events))
MOST_WORDS = 2 * len(SEATS) + len(SEATS) ** 2
"""Of one game: an answer to the rappel and one in the bets each, and one more for each raise of another."""


def decoded(events: Sequence[Event]) -> list[Event]:
    """Return events as they come back from their wire form."""
    return [ONE_EVENT.decode(msgspec.json.encode(event)) for event in events]


class Play(RuleBasedStateMachine):
    """One table, four players of different means, the staff, an RNG and a ledger, all of them unruly."""

    @initialize(
        base=st.sampled_from([10, 250, 1_000]),
        source=st.sampled_from(["rng", "rng", "console"]),
        means=st.lists(st.integers(2, 40), min_size=4, max_size=4),
    )
    def open(self, base: int, source: str, means: list[int]) -> None:
        """Open a session; each player has so many base stakes."""
        self.base = base
        self.opening = rappel_opening(base, seats=5, source=source)
        self.table = GivenTable().given_open(self.opening)
        self.transfers = 0
        for number, stakes in zip(SEATS, means, strict=True):
            self.table.given_seated(number, credit=stakes * base)

    def say(self, command: Command, by: Actor) -> None:
        """Say it twice: what was granted is not granted again, unless it is a raise of time or money."""
        self.table.when(command, by=by)
        first = self.table.decision
        before = self.table.state
        self.table.when(command, by=by)
        if isinstance(first, Accepted):
            assert before == self.table.state, (command, self.table.decision)

    # -- players --------------------------------------------------------------------------------------------------
    @rule(
        number=st.sampled_from(SEATS), spot=st.sampled_from(["ENTREE", "MISE", "7"]), times=st.sampled_from([1, 2, 3])
    )
    def enter(self, number: int, spot: str, times: int) -> None:
        """A player pays the entry, in time or not, right or wrong."""
        self.say(m.PlaceWager(spot=spot, amount=times * self.base), player(number))

    @rule(number=st.sampled_from(SEATS))
    def take_back(self, number: int) -> None:
        """A player thinks better of it."""
        self.say(m.TakeBackWager(spot="ENTREE"), player(number))

    @rule(number=st.sampled_from(SEATS), word=st.sampled_from(WORDS), more=st.sampled_from([0, 0, 0, -1, 1]))
    def speak(self, number: int, word: Command, more: int) -> None:
        """A player says something, his turn or not, with the level or with another one."""
        level = max(0, game(self.table).level + more)
        if isinstance(word, r.Follow | r.Raise):
            word = type(word)(level=level)
        self.say(word, player(number))

    @rule(number=st.sampled_from(SEATS), leave=st.booleans())
    def go_and_come(self, number: int, leave: bool) -> None:
        """A player leaves, or sits down again, or tries."""
        self.say(m.LeaveSeat() if leave else m.TakeSeat(seat=number), player(number))

    @rule(number=st.sampled_from(SEATS), amount=st.integers(1, 9_000))
    def cash_out(self, number: int, amount: int) -> None:
        """A player turns chips into money, perhaps in the middle of a game."""
        self.table.when(m.CashOut(amount=amount), by=player(number))

    @rule(number=st.sampled_from(SEATS), stakes=st.integers(1, 30))
    def buy_in(self, number: int, stakes: int) -> None:
        """A buy-in arrives, perhaps in the middle of a game."""
        if number in self.table.state.seats:
            self.transfers += 1
            self.table.given_credit(number, number, stakes * self.base, transfer=f"t-{self.transfers}")

    # -- staff, time, dice ----------------------------------------------------------------------------------------
    @rule(command=st.sampled_from(STAFF), by=st.sampled_from([CROUPIER, PIT_BOSS, COMMITTEE, TECHNICIAN, player(1)]))
    def staff(self, command: Command, by: Actor) -> None:
        """Somebody says a word of the staff, allowed or not."""
        self.say(command, by)

    @rule(ms=st.sampled_from([1, 5_000, 15_000, 30_000, 600_000]))
    def wait(self, ms: int) -> None:
        """Time passes."""
        self.table.later(ms)

    @precondition(lambda self: self.table.state.draws)
    @rule(faces=st.lists(FACES, min_size=5, max_size=5), fails=st.sampled_from([False] * 9 + [True]))
    def roll(self, faces: list[int], fails: bool) -> None:
        """The RNG answers, seldom with a refusal; the answer comes twice."""
        draw_id, wanted = next(iter(self.table.state.draws.items()))
        answer = self.table.drawn(*((face - 1) % bound for face, bound in zip(faces, wanted.bounds, strict=False)))
        if fails:
            answer = Answered(to=draw_id, refusal=Refusal("draw.bad_id", "Mal formé.", "Malformed."))
        self.say(answer, Actor("tapis", "service"))

    @precondition(lambda self: self.table.state.awaited)
    @rule(faces=st.lists(FACES, min_size=5, max_size=5), confirm=st.booleans())
    def enter_dice(self, faces: list[int], confirm: bool) -> None:
        """The croupier enters the dice that lie there, and lets them stand, or not yet."""
        name = self.record(faces)
        if confirm:
            self.say(o.ConfirmOutcome(name=name), CROUPIER)

    @rule(
        faces=st.lists(st.integers(1, 20), min_size=1, max_size=5), name=st.sampled_from(["jet-1", "jet-2", "rappel-1"])
    )
    def correct(self, faces: list[int], name: str) -> None:
        """The pit boss corrects something, in time or not."""
        said = o.CorrectOutcome(name=name, faces=tuple(map(str, faces)), reason="misread")
        self.say(said, PIT_BOSS)

    def record(self, faces: list[int]) -> str:
        """Enter the dice that are awaited; return the name of the outcome."""
        name, wanted = next(iter(self.table.state.awaited.items()))
        shown = tuple(str((face - 1) % bound + 1) for face, bound in zip(faces, wanted.bounds, strict=False))
        self.say(o.RecordOutcome(name=name, faces=shown), CROUPIER)
        return name

    @rule(times=st.integers(1, 12), faces=st.lists(FACES, min_size=5, max_size=5), choice=st.integers(0, 10_000))
    def play_on(self, times: int, faces: list[int], choice: int) -> None:
        """What a quiet evening would bring happens, a few steps: random words alone rarely finish a game."""
        for _ in range(times):
            choice = self.play_step(faces, choice)
            money_is_conserved(self.table)

    def play_step(self, faces: list[int], choice: int) -> int:
        """Let the one next thing happen; return what is left of the choice."""
        state, now = self.table.state, game(self.table)
        if state.phase in {"idle", "settled"}:
            self.table.when(m.OpenBetting(), by=CROUPIER)
            for number in SEATS:
                self.table.when(m.PlaceWager(spot="ENTREE", amount=2 * self.base), by=player(number))
        elif state.phase == "betting":
            self.table.when(m.CloseBetting(), by=CROUPIER)
        elif state.draws:
            bounds = next(iter(state.draws.values())).bounds
            faces.append(faces.pop(0))
            self.table.when(self.table.drawn(*((face - 1) % bound for face, bound in zip(faces, bounds, strict=False))))
        elif state.awaited:
            faces.append(faces.pop(0))
            self.table.when(o.ConfirmOutcome(name=self.record(faces)), by=CROUPIER)
        elif now.turn is not None and state.phase == "locked":
            bets: list[Command] = [r.Raise(level=now.level), *[r.Follow(level=now.level)] * 2, r.Pass()]
            words: list[Command] = [r.TryRappel(), r.Decline()] if now.stage == "rappel" else bets
            self.table.when(words[choice % len(words)], by=Actor(state.seats[now.turn].player, "player"))
            choice = choice // len(words) + 7
        return choice

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

    # -- what always holds ----------------------------------------------------------------------------------------
    @invariant()
    def money(self) -> None:
        """Not a cent is made or lost; fees and pot are exactly what lies on the table."""
        if not hasattr(self, "table"):
            return
        money_is_conserved(self.table)
        state, now = self.table.state, self.table.state.game_state
        if state.phase == "locked" and isinstance(now, RappelState):
            staked = sum(sum(seat.stakes.values()) for seat in state.seats.values())
            assert now.fees + now.pot == staked

    @invariant()
    def verdicts(self) -> None:
        """In every game: credits + bank = pot + fees; the rake is a tenth of the pot; a double rappel has none."""
        if not hasattr(self, "table") or self.table.state.session == 0:
            return
        for event in self.table.only(r.PotDecided):
            assert isinstance(event, r.PotDecided)
            assert event.pot + event.fees == sum(event.credits.values()) + event.bank
            wins = event.decided in {"win", "tie", "lone"}
            assert event.rake == (event.pot // 10 if wins else 0)
            assert (event.bank == 0) == (event.decided == "double")

    @invariant()
    def board(self) -> None:
        """The board can always be shown, names nobody, and shows no die that has not been rolled."""
        if not hasattr(self, "table"):
            return
        board = board_of(self.table.state)
        assert b"player-" not in msgspec.json.encode(board)
        rolled = {type(event) for event in self.table.log if getattr(event, "coup", 0) == board.coup}
        for fact in board.facts:
            assert not fact.endswith("_jet_1") or r.FirstRolled in rolled
            assert not fact.endswith("_rappel") or r.RappelRolled in rolled
            assert not fact.endswith("_jet_2") or r.SecondRolled in rolled
        shown = {
            die.roll.code for one in board.carpet.contenders for die in one.dice if die.roll is not None and die.face
        }
        rolls = {"jet_1": r.FirstRolled, "rappel": r.RappelRolled, "jet_2": r.SecondRolled}
        assert shown <= {name for name, event in rolls.items() if event in rolled}
        if board.carpet.pot is not None:
            assert board.carpet.pot.amount == sum(one.staked for one in board.carpet.contenders)

    def teardown(self) -> None:
        """Every game ends within a bound without any player; every log folds to its state, also from its wire form."""
        if not hasattr(self, "table"):
            return
        table = self.table
        for _ in range(MOST_WORDS + 2 + len(SEATS)):
            if table.state.awaited:
                table.when(o.ConfirmOutcome(name=self.record([1] * 5)), by=CROUPIER)
            elif table.state.draws:
                table.when(table.drawn(*(0 for _ in next(iter(table.state.draws.values())).bounds)))
            elif table.state.due_ms is not None:
                table.now_ms = max(table.now_ms, table.state.due_ms)
                table.when(Tick())
        assert table.state.phase not in {"betting", "locked"}
        money_is_conserved(table)
        for coup in range(1, table.state.coup + 1):
            words = [event for event in table.only(r.WordGiven) if isinstance(event, r.WordGiven)]
            corrections = sum(isinstance(event, o.OutcomeCorrected) and event.coup == coup for event in table.log)
            assert sum(event.coup == coup for event in words) <= MOST_WORDS * (1 + corrections)
        if len(table.volumes) == 1 and table.state.phase != "closed":
            staked = table.state.handle - sum(_credits(table))
            assert bank(table) == staked
            assert table.state.float_balance >= FLOAT
        live = msgspec.json.encode(table.state)
        assert live == msgspec.json.encode(folds(decoded(table.log)))
        assert len(table.log) == table.state.events


def _credits(table: GivenTable) -> list[int]:
    """Return all credits of the session's games."""
    settled = [event for event in table.only(m.CoupSettled) if isinstance(event, m.CoupSettled)]
    return [result.credited for event in settled for result in event.seats]


Play.TestCase.settings = settings(max_examples=60, stateful_step_count=50, deadline=None)
test_play = Play.TestCase
