"""Limits and exclusions in the ledger: from when they count, whom they bind, and what they never refuse."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from libs.kernel.actors import Actor, Role
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.wallet import BuyIn, Deposit, Leg, PostFromTable, Withdraw
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.contracts.wallet_limits import (
    AllowanceDue,
    ExcludePlayer,
    ExcludeSelf,
    LiftExclusion,
    LimitSet,
    Player,
    PlayerExcluded,
    SetLimit,
    Told,
)
from libs.kernel.days import DAY_MS, day_of, later
from libs.kernel.decider import Already, Decision
from libs.kernel.limits import ALLOWANCES_SENT, PLAYER_CHANGES_REMEMBERED
from libs.kernel.messages import Command, Tick
from libs.kernel.refusals import Refusal
from libs.ledger.allowances import with_player
from libs.ledger.decider import DECIDER
from libs.ledger.players import flows, known_player
from libs.ledger.state import LedgerState, balance
from tests.kit.book import NO_PLAYERS, NOW_MS, Book, code
from tests.kit.given import ALL_ROLES, CASHIER, COMMITTEE

PLAYER, OTHER = Actor("player-1", "player"), Actor("player-2", "player")
MONDAY = NOW_MS + 4 * DAY_MS
"""A Monday: 5 January 2026."""
WORD = Told(pit="pit-1", day="2026-01-05", number=1, cents=0, code="exclusion.self", heard=False)
"""That nothing more may be staked, which its table has not answered."""


class Cage:
    """A ledger, with an open gaming day unless it is said, and the words that people say to it."""

    def __init__(self, *, opened: bool = True) -> None:
        self.book: Book[LedgerState] = Book(DECIDER, "ledger")
        self.book.now_ms = MONDAY
        self.number = 0
        if opened:
            self.open_day()

    def open_day(self, days: int = 0) -> "Cage":
        """Open the gaming day so many days on, and bring everything forward."""
        self.book.now_ms += days * DAY_MS
        self.book.accept(OpenGamingDay(day=day_of(self.book.now_ms)))
        while self.book.state.bringing is not None:
            self.book.accept(Tick())
        assert msgspec.json.encode(self.book.alone()) == msgspec.json.encode(self.book.state)
        return self

    @property
    def day(self) -> str:
        """The running gaming day."""
        return self.book.state.day

    def say(self, command: Command, by: Actor = PLAYER) -> Decision:
        """Say something, each time under a new id."""
        self.number += 1
        return self.book.say(command, by=by, command_id=f"{by.id}:{day_of(self.book.now_ms)}/{self.number}")

    def limit(self, kind: str, amount: int | None, period: str = "day", by: Actor = PLAYER) -> Decision:
        """Wish for a limit of player 1."""
        wish = {"type": "wallet.SetLimit", "player": "player-1", "kind": kind, "period": period, "amount": amount}
        return self.say(msgspec.convert(wish, SetLimit), by)

    def deposit(self, amount: int) -> str:
        """Bring money; return why it is refused."""
        return code(self.say(Deposit(player="player-1", amount=amount), CASHIER))

    def buy_in(self, amount: int) -> str:
        """Buy chips, which the table always credits; return why it is refused."""
        return code(self.say(BuyIn(pit="pit-1", table="T1", seat=1, amount=amount)))

    def back(self, amount: int) -> None:
        """Chips come home from a table, as a posting that the table owes."""
        number = self.book.state.tables["T1"].number + 1
        legs = (Leg("float:T1", -amount), Leg("player:player-1", amount))
        self.book.accept(PostFromTable(table="T1", session=1, number=number, reason="cash_out", legs=legs))


def test_a_tighter_limit_counts_at_once_and_for_the_whole_day() -> None:
    """What was brought before the wish counts, too; nothing more may come than the limit leaves."""
    cage = Cage()
    assert "" == cage.deposit(300)
    assert not code(cage.limit("deposit", 500))
    assert "limit.deposit" == cage.deposit(201)
    assert "" == cage.deposit(200)
    assert "limit.deposit" == cage.deposit(1)
    assert not code(cage.limit("deposit", 100))
    assert "" == cage.open_day(1).deposit(100)
    assert "limit.deposit" == cage.deposit(1)


@pytest.mark.parametrize(("period", "days"), [("day", 2), ("week", 8)])
@pytest.mark.parametrize("amount", [1_000, None])
def test_a_looser_limit_counts_after_the_cooling_time(period: str, days: int, amount: int | None) -> None:
    """A whole gaming day must pass for a day's limit, seven for a week's; on the day before it is still the old one."""
    cage = Cage()
    cage.limit("deposit", 500, period)
    cage.limit("deposit", amount, period)
    said = cage.book.log[-1]
    assert isinstance(said, LimitSet)
    assert (500, amount, later(cage.day, days)) == (said.before, said.amount, said.from_day)
    assert "limit.deposit" == cage.deposit(501)
    assert "limit.deposit" == cage.open_day(days - 1).deposit(501)
    assert "" == cage.open_day(1).deposit(501)


def test_the_last_wish_stands() -> None:
    """A looser limit that waits is given up for a tighter one; the same wish again does not begin its time anew."""
    cage = Cage()
    cage.limit("deposit", 500)
    cage.limit("deposit", 1_000)
    cage.open_day(1)
    assert isinstance(cage.limit("deposit", 1_000), Already)
    cage.limit("deposit", 400)
    assert isinstance(cage.limit("deposit", 400), Already)
    assert "limit.deposit" == cage.open_day(5).deposit(401)


def test_a_week_begins_on_monday() -> None:
    """What was brought from Monday to Sunday counts together; on the next Monday it is forgotten."""
    cage = Cage()
    cage.limit("deposit", 500, "week")
    assert "" == cage.deposit(300)
    assert "limit.deposit" == cage.open_day(6).deposit(201)
    assert "" == cage.deposit(200)
    assert "" == cage.open_day(1).deposit(500)


def test_losses_are_what_goes_to_tables_and_does_not_come_back() -> None:
    """Chips in play are at risk; what comes back makes room again, and never more room than the limit."""
    cage = Cage()
    cage.deposit(5_000)
    cage.limit("loss", 500)
    assert "" == cage.buy_in(300)
    assert "limit.loss" == cage.buy_in(201)
    cage.back(2_000)
    assert "limit.loss" == cage.buy_in(501)
    assert "" == cage.buy_in(500)
    assert "limit.loss" == cage.buy_in(1)


@pytest.mark.parametrize("days", [0, 1, 7], ids=["the same day", "the next day", "the next week"])
def test_a_void_gives_room_back_in_the_period_of_its_buy_in(days: int) -> None:
    """What never reached a table of yesterday gives no room to lose today, and none of last week in this one."""
    cage = Cage()
    cage.deposit(5_000)
    cage.buy_in(300)
    (waiting,) = cage.book.state.pending
    if days:
        cage.open_day(days)
    cage.buy_in(400)
    no = Refusal("seat.free", "Non.", "No.")
    cage.book.accept(Answered(to=f"credit:{waiting}", refusal=no))
    now = flows(known_player(cage.book.state, "player-1"), cage.day)
    assert (400, 400) == (now["day"].at_risk, now["week"].at_risk)
    assert msgspec.json.encode(cage.book.alone()) == msgspec.json.encode(cage.book.state)
    cage.limit("loss", 500)
    assert ("limit.loss", "") == (cage.buy_in(101), cage.buy_in(100))


def test_a_buy_in_keeps_its_answer_on_another_day() -> None:
    """The day is the ledger's word about a wish, not a part of it: the same wish comes again and is the same."""
    cage = Cage()
    cage.deposit(5_000)
    wish, command_id = BuyIn(pit="pit-1", table="T1", seat=1, amount=100), f"player-1:{cage.day}/first"
    (pended,) = cage.book.accept(wish, by=PLAYER, command_id=command_id)
    cage.open_day(1)
    assert Already((pended,)) == cage.book.say(wish, by=PLAYER, command_id=command_id)


