"""The ordeal of a wallet: any number of random commands, and everything that can go wrong between two steps."""

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec

from libs.kernel import buckets
from libs.kernel.accounts import float_account
from libs.kernel.wallets import index_of, wallet_at
from libs.ledger import days
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerState, balance, seats_of
from libs.runtime.floor import load_floor
from libs.runtime.kinds import WALLET
from libs.runtime.loading import load_books
from tests.kit.ordeal.crowd import Crowd, Network
from tests.kit.ordeal.fleet import Fleet
from tests.kit.ordeal.outcome import Outcome, Plan
from tests.kit.ordeal.pit import PIT_NAME, Pit
from tests.kit.ordeal.shaky import FREEZES, Killed, Trouble
from tests.kit.ordeal.virtual_time import Clock, in_virtual_time
from tests.kit.ordeal.watched import WatchedLog
from tests.kit.ordeal.witness import Witness

ROOT = Path(__file__).parents[3]
BEGAN_MS = 1_767_225_600_000
"""New year 2026, in milliseconds since 1970."""

PARTS, PLAYERS, TABLES = 3, 24, 5
MOST_WAITING = 400
"""Commands on one inbox at which the crowd waits."""

HEARD_WITHIN_S = 300
"""How long an inbox may be too long, in seconds of the run."""

REST_WITHIN_S = 200
"""How long all may take to come to rest once nothing goes wrong any more, in seconds: debts are sent every two."""

HOURS_AT_ONCE = 8.0
"""By how much the date moves at once."""


def undergo(plan: Plan) -> Outcome:
    """Run it all; raises `AssertionError` at the first fault."""
    clock = Clock(BEGAN_MS)
    with (
        # Smaller pieces than in the house, so that much happens between them.
        patch.multiple(days, BRING_FORWARD_ENTRIES=32, BRING_FORWARD_PIECES=1),
        # Whatever is in hand at three deaths of its process is taken for their cause, and set aside. Here processes
        # die so often that the innocent would be.
        patch("libs.runtime.shard.PARK_AFTER_ATTEMPTS", plan.kills),
    ):
        return in_virtual_time(clock, Ordeal(plan, clock).run)


