"""All that is known of a casino when a test has failed, so that one failure is enough to find its cause."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from libs.eventlog.redis_log import RedisLog
from libs.runtime.audit import audit
from libs.runtime.local.children import last_lines
from libs.runtime.local.inspection import Inspector
from libs.table.react import deadline
from libs.table.state import TableState
from tests.kit.scene import Scene

LOG_LINES, LOG_WIDTH = 12, 300
SECTION_S = 20.0
"""How long the log's server may take to answer for one section, in seconds."""


@dataclass(frozen=True, slots=True)
class _Teller:
    """A scene, and connections of one's own: those of the scene may belong to another event loop."""

    scene: Scene
    log: RedisLog
    inspector: Inspector


async def story(scene: Scene) -> str:
    """Tell everything: the diary, tables, followers, shards, what an audit finds, and the end of every log file."""
    url, site = scene.casino.redis_url, scene.casino.floor.site.name
    teller = _Teller(scene, RedisLog(url, site), Inspector(url, site))
    told = []
    for title, tell in _SECTIONS.items():
        told.append(f"-- {title} " + "-" * (100 - len(title)))
        try:
            async with asyncio.timeout(SECTION_S):
                told += [line async for line in tell(teller)]
        except Exception as error:  # whatever is broken, the rest must be told
            told.append(f"(cannot be told: {error!r})")
    await teller.log.close()
    await teller.inspector.close()
    return "\n".join(told)


async def tell_on(error: Exception, scene: Scene) -> None:
    """Add the story to an exception, and keep it in the casino's folder."""
    text = await story(scene)
    file = scene.casino.plan.folder / "story.txt"
    await asyncio.to_thread(file.write_text, text, encoding="utf-8")
    error.add_note(f"{text}\nkept in {file}, beside the logs")


async def _diary(teller: _Teller) -> AsyncIterator[str]:
    for line in teller.scene.diary.lines:
        yield line


async def _tables(teller: _Teller) -> AsyncIterator[str]:
    scene = teller.scene
    for name in scene.tables:
        yield f"{_table(scene.table(name))}, {scene.settled[name]} coups settled"
    yield f"ledger: pending {sorted(scene.ledger.pending)}"


def _table(state: TableState) -> str:
    stakes = {number: seat.stakes for number, seat in state.seats.items() if seat.stakes}
    return (
        f"{state.table}: session {state.session}, coup {state.coup}, {state.phase}, deadline {deadline(state)}, "
        f"last coups left {state.last_left}, draws {sorted(state.draws)}, awaited {sorted(state.awaited)}, "
        f"owed {sorted(state.owed)}, stakes {stakes}"
    )


async def _followers(teller: _Teller) -> AsyncIterator[str]:
    for line in (*teller.scene.followed(), *await teller.scene.unheard(teller.log)):
        yield line


async def _shards(teller: _Teller) -> AsyncIterator[str]:
    for facts in await teller.inspector.shards():
        yield (
            f"{facts.shard}: owner {facts.owner or 'nobody'}, epoch {facts.epoch}, lease {facts.lease_left_ms} ms, "
            f"cursor {facts.cursor}, {facts.waiting} waiting, {facts.events} events"
        )
        for parked in await teller.inspector.parked(facts.shard):
            yield f"    parked {parked.entry}: {parked.reason}: {parked.raw[:LOG_WIDTH]}"


async def _audit(teller: _Teller) -> AsyncIterator[str]:
    report = await audit(teller.log)
    yield f"{report.events} events, {report.coups} coups, {report.wagers} wagers, {report.owed} owed"
    yield f"{report.accounts} accounts sum to {report.total} cents"
    for fault in report.faults:
        yield f"FAULT {fault.stream} at version {fault.version}: {fault.what} ({fault.code})"


async def _logs(teller: _Teller) -> AsyncIterator[str]:
    folder = teller.scene.casino.plan.folder / "logs"
    files: list[Path] = await asyncio.to_thread(lambda: sorted(folder.glob("*.log")))
    for file in files:
        yield f"[{file.name}]"
        for line in last_lines(file, LOG_LINES, LOG_WIDTH):
            yield f"    {line}"


_SECTIONS: dict[str, Callable[[_Teller], AsyncIterator[str]]] = {
    "diary": _diary,
    "tables, as the feed told": _tables,
    "followers": _followers,
    "shards": _shards,
    "audit": _audit,
    "ends of the logs": _logs,
}
