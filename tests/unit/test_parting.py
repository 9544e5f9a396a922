"""The first event at which a credit meter and its seat in the ledger part."""

import asyncio
from collections.abc import Callable

import pytest
import structlog

from libs.kernel.envelope import EventRecord
from libs.kernel.ids import WALLET_SHARD
from libs.kernel.wallets import wallet_of
from libs.runtime.audit import audit
from libs.runtime.parting import Parting, first_parting
from libs.table.messages import CloseBetting
from services.gateway.house import FollowedHouse
from tests.kit.days import FLOOR, two_days
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.tampering import Body, bodies_of, lively_house, rewrite
from tests.kit.waiting import until

SEAT = 5
"""The seat of player-2 in the second session of `two_days`, which goes over a cut-off."""


async def parted(house: MemoryHouse, session: int = 2, seat: int = SEAT) -> Parting | None:
    return await first_parting(house.log, PIT, wallet_of("T1", house.wallets).shard, "T1", session, seat)


async def test_sides_that_agree_do_not_part() -> None:
    """Over sessions, voids, cash-outs and a change of day, both logs say the same of every seat."""
    house = await two_days()
    assert [None] * 16 == [await parted(house, session, seat) for session in (1, 2) for seat in range(1, 9)]


def posting(number: int) -> Callable[[Body], bool]:
    return lambda body: (
        ("wallet.TablePosted", 2, number) == tuple(body.get(key) for key in ("type", "session", "number"))
    )


def credited(body: Body) -> bool:
    return str(body["type"]) == "table.SeatCredited"


def settled(body: Body) -> bool:
    return str(body["type"]) == "table.CoupSettled" and int(body["posting"]) > 0


def move_entry(body: Body) -> None:
    (entry,) = [entry for entry in body["entries"] if entry["account"] == f"seat:T1:{SEAT}"]
    entry["amount"] += 7


def move_meter(body: Body) -> None:
    body["seats"][0]["credited"] += 7


def move_credit(body: Body) -> None:
    body["amount"] += 7


@pytest.mark.parametrize(
    ("shard", "stream", "which", "change"),
    [
        (WALLET_SHARD, "ledger/1", posting(2), move_entry),
        (WALLET_SHARD, "ledger/2", posting(3), move_entry),
        (WALLET_SHARD, "ledger/2", posting(5), move_entry),
        (PIT, "T1/2", settled, move_meter),
        (PIT, "T1/2", credited, move_credit),
    ],
)
async def test_the_first_event_is_named(
    shard: str, stream: str, which: Callable[[Body], bool], change: Callable[[Body], None]
) -> None:
    """Whichever side was changed, the table's event is named, with what each side says of it: seven cents apart."""
    house = await two_days()
    rewrite(house, shard, stream, lambda events: change(next(body for _, body in events if which(body))))
    found = await parted(house)
    assert found is not None
    assert "T1/2" == found.stream
    assert found.meter is not None
    assert found.ledger is not None
    assert (7 if shard == PIT else -7) == found.meter - found.ledger
    assert await parted(house, 1, 1) is None


async def test_what_only_one_side_knows_is_named() -> None:
    """A posting that the ledger does not have, or one that no table has asked for, is where they part."""
    house = await two_days()

    def rename(events: list[tuple[EventRecord, Body]]) -> None:
        next(body for _, body in events if posting(4)(body))["number"] = 99

    rewrite(house, WALLET_SHARD, "ledger/2", rename)
    found = await parted(house)
    assert found is not None
    assert ("post:T1/2/4", None) == (found.reference, found.ledger)


async def test_seats_of_a_wallet_in_parts_agree() -> None:
    """A buy-in that comes from another part of the wallet is known by what it brought."""
    house = await MemoryHouse(wallets=3).open()
    await house.open_session()
    for seat in range(1, 7):
        await house.sit_down(f"player-{seat}", seat, 1_000 * seat)
        await house.play_coup({f"player-{seat}": {"2": 100}})
    assert [None] * 6 == [await parted(house, 1, seat) for seat in range(1, 7)]


async def test_verify_names_the_event_too() -> None:
    """The audit finds the seat that differs, and says at which event its two sides part."""
    house = await lively_house()
    assert () == (await audit(house.log)).faults
    posted = [body for body in bodies_of(house, WALLET_SHARD, "ledger/1") if f"seat:T1:{SEAT}" in str(body)][-1]

    def change(events: list[tuple[EventRecord, Body]]) -> None:
        (body,) = [body for _, body in events if body == posted]
        move_entry(body)
        next(entry for entry in body["entries"] if entry["account"] == f"seat:T1:{SEAT}")["after"] += 7

    rewrite(house, WALLET_SHARD, "ledger/1", change)
    (fault,) = [one for one in (await audit(house.log)).faults if one.code == "seat.differs"]
    settled_at = [
        version
        for version, body in enumerate(bodies_of(house, PIT, "T1/2"), start=1)
        if body["type"] == "table.CoupSettled" and body["posting"] == posted["number"]
    ]
    assert ("T1/2", settled_at) == (fault.stream, [fault.version])
    assert f"they part at post:T1/2/{posted['number']}: the table says -400 cents, the ledger -393 cents" in fault.what


async def test_the_gateway_says_where_they_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a casino runs, a difference that stays is logged, and then once the event at which it began."""
    memory = await lively_house()
    await memory.staff("croupier", CloseBetting())
    await memory.pass_time(60_000)

    def change(events: list[tuple[EventRecord, Body]]) -> None:
        (entry,) = [entry for entry in events[-1][1]["entries"] if entry["account"] == f"seat:T1:{SEAT}"]
        entry["amount"] += 7
        entry["after"] += 7

    rewrite(memory, WALLET_SHARD, "ledger/1", change)
    monkeypatch.setattr("services.gateway.house.LOOK_EVERY_S", 0.01)
    house = FollowedHouse(memory.log, FLOOR)
    with structlog.testing.capture_logs() as said:
        following = asyncio.create_task(house.run())
        await until(lambda: any("part here" in line["event"] for line in said))
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
    (line,) = [line for line in said if "part here" in line["event"]]
    assert (SEAT, "T1/2", -7) == (line["seat"], line["stream"], line["meter"] - line["ledger"])
    assert 1 == sum("ledger and table differ" in line["event"] for line in said)
