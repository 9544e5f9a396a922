"""Batches are decided, answered, remembered and parked: the shard's loop on a log in memory."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from libs.eventlog.api import Appended
from libs.eventlog.chain import verify_stream
from libs.kernel.actors import Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.decider import Accepted, Decision
from libs.kernel.envelope import ReturnAddress
from libs.kernel.limits import MAX_COMMAND_BYTES, MAX_EVENTS_PER_DECISION
from libs.kernel.refusals import Refusal
from libs.runtime.answers import Answers
from libs.runtime.deciding import Decisions
from libs.runtime.faults import Defect, SetAside
from tests.kit.shard_run import KNOWN, SHARD, ShardRun, id_of, open_run, tags, wish
from tests.kit.toy import CODEC, DECIDER, Add, Added, Again, Ask, Later, OpenNext


async def test_an_accepted_command_leads_to_events_and_an_answer() -> None:
    """Events go to the log and to the feed, the answer beside them names the command, and the state follows."""
    run, by = await open_run(), Actor("player-1", "player")
    command_id = id_of(by)
    await run.say(wish(Add(amount=5), command_id=command_id, by=by))
    records = await run.stream("a/1")
    assert ["toy.Opened", "toy.Added"] == tags(records)
    assert {(command_id, "player-1")} == {(record.cause, record.actor.id) for record in records}
    (entry,) = await run.feed()
    assert records == list(entry.events)
    assert entry.answer is not None
    assert (command_id, "a", "a/1", None, ()) == (
        entry.answer.id,
        entry.answer.book,
        entry.answer.stream,
        entry.answer.refusal,
        entry.answer.events,
    )
    assert 5 == run.state().total


async def test_a_refusal_is_answered_and_changes_nothing() -> None:
    """A refused command leaves its answer on the feed, no event and no book."""
    run = await open_run()
    await run.say(wish(Add(amount=-1)))
    (entry,) = await run.feed()
    assert entry.answer is not None
    assert entry.answer.refusal is not None
    assert "toy.negative" == entry.answer.refusal.code
    assert () == entry.events
    assert {} == run.shard.books


async def test_each_command_sees_the_effects_of_those_before_it() -> None:
    """Commands of one batch are decided in order, on states that nothing has been written of yet."""
    run = await open_run()
    await run.say(*[wish(Add(amount=amount)) for amount in (1, 2, 3)])
    bodies = [msgspec.json.decode(record.body) for record in await run.stream("a/1")]
    assert [0, 1, 3, 6] == [body["total"] for body in bodies]


async def test_not_yet_is_no_answer() -> None:
    """`NotYet` moves the cursor, tells nobody anything, and the same id may succeed later."""
    run = await open_run()
    await run.say(wish(Later(), command_id="later"))
    assert [] == await run.feed()
    assert "0-0" != run.shard.cursor
    await run.say(wish(Add(amount=1)), wish(Later(), command_id="later"))
    assert ["later"] == [answer.id for answer in await run.answers() if answer.id == "later"]


async def test_a_secret_reaches_neither_feed_nor_answer() -> None:
    """A secret event is in the log alone; a repeated command does not get it either (law 10)."""
    run = await open_run()
    await run.say(wish(Add(amount=7), command_id="c1"))
    await run.say(wish(Add(amount=7), command_id="c1"))
    await run.say(wish(Again(), command_id="c2"))
    assert ["toy.Opened", "toy.Added", "toy.Whispered"] == tags(await run.stream("a/1"))
    assert b"hush" not in b"".join(raw for _, raw in await run.log.feed_tail(SHARD, 100))


async def test_a_secret_is_not_in_an_answer_to_another_shard() -> None:
    """What is sent to a return address holds the public events only."""
    run = await open_run()
    await run.say(
        wish(Add(amount=7), reply=ReturnAddress("toy-1", "x")), wish(Again(), reply=ReturnAddress("toy-1", "x"))
    )
    sent = await run.log.read_inbox("toy-1", "0-0", 10)
    assert 2 == len(sent)
    assert b"hush" not in b"".join(raw for _, raw in sent)


async def test_two_volumes_of_a_book_may_end_and_begin_in_one_batch() -> None:
    """Streams that begin within a batch are appended whole, each with its own chain; the last one goes on."""
    run = await open_run()
    await run.say(wish(Add(amount=1)), wish(OpenNext()), wish(Add(amount=2)), wish(OpenNext()), wish(Add(amount=3)))
    heads = await run.log.heads(SHARD)
    assert {"a/1": 2, "a/2": 2, "a/3": 2} == {stream: head.version for stream, head in heads.items()}
    for stream, head in heads.items():
        assert head == await verify_stream(run.log, SHARD, stream)
    assert (3, 6) == (run.shard.books["a"].volume, run.state().total)
    assert ["a/1", "a/2", "a/2", "a/3", "a/3"] == [answer.stream for answer in await run.answers()]


async def test_the_next_run_goes_on_in_the_last_volume() -> None:
    """After loading, the current volume is the one with the highest number, also beyond nine."""
    run = await open_run()
    await run.say(*[wish(OpenNext()) for _ in range(11)], wish(Add(amount=2)))
    again = await open_run(run.log)
    assert (run.shard.books["a"]) == again.shard.books["a"]
    assert 12 == again.shard.books["a"].volume


async def test_a_book_that_the_service_does_not_know_is_a_refusal() -> None:
    """A command for an unknown book is answered with `book.unknown`; no stream begins."""
    run = await open_run()
    await run.say(wish(Add(amount=1), "nowhere"))
    (answer,) = await run.answers()
    assert answer.refusal is not None
    assert "book.unknown" == answer.refusal.code
    assert {} == await run.log.heads(SHARD)


async def repeat(run: ShardRun, how: str, *wishes: bytes) -> ShardRun:
    """Say the commands in one batch, one after the other, or the last one after a take-over."""
    if how == "one batch":
        await run.say(*wishes)
        return run
    for one in wishes[:-1]:
        await run.say(one)
    if how == "after a take-over":
        run = await open_run(run.log)
    await run.say(wishes[-1])
    return run


HOW = pytest.mark.parametrize("how", ["one batch", "later", "after a take-over"])


@HOW
async def test_a_repeated_command_is_done_once_and_answered_again(how: str) -> None:
    """The same id gets the same answer with the same events; nothing is logged twice (law 4)."""
    run = await repeat(
        await open_run(), how, wish(Add(amount=5), command_id="c1"), wish(Add(amount=5), command_id="c1")
    )
    entries = await run.feed()
    first, second = entries
    assert first.answer is not None
    assert second.answer is not None
    assert [bytes(record.body) for record in first.events] == [bytes(body) for body in second.answer.events]
    assert (first.answer.digest, first.answer.stream) == (second.answer.digest, second.answer.stream)
    assert () == second.events
    assert 2 == len(await run.stream("a/1"))


@HOW
async def test_a_repeated_refusal_is_the_same_refusal(how: str) -> None:
    """A refusal is remembered too, although the command would be accepted now."""
    one = wish(Add(amount=-1), command_id="c1")
    run = await repeat(await open_run(), how, one, wish(Add(amount=100)), one)
    codes = [answer.refusal.code for answer in await run.answers() if answer.id == "c1" and answer.refusal]
    assert ["toy.negative", "toy.negative"] == codes


@HOW
async def test_a_sender_who_says_no_changes_no_answer(how: str) -> None:
    """Whether rules or sender said it first, yes or no, each id keeps its answer; nothing is decided against a no."""
    no = Refusal("toy.no", "Non.", "No.")
    granted, late = (wish(Add(amount=5), command_id="c1", refusal=refusal) for refusal in (None, no))
    wrong, wrong_late = (wish(Add(amount=-1), command_id="c2", refusal=refusal) for refusal in (None, no))
    denied, early = (wish(Add(amount=7), command_id="c3", refusal=refusal) for refusal in (no, None))
    run = await repeat(await open_run(), how, granted, wrong, denied, late, wrong_late, early)
    answers = [(answer.id, answer.refusal.code if answer.refusal else "") for answer in await run.answers()]
    assert [("c1", ""), ("c2", "toy.negative"), ("c3", "toy.no")] * 2 == answers
    assert 5 == run.state().total


@HOW
async def test_the_same_id_with_other_content_is_a_conflict(how: str) -> None:
    """Other content under a used id is refused; the first answer stays the one that a true repeat gets."""
    first, other = wish(Add(amount=5), command_id="c1"), wish(Add(amount=6), command_id="c1")
    run = await repeat(await open_run(), how, first, other, first)
    codes = [answer.refusal.code if answer.refusal else "" for answer in await run.answers()]
    assert ["", "command.conflict", ""] == codes
    assert 5 == run.state().total
    again = await open_run(run.log)
    await again.say(first, other)
    assert ["", "command.conflict"] == [a.refusal.code if a.refusal else "" for a in (await again.answers())[-2:]]


async def test_the_same_id_to_another_book_is_a_conflict() -> None:
    """An answer speaks of one book: the same wish under the same id to another book is refused, not called done."""
    run = await open_run()
    await run.say(wish(Add(amount=5), command_id="c1"), wish(Add(amount=5), book="b", command_id="c1"))
    assert ["", "command.conflict"] == [a.refusal.code if a.refusal else "" for a in await run.answers()]
    assert "b" not in run.shard.books


async def test_nobody_stands_in_the_way_of_an_answer() -> None:
    """A command that bears the id of an answer on its way keeps no answer from being heard."""
    run = await open_run()
    await run.say(wish(Ask(shard="other", book="x", amount=1), command_id="q"))
    await run.say(wish(Add(amount=5), command_id="answer:ask:q"))
    facts = (Added(amount=1, total=41),)
    await run.say(wish(Answered(to="ask:q", events=facts), command_id="answer:ask:q"))
    assert ((41,), ()) == (run.state().heard, run.state().owed)


async def test_answers_are_found_behind_many_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A take-over finds as many answers as are promised, even when repeats fill the end of the feed."""
    monkeypatch.setattr("libs.runtime.loading.FEED_ENTRIES", 40)
    run = await open_run(answers=Answers(4))
    await run.say(wish(Add(amount=5), command_id="first"))
    noise = wish(Add(amount=1), command_id="noise")
    await run.say(*[noise] * 20)
    again = await open_run(run.log, answers=Answers(4))
    await again.say(wish(Add(amount=5), command_id="first"))
    assert 6 == again.state().total


