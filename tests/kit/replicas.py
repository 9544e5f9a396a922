"""A primary with replicas, as real processes, with or without sentinels that put one in the other's place."""

import random
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from tests.kit.redis_server import ServerProcess, find_binary
from tests.kit.waiting import PATIENCE_S

NAME = "tapis"
"""The name that the primary has among the sentinels."""

DOWN_AFTER_MS = 2_000
"""How long a server is silent before a sentinel takes it for dead; short for a house, but twice its own period."""

_SETTINGS = {
    "bind": "127.0.0.1",
    "min-replicas-to-write": "1",
    "min-replicas-max-lag": "3600",
    "repl-diskless-sync-delay": "0",
}
_TRIES = 20


class Server(ServerProcess):
    """A server at a port of this machine; the same port whenever it is started."""

    def __init__(self, users: Sequence[str] = (), replica: str = "") -> None:
        """Prepare a server with these lines of an access list, and the password of its user `replica`."""
        self.port = _free_port()
        self._begins_behind: Server | None = None
        super().__init__(None, port=str(self.port), **_SETTINGS)
        if users:
            everybody = "user default on nopass ~* &* +@all"  # the kit itself
            (self.folder / "users.acl").write_text("\n".join([everybody, *users]) + "\n")
            named = {"aclfile": f"{self.folder}/users.acl", "masteruser": "replica", "masterauth": replica}
            self._settings = self._settings | named

    @property
    def address(self) -> str:
        """The server's address by its port."""
        return f"redis://127.0.0.1:{self.port}/0"

    def follow(self, primary: "Server") -> None:
        """Become the replica of another."""
        with Redis.from_url(self.url) as client:
            client.replicaof("127.0.0.1", primary.port)

    def lose_unread(self, primary: "Server") -> None:
        """Be killed with what has come from the primary and was not read, and begin again as its replica."""
        self.kill()
        self._begins_behind = primary
        try:
            self.start()
        finally:
            self._begins_behind = None

    def _arguments(self) -> list[str]:
        behind = self._begins_behind
        return super()._arguments() + (["--replicaof", "127.0.0.1", str(behind.port)] if behind else [])

    @property
    def is_primary(self) -> bool:
        """True when it runs and says so."""
        with suppress(RedisError), Redis.from_url(self.url, socket_timeout=1) as client:
            return bool(client.role()[0] == b"master")
        return False


class Replicas:
    """A primary and its replicas; what is written to the first comes to the others."""

    def __init__(self, replicas: int = 1, users: Sequence[str] = (), password: str = "") -> None:
        self.servers = [Server(users, password) for _ in range(replicas + 1)]

    @property
    def primary(self) -> Server:
        """The first of the servers: the primary as long as nobody changes it."""
        return self.servers[0]

    @property
    def replica(self) -> Server:
        """The second of the servers."""
        return self.servers[1]

    @contextmanager
    def without_replica(self) -> Iterator[None]:
        """Let the only replica be silent, and in step again at the end of the block."""
        self.replica.pause()
        try:
            yield
        finally:
            self.replica.resume()
            self.wait_in_step()

    def now(self) -> Server:
        """Return the server that is the primary now."""
        return self.primary

    def wait_in_step(self, replicas: int = 1) -> None:
        """Wait until so many replicas have what is on the primary, whichever it is by then."""
        _wait(lambda: _written(self.now().url, replicas), "the replicas are not in step")

    def __enter__(self) -> "Replicas":
        try:
            for server in self.servers:
                server.start()
            for replica in self.servers[1:]:
                replica.follow(self.primary)
            _wait(lambda: _written(self.primary.url, len(self.servers) - 1), "the replicas are not in step")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for server in self.servers:
            server.close()


class Watched(Replicas):
    """A primary and two replicas, watched by three sentinels.

    With lines of an access list, the users `replica` and `sentinel` in it have one password.
    """

    def __init__(self, users: Sequence[str] = (), password: str = "") -> None:
        super().__init__(2, users, password)
        self._login = f"sentinel auth-user {NAME} sentinel\nsentinel auth-pass {NAME} {password}\n" if users else ""
        self.ports = [_free_port() for _ in range(3)]
        self._folder = tempfile.TemporaryDirectory(prefix="tapis-")
        self._sentinels: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        """The address of whatever server is the primary."""
        return f"redis+sentinel://{','.join(f'127.0.0.1:{port}' for port in self.ports)}/{NAME}/0"

    def now(self) -> Server:
        """Return the primary as soon as all sentinels, and it itself, agree who it is."""
        return self.new_primary(None)

    def new_primary(self, old: Server | None) -> Server:
        """Wait until another server than this one is the primary, for all sentinels and itself; return it."""
        found: list[Server] = []

        def agreed() -> bool:
            named = {self.named_by(port) for port in self.ports}
            found[:] = [one for one in self.servers if named == {one.port} and one is not old and one.is_primary]
            return bool(found)

        _wait(agreed, "no other server became the primary")
        return found[0]

    def named_by(self, port: int) -> int:
        """Return the port of the server that a sentinel takes for the primary; 0 when it does not say."""
        with suppress(RedisError), Redis(port=port, socket_timeout=1) as sentinel:
            return int(sentinel.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)[1])
        return 0

    def kill_sentinel(self, number: int) -> None:
        """Kill one of the sentinels for good."""
        self._sentinels[number].kill()
        self._sentinels[number].wait()

    def __enter__(self) -> "Watched":
        super().__enter__()
        try:
            for port in self.ports:
                self._sentinels.append(self._sentinel(port))
            for port in self.ports:
                _wait(partial(self._knows_all, port), "the sentinels do not know one another")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for sentinel in self._sentinels:
            sentinel.kill()
            sentinel.wait()
        super().__exit__()
        self._folder.cleanup()

    def _sentinel(self, port: int) -> subprocess.Popen[bytes]:
        file = Path(self._folder.name) / f"{port}.conf"
        file.write_text(
            f"port {port}\nbind 127.0.0.1\nprotected-mode no\ndir {self._folder.name}\nlogfile {port}.log\n"
            f"sentinel monitor {NAME} 127.0.0.1 {self.primary.port} 2\n"
            f"sentinel down-after-milliseconds {NAME} {DOWN_AFTER_MS}\n"
            f"sentinel failover-timeout {NAME} 6000\nsentinel parallel-syncs {NAME} 1\n{self._login}"
        )
        quiet = subprocess.DEVNULL
        return subprocess.Popen([find_binary(), str(file), "--sentinel"], stdout=quiet, stderr=quiet)

    def _knows_all(self, port: int) -> bool:
        with suppress(RedisError), Redis(port=port, socket_timeout=1) as sentinel:
            facts = sentinel.sentinel_master(NAME)
            known = facts["num-other-sentinels"] + 1, facts["num-slaves"] + 1
            return known == (len(self.ports), len(self.servers))
        return False


def _free_port() -> int:
    """Return a port that is free now, below those that the system hands out to connections."""
    for _ in range(_TRIES):
        port = random.randint(10_000, 30_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise RuntimeError("no free port")


def _written(url: str, replicas: int) -> bool:
    """Write something and tell whether so many replicas have it; a write is refused while there is none."""
    with suppress(RedisError), Redis.from_url(url) as primary:
        primary.set("tapis-test", "in step")
        return bool(primary.wait(replicas, 1_000) >= replicas)
    return False


def _wait(true: Callable[[], bool], why: str) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < give_up, why
        time.sleep(0.02)
