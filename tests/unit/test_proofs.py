"""Anybody can compute a coup again: a true one agrees, and whatever is changed in it is named."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from libs.cli import exits
from libs.cli.proofs import verify_draws
from libs.cli.where import Site
from libs.draws.proof import CoupProof, MadeDraw, judge
from libs.kernel.ids import RNG_SHARD
from libs.runtime.audit import audit
from libs.runtime.kinds import PIT as PIT_KIND
from libs.runtime.proofs import Proofs
from libs.table.messages import CheckEquipment, CloseBetting, OpenBetting, OpenSession
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.tampering import Body, codes, first, last, lively_house, records_of, rewrite


def read(house: MemoryHouse, stream: str = "T1/1") -> tuple[Proofs, list[CoupProof]]:
    """Return the coups of a session by their number."""
    proofs, found = Proofs(), list[CoupProof]()
    for raw in records_of(house, PIT, stream):
        found += proofs.see(PIT_KIND.codec.decode_recorded(raw))
    found += proofs.rest()
    return proofs, sorted(found, key=lambda one: one.coup)


@pytest.fixture
async def house() -> MemoryHouse:
    return await lively_house()


async def test_every_coup_of_a_true_house_agrees(house: MemoryHouse) -> None:
    """Settled, void and never opened: each was promised, each is shown, each can be computed again."""
    proofs, found = read(house)
    assert proofs.seeded
    assert ["settled"] * 4 + ["voided"] + ["settled"] * 3 + ["not_played"] == [one.result for one in found]
    assert {"agrees"} == {judge(one).verdict for one in found}
    assert all(one.draws for one in found if one.result == "settled")
    _, second = read(house, "T1/2")
    assert ["agrees", "not_revealed", "not_revealed"] == [judge(one).verdict for one in second]
    assert ["settled", "running", "not_opened"] == [one.result for one in second]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda p: replace(p, seed="00" * 32), "the seed does not fit the commitment"),
        (lambda p: replace(p, seed="zz"), "the seed does not fit the commitment"),
        (lambda p: replace(p, commitment="00" * 32), "the seed does not fit the commitment"),
        (lambda p: replace(p, commitment=""), "nothing was committed to"),
        (lambda p: replace(p, coup=p.coup + 1), "is the seed of another coup"),
        (lambda p: replace(p, seed_id="seed:x"), "is not the id of a seed"),
        (lambda p: replace(p, draws=(_turned(p.draws[0]),)), "the seed gives"),
        (lambda p: replace(p, draws=(replace(p.draws[0], bounds=(1_000_000,)),)), "the seed gives"),
        (lambda p: replace(p, draws=(replace(p.draws[0], bounds=(0,)),)), "no draw is below 0"),
        (lambda p: replace(p, draws=(replace(p.draws[0], bounds=(52, -1)),)), "no draw is below -1"),
        (lambda p: replace(p, draws=p.draws * 2), "was made twice"),
        (lambda p: replace(p, draws=(replace(p.draws[0], draw_id="draw:pit-1/T1/1/2/main"),)), "not a draw of this"),
        (lambda p: replace(p, draws=(replace(p.draws[0], draw_id="main"),)), "not a draw of this coup"),
    ],
)
async def test_whatever_is_changed_differs(
    house: MemoryHouse, change: Callable[[CoupProof], CoupProof], reason: str
) -> None:
    """Seed, commitment, place, values, bounds, ids: none can be another."""
    proof = read(house)[1][0]
    judged = judge(change(proof))
    assert "differs" == judged.verdict
    assert any(reason in fault for fault in judged.faults), judged.faults


def _turned(made: MadeDraw) -> MadeDraw:
    return replace(made, values=((made.values[0] + 1) % made.bounds[0], *made.values[1:]))


async def test_what_is_missing_is_not_called_a_fault(house: MemoryHouse) -> None:
    """A seed that is on its way, one that is lost, a session without seeds: none agrees, none differs."""
    proof = replace(read(house)[1][0], seed="")
    assert "not_revealed" == judge(proof).verdict
    assert "lost" == judge(replace(proof, lost="seed.given_up")).verdict
    assert "no_seed" == judge(replace(proof, commitment="", seeded=False)).verdict


async def test_cards_face_down_are_shown_with_the_seed() -> None:
    """Before the reveal a proof has no draw that was face down; afterwards it has, and agrees."""
    house = await MemoryHouse().open()
    await house.staff("technician", CheckEquipment())
    terms: dict[str, Any] = {"game": "paire_poker", "paytable": "PAIRE-MAISON-1", "minimum": 100, "seats": 5}
    opening = OpenSession(**terms, float_amount=10_000_000, options={}, confirm_negative_edge=True)
    await house.staff("committee_member", opening)
    await house.staff("croupier", OpenBetting())
    await house.staff("croupier", CloseBetting())
    assert ["running", "not_opened"] == [one.result for one in read(house)[1]]
    assert [(), ()] == [one.draws for one in read(house)[1]]
    for _ in range(5):
        await house.pass_time(60_000)
    first = read(house)[1][0]
    assert ("settled", "agrees", 4) == (first.result, judge(first).verdict, len(first.draws[0].values))


# -- the audit ----------------------------------------------------------------------------------------------------
def _coup_2(tag: str, change: Callable[[Body], None]) -> Callable[[list[tuple[Any, Body]]], None]:
    def changed(events: list[tuple[Any, Body]]) -> None:
        for _, body in events:
            named = body.get("draw_id") or body.get("seed_id", "")
            if body["type"] == tag and ":pit-1/T1/1/2" in named:
                change(body)

    return changed


async def test_a_cheat_with_all_logs_cannot_change_a_draw(house: MemoryHouse) -> None:
    """Other values in both logs, all hashes made anew: the seed tells, and the audit names the coup."""
    turn = _coup_2("table.DrawReceived", lambda body: body.update(values=[(body["values"][0] + 1) % 52]))
    rewrite(house, PIT, "T1/1", turn)
    turn = _coup_2("rng.Drawn", lambda body: body.update(values=[(body["values"][0] + 1) % 52]))
    rewrite(house, RNG_SHARD, "draws/1", turn)
    report = await audit(house.log)
    assert "draw.unproven" in codes(report)
    assert any("coup 2" in fault.what and "the seed gives" in fault.what for fault in report.faults)


async def test_a_commitment_of_another_origin_is_found(house: MemoryHouse) -> None:
    """A table whose commitment the RNG never gave is named, as is a promise that was made twice."""
    rewrite(house, RNG_SHARD, "draws/1", _coup_2("rng.SeedCommitted", lambda body: body.update(commitment="00" * 32)))
    found = codes(await audit(house.log))
    assert "seed.twice" not in found
    assert "seed.differs" in found


async def test_a_seed_that_was_never_shown_is_found(house: MemoryHouse) -> None:
    """A session after which another was opened has shown all its seeds."""
    rewrite(house, PIT, "T1/1", lambda events: events.pop(last(events, "table.DrawsRevealed")) and None)
    assert "seed.not_shown" in codes(await audit(house.log))


async def test_a_seed_that_is_kept_back_is_told(house: MemoryHouse, capsys: pytest.CaptureFixture[str]) -> None:
    """While a session runs a seed may be on its way; when another was opened after it, `verify-draws` ends with 3."""
    site = cast("Site", SimpleNamespace(log=house.log))
    assert exits.OK == await verify_draws(site, "T1", None, None, as_json=False)
    assert "not revealed yet" in capsys.readouterr().out
    rewrite(house, PIT, "T1/1", lambda events: events.pop(last(events, "table.DrawsRevealed")) and None)
    assert exits.VERIFICATION_FAILED == await verify_draws(site, "T1", None, None, as_json=False)
    assert "the seed was never shown" in capsys.readouterr().out


@pytest.mark.parametrize("end", ["table.DrawsRevealed", "table.DrawsNotRevealed", ""], ids=["shown", "lost", "awaited"])
async def test_a_coup_that_its_session_never_opened_is_not_running(
    house: MemoryHouse, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever becomes of its seed, a coup that was promised and not opened when the session closed was not played."""

    def ends(events: list[tuple[Any, Body]]) -> None:
        place = last(events, "table.DrawsRevealed")
        coup = events[place][1]["coup"]
        if end == "table.DrawsNotRevealed":
            events[place][1].clear()
            events[place][1].update(type=end, coup=coup, code="seed.given_up")
        elif not end:
            del events[place]

    rewrite(house, PIT, "T1/1", ends)
    unopened = read(house)[1][-1]
    verdicts = {"table.DrawsRevealed": "agrees", "table.DrawsNotRevealed": "lost", "": "not_revealed"}
    assert ("not_played", verdicts[end]) == (unopened.result, judge(unopened).verdict)
    await verify_draws(cast("Site", SimpleNamespace(log=house.log)), "T1", 1, unopened.coup, as_json=False)
    assert f"coup {unopened.coup:<4} not played 0 draws" in capsys.readouterr().out


