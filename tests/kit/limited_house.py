"""Two real tables and a wallet under a model of limits: what its players have wished, and what their money did.

The model knows wishes, money, the calendar, and for which day and limits each word to a table stands; it knows nothing
of flows or grants.
"""

from typing import TypeAlias
from unittest.mock import patch

import msgspec

from libs.kernel.actors import Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.wallet import TablePosted
from libs.kernel.contracts.wallet_days import BroughtForward, OpenGamingDay
from libs.kernel.contracts.wallet_limits import AllowanceDue, LimitKind, Period
from libs.kernel.days import DAY_MS, day_of, later, week_of
from libs.kernel.decider import Outgoing
from libs.kernel.ids import LEDGER
from libs.kernel.limits import VISITS_REMEMBERED_DAYS
from libs.kernel.messages import Command, Tick
from libs.kernel.wallets import index_of, wallet_at
from libs.ledger import days
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerState
from libs.table.allowances import seat_refused
from libs.table.decider import DECIDER as TABLE
from tests.kit.book import Book, code, facts
from tests.kit.given import GivenTable, player
from tests.kit.wire import Wire

COOLING = {"day": 2, "week": 8}
"""Gaming days from a wish for more to the day from which it counts."""
NO = {
    "account.insufficient",
    "exclusion.self",
    "exclusion.casino",
    "exclusion.only_longer",
    "exclusion.only_self",
    "exclusion.until_not_ahead",
    "limit.deposit",
    "limit.loss",
    "limit.stake",
    "limit.stake_elsewhere",
    "limit.stake_counted",
    "seat.taken",
    "seat.credit_too_low",
    "seat.not_seated",
    "seat.stake_down",
    "wager.betting_closed",
    "wager.over_maximum",
    "coup.none",
    "coup.running",
    "session.coup_running",
    "session.not_open",
}


class Wished:
    """One limit as its player has wished it, and what of it counts."""

    def __init__(self, period: Period) -> None:
        self.cooling = COOLING[period]
        self.counts: int | None = None
        self.then: tuple[str, int | None] | None = None

    def on(self, day: str) -> int | None:
        """Return what counts on a day."""
        return self.then[1] if self.then and day >= self.then[0] else self.counts

    def wish(self, day: str, cents: int | None) -> None:
        """Take a wish: less counts now, more later; the same again as what will count changes nothing."""
        if self.then and self.then[1] == cents and day < self.then[0]:
            return
        now = self.counts, self.then = self.on(day), None
        more = now[0] is not None and (cents is None or cents > now[0])
        if more:
            self.then = later(day, self.cooling), cents
        else:
            self.counts = cents


Letter: TypeAlias = tuple[str, int | str, Command, str]
"""To a part or a table, which one, what, and the id of the question that it answers, or its own."""


