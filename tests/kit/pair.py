"""A primary and its replica, as real processes, without anybody who would put one in the other's place."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

from redis import Redis
from redis.exceptions import ResponseError

from tests.kit.redis_server import ServerProcess
from tests.kit.waiting import PATIENCE_S

_NO_REPLICA_IS_LATE = {"min-replicas-to-write": "1", "min-replicas-max-lag": "3600"}


class Pair:
    """A primary and its replica; what is written to the first comes to the second."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port: int = free.getsockname()[1]
        at_port = {"port": str(self._port), "repl-diskless-sync-delay": "0"}
        self.primary = ServerProcess(None, **at_port, **_NO_REPLICA_IS_LATE)
        self.replica = ServerProcess(None, **_NO_REPLICA_IS_LATE)

    @contextmanager
    def without_replica(self) -> Iterator[None]:
        """Let the replica be silent, and in step again at the end of the block."""
        self.replica.pause()
        try:
            yield
        finally:
            self.replica.resume()
            self._wait()

    def __enter__(self) -> "Pair":
        self.primary.start()
        self.replica.start()
        with Redis.from_url(self.replica.url) as replica:
            replica.replicaof("127.0.0.1", self._port)
        self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.replica.close()
        self.primary.close()

    def _wait(self) -> None:
        give_up = time.monotonic() + PATIENCE_S
        with Redis.from_url(self.primary.url) as primary:
            # Refused while no replica is online.
            while not (_written(primary) and primary.wait(1, 1_000)):
                assert time.monotonic() < give_up, "the replica is not in step"
                time.sleep(0.01)


def _written(primary: Redis) -> bool:
    try:
        return bool(primary.set("tapis-test", "in step"))
    except ResponseError:
        return False
