"""Decide a batch of commands on the current states of a shard, without touching anything (no I/O here).

The result is a `Plan`: what to append, what to answer, and the states to adopt once the append has happened. If it does
not happen, the plan is dropped and the old states still stand.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from libs.eventlog.api import Head
from libs.eventlog.chain import seal
from libs.eventlog.codec import BadMessage, Codec, decode_envelope
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.decider import NO_CHANCE, Accepted, Already, Chance, Context, Decider, NotYet, Refused
from libs.kernel.envelope import CommandEnvelope, ParkedEntry
from libs.kernel.ids import stream_name
from libs.kernel.limits import MAX_COMMAND_BYTES, MAX_EVENTS_PER_DECISION, MAX_REASON_CHARS
from libs.kernel.messages import Command, Tick, tag_of
from libs.kernel.refusals import Refusal
from libs.runtime.admission import CONFLICTING, admit
from libs.runtime.answers import NO_MOMENT, Answers, Given, answer_bytes, digest_of, feed_entry
from libs.runtime.faults import Defect, SetAside
from libs.runtime.plan import Book, Plan, Reply

UNKNOWN_BOOK = Refusal("book.unknown", "Destinataire inconnu de ce service.", "This service knows no such addressee.")
_encode = msgspec.json.Encoder().encode


Provider = Callable[[Any, Command], Chance]
"""Hands chance to one decision, as the state and the command ask for it."""


class Decisions:
    """Decides commands one after the other; each sees the effects of those before it."""

    def __init__(
        self,
        shard: str,
        decider: Decider[Any],
        codec: Codec,
        books: dict[str, Book],
        answers: Answers,
        known: frozenset[str],
        chance: Provider | None = None,
        set_aside: SetAside | None = None,
    ) -> None:
        self._shard, self._decider, self._codec = shard, decider, codec
        self._books, self._answers = books, answers
        self._set_aside = SetAside() if set_aside is None else set_aside
        self._known, self._chance = known, chance

    def decide(self, entries: Sequence[tuple[str, bytes]], now_ms: int, after: Plan | None = None) -> Plan:
        """Decide inbox entries in order, after a plan that is not adopted yet. Raises `Defect` when one crashes."""
        plan = Plan(after)
        for entry, raw in entries:
            self._take(plan, entry, raw, now_ms)
        return plan

    def tick(self, books: Sequence[str], now_ms: int) -> Plan:
        """Decide a tick for each of the books. Raises `Defect` when a decision crashes."""
        plan = Plan()
        for name in books:
            book = self._book(plan, name)
            result = self._run(plan, "", book, Tick(), Cause(f"tick:{name}:{now_ms}", SYSTEM, now_ms))
            if isinstance(result, Recorded) and result.records:
                plan.feed.append(feed_entry(result.records, None))
        return plan

    def park(self, entry: str, raw: bytes, reason: str, now_ms: int) -> Plan:
        """Set a command aside instead of deciding it, and whatever comes later under its id."""
        plan = Plan()
        self._park(plan, entry, raw, reason, now_ms)
        with suppress(BadMessage):
            self._set_aside.add(decode_envelope(raw).id)
        return plan

    def _take(self, plan: Plan, entry: str, raw: bytes, now_ms: int) -> None:
        try:
            envelope = decode_envelope(raw)
            command = self._codec.decode_command(envelope.body)
        except BadMessage as bad:
            self._park(plan, entry, raw, bad.reason, now_ms)
            return
        kind = type(command)
        if envelope.id in self._set_aside:
            plan.count(kind, "parked")
            return
        digest = digest_of(envelope.body)
        # An answer has no answer: whatever bears its id is somebody else's, and must not stand in its way.
        before = None if kind is Answered else self._given(plan, envelope.id)
        if before is not None:
            self._repeat(plan, envelope, kind, before, digest)
            return
        # Deciders recognise by themselves, for ever, what services owe one another, and what moves a person's money.
        own = envelope.actor.role == "service" or kind in self._decider.remembers
        moment_ms = NO_MOMENT if own else admit(envelope.id, entry, self._answers.horizon_ms)
        if isinstance(moment_ms, Refusal):
            self._turn_away(plan, envelope, kind, digest, moment_ms)
            return
        book = self._book(plan, envelope.book)
        result: Recorded | Already | NotYet | Refusal = envelope.refusal or UNKNOWN_BOOK
        if book is not None and envelope.refusal is None:
            cause = Cause(envelope.id, envelope.actor, now_ms, "" if own else digest)
            result = self._run(plan, entry, book, command, cause)
        self._conclude(plan, envelope, kind, digest, moment_ms, result)

    def _book(self, plan: Plan, name: str) -> Book | None:
        book = plan.books.get(name) or plan.books_before.get(name) or self._books.get(name)
        if book is None and name in self._known:
            book = Book(name, 0, Head(), self._decider.initial(name))
        return book

    def _given(self, plan: Plan, command_id: str) -> Given | None:
        return plan.given.get(command_id) or plan.given_before.get(command_id) or self._answers.get(command_id)

    def _run(
        self, plan: Plan, entry: str, book: Book | None, command: Command, cause: "Cause"
    ) -> "Recorded | Already | NotYet | Refusal":
        """Decide one command; on acceptance apply its events to the plan and return what may be told of them."""
        assert book is not None
        chance = self._chance(book.state, command) if self._chance else NO_CHANCE
        context = Context(cause.now_ms, cause.actor, cause.id, book.name, chance, self._shard)
        try:
            decision = self._decider.decide(book.state, command, context)
            if not isinstance(decision, Accepted | Refused):
                return decision
            return self._apply(plan, book, decision, cause)
        except Exception as error:
            raise Defect(entry, book.name, error) from error

    def _apply(self, plan: Plan, book: Book, decision: Accepted | Refused, cause: "Cause") -> "Recorded":
        events = decision.events
        if len(events) > MAX_EVENTS_PER_DECISION:
            raise ValueError(f"{len(events)} events from one decision")
        volume, head, state = book.volume, book.head, book.state
        bodies: list[bytes] = []
        told: list[bytes] = []
        sealed: list[bytes] = []
        stream, records = stream_name(book.name, volume), None
        for event in events:
            if event.opens_volume:
                volume, head = volume + 1, Head()
                if self._decider.whole is None:
                    state = self._decider.initial(book.name)
                stream, records = stream_name(book.name, volume), None
            elif volume == 0:
                raise ValueError(f"{tag_of(event)} would be the first event of {book.name}, but opens no volume")
            state = self._decider.evolve(state, event)
            body = _encode(event)
            digest = ""
            if records is None:
                records, digest = plan.streams.setdefault(stream, (head, []))[1], cause.digest
            record, head = seal(head, stream, cause.now_ms, cause.actor, cause.id, msgspec.Raw(body), digest)
            records.append(record)
            plan.events.append((book.name, event))
            if not event.secret:
                bodies.append(body)
                told.append(record)
            elif event.for_asker:
                sealed.append(body)
        if not events:
            return Recorded("", (), ())
        plan.books[book.name] = Book(book.name, volume, head, state)
        refusal = decision.refusal if isinstance(decision, Refused) else None
        return Recorded(stream, tuple(bodies), tuple(told), tuple(sealed), refusal)

    def _conclude(
        self,
        plan: Plan,
        envelope: CommandEnvelope,
        kind: type[Command],
        digest: str,
        moment_ms: int,
        result: "Recorded | Already | NotYet | Refusal",
    ) -> None:
        if isinstance(result, Recorded):
            bodies = () if result.refusal else result.bodies
            given = Given(digest, envelope.book, result.stream, bodies, result.refusal, moment_ms)
            self._answer(plan, envelope, kind, given, result.records, sealed=result.sealed)
            return
        match result:
            case Refusal():
                self._answer(plan, envelope, kind, Given(digest, envelope.book, "", (), result, moment_ms), ())
            case Already(events):
                bodies = tuple(_encode(event) for event in events if not event.secret)
                sealed = tuple(_encode(event) for event in events if event.for_asker)
                given = Given(digest, envelope.book, "", bodies, None, moment_ms)
                self._answer(plan, envelope, kind, given, (), "already", sealed)
            case NotYet():
                plan.count(kind, "not_yet")

    def _repeat(self, plan: Plan, envelope: CommandEnvelope, kind: type[Command], before: Given, digest: str) -> None:
        """Give the same answer again, or refuse other content under the same id; nothing is decided."""
        if (before.digest, before.book) != (digest, envelope.book):
            self._turn_away(plan, envelope, kind, digest, CONFLICTING)
            return
        plan.count(kind, "already")
        self._say(plan, envelope, before)

    def _turn_away(
        self, plan: Plan, envelope: CommandEnvelope, kind: type[Command], digest: str, refusal: Refusal
    ) -> None:
        """Refuse a command for its id; whatever was answered to that id before stays what is remembered."""
        plan.count(kind, "refused", refusal.code)
        self._say(plan, envelope, Given(digest, envelope.book, "", (), refusal))

    @staticmethod
    def _say(plan: Plan, envelope: CommandEnvelope, given: Given) -> None:
        plan.feed.append(feed_entry((), answer_bytes(envelope.id, given, given.bodies)))
        if envelope.reply is not None:
            plan.replies.append(Reply(envelope.reply, envelope.id, given))

    def _answer(
        self,
        plan: Plan,
        envelope: CommandEnvelope,
        kind: type[Command],
        given: Given,
        records: tuple[bytes, ...],
        outcome: str = "accepted",
        sealed: tuple[bytes, ...] = (),
    ) -> None:
        """Tell the feed what it may know (law 10) and the asking shard the rest, which is `sealed`."""
        refused = given.refusal
        if refused is None:
            plan.count(kind, outcome)
        else:
            plan.count(kind, "refused", refused.code)
        answers = kind is Answered
        if answers or sealed:
            # An answer to an answer would never end; its facts, if any, are told without one. An answer with secrets is
            # not remembered, because the memory is rebuilt from the feed: asked again, the decider gives it (law 4).
            if records:
                plan.feed.append(feed_entry(records, None))
        else:
            plan.given[envelope.id] = given
            plan.feed.append(feed_entry(records, answer_bytes(envelope.id, given, () if records else given.bodies)))
        if envelope.reply is not None and not answers:
            told = msgspec.structs.replace(given, bodies=given.bodies + sealed) if sealed else given
            plan.replies.append(Reply(envelope.reply, envelope.id, told))

    @staticmethod
    def _park(plan: Plan, entry: str, raw: bytes, reason: str, now_ms: int) -> None:
        text = raw[:MAX_COMMAND_BYTES].decode("utf-8", "replace")
        plan.parked.append(_encode(ParkedEntry(entry, reason[:MAX_REASON_CHARS], text, now_ms)))
        plan.count(Command, "parked")


class Cause(msgspec.Struct, frozen=True, gc=False):
    """What leads to a decision, as the records of its events name it."""

    id: str
    actor: Actor
    now_ms: int
    digest: str = ""
    """Of the command's body, for whoever will be told from the log what became of it."""


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """What became of a command with facts: its stream, and the bodies and records of the events that may be told."""

    stream: str
    bodies: tuple[bytes, ...]
    records: tuple[bytes, ...]
    sealed: tuple[bytes, ...] = ()
    """Bodies of secret events that only the asking shard may be told."""
    refusal: Refusal | None = None
    """The answer, when the facts are those of a no."""
