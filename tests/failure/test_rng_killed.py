"""The RNG is killed between commitment and draw, and between draw and reveal: another process keeps the promise."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from libs.draws.proof import CoupProof, judge
from libs.games.paire_poker import messages as p
from libs.games.wheel.messages import LaunchWheel
from libs.runtime.kinds import PIT
from libs.runtime.proofs import Proofs
from libs.runtime.seals import add_key
from libs.table import messages as m
from libs.table.seeds import DrawsCommitted, DrawsNotRevealed, DrawsRevealed
from libs.table.state import IN_SESSION
from tests.kit.aftermath import books_agree, come_to_rest
from tests.kit.casino import plan_in, running
from tests.kit.play import TableParty
from tests.kit.scene import PIT_NAME, Scene
from tests.kit.telling import Listener, nothing_tells
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]

MONEY = 50_000


@pytest.fixture
async def scene(redis_url: str, site: str, tmp_path: Path) -> AsyncIterator[Scene]:
    """A casino with a wheel and a table of Pair'e poker where nobody else plays."""
    plan = plan_in(tmp_path / "casino", site, ("roue-1", "paire-1"), redis_url=redis_url, bots=False)
    async with running(plan) as scene:
        yield scene


@pytest.fixture
async def listener(scene: Scene) -> AsyncIterator[Listener]:
    """Who hears what it tells."""
    async with Listener(scene).listening() as listener:
        yield listener


class CardParty(TableParty):
    """A table of Pair'e poker, where a coup waits for the croupier between its draw and its end."""

    async def open(self, betting_ms: int = 600_000, decision_ms: int = 600_000) -> None:
        """Open a session in which only people act."""
        await self.staff("technician", m.CheckEquipment())
        opening = m.OpenSession(
            game="paire_poker",
            paytable="PAIRE-MAISON-1",
            minimum=100,
            float_amount=10_000_000,
            seats=5,
            betting_ms=betting_ms,
            decision_ms=decision_ms,
            confirm_negative_edge=True,
        )
        await self.staff("committee_member", opening)
        await until(lambda: self.scene.table(self.name).phase in IN_SESSION)


async def test_every_arrow_outlives_the_rng(scene: Scene, listener: Listener) -> None:
    """No process but a new one answers after each kill: promise, draw and seed are still those of one coup."""
    party, rng = CardParty(scene, "paire-1"), scene.casino.children["rng"]
    # Killed before it has promised anything: betting does not open, with a sentence.
    await rng.kill()
    await party.open()
    await party.sit_down("player-1", 1, MONEY)
    refused = await scene.speaker("croupier-1", "croupier").tell("paire-1", m.OpenBetting())
    assert refused.refusal is not None
    assert "seed.not_committed" == refused.refusal.code
    pids = {await started(scene)}
    await party.open_betting()
    await party.wager("player-1", "COULEUR_ROUGE", 1_000)
    await until(lambda: scene.table("paire-1").committed == 2)
    (commitment,) = [e.commitment for e in party.told() if isinstance(e, DrawsCommitted) and e.coup == 1]
    await nothing_tells(scene, listener, "paire-1")

    # Killed between commitment and draw.
    await rng.kill()
    await party.close_betting()
    await until(lambda: bool(scene.table("paire-1").draws))
    pids.add(await started(scene))
    await until(lambda: not scene.table("paire-1").draws)
    assert "locked" == scene.table("paire-1").phase
    await nothing_tells(scene, listener, "paire-1")

    # Killed between draw and reveal.
    await rng.kill()
    for place in (1, 2, 3):
        await party.staff("croupier", p.TurnCard(place=place))
    await until(lambda: scene.table("paire-1").game_state is not None)
    await party.staff("croupier", p.PayWinners())
    await party.settled(1)
    assert 1 in scene.table("paire-1").seeds
    pids.add(await started(scene))
    await until(lambda: any(isinstance(event, DrawsRevealed) for event in party.told()))
    assert 3 == len(pids)

    proof = (await proofs_of(scene, "paire-1"))[0]
    assert (commitment, "settled", "agrees") == (proof.commitment, proof.result, judge(proof).verdict)
    assert 4 == len(proof.draws[0].values)
    await come_to_rest(scene)
    await books_agree(scene)


