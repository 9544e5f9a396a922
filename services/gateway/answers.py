"""The desk where requests wait for the answers to their commands, as the feeds tell them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from libs.kernel.envelope import FeedEntry
from libs.kernel.limits import DOOR_WAITING
from libs.kernel.refusals import Refusal
from libs.runtime.httpkit import Problem


class Told(msgspec.Struct, frozen=True):
    """What became of a command: refused, or accepted with the bodies of the events it led to."""

    stream: str
    events: tuple[msgspec.Raw, ...]
    refusal: Refusal | None


Waiting = asyncio.Future[Told]


class Desk:
    """Requests that wait, by command id, book and digest; several may wait for the same answer."""

    def __init__(self, limit: int = DOOR_WAITING) -> None:
        self._limit = limit
        self._count = 0
        self._waiting: dict[tuple[str, str, str], set[Waiting]] = {}

    def __len__(self) -> int:
        return self._count

    @contextmanager
    def expect(self, command_id: str, book: str, digest: str) -> Iterator[Waiting]:
        """Register before the command is sent; yields what will hold the answer. Raises `Problem` when too many wait.

        Book and digest keep apart different commands that (wrongly) bear the same id: each gets its own answer.
        """
        if self._count >= self._limit:
            raise Problem(
                503,
                "door.full",
                "Trop de demandes attendent une réponse; réessayez.",
                "Too many requests are waiting for an answer; try again.",
                headers={"retry-after": "1"},
            )
        key = (command_id, book, digest)
        waiting: Waiting = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, set()).add(waiting)
        self._count += 1
        try:
            yield waiting
        finally:
            self._count -= 1
            others = self._waiting[key]
            others.discard(waiting)
            if not others:
                del self._waiting[key]

    def hear(self, entry: FeedEntry, _raw: bytes = b"") -> None:
        """Take a feed entry; whoever waits for its answer gets it."""
        answer = entry.answer
        if answer is None:
            return
        waiting = self._waiting.get((answer.id, answer.book, answer.digest))
        if not waiting:
            return
        events = answer.events or tuple(record.body for record in entry.events)
        # The bodies are views into the feed page: copied, so that a slow reader does not keep the page alive.
        told = Told(answer.stream, tuple(msgspec.Raw(bytes(body)) for body in events), answer.refusal)
        for one in waiting:
            if not one.done():
                one.set_result(told)
