"""The gaming days of a wallet in parts: each owner opens its own by the clock, with money on its way between them."""

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from libs.eventlog.api import EventLogError
from libs.eventlog.redis_log import RedisLog
from libs.kernel.accounts import player_account, seat_account, transit_account
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import SeatCredited
from libs.kernel.contracts.wallet import BuyIn, Deposit, Leg, PostFromTable
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.days import day_of
from libs.kernel.wallets import index_of, wallet_at
from libs.ledger.state import LedgerState, balance, imbalance
from libs.runtime.floor import load_floor
from libs.runtime.gaming_day import clock_of_days, gaming_date
from libs.runtime.kinds import WALLET
from libs.runtime.loading import load_books
from tests.kit.casino import floor_for
from tests.kit.given import CASHIER, COMMITTEE
from tests.kit.shard_run import ShardRun, open_run, stream_of, tags, wish
from tests.kit.waiting import until

pytestmark = pytest.mark.redis

TABLE = "roue-1"


def floor_of_two(site: str, folder: Path) -> Path:
    """Write a floor whose wallet has two parts."""
    path = floor_for(site, folder)
    path.write_text(path.read_text(encoding="utf-8").replace("\ncutoff", "\nwallets = 2\ncutoff"), encoding="utf-8")
    return path


@contextmanager
def wallet_process(url: str, site: str, floor: Path) -> Iterator[None]:
    """Run the wallet in a process of its own."""
    settings = {"REDIS_URL": url, "TAPIS_SITE": site, "TAPIS_FLOOR": str(floor), "TAPIS_HTTP_PORT": "0"}
    settings |= {"TAPIS_DURABILITY": "relaxed", "TAPIS_LOG_LEVEL": "error"}
    process = subprocess.Popen([sys.executable, "-m", "services.wallet"], env=os.environ | settings)
    try:
        yield
    finally:
        process.terminate()
        assert 0 == process.wait(30)


async def part(log: RedisLog, shard: str, book: str, floor: Path | None = None) -> ShardRun:
    """Own a part in this process; with a floor, the clock of its days goes."""
    timed = clock_of_days(load_floor(floor), [book]) if floor else None
    return await open_run(log, kind=WALLET, name=shard, known={book}, timed=timed)


@asynccontextmanager
async def at_work(run: ShardRun) -> AsyncIterator[None]:
    """Let an owned part tick, and handle what arrives."""

    async def handle() -> None:
        while True:
            await run.take()
            await asyncio.sleep(0.01)

    tasks = [asyncio.create_task(run.shard.run()), asyncio.create_task(handle())]
    try:
        yield
        assert run.failure is None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def ledger(log: RedisLog, shard: str, book: str) -> LedgerState | None:
    """Return a part as its log makes it, None when it was written to meanwhile."""
    with contextlib.suppress(EventLogError):
        found = await load_books(log, shard, WALLET.decider, WALLET.codec, await log.heads(shard))
        state: LedgerState = found[book].state
        return state
    return None


async def test_two_parts_open_the_day_each_by_its_owner(
    redis_url: str, site: str, redis_log: RedisLog, tmp_path: Path
) -> None:
    """Past the cut-off each owner opens the day in its part; what one sent the day before arrives once, either way."""
    floor, log = floor_of_two(site, tmp_path), redis_log
    now_ms = time.time_ns() // 1_000_000
    today = gaming_date(now_ms, ZoneInfo("Europe/Paris"), "06:00")
    yesterday = (date.fromisoformat(today) - timedelta(days=1)).isoformat()
    home = index_of(TABLE, 2)
    mine, theirs = wallet_at(home, 2), wallet_at(1 - home, 2)
    name = next(f"player-{number}" for number in count(1) if index_of(f"player-{number}", 2) != home)
    player, bought = Actor(name, "player"), f"{name}:{day_of(now_ms)}/1"

    # The day before: both parts in this process. A buy-in leaves the player's part and has not arrived at the table's.
    away, here = await part(log, *theirs), await part(log, *mine)
    for run, place in ((away, theirs), (here, mine)):
        await run.say(wish(OpenGamingDay(day=yesterday), place.book, by=COMMITTEE))
    deposit = Deposit(player=name, amount=5_000)
    await away.say(wish(deposit, theirs.book, f"cashier-1:{day_of(now_ms)}/1", by=CASHIER))
    await away.say(wish(BuyIn(pit="pit-1", table=TABLE, seat=1, amount=2_000), theirs.book, bought, by=player))
    credited = SeatCredited(transfer_id=bought, player=name, seat=1, amount=2_000, credit_after=2_000)
    await away.say(wish(Answered(to=f"credit:{bought}", events=(credited,)), theirs.book, by=SYSTEM))
    assert [1] == list(away.state(theirs.book).channels[mine.shard].open)
    assert await log.release(theirs.shard, away.shard._owned.epoch)

    # The clock has passed the cut-off: another process takes the player's part over, and opens the day in it alone.
    with wallet_process(redis_url, site, floor):

        async def is_open() -> bool:
            state = await ledger(log, *theirs)
            return state is not None and state.day == today and state.bringing is None

        await until(is_open)
        assert yesterday == here.state(mine.book).day
        carried = await ledger(log, *theirs)
        assert carried is not None
        assert [1] == list(carried.channels[mine.shard].open)

        # The table's part gets it on its old day, and sends chips home, which arrive on the new day of the other.
        await here.take()
        assert 2_000 == balance(here.state(mine.book), seat_account(TABLE, 1))
        legs = (Leg(seat_account(TABLE, 1), -700), Leg(player_account(name), 700))
        home_again = PostFromTable(table=TABLE, session=1, number=1, reason="cash_out", legs=legs)
        await here.say(wish(home_again, mine.book, f"post:{TABLE}/1/1"))
        assert yesterday == here.state(mine.book).day
        here = await part(log, *mine, floor)
        async with at_work(here):

            async def is_quiet() -> bool:
                state = await ledger(log, *theirs)
                parts = [] if state is None else [state, here.state(mine.book)]
                channels = [channel for one in parts for channel in one.channels.values()]
                return [0, 1] * 2 == [number for one in channels for number in (len(one.open), one.received)] and (
                    [today] * 2 == [one.day for one in parts if one.bringing is None]
                )

            await until(is_quiet)
    there = await ledger(log, *theirs)
    assert there is not None
    state = here.state(mine.book)
    assert (3_700, 1_300) == (balance(there, player_account(name)), balance(state, seat_account(TABLE, 1)))
    assert [0, 0] == [imbalance(there), imbalance(state)]
    assert 0 == balance(there, transit_account(mine.shard)) + balance(state, transit_account(theirs.shard))
    for place, received in ((mine, 1), (theirs, 2)):
        received_in = [f"{place.book}/{volume}" for volume in (1, 2)]
        found = [tags(await stream_of(log, place.shard, stream)) for stream in received_in]
        assert 1 == found[received - 1].count("wallet.TransferReceived")
        assert [1, 1] == [volume.count("wallet.LedgerOpened") for volume in found]
