"""Whether a Redis can keep the promise that a service is configured for; see docs/architecture.md, durability."""

from collections.abc import Mapping
from typing import Literal

from redis.exceptions import ResponseError

from libs.eventlog.api import EventLogUnavailable
from libs.eventlog.wire import Wire
from libs.kernel.limits import LOG_CALL_MS

Durability = Literal["relaxed", "durable", "replicated"]
"""`relaxed`: AOF every second at least. `durable`: AOF always. `replicated`: AOF always, and a replica has it too."""

REPLICAS: Mapping[str, int] = {"relaxed": 0, "durable": 0, "replicated": 1}
"""Replicas that must have an event before anybody is told."""

OLDEST = (7, 0)
"""Oldest engine: scripts that declare themselves, and data folders that every newer engine opens."""


class UnfitServer(Exception):
    """The server cannot keep the promise; the sentence tells what to change."""


async def check_server(url: str, durability: str, *, sees_settings: bool) -> str:
    """Return the engine's name and version (`valkey 9.1.2`), or raise.

    Only who `sees_settings` (`acl.SEE_SETTINGS`) looks at `appendfsync`; all the rest is in `INFO`.

    Raises `UnfitServer` when the server cannot keep the promise and `EventLogUnavailable` when it cannot be asked now.
    """
    if durability not in REPLICAS:
        raise UnfitServer(f"There is no durability {durability!r}; there are relaxed, durable and replicated.")
    wire = Wire(url, connections=1, call_ms=LOG_CALL_MS)
    try:
        info = _facts(await wire.call("INFO"))
        if "1" in {info.get("loading"), info.get("async_loading")}:
            # Until its data is read, a server that has just started says that it keeps no append-only file.
            raise EventLogUnavailable("the server is loading its data")
        fsync = await _setting(wire, "appendfsync") if sees_settings else None
    finally:
        await wire.close()
    name = "valkey" if "valkey_version" in info else "redis"
    version = info.get(f"{name}_version", "0")
    if _version(info.get("redis_version", "0")) < OLDEST:
        raise UnfitServer(f"The server is {name} {version}; Redis or Valkey 7.0 or newer is needed.")
    _check_promise(info, fsync, durability)
    if REPLICAS[durability]:
        _check_replicas(info)
    return f"{name} {version}"


def _check_promise(info: dict[str, str], fsync: str | None, durability: str) -> None:
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise UnfitServer(f"The server may throw entries away (maxmemory-policy {policy}); set it to noeviction.")
    if info.get("aof_enabled") != "1":
        raise UnfitServer("The server keeps no append-only file, a restart would lose events; set appendonly yes.")
    enough = {"always", "everysec"} if durability == "relaxed" else {"always"}
    if fsync is None or fsync in enough:
        return
    wanted = " or ".join(sorted(enough))
    if not fsync:
        # The server hides its settings (a managed service): what cannot be seen cannot be promised.
        raise UnfitServer(f"The server does not tell its appendfsync; durability {durability!r} needs {wanted}.")
    raise UnfitServer(f"The server has appendfsync {fsync}; durability {durability!r} needs {wanted}.")


def _check_replicas(info: dict[str, str]) -> None:
    if info.get("role") != "master":
        raise EventLogUnavailable("the server is a replica")
    if "min_slaves_good_slaves" not in info:
        # Without it a primary that is cut off from its replicas would go on taking commands that nobody will see.
        raise UnfitServer("The server has min-replicas-to-write 0, or min-replicas-max-lag 0; set them to 1 and more.")
    if not any(name.startswith("slave") and "state=online" in said for name, said in info.items()):
        raise EventLogUnavailable("no replica of the server is online")


async def _setting(wire: Wire, name: str) -> str:
    """Return a setting of the server, empty when it will not tell; raises `EventLogUnavailable` when it is gone."""
    try:
        reply = await wire.call("CONFIG", "GET", name)
    except EventLogUnavailable as error:
        if isinstance(error.__cause__, ResponseError):
            return ""
        raise
    return reply[1].decode() if reply else ""


def _facts(reply: bytes) -> dict[str, str]:
    pairs = (line.partition(":") for line in reply.decode().splitlines() if ":" in line)
    return {name: value for name, _, value in pairs}


def _version(text: str) -> tuple[int, int]:
    """Return major and minor.

    >>> _version("7.0.15")
    (7, 0)
    """
    major, _, rest = text.partition(".")
    minor, _, _ = rest.partition(".")
    return int(major), int(minor or "0")
