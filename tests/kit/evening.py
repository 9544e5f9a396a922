"""An evening at a table of any game: people who say what may be said, what may not, and nothing at all.

What is legal is not written down here: a wish is made from the board (`wishes.py`, `words.py`), the decider is asked
what it would say, and one of the wishes that it would grant is said. So a new game is played without a line about it.
"""

from collections.abc import Sequence
from random import Random

import msgspec

from libs.games import GAMES
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import Drawn, SealedDrawn
from libs.kernel.contracts.table import CreditSeat
from libs.kernel.decider import Accepted, Context
from libs.kernel.messages import Command, Event, Tick
from libs.kernel.refusals import Refusal
from libs.runtime.kinds import PIT
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.board import board_of
from libs.table.decider import DECIDER
from libs.table.interruption_messages import InterruptSession
from libs.table.react import deadline
from libs.table.state import BETWEEN_COUPS, IN_SESSION
from tests.kit import wishes
from tests.kit.given import COMMITTEE, CROUPIER, TECHNICIAN, GivenTable, folds, player
from tests.kit.laws import laws
from tests.kit.openings import any_opening
from tests.kit.redeciding import Again
from tests.kit.wishes import PLAYERS, Wish

MEANS = (2, 5, 20, 100, 500)
"""What a player brings, in minimum stakes."""
STAKES_OF_A_COUP = (0, 2, 5, 8, 12)
DRAWS = 8
"""How many draws are looked at for one that brings something new."""
VOID_ONE_IN = 8
"""How often a wish is not left out because it would end the coup in a void."""
WORD_BETWEEN_ONE_IN, IDLE_ONE_IN, SILENT_ONE_IN = 5, 4, 16
"""How often somebody speaks while an outcome is awaited, is silent after a word, does not record what lies there."""
SILENT_STEPS = 12
"""Most steps of silence that a coup takes to its end, and two more for each seat: a word that it was offered."""
ROUNDS_OF_A_DECISION = 3
RUNNING = frozenset({"betting", "locked"})

MAY_GRANT_TWICE = (m.PlaceWager, m.CashOut, Tick)
"""Wishes that can be granted twice when they are two wishes: only their command id tells (the runtime's part)."""


