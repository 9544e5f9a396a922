"""People at a table of any game in a `MemoryHouse`: they say what the decider would grant, with a real RNG and ledger.

As in `evening.py` a wish is made from the board, so no game is named here.
"""

from random import Random

from libs.games import GAMES
from libs.kernel.actors import Actor
from libs.kernel.decider import Accepted, Context
from libs.kernel.messages import Command, Event
from libs.table import messages as m
from libs.table.decider import DECIDER
from libs.table.react import deadline
from libs.table.state import TableState, hosted
from tests.kit import wishes
from tests.kit.given import COMMITTEE, CROUPIER, TECHNICIAN, GivenTable, player
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.openings import openings
from tests.kit.wishes import Wish

TABLE = "T1"
GUESTS = 3
MEANS = 100_000
"""What each guest brings, in minimum stakes."""
STEPS = 200
"""Most words, and silences, that a coup takes to its end."""


class Guests:
    """The staff and the players of one table."""

    def __init__(self, house: MemoryHouse, game: str, chance: Random) -> None:
        self.house, self.game, self.chance = house, GAMES[game], chance

    @property
    def state(self) -> TableState:
        """The table as its events fold."""
        return self.house.state_of(TABLE)

    async def come(self) -> "Guests":
        """Open a session whose draws are the RNG's, sit down and buy chips."""
        order = next(one for one in openings(self.game.name) if one.source == "rng" and one.seats >= GUESTS)
        await self._said(m.CheckEquipment(), TECHNICIAN)
        await self._said(order, COMMITTEE)
        for number in range(1, GUESTS + 1):
            who, cents = player(number), MEANS * order.minimum
            await self.house.sit_down(who.id, number, cents, TABLE)
        return self

    async def play_coup(self) -> None:
        """Stake, close the betting, and go on until the coup has come to its end by itself."""
        await self._said(m.OpenBetting(), CROUPIER)
        for _ in range(2 * GUESTS):
            await self._one_of(wishes.wagers(self._view(), self.chance))
        while self.state.phase == "betting" and await self._one_of(wishes.words(self._view(), self.chance, {"player"})):
            if not self.chance.randrange(GUESTS):
                break
        if self.state.phase == "betting":
            await self._said(m.CloseBetting(), CROUPIER)
        for _ in range(STEPS):
            if self.state.phase != "locked":
                return
            if not await self._one_of(wishes.words(self._view(), self.chance)):
                due_ms = deadline(self.state)
                assert due_ms is not None, "the coup waits for nobody"
                await self.house.pass_time(max(0, due_ms - self.house.now_ms))
        raise AssertionError(f"coup {self.state.coup} does not end")

    def purses(self) -> dict[int, tuple[int, int]]:
        """Return what each seat has: chips on its meter, and stakes that wait for a later coup, in cents."""
        game, _, game_state = hosted(self.state)
        return {number: (seat.credit, game.held(game_state, number)) for number, seat in self.state.seats.items()}

    async def _one_of(self, wanted: list[Wish]) -> bool:
        """Say one of the wishes that would be granted and void nothing; tell whether there was one."""
        granted = [wish for wish in wanted if (facts := self._would(*wish)) and m.CoupVoided not in map(type, facts)]
        if granted:
            await self._said(*self.chance.choice(granted))
        return bool(granted)

    def _would(self, command: Command, by: Actor) -> tuple[Event, ...]:
        context = Context(self.house.now_ms, by, "what-if", TABLE, shard=PIT)
        decision = DECIDER.decide(self.state, command, context)
        return decision.events if isinstance(decision, Accepted) else ()

    def _view(self) -> GivenTable:
        """Return the table as wishes are made from it."""
        view = GivenTable(TABLE, PIT)
        view.state = self.state
        return view

    async def _said(self, command: Command, by: Actor) -> None:
        given = await self.house.tell(by.id, by.role, PIT, TABLE, command)
        assert given.refusal is None, (command, given.refusal)
