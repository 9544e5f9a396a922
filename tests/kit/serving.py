"""An ASGI application on a real port of this machine, for browsers and streams."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from libs.runtime.web import Asgi


class _Server(uvicorn.Server):
    """Tells when it has started."""

    def __init__(self, config: uvicorn.Config, ready: threading.Event) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready.set()


class Served:
    """A server in a thread of its own; `call` runs something in its event loop."""

    def __init__(self, app: Asgi) -> None:
        self._ready = threading.Event()
        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, timeout_graceful_shutdown=1)
        self.server = _Server(config, self._ready)
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(20), "the server did not start"

    @property
    def url(self) -> str:
        """Return the address of the server."""
        port = self.server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def call(self, do: Callable[[], None]) -> None:
        """Run a plain function in the server's loop and wait for it."""
        done = threading.Event()

        def run() -> None:
            do()
            done.set()

        self.loop.call_soon_threadsafe(run)
        assert done.wait(20), "the server's loop is stuck"

    def stop(self, within_s: float = 20) -> None:
        """Stop and wait."""
        self.server.should_exit = True
        self._thread.join(within_s)
        assert not self._thread.is_alive(), "the server did not stop"

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.server.serve())
        self.loop.close()


@contextmanager
def serving(app: Asgi, before_stop: Callable[[], None] = lambda: None) -> Iterator[Served]:
    """Serve the app while the block runs; `before_stop` is called in its loop before the server stops."""
    served = Served(app)
    try:
        yield served
    finally:
        served.call(before_stop)
        served.stop()