class LimitedHouse(Wire[Letter]):
    """What the rules of `tests/property/test_limits_model.py` work on."""

    parts_count = 1

    def __init__(self) -> None:
        super().__init__()
        self.small = patch.multiple(days, BRING_FORWARD_ENTRIES=2, BRING_FORWARD_PIECES=1)
        self.small.start()
        count = self.parts_count
        self.parts: list[Book[LedgerState]] = [Book(DECIDER, wallet_at(n, count).book) for n in range(count)]
        self.tables = {name: GivenTable(name) for name in ("T1", "T2")}
        self.number = 0
        self.limits: dict[tuple[int, LimitKind, Period], Wished] = {}
        self.excluded: dict[tuple[int, str], str | None] = {}
        self.deposits: list[tuple[int, str, int]] = []
        self.carried: list[tuple[int, str, int]] = []
        """Player, gaming day, and cents that went to a table, or came back from one, when negative."""
        self.staked: list[tuple[int, str, str, int, int]] = []
        """Player, gaming day of the word, table, coup, cents."""
        self.visits: dict[tuple[int, str], str] = {}
        """Gaming day of the last buy-in of each player at each table."""
        self.under: dict[tuple[str, str, int], str] = {}
        """Day and limits of each word, by player, table and number."""
        self.read: dict[str, int] = {}

    # -- time
    def next_day(self) -> None:
        """Open the next gaming day in all parts."""
        for part in self.parts:
            while part.state.bringing is not None:
                part.accept(Tick())
            part.now_ms += DAY_MS
            part.accept(OpenGamingDay(day=day_of(part.now_ms)), command_id=f"day:{part.now_ms}")
            self._note_words(part)

    def bring_some(self) -> None:
        """Some more is brought forward, and the tables of its players are told anew."""
        for part in self.parts:
            if part.state.bringing is not None:
                part.accept(Tick())
                if part.state.bringing is None:
                    assert msgspec.json.encode(part.alone()) == msgspec.json.encode(part.state)
            self._note_words(part)

    def all_brought(self) -> None:
        """Bring everything forward."""
        while any(part.state.bringing for part in self.parts):
            self.bring_some()

    # -- the network
    def send(self) -> None:
        """Everybody says what is owed."""
        for part in self.parts:
            self.wire += [self._letter(debt, part) for debt in DECIDER.react(part.state)]
        for table in self.tables.values():
            owed = [debt for debt in TABLE.react(table.state) if debt.book == LEDGER]
            home = index_of(table.state.table, self.parts_count)
            self.wire += [("part", home, debt.command, debt.command_id) for debt in owed]

    def settle(self) -> None:
        """Everything arrives and is answered: what was wished is known at the tables."""
        for _ in range(12):
            self.send()
            self.deliver_all()
        assert not any(part.state.untold for part in self.parts)
        if any(part.state.bringing for part in self.parts):
            return
        for name, table in self.tables.items():
            for who in (1, 2):
                self._knows(table, name, who)

    def _knows(self, table: GivenTable, name: str, who: int) -> None:
        """A table where the player has chips lets him stake no more than his limits and exclusions do."""
        place = table.state.places.get(player(who).id)
        assert self._is_excluded(who) or seat_refused(table.state, player(who).id) is None
        if not place or not (table.state.seats[place].credit or table.state.seats[place].stakes):
            return
        if later(self.visits[who, name], VISITS_REMEMBERED_DAYS) < self.day:
            return  # so long after the last buy-in the ledger need not know any more that he sits there
        heard = table.state.allowances.get(player(who).id)
        left = (
            None if heard is None or heard.said.allowance.cents is None else heard.said.allowance.cents - heard.staked
        )
        limits = [limit for period in ("day", "week") if (limit := self._limit(who, "stake", period)) is not None]
        assert (left is not None) == bool(limits or self._is_excluded(who))
        if self._is_excluded(who):
            assert left is not None
            assert left <= 0, name
        elif limits:
            assert left is not None
            assert left <= min(limits)

    # -- helpers
    def perhaps(self, arrives: bool) -> None:
        """Let everything arrive, or nothing for now."""
        if arrives:
            self.settle()

    @property
    def day(self) -> str:
        """Return the running gaming day."""
        return self.parts[0].state.day

    def _home(self, who: int) -> Book[LedgerState]:
        return self.parts[index_of(player(who).id, self.parts_count)]

    def _tell(self, who: int, command: Command, by: Actor) -> str:
        """Say something to the player's part; return why it is refused, or nothing."""
        self.number += 1
        part = self._home(who)
        said = code(part.say(command, by=by, command_id=f"{by.id}:{day_of(part.now_ms)}/{self.number}"))
        assert said in NO | {""}, said
        self._note_words(part)
        return said

    def _note_words(self, part: Book[LedgerState]) -> None:
        """Note what each word stands for."""
        for event in part.log[self.read.get(part.name, 0) :]:
            if isinstance(event, AllowanceDue):
                self.under[event.player, event.table, event.number] = event.under
            for name, known in event.players.items() if isinstance(event, BroughtForward) else ():
                self.under |= {(name, table, told.number): told.under for table, told in known.tables.items()}
        self.read[part.name] = len(part.log)

    def _within(self, who: int, kind: LimitKind, period: Period, cents: int) -> None:
        limit = self._limit(who, kind, period)
        assert limit is None or cents <= limit

    def _limit(self, who: int, kind: LimitKind, period: Period) -> int | None:
        wished = self.limits.get((who, kind, period))
        return wished.on(self.day) if wished else None

    def _is_excluded(self, who: int) -> bool:
        return any(w == who and (until is None or until > self.day) for (w, _), until in self.excluded.items())

    def _of_period(self, lines: list[tuple[int, str, int]], who: int, period: str) -> list[int]:
        same = (lambda day: day == self.day) if period == "day" else (lambda day: week_of(day) == week_of(self.day))
        return [cents for w, day, cents in lines if w == who and same(day)]

    def _unstake(self, table: str, amount: int | None, who: int | None) -> None:
        """Take stakes of the running coup out of the model: all of them, or so much of one player."""
        coup, left = self.tables[table].state.coup, amount
        for place in range(len(self.staked) - 1, -1, -1):
            by, day, where, number, cents = self.staked[place]
            if (where, number) == (table, coup) and (who is None or by == who) and (left is None or left > 0):
                less = cents if left is None else min(cents, left)
                left = None if left is None else left - less
                self.staked[place] = (by, day, where, number, cents - less)

    def _letter(self, debt: Outgoing, part: Book[LedgerState]) -> Letter:
        if debt.shard == "pit-1":
            return "table", debt.book, debt.command, f"{self.parts.index(part)}|{debt.command_id}"
        return "part", int(debt.shard.rpartition("-")[2]), debt.command, f"{self.parts.index(part)}|{debt.command_id}"

    def _arrive(self, letter: Letter) -> None:
        """Let a letter arrive; its answer goes on the wire."""
        kind, place, command, command_id = letter
        origin, _, asked = command_id.rpartition("|")
        if kind == "table":
            given = self.tables[str(place)]
            told = facts(given.when(command))
            said = Answered(to=asked, events=tuple(told))
            if told:
                self.wire.append(("part", int(origin), said, f"answer:{asked}"))
            return
        part = self.parts[int(place)]
        before = len(part.log)
        told = facts(part.say(command, command_id=asked))
        self._came_back(part, before)
        self._note_words(part)
        for event in told:
            if isinstance(event, TablePosted):
                self.tables[event.table].when(Answered(to=asked, events=(event,)))
        if origin and told:
            self.wire.append(("part", int(origin), Answered(to=asked, events=tuple(told)), f"answer:{asked}"))

    def _came_back(self, part: Book[LedgerState], before: int) -> None:
        """Note what came back from tables to players' accounts."""
        for event in part.log[before:]:
            for entry in getattr(event, "entries", ()):
                if entry.account.startswith("player:player-"):
                    self.carried.append((int(entry.account[-1]), part.state.day, -entry.amount))