BAD = {
    b"": "not JSON",
    b"\xff\xfe": "not",
    b"[]": "Expected `object`",
    b"{}": "missing required field `id`",
    b'{"id":"c1"': "not JSON",
    b"[" * 10_000: "Expected `object`",
    b'{"id":"c1","book":"a","actor":{"id":"x","role":"player"},"body":' + b"[" * 5_000: "nested too deeply",
    b'{"id":"c1","book":"a","actor":{"id":"x","role":"player"},"body":{},"more":1}': "unknown field `more`",
    b'{"id":"c1","book":"a","actor":{"id":"x","role":"king"},"body":{}}': "Invalid enum value 'king'",
    wish(b'{"type":"toy.Nope"}'): "Invalid value 'toy.Nope'",
    wish(b"{}"): "missing required field `type`",
    wish(b'{"type":"toy.Add","amount":1,"extra":true}'): "unknown field `extra`",
    wish(b'{"type":"toy.Add","amount":1.5}'): "Expected `int`, got `float`",
    wish(b'{"type":"toy.Add","amount":"' + b"9" * MAX_COMMAND_BYTES + b'"}'): f"longer than {MAX_COMMAND_BYTES}",
    b"x" * 3 * MAX_COMMAND_BYTES: "longer than",
}


@pytest.mark.parametrize(("raw", "reason"), BAD.items(), ids=[f"{i}-{r[:16]}" for i, r in enumerate(BAD.values())])
async def test_what_is_no_command_is_parked_with_the_reason(raw: bytes, reason: str) -> None:
    """Bytes that no decider can be asked about are set aside; the cursor moves on and what is behind is done."""
    run = await open_run()
    await run.say(raw, wish(Add(amount=1)))
    (parked,) = await run.parked()
    assert reason in parked.reason
    assert raw[:20].decode("utf-8", "replace")[:10] == parked.raw[:10]
    assert 1 == run.state().total
    assert run.failure is None
    assert 0 == await run.log.inbox_length(SHARD, run.shard.cursor)


