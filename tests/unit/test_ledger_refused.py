"""Once refused, always refused: a wish with money gets the same no again, whatever has changed since (law 4)."""

from typing import get_args

import msgspec
import pytest

from libs.eventlog.api import EventLog
from libs.eventlog.memory import MemoryLog
from libs.kernel import buckets
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.contracts.wallet import BuyIn, Deposit, Leg, Withdraw
from libs.kernel.contracts.wallet_cards import BlockCard
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.contracts.wallet_refusals import MoneyCommand, TransferRefused, Wish, wish_of
from libs.kernel.contracts.wallet_requests import (
    ApproveRequest,
    DeclineRequest,
    RequestAdjustment,
    RequestFill,
    RequestFloatCredit,
)
from libs.kernel.days import DAY_MS, day_of
from libs.kernel.decider import Already, Context, NotYet
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.kernel.limits import REFUSALS_PER_DATE, TRANSFER_DAYS_REMEMBERED
from libs.kernel.messages import Command, Tick
from libs.kernel.refusals import Refusal
from libs.ledger import refusals
from libs.ledger.decider import DECIDER
from libs.ledger.recall import decide_again
from libs.ledger.state import LedgerState, balance
from libs.runtime.answers import NO_MOMENT, Answers
from libs.runtime.audit import audit
from libs.runtime.kinds import WALLET
from libs.runtime.recall import find_transfer
from tests.kit.book import NOW_MS, TODAY, Book, code
from tests.kit.shard_run import ShardRun, open_run, wish
from tests.kit.tampering import Body, codes, first, lively_house, rewrite

CASHIER = Actor("cashier-1", "cashier")
COMMITTEE = Actor("committee-1", "committee_member")
PLAYER = Actor("player-1", "player")
TAKE = Withdraw(player="player-1", amount=500)
ID = f"cashier-1:{TODAY}/1"
WINDOW = 50
"""Answers that the wallet remembers here; 20,000 in a casino."""


def refused() -> Book[LedgerState]:
    """Return a ledger that has refused to pay out what was not there; since then it is there."""
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    assert "account.insufficient" == code(book.say(TAKE, by=CASHIER, command_id=ID))
    book.accept(Deposit(player="player-1", amount=10_000), by=CASHIER, command_id=f"cashier-1:{TODAY}/2")
    return book


def next_day(book: Book[LedgerState]) -> None:
    book.now_ms += DAY_MS
    book.accept(OpenGamingDay(day=day_of(book.now_ms)), by=SYSTEM)
    while DECIDER.deadline(book.state) is not None:
        assert msgspec.json.encode(book.replayed()) == msgspec.json.encode(book.state)
        book.accept(Tick())
    assert msgspec.json.encode(book.alone()) == msgspec.json.encode(book.state)


def test_a_refusal_is_a_fact_that_moves_nothing() -> None:
    """The log says who wished what, and the sentence of the no."""
    expected = TransferRefused(
        transfer_id=ID,
        by="cashier-1",
        number=1,
        wish=Wish("wallet.Withdraw", player="player-1", amount=500),
        code="account.insufficient",
        fr=refusals.INSUFFICIENT.fr,
        en=refusals.INSUFFICIENT.en,
    )
    book = refused()
    assert expected == book.log[1]
    assert 10_000 == balance(book.state, "player:player-1")


def test_the_same_no_on_every_day_after() -> None:
    """While it is remembered: on the same day, the next one and the one after; then the id is too old for anything."""
    book = refused()
    for _ in range(TRANSFER_DAYS_REMEMBERED + 1):
        assert refusals.INSUFFICIENT == book.say(TAKE, by=CASHIER, command_id=ID)
        next_day(book)
    assert "transfer.too_old" == code(book.say(TAKE, by=CASHIER, command_id=ID))
    assert () == tuple(buckets.items(book.state.refused))
    assert 10_000 == balance(book.state, "player:player-1")


def test_the_same_id_with_other_content_stays_a_conflict() -> None:
    """What was refused under an id cannot be had by wishing something smaller, or else, under it."""
    book = refused()
    others: list[Command] = [
        Withdraw(player="player-1", amount=499),
        Withdraw(player="player-2", amount=500),
        Deposit(player="player-1", amount=500),
        RequestAdjustment(legs=(Leg("player:player-1", -500), Leg("house:bank", 500)), reason="error"),
    ]
    for other in others:
        assert refusals.CONFLICT == book.say(other, by=CASHIER, command_id=ID)


