"""Gaming days in a house without time, and a house's logs as a file."""

from collections.abc import Iterable
from zoneinfo import ZoneInfo

import msgspec

from libs.eventlog.api import Head
from libs.eventlog.chain import decode_record
from libs.eventlog.memory import MemoryLog
from libs.kernel.actors import SYSTEM
from libs.kernel.contracts.wallet import Withdraw
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.days import DAY_MS
from libs.kernel.envelope import CommandEnvelope
from libs.kernel.ids import LEDGER, WALLET_SHARD, split_stream
from libs.kernel.wallets import wallet_at
from libs.runtime.floor import Floor, Pit, RevenueRule, Site, TablePlan
from libs.runtime.gaming_day import gaming_date
from libs.runtime.report.day import day_report
from libs.runtime.report.gather import gather
from libs.runtime.report.shapes import DayReport
from libs.table.messages import AnnounceLastCoups, CloseBetting, CloseSession
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.tampering import lively_house

PLAN = TablePlan(name="T1", game="wheel", paytable="ROUE-MAISON-1", minimum=100, float_amount=1_000_000, seats=8)
FLOOR = Floor(
    site=Site(
        name="site-a",
        timezone="Europe/Paris",
        cutoff="06:00",
        revenue=(RevenueRule(game="wheel", category="electronic", since="2020-01-01"),),
    ),
    pits=(Pit(name=PIT, tables=(PLAN,)),),
)

FIRST, SECOND = "2023-11-14", "2023-11-15"
"""The days of `two_days`."""


def opening(day: str, book: str = LEDGER) -> bytes:
    """Return the command that the site's clock sends."""
    body = msgspec.Raw(msgspec.json.encode(OpenGamingDay(day=day)))
    return msgspec.json.encode(CommandEnvelope(f"day:{book}/{day}", book, SYSTEM, body))


async def open_day(house: MemoryHouse, day: str) -> None:
    """Open a gaming day in all parts of the wallet and bring everything forward."""
    parts = [wallet_at(index, house.wallets) for index in range(house.wallets)]
    await house.log.send([(part.shard, opening(day, part.book)) for part in parts])
    await house.pass_time(1)
    await house.pass_time(1)


async def two_days() -> MemoryHouse:
    """A lively day; at its end a coup that the ledger hears of only in the next one, in which the session is closed."""
    house = await lively_house()
    wallet = house._shards.pop(WALLET_SHARD)
    await house.log.send([(WALLET_SHARD, opening(SECOND))])
    await house.staff("croupier", CloseBetting())
    await house.pass_time(60_000)
    house._shards[WALLET_SHARD] = wallet
    house.now_ms += DAY_MS // 2
    await house.pass_time(1)
    await house.pass_time(1)
    await house.play_coup({"player-2": {"6": 300}})
    await house.staff("pit_boss", AnnounceLastCoups())
    for _ in range(3):
        await house.play_coup({"player-2": {"2": 100}})
    await house.staff("committee_member", CloseSession())
    await house.tell("cashier-1", "cashier", WALLET_SHARD, LEDGER, Withdraw(player="player-2", amount=100))
    return house


async def reported(house: MemoryHouse, day: str | None = None, floor: Floor | None = FLOOR) -> DayReport:
    """Return the report of a day."""
    return day_report("site-a", floor, await gather(house.log, floor, day))


def today(house: MemoryHouse) -> str:
    """Return the gaming day of the house's clock."""
    return gaming_date(house.now_ms, ZoneInfo(FLOOR.site.timezone), FLOOR.site.cutoff)


def records(house: MemoryHouse) -> list[bytes]:
    """Return all records of a house, stream after stream."""
    assert isinstance(house.log, MemoryLog)
    streams = {stream: raws for shard in house.log._shards.values() for stream, raws in shard.logs.items()}
    return [raw for stream in sorted(streams, key=split_stream) for raw in streams[stream]]


async def log_of(raws: Iterable[bytes]) -> MemoryLog:
    """Return a log that holds these records of a house with one wallet."""
    log = MemoryLog()
    for shard in (WALLET_SHARD, PIT, "rng-0"):
        await log.acquire(shard, "house", 60_000)
    for raw in raws:
        record = decode_record(raw)
        book = split_stream(record.stream)[0]
        kept = log._shards[{"ledger": WALLET_SHARD, "draws": "rng-0"}.get(book, PIT)]
        kept.logs.setdefault(record.stream, []).append(raw)
        kept.heads[record.stream] = Head(record.version, record.hash)
    return log
