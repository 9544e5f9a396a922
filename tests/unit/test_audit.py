"""The audit believes nothing: whatever is wrong in a log, alone or between logs, is found and named."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from libs.eventlog.api import GENESIS, Head
from libs.eventlog.chain import decode_record, seal
from libs.eventlog.memory import MemoryLog
from libs.kernel.contracts.wallet import Withdraw
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import LEDGER, RNG_SHARD, WALLET_SHARD
from libs.runtime.audit import AuditReport, audit
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
    await house.play_coup({"player-2": {"24": 400}})
    await house.tell("cashier-1", "cashier", WALLET_SHARD, LEDGER, Withdraw(player="player-1", amount=1_000))
    await house.staff("croupier", OpenBetting())
    await house.player("player-2", PlaceWager(spot="2", amount=900))
    return house


@pytest.fixture
async def house() -> MemoryHouse:
    return await lively_house()


def records_of(house: MemoryHouse, shard: str, stream: str) -> list[bytes]:
    """Return the stored records of a stream, to be tampered with."""
    assert isinstance(house.log, MemoryLog)
    return house.log._shards[shard].logs[stream]


def first(house: MemoryHouse, shard: str, stream: str, tag: str) -> int:
    """Return the place (from 0) of the first event with a tag."""
    tags = [msgspec.json.decode(decode_record(raw).body)["type"] for raw in records_of(house, shard, stream)]
    return tags.index(tag)


def rewrite(
    house: MemoryHouse, shard: str, stream: str, change: Callable[[list[tuple[EventRecord, Body]]], None]
) -> None:
    """Rewrite a log as a cheat with access to the server would: changed, all hashes and the head made anew."""
    records = records_of(house, shard, stream)
    events = [(decode_record(raw), msgspec.json.decode(decode_record(raw).body)) for raw in records]
    change(events)
    head, written = Head(0, GENESIS), []
    for record, body in events:
        raw, head = seal(head, stream, record.at_ms, record.actor, record.cause, msgspec.Raw(msgspec.json.encode(body)))
        written.append(raw)
    records[:] = written
    assert isinstance(house.log, MemoryLog)
    house.log._shards[shard].heads[stream] = head


def codes(report: AuditReport) -> list[str]:
    return [fault.code for fault in report.faults]


async def test_a_true_house_passes(house: MemoryHouse) -> None:
    """Sessions, voids, cash-outs, closings and a coup in the middle: nothing is wrong, everything was read."""
    report = await audit(house.log)
    assert () == report.faults
    assert (3, 4, 0) == (report.shards, report.streams, report.total)
    assert 9 == report.coups
    assert 0 == report.owed
    assert report.seats_compared >= 3
    heads = [await house.log.heads(shard) for shard in await house.log.shards()]
    assert report.events == sum(head.version for of_shard in heads for head in of_shard.values())


async def test_an_empty_site_passes() -> None:
    """Before the first event there is nothing to find."""
    assert (await audit(MemoryLog())).ok


@pytest.mark.parametrize(("shard", "stream"), [(PIT, "T1/1"), (WALLET_SHARD, "ledger/1"), (RNG_SHARD, "draws/1")])
async def test_every_changed_byte_is_found(house: MemoryHouse, shard: str, stream: str) -> None:
    """An event altered in place is named, in each kind of log, at every place."""
    records = records_of(house, shard, stream)
    for place in range(0, len(records), max(1, len(records) // 7)):
        true = records[place]
        records[place] = true.replace(b'"at_ms":1', b'"at_ms":2', 1)
        report = await audit(house.log)
        assert ("chain.broken", stream, place + 1) == (
            codes(report)[0],
            report.faults[0].stream,
            report.faults[0].version,
        )
        records[place] = true
    assert (await audit(house.log)).ok


async def test_a_removed_event_is_found(house: MemoryHouse) -> None:
    """Without one event in the middle the next one stands in its place: that is named."""
    del records_of(house, PIT, "T1/1")[9]
    fault = (await audit(house.log)).faults[0]
    assert ("chain.broken", "T1/1", 10) == (fault.code, fault.stream, fault.version)


async def test_swapped_events_are_found(house: MemoryHouse) -> None:
    """Two events in the wrong order are named at the first of them."""
    records = records_of(house, PIT, "T1/1")
    records[9], records[10] = records[10], records[9]
    fault = (await audit(house.log)).faults[0]
    assert ("chain.broken", 10) == (fault.code, fault.version)


async def test_a_cut_end_is_found(house: MemoryHouse) -> None:
    """A log that is shorter than the head in meta says where it was cut."""
    records = records_of(house, WALLET_SHARD, "ledger/1")
    length = len(records)
    del records[-2:]
    fault = (await audit(house.log)).faults[0]
    assert ("chain.cut", "ledger/1", length - 1) == (fault.code, fault.stream, fault.version)


async def test_events_behind_the_head_are_found(house: MemoryHouse) -> None:
    """Events written past the head, by whatever went around the append script, are named."""
    stream = "draws/1"
    head = (await house.log.heads(RNG_SHARD))[stream]
    records = records_of(house, RNG_SHARD, stream)
    last = decode_record(records[-1])
    records.append(seal(head, stream, last.at_ms, last.actor, "forged", last.body)[0])
    fault = (await audit(house.log)).faults[-1]
    assert ("chain.beyond", stream, head.version + 1) == (fault.code, fault.stream, fault.version)


async def test_a_missing_session_is_found(house: MemoryHouse) -> None:
    """A whole stream that is gone leaves a hole in the numbers of the volumes."""
    assert isinstance(house.log, MemoryLog)
    pit = house.log._shards[PIT]
    del pit.logs["T1/1"], pit.heads["T1/1"]
    fault = (await audit(house.log)).faults[0]
    assert ("chain.volume", "T1/1") == (fault.code, fault.stream)


async def test_an_unknown_event_is_found(house: MemoryHouse) -> None:
    """An event that nobody can read is a fault, not a crash."""
    rewrite(house, PIT, "T1/1", lambda events: events[5][1].update(type="table.Nonsense"))
    fault = (await audit(house.log)).faults[0]
    assert ("event.unknown", "T1/1", 6) == (fault.code, fault.stream, fault.version)


def set_entry(place: int, **changes: int) -> Callable[[Body], None]:
    return lambda body: body["entries"][place].update(changes)


REWRITTEN: list[tuple[str, str, str, Callable[[Body], None], str]] = [
    (PIT, "T1/1", "table.WagerPlaced", lambda body: body.update(amount=400), "stake.wrong"),
    (PIT, "T1/1", "table.WagerPlaced", lambda body: body.update(credit_after=1), "meter.wrong"),
    (PIT, "T1/1", "table.WagerTakenBack", lambda body: body.update(amount=9), "stake.wrong"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body["wagers"][0].update(stake=1), "stake.wrong"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body["wagers"][0].update(credit=10_000), "result.wrong"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body["wagers"].pop(), "wager.not_settled"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body["wagers"].append(body["wagers"][0]), "wager.settled_twice"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body["legs"][0].update(amount=7), "posting.unbalanced"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body.update(posting=99), "posting.order"),
    (PIT, "T1/1", "table.CoupVoided", lambda body: body["seats"][0].update(credited=1), "result.wrong"),
    (PIT, "T1/1", "table.SeatDebited", lambda body: body.update(amount=999), "meter.wrong"),
    (PIT, "T1/1", "table.SeatCredited", lambda body: body.update(credit_after=1), "meter.wrong"),
    (PIT, "T1/1", "table.DrawReceived", lambda body: body.update(values=[51]), "draw.differs"),
    (PIT, "T1/1", "table.SessionClosed", lambda body: body.update(handle=1), "closing.handle"),
    (PIT, "T1/1", "table.SessionClosed", lambda body: body.update(events=1), "closing.count"),
    (PIT, "T1/1", "table.SessionClosed", lambda body: body["returned"].clear(), "closing.wrong"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", set_entry(0, before=5), "entry.before"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", set_entry(1, after=5), "entry.after"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", set_entry(1, amount=5), "posting.unbalanced"),
    (WALLET_SHARD, "ledger/1", "wallet.TablePosted", lambda body: body.update(number=4), "posting.order"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPended", lambda body: body.update(seat=8), "buy_in.differs"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPosted", lambda body: body.update(transfer_id="x"), "transfer.unknown"),
    (RNG_SHARD, "draws/1", "rng.Drawn", lambda body: body.update(values=[99]), "draw.range"),
    (RNG_SHARD, "draws/1", "rng.Drawn", lambda body: body.update(draw_id="draw:pit-1/T1/1/9/x"), "draw.unknown"),
]


@pytest.mark.parametrize(("shard", "stream", "tag", "change", "code"), REWRITTEN)
async def test_a_rewritten_log_is_found(
    house: MemoryHouse, shard: str, stream: str, tag: str, change: Callable[[Body], None], code: str
) -> None:
    """A cheat who makes all hashes anew still cannot make the sums agree."""
    place = first(house, shard, stream, tag)
    rewrite(house, shard, stream, lambda events: change(events[place][1]))
    report = await audit(house.log)
    assert code in codes(report), report.faults


DROPPED = [
    (PIT, "T1/1", "table.CoupSettled", "wager.not_settled"),
    (PIT, "T1/1", "table.BettingOpened", "wager.late"),
    (PIT, "T1/1", "table.SeatTaken", "seat.empty"),
    (PIT, "T1/1", "table.SeatCredited", "buy_in.not_credited"),
    (WALLET_SHARD, "ledger/1", "wallet.TablePosted", "posting.order"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPended", "transfer.unknown"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", "entry.before"),
    (RNG_SHARD, "draws/1", "rng.Drawn", "draw.unknown"),
]


@pytest.mark.parametrize(("shard", "stream", "tag", "code"), DROPPED)
async def test_a_fact_that_is_left_out_is_found(
    house: MemoryHouse, shard: str, stream: str, tag: str, code: str
) -> None:
    """A fact that is left out, with all hashes made anew, leaves its trace in the others."""
    place = first(house, shard, stream, tag)
    rewrite(house, shard, stream, lambda events: events.__delitem__(place))
    report = await audit(house.log)
    assert code in codes(report), report.faults


TWICE = [
    (PIT, "T1/1", "table.CoupSettled", "wager.settled_twice"),
    (PIT, "T1/1", "table.SeatCredited", "transfer.twice"),
    (PIT, "T1/1", "table.SeatTaken", "seat.twice"),
    (PIT, "T1/1", "table.DrawReceived", "draw.twice"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", "transfer.twice"),
    (WALLET_SHARD, "ledger/1", "wallet.TablePosted", "posting.order"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPosted", "transfer.twice"),
    (RNG_SHARD, "draws/1", "rng.Drawn", "draw.twice"),
]


@pytest.mark.parametrize(("shard", "stream", "tag", "code"), TWICE)
async def test_a_fact_that_is_there_twice_is_found(
    house: MemoryHouse, shard: str, stream: str, tag: str, code: str
) -> None:
    """A fact that is there twice, with all hashes made anew, is found."""
    place = first(house, shard, stream, tag)
    rewrite(house, shard, stream, lambda events: events.insert(place, events[place]))
    report = await audit(house.log)
    assert code in codes(report), report.faults


async def test_money_made_in_both_books_at_once_is_found(house: MemoryHouse) -> None:
    """A posting changed in the ledger alone, balanced and carried forward, disagrees with its table."""

    def cheat(events: list[tuple[EventRecord, Body]]) -> None:
        place = next(
            at
            for at, (_, body) in enumerate(events)
            if body["type"] == "wallet.TablePosted" and body["reason"] == "coup"
        )
        for entry, change in zip(events[place][1]["entries"][:2], (100, -100), strict=True):
            for _, body in events[place:]:
                for other in body.get("entries", ()):
                    if other["account"] == entry["account"]:
                        other["after"] += change
                        other["before"] += 0 if body is events[place][1] else change
            entry["amount"] += change

    rewrite(house, WALLET_SHARD, "ledger/1", cheat)
    report = await audit(house.log)
    assert "posting.differs" in codes(report), report.faults


async def test_chips_from_nowhere_are_found(house: MemoryHouse) -> None:
    """A credit that no buy-in paid for is found, although the table itself is consistent."""

    def cheat(events: list[tuple[EventRecord, Body]]) -> None:
        record, body = next((r, b) for r, b in events if b["type"] == "table.SeatCredited")
        events.append((record, {**body, "transfer_id": "player-2:99", "player": "player-2", "seat": 5, "amount": 50}))
        events[-1][1]["credit_after"] = body_after(events) + 50

    def body_after(events: list[tuple[EventRecord, Body]]) -> int:
        return next(int(b["credit_after"]) for _, b in reversed(events[:-1]) if b["type"] == "table.WagerPlaced")

    rewrite(house, PIT, "T1/2", cheat)
    report = await audit(house.log)
    assert ["buy_in.unknown"] == codes(report)


async def test_postings_on_their_way_are_no_fault(house: MemoryHouse) -> None:
    """What the tables still owe the ledger is counted, not taken for a fault."""
    records = records_of(house, WALLET_SHARD, "ledger/1")
    bodies = [msgspec.json.decode(decode_record(raw).body) for raw in records]
    last = max(at for at, body in enumerate(bodies) if body["type"] == "wallet.TablePosted")
    rewrite(house, WALLET_SHARD, "ledger/1", lambda events: events.__delitem__(slice(last, None)))
    report = await audit(house.log)
    assert () == report.faults
    assert 1 == report.owed


async def test_the_number_of_named_faults_is_limited(house: MemoryHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that is wrong throughout names the first faults only."""
    monkeypatch.setattr("libs.runtime.audit.report.AUDIT_FAULTS", 3)

    def cheat(events: list[tuple[EventRecord, Body]]) -> None:
        for _, body in events:
            body.update(credit_after=1)

    rewrite(house, PIT, "T1/1", cheat)
    assert 3 == len((await audit(house.log)).faults)


async def test_progress_names_every_stream(house: MemoryHouse) -> None:
    """Whoever waits is told which stream was read, and how long it was."""
    told: dict[str, int] = {}
    report = await audit(house.log, told.__setitem__)
    assert {"T1/1", "T1/2", "ledger/1", "draws/1"} == told.keys()
    assert report.events == sum(told.values())
