"""The ledger's volumes under the loop, the readers and the audit."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest

from libs.eventlog.memory import MemoryLog
from libs.kernel.contracts.wallet import Deposit
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.days import DAY_MS, day_of
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.ledger.state import LedgerState, balance
from libs.runtime.audit import audit
from libs.runtime.follower import Follower, follow
from libs.runtime.kinds import WALLET
from libs.runtime.loading import load_books
from tests.kit.memory_house import MemoryHouse
from tests.kit.tampering import Body, codes, first, lively_house, rewrite
from tests.kit.waiting import until

Change = Callable[[Body], None]


async def next_day(house: MemoryHouse) -> None:
    """Open the next gaming day; nothing is brought forward before time passes."""
    house.now_ms += DAY_MS
    opening = OpenGamingDay(day=day_of(house.now_ms))
    given = await house.tell("committee-1", "committee_member", WALLET_SHARD, LEDGER, opening)
    assert given.refusal is None, given.refusal


async def loaded(house: MemoryHouse) -> LedgerState:
    """Return the ledger as a new owner would load it."""
    heads = await house.log.heads(WALLET_SHARD)
    state: LedgerState = (await load_books(house.log, WALLET_SHARD, WALLET.decider, WALLET.codec, heads))[LEDGER].state
    return state


def live(house: MemoryHouse) -> LedgerState:
    state: LedgerState = house._shards[WALLET_SHARD].books[LEDGER].state
    return state


async def test_a_new_owner_finds_the_same_ledger_at_every_step_of_an_opening() -> None:
    """Before, amid and after the bringing forward, what is loaded is what the owner before had, to the byte."""
    house = await lively_house()
    for _ in range(3):
        await next_day(house)
        assert live(house).bringing is not None
        assert msgspec.json.encode(live(house)) == msgspec.json.encode(await loaded(house))
        deposit = Deposit(player="player-3", amount=100)
        assert (await house.tell("cashier-1", "cashier", WALLET_SHARD, LEDGER, deposit)).refusal is None
        assert msgspec.json.encode(live(house)) == msgspec.json.encode(await loaded(house))
        await house.pass_time(1)
        assert live(house).bringing is None
        assert msgspec.json.encode(live(house)) == msgspec.json.encode(await loaded(house))


async def test_once_all_is_brought_forward_nobody_reads_the_old_volume() -> None:
    """The old volumes may lie in an archive: a new owner loads the current one alone."""
    house = await lively_house()
    await next_day(house)
    await house.pass_time(1)
    assert isinstance(house.log, MemoryLog)
    house.log._shards[WALLET_SHARD].logs["ledger/1"].clear()
    assert msgspec.json.encode(live(house)) == msgspec.json.encode(await loaded(house))


@asynccontextmanager
async def following(house: MemoryHouse) -> AsyncIterator[Follower[LedgerState]]:
    """Follow the wallet from outside."""
    follower: Follower[LedgerState] = follow(house.log, WALLET_SHARD, WALLET)
    task = asyncio.create_task(follower.run())
    await until(lambda: follower.live)
    yield follower
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_readers_go_with_the_ledger_from_day_to_day() -> None:
    """A door that follows the wallet shows every balance at every moment, also while it is being brought forward."""
    house = await lively_house()
    async with following(house) as follower:
        await next_day(house)
        await until(lambda: follower.versions[LEDGER] == ("ledger/2", 1))
        assert msgspec.json.encode(live(house)) == msgspec.json.encode(follower.states[LEDGER])
        async with following(house) as late:
            assert balance(live(house), "player:player-1") == balance(late.states[LEDGER], "player:player-1") > 0
        await house.pass_time(1)
        await until(lambda: follower.versions[LEDGER] == ("ledger/2", 3))
        assert msgspec.json.encode(live(house)) == msgspec.json.encode(follower.states[LEDGER])


async def test_the_audit_follows_the_ledger_over_its_volumes() -> None:
    """Whole volumes, and one that is just being opened, agree with one another and with the tables."""
    house = await lively_house()
    for ready in (False, True):
        await next_day(house)
        await house.sit_down("player-4" if ready else "player-3", 7 if ready else 6, 5_000)
        assert () == (await audit(house.log)).faults
        await house.pass_time(1)
        assert () == (await audit(house.log)).faults


NOBODYS = {
    "transfer_id": "x",
    "player": "player-1",
    "pit": "pit-1",
    "table": "T1",
    "seat": 1,
    "amount": 1,
    "entries": [],
}

CARRIED: list[tuple[str, str, Change]] = [
    ("ledger/1", "wallet.LedgerClosed", lambda body: body.update(events=7)),
    ("ledger/1", "wallet.LedgerClosed", lambda body: body["count"].update(accounts=1)),
    ("ledger/1", "wallet.LedgerClosed", lambda body: body["count"].update(credit=1)),
    ("ledger/2", "wallet.LedgerOpened", lambda body: body["brings"].update(credit=1)),
    ("ledger/2", "wallet.LedgerOpened", lambda body: body["pending"].append(NOBODYS)),
    ("ledger/2", "wallet.BroughtForward", lambda body: body["balances"].update({"player:player-1": 1})),
    ("ledger/2", "wallet.BroughtForward", lambda body: body["balances"].update({"player:nobody": 1})),
    ("ledger/2", "wallet.BroughtForward", lambda body: body["balances"].pop("player:player-1")),
    ("ledger/2", "wallet.BroughtForward", lambda body: body["transfers"][0]["event"].update(transfer_id="x")),
]


@pytest.mark.parametrize(("stream", "tag", "change"), CARRIED)
async def test_what_is_brought_forward_otherwise_than_it_was_left_is_found(
    stream: str, tag: str, change: Change
) -> None:
    """A cheat who changes an account on its way from one day to the next cannot make the days agree."""
    house = await lively_house()
    await next_day(house)
    await house.pass_time(1)
    place = first(house, WALLET_SHARD, stream, tag)
    rewrite(house, WALLET_SHARD, stream, lambda events: change(events[place][1]))
    assert "carried.wrong" in codes(await audit(house.log))
