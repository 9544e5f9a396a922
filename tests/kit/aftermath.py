"""What must be true when the tables have come to rest, whatever was killed before."""

import asyncio
from collections import defaultdict
from pathlib import Path

import httpx
import msgspec

from libs.eventlog.api import Head
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import stream_name
from libs.kernel.messages import tag_of
from libs.ledger.state import seats_of
from libs.runtime.audit import AuditReport, audit
from libs.runtime.kinds import kind_of
from libs.runtime.loading import current_volumes, load_books
from libs.runtime.local.bots.journal import Answer, read_journal
from libs.table.board import Board, board_of
from libs.table.messages import PlaceWager, WagerPlaced
from libs.table.react import deadline
from libs.table.state import TableState
from tests.kit.scene import PIT_NAME, Scene
from tests.kit.stakes import Count, every_stake_ends_once
from tests.kit.waiting import PATIENCE_S, until

RESTING = frozenset({"closed", "prepared", "idle", "settled"})
"""Phases in which a table waits for people, not for time, draws or money."""

MOMENTS = 10
"""How often everything is checked anew because the log moved meanwhile; nobody plays then, so it cannot for long."""

Heads = dict[str, dict[str, Head]]
"""Where every stream of every shard ends."""


class Aftermath(msgspec.Struct, frozen=True):
    """What was checked."""

    report: AuditReport
    games: dict[str, Count]
    answers: int
    """Answers that bots were told, and that the log confirms."""


async def everything_agrees(scene: Scene, journal: Path) -> Aftermath:
    """Check, once the bots have gone home, that logs, ledger, tables, screens and what bots were told agree.

    It is true of one moment: what a bot said at the last may still be on its way through the gateway. When the log has
    moved during the checks, they saw two moments; then their result says nothing, and they are made again.
    """
    for _ in range(MOMENTS):
        before = await come_to_rest(scene)
        try:
            aftermath = Aftermath(
                await books_agree(scene),
                await every_stake_ends_once(scene.log, PIT_NAME),
                await journal_is_true(scene, journal),
            )
            await replay_is_live(scene)
        except AssertionError:
            if before == await all_heads(scene):
                raise
        else:
            if before == await all_heads(scene):
                return aftermath
        scene.diary.note("the log has moved during the checks; they are made again")
    raise AssertionError(f"the log moves on though nobody plays: {await all_heads(scene)}")


async def come_to_rest(scene: Scene) -> Heads:
    """Wait, with nobody playing, until nothing is under way in any book; return where the logs end then."""
    unrest: list[str] = []
    heads: Heads = {}

    async def at_rest() -> bool:
        nonlocal heads
        # In this order: what was handled before the heads are read is in them, and in the states that have heard it.
        unrest[:] = [
            f"{facts.shard}: {facts.waiting} waiting" for facts in await scene.inspector.shards() if facts.waiting
        ]
        heads = await all_heads(scene)
        unrest.extend(await scene.unheard())
        unrest.extend(f"{name}: {state.phase}" for name in scene.tables if not rests(state := scene.table(name)))
        unrest.extend(f"buy-in {transfer}" for transfer in scene.ledger.pending)
        return not unrest

    await until(at_rest, why=lambda: f"no rest: {unrest}")
    return heads


def rests(state: TableState) -> bool:
    """Tell whether nothing is under way at a table."""
    staked = any(seat.stakes for seat in state.seats.values())
    waits = state.draws or state.awaited or state.owed or deadline(state) is not None
    return state.phase in RESTING and not (waits or staked)


async def all_heads(scene: Scene) -> Heads:
    """Return where every stream ends now."""
    return {shard: await scene.log.heads(shard) for shard in await scene.log.shards()}


async def books_agree(scene: Scene) -> AuditReport:
    """Check chains, versions, every entry, wager and draw; that money sums to zero; that nothing was set aside."""
    report = await audit(scene.log)
    assert () == report.faults
    assert (0, 0) == (report.total, report.owed)
    for shard in await scene.log.shards():
        assert () == await scene.log.read_parked(shard, "0-0", 100), f"a command of {shard} was parked"
    for name in scene.tables:
        state = scene.table(name)
        meters = {number: seat.credit for number, seat in state.seats.items() if seat.credit}
        assert meters == seats_of(scene.ledger, name), f"credit meters of {name} and the ledger's seats differ"
    return report


async def replay_is_live(scene: Scene) -> None:
    """Check that the log alone gives what living processes show: gateway, display, and this test's follower.

    Those hear of an event a moment after it is in the log: they are asked until they have.
    """
    differences: list[str] = []

    async def the_same() -> bool:
        differences[:] = await _differences(scene)
        return not differences

    await until(the_same, why=lambda: "\n".join(differences))