async def test_the_longest_allowed_command_is_taken() -> None:
    """The limit is on the command; the envelope around it has room of its own."""
    room = MAX_COMMAND_BYTES - len(b'{"type":"toy.Add","amount":1}')
    run = await open_run()
    await run.say(wish(b'{"type":"toy.Add","amount":1' + b" " * room + b"}"))
    assert [] == await run.parked()
    assert 1 == run.state().total


async def test_parked_bytes_and_reasons_are_bounded() -> None:
    """However long the garbage, what is kept of it is not."""
    run = await open_run()
    await run.say(wish(b'{"type":"' + b"x" * 10_000 + b'"}'), b"\xff" * 100_000)
    for raw in [raw for _, raw in await run.log.read_parked(SHARD, "0-0", 10)]:
        assert 6 * MAX_COMMAND_BYTES > len(raw)


async def test_an_answer_is_not_answered() -> None:
    """`kernel.Answered` leads to no answer: two shards never answer each other for ever."""
    run = await open_run()
    await run.say(wish(Ask(shard="toy-1", book="x", amount=4), command_id="c1"))
    answer = b'{"type":"kernel.Answered","to":"ask:c1","events":[{"type":"toy.Added","amount":4,"total":9}]}'
    here = ReturnAddress("toy-2", "y")
    await run.say(
        wish(answer, command_id="answer:ask:c1", reply=here), wish(answer, command_id="answer:ask:c1", reply=here)
    )
    await run.say(wish(answer, "nowhere", reply=here))
    assert ["c1"] == [one.id for one in await run.answers()]
    assert (9,) == run.state().heard
    assert () == await run.log.read_inbox("toy-2", "0-0", 10)


