"""Who may do what on the site's Redis: one user for each service, with the rights that its work needs and no others.

An owner of shards reads and writes its own shards. Into the inboxes of others it may put commands, and read nothing
there: so the RNG never learns a wager. Readers read feeds, logs and meta of the shards that they follow, not inboxes.
Nobody may delete a key, list keys, change settings or see other users; only the door may open the register of persons.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256

from libs.eventlog import keys
from libs.kernel.ids import PERSONS_SHARD, RNG_SHARD
from libs.kernel.wallets import wallet_at

OWNERS = ("rng", "wallet", "table_orchestrator")
SERVICES = (*OWNERS, "display", "gateway")
"""The users of a site, named as the services are."""

SEE_SETTINGS = ("wallet", "table_orchestrator")
"""Who may read the server's settings, to see `appendfsync`: all of them, since no server knows a right to a single one.
Among them is what lets a replica copy everything, so the others go by `INFO`, and no site plays without these two."""

AUDITOR = "auditor"
"""Reads everything, for `tapis verify` and the like; changes nothing."""

REPLICATION: Mapping[str, tuple[str, ...]] = {
    "replica": ("psync", "replconf", "ping"),
    "sentinel": (
        *("ping", "info", "role", "publish", "subscribe", "multi", "exec", "slaveof", "replicaof"),
        *("config|rewrite", "client|setname", "client|kill", "script|kill"),
    ),
}
"""Users of a replicated server among themselves: a replica gets a copy of everything, a sentinel reads no key."""

# A list that names a command which the server does not know keeps it from starting: Redis 7.0 has no CLIENT SETINFO, by
# which client libraries introduce themselves and do not mind a no; ours are told not to.
_ALL = ("ping", "hello", "info", "role", "client|setname", "time")
_READ = (
    *("hget", "hgetall", "hmget", "smembers", "exists"),
    *("xrange", "xrevrange", "xread", "xlen", "xinfo|stream"),
)
_OWN = (
    "evalsha",
    "eval",
    "wait",
    "hset",
    "hdel",
    "sadd",
    "zadd",
    "zrem",
    "zrange",
    "zremrangebyscore",
    "xadd",
    "xtrim",
)
_DOOR = ("xadd", "evalsha", "eval", "wait", "hscan", "hexists", "hset", "hsetnx", "hdel")
"""The door sends commands, and keeps the keys of persons."""


def users(site: str, pits: Sequence[str], wallets: int, passwords: Mapping[str, str]) -> list[str]:
    """Return the lines of an access list, with digests in place of passwords; raises `ValueError` for an odd name.

    Whoever has a password in the mapping is a user. The default user may ask `PING` and nothing else.
    """
    for name in (site, *pits):
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
            raise ValueError(f"{name!r} cannot stand in an access list")
    lines = ["user default on nopass resetkeys resetchannels -@all +ping"]
    for user, password in passwords.items():
        digest = sha256(password.encode()).hexdigest()
        lines.append(f"user {user} reset on #{digest} {' '.join(rights(user, site, pits, wallets))}")
    return lines


def rights(user: str, site: str, pits: Sequence[str], wallets: int) -> list[str]:
    """Return the rights of a user as words of an access list; `wallets` is the number of the wallet's parts."""
    money = [wallet_at(index, wallets).shard for index in range(wallets)]
    commands: tuple[str, ...] = _OWN if user in OWNERS else ()
    match user:
        case "rng":
            places = _owner(site, user, [RNG_SHARD], tells=pits)
        case "wallet":
            places = _owner(site, user, [*money, PERSONS_SHARD], tells=pits)
        case "table_orchestrator":
            places = _owner(site, user, pits, tells=[RNG_SHARD, *money])
        case "display":
            places = _reader(site, pits)
        case "gateway":
            followed = [*pits, *money, PERSONS_SHARD]
            persons = (keys.person_keys(site, PERSONS_SHARD), keys.person_index(site, PERSONS_SHARD))
            places = [*_reader(site, followed), *_teller(site, followed), *(f"%RW~{key}" for key in persons)]
            commands = _DOOR
        case "auditor":
            # Logs, feeds and all that is kept of shards; not what unlocks the register of persons.
            places = [*(f"%R~{key}" for key in _of_shard(site, "*")), f"%R~{{{site}}}:*"]
        case "replica" | "sentinel":
            return ["allchannels", "-@all", *(f"+{word}" for word in REPLICATION[user])]
        case _:
            raise ValueError(f"there is no user {user}")
    settings = ("config|get",) if user in SEE_SETTINGS else ()
    return [*places, "resetchannels", "-@all", *(f"+{word}" for word in (*_ALL, *settings, *_READ, *commands))]


def _of_shard(site: str, shard: str) -> list[str]:
    """Return the keys of a shard, without those of persons."""
    spelt = (keys.inbox, keys.feed, keys.meta, keys.parked)
    return [*(key(site, shard) for key in spelt), keys.log(site, shard, "*")]


def _owner(site: str, service: str, shards: Sequence[str], tells: Sequence[str]) -> list[str]:
    own = [f"%RW~{key}" for shard in shards for key in _of_shard(site, shard)]
    return [*own, *_teller(site, tells), f"%RW~{keys.members(site, service)}", f"%W~{keys.shards(site)}"]


def _teller(site: str, shards: Sequence[str]) -> list[str]:
    return [f"%W~{keys.inbox(site, shard)}" for shard in shards]


def _reader(site: str, shards: Sequence[str]) -> list[str]:
    return [
        f"%R~{key}"
        for shard in shards
        for key in (keys.feed(site, shard), keys.meta(site, shard), keys.log(site, shard, "*"))
    ]
