"""The commands that the bench plays: real ones, in the order and mix of a floor of busy wheels, made beforehand.

A floor is played once in memory with the real rules. What a table owes to the RNG and the ledger is answered some time
later, as those would, so that the list of commands can be handled again by any loop, with all that follows from it.
"""

import heapq
from collections.abc import Iterator
from random import Random
from time import time_ns

import msgspec

from libs.games.wheel.messages import LaunchWheel
from libs.games.wheel.paytables import MAIN_SPOTS
from libs.kernel.actors import SYSTEM, Actor, Role
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import CommitSeed, Drawn, RequestDraw, RevealSeed
from libs.kernel.contracts.table import CreditSeat
from libs.kernel.contracts.wallet import Entry, Leg, PostFromTable, TablePosted
from libs.kernel.days import moment
from libs.kernel.decider import Accepted, Context, Outgoing
from libs.kernel.envelope import CommandEnvelope, ReturnAddress
from libs.kernel.ids import DRAWS, LEDGER, commit_id, draw_id, posting_id, reveal_id, seed_id
from libs.kernel.messages import Command, Event
from libs.table.decider import DECIDER
from libs.table.messages import CheckEquipment, CloseBetting, OpenBetting, OpenSession, PlaceWager, TakeSeat
from tests.kit.seeds import said_of_seeds

PIT = "pit-1"
START_MS = 1_790_000_000_000
"""Time of the game in memory, in ms since 1970: it only stands in deadlines, which are far away."""

SEATS = 8
WAGERS_PER_COUP = 40
"""Chips that land on one table in one coup; the rest of a coup is five to seven other commands."""

REFUSED_WAGERS = 0.05
"""Part of the wagers that break a rule (too little, an unknown chance, nobody at the table)."""

ANSWER_AFTER = 80
"""Turns of a table after which the RNG or the ledger answers it: later than the batch that asked."""

_DECISION_MS = 600_000
_encode = msgspec.json.Encoder().encode

Spoken = tuple[str, Role, Command]
"""Who says what."""


def table_names(count: int) -> tuple[str, ...]:
    """Return the names of the tables of the bench's pit."""
    return tuple(f"roue-{number}" for number in range(1, count + 1))


def envelope(book: str, command_id: str, actor: Actor, command: Command, reply: ReturnAddress | None = None) -> bytes:
    """Return the wire form of a command."""
    return _encode(CommandEnvelope(command_id, book, actor, msgspec.Raw(_encode(command)), reply))


def pit_commands(tables: int, count: int, seed: int = 1) -> list[bytes]:
    """Return at least `count` commands for the tables of one pit, their opening first."""
    random = Random(seed)
    desks = [_Desk(name, random) for name in table_names(tables)]
    said = [raw for desk in desks for raw in desk.open()]
    # A turn of a table is one command, or one moment of waiting; the tables take their turns side by side.
    turns = [(0, place) for place in range(len(desks))]
    while len(said) < count:
        time, place = turns[0]
        said += desks[place].turn(time)
        heapq.heapreplace(turns, (time + 1, place))
    return said


def opening_length(tables: int) -> int:
    """Return how many commands at the beginning of `pit_commands` open the tables and seat the players."""
    return tables * (2 + 2 * SEATS)


def draw_commands(tables: int, count: int) -> list[bytes]:
    """Return orders for draws as the tables of a pit send them."""
    said = []
    for number in range(count):
        coup, place = divmod(number, tables)
        table = f"roue-{place + 1}"
        order = RequestDraw(draw_id=draw_id(PIT, table, 1, coup + 1, "main"), bounds=(52,))
        said.append(envelope(DRAWS, order.draw_id, SYSTEM, order, ReturnAddress(PIT, table)))
    return said


def seed_commands(tables: int, count: int) -> list[bytes]:
    """Return what the tables of a pit ask of the RNG for coups with seeds: commitment, draw and seed of each."""
    said = []
    for number in range(count):
        turn, place = divmod(number, tables)
        coup, step = divmod(turn, 3)
        table = f"roue-{place + 1}"
        seed = seed_id(PIT, table, 1, coup + 1)
        draw = draw_id(PIT, table, 1, coup + 1, "main")
        command_id, order = (
            (commit_id(seed), CommitSeed(seed_id=seed)),
            (draw, RequestDraw(draw_id=draw, bounds=(52,), seeded=True)),
            (reveal_id(seed), RevealSeed(seed_id=seed)),
        )[step]
        said.append(envelope(DRAWS, command_id, SYSTEM, order, ReturnAddress(PIT, table)))
    return said