def test_the_sentence_is_that_of_the_first_time() -> None:
    """A later release may word a refusal otherwise; whoever was told the old words is told them again."""
    book: Book[LedgerState] = Book(DECIDER, "ledger")
    old = Refusal("account.too_poor", "Pas assez.", "Not enough.")
    fact = TransferRefused(
        transfer_id=ID, by="cashier-1", number=1, wish=wish_of(TAKE), code=old.code, fr=old.fr, en=old.en
    )
    book.state = DECIDER.evolve(book.state, fact)
    assert old == book.say(TAKE, by=CASHIER, command_id=ID)


REFUSED: list[tuple[Command, Actor, str]] = [
    (BuyIn(pit="pit-1", table="T1", seat=1, amount=20_000), PLAYER, "account.insufficient"),
    (RequestFill(pit="pit-1", table="T1", amount=1, reason="r"), CASHIER, "role.not_allowed"),
    (RequestFloatCredit(pit="pit-1", table="T1", amount=1, reason="r"), CASHIER, "role.not_allowed"),
    (RequestAdjustment(legs=(Leg("house:bank", 1), Leg("cage:main", 1)), reason="r"), CASHIER, "adjustment.unbalanced"),
    (ApproveRequest(request="nobody:1"), COMMITTEE, "request.unknown"),
    (DeclineRequest(request="nobody:1", reason="r"), COMMITTEE, "request.unknown"),
    (Deposit(player="p" * 96, amount=1), CASHIER, "player.bad_id"),
    (Withdraw(player="player-2", amount=1), CASHIER, "account.insufficient"),
]


@pytest.mark.parametrize(("wanted", "by", "refusal"), REFUSED)
def test_every_wish_with_money_is_remembered(wanted: Command, by: Actor, refusal: str) -> None:
    """Whatever was wished and for whatever reason it was refused: one fact, the same answer, all of the wish."""
    book = refused()
    before = len(book.log)
    command_id = f"{by.id}:{TODAY}/wish"
    for _ in range(2):
        assert refusal == code(book.say(wanted, by=by, command_id=command_id))
    (fact,) = book.log[before:]
    assert isinstance(fact, TransferRefused)
    given = {name: value for name, value in msgspec.to_builtins(fact.wish).items() if value}
    assert wanted == msgspec.convert(given, type(wanted))


def test_all_wishes_with_money_are_tried_here() -> None:
    """The list above leaves none out."""
    assert set(get_args(MoneyCommand)) == {type(wanted) for wanted, _, _ in REFUSED}


def test_a_flood_of_refusals_ends() -> None:
    """After so many, new ids of that speaker and date are refused undecided and unlogged; all else goes on."""
    book = refused()
    # As if all but one of them had been refused before.
    state = book.state
    counts = buckets.put(state.refused, {f"cashier-1:{TODAY}": REFUSALS_PER_DATE - 1})
    book.state = msgspec.structs.replace(state, refused=counts)
    too_much = Withdraw(player="player-1", amount=10_001)
    assert "account.insufficient" == code(book.say(too_much, by=CASHIER, command_id=f"cashier-1:{TODAY}/last"))
    before = len(book.log)
    for wanted in (too_much, TAKE):
        for _ in range(2):
            assert refusals.TOO_MANY_REFUSED == book.say(wanted, by=CASHIER, command_id=f"cashier-1:{TODAY}/more")
    assert before == len(book.log)
    assert refusals.INSUFFICIENT == book.say(TAKE, by=CASHIER, command_id=ID)
    first = Deposit(player="player-1", amount=10_000)
    assert isinstance(book.say(first, by=CASHIER, command_id=f"cashier-1:{TODAY}/2"), Already)
    next_day(book)
    assert refusals.TOO_MANY_REFUSED == book.say(TAKE, by=CASHIER, command_id=f"cashier-1:{TODAY}/more")
    for other_date, who in (("2026-01-02", CASHIER), (TODAY, Actor("cashier-2", "cashier"))):
        book.accept(TAKE, by=who, command_id=f"{who.id}:{other_date}/x")


