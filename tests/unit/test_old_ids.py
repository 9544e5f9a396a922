"""Ids of people's commands: taken by the moment that they carry, so that each is done once for ever."""

import msgspec
import pytest

from libs.eventlog.chain import verify_stream
from libs.eventlog.memory import MemoryLog
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet import Deposit
from libs.kernel.contracts.wallet_cards import BlockCard, IssueCard
from libs.kernel.days import moment
from libs.kernel.envelope import Answer, EventRecord, FeedEntry
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.kernel.limits import COMMAND_AHEAD_MS, COMMAND_LATE_MS
from libs.runtime.admission import AHEAD, CONFLICTING, TOO_OLD, UNDATED, admit
from libs.runtime.answers import Answers
from libs.runtime.kinds import WALLET
from tests.kit.shard_run import SHARD, ShardRun, id_of, open_run, wish
from tests.kit.toy import Add

PLAYER = Actor("player-1", "player")
NOW_MS = 1_790_000_000_000
WINDOW = 4


def test_the_sentences_of_a_refused_id() -> None:
    """Each refusal for an id says in both languages what is wrong with it."""
    for refusal, fr, en in ((UNDATED, "UTC", "UTC"), (AHEAD, "horloge", "clock"), (TOO_OLD, "ancienne", "long ago")):
        assert fr in refusal.fr
        assert en in refusal.en
        assert (refusal.fr[-1], refusal.en[-1]) == (".", ".")


@pytest.mark.parametrize("odd", ["", "7", "2026-11-30/7", "2026-11-30T10:00:05", "2026-02-29T10:00:05Z", "T10:00:05Z"])
def test_an_id_without_a_moment(odd: str) -> None:
    """An id that names no moment of the calendar is refused for ever, whenever it arrives."""
    assert UNDATED == admit(f"player-1:{odd}", f"{NOW_MS}-0", -1)


@pytest.mark.parametrize(
    ("made_ms", "horizon_ms", "expected"),
    [
        (NOW_MS + COMMAND_AHEAD_MS, -1, None),
        (NOW_MS + COMMAND_AHEAD_MS + 1, -1, AHEAD),
        (NOW_MS - COMMAND_LATE_MS, -1, None),
        (NOW_MS - COMMAND_LATE_MS - 1, -1, TOO_OLD),
        (NOW_MS, NOW_MS - 1, None),
        (NOW_MS, NOW_MS, TOO_OLD),
        (NOW_MS + COMMAND_AHEAD_MS + 1, NOW_MS + 2 * COMMAND_AHEAD_MS, AHEAD),
    ],
)
def test_the_moment_decides(made_ms: int, horizon_ms: int, expected: object) -> None:
    """A moment is taken from a day before to ten seconds after the arrival, if it lies after all that is forgotten."""
    found = admit(f"player-1:{moment(made_ms)}/7", f"{NOW_MS}-3", horizon_ms)
    assert (expected or made_ms) == found


def test_a_speaker_may_be_called_like_a_moment() -> None:
    """The last moment counts: that of the command, not that of the speaker's name."""
    assert NOW_MS == admit(f"{moment(0)}:{moment(NOW_MS)}", f"{NOW_MS}-0", -1)


class Clocked:
    """A toy shard with a small window, on a log whose clock a test moves."""

    def __init__(self, feed_entries: int = 100_000) -> None:
        self.now_ms = NOW_MS
        self.log = MemoryLog(lambda: self.now_ms, feed_entries=feed_entries)
        self.run: ShardRun

    async def take_over(self) -> "Clocked":
        """Begin with what the log holds."""
        self.run = await open_run(self.log, answers=Answers(WINDOW))
        return self

    async def say(self, command_id: str, amount: int = 1) -> str:
        """Say something as a player; return the code of the refusal, empty when it was accepted."""
        await self.run.say(wish(Add(amount=amount), command_id=command_id, by=PLAYER))
        answer = (await self.run.answers())[-1]
        assert answer.id == command_id
        return answer.refusal.code if answer.refusal else ""

    async def overrun(self) -> None:
        """Give so many answers that all before are forgotten, one in each millisecond."""
        for _ in range(2 * WINDOW):
            self.now_ms += 1
            assert "" == await self.say(id_of(PLAYER, self.now_ms))


