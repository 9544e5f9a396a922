"""False draws are found although no table shows their seeds; what nobody can show is counted, not called proven."""

from collections.abc import Callable

import pytest

from libs.draws.mapping import draw
from libs.kernel.ids import RNG_SHARD
from libs.runtime.audit import AuditReport, audit
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.tampering import Body, Events, bodies_of, codes, last, lively_house, rewrite

SESSIONS = ("T1/1", "T1/2")
LOST = {"type": "table.DrawsNotRevealed", "code": "seed.given_up"}


@pytest.fixture
async def true_house() -> MemoryHouse:
    return await lively_house()


@pytest.fixture
async def false_house(monkeypatch: pytest.MonkeyPatch) -> MemoryHouse:
    """Return a house whose RNG draws one more than its seeds give: every table plays and pays by that."""

    def one_more(seed: bytes, draw_id: str, bounds: tuple[int, ...]) -> tuple[int, ...]:
        return tuple((value + 1) % bound for value, bound in zip(draw(seed, draw_id, bounds), bounds, strict=True))

    monkeypatch.setattr("libs.draws.decider.draw", one_more)
    return await lively_house()


def lose_seeds(house: MemoryHouse) -> None:
    """Let every table say that none of its seeds could be revealed."""
    for stream in SESSIONS:
        replace_each(house, PIT, stream, "table.DrawsRevealed", lambda body: {**LOST, "coup": body["coup"]})


def give_up_seeds(house: MemoryHouse) -> None:
    """Let the RNG say that no key opens its seeds."""
    replace_each(
        house,
        RNG_SHARD,
        "draws/1",
        "rng.SeedRevealed",
        lambda body: {"type": "rng.SeedGivenUp", "seed_id": body["seed_id"]},
    )


def replace_each(house: MemoryHouse, shard: str, stream: str, tag: str, by: Callable[[Body], Body]) -> None:
    def change(events: Events) -> None:
        events[:] = [(record, by(body) if body["type"] == tag else body) for record, body in events]

    rewrite(house, shard, stream, change)


def drop(house: MemoryHouse, shard: str, stream: str, word: str) -> None:
    def change(events: Events) -> None:
        events[:] = [(record, body) for record, body in events if word not in body["type"]]
        for version, (_, body) in enumerate(events, start=1):
            if body["type"] == "table.SessionClosed":
                body["events"] = version

    rewrite(house, shard, stream, change)


def counted(report: AuditReport) -> tuple[int, int, int, int]:
    draws = report.draws
    return draws.computed, draws.not_revealed, draws.lost, draws.no_seed


async def test_all_draws_of_a_true_house_are_computed_again(true_house: MemoryHouse) -> None:
    """Each draw that a table used is one that was computed again."""
    report = await audit(true_house.log)
    facts = [body["type"] for stream in SESSIONS for body in bodies_of(true_house, PIT, stream)]
    assert (facts.count("table.DrawReceived"), 0, 0, 0) == counted(report)
    assert report.ok


async def test_false_draws_are_found_by_what_the_rng_has_revealed(false_house: MemoryHouse) -> None:
    """A table calls its seeds lost, so that nobody looks: they stand in the RNG's log, which never gave them up."""
    lose_seeds(false_house)
    report = await audit(false_house.log)
    assert {"seed.not_given_up", "draw.unproven"} == set(codes(report))
    assert {"draws/1"} == {fault.stream for fault in report.faults if fault.code == "draw.unproven"}


async def test_draws_whose_seeds_are_not_shown_yet_are_computed_too(false_house: MemoryHouse) -> None:
    """The end of a table's log is cut before the seed of its last coup is shown."""

    def cut(events: Events) -> None:
        del events[last(events, "table.DrawsRevealed") :]

    rewrite(false_house, PIT, "T1/2", cut)
    report = await audit(false_house.log)
    assert "draws/1" in {fault.stream for fault in report.faults if fault.code == "draw.unproven"}


async def test_draws_whose_seeds_are_lost_are_counted(false_house: MemoryHouse) -> None:
    """When the RNG has given up as well nobody can show anything of these draws: that is what the audit says."""
    lose_seeds(false_house)
    give_up_seeds(false_house)
    report = await audit(false_house.log)
    computed, _, lost, _ = counted(report)
    assert report.ok
    assert computed == 0 < lost


async def test_draws_of_sessions_without_seeds_are_counted(false_house: MemoryHouse) -> None:
    """Logs that look like those from before there were seeds prove nothing of their draws, and the audit says so."""
    for stream in SESSIONS:
        rewrite(false_house, PIT, stream, _unseeded)
        drop(false_house, PIT, stream, "Draws")
    drop(false_house, RNG_SHARD, "draws/1", "Seed")
    report = await audit(false_house.log)
    computed, _, _, no_seed = counted(report)
    assert report.ok
    assert computed == 0 < no_seed


def _unseeded(events: Events) -> None:
    del next(body for _, body in events if body["type"] == "table.SessionOpened")["seeded"]


async def test_an_audit_ends_whatever_was_ordered(true_house: MemoryHouse) -> None:
    """A draw below nothing has no values: to look for one would never end."""

    def nothing(body: Body) -> Body:
        return {**body, "bounds": [0]}

    replace_each(true_house, PIT, "T1/1", "table.DrawRequested", nothing)
    assert {"draw.unproven", "decision.differs"} == set(codes(await audit(true_house.log)))