def test_an_exclusion_refuses_deposits_and_buy_ins_and_nothing_else() -> None:
    """What comes home arrives, and whatever is on the account is paid out."""
    cage = Cage()
    cage.deposit(1_000)
    cage.buy_in(400)
    cage.say(ExcludeSelf(player="player-1", until=later(cage.day, 2)))
    assert ("exclusion.self", "exclusion.self") == (cage.deposit(1), cage.buy_in(1))
    cage.back(900)
    assert not code(cage.say(Withdraw(player="player-1", amount=1_500), CASHIER))
    assert 0 == balance(cage.book.state, "player:player-1")
    assert "exclusion.self" == cage.open_day(1).deposit(1)
    assert "" == cage.open_day(1).deposit(1)


def test_a_deposit_that_was_made_keeps_its_answer() -> None:
    """An exclusion does not turn a yes of before into a no when the same wish comes again."""
    cage = Cage()
    wish = Deposit(player="player-1", amount=100)
    command_id = f"cashier-1:{cage.day}/first"
    cage.book.accept(wish, by=CASHIER, command_id=command_id)
    cage.say(ExcludeSelf(player="player-1"))
    assert isinstance(cage.book.say(wish, by=CASHIER, command_id=command_id), Already)


def test_a_self_exclusion_is_only_made_longer() -> None:
    """Nobody shortens or lifts it: not the player, not the committee; over, it may be made anew."""
    cage = Cage()
    day = cage.day
    cage.say(ExcludeSelf(player="player-1", until=later(day, 5)))
    assert isinstance(cage.say(ExcludeSelf(player="player-1", until=later(day, 5))), Already)
    assert "exclusion.only_longer" == code(cage.say(ExcludeSelf(player="player-1", until=later(day, 4))))
    assert "exclusion.only_self" == code(cage.say(LiftExclusion(player="player-1", reason="sorry"), COMMITTEE))
    assert not code(cage.say(ExcludeSelf(player="player-1", until=later(day, 6))))
    cage.open_day(6)
    assert "" == cage.deposit(1)
    assert not code(cage.say(ExcludeSelf(player="player-1", until=later(day, 7))))
    assert not code(cage.say(ExcludeSelf(player="player-1")))
    assert "exclusion.only_longer" == code(cage.say(ExcludeSelf(player="player-1", until=later(day, 900))))
    assert "exclusion.self" == cage.open_day(400).deposit(1)