class Ordeal:
    """One run."""

    def __init__(self, plan: Plan, clock: Clock) -> None:
        self._plan, self._clock = plan, clock
        self._chance = Random(plan.seed)
        floor = load_floor(ROOT / "floor.toml")
        self._floor = msgspec.structs.replace(floor, site=msgspec.structs.replace(floor.site, wallets=PARTS))
        self._parts = [wallet_at(index, PARTS) for index in range(PARTS)]
        self._witness = Witness([part.shard for part in self._parts])
        self._log = WatchedLog(clock.server_ms, self._witness.see)
        self._trouble = Trouble(self._chance, plan.rarely)
        self._fleet = Fleet(self._log, self._floor, self._trouble)
        self._network = Network(self._log, self._chance)
        self._pit = Pit(self._log, TABLES, PARTS, self._chance, self._network.put)
        self._crowd = Crowd(clock, PLAYERS, list(self._pit.tables), PARTS, self._chance)

    async def run(self) -> Outcome:
        """Let it all happen, then let it all come to rest."""
        asyncio.get_running_loop().set_exception_handler(_pass_over_the_dead)
        running = asyncio.create_task(self._fleet.run())
        try:
            self._pit.open()
            await self._happen()
            await self._come_to_rest()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        await self._agree()
        return self._outcome()

    async def _happen(self) -> None:
        plan, chance = self._plan, self._chance
        due: Counter[str] = Counter()
        totals = {"kill": plan.kills, "freeze": plan.freezes, "stop": plan.stops, "move": plan.days * 3}
        while self._network.sent < plan.commands:
            for _ in range(chance.randint(1, 40)):
                self._say()
            await self._network.deliver(left_behind=chance.randint(0, 60))
            await self._pit.hear()
            for what, total in totals.items():
                while due[what] < total * self._network.sent / plan.commands:
                    due[what] += 1
                    self._befall(what)
            await asyncio.sleep(chance.uniform(0, 0.05))
            await self._until_heard()

    def _say(self) -> None:
        if self._chance.random() < 0.2:
            self._pit.act()
            return
        letter = self._crowd.wish()
        self._witness.waiting.add(letter.command_id)
        self._network.put(letter.part.shard, letter.raw)

    def _befall(self, what: str) -> None:
        match what:
            case "kill":
                self._trouble.arm()
            case "freeze":
                self._trouble.freezing[self._chance.choice(FREEZES)] += 1
            case "stop":
                self._fleet.stop_one()
            case _:
                self._clock.move(HOURS_AT_ONCE)

    async def _until_heard(self) -> None:
        """Wait until no inbox is too long."""
        give_up_s = self._clock.now_s + HEARD_WITHIN_S
        while max([await self._log.inbox_length(part.shard, "0-0") for part in self._parts]) > MOST_WAITING:
            self._check_sound()
            assert self._clock.now_s < give_up_s, "a part of the wallet handles nothing"
            await asyncio.sleep(0.05)
            await self._pit.hear()

    def _check_sound(self) -> None:
        """Raise what the witness objects to, or what has crashed."""
        for fault in self._log.faults:
            raise fault
        assert not self._fleet.defects, self._fleet.defects

    # -- the end ---------------------------------------------------------------------------------------------------
    async def _come_to_rest(self) -> None:
        """With nothing going wrong any more, wait until nobody owes anything to anybody."""
        self._trouble.over = True
        self._trouble.armed.clear()
        for _ in range(REST_WITHIN_S):
            await self._network.deliver()
            heard = await self._pit.hear()
            owed = sum(self._pit.say_owed(table) for table in self._pit.tables.values())
            await self._network.deliver()
            await asyncio.sleep(1.0)
            self._check_sound()
            waiting = sum([await self._log.inbox_length(shard, "0-0") for shard in self._shards()])
            if not (heard or owed or waiting) and not await self._in_the_ledger():
                return
        raise AssertionError(f"no rest after {REST_WITHIN_S} s: {self._witness.on_the_way} transfers between parts")

    def _shards(self) -> list[str]:
        return [*(part.shard for part in self._parts), PIT_NAME]

    async def _states(self) -> list[LedgerState]:
        found = []
        for part in self._parts:
            heads = await self._log.heads(part.shard)
            books = await load_books(self._log, part.shard, WALLET.decider, WALLET.codec, heads)
            found.append(books[part.book].state)
        return found

    async def _in_the_ledger(self) -> bool:
        """Tell whether a part of the wallet still owes or awaits something of others."""
        return any(DECIDER.react(state) or state.bringing for state in await self._states())

    async def _agree(self) -> None:
        """The fold of each log, the witness's arithmetic and the tables agree to the cent; everybody has an answer."""
        states = await self._states()
        for part, state in zip(self._parts, states, strict=True):
            kept = {account: cents for account, cents in buckets.items(state.balances) if cents}
            seen = {account: cents for account, cents in self._witness.accounts[part.shard].items() if cents}
            assert kept == seen, f"{part.shard}: the ledger and the witness differ"
        for name, table in self._pit.tables.items():
            home, float_of_it = states[index_of(name, PARTS)], float_account(name)
            assert {seat: cents for seat, cents in table.meters.items() if cents} == seats_of(home, name)
            # What a float credit holds has left the ledger's float, and is still on the table.
            legs = [leg for request in home.requests.values() for leg in request.pended.legs]
            held = -sum(min(leg.amount, 0) for leg in legs if leg.account == float_of_it)
            assert table.bank == balance(home, float_of_it) + held, f"the float of {name}"
        assert not self._witness.on_the_way, "money is on its way for ever"
        assert not self._witness.waiting, f"no answer to {sorted(self._witness.waiting)[:5]}"

    def _outcome(self) -> Outcome:
        return Outcome(
            commands=self._network.sent,
            doubled=self._network.doubled,
            events=self._witness.events,
            effects=self._witness.effects,
            repeats=self._witness.repeats,
            days=len(self._witness.days),
            processes=self._fleet.starts,
            kills=dict(sorted(self._trouble.kills.items())),
            met=dict(sorted(self._trouble.met.items())),
            appends=dict(sorted(self._log.results.items())),
            kinds=dict(sorted(self._witness.kinds.items())),
            refusals=dict(sorted(self._witness.refusals.items())),
            accounts=self._witness.accounts,
        )


def _pass_over_the_dead(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say nothing of what dead processes leave undone."""
    if not isinstance(context.get("exception"), Killed):
        loop.default_exception_handler(context)
