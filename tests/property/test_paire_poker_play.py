"""Random play at Pair'e poker, legal and illegal: what must hold after every word that anybody says."""

import functools
import operator
from collections.abc import Sequence
from contextlib import suppress

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from libs.games.paire_poker import messages as p
from libs.games.paire_poker.cards import DECK
from libs.games.paire_poker.layout import OPTIONAL, spots
from libs.games.paire_poker.state import PokerState
from libs.kernel.actors import Actor, Role
from libs.kernel.decider import Accepted
from libs.kernel.messages import Command, Event, Tick
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table import outcome_messages as o
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
    player,
)
from tests.kit.poker import drawn_for, poker_opening

PLAYERS = [player(number) for number in (1, 2, 3)]
SPOTS = sorted({*spots(1), *spots(2), "VALEUR_JOKER-A", "VALEUR_8-7", "VALEUR_5-6-7-8-9", "PAIRE_1", "48"})
AMOUNTS = [1, 99, 100, 150, 200, 500, 2_500, 3_000, 20_000, 20_001]
WORDS: list[Command] = [
    m.OpenBetting(),
    m.CloseBetting(),
    m.AnnounceLastCoups(),
    m.CloseSession(),
    m.CheckEquipment(),
    m.LeaveSeat(),
    m.VoidCoup(reason="technical incident"),
    *(p.TurnCard(place=place) for place in (1, 2, 3)),
    p.PayWinners(),
    p.ReportIrregularity(kind="wrong_count"),
    p.ReportIrregularity(kind="exposed_card"),
]
MAY_GRANT_TWICE = (m.PlaceWager, m.CashOut)
"""Wishes that can be granted twice when they are two wishes: only their command id tells (the runtime's part)."""
STEPS_TO_THE_END = 6
"""Most steps from *faites vos jeux* to the end of a coup when everybody is silent: close, draw, three turns, pay.

At the console nobody turns a card by silence: a recorded one stands, the next one is missing, the coup is void.
"""

ONE_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(functools.reduce(operator.or_, DECIDER.events))
hands = st.permutations(DECK).map(lambda pack: tuple(pack[:4]))
"""The burnt card and three others."""


def decoded(events: Sequence[Event]) -> list[Event]:
    """Return events as they come back from their wire form."""
    return [ONE_EVENT.decode(msgspec.json.encode(event)) for event in events]


