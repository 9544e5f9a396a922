"""The wallet is killed and stays away: tables play on, and all money arrives when it is back."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from libs.kernel.accounts import player_account
from libs.kernel.contracts.table import SeatCredited
from libs.kernel.contracts.wallet import BuyIn
from libs.kernel.contracts.wallet_limits import ExcludeSelf
from libs.kernel.ids import WALLET_SHARD
from libs.ledger.state import balance, seats_of
from libs.table.messages import CashOut, LeaveSeat, PlaceWager, TakeSeat
from tests.kit.aftermath import books_agree, come_to_rest
from tests.kit.play import TableParty
from tests.kit.scene import ORCHESTRATORS, PIT_NAME, Scene
from tests.kit.waiting import until

pytestmark = [pytest.mark.redis, pytest.mark.failure, pytest.mark.asyncio(loop_scope="module")]

COUPS = 5


async def test_wagers_never_wait_for_the_wallet(party: TableParty) -> None:
    """While the wallet is away coups are played and paid; then every posting arrives and balances agree."""
    scene = party.scene
    await party.sit_down("player-1", 1, 20_000)
    await come_to_rest(scene)
    played, before = (await books_agree(scene)).coups, seats_of(scene.ledger, party.name)
    wallet = scene.casino.children["wallet"]
    await wallet.kill()
    for _ in range(COUPS):
        coup = await party.open_betting()
        await party.wager("player-1", "2", 700)
        await party.wager("player-1", "48", 100)
        await party.close_betting()
        await party.launch()
        await party.settled(coup)
    await party.player("player-1", CashOut(amount=1_000))
    await until(lambda: len(scene.table(party.name).owed) == COUPS + 1)
    assert before == seats_of(scene.ledger, party.name), "nobody has posted anything"
    await wallet.start()
    await come_to_rest(scene)
    report = await books_agree(scene)
    assert played + COUPS == report.coups
    assert party.credit("player-1") == seats_of(scene.ledger, party.name)[1]
    assert 1_000 == balance(scene.ledger, player_account("player-1"))


async def test_a_buy_in_that_waits_while_the_wallet_dies_is_posted_once(party: TableParty) -> None:
    """The table credits the seat while the wallet is dead: it learns of it afterwards, and posts the buy-in once."""
    scene = party.scene
    await party.sit_down("player-2", 2, 20_000)
    await party.deposit("player-2", 9_000)
    await come_to_rest(scene)
    wallet = scene.casino.children["wallet"]
    with frozen(scene):
        await party.buy_in("player-2", 2, 5_000)
        # Pended, and the table's order to credit the seat is on its way: only now may the wallet die.
        await until(lambda: waits_for(scene, PIT_NAME))
        await until(lambda: len(scene.ledger.pending) == 1)
        await wallet.kill()
    await until(lambda: party.credit("player-2") == 25_000)
    assert 1 == len(scene.ledger.pending), "the wallet does not know yet"
    await wallet.start()
    await come_to_rest(scene)
    await books_agree(scene)
    assert 1 == sum(isinstance(e, SeatCredited) and e.amount == 5_000 for e in party.told())
    assert 4_000 == balance(scene.ledger, player_account("player-2"))


async def test_a_buy_in_asked_while_the_wallet_is_away_is_done_once(party: TableParty) -> None:
    """The player asks again and again with one command id, as no answer comes; the wallet does it once."""
    scene = party.scene
    await party.sit_down("player-3", 3, 20_000)
    await party.deposit("player-3", 9_000)
    wallet = scene.casino.children["wallet"]
    await wallet.kill()
    wish = BuyIn(pit=PIT_NAME, table=party.name, seat=3, amount=3_000)
    chips = scene.door.next_id()
    asked = [asyncio.create_task(scene.insist("player-3", "player", "wallet", chips, wish)) for _ in range(5)]
    await until(lambda: waits_for(scene, WALLET_SHARD))
    await wallet.start()
    answers = await asyncio.gather(*asked)
    assert 1 == len({repr(answer) for answer in answers})
    assert (200, True) == (answers[0][0], answers[0][1]["accepted"])
    await come_to_rest(scene)
    await books_agree(scene)
    assert 23_000 == party.credit("player-3")
    assert 6_000 == balance(scene.ledger, player_account("player-3"))


async def test_an_exclusion_counts_at_the_next_wager_though_the_wallet_died(party: TableParty) -> None:
    """Seated in a coup: the table hears of it when both are back, pays what lies there and takes no more."""
    scene = party.scene
    await party.sit_down("player-4", 4, 20_000)
    coup = await party.open_betting()
    await party.wager("player-4", "2", 1_000)
    await until(lambda: scene.ledger.day != "", why="no gaming day opened, and an exclusion needs one")
    wallet = scene.casino.children["wallet"]
    with frozen(scene):
        answer = await scene.speaker("player-4", "player").tell_wallet(ExcludeSelf(player="player-4"))
        assert answer.accepted, answer.refusal
        await until(lambda: bool(scene.ledger.untold))
        await wallet.kill()
    await wallet.start()
    await until(lambda: not scene.ledger.untold)
    refused = await scene.speaker("player-4", "player").tell(party.name, PlaceWager(spot="4", amount=100))
    assert refused.refusal is not None
    assert "exclusion.self" == refused.refusal.code
    await party.close_betting()
    await party.launch()
    await party.settled(coup)
    await party.player("player-4", LeaveSeat())
    seated = await scene.speaker("player-4", "player").tell(party.name, TakeSeat(seat=4))
    assert seated.refusal is not None
    assert "exclusion.self" == seated.refusal.code
    await come_to_rest(scene)
    await books_agree(scene)


async def waits_for(scene: Scene, shard: str) -> bool:
    """Tell whether commands wait on the inbox of a shard."""
    return any(facts.shard == shard and facts.waiting for facts in await scene.inspector.shards())


@contextmanager
def frozen(scene: Scene) -> Iterator[None]:
    """Pause both orchestrators while the block runs; also a test that fails in it leaves them running for the next."""
    for name in ORCHESTRATORS:
        scene.signal(name, signal.SIGSTOP)
    try:
        yield
    finally:
        for name in ORCHESTRATORS:
            scene.signal(name, signal.SIGCONT)
