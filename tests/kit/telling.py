"""Everything that a casino under test writes or tells, and a search in it for seeds that are not revealed yet.

All of Redis (parked commands included), every process's log, every page of metrics, every answer of the gateway and
all that the display's live streams have sent since the listener was there, and what the `tapis` command prints. The
searcher opens the seeds with the house's own key.
"""

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import httpx
import redis
from typer.testing import CliRunner

from libs.cli.main import app
from libs.kernel.contracts.rng import SeedSealed
from libs.kernel.ids import DRAWS, RNG_SHARD, split_seed_id
from libs.runtime.kinds import RNG
from libs.runtime.seals import read_keys
from libs.table.seeds import DrawsRevealed
from tests.kit.scene import PIT_NAME, SERVICES, Scene
from tests.kit.waiting import until

RETRY_S = 0.1


class Listener:
    """Keeps what the display's streams send, and what the gateway answers to anybody in this test."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.heard = {f"stream of {topic}": b"" for topic in ("floor", *(f"tables/{name}" for name in scene.tables))}
        self.answered = b""

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator["Listener"]:
        """Listen while the block runs; every stream has sent its first frame when it begins."""
        self._scene.http.event_hooks = {"response": [self._answer]}
        async with httpx.AsyncClient(base_url=self._scene.casino.display_url, timeout=None, trust_env=False) as client:
            tasks = [asyncio.create_task(self._follow(client, name)) for name in self.heard]
            try:
                await until(lambda: all(self.heard.values()), why="the display sends nothing")
                yield self
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, client: httpx.AsyncClient, name: str) -> None:
        while True:
            with contextlib.suppress(httpx.TransportError):
                async with client.stream("GET", f"/events/{name.removeprefix('stream of ')}") as stream:
                    async for chunk in stream.aiter_raw():
                        self.heard[name] += chunk
            await asyncio.sleep(RETRY_S)

    async def _answer(self, response: httpx.Response) -> None:
        self.answered += await response.aread()


async def nothing_tells(scene: Scene, listener: Listener, table: str) -> dict[int, bytes]:
    """Search everything for the seeds of a table that are not revealed yet; return these seeds by coup."""
    seeds, told = await _unrevealed(scene, table), await everything_told(scene, listener)
    assert seeds
    assert {coup: set() for coup in seeds} == {coup: told_by(told, seed) for coup, seed in seeds.items()}
    return seeds


async def _unrevealed(scene: Scene, table: str) -> dict[int, bytes]:
    """Return the seeds of coups of a table's first session that nobody may know yet, by coup."""
    keys, found = read_keys(scene.casino.seal_keys), dict[int, bytes]()
    shown = {e.coup for stream, _, e in scene.events if isinstance(e, DrawsRevealed) and stream == f"{table}/1"}
    async for page in scene.log.load(RNG_SHARD, f"{DRAWS}/1"):
        for raw in page:
            event = RNG.codec.decode_recorded(raw)
            if isinstance(event, SeedSealed) and (place := split_seed_id(event.seed_id))[0] == f"{PIT_NAME}/{table}":
                seed = keys.open(event)
                assert seed is not None
                found[place[2]] = seed
    return {coup: seed for coup, seed in found.items() if coup not in shown}


def told_by(told: dict[str, bytes], seed: bytes) -> set[str]:
    """Return where a seed can be read, in any spelling that a program might give it."""
    plain = {seed, base64.b64encode(seed), base64.urlsafe_b64encode(seed), str(list(seed)).encode()}
    plain |= {seed.hex().encode(), seed.hex().upper().encode()}
    # As Python shows bytes; in the text of an exception, in a line of JSON, backslashes come twice or four times.
    shown = repr(seed)[2:-1].replace("\\", "").encode()
    return {
        where for where, what in told.items() if any(one in what for one in plain) or shown in what.replace(b"\\", b"")
    }


async def everything_told(scene: Scene, listener: Listener) -> dict[str, bytes]:
    """Return all bytes that are kept or shown, by where they are; nothing of it is empty that says anything."""
    told = await asyncio.to_thread(_kept_by_the_server, scene.casino.redis_url, scene.casino.floor.site.name)
    for file in (scene.casino.plan.folder / "logs").iterdir():
        told[file.name] = file.read_bytes()
    async with httpx.AsyncClient(trust_env=False) as web:
        for name in SERVICES:
            url = scene.casino.ready_url(name).replace("readyz", "metrics")
            told[f"metrics of {name}"] = (await web.get(url)).content
    reader = {"authorization": f"Bearer {scene.door.token('auditor-1', 'auditor')}"}
    for table in scene.tables:
        # What it answers is with all other answers.
        await scene.http.get(f"/v1/tables/{table}", headers=reader)
        told |= await asyncio.to_thread(_printed, scene, table)
    told |= {**listener.heard, "answers of the gateway": listener.answered}
    silent = {where for where, what in told.items() if not what} - {f"{name}.log" for name in SERVICES}
    assert set() == silent
    return told


def _printed(scene: Scene, table: str) -> dict[str, bytes]:
    """Return what the reading commands of `tapis` print about a table, the draws and the site."""
    where = ["--redis-url", scene.casino.redis_url, "--site", scene.casino.floor.site.name, "--json"]
    asked = ["verify", "tables", "doctor", "parked", f"verify-draws {table}", f"replay {table}", f"replay {DRAWS}"]
    return {f"tapis {words}": CliRunner().invoke(app, [*words.split(), *where]).output.encode() for words in asked}


def _kept_by_the_server(url: str, site: str) -> dict[str, bytes]:
    """Return what lies under every key of a site."""
    kept: dict[str, bytes] = {}
    with redis.Redis.from_url(url) as client:
        for key in client.scan_iter(f"{{{site}*"):
            match client.type(key):
                case b"stream":
                    found: Any = [pair for _, entry in client.xrange(key) for pair in entry.items()]
                case b"hash":
                    found = client.hgetall(key).items()
                case b"set":
                    found = [(member, b"") for member in client.smembers(key)]
                case _:
                    found = [(member, b"") for member in client.zrange(key, 0, -1)]
            kept[key.decode()] = b"\n".join(name + b" " + value for name, value in found)
    return kept