async def test_what_is_forgotten_is_not_done_again() -> None:
    """Behind the window a repeat is refused, whatever was answered; what is new and made later is done."""
    there = await Clocked().take_over()
    done, refused, never = (id_of(PLAYER, there.now_ms) for _ in range(3))
    assert ["", "toy.negative", ""] == [
        await there.say(done, 5),
        await there.say(refused, -1),
        await there.say(done, 5),
    ]
    await there.overrun()
    total = there.run.state().total
    assert ["command.too_old"] * 4 == [
        await there.say(*said) for said in ((done, 5), (done, 6), (refused, 1), (never,))
    ]
    assert total == there.run.state().total
    assert "" == await there.say(id_of(PLAYER, there.now_ms))


async def test_ids_made_in_one_second_are_told_apart_by_order_alone() -> None:
    """Where clients count whole seconds, the rest of a second is refused once one of its ids is forgotten."""
    there = await Clocked().take_over()
    second = f"player-1:{moment(there.now_ms)[:19]}Z"
    assert [""] * 2 * WINDOW + ["command.too_old"] == [await there.say(f"{second}/{n}") for n in range(2 * WINDOW + 1)]
    there.now_ms += 1_000
    assert "" == await there.say(id_of(PLAYER, there.now_ms))


async def test_a_moment_ahead_is_refused_now_and_taken_when_its_time_has_come() -> None:
    """It is no answer that is remembered: the clock of the terminal was wrong, not the wish."""
    there = await Clocked().take_over()
    early = id_of(PLAYER, there.now_ms + COMMAND_AHEAD_MS + 1)
    assert "command.ahead" == await there.say(early)
    there.now_ms += 1
    assert ["", ""] == [await there.say(early), await (await there.take_over()).say(early)]
    assert 1 == there.run.state().total


async def test_services_need_no_moment() -> None:
    """What services owe one another is recognised by the rules for ever, so its ids are as they always were."""
    there = await Clocked().take_over()
    await there.run.say(wish(Add(amount=1), command_id="post:T1/4/17"))
    await there.overrun()
    records = await there.run.stream("a/1")
    assert "" == records[0].digest
    assert 1 + 2 * WINDOW == there.run.state().total


async def test_after_a_take_over_with_the_whole_feed_nothing_is_too_old() -> None:
    """A feed that was never trimmed, and read whole, leaves nothing out: the earliest ids are still taken."""
    there = await Clocked().take_over()
    done, never = (id_of(PLAYER, there.now_ms - 60_000) for _ in range(2))
    assert "" == await there.say(done, 5)
    await there.take_over()
    assert ["", "command.conflict", ""] == [await there.say(*said) for said in ((done, 5), (done, 6), (never, 1))]
    assert 6 == there.run.state().total


@pytest.mark.parametrize("feed_entries", [3, 100_000], ids=["trimmed", "unread"])
async def test_after_a_take_over_without_the_whole_feed(feed_entries: int) -> None:
    """What was not read ends at its latest possible moment: older ids are refused, later ones are taken."""
    there = await Clocked(feed_entries).take_over()
    done = id_of(PLAYER, there.now_ms + COMMAND_AHEAD_MS)
    assert "" == await there.say(done, 5)
    there.now_ms += COMMAND_AHEAD_MS
    await there.overrun()
    await there.take_over()
    total, oldest_ms = there.run.state().total, there.run.shard._answers.horizon_ms - COMMAND_AHEAD_MS
    assert NOW_MS < oldest_ms <= there.now_ms
    assert ["command.too_old", "command.too_old"] == [await there.say(done, amount) for amount in (5, 6)]
    assert "" == await there.say(id_of(PLAYER, oldest_ms + COMMAND_AHEAD_MS + 1))
    assert total + 1 == there.run.state().total


async def test_a_feed_that_was_thrown_away_leaves_everything_out() -> None:
    """Where commands were handled and nothing is on the feed, only what is made after all of them is taken."""
    there = await Clocked().take_over()
    done = id_of(PLAYER, there.now_ms)
    assert "" == await there.say(done, 5)
    there.log._shards[SHARD].feed = type(there.log._shards[SHARD].feed)()
    await there.take_over()
    assert "command.too_old" == await there.say(done, 5)
    there.now_ms += 1
    assert "" == await there.say(id_of(PLAYER, there.now_ms + COMMAND_AHEAD_MS))
    assert 6 == there.run.state().total


