"""What the door makes of refusals for the id of a command: mistakes of clocks, and answers from the log."""

import asyncio

import httpx
import msgspec
import pytest

from libs.eventlog.api import Batch, EventLogUnavailable, Head, Owned, StreamAppend
from libs.eventlog.chain import seal
from libs.eventlog.memory import MemoryLog
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet_limits import Player
from libs.kernel.days import DAY_MS, moment
from libs.kernel.refusals import Refusal
from libs.runtime.admission import AHEAD, TOO_OLD, UNDATED
from libs.runtime.answers import digest_of
from libs.runtime.recall import Decided, find_decision
from libs.table.messages import AnnounceLastCoups, CashOut, CloseSession, LeaveSeat, SeatTaken
from libs.table.outcome_messages import SealedOutcomeRecorded
from tests.kit.door import WAGER, Caller, FakeHouse, denied, error_of
from tests.kit.memory_house import PIT, START_MS, MemoryHouse

EVENTS = (msgspec.Raw(b'{"type":"table.WagerPlaced","coup":1}'),)


def saying(refusal: Refusal) -> FakeHouse:
    """Return a house that refuses every command so."""
    return FakeHouse(lambda envelope: denied(envelope, refusal))


async def test_a_moment_ahead_is_a_mistake_of_the_sender() -> None:
    """It is no answer to the command, which may be sent again when its time has come."""
    assert (400, "command.ahead", "$.command_id") == error_of(await Caller(saying(AHEAD)).tell(WAGER))


async def test_an_id_without_a_moment_is_a_refusal() -> None:
    """It is the same for ever, and says what an id must begin with."""
    answer = await Caller(saying(UNDATED)).tell(WAGER)
    assert (409, "command.undated") == (answer.status_code, answer.json()["refusal"]["code"])


WISHED = digest_of(msgspec.json.encode(msgspec.json.decode(msgspec.json.encode(WAGER))))


@pytest.mark.parametrize(
    ("decided", "code"),
    [
        (None, "command.too_old"),
        (Decided("", "T1/4", EVENTS), "command.too_old"),
        (Decided("0" * 16, "T1/4", EVENTS), "command.conflict"),
        (Decided(WISHED, "T1/4", EVENTS), ""),
    ],
    ids=["never done", "without a digest", "other content", "the same"],
)
async def test_an_old_id_is_looked_up(decided: Decided | None, code: str) -> None:
    """What it led to is answered as at first; other content is a conflict; what left no such record stays too old."""
    house = saying(TOO_OLD)
    if decided is not None:
        house.decided["pit-1", "T1", "player-1:1"] = decided
    answer = await Caller(house).tell(WAGER)
    if code:
        assert (409, code) == (answer.status_code, answer.json()["refusal"]["code"])
    else:
        expected = {"stream": "T1/4", "events": [{"type": "table.WagerPlaced", "coup": 1}], "accepted": True}
        assert (200, expected) == (answer.status_code, answer.json())


async def test_the_pit_says_what_the_door_knows_of_an_exclusion() -> None:
    """A wish from before it may have had its answer, which only the pit can give again."""
    house = FakeHouse()
    caller = Caller(house)
    house.known = {"player-2": Player(exclusions={"self": "2026-12-24"})}
    seat = {"type": "table.TakeSeat", "seat": 3}
    said = [await caller.tell(seat, who="player-2")]
    house.known = {}
    said.append(await caller.tell(seat, who="player-2"))
    (_, before), (_, after) = house.sent
    assert ("exclusion.self", None) == (before.refusal and before.refusal.code, after.refusal)
    assert (before.id, before.body) == (after.id, after.body)
    assert [409, 200] == [one.status_code for one in said]


class SlowHouse(FakeHouse):
    """A house whose old logs take as long as a test wants."""

    def __init__(self) -> None:
        super().__init__(saying(TOO_OLD).reply)
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()
        self.away = False

    async def recall_decision(self, shard: str, book: str, command_id: str) -> Decided | None:
        """Wait, or fail."""
        del shard, book, command_id
        if self.away:
            raise EventLogUnavailable("away")
        self.asked.set()
        await self.go_on.wait()
        return None


