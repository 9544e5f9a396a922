"""A few coups on a real server, for whoever looks at its log."""

from libs.eventlog.redis_log import RedisLog
from libs.table.messages import OpenBetting, PlaceWager
from tests.kit.memory_house import PIT, MemoryHouse


async def play(url: str) -> None:
    """Play two coups at a table of site A, open a third, and put something on the pit's inbox that nobody can read."""
    log = RedisLog(url, "site-a")
    house = await MemoryHouse(("roue-1",), log).open()
    await house.open_session("roue-1")
    await house.sit_down("player-1", 1, 50_000, "roue-1")
    for _ in range(2):
        await house.play_coup({"player-1": {"2": 500}}, "roue-1")
    await house.staff("croupier", OpenBetting(), "roue-1")
    await house.player("player-1", PlaceWager(spot="16", amount=300), "roue-1")
    await log.send([(PIT, b"garbage")])
    await log.close()
