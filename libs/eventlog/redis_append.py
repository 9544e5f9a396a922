"""How a batch is said to `append.lua`, and how its reply is understood."""

from dataclasses import dataclass
from typing import Any

from redis.exceptions import BusyLoadingError, ResponseError

from libs.eventlog import keys
from libs.eventlog.api import (
    Appended,
    AppendResult,
    Batch,
    Conflict,
    CursorMoved,
    Fenced,
    Head,
    LogBroken,
)
from libs.eventlog.redis_read import head_from, heads_in
from libs.eventlog.wire import Word


@dataclass(frozen=True, slots=True)
class Limits:
    """How many entries are kept on the capped streams of a shard."""

    feed_entries: int
    parked_entries: int


def words(site: str, shard: str, batch: Batch, limits: Limits) -> tuple[list[str], list[Word]]:
    """Return KEYS and ARGV of `append.lua`."""
    names = [keys.meta(site, shard), keys.inbox(site, shard), keys.feed(site, shard), keys.parked(site, shard)]
    args: list[Word] = [batch.epoch, batch.cursor_from, batch.cursor_to, limits.feed_entries, limits.parked_entries]
    args += [len(batch.feed), len(batch.parked)]
    for one in batch.appends:
        names.append(keys.log(site, shard, one.stream))
        args += [f"head:{one.stream}", head_text(one.expected), head_text(one.after)]
        args += [one.expected.version, len(one.records)]
    for one in batch.appends:
        args += one.records
    args += batch.feed
    args += batch.parked
    return names, args


def result(reply: list[Any], batch: Batch) -> AppendResult:
    """Return what the script's reply means; raises `LogBroken` when a log does not end at its head in meta."""
    match reply:
        case [b"APPENDED", _]:
            return Appended()
        case [b"FENCED", epoch]:
            return Fenced(int(epoch))
        case [b"CURSOR", cursor]:
            return CursorMoved(cursor.decode())
        case [b"CONFLICT", place, head]:
            return Conflict(batch.appends[place - 1].stream, head_from(head.decode()))
        case [b"BROKEN", place, last, generated]:
            raise broken(batch.appends[place - 1].stream, batch.appends[place - 1].expected, last, generated)
    raise AssertionError(f"append.lua does not answer {reply!r}")


def told(reply: list[Any]) -> bytes:
    """Return the last entry that an append has put on the feed; empty when there is none, or no append."""
    return reply[1] if reply[0] == b"APPENDED" else b""


def broken(stream: str, head: Head, last: bytes, generated: bytes) -> LogBroken:
    """Return the error for a log that ends elsewhere than at its head in meta; it names the first bad event."""
    end = int(last.partition(b"-")[0])
    version = min(end, head.version) + 1
    reason = f"the head in meta is {head.version}, the log ends at {last.decode()} and had {generated.decode()}"
    return LogBroken(stream, version, reason)


def refused_before_writing(error: BaseException) -> bool:
    """Tell whether an error reply says that the script did not run (out of memory, read only, loading, …).

    Such replies have a code of their own; `ERR` may come out of the script.
    """
    if not isinstance(error, ResponseError | BusyLoadingError):
        return False
    return (error.status_code or str(error).partition(" ")[0]) != "ERR"


def outlook(meta: dict[str, str], batch: Batch) -> AppendResult | None:
    """Return what an append of the batch would meet, or that its step of the cursor has happened."""
    epoch, cursor, heads = int(meta.get("epoch", "0")), meta.get("cursor", "0-0"), heads_in(meta)
    if epoch != batch.epoch:
        return Fenced(epoch)
    if not batch.appends and cursor == batch.cursor_to != batch.cursor_from:
        return Appended()
    if cursor != batch.cursor_from:
        return CursorMoved(cursor)
    for one in batch.appends:
        head = heads.get(one.stream, Head())
        if head != one.expected:
            return Conflict(one.stream, head)
    return None


def head_text(head: Head) -> str:
    """Return how a head stands in meta: `<version> <hash>`."""
    return f"{head.version} {head.hash}"
