"""The whole casino ends in the middle of play, by Ctrl-C or by a power cut, and continues where it stopped."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from libs.eventlog.api import EventLog
from libs.eventlog.chain import decode_record
from libs.eventlog.redis_log import RedisLog
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.ledger.state import LedgerState, imbalance
from libs.runtime.audit import audit
from libs.runtime.kinds import kind_of
from libs.runtime.loading import load_books
from libs.runtime.local.bots.journal import Answer
from libs.runtime.local.casino import Casino, LocalPlan
from libs.runtime.local.embedded import EmbeddedServer, FolderNote
from libs.runtime.local.note import RunNote
from libs.table.messages import PlaceWager
from libs.table.state import IN_SESSION, TableState
from tests.kit.aftermath import come_to_rest
from tests.kit.casino import ROOT, floor_for, following
from tests.kit.play import TableParty
from tests.kit.scene import PIT_NAME, Scene
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]

MONEY, CHIPS = 12_345, 5_000
SEAT = 8
"""A seat that bots do not take: they play at the first three."""


class Books(msgspec.Struct, frozen=True):
    """What the log says at one moment."""

    tables: dict[str, TableState]
    ledger: LedgerState
    heads: dict[str, tuple[int, str]]


async def read_books(log: EventLog) -> Books:
    """Fold the logs of the casino."""
    states: dict[str, Any] = {}
    heads: dict[str, tuple[int, str]] = {}
    for shard in (PIT_NAME, WALLET_SHARD):
        ends = await log.heads(shard)
        heads |= {stream: (head.version, head.hash) for stream, head in ends.items()}
        kind = kind_of(shard)
        books = await load_books(log, shard, kind.decider, kind.codec, ends)
        states |= {name: book.state for name, book in books.items()}
    ledger = states.pop(LEDGER)
    return Books(states, ledger, heads)


@contextlib.asynccontextmanager
async def make_run(folder: Path, *words: str, power_cut: bool = False) -> AsyncIterator[tuple[Scene, list[str]]]:
    """Run `make run` as a process of its own while the block runs; then press Ctrl-C (it must end well), or cut power.

    Yields the scene and the lines that the process has said.
    """
    note_file = folder / "run.json"
    note_file.unlink(missing_ok=True)
    environ = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    # Tables without a croupier at a console: without bots they come to rest by themselves.
    floor = floor_for("site-a", folder)
    command = ["-m", "libs.runtime.local", "--folder", str(folder), "--floor", str(floor), "--players", "3", "--fast"]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, *words, cwd=ROOT, env=environ, stdout=asyncio.subprocess.PIPE
    )
    said: list[str] = []
    listening = asyncio.create_task(_listen(process, said))
    try:
        await until(lambda: "Ready after" in "".join(said) or listening.done())
        note = msgspec.json.decode(note_file.read_bytes(), type=RunNote)
        async with following(note_of(folder, note)) as scene:
            yield scene, said
            if power_cut:
                await cut_power(folder, process, note)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        await listening
        await process.wait()
    if not power_cut:
        assert 0 == process.returncode, said
        assert said[-1].startswith("Stopped.")


async def cut_power(folder: Path, process: asyncio.subprocess.Process, note: RunNote) -> None:
    """Kill -9 the server and the supervisor; wait until its children, which notice it, have gone too."""
    server = msgspec.json.decode((folder / "redis" / "server.json").read_bytes(), type=FolderNote)
    os.kill(server.pid, signal.SIGKILL)
    process.kill()
    await process.wait()
    await until(lambda: not any(is_running(pid) for pid in (server.pid, *note.processes.values())))


def is_running(pid: int) -> bool:
    """Tell whether a process is there; one that only waits to be buried has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def _listen(process: asyncio.subprocess.Process, said: list[str]) -> None:
    """Note what the process says, line by line, until it ends."""
    assert process.stdout is not None
    while line := await process.stdout.readline():
        said.append(line.decode())


def note_of(folder: Path, note: RunNote) -> Casino:
    """Return a casino that this process did not start, as its note tells."""
    casino = Casino(LocalPlan(folder=folder, floor=Path(note.floor)), lambda _: None)
    casino.redis_url, casino.gateway_url, casino.display_url = note.redis_url, note.gateway_url, note.display_url
    return casino


@contextlib.asynccontextmanager
async def stopped_log(folder: Path) -> AsyncIterator[RedisLog]:
    """Open the log of a casino that is stopped."""
    with EmbeddedServer(folder / "redis") as server:
        log = RedisLog(server.url, "site-a")
        yield log
        await log.close()


async def test_everything_continues(tmp_path: Path) -> None:
    """Balances, seats, sessions and history outlive Ctrl-C in the middle of a coup; an accepted wager, a power cut."""
    async with make_run(tmp_path) as (scene, said):
        await until(lambda: all(scene.table(name).phase in IN_SESSION for name in scene.tables))
        party = TableParty(scene)
        await party.deposit("player-1", MONEY)
        await party.take_seat("player-1", SEAT)
        await party.buy_in("player-1", SEAT, CHIPS)
        await scene.until_settled(2)
        # The status line names the process that owns the pit, and says that no money is missing.
        await until(lambda: any("pit-1: orchestrator-" in line and "sum to 0.00 EUR" in line for line in said))
        await until(lambda: any(seat.stakes for seat in scene.table(party.name).seats.values()))

    async with stopped_log(tmp_path) as log:
        before = await read_books(log)
        assert () == (await audit(log)).faults

    async with make_run(tmp_path, "--no-bots", power_cut=True) as (scene, _):
        await come_to_rest(scene)
        await goes_on_from(before, scene)
        party = TableParty(scene)
        coup = scene.table(party.name).coup
        assert coup + 1 == await party.open_betting()
        wager = await accepted_wager(party)

    async with stopped_log(tmp_path) as log:
        report = await audit(log)
        assert (0, ()) == (report.total, report.faults)
        records = [decode_record(raw) async for page in log.load(PIT_NAME, wager.stream) for raw in page]
        assert 1 == [msgspec.json.decode(record.body) for record in records].count(wager.events[0])


async def accepted_wager(party: TableParty) -> Answer:
    """Stake until it is accepted: betting is short, and may be over before the wager is there."""
    player = party.scene.speaker("player-1", "player")
    while not (answer := await player.tell(party.name, PlaceWager(spot="2", amount=300))).accepted:
        assert "wager.betting_closed" == answer.code
        await until(lambda: party.scene.table(party.name).phase in {"idle", "settled"})
        await party.open_betting()
    return answer


async def goes_on_from(before: Books, scene: Scene) -> None:
    """Check that a casino at rest continues what the log said when it was stopped."""
    me = await scene.speaker("player-1", "player").me()
    assert MONEY - CHIPS == me.balance
    assert [("roue-1", SEAT, CHIPS)] == [(seat.table, seat.seat, seat.credit) for seat in me.seats]
    now = await read_books(scene.log)
    assert 0 == imbalance(now.ledger)
    for name, state in now.tables.items():
        was = before.tables[name]
        assert was.session == state.session
        assert was.coup in {past.coup for past in state.history}, "the same coup was played to its end"
        assert was.history == state.history[-len(was.history) :]
    for stream, (version, digest) in before.heads.items():
        shard = WALLET_SHARD if stream.startswith(LEDGER) else PIT_NAME
        then = [raw async for page in scene.log.load(shard, stream, version - 1) for raw in page]
        assert digest == decode_record(then[0]).hash, "the log goes on from its last event"
