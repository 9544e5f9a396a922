"""Which gaming day an instant belongs to, and who opens the next one."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.eventlog.memory import MemoryLog
from libs.kernel.contracts.wallet import Deposit
from libs.kernel.contracts.wallet_days import LedgerClosed, LedgerOpened, OpenGamingDay
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.ledger.state import LedgerState, balance
from libs.runtime.faults import OwnershipLost
from libs.runtime.floor import Floor, Pit, Site, TablePlan
from libs.runtime.gaming_day import begins_at_ms, clock_of_days, gaming_date
from libs.runtime.kinds import WALLET
from tests.kit.given import CASHIER, COMMITTEE
from tests.kit.shard_run import ShardRun, open_run, stream_of, wish

PARIS = ZoneInfo("Europe/Paris")
HOUR_MS = 3_600_000


def ms(text: str) -> int:
    """Return the milliseconds of a time with its offset."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.mark.parametrize(
    ("instant", "cut_off", "day"),
    [
        # The clocks go forward on 29 March 2026 at 02:00.
        ("2026-03-29T01:59:59+01:00", "06:00", "2026-03-28"),
        ("2026-03-29T05:59:59+02:00", "06:00", "2026-03-28"),
        ("2026-03-29T06:00:00+02:00", "06:00", "2026-03-29"),
        ("2026-03-30T05:59:59+02:00", "06:00", "2026-03-29"),
        # The cut-off is skipped: the day begins as late as if they had not been set yet.
        ("2026-03-29T01:59:59+01:00", "02:30", "2026-03-28"),
        ("2026-03-29T03:29:59+02:00", "02:30", "2026-03-28"),
        ("2026-03-29T03:30:00+02:00", "02:30", "2026-03-29"),
        # They go back on 25 October 2026 at 03:00.
        ("2026-10-25T05:59:59+01:00", "06:00", "2026-10-24"),
        ("2026-10-25T06:00:00+01:00", "06:00", "2026-10-25"),
        # The cut-off comes twice: the first one counts, and the day does not begin again.
        ("2026-10-25T02:29:59+02:00", "02:30", "2026-10-24"),
        ("2026-10-25T02:30:00+02:00", "02:30", "2026-10-25"),
        ("2026-10-25T02:00:00+01:00", "02:30", "2026-10-25"),
        ("2026-10-25T02:30:00+01:00", "02:30", "2026-10-25"),
        # A session over midnight stays in the evening's day; a cut-off at midnight is the calendar's.
        ("2026-11-30T23:59:59+01:00", "06:00", "2026-11-30"),
        ("2026-12-01T00:00:00+01:00", "06:00", "2026-11-30"),
        ("2026-12-01T00:00:00+01:00", "00:00", "2026-12-01"),
    ],
)
def test_the_day_changes_at_the_cut_off(instant: str, cut_off: str, day: str) -> None:
    """In Paris the day changes at the hour on the wall, also in the nights in which the clocks are set."""
    assert day == gaming_date(ms(instant), PARIS, cut_off)


@pytest.mark.parametrize(("day", "hours"), [("2026-03-28", 23), ("2026-03-29", 24), ("2026-10-24", 25)])
def test_a_day_is_an_hour_shorter_or_longer(day: str, hours: int) -> None:
    """The day in whose night the clocks are set has 23 or 25 hours."""
    following = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    assert hours * HOUR_MS == begins_at_ms(following, PARIS, "06:00") - begins_at_ms(day, PARIS, "06:00")


