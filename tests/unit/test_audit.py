"""The audit believes nothing: whatever is wrong in a log is found and named."""

from collections.abc import Callable

import pytest

from libs.eventlog.chain import decode_record, seal
from libs.eventlog.memory import MemoryLog
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import RNG_SHARD, WALLET_SHARD
from libs.runtime.audit import audit
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.tampering import Body, Events, bodies_of, codes, last, lively_house, records_of, rewrite


@pytest.fixture
async def house() -> MemoryHouse:
    return await lively_house()


async def test_a_true_house_passes(house: MemoryHouse) -> None:
    """Sessions, voids, cash-outs, closings and a coup in the middle: nothing is wrong, everything was read."""
    report = await audit(house.log)
    assert () == report.faults
    assert (3, 4, 0) == (report.shards, report.streams, report.total)
    assert (9, 1) == (report.coups, report.voided)
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


async def test_postings_on_their_way_are_no_fault(house: MemoryHouse) -> None:
    """What the tables still owe the ledger is counted, not taken for a fault."""
    rewrite(house, WALLET_SHARD, "ledger/1", without_last("wallet.TablePosted"))
    rewrite(house, PIT, "T1/2", without_last("table.PostingConfirmed"))
    report = await audit(house.log)
    assert () == report.faults
    assert 1 == report.owed


def without_last(tag: str) -> Callable[[Events], None]:
    return lambda events: events.__delitem__(last(events, tag))


async def test_a_posting_that_was_confirmed_is_not_on_its_way(house: MemoryHouse) -> None:
    """The last posting of a table is taken out of the ledger, which has told the table that it has it."""
    rewrite(house, WALLET_SHARD, "ledger/1", without_last("wallet.TablePosted"))
    (fault,) = (await audit(house.log)).faults
    assert ("posting.not_booked", "T1/2") == (fault.code, fault.stream)
    assert "table.PostingConfirmed" == bodies_of(house, PIT, "T1/2")[fault.version - 1]["type"]


async def test_a_posting_may_be_made_while_the_tables_are_read(house: MemoryHouse) -> None:
    """The ledger is read first: what it confirms after that is there when it is asked again."""
    assert isinstance(house.log, MemoryLog)
    wallet, stream = house.log._shards[WALLET_SHARD], "ledger/1"
    records, head = [*wallet.logs[stream]], wallet.heads[stream]

    def go_on(read: str, _: int) -> None:
        if read == stream:
            wallet.logs[stream], wallet.heads[stream] = records, head

    def cut(events: Events) -> None:
        del events[last(events, "wallet.TablePosted") :]

    rewrite(house, WALLET_SHARD, stream, cut)
    report = await audit(house.log, go_on)
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
