"""The register of persons on a real server: what is on disk, what outlives a kill, what a replica has."""

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from libs.eventlog.api import EventLogUnavailable
from libs.eventlog.person_keys import KeyLost, PersonKeyStore, RedisPersonKeys
from libs.eventlog.redis_log import RedisLog
from libs.kernel.ids import PERSONS_SHARD
from libs.runtime.audit import audit
from libs.runtime.persons.keyfile import PersonKeys
from libs.runtime.tokens import generate_keys
from tests.kit.house import ROOT
from tests.kit.person_keys_contract import ANNA, BRUNO, PersonKeysContract
from tests.kit.redis_server import ServerProcess
from tests.kit.register import BORN, INDEX, KEYS, NAME, NEW, OLD, PAPERS, Counter, counter, found_in
from tests.kit.shard_run import stream_of
from tests.kit.waiting import until

pytestmark = pytest.mark.redis

SITE = "site-a"
STREAM = "persons/1"


class TestRedisPersonKeys(PersonKeysContract):
    """The contract on Redis."""

    @pytest.fixture
    async def store(self, redis_url: str, site: str) -> AsyncIterator[PersonKeyStore]:
        """A store with a site of its own."""
        store = RedisPersonKeys(redis_url, site)
        yield store
        await store.close()

    async def test_a_damaged_store_is_noticed(self, redis_url: str, site: str, store: PersonKeyStore) -> None:
        """An identity whose key is missing is not given a second pseudonym: money may be on the first."""
        await store.claim("imprint-a", ANNA, "k.1")
        async with client(redis_url) as redis:
            await redis.hdel(f"{{{site}:persons-0}}:person-keys", ANNA)
        with pytest.raises(KeyLost):
            await store.claim("imprint-a", BRUNO, "k.2")


async def test_a_server_that_is_away_is_said_to_be_away(tmp_path: Path) -> None:
    """No call hangs or invents an answer."""
    store = RedisPersonKeys(f"unix://{tmp_path}/none.sock", SITE)
    with pytest.raises(EventLogUnavailable):
        await store.find("imprint")
    await store.close()


@asynccontextmanager
async def client(url: str) -> AsyncIterator[Any]:
    """A plain client: what somebody with `redis-cli` sees."""
    redis: Any = Redis.from_url(url)
    try:
        yield redis
    finally:
        await redis.aclose()


@asynccontextmanager
async def desk_on(server: ServerProcess, keys: PersonKeys | None = KEYS) -> AsyncIterator[Counter]:
    """The register and a door before it, on a server."""
    log, store = RedisLog(server.url, SITE), RedisPersonKeys(server.url, SITE)
    try:
        async with counter(log, store, keys) as desk:
            yield desk
    finally:
        await store.close()
        await log.close()


def on_disk(server: ServerProcess) -> bytes:
    """Return everything that the server has written to its folder."""
    return b"".join(path.read_bytes() for path in sorted(server.folder.rglob("*")) if path.is_file())


async def locked_key(desk: Counter, player: str) -> bytes:
    """Return a person's locked key."""
    assert desk.lockup is not None
    locked = await desk.lockup.store.fetch(player)
    assert locked
    return locked.encode()


async def test_nothing_personal_reaches_the_server() -> None:
    """Registered, found, looked at, refused, forgotten: no trace of the papers in any file or key of the server."""
    with ServerProcess() as server:
        async with desk_on(server) as desk:
            player = await desk.register()
            await desk.post("/find", {"name": NAME, "birth_date": BORN, "purpose": "cage"})
            assert found_in((await desk.look(player)).content)
            await desk.post("", {"person": {**PAPERS, "document": "Passport Q7-4471 Ü bis"}})
            await desk.forget(player)
        async with client(server.url) as redis:
            names = {name.decode() async for name in redis.scan_iter()}
            dumps = [await redis.dump(name) for name in names]
        assert {f"{{{SITE}:persons-0}}:{part}" for part in ("inbox", "feed", "meta", f"log:{STREAM}")} <= names
        content = on_disk(server)
        assert player.encode() in content, "the disk was read"
        assert [] == [trace for one in (content, *dumps) for trace in found_in(one)]