async def test_without_its_key_the_rng_stops_and_says_what_to_do(scene: Scene) -> None:
    """With another key it ends with code 6 and names the missing one; with the key back the same coup goes on.

    Told to give the seeds up, it draws nothing from them: the coup is void, every stake goes back, and play goes on.
    """
    party, rng, file = TableParty(scene), scene.casino.children["rng"], scene.casino.seal_keys
    await party.open()
    await party.sit_down("player-1", 1, MONEY)
    for lost in (False, True):
        coup = await party.open_betting()
        await party.wager("player-1", "2", 1_000)
        await until(lambda coup=coup: scene.table("roue-1").committed > coup)  # type: ignore[misc]
        before = party.credit("player-1") + 1_000
        await rng.kill()
        right = file.read_bytes()
        file.unlink()
        add_key(file, "another")
        await party.close_betting()
        await party.staff("croupier", LaunchWheel())
        await rng.start()
        log = scene.casino.children["rng"].log_file
        await until(lambda log=log: "cannot be opened with the keys another" in log.read_text())  # type: ignore[misc]
        assert "(local-1) back into the file" in log.read_text()
        await rng.kill()
        if lost:
            scene.casino.children["rng"].plan.environ["TAPIS_RNG_GIVE_UP_SEEDS"] = "yes"  # type: ignore[index]
        else:
            file.write_bytes(right)
        await started(scene)
        if lost:
            await until(lambda: any(isinstance(event, m.CoupVoided) for event in party.told()))
            assert before == party.credit("player-1")
            await until(lambda: any(isinstance(event, DrawsNotRevealed) for event in party.told()))
        else:
            await party.settled(coup)
        log.write_text("")
    # The next coup's seed is lost too; the one after it is sealed with the new key.
    for expected in ("voided", "settled"):
        coup = await party.open_betting()
        await party.wager("player-1", "2", 1_000)
        await party.close_betting()
        await party.staff("croupier", LaunchWheel())
        await until(lambda coup=coup: scene.table("roue-1").history[0].coup == coup)  # type: ignore[misc]
        assert expected == scene.table("roue-1").history[0].result
    await come_to_rest(scene)
    await books_agree(scene)
    verdicts = [judge(proof).verdict for proof in await proofs_of(scene, "roue-1")]
    assert ["agrees", "lost", "lost", "agrees", "not_revealed"] == verdicts


@pytest.mark.parametrize(("content", "reason"), [(None, "is not a file"), ("", "has 0 keys"), ("k 00", "line 1")])
async def test_without_a_file_of_keys_the_rng_does_not_start(tmp_path: Path, content: str | None, reason: str) -> None:
    """Missing or malformed: code 2, and a sentence that names the setting."""
    path = tmp_path / "seal-keys"
    if content is not None:
        path.write_text(content)
    said = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.rng"),
        env=_environ(path),
        stderr=asyncio.subprocess.PIPE,
    )
    _, error = await said.communicate()
    assert 2 == said.returncode
    assert "TAPIS_RNG_SEAL_KEYS_FILE" in error.decode()
    assert reason in error.decode()


def _environ(path: Path) -> dict[str, str]:
    root = str(Path(__file__).parents[2])
    free_port = {"TAPIS_HTTP_PORT": "0", "PYTHONPATH": root}
    return {"REDIS_URL": "redis://127.0.0.1:1", "TAPIS_RNG_SEAL_KEYS_FILE": str(path)} | free_port


async def started(scene: Scene) -> int:
    """Start the RNG again, wait until it does its work, and return its process id."""
    await scene.casino.children["rng"].start()
    await scene.all_ready()
    pid = scene.pid("rng")
    assert pid is not None
    return pid


async def proofs_of(scene: Scene, table: str) -> list[CoupProof]:
    """Return the coups of a table's first session, from its log alone."""
    proofs, found = Proofs(), list[CoupProof]()
    async for page in scene.log.load(PIT_NAME, f"{table}/1"):
        for raw in page:
            found += proofs.see(PIT.codec.decode_recorded(raw))
    return sorted([*found, *proofs.rest()], key=lambda one: one.coup)
