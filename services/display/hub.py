"""Live pages by server-sent events: a frame is encoded once and shared by all pages that follow a topic.

A page gets the latest snapshot first, then updates. A slow page loses updates, never the latest state: boards want
state, not backlog. `Hub.close` ends every stream at once, so that a stopping server need not wait for open pages.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable

from libs.kernel.limits import DISPLAY_CLIENTS, DISPLAY_QUEUE_FRAMES
from libs.runtime import metrics
from libs.runtime.httpkit import Problem

RETRY = b"retry: 1000\n\n"
"""How long a page waits before it comes back, in milliseconds; sent first on every stream."""

BYE = b"event: bye\ndata: {}\n\n"
"""The last frame before a planned stop."""

COMMENT = b": still here\n\n"
"""Keeps proxies from closing a silent connection."""


def frame(event: str, data: bytes, position: str = "") -> bytes:
    r"""Return the bytes of one event; `data` is one line of JSON.

    >>> frame("beat", b"{}", "T1/4:17")
    b'id: T1/4:17\nevent: beat\ndata: {}\n\n'
    """
    head = f"id: {position}\n" if position else ""
    return f"{head}event: {event}\ndata: ".encode() + data + b"\n\n"


class Topic:
    """One thing that pages follow: a table's board, or the floor."""

    def __init__(self, snapshot: Callable[[], bytes]) -> None:
        self.snapshot = snapshot
        self.pages: set[Page] = set()

    def publish(self, update: bytes) -> None:
        """Give a frame to every page of the topic."""
        for page in self.pages:
            page.put(update)


class Page:
    """The frames that wait for one open page: a bounded queue."""

    def __init__(self, topic: Topic, limit: int) -> None:
        self._topic, self._limit = topic, limit
        self._frames: deque[bytes] = deque()
        self._behind = False
        self._closed = False
        self._wake = asyncio.Event()

    def put(self, update: bytes) -> None:
        """Queue a frame; a full queue is dropped in favour of the latest snapshot."""
        if len(self._frames) >= self._limit:
            self._frames.clear()
            self._behind = True
        elif not self._behind:
            self._frames.append(update)
        self._wake.set()

    def close(self) -> None:
        """End the stream after what is being sent now."""
        self._closed = True
        self._wake.set()

    async def next(self) -> bytes | None:
        """Return what to send next, or None at the end."""
        await self._wake.wait()
        if self._closed:
            return None
        if self._behind:
            self._behind = False
            update = self._topic.snapshot()
        else:
            update = self._frames.popleft()
        if not self._frames:
            self._wake.clear()
        return update


class Hub:
    """All topics and open pages of one display."""

    def __init__(self, pages: int = DISPLAY_CLIENTS, queue_frames: int = DISPLAY_QUEUE_FRAMES) -> None:
        self._limit, self._queue_frames = pages, queue_frames
        self._topics: dict[str, Topic] = {}
        self._closed = False
        self.beat: Callable[[], bytes] = lambda: b""
        """Returns the heartbeat that follows the first snapshot and is then sent to every page."""

    def __len__(self) -> int:
        return sum(len(topic.pages) for topic in self._topics.values())

    def add(self, name: str, snapshot: Callable[[], bytes]) -> Topic:
        """Open a topic; `snapshot` returns its latest whole state as a frame."""
        topic = self._topics[name] = Topic(snapshot)
        return topic

    def publish(self, update: bytes) -> None:
        """Give a frame to every page of every topic."""
        for topic in self._topics.values():
            topic.publish(update)

    def close(self) -> None:
        """Say good-bye to every page and take no new ones. Safe to call from a signal handler of the loop."""
        self._closed = True
        for topic in self._topics.values():
            for page in topic.pages:
                page.close()

    def check_room(self) -> None:
        """Raise `Problem` 503 when the display is stopping or full."""
        if self._closed or len(self) >= self._limit:
            raise Problem(
                503,
                "display.full",
                "Cet affichage ne prend pas de nouvel écran pour le moment.",
                "This display takes no further screens for now.",
                headers={"retry-after": "2"},
            )

    async def stream(self, name: str) -> AsyncGenerator[bytes]:
        """Yield the frames of a topic for one page, until the page goes away or the hub closes."""
        topic = self._topics[name]
        page = Page(topic, self._queue_frames)
        # Registered here, not by the caller: a stream that never starts would never be taken off again.
        topic.pages.add(page)
        metrics.sse_clients.inc()
        try:
            yield RETRY + topic.snapshot() + self.beat()
            while not self._closed:
                update = await page.next()
                if update is None:
                    break
                yield update
            yield BYE
        finally:
            # No await here: the cancellation of a closed connection would cancel it too.
            topic.pages.discard(page)
            metrics.sse_clients.dec()
