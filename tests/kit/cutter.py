"""A way to the server that breaks when a test says so, with any number of bytes on their way in both directions."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Literal

from tests.kit.way import Way

Losing = Literal["nothing", "requests", "replies"]
"""What is lost: the connection that brings it is cut instead."""


class Cutter(Way):
    """Listens on a socket of its own and passes everything on to one server, unlike `Proxy` in any order and size."""

    def __init__(self, target: str, folder: Path) -> None:
        """Take the server's address and a folder for the socket."""
        super().__init__(target, folder / "cutter.sock")
        self.losing: Losing = "nothing"
        self.cut = 0
        """How many connections were cut."""

    async def _accept(self, requests: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        with suppress(OSError, asyncio.CancelledError):
            replies, server = await self._connect()
            ways = (
                asyncio.create_task(self._pass(requests, server, "requests")),
                asyncio.create_task(self._pass(replies, client, "replies")),
            )
            with suppress(asyncio.CancelledError):
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            server.close()
        client.close()
        self._serving.discard(task)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, what: Losing) -> None:
        with suppress(OSError):
            while some := await source.read(1 << 16):
                if self.losing == what:
                    self.cut += 1
                    return
                sink.write(some)
                await sink.drain()