class Evening:
    """One table with a few players of different means, its staff, a device, an RNG and a ledger."""

    def __init__(self, game: str, chance: Random, table: GivenTable | None = None) -> None:
        self.game, self.table, self.dice = GAMES[game], table or GivenTable(), wishes.Dice()
        self.table.rng_answers = False
        self.again = Again()
        self.transfers = 0
        self.seen = set[type[Event]]()
        self.open(chance)

    def open(self, chance: Random) -> None:
        """Open a session on any terms of the game, once the ledger has everything of the one before."""
        self.order = any_opening(self.game.name, chance)
        self.hear_of_seeds()
        self.table.given_ledger_confirms().given(m.CheckEquipment(), by=TECHNICIAN)
        if chance.randrange(2):
            self.say(m.CheckEquipment(), COMMITTEE)
        self.say(self.order, COMMITTEE)
        self.come(chance)

    def come(self, chance: Random) -> None:
        """Players sit down and buy chips; some have little."""
        for number in range(1, min(self.order.seats, chance.choice([1, 2, 3, PLAYERS, PLAYERS])) + 1):
            self.say(m.TakeSeat(seat=number), player(number))
            seat = self.table.state.places.get(player(number).id, number)
            self.buy_in(number, seat, self.order.minimum * chance.choice(MEANS))

    def buy_in(self, number: int, seat: int, amount: int) -> None:
        """A buy-in arrives for a player, who sits there or not."""
        self.transfers += 1
        self.say(CreditSeat(transfer_id=f"t-{self.transfers}", player=player(number).id, seat=seat, amount=amount))

    # -- saying ---------------------------------------------------------------------------------------------------
    def say(self, command: Command, by: Actor = SYSTEM) -> bool:
        """Say it as it comes off the wire, twice: what was granted or refused once stays so. Tell whether granted."""
        command = PIT.codec.decode_command(msgspec.json.encode(command))
        before = self.table.state
        first = self.table.when(command, by=by)
        laws(self.table)
        if isinstance(first, Refusal):
            assert before == self.table.state
            self.table.when(command, by=by)
            self.table.then_refused(first.code)
        elif not isinstance(command, MAY_GRANT_TWICE):
            after = self.table.state
            self.table.when(command, by=by)
            assert after == self.table.state, (command, self.table.decision)
        return isinstance(first, Accepted) and bool(first.events)

    def would(self, command: Command, by: Actor) -> tuple[Event, ...]:
        """Return the facts that the wish would lead to; none when it would be refused, or change nothing."""
        context = Context(self.table.now_ms, by, "what-if", self.table.state.table, shard=self.table.pit)
        decision = DECIDER.decide(self.table.state, command, context)
        return decision.events if isinstance(decision, Accepted) else ()

    def say_one_of(self, wanted: Sequence[Wish], chance: Random) -> bool:
        """Say one of the wishes that would be granted; tell whether there was one.

        What ends the coup in a void is rarer than by chance, what brings an event that is new in this coup is oftener.
        """
        granted = [(wish, {type(fact) for fact in facts}) for wish in wanted if (facts := self.would(*wish))]
        chosen = [one for one in granted if m.CoupVoided not in one[1] or not chance.randrange(VOID_ONE_IN)]
        if not chosen:
            return False
        new = [one for one in chosen if not one[1] <= self.seen]
        wish, kinds = chance.choice(new if new and chance.randrange(2) else chosen)
        self.seen |= kinds
        return self.say(*wish)

    # -- what a quiet evening brings ------------------------------------------------------------------------------
    def go_on(self, chance: Random) -> None:
        """Let the one next thing happen that brings the coup nearer to its end."""
        phase = self.table.state.phase
        if phase == "prepared":
            self.say(self.order, COMMITTEE)
        elif phase == "closed":
            self.is_read_again()
            self.open(chance)
        elif phase in BETWEEN_COUPS:
            self.begin(chance)
        elif phase == "betting":
            self.bet(chance)
        else:
            self.play(chance)

    def begin(self, chance: Random) -> None:
        """A new coup, perhaps with new players; after the last one the session closes."""
        self.seen.clear()
        self.hear_of_seeds(chance)
        if not chance.randrange(4) or len(self.table.state.seats) <= 1:
            self.come(chance)
        if self.table.state.last_left == 0:
            self.say(m.CloseSession(), COMMITTEE)
        elif self.table.state.mistrusted:
            self.interrupt(chance)
        elif not self.say(m.OpenBetting(), CROUPIER):
            self.hear_of_seeds()

    def hear_of_seeds(self, chance: Random | None = None) -> None:
        """The RNG commits itself and reveals as it is asked; by chance it cannot, or says what does not fit."""
        for wish in wishes.seeds_told(self.table, chance):
            self.say(*wish)

    def bet(self, chance: Random) -> None:
        """Players stake, and say what the game lets them say before *rien ne va plus*."""
        for _ in range(chance.choice(STAKES_OF_A_COUP)):
            stakes = chance.randrange(4)
            said = wishes.wagers(self.table, chance) if stakes else wishes.words(self.table, chance, {"player"})
            self.say_one_of(said, chance)
        if chance.randrange(3):
            self.say(m.CloseBetting(), CROUPIER)

    def play(self, chance: Random) -> None:
        """The awaited outcome comes, or somebody says a word of the game, or nobody does in time."""
        awaited = self.table.state.draws or self.table.state.awaited
        if awaited and chance.randrange(WORD_BETWEEN_ONE_IN):
            self.outcome(chance)
        elif not self.say_one_of(wishes.words(self.table, chance), chance) or not chance.randrange(IDLE_ONE_IN):
            self.silence()

    def outcome(self, chance: Random) -> None:
        """The RNG answers; or whoever must record an outcome does, and the croupier confirms it."""
        if self.table.state.draws:
            self.answer(chance)
        elif not chance.randrange(SILENT_ONE_IN):
            self.silence()
        else:
            wanted = board_of(self.table.state).awaited[0]
            if not wanted.recorded:
                self.say(*wishes.record(wanted, self.dice, chance))
            self.say(o.ConfirmOutcome(name=wanted.name), CROUPIER)

    def answer(self, chance: Random) -> None:
        """The RNG answers the oldest draw."""
        draw_id, wanted = next(iter(self.table.state.draws.items()))
        kind = SealedDrawn if wanted.sealed else Drawn
        drawn = [self.dice.values(wanted.bounds, chance) for _ in range(DRAWS)]
        facts = [kind(draw_id=draw_id, bounds=wanted.bounds, values=values) for values in drawn]
        self.say_one_of([(Answered(to=draw_id, events=(fact,)), SYSTEM) for fact in facts], chance)

    # -- what disturbs it -----------------------------------------------------------------------------------------
    def disturb(self, chance: Random) -> None:
        """Something legal happens that is not the one next thing: people come and go, void, correct, announce."""
        seats, amount = self.order.seats, self.order.minimum * chance.choice([1, 7, 50])
        if not chance.randrange(5) and self.table.state.phase in IN_SESSION:
            self.buy_in(chance.randrange(1, PLAYERS + 1), chance.randrange(1, seats + 1), amount)
        elif chance.randrange(3) or not self.say_one_of(wishes.corrections(self.table, self.dice, chance), chance):
            self.say_one_of(wishes.disturbances(self.table, chance, seats, amount), chance)

    def anything(self, chance: Random) -> None:
        """Anybody says anything, of this game or another, allowed or not."""
        self.say(*wishes.anything(self.table, chance))

    # -- time -----------------------------------------------------------------------------------------------------
    def silence(self) -> None:
        """Nobody says a word until the next deadline, when something must happen."""
        before, due_ms = self.table.state, deadline(self.table.state)
        self.table.now_ms = max(self.table.now_ms, due_ms or 0)
        self.wait(0)
        assert (due_ms is None) == (before == self.table.state)

    def wait(self, ms: int) -> None:
        """Time passes."""
        self.table.later(ms)
        laws(self.table)

    # -- how it ends ----------------------------------------------------------------------------------------------
    def end(self, chance: Random) -> None:
        """The running coup ends: in silence, in chatter, or with the session, at once. Then its log is read again."""
        chance.choice([self.end_in_silence, self.end_in_chatter, self.interrupt])(chance)
        assert self.table.state.phase not in RUNNING
        self.is_read_again()

    def interrupt(self, _: Random) -> None:
        """A committee member ends the session; between sessions there is nothing to end."""
        if self.table.state.phase in IN_SESSION:
            assert self.say(InterruptSession(reason="water damage"), COMMITTEE)

    def end_in_silence(self, chance: Random) -> None:
        """Nobody says a word any more, only the RNG answers: the coup is over within a few steps."""
        for _ in range(SILENT_STEPS + 2 * self.order.seats):
            if self.table.state.draws:
                self.answer(chance)
            elif self.table.state.phase in RUNNING:
                self.silence()

    def end_in_chatter(self, chance: Random) -> None:
        """Players say whatever they may while time passes, and the staff records: the coup is over all the same."""
        rounds = ROUNDS_OF_A_DECISION * (SILENT_STEPS + self.order.seats * (self.order.seats + 4))
        for _ in range(rounds):
            if self.table.state.phase not in RUNNING:
                return
            self.say_one_of(wishes.words(self.table, chance, {"player"}), chance)
            if self.table.state.draws or self.table.state.awaited:
                self.outcome(chance)
            else:
                self.wait(self.order.decision_ms // ROUNDS_OF_A_DECISION + 1)

    def is_read_again(self) -> None:
        """The log of the session, off the wire, comes back event by event, and folds to the state of the table.

        Knowing nothing but the log, the audit finds that every decision follows from what was before it.
        """
        table = self.table
        log = [PIT.codec.decode_event(msgspec.json.encode(event)) for event in table.log]
        assert log == table.log
        assert msgspec.json.encode(table.state) == msgspec.json.encode(folds(log))
        assert len(log) == table.state.events
        self.again.hear(table.records)
        assert [] == self.again.faults