def posting_commands(tables: int, count: int) -> list[bytes]:
    """Return postings as the tables of a pit send them: the opening float, then coups that the players lose."""
    said = []
    for number in range(count):
        before, place = divmod(number, tables)
        table = f"roue-{place + 1}"
        if before == 0:
            reason = "float_opened"
            legs: tuple[Leg, ...] = (Leg("house:bank", -(10**9)), Leg(f"float:{table}", 10**9))
        else:
            won = tuple(Leg(f"seat:{table}:{seat}", 10 * seat) for seat in range(1, SEATS + 1))
            reason, legs = "coup", (*won, Leg(f"float:{table}", -sum(leg.amount for leg in won)))
        post = PostFromTable(table=table, session=1, number=before + 1, reason=reason, legs=legs)
        said.append(envelope(LEDGER, posting_id(table, 1, post.number), SYSTEM, post, ReturnAddress(PIT, table)))
    return said


class _Desk:
    """One table while its commands are made: its state by the real rules, and the answers on their way to it."""

    def __init__(self, table: str, random: Random) -> None:
        self._table, self._random = table, random
        self._state = DECIDER.initial(table)
        self._players = [f"player-{table}-{seat}" for seat in range(1, SEATS + 1)]
        self._asked: set[str] = set()
        self._answers: list[tuple[int, Outgoing]] = []
        self._script = self._coups()

    def open(self) -> Iterator[bytes]:
        """Yield the commands that open the session and seat its players, with plenty of chips."""
        yield self._say("technician-1", "technician", CheckEquipment())
        yield self._say(
            "committee-1",
            "committee_member",
            OpenSession(
                game="wheel",
                paytable="ROUE-MAISON-1",
                minimum=100,
                float_amount=10**9,
                seats=SEATS,
                betting_ms=_DECISION_MS,
                decision_ms=_DECISION_MS,
                options={"bonus_stake": 1_000},
            ),
        )
        for seat, player in enumerate(self._players, start=1):
            yield self._say(player, "player", TakeSeat(seat=seat))
            credit = CreditSeat(transfer_id=f"{player}:buy-in", player=player, seat=seat, amount=10**10)
            yield self._say(SYSTEM.id, "service", credit, f"credit:{player}:buy-in")

    def turn(self, time: int) -> list[bytes]:
        """Return what is said to this table in one turn: the answers that arrive, and the next command, if any."""
        said = []
        while self._answers and self._answers[0][0] <= time:
            said.append(self._answer(self._answers.pop(0)[1]))
        spoken = next(self._script)
        if spoken is not None:
            said.append(self._say(*spoken))
        for debt in DECIDER.react(self._state):
            if debt.command_id not in self._asked:
                self._asked.add(debt.command_id)
                self._answers.append((time + ANSWER_AFTER, debt))
        return said

    def _coups(self) -> Iterator[Spoken | None]:
        while True:
            while self._state.committed <= self._state.coup:
                yield None
            yield "croupier-1", "croupier", OpenBetting()
            for _ in range(WAGERS_PER_COUP):
                yield self._wager()
            yield "croupier-1", "croupier", CloseBetting()
            yield "croupier-1", "croupier", LaunchWheel()
            while self._state.phase == "locked":
                yield None

    def _wager(self) -> Spoken:
        random = self._random
        player, spot, amount = random.choice(self._players), random.choice(MAIN_SPOTS[:4]), random.choice((100, 200))
        if random.random() < REFUSED_WAGERS:
            player, spot, amount = random.choice(
                ((player, spot, 50), (player, "3", amount), ("player-passing-by", spot, amount))
            )
        return player, "player", PlaceWager(spot=spot, amount=amount)

    def _answer(self, debt: Outgoing) -> bytes:
        facts = _facts(debt.command, self._random)
        return self._say(SYSTEM.id, "service", Answered(to=debt.command_id, events=facts), f"answer:{debt.command_id}")

    def _say(self, who: str, role: Role, command: Command, command_id: str = "") -> bytes:
        """Let the rules hear the command, and return its wire form."""
        # As long as what terminals send: the speaker, the moment, and a number of their own.
        made_ms = time_ns() // 1_000_000
        command_id = command_id or f"{who}:{moment(made_ms)}/{self._random.getrandbits(32):08x}"
        actor = Actor(who, role)
        context = Context(START_MS, actor, command_id, self._table, shard=PIT)
        decision = DECIDER.decide(self._state, command, context)
        if isinstance(decision, Accepted):
            for event in decision.events:
                self._state = DECIDER.evolve(self._state, event)
        return envelope(self._table, command_id, actor, command)


def _facts(command: Command, random: Random) -> tuple[Event, ...]:
    """Return what the RNG or the ledger answers."""
    match command:
        case RequestDraw(draw_id=asked, bounds=bounds):
            return (Drawn(draw_id=asked, bounds=bounds, values=tuple(random.randrange(bound) for bound in bounds)),)
        case PostFromTable(table=table, session=session, number=number, reason=reason, legs=legs):
            entries = tuple(Entry(leg.account, leg.amount, 10**9, 10**9 + leg.amount) for leg in legs)
            return (TablePosted(table=table, session=session, number=number, reason=reason, entries=entries),)
        case CommitSeed() | RevealSeed():
            return said_of_seeds(command)
        case _:
            raise TypeError(f"a table owes nobody a {type(command).__name__}")