async def test_forgetting_survives_what_happens_to_a_server() -> None:
    """Killed and restarted: forgotten stays forgotten, others stay readable; heads and hashes are those of before.

    The append-only file still has the locked key of a forgotten person until it is rewritten; then it is on no disk.
    """
    other = {**PAPERS, "name": "Ana Ruiz"}
    with ServerProcess() as server:
        async with desk_on(server) as desk:
            player, kept = await desk.register(), await desk.register(other)
            key, key_kept = await locked_key(desk, player), await locked_key(desk, kept)
            before = await stream_of(desk.run.log, PERSONS_SHARD, STREAM)
            await desk.forget(player)
        assert key in on_disk(server)
        server.restart(kill=True)
        async with desk_on(server) as desk:
            assert "person.forgotten" == (await desk.look(player)).json()["refusal"]["code"]
            assert other == (await desk.look(kept)).json()["person"]
            assert desk.lockup is not None
            await desk.keeper.destroy_forgotten(desk.lockup)
            await desk.run.take()
            assert {} == desk.state.destroying
            after = await stream_of(desk.run.log, PERSONS_SHARD, STREAM)
            assert before == after[: len(before)]
            assert () == (await audit(desk.run.log)).faults
        async with client(server.url) as redis:
            await redis.bgrewriteaof()

            async def rewritten() -> bool:
                info = await redis.info("persistence")
                return not (info["aof_rewrite_in_progress"] or info["aof_rewrite_scheduled"])

            await until(rewritten)
        content = on_disk(server)
        assert (False, True) == (key in content, key_kept in content)


async def test_a_backup_of_the_log_alone_opens_nothing() -> None:
    """With the log and even the file of keys, but without the store: no person can be read, and it is said why."""
    with ServerProcess() as server:
        async with desk_on(server) as desk:
            player = await desk.register()
        async with client(server.url) as redis:
            await redis.delete(f"{{{SITE}:persons-0}}:person-keys", f"{{{SITE}:persons-0}}:person-index")
        async with desk_on(server) as desk:
            answer = await desk.look(player)
            assert (503, "persons.key_missing") == (answer.status_code, answer.json()["error"]["code"])
            (registered,) = [
                record.body
                for record in await stream_of(desk.run.log, PERSONS_SHARD, STREAM)
                if b"persons.PersonRegistered" in bytes(record.body)
            ]
            assert {"type", "player", "sealed"} == msgspec.json.decode(registered).keys()


async def test_a_replica_forgets_too() -> None:
    """What the primary destroys, a replica destroys: the deletion is replicated like every write."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    with ServerProcess(port=port) as primary, ServerProcess(replicaof=f"127.0.0.1 {port}") as replica:
        async with desk_on(primary) as desk, client(replica.url) as redis:
            player, kept = await desk.register(), await desk.register({**PAPERS, "name": "Ana Ruiz"})
            name = f"{{{SITE}:persons-0}}:person-keys"
            await until(lambda: _has(redis, name, {player, kept}))
            await desk.forget(player)
            await until(lambda: _has(redis, name, {kept}))


async def _has(redis: Any, name: str, players: set[str]) -> bool:
    return players == {player.decode() for player in await redis.hkeys(name)}


async def test_old_keys_open_no_old_disk_after_a_rotation() -> None:
    """Locked anew, persons are read with the new key alone; what an old disk holds opens with the old key only."""
    with ServerProcess() as server:
        async with desk_on(server) as desk:
            player = await desk.register()
            before = await locked_key(desk, player)
        async with desk_on(server, PersonKeys(INDEX, {"old": OLD, "new": NEW})) as desk:
            assert desk.lockup is not None
            await desk.keeper.sweep(desk.lockup)
        async with desk_on(server, PersonKeys(INDEX, {"new": NEW})) as desk:
            assert desk.lockup is not None
            assert PAPERS == (await desk.look(player)).json()["person"]
            assert (b"old", b"new") == (before[:3], (await locked_key(desk, player))[:3])
            assert desk.lockup.vault.locked_with(before.decode()) is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "TAPIS_PERSON_KEYS_FILE names"),
        ("index 00\n", "line 1: expected a name and 64 hex digits"),
        (f"2026-11 {'0' * 64}\n", "has no line `index`"),
    ],
)
def test_a_door_with_a_bad_file_of_keys_does_not_open(tmp_path: Path, content: str | None, reason: str) -> None:
    """A file that is not there, or makes no sense, ends the gateway with code 2 and a sentence."""
    keys = tmp_path / "person-keys"
    if content is not None:
        keys.write_text(content)
    _, public = generate_keys(tmp_path)
    environ = {
        **os.environ,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "TAPIS_FLOOR": str(ROOT / "floor.toml"),
        "TAPIS_HTTP_PORT": "0",
        "TAPIS_TOKEN_PUBLIC_KEY_FILE": str(public),
        "TAPIS_PERSON_KEYS_FILE": str(keys),
    }
    words = [sys.executable, "-m", "services.gateway"]
    done = subprocess.run(words, capture_output=True, text=True, env=environ, cwd=ROOT, check=False, timeout=60)
    assert 2 == done.returncode, done.stdout + done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
