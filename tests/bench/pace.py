"""From command to answer, through a separate process, at a fixed pace that does not wait for the answers."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import redis
import redis.asyncio
import uvloop

from libs.eventlog import keys
from libs.kernel.ids import RNG_SHARD, WALLET_SHARD
from libs.runtime.seals import SEAL_KEYS_FILE, add_key
from tests.bench import workload

START_S = 30.0
"""How long the orchestrator may take until it has opened all tables."""

SLEEP_S = 0.0005
"""Commands that are due together are sent together; this is how often somebody looks."""


class _Told(msgspec.Struct, frozen=True):
    """Of an answer its id."""

    id: str


class _Entry(msgspec.Struct, frozen=True):
    """Of a feed entry its answer."""

    answer: _Told | None = None


_decode = msgspec.json.Decoder(_Entry).decode


@dataclass(frozen=True, slots=True)
class Line:
    """Where commands are sent, which of them are timed, and where their answers are heard."""

    inbox: str
    timed: bytes
    """Text that stands in a command whose answer is waited for."""
    answers: str
    """The stream on which answers arrive."""
    answer_to: Callable[[dict[bytes, bytes]], str | None]
    """Return the id of the command that an entry of that stream answers."""


def wagers_to_answers(
    url: str, site: str, tables: int, opening: Sequence[bytes], commands: Sequence[bytes], per_second: float
) -> list[float]:
    """Open the tables, then send commands at a fixed pace; return for each wager the seconds until its answer.

    Time counts from the moment at which a command was due, so that a loop that stalls is not spared.
    """
    line = Line(
        keys.inbox(site, workload.PIT), b'"table.PlaceWager"', keys.feed(site, workload.PIT), _answered_on_the_feed
    )
    with _service("table_orchestrator", url, site, tables):
        return uvloop.run(_measure(url, line, opening, commands, per_second))


def draws_to_answers(url: str, site: str, commands: Sequence[bytes], per_second: float) -> list[float]:
    """Send orders for draws at a fixed pace; return for each the seconds until its values are in the pit's inbox."""
    inbox = keys.inbox(site, RNG_SHARD)
    line = Line(inbox, b'"rng.RequestDraw"', keys.inbox(site, workload.PIT), _answered_to_the_asker)
    with _service("rng", url, site, 1):
        # The first command waits for the start of the process; it is sent ahead and not timed.
        return uvloop.run(_measure(url, line, commands[:1], commands[1:], per_second))


def postings_to_answers(url: str, site: str, tables: int, commands: Sequence[bytes], per_second: float) -> list[float]:
    """Send postings at a fixed pace; return for each the seconds until its table's inbox says that it is booked."""
    inbox = keys.inbox(site, WALLET_SHARD)
    line = Line(inbox, b'"wallet.PostFromTable"', keys.inbox(site, workload.PIT), _answered_to_the_asker)
    with _service("wallet", url, site, tables):
        # The floats, which wait for the start of the process, are posted ahead and not timed.
        return uvloop.run(_measure(url, line, commands[:tables], commands[tables:], per_second))


async def _measure(
    url: str, line: Line, opening: Sequence[bytes], commands: Sequence[bytes], per_second: float
) -> list[float]:
    client = redis.asyncio.Redis.from_url(url, socket_timeout=None)
    answered: dict[str, float] = {}
    hearing = asyncio.create_task(_hear(client, line, answered))
    for raw in opening:
        await client.xadd(line.inbox, {"c": raw})
    give_up = time.perf_counter() + START_S
    await _until(lambda: len(answered) >= len(opening), give_up, "the service does not answer what comes first")
    due = await _send(client, line, commands, per_second)
    give_up = time.perf_counter() + START_S
    await _until(lambda: due.keys() <= answered.keys(), give_up, "the service does not answer")
    hearing.cancel()
    await client.aclose()
    return [answered[command_id] - sent for command_id, sent in due.items()]


async def _send(
    client: redis.asyncio.Redis, line: Line, commands: Sequence[bytes], per_second: float
) -> dict[str, float]:
    """Send each command when it is due; return when each timed one was due."""
    due, start = dict[str, float](), time.perf_counter()
    sent = 0
    while sent < len(commands):
        ready = min(len(commands), int((time.perf_counter() - start) * per_second) + 1)
        if ready > sent:
            pipeline = client.pipeline(transaction=False)
            for number in range(sent, ready):
                pipeline.xadd(line.inbox, {"c": commands[number]})
                if line.timed in commands[number]:
                    due[msgspec.json.decode(commands[number], type=_Told).id] = start + number / per_second
            await pipeline.execute()
            sent = ready
        await asyncio.sleep(SLEEP_S)
    return due


async def _hear(client: redis.asyncio.Redis, line: Line, answered: dict[str, float]) -> None:
    """Note when each answer arrives."""
    position = b"0-0"
    while True:
        found: Any = await client.xread({line.answers: position}, count=500, block=1000)
        now = time.perf_counter()
        for entry, fields in found[0][1] if found else ():
            position = entry
            command_id = line.answer_to(fields)
            if command_id is not None:
                answered[command_id] = now


def _answered_on_the_feed(fields: dict[bytes, bytes]) -> str | None:
    """As a door hears it."""
    answer = _decode(fields[b"f"]).answer
    return answer.id if answer else None


def _answered_to_the_asker(fields: dict[bytes, bytes]) -> str:
    """As a table hears it."""
    return msgspec.json.decode(fields[b"c"], type=_Told).id.removeprefix("answer:")


async def _until(condition: Callable[[], bool], give_up: float, otherwise: str) -> None:
    while not condition():
        if time.perf_counter() > give_up:
            raise RuntimeError(otherwise)
        await asyncio.sleep(0.01)


@contextmanager
def _service(name: str, url: str, site: str, tables: int) -> Iterator[None]:
    """Run a service in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="tapis-") as folder:
        floor = Path(folder) / "floor.toml"
        floor.write_text(_floor(site, tables), encoding="utf-8")
        seals = Path(folder) / SEAL_KEYS_FILE
        add_key(seals, "bench")
        environment = os.environ | {
            "REDIS_URL": url,
            "TAPIS_SITE": site,
            "TAPIS_FLOOR": str(floor),
            "TAPIS_HTTP_PORT": "0",
            "TAPIS_LOG_LEVEL": "error",
            "TAPIS_DURABILITY": "relaxed",
            "TAPIS_RNG_SEAL_KEYS_FILE": str(seals),
        }
        process = subprocess.Popen([sys.executable, "-m", f"services.{name}"], env=environment)
        try:
            yield
        finally:
            process.terminate()
            process.wait(START_S)


def _floor(site: str, tables: int) -> str:
    """Return a floor file with one pit of wheels."""
    head = f'[site]\nname = "{site}"\ncurrency = "EUR"\ntimezone = "Europe/Paris"\ncutoff = "06:00"\n\n'
    pit = f'[[pits]]\nname = "{workload.PIT}"\n'
    plan = (
        'game = "wheel"\npaytable = "ROUE-MAISON-1"\nminimum = 100\nfloat = 1000000000\nseats = 8\nsource = "rng"\n'
        "betting_ms = 600000\ndecision_ms = 600000\noptions = { bonus_stake = 1000 }\n"
    )
    return head + pit + "".join(f'[[pits.tables]]\nname = "{name}"\n{plan}' for name in workload.table_names(tables))
