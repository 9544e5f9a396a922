"""A live stream of an ASGI application, read frame by frame, without a server."""

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from libs.runtime.web import Asgi


class Frame(msgspec.Struct, frozen=True):
    """One event of a stream, with its data decoded."""

    event: str
    data: Any
    id: str = ""


class Stream:
    """What one page gets."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self._bytes: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._buffer = b""

    async def frame(self) -> Frame:
        """Return the next event; comments and `retry` are passed over."""
        while True:
            while b"\n\n" not in self._buffer:
                more = await self._bytes.get()
                assert more is not None, "the stream has ended"
                self._buffer += more
            raw, _, self._buffer = self._buffer.partition(b"\n\n")
            fields = dict(line.split(": ", 1) for line in raw.decode().split("\n"))
            if "event" in fields:
                return Frame(fields["event"], msgspec.json.decode(fields["data"]), fields.get("id", ""))

    async def at_end(self) -> bool:
        """Wait for more; True when there is no more."""
        return not self._buffer and await self._bytes.get() is None

    async def take(self, message: MutableMapping[str, Any]) -> None:
        """Take a message that the application sends."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        elif message.get("body"):
            self._bytes.put_nowait(message["body"])
        if message["type"] == "http.response.body" and not message.get("more_body"):
            self._bytes.put_nowait(None)


@asynccontextmanager
async def streaming(app: Asgi, path: str, headers: dict[str, str] | None = None) -> AsyncIterator[Stream]:
    """Open a stream as a page does, and go away at the end of the block."""
    gone = asyncio.Event()
    asked: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> MutableMapping[str, Any]:
        if asked:
            return asked.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    stream = Stream()
    raw = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": raw,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    task = asyncio.ensure_future(app(scope, receive, stream.take))
    try:
        yield stream
    finally:
        gone.set()
        await task
