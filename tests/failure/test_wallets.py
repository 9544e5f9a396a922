"""A wallet of three parts is killed again and again while people buy chips and take them home."""

from pathlib import Path
from uuid import uuid4

import pytest

from libs.eventlog.api import EventLogError
from libs.kernel.wallets import wallet_at
from libs.ledger.state import LedgerState, imbalance
from libs.runtime.audit import audit
from libs.runtime.kinds import WALLET
from libs.runtime.loading import load_books
from tests.kit.casino import plan_in, running
from tests.kit.scene import Scene
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure]

PARTS, KILLS = 3, 5


async def test_no_cent_is_lost_between_the_parts(redis_url: str, tmp_path: Path) -> None:
    """Whatever was on its way when a kill came arrives once: each part sums to zero, nothing stays in transit."""
    plan = plan_in(tmp_path / "casino", f"site-{uuid4().hex[:12]}", redis_url=redis_url)
    floor = plan.floor.read_text(encoding="utf-8")
    plan.floor.write_text(floor.replace("\ncutoff", f"\nwallets = {PARTS}\ncutoff"), encoding="utf-8")
    async with running(plan) as scene:
        wallet = scene.casino.children["wallet"]
        for number in range(1, KILLS + 1):
            settled = scene.settled.total()
            await until(lambda settled=settled: scene.settled.total() > settled + 2)  # type: ignore[misc]
            await wallet.kill()
            await wallet.start()
            scene.diary.note(f"kill {number} of the wallet")
        await scene.stop_bots()
        await until(lambda: at_rest(scene))
        report = await audit(scene.log)
        assert ((), 0, 0) == (report.faults, report.total, report.owed)
        states = await parts_of(scene)
        assert [0] * PARTS == [imbalance(state) for state in states]
        assert sum(channel.received for state in states for channel in state.channels.values()) > 0, "nothing crossed"
        for part in (wallet_at(index, PARTS) for index in range(PARTS)):
            assert () == await scene.log.read_parked(part.shard, "0-0", 10)


async def parts_of(scene: Scene) -> list[LedgerState]:
    """Return the ledgers as their logs make them now."""
    found = []
    for part in (wallet_at(index, PARTS) for index in range(PARTS)):
        heads = await scene.log.heads(part.shard)
        books = await load_books(scene.log, part.shard, WALLET.decider, WALLET.codec, heads)
        found.append(books[part.book].state)
    return found


async def at_rest(scene: Scene) -> bool:
    """Tell whether nobody waits for anybody any more."""
    try:
        states, report = await parts_of(scene), await audit(scene.log)
    except EventLogError:
        return False  # a part has written between the look at its head and the end of its log
    waits = any(state.pending or any(c.open for c in state.channels.values()) for state in states)
    return not waits and report.owed == 0
