"""Given, when, then: a table in memory, spoken to in sentences, with the RNG and the ledger played by the test.

table = given_wheel("ROUE-ARR-2024")
table.given_seated("player-1", seat=1, credit=5_000)
table.when(m.OpenBetting(), by=CROUPIER)
table.then(m.BettingOpened(coup=1, closes_at_ms=…))
"""

from collections.abc import Sequence

import msgspec

from libs.games.wheel.messages import LaunchWheel
from libs.games.wheel.paytables import INNER_SEGMENTS, MAIN_SEGMENTS
from libs.kernel.actors import SYSTEM, Actor, Role
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import CommitSeed, Drawn, SealedDrawn
from libs.kernel.contracts.table import CreditSeat, FloatMoved, SeatCredited
from libs.kernel.contracts.wallet import Leg, TablePosted
from libs.kernel.decider import Accepted, Already, Context, Decision
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import stream_name
from libs.kernel.messages import Command, Event, Tick
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table.decider import DECIDER
from libs.table.seeds import APPLY as APPLY_SEEDS
from libs.table.state import TableState
from tests.kit.seeds import said_of_seeds

TECHNICIAN = Actor("technician-1", "technician")
COMMITTEE = Actor("committee-1", "committee_member")
PIT_BOSS = Actor("pit-boss-1", "pit_boss")
CROUPIER = Actor("croupier-1", "croupier")
CASHIER = Actor("cashier-1", "cashier")
DEVICE = Actor("sensor-1", "device")
AUDITOR = Actor("auditor-1", "auditor")
ALL_ROLES: tuple[Role, ...] = (
    "player",
    "croupier",
    "pit_boss",
    "committee_member",
    "technician",
    "cashier",
    "device",
    "auditor",
    "service",
)
START_MS = 1_700_000_000_000
BETTING_MS = 30_000
DECISION_MS = 15_000


def player(number: int = 1) -> Actor:
    """Return a player by number."""
    return Actor(f"player-{number}", "player")


def opening(paytable: str = "ROUE-MAISON-1", **terms: object) -> m.OpenSession:
    """Return an order to open a wheel with m = 100 and F = 1 000 cents, as in the worked examples of rules.md."""
    wanted: dict[str, object] = {
        "type": "table.OpenSession",
        "game": "wheel",
        "paytable": paytable,
        "minimum": 100,
        "float_amount": 500_000,
        "seats": 20,
        "betting_ms": BETTING_MS,
        "decision_ms": DECISION_MS,
        "options": {"bonus_stake": 1_000},
        "confirm_negative_edge": True,
    }
    return msgspec.convert(wanted | terms, m.OpenSession)


