"""A connection to the server that loses what a test wants lost."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Literal

from tests.kit.way import Way

Mode = Literal["pass", "drop_request", "drop_reply", "hold_request"]
"""`pass` everything; cut the connection instead of passing on a request, or its reply; or keep requests back."""


_CHUNK = 1 << 22
"""More than any request or answer of a test, so that each is one read."""


class Proxy(Way):
    """Passes bytes between clients and one server."""

    def __init__(self, target: str, folder: Path) -> None:
        """Take the server's address (`redis://host:port/…` or `unix://path`) and a folder for the socket."""
        super().__init__(target, folder / "proxy.sock")
        self.mode: Mode = "pass"
        self.held = asyncio.Event()
        """Set when a request is kept back."""
        self._let_go = asyncio.Event()
        self._answered = asyncio.Event()

    async def let_go(self) -> None:
        """Pass on what was kept back, and wait until the server has answered it (its client may be gone)."""
        self._let_go.set()
        await self._answered.wait()

    async def _accept(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        answers, server = await self._connect()
        with suppress(ConnectionError, asyncio.CancelledError):
            await self._serve(reader, client, answers, server)
        client.close()
        server.close()
        with suppress(ConnectionError, asyncio.CancelledError):
            await client.wait_closed()
            await server.wait_closed()
        self._serving.discard(task)

    async def _serve(
        self,
        requests: asyncio.StreamReader,
        client: asyncio.StreamWriter,
        answers: asyncio.StreamReader,
        server: asyncio.StreamWriter,
    ) -> None:
        while request := await requests.read(_CHUNK):
            mode = self.mode
            if mode == "drop_request":
                return
            if mode == "hold_request":
                # The client may go away in the meantime: the request is on its way all the same.
                self.held.set()
                await self._let_go.wait()
            server.write(request)
            answer = await answers.read(_CHUNK)
            if mode == "hold_request":
                self._answered.set()
            if mode == "drop_reply":
                return
            client.write(answer)
            await client.drain()
