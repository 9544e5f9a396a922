"""A house whose logs a test may tamper with, as somebody with access to the server could."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import redis

from libs.eventlog import keys
from libs.eventlog.api import GENESIS, Head
from libs.eventlog.chain import decode_record, seal
from libs.eventlog.memory import MemoryLog
from libs.kernel.actors import Role
from libs.kernel.contracts.wallet import Leg, Withdraw
from libs.kernel.contracts.wallet_requests import ApproveRequest, RequestAdjustment, RequestFill
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.kernel.messages import Command
from libs.runtime.audit import AuditReport
from libs.runtime.local.note import read_note
from libs.table.messages import (
    AnnounceLastCoups,
    CashOut,
    CloseSession,
    LeaveSeat,
    OpenBetting,
    PlaceWager,
    TakeBackWager,
    VoidCoup,
)
from tests.kit.memory_house import PIT, MemoryHouse

Body = dict[str, Any]
Events = list[tuple[EventRecord, Body]]


async def lively_house() -> MemoryHouse:
    """Return a house with two sessions of a table, and a coup that is still open: all ways that money goes."""
    house = await MemoryHouse().open()
    await house.open_session()
    await house.sit_down("player-1", 1, 50_000)
    await house.sit_down("player-2", 2, 20_000)
    for _ in range(4):
        await house.play_coup({"player-1": {"2": 500, "BONUS": 1_000}, "player-2": {"4": 300, "48": 100}})
    await house.staff("croupier", OpenBetting())
    await house.player("player-1", PlaceWager(spot="6", amount=700))
    await house.player("player-1", TakeBackWager(spot="6"))
    await house.player("player-1", PlaceWager(spot="16", amount=200))
    await house.staff("pit_boss", VoidCoup(reason="essai"))
    await house.player("player-1", CashOut(amount=1_000))
    await house.player("player-2", LeaveSeat())
    await house.staff("pit_boss", AnnounceLastCoups())
    for _ in range(3):
        await house.play_coup({"player-1": {"2": 100}})
    await house.staff("committee_member", CloseSession())
    await house.open_session()
    await house.sit_down("player-2", 5, 10_000)
    await agreed(house, RequestFill(pit=PIT, table="T1", amount=5_000, reason="winners"), "croupier", "cashier")
    wrong = (Leg("player:player-1", 300), Leg("house:bank", -300))
    await agreed(house, RequestAdjustment(legs=wrong, reason="short paid"), "cashier", "committee_member")
    await house.play_coup({"player-2": {"24": 400}})
    await house.tell("cashier-1", "cashier", WALLET_SHARD, LEDGER, Withdraw(player="player-1", amount=1_000))
    await house.staff("croupier", OpenBetting())
    await house.player("player-2", PlaceWager(spot="2", amount=900))
    return house


async def agreed(house: MemoryHouse, wish: Command, asks: Role, approves: Role) -> None:
    """Have something asked by one person and approved by another."""
    asked = await house.tell(f"{asks}-1".replace("_", "-"), asks, WALLET_SHARD, LEDGER, wish)
    assert asked.refusal is None, asked.refusal
    word = ApproveRequest(request=msgspec.json.decode(asked.bodies[-1])["transfer_id"])
    approved = await house.tell(f"{approves}-2".replace("_", "-"), approves, WALLET_SHARD, LEDGER, word)
    assert approved.refusal is None, approved.refusal


def records_of(house: MemoryHouse, shard: str, stream: str) -> list[bytes]:
    """Return the stored records of a stream, to be tampered with."""
    assert isinstance(house.log, MemoryLog)
    return house.log._shards[shard].logs[stream]


def bodies_of(house: MemoryHouse, shard: str, stream: str) -> list[Body]:
    """Return what the events of a stream say."""
    return [msgspec.json.decode(decode_record(raw).body) for raw in records_of(house, shard, stream)]


def first(house: MemoryHouse, shard: str, stream: str, tag: str) -> int:
    """Return the place (from 0) of the first event with a tag."""
    return [body["type"] for body in bodies_of(house, shard, stream)].index(tag)


def last(events: Events, tag: str) -> int:
    """Return the place (from 0) of the last event with a tag."""
    return max(place for place, (_, body) in enumerate(events) if body["type"] == tag)


def rewrite(house: MemoryHouse, shard: str, stream: str, change: Callable[[Events], None]) -> None:
    """Rewrite a log as a cheat with access to the server would: changed, all hashes and the head made anew."""
    records = records_of(house, shard, stream)
    records[:] = forged(records, change)
    assert isinstance(house.log, MemoryLog)
    house.log._shards[shard].heads[stream] = Head(len(records), decode_record(records[-1]).hash)


def forged(records: list[bytes], change: Callable[[Events], None]) -> list[bytes]:
    """Return the records of a log after a change, with all hashes made anew."""
    events = [(decode_record(raw), msgspec.json.decode(decode_record(raw).body)) for raw in records]
    change(events)
    head, written = Head(0, GENESIS), []
    for record, body in events:
        text = msgspec.Raw(msgspec.json.encode(body))
        raw, head = seal(head, record.stream, record.at_ms, record.actor, record.cause, text)
        written.append(raw)
    return written


# -- values of a message -------------------------------------------------------------------------------------------
Steps = tuple[str | int, ...]
"""The way to a value of a message: fields, and places in lists."""


def leaves(value: Any, path: Steps = ()) -> Iterator[Steps]:
    """Yield where the values of a message are; of a list, those of its first item."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        yield from leaves(value[0], (*path, 0)) if value else ()
    elif path != ("type",):
        yield path


def at(body: Body, path: Steps) -> Any:
    """Return a value of a message."""
    inner: Any = body
    for step in path:
        inner = inner[step]
    return inner


def put(body: Body, path: Steps, value: Any) -> None:
    """Change a value of a message."""
    at(body, path[:-1])[path[-1]] = value


def codes(report: AuditReport) -> list[str]:
    return [fault.code for fault in report.faults]


# -- on a real server ---------------------------------------------------------------------------------------------
@contextmanager
def another_log(folder: Path, shard: str, stream: str, change: Callable[[list[bytes]], list[bytes]]) -> Iterator[None]:
    """While the block runs, a log of the casino of this folder has other records, and meta the head of the last one."""
    note = read_note(folder)
    assert note is not None
    key, meta, field = keys.log(note.site, shard, stream), keys.meta(note.site, shard), f"head:{stream}"
    with redis.Redis.from_url(note.redis_url) as client:
        true, head = [fields[b"e"] for _, fields in client.xrange(key)], client.hget(meta, field)

        def put(records: list[bytes], head: bytes | str) -> None:
            client.delete(key)
            for version, raw in enumerate(records, start=1):
                client.xadd(key, {"e": raw}, id=f"{version}-0")
            client.hset(meta, field, head)

        false = change(true)
        put(false, f"{len(false)} {decode_record(false[-1]).hash}")
        try:
            yield
        finally:
            put(true, head)
