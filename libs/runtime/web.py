"""HTTP of a service: health and metrics for workers, and the server that all HTTP services run on."""

import asyncio
import signal
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import nullcontext
from typing import Any

import msgspec
import uvicorn

from libs.runtime import metrics
from libs.runtime.settings import Settings, SettingsError

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]
Ready = Callable[[], tuple[bool, str]]

GRACEFUL_STOP_S = 3


def health_app(ready: Ready, asyncapi: Callable[[], dict[str, Any]] | None = None) -> Asgi:
    """Return an app with `/livez` (the process runs), `/readyz` (it does its work), `/metrics`, `/asyncapi.json`."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        status, kind, body = 404, b"text/plain", b"not found"
        match scope["path"]:
            case "/livez":
                status, body = 200, b"alive"
            case "/readyz":
                is_ready, reason = ready()
                status, body = (200 if is_ready else 503), reason.encode()
            case "/metrics":
                status, kind, body = 200, b"text/plain; version=0.0.4; charset=utf-8", metrics.exposition()
            case "/asyncapi.json" if asyncapi is not None:
                status, kind, body = 200, b"application/json", msgspec.json.encode(asyncapi())
        headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


class _Server(uvicorn.Server):
    """A server that leaves signals to the service: one place decides how a process stops."""

    def install_signal_handlers(self) -> None:
        """Do nothing."""

    def capture_signals(self) -> Any:
        """Do nothing."""
        return nullcontext()


def check_address(settings: Settings) -> None:
    """Raise `SettingsError` when nobody can listen where the settings say (the server would end in a traceback)."""
    if settings.http_fd is not None:
        _check_inherited(settings.http_fd)
        return
    host, port = settings.http_host, settings.http_port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise SettingsError(
            f"TAPIS_HTTP_HOST and TAPIS_HTTP_PORT are {host} and {port}, where nobody can listen: {error.strerror}"
        ) from error


def _check_inherited(descriptor: int) -> None:
    try:
        with socket.fromfd(descriptor, socket.AF_INET, socket.SOCK_STREAM) as inherited:
            listens = inherited.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError:
        listens = False
    if not listens:
        raise SettingsError(f"TAPIS_HTTP_FD is {descriptor}, which is not a socket that listens")


async def serve(app: Asgi, settings: Settings, stopping: asyncio.Event) -> None:
    """Serve the app until `stopping` is set, then finish the requests in hand within `GRACEFUL_STOP_S`."""
    config = uvicorn.Config(
        app,
        host=settings.http_host,
        port=settings.http_port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACEFUL_STOP_S,
    )
    server = _Server(config)
    inherited = [socket.socket(fileno=settings.http_fd)] if settings.http_fd is not None else None
    task = asyncio.create_task(server.serve(inherited))
    waiter = asyncio.create_task(stopping.wait())
    await asyncio.wait({task, waiter}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    waiter.cancel()
    await task


def stop_on_signals(stopping: asyncio.Event) -> None:
    """Set the event on SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