class Play(RuleBasedStateMachine):
    """One table, three players, the staff, an RNG and a ledger, all of them unruly."""

    @initialize(
        source=st.sampled_from(["rng", "rng", "console", "device"]),
        paytable=st.sampled_from(["PAIRE-MAISON-1", "PAIRE-MAISON-2"]),
        options=st.sampled_from([{}, {"value_rows": 2}, {"chip": 50}]),
    )
    def open(self, source: str, paytable: str, options: dict[str, int]) -> None:
        """Open a session; the terms stay for reopening."""
        self.opening = poker_opening(paytable=paytable, options=options, source=source)
        self.table = GivenTable().given_open(self.opening)
        for number in (1, 2):
            self.table.given_seated(number, credit=50_000)

    def say(self, command: Command, by: Actor) -> None:
        """Say it twice: what was granted by phase or by id is not granted again; a refusal has both sentences."""
        self.table.when(command, by=by)
        first = self.table.decision
        self.table.when(command, by=by)
        second = self.table.decision
        if isinstance(first, Accepted) and isinstance(second, Accepted) and not isinstance(command, MAY_GRANT_TWICE):
            assert not second.events or isinstance(command, Tick), (command, second)
        if isinstance(first, Refusal):
            assert first == second
            self.table.then_refused(first.code)

    @rule(who=st.sampled_from(PLAYERS), spot=st.sampled_from(SPOTS), amount=st.sampled_from(AMOUNTS))
    def wager(self, who: Actor, spot: str, amount: int) -> None:
        """A player wagers, in time or not, on something or not."""
        self.say(m.PlaceWager(spot=spot, amount=amount), who)

    @rule(who=st.sampled_from(PLAYERS[:2]), main=st.sampled_from(SPOTS), others=st.lists(st.sampled_from(SPOTS)))
    def wager_well(self, who: Actor, main: str, others: list[str]) -> None:
        """A player who knows the rules wagers on several spots."""
        for spot in ("COULEUR_NOIR", main, *others):
            self.table.when(m.PlaceWager(spot=spot, amount=100), by=who)

    @rule(who=st.sampled_from(PLAYERS), spot=st.sampled_from(SPOTS))
    def take_back(self, who: Actor, spot: str) -> None:
        """A player takes a stake back, or tries."""
        self.say(m.TakeBackWager(spot=spot), who)

    @rule(who=st.sampled_from(PLAYERS))
    def take_everything_back(self, who: Actor) -> None:
        """A player takes back whatever the rules let go."""
        with suppress(KeyError):
            for spot in tuple(self.table.state.seats[self.table.state.places[who.id]].stakes):
                self.table.when(m.TakeBackWager(spot=spot), by=who)

    @rule(who=st.sampled_from(PLAYERS), seat=st.integers(1, 6))
    def sit(self, who: Actor, seat: int) -> None:
        """A player sits down, or tries."""
        self.say(m.TakeSeat(seat=seat), who)

    @rule(who=st.sampled_from(PLAYERS), amount=st.integers(1, 3_000))
    def cash_out(self, who: Actor, amount: int) -> None:
        """A player turns chips into money."""
        self.say(m.CashOut(amount=amount), who)

    @rule(command=st.sampled_from(WORDS), by=st.sampled_from([*PLAYERS, CROUPIER, PIT_BOSS, COMMITTEE, TECHNICIAN]))
    def speak(self, command: Command, by: Actor) -> None:
        """Somebody says something, allowed or not."""
        self.say(command, by)

    @rule(role=st.sampled_from(ALL_ROLES), command=st.sampled_from(WORDS))
    def speak_in_any_role(self, role: Role, command: Command) -> None:
        """Somebody with any role says something."""
        self.say(command, Actor("somebody-1", role))

    @rule(times=st.integers(1, 8), cards=hands)
    def play_on(self, times: int, cards: tuple[str, ...]) -> None:
        """What a quiet evening would bring happens, a few steps: random words alone rarely finish a coup."""
        for _ in range(times):
            self.play_step(cards)
            self.laws()

    def play_step(self, cards: tuple[str, ...]) -> None:
        """Let the one next thing happen."""
        state = self.table.state
        if state.phase in {"idle", "settled"}:
            self.say(m.OpenBetting(), CROUPIER)
            for who in PLAYERS[:2]:
                self.table.when(m.PlaceWager(spot="COULEUR_ROUGE", amount=200), by=who)
                self.table.when(m.PlaceWager(spot="MAIN", amount=100), by=who)
        elif state.phase == "betting":
            self.say(m.CloseBetting(), CROUPIER)
        elif state.draws:
            self.table.when(self.table.drawn(*drawn_for(*cards)))
        elif state.awaited:
            self.record_next(cards)
        elif isinstance(state.game_state, PokerState) and len(state.game_state.turned) < 3:
            self.say(p.TurnCard(place=len(state.game_state.turned) + 1), CROUPIER)
        else:
            self.say(p.PayWinners(), PIT_BOSS)

    def record_next(self, cards: tuple[str, ...]) -> None:
        """Whoever must record an outcome does it right, and the staff confirms."""
        (name,) = self.table.state.awaited
        faces, who = (cards, DEVICE) if name == "cards" else ((cards[int(name[-1])],), CROUPIER)
        self.say(o.RecordOutcome(name=name, faces=faces), who)
        self.say(o.ConfirmOutcome(name=name), CROUPIER)

    @rule(
        name=st.sampled_from(["card-1", "card-2", "card-3", "cards"]),
        faces=st.lists(st.sampled_from(["7C", "7K", "JOKER", "8C", "1C"]), min_size=1, max_size=4),
        who=st.sampled_from([CROUPIER, PIT_BOSS, DEVICE, COMMITTEE, PLAYERS[0]]),
    )
    def record(self, name: str, faces: list[str], who: Actor) -> None:
        """Somebody records something, awaited or not, a card or not, perhaps twice in one coup."""
        self.say(o.RecordOutcome(name=name, faces=tuple(faces)), who)

    @rule(name=st.sampled_from(["card-1", "card-2", "card-3", "cards"]), who=st.sampled_from([CROUPIER, PLAYERS[0]]))
    def confirm_outcome(self, name: str, who: Actor) -> None:
        """Somebody confirms what is recorded, or nothing."""
        self.say(o.ConfirmOutcome(name=name), who)

    @rule(
        name=st.sampled_from(["card-1", "card-2", "card-3", "cards"]),
        face=st.sampled_from(["7C", "9P", "JOKER"]),
        who=st.sampled_from([PIT_BOSS, PIT_BOSS, CROUPIER]),
    )
    def correct(self, name: str, face: str, who: Actor) -> None:
        """A pit boss corrects a card, in time or not; somebody else tries."""
        self.say(o.CorrectOutcome(name=name, faces=(face,), reason="misread"), who)

    @rule(ms=st.sampled_from([1, 5_000, 15_000, 30_000, 120_000]))
    def wait(self, ms: int) -> None:
        """Time passes."""
        self.table.later(ms)

    @precondition(lambda self: self.table.state.draws)
    @rule(cards=hands)
    def draw(self, cards: tuple[str, ...]) -> None:
        """The RNG answers, twice."""
        answer = self.table.drawn(*drawn_for(*cards))
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
    def laws(self) -> None:
        """Money is conserved, options lie beside a main stake, and nobody can learn what has not been turned."""
        if not hasattr(self, "table"):
            return
        money_is_conserved(self.table)
        for seat in self.table.state.seats.values():
            assert not seat.stakes or not seat.stakes.keys() <= OPTIONAL
        nothing_is_given_away(self.table)

    def teardown(self) -> None:
        """Every coup ends within a few steps; every log folds to its state, also from its wire form."""
        if not hasattr(self, "table"):
            return
        table = self.table
        for _ in range(STEPS_TO_THE_END):
            if table.state.draws:
                table.when(table.drawn(0, 0, 0, 0))
            elif (due_ms := DECIDER.deadline(table.state)) is not None:
                table.now_ms = max(table.now_ms, due_ms)
                table.when(Tick())
            self.laws()
        assert table.state.phase not in {"betting", "locked"}
        live = msgspec.json.encode(table.state)
        assert live == msgspec.json.encode(folds(decoded(table.log)))
        assert len(table.log) == table.state.events


def nothing_is_given_away(table: GivenTable) -> None:
    """The board is the same whatever the hidden cards are, and no public fact of this coup names one of them."""
    state = table.state
    game_state = state.game_state
    if not isinstance(game_state, PokerState):
        return
    hidden = msgspec.structs.replace(game_state, burnt="?", face_down=("?",) * len(game_state.face_down))
    assert board_of(state) == board_of(msgspec.structs.replace(state, game_state=hidden))
    if game_state.coup != state.coup or not state.coup:
        return
    secrets = {card for card in (game_state.burnt, *game_state.face_down) if card and card != "JOKER"}
    opened = max(place for place, event in enumerate(table.log) if isinstance(event, m.BettingOpened))
    for event in table.log[opened:]:
        said = msgspec.json.encode(event).decode()
        assert event.secret or not any(f'"{card}"' in said for card in secrets)


Play.TestCase.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)
test_play = Play.TestCase