async def test_whoever_was_told_too_old_is_told_so_again() -> None:
    """Also by an owner that remembers more than the one before did: a refused wish never comes true later."""
    there = await Clocked().take_over()
    await there.overrun()
    never = id_of(PLAYER, NOW_MS)
    assert "command.too_old" == await there.say(never)
    there.run = await open_run(there.log, answers=Answers(100))
    assert "command.too_old" == await there.say(never)
    assert NOW_MS == there.run.shard._answers.horizon_ms


async def test_a_clock_that_is_set_back_lets_nothing_be_done_twice() -> None:
    """Commands keep the time of their arrival: what waited while the clock was set back is not taken for older."""
    there = await Clocked().take_over()
    await there.overrun()
    there.now_ms += 60_000
    late = id_of(PLAYER, there.now_ms + COMMAND_AHEAD_MS)
    await there.log.send([(SHARD, wish(Add(amount=5), command_id=late, by=PLAYER))])
    there.now_ms -= 55_000
    await there.run.take()
    total = there.run.state().total
    for _ in range(2 * WINDOW):
        there.now_ms += 1
        await there.run.say(wish(Add(amount=0)))
    await there.take_over()
    assert "command.too_old" == await there.say(late, 5)
    assert total == there.run.state().total


async def test_the_first_record_has_the_digest_of_the_command() -> None:
    """It is what the answer has, stands once for each decision, and is chained like the rest of the record."""
    there = await Clocked().take_over()
    await there.say(id_of(PLAYER, NOW_MS), 5)
    await there.say(id_of(PLAYER, NOW_MS), 6)
    records: list[EventRecord] = await there.run.stream("a/1")
    answers: list[Answer] = await there.run.answers()
    assert [answers[0].digest, "", answers[1].digest] == [record.digest for record in records]
    assert 3 == (await verify_stream(there.log, SHARD, "a/1")).version
    (raw,) = there.log._shards[SHARD].logs["a/1"][:1]
    assert raw.endswith(b',"digest":"%b"}' % answers[0].digest.encode())
    assert records[0] == msgspec.json.decode(raw, type=EventRecord)


async def test_the_wallet_asks_for_a_moment_where_its_rules_do_not_remember() -> None:
    """Money is known by its date for ever; whatever else people may say there carries its moment, as at a table."""
    cashier, log = Actor("cashier-1", "cashier"), MemoryLog(lambda: NOW_MS)
    run = await open_run(log, kind=WALLET, name=WALLET_SHARD, known={LEDGER}, clock_ms=lambda: NOW_MS)
    day = moment(NOW_MS)[:10]
    issue, block = IssueCard(card="C-1", player="p"), BlockCard(card="C-1", reason="lost")
    for number, command in enumerate((Deposit(player="p", amount=100), issue, block)):
        await run.say(wish(command, LEDGER, f"cashier-1:{day}/{number}", by=cashier))
        await run.say(wish(command, LEDGER, f"cashier-1:{moment(NOW_MS)}/{number}", by=cashier))
    codes = [answer.refusal.code if answer.refusal else "" for answer in await run.answers()]
    assert ["", "", "command.undated", "", "command.undated", ""] == codes


def test_conflicts_and_refused_ids_are_not_what_is_remembered() -> None:
    """A memory that is built anew holds what the shard decided, not what it said of the id alone."""
    said = [
        (f"{NOW_MS}-{n}", msgspec.json.encode(FeedEntry(answer=Answer(f"p:{moment(NOW_MS)}/{n}", "a", "", refusal=no))))
        for n, no in enumerate((CONFLICTING, UNDATED, AHEAD, TOO_OLD))
    ]
    answers = Answers(WINDOW)
    answers.rebuild(said, -1)
    assert (0, NOW_MS) == (len(answers), answers.horizon_ms)
    answers.rebuild(said[:3], -1)
    assert (0, -1) == (len(answers), answers.horizon_ms)


async def test_a_far_date_of_money_keeps_nobody_out() -> None:
    """A buy-in of tomorrow is credited and its answer forgotten, also after a take-over: that is no horizon."""
    there = await Clocked().take_over()
    for _ in range(2):
        await there.run.say(wish(Add(amount=1), command_id=f"credit:p:{moment(NOW_MS + COMMAND_LATE_MS)}/1"))
        await there.take_over()
        there.now_ms += COMMAND_AHEAD_MS
        await there.overrun()
    assert there.now_ms > there.run.shard._answers.horizon_ms
