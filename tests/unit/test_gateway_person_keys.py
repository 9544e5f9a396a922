"""The keys of the register at the door: closed, rotated, lost; and that nothing personal is said anywhere."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from libs.eventlog.memory import MemoryLog
from libs.kernel.ids import PERSONS_SHARD
from libs.runtime import metrics
from libs.runtime.persons.keyfile import PersonKeys
from tests.kit.door import error_of
from tests.kit.register import BORN, INDEX, NAME, NEW, OLD, PAPERS, AwayPersonKeys, Counter, counter, found_in

STREAM = "persons/1"


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def store() -> AwayPersonKeys:
    return AwayPersonKeys()


@pytest.fixture
async def desk(log: MemoryLog, store: AwayPersonKeys) -> AsyncIterator[Counter]:
    async with counter(log, store) as it:
        yield it


# -- keys ---------------------------------------------------------------------------------------------------------
async def test_without_keys_the_register_is_closed(log: MemoryLog, store: AwayPersonKeys) -> None:
    """Every route says so, and the rest of the door is open."""
    async with counter(log, store, None) as desk:
        assert (503, "persons.off", "") == error_of(await desk.post("", {"person": PAPERS}))
        assert (503, "persons.off", "") == error_of(await desk.look("p-aaaaaaaaaaaaaaaa"))
        assert (503, "persons.off", "") == error_of(await desk.forget("p-aaaaaaaaaaaaaaaa"))
        assert 200 == (await desk.http.get("/openapi.json")).status_code


async def test_the_key_is_rotated_while_the_register_is_used(log: MemoryLog, store: AwayPersonKeys) -> None:
    """With both keys all is locked anew; then the old one can go; a door with the old file says what it misses."""
    async with counter(log, store) as desk:
        player = await desk.register()
    both = PersonKeys(INDEX, {"old": OLD, "new": NEW})
    async with counter(log, store, both) as desk:
        assert PAPERS == (await desk.look(player)).json()["person"]
        assert desk.lockup is not None
        await desk.keeper.sweep(desk.lockup)
        assert (1.0, 0.0, 0.0) == tuple(
            metrics.REGISTRY.get_sample_value("tapis_person_keys", {"lock": lock})
            for lock in ("newest", "older", "missing")
        )
    async with counter(log, store, PersonKeys(INDEX, {"new": NEW})) as desk:
        assert PAPERS == (await desk.look(player, "n")).json()["person"]
        again = (await desk.post("", {"person": PAPERS})).json()
        assert {"player": player, "known": True, "excluded": "", "accepted": True} == again
    async with counter(log, store) as desk:
        assert (503, "persons.key_missing", "") == error_of(await desk.look(player, "o"))
        assert desk.lockup is not None
        await desk.keeper.sweep(desk.lockup)
        assert 1.0 == metrics.REGISTRY.get_sample_value("tapis_person_keys", {"lock": "missing"})


async def test_another_index_key_closes_the_register(log: MemoryLog, store: AwayPersonKeys) -> None:
    """A fresh file in place of a lost one would register everybody a second time: it is refused with a sentence."""
    async with counter(log, store) as desk:
        player = await desk.register()
    async with counter(log, store, PersonKeys(NEW, {"old": OLD})) as desk:
        assert (503, "persons.wrong_index_key", "") == error_of(await desk.post("", {"person": PAPERS}))
        assert (503, "persons.wrong_index_key", "") == error_of(await desk.look(player))
    assert [player] == list(store.keys)


async def test_a_damaged_store_says_so(store: AwayPersonKeys, desk: Counter) -> None:
    """A key that is lost, or a store that is away: a clear answer, and no second pseudonym."""
    player = await desk.register()
    store.away.add("fetch")
    assert (503, "log.unavailable", "") == error_of(await desk.look(player))
    store.away.clear()
    del store.keys[player]
    assert (503, "persons.key_missing", "") == error_of(await desk.look(player))
    assert (503, "persons.key_missing", "") == error_of(await desk.post("", {"person": PAPERS}))
    assert [player] == list(store.index.values())


# -- silence ------------------------------------------------------------------------------------------------------
async def test_personal_data_are_in_the_answer_to_a_look_and_nowhere_else(
    log: MemoryLog, store: AwayPersonKeys, desk: Counter, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither inbox, log, feed, store, metrics nor what the process says holds a trace, in any encoding."""
    player = await desk.register()
    await desk.post("/find", {"name": NAME, "birth_date": BORN, "purpose": "cage"})
    shown = await desk.look(player)
    assert found_in(shown.content)
    store.keys[player] = (store.keys[player][0], "old.00")
    assert 503 == (await desk.look(player)).status_code
    await desk.forget(player)
    said = capfd.readouterr()
    everything = [
        *[raw for _, raw in await log.feed_tail(PERSONS_SHARD, 1_000)],
        *[raw async for page in log.load(PERSONS_SHARD, STREAM) for raw in page],
        *[raw for _, raw in log._shards[PERSONS_SHARD].inbox.kept],
        repr(store.keys).encode() + repr(store.index).encode(),
        msgspec.json.encode(desk.state),
        metrics.exposition(),
        (said.out + said.err).encode(),
    ]
    assert len(everything) > 10
    assert [] == [trace for content in everything for trace in found_in(content)]


async def test_a_crash_does_not_tell(
    log: MemoryLog, store: AwayPersonKeys, desk: Counter, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """A defect in the middle of a registration is answered with 500 and reported without a word of the papers."""

    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(store, "claim", broken)
    answer = await desk.post("", {"person": PAPERS})
    assert (500, "server.defect", "") == error_of(answer)
    said = capfd.readouterr()
    assert "ZeroDivisionError" in said.out + said.err
    assert [] == found_in(answer.content + (said.out + said.err).encode())
