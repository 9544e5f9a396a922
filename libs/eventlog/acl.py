"""Who may do what on the site's Redis: one user for each service, with the rights that its work needs and no others.

An owner of shards reads and writes its own shards. Into the inboxes of others it may put commands, and read nothing
there: so the RNG never learns a wager. Readers read feeds, logs and meta of the shards that they follow, not inboxes.
Nobody may delete a key, list keys, change settings or see other users.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256

from libs.eventlog import keys
from libs.kernel.ids import RNG_SHARD, WALLET_SHARD

OWNERS = ("rng", "wallet", "table_orchestrator")
SERVICES = (*OWNERS, "display", "gateway")
"""The users of a site, named as the services are."""

AUDITOR = "auditor"
"""Reads everything, for `tapis verify` and the like; changes nothing."""

_ALL = ("ping", "hello", "info", "config|get", "client|setinfo", "client|setname", "time")
_READ = (
    *("hget", "hgetall", "hmget", "smembers", "exists"),
    *("xrange", "xrevrange", "xread", "xlen", "xinfo|stream"),
)
_OWN = ("evalsha", "eval", "hset", "hdel", "sadd", "zadd", "zrem", "zrange", "zremrangebyscore", "xadd", "xtrim")


def users(site: str, pits: Sequence[str], passwords: Mapping[str, str]) -> list[str]:
    """Return the lines of an access list, with digests in place of passwords; raises `ValueError` for an odd name.

    Whoever has no password in the mapping gets no user. The default user may ask `PING` and nothing else.
    """
    for name in (site, *pits):
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
            raise ValueError(f"{name!r} cannot stand in an access list")
    lines = ["user default on nopass resetkeys resetchannels -@all +ping"]
    for user in (*SERVICES, AUDITOR):
        if user in passwords:
            digest = sha256(passwords[user].encode()).hexdigest()
            lines.append(f"user {user} reset on #{digest} {' '.join(rights(user, site, pits))}")
    return lines


def rights(user: str, site: str, pits: Sequence[str]) -> list[str]:
    """Return the rights of a user as words of an access list."""
    commands: tuple[str, ...] = ()
    match user:
        case "rng":
            places = _owner(site, user, [RNG_SHARD], tells=pits)
        case "wallet":
            places = _owner(site, user, [WALLET_SHARD], tells=pits)
        case "table_orchestrator":
            places = _owner(site, user, pits, tells=[RNG_SHARD, WALLET_SHARD])
        case "display":
            places = _reader(site, pits)
        case "gateway":
            followed = [*pits, WALLET_SHARD]
            places = [*_reader(site, followed), *(f"%W~{keys.inbox(site, shard)}" for shard in followed)]
            commands = ("xadd",)
        case "auditor":
            places = [f"%R~{{{site}:*}}:*", f"%R~{{{site}}}:*"]
        case _:
            raise ValueError(f"there is no user {user}")
    if user in OWNERS:
        commands = _OWN
    return [*places, "resetchannels", "-@all", *(f"+{word}" for word in (*_ALL, *_READ, *commands))]


def _owner(site: str, service: str, shards: Sequence[str], tells: Sequence[str]) -> list[str]:
    own = [f"%RW~{{{site}:{shard}}}:*" for shard in shards]
    told = [f"%W~{keys.inbox(site, shard)}" for shard in tells]
    return [*own, *told, f"%RW~{keys.members(site, service)}", f"%W~{keys.shards(site)}"]


def _reader(site: str, shards: Sequence[str]) -> list[str]:
    return [
        f"%R~{key}"
        for shard in shards
        for key in (keys.feed(site, shard), keys.meta(site, shard), keys.log(site, shard, "*"))
    ]