class GivenTable:
    """One table: its state, the streams of its sessions, the clock, and what the last decision was."""

    def __init__(self, table: str = "T1", pit: str = "pit-1") -> None:
        self.pit = pit
        self.now_ms = START_MS
        self.state = DECIDER.initial(table)
        self.volumes: list[list[Event]] = []
        self.records: list[tuple[EventRecord, Event]] = []
        """All events of all volumes with their records, as they are in a log, but for the hashes."""
        self.decision: Decision = Accepted()
        self.balances: dict[str, int] = {}
        """The ledger as the test keeps it: postings owed, buy-ins credited and floats moved, added up at once."""
        self.booked: set[tuple[int, int]] = set()
        self.rng_answers = True
        """False while the RNG says nothing of seeds by itself."""

    # -- when -----------------------------------------------------------------------------------------------------
    def when(self, command: Command, by: Actor = SYSTEM) -> Decision:
        """Decide a command now and take its events into the state."""
        context = Context(now_ms=self.now_ms, actor=by, command_id="command-1", book=self.state.table, shard=self.pit)
        self.decision = DECIDER.decide(self.state, command, context)
        if isinstance(self.decision, Accepted):
            self.take(self.decision.events, by)
        return self.decision

    def take(self, events: Sequence[Event], by: Actor) -> None:
        """Append events to the current volume, as the runtime does, and book what they owe."""
        cause = f"c-{len(self.records)}"
        for event in events:
            if event.opens_volume:
                self.volumes.append([])
                self.state = DECIDER.initial(self.state.table)
            self.volumes[-1].append(event)
            self.state = DECIDER.evolve(self.state, event)
            stream, body = stream_name(self.state.table, self.state.session), msgspec.Raw(msgspec.json.encode(event))
            self.records.append((EventRecord(stream, self.state.events, self.now_ms, by, cause, body), event))
            if isinstance(event, SeatCredited):
                self._post(Leg(f"player:{event.player}", -event.amount))
                self._post(Leg(f"seat:{self.state.table}:{event.seat}", event.amount))
            elif isinstance(event, FloatMoved):
                self._post(Leg("house:bank", -event.amount))
                self._post(Leg(f"float:{self.state.table}", event.amount))
        self._book()
        if self.rng_answers:
            self.rng_speaks_of_seeds()

    def rng_speaks_of_seeds(self, *, reveals: bool = True) -> "GivenTable":
        """Let the RNG commit itself and reveal as it is asked; what was decided last stays the last decision."""
        for debt in DECIDER.react(self.state):
            said = said_of_seeds(debt.command)
            if said and (reveals or isinstance(debt.command, CommitSeed)):
                answer = Answered(to=debt.command_id, events=said)
                context = Context(self.now_ms, SYSTEM, "seed", self.state.table, shard=self.pit)
                decision = DECIDER.decide(self.state, answer, context)
                assert isinstance(decision, Accepted), decision
                self.take(decision.events, SYSTEM)
                return self
        return self

    def later(self, ms: int) -> Decision:
        """Let time pass and tick."""
        self.now_ms += ms
        return self.when(Tick())

    def _book(self) -> None:
        for number, owed in self.state.owed.items():
            if (self.state.session, number) in self.booked:
                continue
            self.booked.add((self.state.session, number))
            for leg in owed.legs:
                self._post(leg)

    def _post(self, leg: Leg) -> None:
        self.balances[leg.account] = self.balances.get(leg.account, 0) + leg.amount

    # -- given ----------------------------------------------------------------------------------------------------
    def given(self, command: Command, by: Actor = SYSTEM) -> "GivenTable":
        """Do something that must be accepted."""
        decision = self.when(command, by)
        assert isinstance(decision, Accepted), decision
        return self

    def given_open(self, command: m.OpenSession | None = None) -> "GivenTable":
        """Open a session: technician, then committee member."""
        self.given(m.CheckEquipment(), by=TECHNICIAN)
        return self.given(command or opening(), by=COMMITTEE)

    def given_seated(self, number: int = 1, seat: int | None = None, credit: int = 100_000) -> "GivenTable":
        """Sit a player down and let a buy-in arrive."""
        seat = seat or number
        self.given(m.TakeSeat(seat=seat), by=player(number))
        if credit:
            self.given_credit(number, seat, credit)
        return self

    def given_credit(self, number: int, seat: int, amount: int, transfer: str = "") -> "GivenTable":
        """Let a buy-in of a player arrive."""
        who = player(number).id
        transfer = transfer or f"buy-in:{who}:{len(self.state.credits) + 1}:{self.state.session}"
        return self.given(CreditSeat(transfer_id=transfer, player=who, seat=seat, amount=amount))

    def given_wagers(self, *wagers: tuple[int, str, int]) -> "GivenTable":
        """Open betting and place wagers: (player, spot, amount)."""
        self.given(m.OpenBetting(), by=CROUPIER)
        for number, spot, amount in wagers:
            self.given(m.PlaceWager(spot=spot, amount=amount), by=player(number))
        return self

    def given_spin(self, shows: str, inner: str = "5") -> "GivenTable":
        """Close betting, let the wheel be launched by the timer, and answer the draws so that it shows this."""
        self.given(m.CloseBetting(), by=CROUPIER)
        self.later(DECISION_MS)
        self.given_drawn(MAIN_SEGMENTS.index(shows))
        if shows == "BONUS":
            self.given_drawn(INNER_SEGMENTS.index(inner))
        return self

    def given_drawn(self, *values: int) -> "GivenTable":
        """Let the RNG answer the oldest pending draw."""
        return self.given(self.drawn(*values))

    def drawn(self, *values: int) -> Answered:
        """Return the RNG's answer to the oldest pending draw."""
        draw_id, wanted = next(iter(self.state.draws.items()))
        kind = SealedDrawn if wanted.sealed else Drawn
        return Answered(to=draw_id, events=(kind(draw_id=draw_id, bounds=wanted.bounds, values=values),))

    def given_ledger_confirms(self) -> "GivenTable":
        """Let the ledger confirm everything that it is owed."""
        while self.state.owed:
            self.given(self.posted(min(self.state.owed)))
        return self

    def posted(self, number: int) -> Answered:
        """Return the ledger's answer to a posting of this session."""
        posted = TablePosted(
            table=self.state.table, session=self.state.session, number=number, reason="coup", entries=()
        )
        return Answered(to=f"post:{self.state.table}/{self.state.session}/{number}", events=(posted,))

    # -- then -----------------------------------------------------------------------------------------------------
    def then(self, *events: Event) -> "GivenTable":
        """The last command led to exactly these events."""
        assert isinstance(self.decision, Accepted), self.decision
        assert events == self.decision.events
        return self

    def then_refused(self, code: str) -> "GivenTable":
        """The last command was refused with this code, in both languages."""
        assert isinstance(self.decision, Refusal), self.decision
        assert code == self.decision.code
        assert self.decision.fr.endswith((".", "!"))
        assert self.decision.en.endswith((".", "!"))
        return self

    def then_already(self) -> "GivenTable":
        """The last command had been granted before."""
        assert isinstance(self.decision, Already), self.decision
        return self

    def only(self, kind: type[Event]) -> list[Event]:
        """Return the events of a kind in the current session, oldest first."""
        return [event for event in self.volumes[-1] if type(event) is kind]

    def of_coup(self) -> list[Event]:
        """Return the events of the running or last coup, *faites vos jeux* first; none before the first one."""
        for place in range(len(self.log) - 1, -1, -1):
            if isinstance(self.log[place], m.BettingOpened):
                return self.log[place:]
        return []

    @property
    def log(self) -> list[Event]:
        """The events of the current session."""
        return self.volumes[-1]

    @property
    def played(self) -> list[Event]:
        """The events of the current session that are not about seeds."""
        return [event for event in self.volumes[-1] if type(event) not in APPLY_SEEDS]

    def credit(self, number: int = 1) -> int:
        """Return a player's credit meter, in cents."""
        return self.state.seats[self.state.places[player(number).id]].credit

    def last_settlement(self) -> m.CoupSettled:
        """Return the latest settlement of the session."""
        event = self.only(m.CoupSettled)[-1]
        assert isinstance(event, m.CoupSettled)
        return event