def test_the_casino_excludes_and_lifts() -> None:
    """A committee member does both with a reason, and may change the term; the player's own exclusion stands beside."""
    cage = Cage()
    cage.say(ExcludePlayer(player="player-1", reason="cheating"), COMMITTEE)
    assert isinstance(cage.say(ExcludePlayer(player="player-1", reason="cheating"), COMMITTEE), Already)
    cage.say(ExcludePlayer(player="player-1", reason="cheating", until=later(cage.day, 3)), COMMITTEE)
    cage.say(ExcludeSelf(player="player-1", until=later(cage.day, 1)))
    assert "exclusion.casino" == cage.deposit(1)
    cage.say(LiftExclusion(player="player-1", reason="mistaken"), COMMITTEE)
    assert "exclusion.self" == cage.deposit(1)
    assert isinstance(cage.say(LiftExclusion(player="player-2", reason="mistaken"), COMMITTEE), Already)


@pytest.mark.parametrize("until", ["2026-01-05", "2026-01-04", "2026-02-30", "2026-13-01"])
def test_the_end_of_an_exclusion_is_a_day_to_come(until: str) -> None:
    """Today, the past and what is no date are refused, for both kinds."""
    cage = Cage()
    assert "2026-01-05" == cage.day
    assert "exclusion.until_not_ahead" == code(cage.say(ExcludeSelf(player="player-1", until=until)))
    said = cage.say(ExcludePlayer(player="player-1", reason="x", until=until), COMMITTEE)
    assert "exclusion.until_not_ahead" == code(said)


ALLOWED: list[tuple[Command, set[Role]]] = [
    (SetLimit(player="player-1", kind="stake", period="day", amount=1), {"player", "cashier", "pit_boss"}),
    (ExcludeSelf(player="player-1"), {"player", "cashier", "pit_boss"}),
    (ExcludePlayer(player="player-1", reason="x"), {"committee_member"}),
    (LiftExclusion(player="player-1", reason="x"), {"committee_member"}),
]


