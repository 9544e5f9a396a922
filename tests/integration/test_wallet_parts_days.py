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
from libs.kernel.wallets import index_of, wallet_at, wallet_of
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
HERE, THERE = (wallet_at(index, 2) for index in (index_of(TABLE, 2), 1 - index_of(TABLE, 2)))
"""The table's part, owned by the test, and the player's, owned by another process."""
NAME = next(f"player-{number}" for number in count(1) if wallet_of(f"player-{number}", 2) == THERE)
CHIPS, MONEY = seat_account(TABLE, 1), player_account(NAME)


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


async def buy_chips(there: ShardRun, date_of_ids: str) -> None:
    """Have a player buy chips at the table: the money has left this part and not arrived at the other."""
    player, bought = Actor(NAME, "player"), f"{NAME}:{date_of_ids}/1"
    deposit = Deposit(player=NAME, amount=5_000)
    await there.say(wish(deposit, THERE.book, f"cashier-1:{date_of_ids}/1", by=CASHIER))
    await there.say(wish(BuyIn(pit="pit-1", table=TABLE, seat=1, amount=2_000), THERE.book, bought, by=player))
    credited = SeatCredited(transfer_id=bought, player=NAME, seat=1, amount=2_000, credit_after=2_000)
    await there.say(wish(Answered(to=f"credit:{bought}", events=(credited,)), THERE.book, by=SYSTEM))
    assert [1] == list(there.state(THERE.book).channels[HERE.shard].open)


async def sell_chips(here: ShardRun) -> None:
    """Let the money arrive, and have chips sent home."""
    await here.take()
    assert 2_000 == balance(here.state(HERE.book), CHIPS)
    legs = (Leg(CHIPS, -700), Leg(MONEY, 700))
    home_again = PostFromTable(table=TABLE, session=1, number=1, reason="cash_out", legs=legs)
    await here.say(wish(home_again, HERE.book, f"post:{TABLE}/1/1"))
    assert [1] == list(here.state(HERE.book).channels[THERE.shard].open)


async def test_two_parts_open_the_day_each_by_its_owner(
    redis_url: str, site: str, redis_log: RedisLog, tmp_path: Path
) -> None:
    """Past the cut-off each owner opens the day in its part; what one sent the day before arrives once, either way."""
    floor, log = floor_of_two(site, tmp_path), redis_log
    now_ms = time.time_ns() // 1_000_000
    today = gaming_date(now_ms, ZoneInfo("Europe/Paris"), "06:00")
    yesterday = (date.fromisoformat(today) - timedelta(days=1)).isoformat()
    there, here = await part(log, *THERE), await part(log, *HERE)
    for run, place in ((there, THERE), (here, HERE)):
        await run.say(wish(OpenGamingDay(day=yesterday), place.book, by=COMMITTEE))
    await buy_chips(there, day_of(now_ms))
    assert await log.release(THERE.shard, there.shard._owned.epoch)
    theirs: list[LedgerState] = []

    async def is_open() -> bool:
        state = await ledger(log, *THERE)
        theirs[:] = [state] if state is not None and state.day == today and state.bringing is None else []
        return bool(theirs)

    def is_quiet(state: LedgerState) -> bool:
        return all((len(channel.open), channel.received) == (0, 1) for channel in state.channels.values())

    async def all_is_over() -> bool:
        mine = here.state(HERE.book)
        return (
            await is_open() and mine.day == today and mine.bringing is None and is_quiet(mine) and is_quiet(theirs[0])
        )

    with wallet_process(redis_url, site, floor):
        await until(is_open)
        assert [1] == list(theirs[0].channels[HERE.shard].open), "it was received before the day was opened"
        await sell_chips(here)
        assert yesterday == here.state(HERE.book).day
        here = await part(log, *HERE, floor)
        async with at_work(here):
            await until(all_is_over)
    await check(log, theirs[0], here.state(HERE.book))


async def check(log: RedisLog, theirs: LedgerState, mine: LedgerState) -> None:
    """See that no cent is missing, and on which day each part has received what the other sent."""
    assert (3_700, 1_300) == (balance(theirs, MONEY), balance(mine, CHIPS))
    assert [0, 0] == [imbalance(theirs), imbalance(mine)]
    assert 0 == balance(theirs, transit_account(HERE.shard)) + balance(mine, transit_account(THERE.shard))
    for place, received in ((HERE, [1, 0]), (THERE, [0, 1])):
        days = [tags(await stream_of(log, place.shard, f"{place.book}/{volume}")) for volume in (1, 2)]
        assert received == [day.count("wallet.TransferReceived") for day in days]
        assert [1, 1] == [day.count("wallet.LedgerOpened") for day in days]