async def test_facts_that_the_asker_does_not_know_are_left_out() -> None:
    """An answer may hold events of the other's own business."""
    run = await open_run()
    await run.say(wish(Ask(shard="toy-1", book="x", amount=4), command_id="c1"))
    facts = b'[{"type":"other.Thing","x":1},{"type":"toy.Added","amount":4,"total":9}]'
    await run.say(wish(b'{"type":"kernel.Answered","to":"ask:c1","events":' + facts + b"}"))
    assert (9,) == run.state().heard


def deciding(decide: Callable[..., Decision] = DECIDER.decide) -> Decisions:
    """Return decisions of a toy that may decide otherwise."""
    return Decisions(SHARD, replace(DECIDER, decide=decide), CODEC, {}, Answers(), KNOWN)


def test_too_many_events_of_one_decision_are_a_defect() -> None:
    """A decision of unbounded size is a defect of the rules, not a flood of the log."""
    many = deciding(lambda *_: Accepted((Added(amount=1, total=1),) * (MAX_EVENTS_PER_DECISION + 1)))
    with pytest.raises(Defect, match="513 events from one decision"):
        many.decide([("1-0", wish(Add(amount=1)))], 0)


def test_a_first_event_that_opens_no_volume_is_a_defect() -> None:
    """A stream begins with an event that carries all that its readers need."""
    wrong = deciding(lambda *_: Accepted((Added(amount=1, total=1),)))
    with pytest.raises(Defect, match="opens no volume"):
        wrong.decide([("1-0", wish(Add(amount=1)))], 0)


def test_a_crash_names_the_entry_and_the_book() -> None:
    """Whoever looks at the defect knows which command led to it."""
    with pytest.raises(Defect) as caught:
        deciding().decide([("1-0", wish(Add(amount=1))), ("2-0", wish(Add(amount=13), "b"))], 0)
    assert ("2-0", "b") == (caught.value.entry, caught.value.book)


async def test_a_dropped_plan_leaves_no_trace() -> None:
    """Deciding touches nothing: the same batch may be decided again on the same states, and then be appended."""
    run = await open_run()
    decisions = Decisions(SHARD, DECIDER, CODEC, run.shard.books, Answers(), KNOWN)
    entries = [("1-0", wish(Add(amount=5), command_id="c1")), ("2-0", wish(Add(amount=5), command_id="c1"))]
    first, second = (decisions.decide(entries, 7).batch(1, "0-0", "2-0") for _ in range(2))
    assert first == second
    assert {} == run.shard.books
    assert Appended() == await run.log.append(SHARD, second)


def test_ids_set_aside_are_bounded() -> None:
    """The oldest parked id is forgotten first."""
    aside = SetAside(limit=3)
    for number in range(5):
        aside.add(f"c{number}")
    assert ["c2", "c3", "c4"] == [f"c{number}" for number in range(5) if f"c{number}" in aside]
