"""The loop of one owned shard: load, react, read a batch, decide, append, adopt, answer; over and over.

A *run* begins when the shard is acquired and ends when ownership is lost, the process stops, or something is wrong. In
the last case everything in memory is dropped and the next run starts from the log (law 5: believing the log is cheap).
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from libs.eventlog.api import EventLog, EventLogError, EventLogUnavailable, Fenced, Owned
from libs.kernel.limits import APPEND_COMMANDS, BATCH_COMMANDS, PARK_AFTER_ATTEMPTS
from libs.runtime import counting, metrics
from libs.runtime.answers import Answers
from libs.runtime.appending import Appender
from libs.runtime.chance import Chances
from libs.runtime.clock import SteadyClock
from libs.runtime.deciding import Decisions
from libs.runtime.faults import CannotServe, Defect, Experience, OwnershipLost, StartAgain, named
from libs.runtime.gaming_day import Timed
from libs.runtime.kinds import Kind
from libs.runtime.loading import check_ledgers, load_answers, load_books
from libs.runtime.logs import log as logger
from libs.runtime.outbox import Outbox
from libs.runtime.plan import Book, Plan, Reply

TICK_EVERY_S = 0.1
"""How often deadlines are looked at."""

REACT_EVERY_S = 1.0
"""How often debts and lag are looked at (the slow tick)."""

STALLED_AFTER_S = 10.0
"""Commands wait but none was read for this long: the subscriber is broken and the run starts again."""

Answer = TypeVar("Answer")

Observer = Callable[[str, Sequence[tuple[str, Any]], dict[str, Book]], None]
"""Called after each append with the shard, its new (book, event) pairs and the books, for the metrics of the game.