async def test_a_promise_about_no_coup_is_found(house: MemoryHouse) -> None:
    """Whatever stands in the RNG's log for the id of a seed, the audit goes on and names the event."""
    place = first(house, RNG_SHARD, "draws/1", "rng.SeedCommitted")
    rewrite(house, RNG_SHARD, "draws/1", lambda events: events[place][1].update(seed_id="seed:x"))
    faults = (await audit(house.log)).faults
    assert ("seed.bad_id", "draws/1", place + 1) in [(one.code, one.stream, one.version) for one in faults]


async def test_a_session_that_denies_its_seeds_is_found(house: MemoryHouse) -> None:
    """As if it were from before there were any, so that other draws would need no proof: the RNG's promises tell."""

    def deny(events: list[tuple[Any, Body]]) -> None:
        events[:] = [one for one in events if not one[1]["type"].startswith("table.Draws")]
        del next(body for _, body in events if body["type"] == "table.SessionOpened")["seeded"]

    rewrite(house, PIT, "T1/1", deny)
    assert "seed.denied" in codes(await audit(house.log))


@pytest.mark.parametrize(
    ("moved", "before", "reason"),
    [
        ("table.DrawsCommitted", "table.CoupSettled", "the commitment came after betting had opened"),
        ("table.DrawsRevealed", "table.BettingClosed", "the seed was shown before the coup was over"),
    ],
)
async def test_the_order_of_the_log_is_looked_at(house: MemoryHouse, moved: str, before: str, reason: str) -> None:
    """Promised too late, or shown too early: the values may fit, the coup does not."""

    def move(events: list[tuple[Any, Body]]) -> None:
        of_coup_1 = [place for place, (_, body) in enumerate(events) if body["type"] == moved and body["coup"] == 1]
        event = events.pop(of_coup_1[0])
        places = [place for place, (_, body) in enumerate(events) if body["type"] == before and body["coup"] == 1]
        events.insert(places[0], event)

    rewrite(house, PIT, "T1/1", move)
    judged = judge(read(house)[1][0])
    assert ("differs", True) == (judged.verdict, reason in judged.faults), judged


def test_a_proof_survives_its_file() -> None:
    """What `--json` and the display give is read back as it was."""
    proof = CoupProof("T1", 1, 1, "seed:pit-1/T1/1/1", "ab", "cd", (MadeDraw("draw:pit-1/T1/1/1/main", (6,), (1,)),))
    assert proof == msgspec.json.decode(msgspec.json.encode(proof), type=CoupProof)