def given_wheel(paytable: str = "ROUE-MAISON-1", **terms: object) -> GivenTable:
    """Return a wheel in an open session."""
    return GivenTable().given_open(opening(paytable, **terms))


def given_turning() -> GivenTable:
    """Return a table with 1 000 on 2 whose wheel turns and whose draw is pending."""
    table = given_wheel().given_seated(1, credit=5_000).given_wagers((1, "2", 1_000))
    return table.given(m.CloseBetting(), by=CROUPIER).given(LaunchWheel(), by=CROUPIER)


# -- laws that hold at every moment -------------------------------------------------------------------------------


def money_is_conserved(table: GivenTable) -> None:
    """The ledger sums to zero; each seat's meter plus its stakes is its ledger balance; so is the float."""
    assert sum(table.balances.values()) == 0
    state = table.state
    for number, seat in state.seats.items():
        held = seat.credit + sum(seat.stakes.values())
        assert table.balances.get(f"seat:{state.table}:{number}", 0) == held
        assert seat.credit >= 0
    taken = {f"seat:{state.table}:{number}" for number in state.seats}
    for account, balance in table.balances.items():
        if account.startswith("seat:") and account not in taken:
            assert balance == 0
    assert table.balances.get(f"float:{state.table}", 0) == state.float_balance


def folds(events: Sequence[Event], table: str = "T1") -> TableState:
    """Return the state that a stream folds to."""
    state = DECIDER.initial(table)
    for event in events:
        state = DECIDER.evolve(state, event)
    return state