Called without books when the shard is ours no longer.
"""


class Shard:
    """One run of an owned shard."""

    def __init__(
        self,
        log: EventLog,
        service: str,
        kind: Kind,
        owned: Owned,
        known: frozenset[str],
        chance: Chances | None = None,
        observe: Observer | None = None,
        clock_ms: Callable[[], int] | None = None,
        experience: Experience | None = None,
        wallets: int = 1,
        timed: Timed | None = None,
        answers: Answers | None = None,
    ) -> None:
        self._log, self._service, self._kind, self._owned, self._known = log, service, kind, owned, known
        self._timed = timed
        self._observe, self._clock_ms = observe, clock_ms or SteadyClock()
        self._experience = experience or Experience()
        self.name = owned.shard
        self.cursor = owned.cursor
        self.books: dict[str, Book] = {}
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Fails with the reason when the run must end; nobody else may raise into the reader."""
        self._answers = Answers() if answers is None else answers
        self._outbox = Outbox(log, service, self.name, wallets)
        self._appender = Appender(log, service, self.name, self.failure.done)
        self._adopted: list[Plan] = []
        """Plans that are in the log, but not followed up."""
        self._chance = chance
        provide = chance.provide if chance else None
        self._decisions = Decisions(
            owned.shard, kind.decider, kind.codec, self.books, self._answers, known, provide, self._experience.set_aside
        )
        trusted = owned.clean and not owned.attempts[0] and not self._experience.careful
        self._careful = 0 if trusted else BATCH_COMMANDS
        self._turn = asyncio.Lock()
        self._deadlines: dict[str, int] = {}
        self._last_read = time.monotonic()

    async def load(self) -> None:
        """Rebuild the books from the log and the answers from the feed; then send what is owed.

        Raises `EventLogError`, `CannotServe`, or `Defect` when the rules crash on what the log holds.
        """
        try:
            kind, heads = self._kind, self._owned.heads
            if kind.name == "wallet":
                check_ledgers(heads, self._known)
            self.books.update(await load_books(self._log, self.name, kind.decider, kind.codec, heads))
            if self._chance is not None:
                for book in self.books.values():
                    self._chance.look_over(book.state)
            await load_answers(self._log, self.name, self.cursor, self._answers)
            for book in self.books.values():
                self._note_deadline(book)
            self._tell_observer(())
            await self._react(self.books)
        except (EventLogError, CannotServe, Defect):
            raise
        except Exception as error:
            raise named(error) from error

    async def handle(self, entries: Sequence[tuple[str, bytes]]) -> None:
        """Decide and append a batch read from the inbox. Never raises: a failure ends the run."""
        started = time.perf_counter()
        try:
            async with self._turn:
                if self.failure.done():
                    return
                if self._careful > 0:
                    await self._handle_carefully(entries)
                else:
                    await self._handle_in_parts(entries)
        except Exception as error:
            # Catches everything: the run ends here and the supervisor decides what follows.
            self.end(error)
            return
        self._last_read = time.monotonic()
        metrics.labelled(metrics.batch_commands, self._service).observe(len(entries))
        metrics.labelled(metrics.batch_duration, self._service).observe(time.perf_counter() - started)

    async def _handle_in_parts(self, entries: Sequence[tuple[str, bytes]]) -> None:
        """While one part is appended, decide the next on the states that the first will lead to.

        Nothing is adopted or sent before its own append has happened. If one fails, the run ends with all that was
        decided after it.
        """
        now_ms = self._clock_ms()
        plan: Plan | None = None
        appending: asyncio.Task[None] | None = None
        crash: Defect | None = None
        try:
            for start in range(0, len(entries), APPEND_COMMANDS):
                part = entries[start : start + APPEND_COMMANDS]
                plan = self._decisions.decide(part, now_ms, after=plan)
                if appending is not None:
                    await appending
                appending = asyncio.create_task(self._commit(plan, part[-1][0]))
                # Let it be on its way before the next part keeps this thread busy.
                await asyncio.sleep(0)
        except Defect as defect:
            crash = defect
        finally:
            try:
                if appending is not None:
                    await appending
            finally:
                await self._follow_up()
        if crash is not None:
            # Whoever runs the shard next, in whatever process, knows that it has to be careful.
            await self._log.attempt(self.name, self._owned.epoch, crash.entry)
            raise crash

    async def _handle_carefully(self, entries: Sequence[tuple[str, bytes]]) -> None:
        for entry, raw in entries:
            if self.failure.done():
                return
            count = await self._log.attempt(self.name, self._owned.epoch, entry)
            if isinstance(count, Fenced):
                raise OwnershipLost
            if count > PARK_AFTER_ATTEMPTS:
                plan = self._decisions.park(entry, raw, f"crashed the shard {count - 1} times", self._clock_ms())
                logger().error("command parked", shard=self.name, entry=entry, attempts=count - 1)
            else:
                plan = self._decisions.decide([(entry, raw)], self._clock_ms())
            await self._commit(plan, entry)
            await self._follow_up()
            self._careful -= 1
        self._experience.careful = self._careful > 0

    async def run(self) -> None:
        """Feed ticks and send debts until the run fails; raises why it ended."""
        self._last_read = time.monotonic()
        tasks = [asyncio.create_task(self._tick_for_ever()), asyncio.create_task(self._react_for_ever())]
        try:
            await self.failure
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def settle_down(self) -> None:
        """Let the batch in hand be appended; nothing is decided afterwards (a graceful stop)."""
        self.end(OwnershipLost())
        async with self._turn:
            pass

    def leave(self) -> None:
        """Say that the books are ours no longer: whatever was said of them is another owner's to say."""
        self.books.clear()
        self._tell_observer(())

    def end(self, reason: Exception) -> None:
        """End the run; the first reason counts."""
        if not self.failure.done():
            self.failure.set_exception(named(reason))
            self.failure.exception()  # looked at here too, so that nobody is told it was never retrieved

    async def _commit(self, plan: Plan, cursor_to: str) -> None:
        """Append the plan and adopt its states."""
        batch = plan.batch(self._owned.epoch, self.cursor, cursor_to)
        if cursor_to == self.cursor and not (batch.appends or batch.feed or batch.parked):
            return
        await self._appender.append(batch)
        self.cursor = cursor_to
        self.books.update(plan.books)
        self._answers.remember(plan.given)
        for book in plan.books.values():
            self._note_deadline(book)
        self._adopted.append(plan)

    async def _follow_up(self) -> None:
        """Count what was adopted, and send what follows from it."""
        plans, self._adopted = self._adopted, []
        if not plans:
            return
        events = counting.count(self._service, self.name, plans)
        if events:
            self._tell_observer(events)
        touched = {name: self.books[name] for plan in plans for name in plan.books}
        await self._react(touched, [reply for plan in plans for reply in plan.replies])

    def _note_deadline(self, book: Book) -> None:
        suspended = self._experience.suspended(book.name)
        deadline = None if suspended else self._ask(book, self._kind.decider.deadline)
        if deadline is None:
            self._deadlines.pop(book.name, None)
        else:
            self._deadlines[book.name] = deadline

    async def _tick_for_ever(self) -> None:
        while True:
            await asyncio.sleep(TICK_EVERY_S)
            now_ms = self._clock_ms()
            due = [name for name, deadline in self._deadlines.items() if deadline <= now_ms]
            if not due:
                continue
            try:
                async with self._turn:
                    await self._commit(self._decisions.tick(due, now_ms), self.cursor)
                    await self._follow_up()
            except Exception as error:
                self.end(error)
                return

    async def _react_for_ever(self) -> None:
        while True:
            await asyncio.sleep(REACT_EVERY_S)
            try:
                async with self._turn:
                    await self._react(self.books)
                    if self._timed is not None:
                        wishes = self._timed(self.books, self._clock_ms())
                        await self._log.send([(self.name, wish) for wish in wishes])
                    lag = await self._log.inbox_length(self.name, self.cursor)
            except EventLogUnavailable:
                continue
            except Exception as error:
                self.end(error)
                return
            metrics.inbox_lag.labels(self.name).set(lag)
            if self._is_stalled(lag, time.monotonic()):
                self.end(StartAgain(f"{lag} commands wait, but none was read for {STALLED_AFTER_S:.0f} s"))
                return

    def _is_stalled(self, lag: int, now_s: float) -> bool:
        """Tell whether commands have waited at every look for so long while none was read; an idle shard is not."""
        if not lag:
            self._last_read = now_s
        return now_s - self._last_read > STALLED_AFTER_S

    async def _react(self, books: dict[str, Book], replies: Sequence[Reply] = ()) -> None:
        """Send what these books owe, and answers to other shards. A failed send is made good later."""
        ask, react, suspended = self._ask, self._kind.decider.react, self._experience.suspended
        owed = [(book.name, ask(book, react)) for book in books.values() if not suspended(book.name)]
        try:
            await self._outbox.send(owed, replies)
        except EventLogUnavailable:
            self._outbox.forget()

    @staticmethod
    def _ask(book: Book, question: Callable[[Any], Answer]) -> Answer:
        """Ask a pure function about the state of a book; its crash is blamed on the book."""
        try:
            return question(book.state)
        except Exception as error:
            raise Defect("", book.name, error) from error

    def _tell_observer(self, events: Sequence[tuple[str, Any]]) -> None:
        if self._observe is None:
            return
        try:
            self._observe(self.name, events, self.books)
        except Exception as error:  # whoever only counts never stops the play
            logger().error("observer crashed", shard=self.name, exc_info=error)