ZONES = st.sampled_from(["Europe/Paris", "UTC", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Gaza"])
CUT_OFFS = st.builds(lambda h, m: f"{h:02}:{m:02}", st.integers(0, 23), st.integers(0, 59))
INSTANTS = st.integers(0, ms("2037-01-01T00:00:00+00:00"))


@given(INSTANTS, ZONES, CUT_OFFS)
def test_every_instant_has_one_day(instant: int, zone_name: str, cut_off: str) -> None:
    """An instant lies between the beginnings of its day and of the next: no hole, no instant in two days."""
    zone = ZoneInfo(zone_name)
    day = gaming_date(instant, zone, cut_off)
    following = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    assert begins_at_ms(day, zone, cut_off) <= instant < begins_at_ms(following, zone, cut_off)


@given(INSTANTS, st.integers(0, 100 * HOUR_MS), ZONES, CUT_OFFS)
def test_days_never_go_back(instant: int, later: int, zone_name: str, cut_off: str) -> None:
    """A later instant never belongs to an earlier day, however clocks are set."""
    zone = ZoneInfo(zone_name)
    assert gaming_date(instant, zone, cut_off) <= gaming_date(instant + later, zone, cut_off)


# -- who opens it -------------------------------------------------------------------------------------------------
TABLE = TablePlan(name="T1", game="wheel", paytable="X", minimum=100, float_amount=1_000, seats=1)
FLOOR = Floor(site=Site(name="site-a"), pits=(Pit(name="pit-1", tables=(TABLE,)),))
TIMED = clock_of_days(FLOOR, [LEDGER])


class HearingLog(MemoryLog):
    """A log that tells when something was put on an inbox."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = asyncio.Event()

    async def send(self, commands: Sequence[tuple[str, bytes]]) -> None:
        """Send, and tell."""
        await super().send(commands)
        if commands:
            self.heard.set()


async def opened(now_ms: list[int], log: MemoryLog) -> ShardRun:
    """Take the wallet over."""
    return await open_run(log, kind=WALLET, name=WALLET_SHARD, known=[LEDGER], clock_ms=lambda: now_ms[0])


async def hear(run: ShardRun, now_ms: int, times: int = 1) -> int:
    """Let the clock say what is due, so many times over; return how much it has said."""
    said = [raw for _ in range(times) for raw in TIMED(run.shard.books, now_ms)]
    await run.say(*said)
    return len(said)


async def bring_forward(run: ShardRun) -> None:
    """Let the ledger's ticks bring all forward."""
    while run.state(LEDGER).bringing is not None:
        plan = run.shard._decisions.tick([LEDGER], run.shard._clock_ms())
        await run.shard._commit(plan, run.shard.cursor)


async def days_in(log: MemoryLog) -> list[str]:
    """Return the days that the ledger's volumes say, in order."""
    found = []
    for stream in sorted(await log.heads(WALLET_SHARD)):
        record = (await stream_of(log, WALLET_SHARD, stream))[0]
        found.append(msgspec.json.decode(record.body)["day"])
    return found


async def test_the_clock_opens_each_day_once() -> None:
    """At the cut-off, not before, whoever owns the ledger opens the next day; said twice it is opened once."""
    log, now = MemoryLog(), [ms("2026-10-24T20:00:00+02:00")]
    run = await opened(now, log)
    assert 2 == await hear(run, now[0], times=2)
    assert 0 == await hear(run, now[0])
    now[0] = ms("2026-10-25T05:59:59+01:00")
    assert 0 == await hear(run, now[0])
    now[0] = ms("2026-10-25T06:00:00+01:00")
    assert 2 == await hear(run, now[0], times=2)
    assert 0 == await hear(run, now[0]), "while it is being opened nothing is said"
    await bring_forward(run)
    assert 0 == await hear(run, now[0])
    assert ["2026-10-24", "2026-10-25"] == await days_in(log)


async def test_the_owner_of_the_ledger_hears_the_clock() -> None:
    """While a shard runs, its loop says by itself what the time wants."""
    log, now_ms = HearingLog(), ms("2026-10-24T20:00:00+02:00")
    run = await open_run(log, kind=WALLET, name=WALLET_SHARD, known=[LEDGER], clock_ms=lambda: now_ms, timed=TIMED)
    running = asyncio.create_task(run.shard.run())
    await asyncio.wait_for(log.heard.wait(), 30)
    await run.take()
    assert ["2026-10-24"] == await days_in(log)
    run.shard.end(OwnershipLost())
    await asyncio.gather(running, return_exceptions=True)


async def test_a_new_owner_goes_on_where_the_last_one_was() -> None:
    """A wallet that was away for days closes the day that holds the money and opens the running one, once."""
    log, now = MemoryLog(), [ms("2026-10-24T20:00:00+02:00")]
    run = await opened(now, log)
    await hear(run, now[0])
    deposit = Deposit(player="player-1", amount=5_000)
    await run.say(wish(deposit, LEDGER, "cashier-1:2026-10-24/1", by=CASHIER))
    late = ms("2026-10-29T12:00:00+01:00")
    for _ in range(3):
        now[0] = late
        run = await opened(now, log)
        await hear(run, late)
        await bring_forward(run)
    state: LedgerState = run.state(LEDGER)
    assert ("2026-10-29", 5_000) == (state.day, balance(state, "player:player-1"))
    assert ["2026-10-24", "2026-10-29"] == await days_in(log)
    last = msgspec.json.decode((await stream_of(log, WALLET_SHARD, "ledger/1"))[-1].body, type=LedgerClosed)
    assert ("2026-10-24", 5_000) == (last.day, last.count.credit)


async def test_a_day_that_people_have_opened_is_left_alone() -> None:
    """The clock never goes behind a day that a committee member has opened, nor does it open it again."""
    log, now = MemoryLog(), [ms("2026-10-24T20:00:00+02:00")]
    run = await opened(now, log)
    await run.say(wish(OpenGamingDay(day="2026-10-25"), LEDGER, by=COMMITTEE))
    assert 0 == await hear(run, now[0])
    now[0] = ms("2026-10-25T12:00:00+01:00")
    assert 0 == await hear(run, now[0])
    first = (await stream_of(log, WALLET_SHARD, "ledger/1"))[0]
    assert "2026-10-25" == msgspec.json.decode(first.body, type=LedgerOpened).day


async def test_a_ledger_of_before_gaming_days_gets_its_first_one() -> None:
    """A ledger that began with money and no day closes that volume and opens the running day."""
    log, now = MemoryLog(), [ms("2026-10-24T20:00:00+02:00")]
    run = await opened(now, log)
    deposit = Deposit(player="player-1", amount=5_000)
    await run.say(wish(deposit, LEDGER, "cashier-1:2026-10-24/1", by=CASHIER))
    assert 1 == await hear(run, now[0])
    assert ["", "2026-10-24"] == await days_in(log)


def test_the_epoch_is_a_day_like_any_other() -> None:
    """Times count from 1970 in UTC."""
    assert "1970-01-01" == gaming_date(0, UTC, "00:00")