async def test_one_old_log_is_read_at_a_time() -> None:
    """Others wait for their turn. Who asks for more meanwhile does not keep them out: he is told to repeat."""
    house = SlowHouse()
    caller = Caller(house)
    first = asyncio.create_task(caller.tell(WAGER))
    await house.asked.wait()
    other = asyncio.create_task(caller.tell(WAGER, who="player-2"))
    assert (504, "2") == unknown(await caller.tell(WAGER, command_id="2"))
    assert not other.done()
    house.go_on.set()
    assert [409, 409] == [(await one).status_code for one in (first, other)]
    assert 409 == (await caller.tell(WAGER, command_id="2")).status_code


async def test_what_cannot_be_looked_up_is_unknown() -> None:
    """While the log is away nobody says that nothing was done: the old id may have been."""
    house = SlowHouse()
    house.away = True
    assert (504, "1") == unknown(await Caller(house).tell(WAGER))


def unknown(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["unknown"]["command_id"]


class ReadLog(MemoryLog):
    """Notes which streams are read to their end."""

    def __init__(self, house_ms: list[int]) -> None:
        super().__init__(lambda: house_ms[0])
        self.whole: list[str] = []

    async def load(self, shard: str, stream: str, after: int = 0):  # type: ignore[no-untyped-def]  # noqa: ANN201
        """Load; a reader that goes on to the end is noted."""
        async for page in super().load(shard, stream, after):
            yield page
        self.whole.append(stream)


async def test_only_sessions_that_can_hold_an_id_are_read() -> None:
    """A session a week before or after the moment of an id is not searched."""
    now_ms = [START_MS]
    log = ReadLog(now_ms)
    house = await MemoryHouse(log=log).open()
    for number in range(3):
        await house.open_session()
        await house.sit_down("player-1", 1, 1_000)
        if number == 1:
            now_ms[0] = house.now_ms = house.now_ms + 2 * DAY_MS
            made = f"{moment(now_ms[0])}/"
            await house.player("player-1", CashOut(amount=100))
        await house.player("player-1", LeaveSeat())
        await house.staff("pit_boss", AnnounceLastCoups())
        for _ in range(3):
            await house.play_coup({})
        await house.staff("committee_member", CloseSession())
        now_ms[0] = house.now_ms = house.now_ms + 7 * DAY_MS
    (record,) = [
        record
        for record in [msgspec.json.decode(raw) for raw in log._shards[PIT].logs["T1/2"]]
        if record["body"]["type"] == "table.SeatDebited" and record["body"]["amount"] == 100
    ]
    assert record["cause"].startswith(f"player-1:{made}")
    log.whole.clear()
    found = await find_decision(log, PIT, "T1", record["cause"])
    assert found is not None
    assert (record["digest"], "T1/2") == (found.digest, found.stream)
    assert ["table.SeatDebited", "table.PostingDue"] == [msgspec.json.decode(event)["type"] for event in found.events]
    assert [] == log.whole, "the search ends where the decision does"
    assert await find_decision(log, PIT, "T1", f"player-1:{made}nothing") is None
    assert ["T1/2"] == log.whole
    assert await find_decision(log, PIT, "T1", "player-1:7") is None


async def test_what_was_sealed_stays_sealed() -> None:
    """A device that repeats its report of a shuffled shoe is told from the log what it was told at first."""
    log, cause = MemoryLog(lambda: START_MS), f"device-1:{moment(START_MS)}/1"
    sealed = SealedOutcomeRecorded(
        coup=1, name="shoe", faces=("R",), values=(0,), by="device-1", role="device", due_ms=START_MS
    )
    shown = SeatTaken(seat=1, player="player-1")
    first, middle = seal(Head(), "T1/1", START_MS, Actor("device-1", "device"), cause, sealed, "0" * 16)
    second, last = seal(middle, "T1/1", START_MS, Actor("device-1", "device"), cause, shown)
    owned = await log.acquire(PIT, "owner", 60_000)
    assert isinstance(owned, Owned)
    append = StreamAppend("T1/1", Head(), last, (first, second))
    await log.append(PIT, Batch(owned.epoch, owned.cursor, owned.cursor, (append,)))
    told = msgspec.Raw(msgspec.json.encode(shown))
    assert Decided("0" * 16, "T1/1", (told,)) == await find_decision(log, PIT, "T1", cause)