@pytest.mark.parametrize("role", ALL_ROLES)
@pytest.mark.parametrize(("command", "allowed"), ALLOWED, ids=lambda value: type(value).__name__)
def test_role(command: Command, allowed: set[Role], role: Role) -> None:
    """Limits are the player's wish, also by the mouth of the staff; exclusion by the casino is the committee's."""
    said = Cage().say(command, Actor("player-1", role))
    assert (code(said) == "role.not_allowed") == (role not in allowed)


def test_a_player_speaks_for_himself_alone() -> None:
    """Neither a limit nor an exclusion of somebody else."""
    cage = Cage()
    assert "player.not_yourself" == code(cage.limit("loss", 1, by=OTHER))
    assert "player.not_yourself" == code(cage.say(ExcludeSelf(player="player-1"), OTHER))


def test_without_a_gaming_day_there_is_nothing_to_count_in() -> None:
    """A ledger whose days nobody has opened takes no limits."""
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    assert "day.none" == code(book.say(ExcludeSelf(player="player-1"), by=PLAYER))


def test_who_has_bought_chips_before_the_first_gaming_day_is_known_to_sit_there() -> None:
    """A ledger takes money before it has a day: an exclusion on the first one is told to the table all the same."""
    cage = Cage(opened=False)
    assert ("", "") == (cage.deposit(500), cage.buy_in(100))
    cage.open_day()
    cage.say(ExcludeSelf(player="player-1"))
    assert [("T1", "exclusion.self")] == [(e.table, e.code) for e in cage.book.log if isinstance(e, AllowanceDue)]
    assert {"T1": cage.day} == {
        name: told.day for name, told in known_player(cage.book.state, "player-1").tables.items()
    }


@pytest.mark.parametrize("player", NO_PLAYERS)
def test_a_name_that_no_player_can_have_gets_no_limit(player: str) -> None:
    """It would count for nobody."""
    assert "player.bad_id" == code(Cage().say(ExcludeSelf(player=player), CASHIER))


def test_a_pit_that_is_away_holds_up_no_other() -> None:
    """However many words wait for one pit, the tables of another are told theirs."""
    state = Cage().book.state
    for number in range(ALLOWANCES_SENT + 1):
        state = with_player(state, f"away-{number}", Player(tables={"T1": WORD}))
    state = with_player(state, "there", Player(tables={"T2": msgspec.structs.replace(WORD, pit="pit-2")}))
    assert {"pit-1": ALLOWANCES_SENT, "pit-2": 1} == Counter(debt.shard for debt in DECIDER.react(state))


def test_the_history_is_kept_over_the_days() -> None:
    """Who, when, and from when: also of what is over, up to a stated number of changes."""
    cage = Cage()
    cage.limit("loss", 500, by=CASHIER)
    cage.say(ExcludeSelf(player="player-1", until=later(cage.day, 1)))
    cage.open_day(30)
    limit, excluded = known_player(cage.book.state, "player-1").history
    assert isinstance(limit, LimitSet)
    assert isinstance(excluded, PlayerExcluded)
    assert (("cashier-1", "cashier"), ("player-1", "player")) == (
        (limit.by, limit.role),
        (excluded.by, excluded.role),
    )
    for amount in range(PLAYER_CHANGES_REMEMBERED + 5):
        cage.limit("stake", 10_000 - amount)
    history: tuple[Any, ...] = known_player(cage.book.state, "player-1").history
    assert PLAYER_CHANGES_REMEMBERED == len(history)
    assert 10_000 - PLAYER_CHANGES_REMEMBERED - 4 == history[-1].amount


def test_who_has_no_limit_is_forgotten_when_the_week_is_over() -> None:
    """Memory is bounded: figures of a past week are nobody's business; a limit is kept for ever."""
    cage = Cage()
    cage.deposit(100)
    assert 100 == flows(known_player(cage.book.state, "player-1"), cage.day)["week"].deposited
    cage.open_day(6)
    assert 100 == flows(known_player(cage.book.state, "player-1"), cage.day)["week"].deposited
    assert not any(leaf for branch in cage.open_day(1).book.state.players for leaf in branch)
    cage.limit("loss", 500)
    assert known_player(cage.open_day(100).book.state, "player-1").limits