def test_an_id_dated_ahead_is_refused_for_good_or_not_taken() -> None:
    """One dated the day after tomorrow stays refused when its day has come; one far ahead gets no answer."""
    book = refused()
    soon, far = "cashier-1:2026-01-03/1", "cashier-1:2026-01-05/1"
    assert "transfer.dated_ahead" == code(book.say(TAKE, by=CASHIER, command_id=soon))
    assert isinstance(book.say(TAKE, by=CASHIER, command_id=far), NotYet)
    for _ in range(4):
        next_day(book)
    assert "transfer.dated_ahead" == code(book.say(TAKE, by=CASHIER, command_id=soon))
    book.accept(TAKE, by=CASHIER, command_id=far)


# -- under the loop -----------------------------------------------------------------------------------------------
async def wallet(log: EventLog, now_ms: list[int]) -> ShardRun:
    """Return a wallet as a process that takes over has it; as the clock goes, `now_ms` says."""
    return await open_run(
        log, kind=WALLET, name=WALLET_SHARD, known={LEDGER}, clock_ms=lambda: now_ms[0], answers=Answers(WINDOW)
    )


async def told(run: ShardRun, *wishes: tuple[str, Command]) -> list[tuple[str, str]]:
    """Return ids and codes of the answers to these commands, which come in one batch."""
    before = len(await run.answers())
    await run.say(*(wish(command, LEDGER, command_id, by=CASHIER) for command_id, command in wishes))
    assert run.failure is None
    return [(answer.id, answer.refusal.code if answer.refusal else "") for answer in (await run.answers())[before:]]


async def drown_answers(run: ShardRun) -> None:
    """Have so many other commands answered that no answer before them is remembered."""
    other = BlockCard(card="C-1", reason="lost")
    for _ in range(2):
        await run.say(*(wish(other, LEDGER, by=CASHIER) for _ in range(WINDOW)))
    assert run.shard._answers.get(ID) is None


async def test_once_refused_always_refused() -> None:
    """In the same batch, with its answer forgotten, after a restart, on day 3, and when the log alone remembers it."""
    now_ms, log = [NOW_MS], MemoryLog()
    run = await wallet(log, now_ms)
    deposit = Deposit(player="player-1", amount=10_000)
    no = (ID, "account.insufficient")
    assert [no, (f"cashier-1:{TODAY}/2", ""), no] == await told(
        run, (ID, TAKE), (f"cashier-1:{TODAY}/2", deposit), (ID, TAKE)
    )
    await drown_answers(run)
    assert [no] == await told(run, (ID, TAKE))
    for _ in range(2):
        run = await wallet(log, now_ms)
        now_ms[0] += DAY_MS
        day = OpenGamingDay(day=day_of(now_ms[0]))
        await run.say(wish(day, LEDGER, by=COMMITTEE), wish(TAKE, LEDGER, ID, by=CASHIER))
        assert ID == (await run.answers())[-1].id
        while run.state(LEDGER).bringing is not None:
            await run.shard._commit(run.shard._decisions.tick([LEDGER], now_ms[0]), run.shard.cursor)
        run.shard._answers.rebuild((), NO_MOMENT)
        assert [no, no, (ID, "command.conflict")] == await told(run, (ID, TAKE), (ID, TAKE), (ID, deposit))
        run.shard._answers.rebuild((), NO_MOMENT)
        assert [(ID, "transfer.conflict")] == await told(run, (ID, deposit))
    assert 10_000 == balance(run.state(LEDGER), "player:player-1")
    made = await find_transfer(log, WALLET_SHARD, ID)
    assert made is not None
    context = Context(0, CASHIER, ID, LEDGER)
    assert refusals.INSUFFICIENT == decide_again(TAKE, context, made)
    assert refusals.CONFLICT == decide_again(deposit, context, made)
    assert () == (await audit(log)).faults


async def test_a_refused_wish_that_moved_money_is_found_by_the_audit() -> None:
    """A log in which an id was refused and moved money all the same is a forged one."""
    house = await lively_house()
    given = await house.tell("cashier-1", "cashier", WALLET_SHARD, LEDGER, Withdraw(player="nobody", amount=1))
    assert given.refusal == refusals.INSUFFICIENT
    assert () == (await audit(house.log)).faults
    place = first(house, WALLET_SHARD, "ledger/1", "wallet.TransferRefused")
    done = first(house, WALLET_SHARD, "ledger/1", "wallet.Deposited")

    def forge(events: list[tuple[EventRecord, Body]]) -> None:
        events[place][1]["transfer_id"] = events[done][1]["transfer_id"]

    rewrite(house, WALLET_SHARD, "ledger/1", forge)
    assert ["transfer.twice"] == codes(await audit(house.log))
