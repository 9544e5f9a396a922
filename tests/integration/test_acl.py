"""Each service's user on a real server: what its work needs is allowed, and nothing else is."""

import asyncio
from collections.abc import Iterator

import pytest
import redis

from libs.eventlog import acl, keys
from libs.eventlog.api import Batch, EventLogUnavailable, Head, Owned, StreamAppend
from libs.eventlog.chain import seal
from libs.eventlog.person_keys import RedisPersonKeys
from libs.eventlog.redis_log import RedisLog
from libs.eventlog.server_check import check_server
from libs.kernel.actors import SYSTEM
from libs.kernel.ids import PERSONS_SHARD, RNG_SHARD
from libs.runtime.inbox import InboxReader
from tests.kit.redis_server import ServerProcess

pytestmark = pytest.mark.redis

SITE, PITS = "site-a", ("pit-1", "pit-2")
WALLETS = ("wallet-0", "wallet-1")
SHARDS = (*PITS, RNG_SHARD, *WALLETS, PERSONS_SHARD)
PASSWORDS = {user: f"secret of {user}" for user in (*acl.SERVICES, acl.AUDITOR)}
OWN = {"rng": (RNG_SHARD,), "wallet": (*WALLETS, PERSONS_SHARD), "table_orchestrator": PITS}
TELLS = {
    "rng": PITS,
    "wallet": PITS,
    "table_orchestrator": (RNG_SHARD, *WALLETS),
    "gateway": (*PITS, *WALLETS, PERSONS_SHARD),
}
FOLLOWS = {"display": PITS, "gateway": (*PITS, *WALLETS, PERSONS_SHARD)}


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """A server with the users of a site; the test itself is its operator. Every shard has one of each key."""
    with ServerProcess() as running, redis.Redis.from_url(running.url) as operator:
        for line in acl.users(SITE, PITS, 2, PASSWORDS)[1:]:
            operator.execute_command("ACL", "SETUSER", *line.split()[1:])
        for shard in SHARDS:
            for key in every_stream(shard):
                operator.xadd(key, {"c": b"a wager"})
            operator.hset(keys.meta(SITE, shard), "epoch", "0")
        yield running


def every_stream(shard: str) -> tuple[str, ...]:
    return (
        keys.inbox(SITE, shard),
        keys.feed(SITE, shard),
        keys.parked(SITE, shard),
        keys.log(SITE, shard, "old/1"),
    )


def url_of(server: ServerProcess, user: str) -> str:
    return server.url.replace("unix://", f"unix://{user}:{PASSWORDS[user].replace(' ', '%20')}@")


def asked(server: ServerProcess, user: str, *words: str) -> bool:
    """Tell whether a user may say something; what else may be wrong with it does not matter."""
    with redis.Redis.from_url(url_of(server, user)) as client:
        try:
            client.execute_command(*words)
        except redis.exceptions.NoPermissionError:
            return False
        except redis.exceptions.ResponseError:
            return True
        return True


@pytest.mark.parametrize("service", acl.OWNERS)
async def test_an_owner_can_do_its_work(server: ServerProcess, service: str) -> None:
    """Own, renew, append, read its inbox by FastStream, tell others, look at the feed, hand over: all is allowed."""
    url, (shard, *_) = url_of(server, service), OWN[service]
    await check_server(url, "durable", sees_settings=service in acl.SEE_SETTINGS)
    log = RedisLog(url, SITE)
    assert ("me",) == await log.enlist(service, "me", 5_000)
    owned = await log.acquire(shard, "me", 60_000)
    assert isinstance(owned, Owned)
    record, head = seal(Head(), "new/1", 0, SYSTEM, "test", b"{}")  # type: ignore[arg-type]
    batch = Batch(
        owned.epoch, owned.cursor, owned.cursor, (StreamAppend("new/1", Head(), head, (record,)),), (b"f",), (b"p",)
    )
    await log.append(shard, batch)
    assert await log.renew(shard, owned.epoch, 60_000)
    await log.attempt(shard, owned.epoch, "1-0")
    await log.send([(other, b"told") for other in TELLS[service]])
    assert all([await log.inbox_length(other, "0-0") for other in TELLS[service]])
    assert 1 <= await log.inbox_length(shard, owned.cursor)
    assert [(record,)] == [page async for page in log.load(shard, "new/1")]
    assert await log.feed_tail(shard, 10)
    assert head == (await log.heads(shard))["new/1"]
    heard = asyncio.Event()

    async def hear(_: object) -> None:
        heard.set()

    reader = InboxReader(url, keys.inbox(SITE, shard), "0-0", hear)
    await reader.start()
    await heard.wait()
    await reader.stop()
    await log.release(shard, owned.epoch)
    await log.resign(service, "me")
    await log.close()


