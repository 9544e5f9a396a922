"""Debts are sent once, again after two seconds, and at once after a failure or a take-over."""

from collections.abc import Callable

import msgspec
import pytest

from libs.eventlog.api import Appended, Batch, Owned
from libs.eventlog.memory import MemoryLog
from libs.kernel.decider import Outgoing
from libs.kernel.envelope import CommandEnvelope, ReturnAddress
from libs.kernel.limits import SEND_AGAIN_AFTER_MS, SEND_AGAIN_BELOW
from libs.kernel.refusals import Refusal
from libs.runtime import outbox as module
from libs.runtime.answers import Given
from libs.runtime.outbox import Outbox
from libs.runtime.plan import Reply
from tests.kit.toy import CODEC, Add

DEBT = Outgoing("debt:1", "toy-1", "x", Add(amount=1))
OTHER = Outgoing("debt:2", "toy-1", "y", Add(amount=2))
ELSEWHERE = Outgoing("debt:3", "toy-2", "z", Add(amount=3))
PAUSE_S = SEND_AGAIN_AFTER_MS / 1000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A clock set by hand."""
    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])

    def forward(seconds: float) -> None:
        now[0] += seconds

    return forward


async def ids(log: MemoryLog, shard: str = "toy-1", after: str = "0-0") -> list[str]:
    """Return the ids of the commands on an inbox."""
    return [msgspec.json.decode(raw, type=CommandEnvelope).id for _, raw in await log.read_inbox(shard, after, 100)]


async def test_a_debt_is_not_sent_again_within_two_seconds(clock: Callable[[float], None]) -> None:
    """Looking at the debts often costs nothing; one that stays is sent again after the interval."""
    log = MemoryLog()
    outbox = Outbox(log, "toy", "toy-0")
    await outbox.send([("a", [DEBT])], ())
    clock(PAUSE_S - 0.01)
    await outbox.send([("a", [DEBT, OTHER])], ())
    assert ["debt:1", "debt:2"] == await ids(log)
    clock(0.01)
    await outbox.send([("a", [DEBT, OTHER])], ())
    assert ["debt:1", "debt:2", "debt:1"] == await ids(log)


async def test_a_look_at_one_book_forgets_nothing_of_the_others(clock: Callable[[float], None]) -> None:
    """After an append only the books that changed are looked at."""
    log = MemoryLog()
    outbox = Outbox(log, "toy", "toy-0")
    await outbox.send([("a", [DEBT]), ("b", [OTHER])], ())
    await outbox.send([("b", [OTHER])], ())
    await outbox.send([("a", [DEBT])], ())
    assert ["debt:1", "debt:2"] == await ids(log)


async def test_a_settled_debt_leaves_nothing_behind() -> None:
    """What is remembered is bounded by what is owed."""
    outbox = Outbox(MemoryLog(), "toy", "toy-0")
    await outbox.send([("a", [DEBT])], ())
    await outbox.send([("a", [])], ())
    assert {} == outbox._sent


async def test_after_a_failure_everything_is_sent_again() -> None:
    """Nobody knows what arrived: the same ids are sent once more, and the receiver does each once."""
    log = MemoryLog()
    outbox = Outbox(log, "toy", "toy-0")
    await outbox.send([("a", [DEBT])], ())
    outbox.forget()
    await outbox.send([("a", [DEBT])], ())
    assert ["debt:1", "debt:1"] == await ids(log)


async def test_an_inbox_that_nobody_reads_takes_a_bounded_number_of_repeats(clock: Callable[[float], None]) -> None:
    """However long nobody owns the addressee: repeats end where its owner would have a batch to read."""
    log = MemoryLog()
    outbox = Outbox(log, "toy", "toy-0")
    debts = [DEBT, OTHER]
    for _ in range(2 * SEND_AGAIN_BELOW):
        await outbox.send([("a", debts)], ())
        clock(PAUSE_S)
    assert SEND_AGAIN_BELOW == await log.inbox_length("toy-1", "0-0")


async def test_a_full_inbox_still_takes_what_is_not_there_yet(clock: Callable[[float], None]) -> None:
    """Only repeats wait: new debts, and those to a shard that reads its inbox, go as ever."""
    log = MemoryLog()
    await log.send([("toy-1", b"{}")] * SEND_AGAIN_BELOW)
    outbox = Outbox(log, "toy", "toy-0")
    for debts in ([DEBT, ELSEWHERE], [DEBT, OTHER, ELSEWHERE]):
        await outbox.send([("a", debts)], ())
        clock(PAUSE_S)
    assert SEND_AGAIN_BELOW + 2 == await log.inbox_length("toy-1", "0-0")
    assert ["debt:3", "debt:3"] == await ids(log, "toy-2")


async def test_a_debt_goes_again_soon_after_its_addressee_reads(clock: Callable[[float], None]) -> None:
    """An owner that came back has read what lay there and did not answer: within one pause it is asked again."""
    log = MemoryLog()
    await log.send([("toy-1", b"{}")] * SEND_AGAIN_BELOW)
    outbox = Outbox(log, "toy", "toy-0")
    for _ in range(3):
        await outbox.send([("a", [DEBT])], ())
        clock(PAUSE_S)
    entries = await log.read_inbox("toy-1", "0-0", 2 * SEND_AGAIN_BELOW)
    owned = await log.acquire("toy-1", "somebody", 1_000)
    assert isinstance(owned, Owned)
    read = entries[-1][0]
    assert isinstance(await log.append("toy-1", Batch(owned.epoch, "0-0", read)), Appended)
    await outbox.send([("a", [DEBT])], ())
    assert ["debt:1"] == await ids(log, after=read)


async def test_a_debt_carries_its_return_address() -> None:
    """The receiver answers to the book that owes."""
    log = MemoryLog()
    await Outbox(log, "toy", "toy-0").send([("a", [DEBT])], ())
    ((_, raw),) = await log.read_inbox("toy-1", "0-0", 10)
    envelope = msgspec.json.decode(raw, type=CommandEnvelope)
    assert (ReturnAddress("toy-0", "a"), "x", "tapis") == (envelope.reply, envelope.book, envelope.actor.id)
    assert Add(amount=1) == CODEC.decode_command(envelope.body)


async def test_answers_go_out_as_they_were_given() -> None:
    """An accepted command's facts, or its refusal, reach the asker's book as `kernel.Answered`."""
    log = MemoryLog()
    no = Refusal("toy.no", "Non.", "No.")
    yes = Given("d", "x", "x/1", (b'{"type":"toy.Added","amount":1,"total":1}',), None)
    replies = [
        Reply(ReturnAddress("toy-1", "a"), "debt:1", yes),
        Reply(ReturnAddress("toy-1", "a"), "debt:2", Given("d", "x", "", (), no)),
    ]
    await Outbox(log, "toy", "toy-0").send((), replies)
    assert ["answer:debt:1", "answer:debt:2"] == await ids(log)
    first, second = [
        CODEC.decode_command(msgspec.json.decode(raw, type=CommandEnvelope).body)
        for _, raw in await log.read_inbox("toy-1", "0-0", 10)
    ]
    assert ("debt:1", None, 1) == (first.to, first.refusal, first.events[0].total)  # type: ignore[attr-defined]
    assert ("debt:2", no, ()) == (second.to, second.refusal, second.events)  # type: ignore[attr-defined]
