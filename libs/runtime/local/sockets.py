"""The sockets that the services of a local casino listen on: opened once, and held over every restart of a service.

A port that is only chosen is anybody's while its service is away, and whoever takes it answers in the service's place.
So the supervisor listens itself and hands each service its socket: who calls meanwhile waits for the next start.
"""

import socket
from contextlib import suppress

HOST = "127.0.0.1"

PORTS_TRIED = 500
"""How many ports are tried, upwards, where the wanted one is taken."""


class NoFreePort(RuntimeError):
    """Nobody can listen anywhere near the wanted port; the message names the range."""


class HeldSockets:
    """Listening sockets by the name of their service."""

    def __init__(self) -> None:
        self._held: dict[str, socket.socket] = {}

    def hold(self, name: str, port: int) -> None:
        """Listen for a service on the first free port from `port` on; raises `NoFreePort`."""
        for candidate in range(port, port + PORTS_TRIED):
            # Two who try at once both bind, but only one of them can listen.
            with suppress(OSError):
                self._held[name] = socket.create_server((HOST, candidate))
                return
        raise NoFreePort(f"no free port from {port} to {port + PORTS_TRIED - 1}")

    def url(self, name: str) -> str:
        """Return the address of a service."""
        return f"http://{HOST}:{self._held[name].getsockname()[1]}"

    def descriptors(self, name: str) -> tuple[int, ...]:
        """Return the file descriptor that a service inherits; none for one that does not listen."""
        return (self._held[name].fileno(),) if name in self._held else ()

    def close(self) -> None:
        """Give all ports back."""
        for held in self._held.values():
            held.close()
        self._held.clear()
