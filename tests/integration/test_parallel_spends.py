"""A hundred who spend one balance at the same time, on a real server, through the wallet's own loop."""

import asyncio
from collections import Counter
from functools import partial

import pytest

from libs.eventlog import keys
from libs.eventlog.chain import verify_stream
from libs.eventlog.redis_log import RedisLog
from libs.kernel.accounts import PENDING_BUY_IN, player_account
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet import BuyIn, Deposit, Withdraw
from libs.kernel.days import day_of
from libs.kernel.envelope import Answer
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.kernel.messages import Command
from libs.ledger.state import LedgerState, balance, imbalance
from libs.runtime.kinds import WALLET
from libs.runtime.loading import load_books
from libs.runtime.owner import Owner
from services.wallet.__main__ import plans
from tests.kit.owners import toy_settings
from tests.kit.shard_run import feed_of, wish
from tests.kit.waiting import until

pytestmark = pytest.mark.redis

PLAYER, CASHIER = Actor("player-1", "player"), Actor("cashier-1", "cashier")
SPENDS, CENTS, AFFORDED = 100, 700, 30
"""How many spend, how much each, and for how many of them there is money."""


async def send(log: RedisLog, command_id: str, by: Actor, command: Command) -> None:
    """Put one command on the wallet's inbox, from a place of its own."""
    await log.send([(WALLET_SHARD, wish(command, LEDGER, command_id, by=by))])


def spend(number: int) -> tuple[Actor, Command]:
    """Return a spend of the one balance: at a table, or at the cage."""
    if number % 2:
        return CASHIER, Withdraw(player=PLAYER.id, amount=CENTS)
    return PLAYER, BuyIn(pit="pit-1", table="T1", seat=1, amount=CENTS)


@pytest.mark.parametrize("copies", [1, 5], ids=["each once", "each five times at once"])
async def test_a_hundred_parallel_spends_never_overspend(
    redis_url: str, site: str, redis_log: RedisLog, copies: int
) -> None:
    """As many as there is money for are granted, all others refused; copies of a spend get its one answer."""
    today = day_of(await redis_log.now_ms())
    owner = Owner(redis_log, toy_settings(redis_url, site), "wallet", WALLET, plans(None), partial(keys.inbox, site))
    running = asyncio.create_task(owner.run())
    try:
        money = CENTS * AFFORDED + CENTS - 1
        await send(redis_log, f"{CASHIER.id}:{today}/money", CASHIER, Deposit(player=PLAYER.id, amount=money))
        spends = {f"{by.id}:{today}/{number}": (by, what) for number in range(SPENDS) for by, what in [spend(number)]}
        crowd = [send(redis_log, command_id, *spends[command_id]) for command_id in spends for _ in range(copies)]
        await asyncio.gather(*crowd)
        answers = await answers_to(redis_log, {*spends}, SPENDS * copies)
    finally:
        owner.stop()
        await asyncio.wait_for(running, 30)
    for command_id, given in answers.items():
        assert copies == len(given)
        assert 1 == len({(a.digest, a.refusal and a.refusal.code) for a in given}), command_id
    refused = Counter(given[0].refusal.code if given[0].refusal else "" for given in answers.values())
    assert {"": AFFORDED, "account.insufficient": SPENDS - AFFORDED} == refused
    state = await ledger_of(redis_log)
    assert CENTS - 1 == balance(state, player_account(PLAYER.id))
    bought = sum(isinstance(what, BuyIn) and not answers[key][0].refusal for key, (_, what) in spends.items())
    assert bought * CENTS == balance(state, PENDING_BUY_IN)
    assert 0 == imbalance(state)


async def answers_to(log: RedisLog, ids: set[str], count: int) -> dict[str, list[Answer]]:
    """Wait for so many answers to these commands; return them by command."""
    found: dict[str, list[Answer]] = {}

    async def all_there() -> bool:
        found.clear()
        for entry in await feed_of(log, WALLET_SHARD):
            if entry.answer and entry.answer.id in ids:
                found.setdefault(entry.answer.id, []).append(entry.answer)
        return sum(len(given) for given in found.values()) >= count

    await until(all_there, why="not all have an answer")
    return found


async def ledger_of(log: RedisLog) -> LedgerState:
    """Return the ledger as its log makes it, after a look at the chain."""
    heads = await log.heads(WALLET_SHARD)
    for stream in heads:
        await verify_stream(log, WALLET_SHARD, stream)
    books = await load_books(log, WALLET_SHARD, WALLET.decider, WALLET.codec, heads)
    state: LedgerState = books[LEDGER].state
    return state