@pytest.mark.parametrize("user", [*acl.SERVICES, acl.AUDITOR])
def test_whoever_writes_may_wait_for_a_replica(server: ServerProcess, user: str) -> None:
    """All may ask whether the server is the primary; who reads only has nothing to wait for."""
    assert asked(server, user, "ROLE")
    assert asked(server, user, "WAIT", "0", "1") == (user in {*acl.OWNERS, "gateway"})


@pytest.mark.parametrize("service", FOLLOWS)
async def test_a_reader_can_follow(server: ServerProcess, service: str) -> None:
    """Heads, logs and feeds of the shards that it shows; the door also sends, and sees how long an inbox is."""
    await check_server(url_of(server, service), "durable", sees_settings=False)
    log = RedisLog(url_of(server, service), SITE)
    for shard in FOLLOWS[service]:
        await log.heads(shard)
        assert (await log.read_feed(shard, "0-0", 10, 0)).entries
        assert await log.feed_tail(shard, 1)
        with pytest.raises(EventLogUnavailable, match="permissions"):
            await log.read_inbox(shard, "0-0", 10)
    for shard in TELLS.get(service, ()):
        await log.send([(shard, b"command")])
        assert 2 <= await log.inbox_length(shard, "0-0")
    await log.close()


@pytest.mark.parametrize("user", [*acl.SERVICES, acl.AUDITOR])
def test_two_alone_see_settings(server: ServerProcess, user: str) -> None:
    """Where a server is replicated, one of its settings opens everything: `masterauth`."""
    for name in ("appendfsync", "masterauth", "*"):
        assert asked(server, user, "CONFIG", "GET", name) == (user in {"wallet", "table_orchestrator"})


@pytest.mark.parametrize("word", ["+config|get|appendfsync", "(+config|get %R~appendfsync)"])
def test_no_right_to_a_single_setting(server: ServerProcess, word: str) -> None:
    """No list can say it: the server refuses such a rule, or takes it for a right to all. Else fewer need trust."""
    with redis.Redis.from_url(server.url) as operator:
        try:
            operator.execute_command("ACL", "SETUSER", "single", "reset", "on", "nopass", "-@all", word)
        except redis.exceptions.ResponseError:
            return
        with redis.Redis.from_url(server.url.replace("unix://", "unix://single:x@")) as single:
            assert single.config_get("masterauth")


async def test_the_door_alone_keeps_the_keys_of_persons(server: ServerProcess) -> None:
    """It can claim, fetch, replace, go through and destroy them; no other user, not even the auditor, can see one."""
    store = RedisPersonKeys(url_of(server, "gateway"), SITE)
    assert await store.claim("imprint", "p1", "locked")
    assert "p1" == await store.find("imprint")
    assert "locked" == await store.fetch("p1")
    assert await store.replace("p1", "locked", "again")
    assert "x" == await store.fingerprint("x")
    assert [("p1", "again")] == [one async for one in store.every()]
    for key in (keys.person_keys(SITE, PERSONS_SHARD), keys.person_index(SITE, PERSONS_SHARD)):
        for user in (*acl.OWNERS, "display", acl.AUDITOR):
            assert not asked(server, user, "HGETALL", key)
            assert not asked(server, user, "HSET", key, "a", "b")
    assert await store.destroy("p1")
    await store.close()


@pytest.mark.parametrize("user", [*acl.SERVICES, acl.AUDITOR])
def test_nobody_reads_or_writes_what_is_not_his(server: ServerProcess, user: str) -> None:
    """Key by key and shard by shard, reading and writing: exactly the pairs that the work needs."""
    own, tells, follows = OWN.get(user, ()), TELLS.get(user, ()), FOLLOWS.get(user, ())
    may_read, may_write = set(), set()
    for shard in SHARDS:
        for key in every_stream(shard):
            if shard in own or user == acl.AUDITOR:
                may_read.add(key)
            if shard in follows and not key.endswith((":inbox", ":parked")):
                may_read.add(key)
            if shard in own or (shard in tells and key.endswith(":inbox")):
                may_write.add(key)
    every = {key for shard in SHARDS for key in every_stream(shard)}
    assert may_read == {key for key in every if asked(server, user, "XRANGE", key, "-", "+")}
    assert may_write == {key for key in every if asked(server, user, "XADD", key, "1-1", "c", "x")}


