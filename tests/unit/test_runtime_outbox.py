"""Debts are sent once, again after two seconds, and at once after a failure or a take-over."""

from collections.abc import Callable

import msgspec
import pytest

from libs.eventlog.memory import MemoryLog
from libs.kernel.decider import Outgoing
from libs.kernel.envelope import CommandEnvelope, ReturnAddress
from libs.kernel.refusals import Refusal
from libs.runtime import outbox as module
from libs.runtime.answers import Given
from libs.runtime.outbox import SEND_AGAIN_AFTER_S, Outbox
from libs.runtime.plan import Reply
from tests.kit.toy import CODEC, Add

DEBT = Outgoing("debt:1", "toy-1", "x", Add(amount=1))
OTHER = Outgoing("debt:2", "toy-1", "y", Add(amount=2))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A clock set by hand."""
    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])

    def forward(seconds: float) -> None:
        now[0] += seconds

    return forward


async def ids(log: MemoryLog, shard: str = "toy-1") -> list[str]:
    """Return the ids of the commands on an inbox."""
    return [msgspec.json.decode(raw, type=CommandEnvelope).id for _, raw in await log.read_inbox(shard, "0-0", 100)]


async def test_a_debt_is_not_sent_again_within_two_seconds(clock: Callable[[float], None]) -> None:
    """Looking at the debts often costs nothing; one that stays is sent again after the interval."""
    log = MemoryLog()
    outbox = Outbox(log, "toy", "toy-0")
    await outbox.send([("a", [DEBT])], ())
    clock(SEND_AGAIN_AFTER_S - 0.01)
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