async def _differences(scene: Scene) -> list[str]:
    """Return a sentence for whatever is shown otherwise than the log has it now."""
    kind = kind_of(PIT_NAME)
    books = await load_books(scene.log, PIT_NAME, kind.decider, kind.codec, await scene.log.heads(PIT_NAME))
    found: list[str] = []

    def compare(what: str, expected: object, shown: object) -> None:
        if expected != shown:
            found.append(f"{what}: the log says {expected}, shown is {shown}")

    for name in scene.tables:
        state: TableState = books[name].state
        board, position = board_of(state), f"{stream_name(name, books[name].volume)}:{books[name].head.version}"
        compare(f"{name} here", msgspec.to_builtins(state), msgspec.to_builtins(scene.table(name)))
        compare(f"{name} at the gateway", board, await _gateway_board(scene, name))
        compare(f"{name} on the display", (position, board), await _display_board(scene, name))
        for player, number in state.places.items():
            me = await scene.speaker(player, "player").me()
            seats = {seat.table: (seat.seat, seat.credit) for seat in me.seats}
            compare(f"seat of {player}", (number, state.seats[number].credit), seats.get(name))
    return found


async def _gateway_board(scene: Scene, table: str) -> Board:
    headers = {"authorization": f"Bearer {scene.door.token('auditor-1', 'auditor')}"}
    return msgspec.json.decode(await scene.door.get(f"/v1/tables/{table}", headers), type=Board)


async def _display_board(scene: Scene, table: str) -> tuple[str, Board]:
    """Return position and board of the first frame that the display sends to a new page."""
    async with (
        asyncio.timeout(PATIENCE_S),
        httpx.AsyncClient(base_url=scene.casino.display_url, timeout=10, trust_env=False) as client,
        client.stream("GET", f"/events/tables/{table}") as stream,
    ):
        position = ""
        async for line in stream.aiter_lines():
            word, _, rest = line.partition(": ")
            if word == "id":
                position = rest
            elif word == "data" and position:
                return position, msgspec.json.decode(rest, type=Board)
    raise AssertionError("the display closed the stream")


async def all_decisions(scene: Scene, shard: str) -> dict[str, list[tuple[str, EventRecord]]]:
    """Return every event in the logs of a shard by the command that caused it, with its stream, in order."""
    found: dict[str, list[tuple[str, EventRecord]]] = defaultdict(list)
    decoder = msgspec.json.Decoder(EventRecord)
    volumes = current_volumes(await scene.log.heads(shard))
    for book, last in volumes.items():
        for volume in range(1, last + 1):
            stream = stream_name(book, volume)
            async for page in scene.log.load(shard, stream):
                for raw in page:
                    record = decoder.decode(raw)
                    found[record.cause].append((stream, record))
    return found


async def journal_is_true(scene: Scene, journal: Path) -> int:
    """Check that what bots were told is in the log: accepted exactly once and word for word, refused not at all.

    Returns the number of answers compared.
    """
    logged: dict[str, list[tuple[str, EventRecord]]] = {}
    for shard in await scene.log.shards():
        logged |= await all_decisions(scene, shard)
    asked: dict[str, str] = {}
    answers: dict[str, Answer] = {}
    for line in read_journal(journal):
        if line.answer is None:
            assert line.id not in asked, "bots never use a command id for two commands"
            asked[line.id] = line.command
        else:
            answers[line.id] = line.answer
    for command_id, answer in answers.items():
        _is_as_told(command_id, asked[command_id], answer, logged.get(command_id, []))
    for command_id, records in logged.items():
        if command_id.startswith("bot-"):
            assert command_id in asked, f"{command_id} was never asked, and is in the log"
            if asked[command_id] == tag_of(PlaceWager):
                assert 1 == len(records), f"wager {command_id} is in the log {len(records)} times"
    return len(answers)


def _is_as_told(command_id: str, command: str, answer: Answer, records: list[tuple[str, EventRecord]]) -> None:
    bodies = [msgspec.json.decode(record.body) for _, record in records]
    if not answer.accepted:
        assert [] == bodies, f"{command_id} was refused ({answer.code}), and yet it is in the log"
        return
    if answer.stream:
        # An answer names the stream of its last event; what opens a new volume stands alone.
        assert list(answer.events) == bodies, f"{command_id} was accepted, and the log says otherwise"
        assert {answer.stream} == {stream for stream, _ in records}
        versions = [record.version for _, record in records]
        assert list(range(versions[0], versions[0] + len(versions))) == versions, f"{command_id} is there twice"
    else:
        assert [] == bodies, f"{command_id} changed nothing, and yet it is in the log"
    if command == tag_of(PlaceWager):
        assert [tag_of(WagerPlaced)] == [body["type"] for body in bodies]
