"""The embedded server: a real Valkey or Redis, started by us, with our own configuration and its data in a folder.

The folder then holds everything: `server.conf`, `server.log`, `server.json` (engine and version that last wrote here),
`appendonlydir/` and `lock`. Clients come in through a unix socket that only this user can open; there is no port.

Errors, as a tree:

    EmbeddedServerError
    ├── ServerMissing     no server program of version 7.0 or newer on this machine
    ├── ServerFailed      the program did not start; the last lines of its log are in the message
    └── FolderNotOurs     the folder holds data that this server cannot be trusted with
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal

import msgspec
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from libs.runtime.local.engines import OLDEST_VERSION, EmbeddedServerError, ServerMissing, ServerProgram, find_server
from libs.runtime.local.folder import FolderLock

__all__ = [
    "Durability",
    "EmbeddedServer",
    "EmbeddedServerError",
    "FolderNotOurs",
    "FolderNote",
    "ServerFailed",
    "ServerMissing",
    "ServerProgram",
    "find_server",
]

MAX_SOCKET_PATH_CHARS = 100
"""A unix socket's path must fit in 104 (macOS) or 108 (Linux) bytes."""

START_SECONDS = 60.0
"""How long a server may take to read its log before we give up; a million events take one or two seconds."""

STOP_SECONDS = 15.0
"""How long a server may take to write its last bytes before it is killed."""

Durability = Literal["durable", "relaxed"]
"""`durable`: every append is on disk before it is answered; `relaxed`: written once a second (design, section 6)."""


class ServerFailed(EmbeddedServerError):
    """The server program did not start or did not answer."""


class FolderNotOurs(EmbeddedServerError):
    """The folder holds data that this server cannot be trusted with."""


class FolderNote(msgspec.Struct, frozen=True):
    """What `server.json` says about the folder: who last wrote here, and where its server listens or listened."""

    engine: str
    version: str
    socket: str
    pid: int


