"""Which site's log a command reads: named by options or environment, else the one of the local folder."""

import asyncio
import contextlib
import os
import sys
import zoneinfo
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import NoReturn, TypeVar

import redis.exceptions

from libs.cli import exits
from libs.cli.options import Where, WhereWithFloor
from libs.cli.output import say
from libs.eventlog.api import EventLogError, LogBroken
from libs.eventlog.primary import BadAddress
from libs.eventlog.redis_log import RedisLog
from libs.runtime.floor import Floor, FloorError, load_floor
from libs.runtime.local.embedded import EmbeddedServer
from libs.runtime.local.engines import EmbeddedServerError
from libs.runtime.local.folder import FolderUnusable
from libs.runtime.local.note import RunNote, read_note

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Site:
    """A site whose log is open."""

    name: str
    url: str
    log: RedisLog
    timezone: tzinfo
    floor: Floor | None = None


class NotFound(Exception):
    """What was asked for is not there; the sentence says what is."""


def fail(code: int, sentence: str) -> NoReturn:
    """Say a sentence on standard error and end with a code."""
    say(sentence)
    raise SystemExit(code)


def with_site(where: Where, work: Callable[[Site], Awaitable[T]]) -> T:
    """Open the site's log, do the work, close it; faults become sentences and exit codes."""

    async def run() -> T:
        async with open_site(where) as site:
            return await work(site)

    try:
        return asyncio.run(run())
    except NotFound as error:
        fail(exits.NOT_FOUND, str(error))
    except BadAddress as error:
        fail(exits.USAGE, f"the server's address {error}")
    except (EmbeddedServerError, FolderUnusable) as error:
        fail(exits.UNAVAILABLE, str(error))
    except LogBroken as error:
        fail(exits.VERIFICATION_FAILED, str(error))
    except EventLogError as error:
        fail(exits.UNAVAILABLE, f"the log cannot be read: {error}")
    except BrokenPipeError:
        # Whoever read our output has seen enough (`tapis replay … | head`); nobody is there for the rest of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(exits.OK) from None
    except (redis.exceptions.RedisError, OSError) as error:
        fail(exits.UNAVAILABLE, f"the log's server does not answer: {error}")


@contextlib.asynccontextmanager
async def open_site(where: Where) -> AsyncIterator[Site]:
    """Open the log that `where` names. A local casino that is stopped gets its server back for the moment."""
    note = read_note(where.folder)
    url = where.redis_url or os.environ.get("REDIS_URL") or None
    server: EmbeddedServer | None = None
    if url is None:
        if note is None:
            raise NotFound(f"no casino in {where.folder}, and neither --redis-url nor REDIS_URL names a server")
        url = note.redis_url
        if note.embedded and not await _answers(url):
            say(f"nothing runs in {where.folder}; starting its server for the moment")
            server = EmbeddedServer(where.folder / "redis")
            url = await asyncio.to_thread(server.start)
    name = where.site or os.environ.get("TAPIS_SITE") or (note.site if note else "site-a")
    log = RedisLog(url, name)
    named = where.floor if isinstance(where, WhereWithFloor) else None
    floor = _floor(named, note)
    try:
        yield Site(name, url, log, zoneinfo.ZoneInfo(floor.site.timezone if floor else "UTC"), floor)
    finally:
        await log.close()
        if server is not None:
            await asyncio.to_thread(server.stop)


def _floor(named: Path | None, note: RunNote | None) -> Floor | None:
    """Return the floor file that is named, else the local casino's if it is here and usable."""
    if named is not None:
        try:
            return load_floor(named)
        except FloorError as error:
            fail(exits.USAGE, str(error))
    with contextlib.suppress(FloorError):
        if note is not None:
            return load_floor(Path(note.floor))
    return None


async def _answers(url: str) -> bool:
    """Tell whether a server listens at a URL."""
    client = redis.asyncio.Redis.from_url(url)
    try:
        await client.ping()
    except (redis.exceptions.RedisError, OSError):
        return False
    else:
        return True
    finally:
        await client.aclose()
