"""What waits for a table is never given up by guess: only the table knows, and whoever runs its pit lets it say so."""

import pytest

from libs.eventlog.memory import MemoryLog
from libs.kernel.accounts import PENDING_BUY_IN, PENDING_REQUEST, player_account, seat_account
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet import BuyIn, Deposit
from libs.kernel.contracts.wallet_requests import ApproveRequest, DeclineRequest, RequestFill
from libs.kernel.days import DAY_MS
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.kernel.messages import Command
from libs.ledger.state import LedgerState, balance
from libs.runtime.audit import audit
from libs.runtime.kinds import PIT as PIT_KIND
from libs.runtime.kinds import WALLET
from libs.table.messages import CheckEquipment, CloseSession
from tests.kit.book import NOW_MS, TODAY
from tests.kit.given import CASHIER, COMMITTEE, CROUPIER, TECHNICIAN, opening, player
from tests.kit.memory_house import PIT
from tests.kit.shard_run import ShardRun, open_run, wish

FILL = f"{CROUPIER.id}:{TODAY}/fill"
WAITING = {PENDING_BUY_IN: 2_000, PENDING_REQUEST: 50_000, player_account("player-1"): 8_000, "house:bank": -50_000}
OVER = {PENDING_BUY_IN: 0, PENDING_REQUEST: 0, player_account("player-1"): 10_000, "house:bank": 0}


async def pit(log: MemoryLog, *tables: str) -> ShardRun:
    """Return the pit as a process that takes over has it, with these tables on its floor."""
    return await open_run(log, kind=PIT_KIND, name=PIT, known=tables, clock_ms=lambda: NOW_MS)


async def told(wallet: ShardRun, by: Actor, command_id: str, command: Command) -> str:
    """Return the code of the wallet's answer."""
    await wallet.say(wish(command, LEDGER, f"{by.id}:{TODAY}/{command_id}", by=by))
    (answer,) = (one for one in await wallet.answers() if one.id == f"{by.id}:{TODAY}/{command_id}")
    return answer.refusal.code if answer.refusal else ""


def balances(wallet: ShardRun) -> dict[str, int]:
    """Return what the accounts have that a wish for the table may move."""
    return {account: balance(wallet.state(LEDGER), account) for account in WAITING}


@pytest.mark.parametrize("there_were_sessions", [True, False])
@pytest.mark.parametrize("floor", [("T1",), ()])
async def test_a_table_without_a_session_ends_what_waits_for_it(
    floor: tuple[str, ...], *, there_were_sessions: bool
) -> None:
    """However long its pit was away: closed for good, never opened, or taken from the floor, it refuses at once.

    Until then nobody can end it: the request is approved, and a buy-in has no other end than the table's word.
    """
    log, now_ms = MemoryLog(), [NOW_MS]
    wallet = await open_run(log, kind=WALLET, name=WALLET_SHARD, known={LEDGER}, clock_ms=lambda: now_ms[0])
    if there_were_sessions:
        before = await pit(log, "T1")
        await before.say(wish(CheckEquipment(), "T1", by=TECHNICIAN), wish(opening(), "T1", by=COMMITTEE))
        await before.say(wish(CloseSession(), "T1", by=COMMITTEE))
        await wallet.take()
        await before.take()
        assert {} == before.state("T1").owed
    assert "" == await told(wallet, CASHIER, "1", Deposit(player="player-1", amount=10_000))
    assert "" == await told(wallet, player(), "1", BuyIn(pit=PIT, table="T1", seat=1, amount=2_000))
    assert "" == await told(wallet, CROUPIER, "fill", RequestFill(pit=PIT, table="T1", amount=50_000, reason="winners"))
    assert "" == await told(wallet, CASHIER, "yes", ApproveRequest(request=FILL))
    now_ms[0] += 7 * DAY_MS
    assert "request.ended" == await told(wallet, COMMITTEE, "no", DeclineRequest(request=FILL, reason="too late"))
    assert WAITING == balances(wallet)
    after = await pit(log, *floor)
    await after.take()
    await wallet.take()
    state: LedgerState = wallet.state(LEDGER)
    assert ({}, {}, OVER) == (state.pending, state.requests, balances(wallet))
    assert 0 == balance(state, seat_account("T1", 1))
    assert () == (await audit(log)).faults