class EmbeddedServer:
    """A server with its data in `folder`. Use it as a context (`with EmbeddedServer(folder) as server: server.url`)."""

    def __init__(
        self,
        folder: Path,
        durability: Durability = "durable",
        program: ServerProgram | None = None,
        users: Sequence[str] = (),
    ) -> None:
        """`users` are lines of an access list; who needs no name has all rights, and alone may open the socket."""
        self.folder = folder.resolve()
        self.durability: Durability = durability
        self.program = program
        self._users = tuple(users)
        self._lock = FolderLock(self.folder)
        self._process: subprocess.Popen[bytes] | None = None
        self._socket = self.folder / "server.sock"
        self._short: Path | None = None

    @property
    def url(self) -> str:
        """The URL for `REDIS_URL`; valid while the server runs."""
        return f"unix://{self._socket}"

    @property
    def log_file(self) -> Path:
        """What the server says about itself."""
        return self.folder / "server.log"

    @property
    def pid(self) -> int | None:
        """Process id of the running server, or None."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> str:
        """Start the server on the data of the folder, wait until it answers, and return its URL.

        Raises `FolderUnusable` when the folder cannot be had, and `EmbeddedServerError` otherwise.
        """
        program = self.program or find_server()
        if program.version < OLDEST_VERSION:
            raise FolderNotOurs(
                f"{program.name} is too old: it would open the folder as empty. 7.0 or newer is needed."
            )
        self._lock.acquire()
        try:
            self._stop_leftover()
            self._choose_socket()
            self._launch(program)
        except BaseException:
            self.stop()
            raise
        return self.url

    def relaunch(self) -> None:
        """Start a server that ended by itself again, on the same data and address; raises `EmbeddedServerError`."""
        if self.pid is None:
            self._launch(self.program or find_server())

    def stop(self) -> None:
        """Let the server write its last bytes and end; kill it when it does not. Harmless when it does not run."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._short is not None:
            shutil.rmtree(self._short, ignore_errors=True)
            self._short = None
        self._lock.release()

    def kill(self) -> None:
        """End the server as a crash would (for tests of failure); `start` opens the same data again."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self.stop()

    def __enter__(self) -> "EmbeddedServer":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # -- starting ------------------------------------------------------------------------------------------------
    def _launch(self, program: ServerProgram) -> None:
        """Write configuration and note, run the program, wait for its first answer."""
        configuration = self.folder / "server.conf"
        configuration.write_text(self._configuration(), encoding="utf-8")
        # A session of its own: Ctrl-C in the terminal must reach the supervisor alone, which stops the server last.
        self._process = subprocess.Popen(
            [program.path, configuration],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._wait_for_answer(self._process, program)
        version = ".".join(map(str, program.version))
        note = FolderNote(engine=program.engine, version=version, socket=str(self._socket), pid=self._process.pid)
        (self.folder / "server.json").write_bytes(msgspec.json.format(msgspec.json.encode(note)) + b"\n")

    def _configuration(self) -> str:
        """Our own configuration: everything accepted is in the append-only file, and nothing is ever evicted."""
        return "\n".join(
            [
                "# Written at every start; changes here are lost.",
                "port 0",
                f"unixsocket {_quoted(self._socket)}",
                "unixsocketperm 700",
                f"dir {_quoted(self.folder)}",
                f"logfile {_quoted(self.log_file)}",
                "daemonize no",
                "appendonly yes",
                f"appendfsync {'always' if self.durability == 'durable' else 'everysec'}",
                # Plain commands, no snapshot inside: any engine from 7.0 on opens the folder, whichever wrote it.
                "aof-use-rdb-preamble no",
                'save ""',
                "no-appendfsync-on-rewrite no",
                "maxmemory-policy noeviction",
                *self._users,
                "",
            ]
        )

    def _choose_socket(self) -> None:
        """Put the socket in the folder, or, when that path is too long, in a short private folder."""
        self._socket = self.folder / "server.sock"
        if len(os.fsencode(self._socket)) > MAX_SOCKET_PATH_CHARS:
            # Made private (0700) by mkdtemp; not under TMPDIR, which may be long itself.
            self._short = Path(tempfile.mkdtemp(prefix="tapis-", dir="/tmp"))
            self._socket = self._short / "server.sock"

    def _wait_for_answer(self, process: subprocess.Popen[bytes], program: ServerProgram) -> None:
        """Return when the server answers; it may first have to read a long log."""
        give_up = time.monotonic() + START_SECONDS
        with _client(self._socket) as client:
            while time.monotonic() < give_up:
                if process.poll() is not None:
                    raise ServerFailed(f"{program.name} ended at once, see {self.log_file}:\n{self._last_words()}")
                try:
                    client.ping()
                except redis.ConnectionError:
                    time.sleep(0.02)
                else:
                    return
        raise ServerFailed(f"{program.name} did not answer within {START_SECONDS:.0f} s, see {self.log_file}")

    def _last_words(self) -> str:
        """The end of the server's log."""
        if not self.log_file.exists():
            return "(no log)"
        return "\n".join(self.log_file.read_text(encoding="utf-8", errors="replace").splitlines()[-5:])

    def _stop_leftover(self) -> None:
        """Stop a server that an earlier, killed run left on this folder: two on one folder would ruin it."""
        note_file = self.folder / "server.json"
        if not note_file.exists():
            return
        try:
            note = msgspec.json.decode(note_file.read_bytes(), type=FolderNote)
        except msgspec.DecodeError:
            return
        try:
            with _client(Path(note.socket)) as client:
                # A copied folder still names the original's socket: only the server of this very folder is stopped.
                if client.config_get("dir").get("dir") != str(self.folder):
                    return
                # Returns when the server has ended: its last act is to close our connection.
                client.shutdown(nosave=True)
        except redis.ConnectionError:
            return
        except redis.RedisError as error:
            raise FolderNotOurs(f"a server of an earlier run (process {note.pid}) does not stop: {error}") from error


def _client(socket: Path) -> redis.Redis:
    """Return a client that reports a missing server at once: here, waiting is our own business."""
    return redis.Redis(unix_socket_path=str(socket), retry=Retry(NoBackoff(), 0), decode_responses=True)


def _quoted(path: Path) -> str:
    """Return a path as a quoted word of a server configuration."""
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'
