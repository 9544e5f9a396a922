"""A way to a server of the log that a test stands on, to do to what passes there whatever it likes."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit


class Way(ABC):
    """Listens on a socket of its own."""

    def __init__(self, target: str, path: Path) -> None:
        """Take the server's address (`redis://host:port/…` or `unix://path`) and where the socket is to be."""
        self._target = urlsplit(target)
        self._path = path
        self.url = f"unix://{path}"
        self._serving: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Self]:
        """Listen while the context is open."""
        server = await asyncio.start_unix_server(self._accept, self._path)
        try:
            yield self
        finally:
            server.close()
            for task in self._serving:
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)

    @abstractmethod
    async def _accept(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        """Serve one connection, as one of the tasks of `_serving`."""

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._target.scheme == "unix":
            return await asyncio.open_unix_connection(self._target.path)
        return await asyncio.open_connection(self._target.hostname, self._target.port)
