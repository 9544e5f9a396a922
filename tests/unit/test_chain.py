"""The hash chain finds what was altered, reordered or cut, and names the first bad event."""

from hashlib import sha256

import msgspec
import pytest

from libs.eventlog.api import GENESIS, Batch, Head, LogBroken, Owned
from libs.eventlog.chain import decode_record, hash_of, seal, verify_record, verify_records, verify_stream
from libs.eventlog.memory import MemoryLog
from libs.kernel.actors import Actor
from tests.kit.records import Noted, append_to, batch_of

STREAM = "T1/1"
ACTOR = Actor(id="player-1", role="player")


@pytest.fixture
def records() -> list[bytes]:
    """Return ten chained records."""
    return list(append_to(STREAM, count=10).records)


def broken_at(records: list[bytes], start: Head = Head()) -> int:
    """Return the version that verification names."""
    with pytest.raises(LogBroken) as caught:
        verify_records(STREAM, records, start)
    assert caught.value.stream == STREAM
    return caught.value.version


def test_wire_form() -> None:
    """The hash can be checked by hand: SHA-256 over the hash before and the record without its hash."""
    raw, head = seal(Head(), STREAM, 1_790_000_000_000, ACTOR, "player-1:7", Noted(number=5))
    content = (
        b'{"stream":"T1/1","version":1,"at_ms":1790000000000,"actor":{"id":"player-1","role":"player"},'
        b'"cause":"player-1:7","body":{"type":"test.Noted","number":5,"text":""}}'
    )
    digest = sha256(GENESIS.encode() + content).hexdigest()
    assert raw == b'{"hash":"' + digest.encode() + b'",' + content[1:]
    assert head == Head(1, digest)


def test_body_may_be_json() -> None:
    """An event and its JSON are sealed to the same bytes."""
    event = Noted(number=5, text='quotes " and é')
    as_json = msgspec.Raw(msgspec.json.encode(event))
    assert seal(Head(), STREAM, 1, ACTOR, "c", event) == seal(Head(), STREAM, 1, ACTOR, "c", as_json)


def test_record_round_trip() -> None:
    """A sealed record decodes to what went in, whatever characters a cause has."""
    raw, head = seal(Head(4, "a" * 64), 'odd "stream"', 12, ACTOR, "cause\n☃", Noted(number=5))
    record = decode_record(raw)
    assert (head.hash, 'odd "stream"', 5, 12) == (record.hash, record.stream, record.version, record.at_ms)
    assert record.actor == ACTOR
    assert record.cause == "cause\n☃"
    assert Noted(number=5) == msgspec.json.decode(record.body, type=Noted)
    assert verify_record("a" * 64, raw)
    assert not verify_record("b" * 64, raw)


def test_whole_chain(records: list[bytes]) -> None:
    """An untouched stream verifies to its head, from any point on."""
    head = verify_records(STREAM, records)
    assert append_to(STREAM, count=10).after == head
    assert head == verify_records(STREAM, records[4:], verify_records(STREAM, records[:4]))


def test_altered_byte(records: list[bytes]) -> None:
    """Whichever byte of whichever event is altered, that event is named."""
    for version in (1, 5, 10):
        raw = records[version - 1]
        for place in range(len(raw)):
            altered = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
            assert version == broken_at([*records[: version - 1], altered, *records[version:]])


def test_altered_and_sealed_again(records: list[bytes]) -> None:
    """An event that was altered and given a fitting hash no longer carries the next one, which is named."""
    altered = records[4].replace(b'"number":5', b'"number":6')
    digest = hash_of(decode_record(records[3]).hash, altered)
    records[4] = b'{"hash":"' + digest.encode() + altered[73:]
    assert broken_at(records) == 6


def test_swapped(records: list[bytes]) -> None:
    """Two events that changed places are found at the first place."""
    records[3], records[4] = records[4], records[3]
    assert broken_at(records) == 4


def test_removed(records: list[bytes]) -> None:
    """A removed event is named."""
    del records[6]
    assert broken_at(records) == 7


def test_repeated(records: list[bytes]) -> None:
    """An event that stands twice is found at its second place."""
    records.insert(3, records[2])
    assert broken_at(records) == 4


def test_of_another_stream(records: list[bytes]) -> None:
    """An event of another stream does not belong."""
    records[3] = append_to("T2/1", count=4).records[3]
    assert broken_at(records) == 4


def test_wrong_start(records: list[bytes]) -> None:
    """A chain does not start anywhere."""
    assert broken_at(records, Head(0, "f" * 64)) == 1
    assert broken_at(records[1:]) == 1


@pytest.mark.parametrize("raw", [b"", b"{}", b"\xff\xfe", b"[]", b"null", b'{"hash":"'])
def test_no_record(raw: bytes) -> None:
    """Bytes that are no record break the stream at their place."""
    assert broken_at([raw]) == 1


async def test_cut_tail(records: list[bytes]) -> None:
    """A stream whose end was cut verifies by itself; the head in meta betrays it."""
    log = MemoryLog()
    owner = await log.acquire("s", "one", 1_000)
    assert isinstance(owner, Owned)
    part = append_to(STREAM, count=10)
    # A log cannot be cut through the log's interface: here the head claims two events that were never there.
    claimed = Batch(owner.epoch, "0-0", "0-0", (part,))
    await log.append("s", claimed)
    assert part.after == await verify_stream(log, "s", STREAM)
    del log._shards["s"].logs[STREAM][8:]
    with pytest.raises(LogBroken) as caught:
        await verify_stream(log, "s", STREAM)
    assert caught.value.version == 9


async def test_exchanged_tail() -> None:
    """A stream whose last event was replaced by a chained one is betrayed by the head in meta."""
    log = MemoryLog()
    owner = await log.acquire("s", "one", 1_000)
    assert isinstance(owner, Owned)
    await log.append("s", batch_of(owner, append_to(STREAM, count=3)))
    log._shards["s"].logs[STREAM][2] = append_to(STREAM, append_to(STREAM, count=2).after, cause="c:2").records[0]
    with pytest.raises(LogBroken) as caught:
        await verify_stream(log, "s", STREAM)
    assert caught.value.version == 3