def test_the_rng_learns_no_wager(server: ServerProcess) -> None:
    """Nothing of a pit or of the wallet can be read by the RNG: no inbox, log, feed, meta, and not by a script."""
    for shard in (*PITS, *WALLETS):
        for key in every_stream(shard):
            for words in (("XRANGE", key, "-", "+"), ("XREAD", "STREAMS", key, "0"), ("XINFO", "STREAM", key)):
                assert not asked(server, "rng", *words), words
            script = "#!lua\nreturn redis.call('XRANGE', KEYS[1], '-', '+')"
            assert not asked(server, "rng", "EVAL", script, "1", key)
            hidden = f"#!lua\nreturn redis.pcall('XRANGE', '{key}', '-', '+')"
            refused = pytest.raises(redis.exceptions.ResponseError, match=r"ermission|ACL|can't access")
            with redis.Redis.from_url(url_of(server, "rng")) as client, refused:
                client.execute_command("EVAL", hidden, "0")
        assert not asked(server, "rng", "HGETALL", keys.meta(SITE, shard))


@pytest.mark.parametrize("user", [*acl.SERVICES, acl.AUDITOR])
@pytest.mark.parametrize(
    "words",
    [
        *(("KEYS", "*"), ("SCAN", "0"), ("FLUSHALL",), ("CONFIG", "SET", "appendonly", "no"), ("ACL", "LIST")),
        *(("SHUTDOWN",), ("LATENCY", "RESET"), ("MONITOR",), ("CLIENT", "LIST"), ("SCRIPT", "FLUSH")),
        *(("SUBSCRIBE", "x"), ("PUBLISH", "x", "y"), ("REPLICAOF", "NO", "ONE"), ("SAVE",), ("MODULE", "LIST")),
    ],
    ids=lambda words: words[0] if isinstance(words, tuple) else None,
)
def test_nobody_may_do_harm(server: ServerProcess, user: str, words: tuple[str, ...]) -> None:
    """No service lists or clears keys, changes the server, looks at other users or at other connections."""
    assert not asked(server, user, *words)


@pytest.mark.parametrize("user", [*acl.SERVICES, acl.AUDITOR])
@pytest.mark.parametrize("verb", ["DEL", "UNLINK", "XDEL", "RENAME", "COPY", "EXPIRE", "DUMP", "SET"])
def test_nobody_deletes(server: ServerProcess, user: str, verb: str) -> None:
    """Not even the owner of a log can delete, rename or replace it."""
    for shard in SHARDS:
        key = keys.log(SITE, shard, "old/1")
        rest = {"XDEL": ("1-1",), "RENAME": (key,), "COPY": (key,), "EXPIRE": ("1",), "SET": ("x",)}.get(verb, ())
        assert not asked(server, user, verb, key, *rest)


def test_who_has_no_name_may_only_ask_whether_anybody_is_there() -> None:
    """The first line of the list is for probes."""
    (line, *_) = acl.users(SITE, PITS, 2, PASSWORDS)
    with ServerProcess() as running, redis.Redis.from_url(running.url) as operator:
        operator.execute_command("ACL", "SETUSER", "operator", "on", "nopass", "+@all", "~*")
        operator.execute_command("ACL", "SETUSER", *line.split()[1:])
        with redis.Redis.from_url(running.url) as anybody:
            assert anybody.ping()
            for words in (("INFO",), ("GET", "x"), ("XADD", "x", "*", "a", "b"), ("ACL", "WHOAMI")):
                with pytest.raises(redis.exceptions.NoPermissionError):
                    anybody.execute_command(*words)
        with redis.Redis.from_url(running.url.replace("unix://", "unix://operator:x@")) as again:
            again.execute_command("ACL", "SETUSER", "default", "on", "nopass", "+@all", "~*")


@pytest.mark.parametrize("name", ["a b", "a*", "x}", "", "a\nuser evil on nopass +@all"])
def test_an_odd_name_makes_no_list(name: str) -> None:
    """A site or pit whose name would mean something else in the list is refused."""
    with pytest.raises(ValueError, match="cannot stand"):
        acl.users(SITE, ["pit-1", name], 1, PASSWORDS)


def test_passwords_are_not_in_the_list() -> None:
    """Only their digests are, and whoever has none gets no user."""
    text = "\n".join(acl.users(SITE, PITS, 1, {"rng": "hunter2"}))
    assert "hunter2" not in text
    assert 2 == text.count("user ")
