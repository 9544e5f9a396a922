"""The wallet is killed while a gaming day is closed and the next is opened: no cent and no wish is lost or doubled."""

import asyncio
from collections.abc import AsyncIterator
from datetime import date, timedelta
from uuid import uuid4

import msgspec
import pytest
import pytest_asyncio

from libs.kernel.accounts import player_account
from libs.kernel.contracts.wallet import Deposit
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.ledger.state import balance
from libs.runtime.kinds import WALLET
from libs.runtime.loading import load_books
from tests.kit.aftermath import books_agree, come_to_rest
from tests.kit.casino import plan_in, running
from tests.kit.play import TableParty
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure, pytest.mark.asyncio(loop_scope="module")]

PLAYERS = [f"player-{number}" for number in range(1, 9)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def party(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TableParty]:
    """An open table, in a casino where nobody else plays, and whose gaming day began at least one date ago."""
    plan = plan_in(tmp_path_factory.mktemp("casino"), f"site-{uuid4().hex[:12]}", redis_url=redis_url, bots=False)
    floor = plan.floor.read_text(encoding="utf-8")
    late = (("Europe/Paris", "Etc/GMT+12"), ('cutoff = "06:00"', 'cutoff = "23:59"'))
    for before, after in late:
        assert before in floor
        floor = floor.replace(before, after)
    plan.floor.write_text(floor, encoding="utf-8")
    async with running(plan) as scene:
        party = TableParty(scene)
        await party.open()
        yield party


@pytest.mark.parametrize("seat", [1, 2])
async def test_a_day_is_opened_once_though_the_wallet_dies(party: TableParty, seat: int) -> None:
    """The day, deposits and a buy-in are asked all at once, and again until answered, while the wallet is killed."""
    scene = party.scene
    player = f"player-{seat}"
    await party.sit_down(player, seat, 20_000)
    before = {name: balance(scene.ledger, player_account(name)) for name in PLAYERS}
    # These tests come in any order: the next day is that after the ledger's, which the wallet opens at its start.
    await until(lambda: bool(scene.ledger.day) and scene.ledger.bringing is None)
    day = (date.fromisoformat(scene.ledger.day) + timedelta(days=1)).isoformat()
    wallet, door = scene.casino.children["wallet"], scene.door

    def ask(who: str, role: str, command: object) -> asyncio.Task[tuple[int, dict[str, object]]]:
        return asyncio.create_task(scene.insist(who, role, "wallet", door.next_id(), command))  # type: ignore[arg-type]

    asked = [ask("committee-1", "committee_member", OpenGamingDay(day=day))]
    asked += [ask("cashier-1", "cashier", Deposit(player=name, amount=1_000)) for name in PLAYERS]
    if seat > 1:
        # Killed as soon as the first has been answered; the other time, before any may have been.
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    await wallet.kill()
    asked += [ask("cashier-2", "cashier", Deposit(player=name, amount=100)) for name in PLAYERS]
    await wallet.start()
    answers = await asyncio.gather(*asked)
    assert [200] * len(asked) == [status for status, _ in answers], answers
    await until(lambda: scene.ledger.day == day and scene.ledger.bringing is None)
    await come_to_rest(scene)
    for name in PLAYERS:
        assert before[name] + 1_100 == balance(scene.ledger, player_account(name))
    await books_agree(scene)
    heads = await scene.log.heads(WALLET_SHARD)
    loaded = await load_books(scene.log, WALLET_SHARD, WALLET.decider, WALLET.codec, heads)
    assert msgspec.json.encode(loaded[LEDGER].state) == msgspec.json.encode(scene.ledger)
