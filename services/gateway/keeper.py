"""Keeps the keys of persons in order: destroys those of the forgotten, and locks all with the newest key of the file.

What is to be destroyed stands in the register's state until it is confirmed there, so it is done whichever door was
killed, and by whichever door comes first. All of it is harmless when two do it.
"""

import asyncio
import time
from collections import Counter
from contextlib import suppress

import msgspec

from libs.eventlog.api import EventLog, EventLogError
from libs.eventlog.chain import decode_record
from libs.kernel.actors import SYSTEM
from libs.kernel.contracts.persons import ConfirmKeyDestroyed, PersonCorrected, PersonRegistered
from libs.kernel.envelope import CommandEnvelope
from libs.kernel.ids import PERSONS, PERSONS_SHARD, shred_id
from libs.persons.state import PersonsState, initial, person
from libs.runtime import metrics
from libs.runtime.follower import Follower
from libs.runtime.kinds import PERSONS as KIND
from libs.runtime.logs import log as logger
from libs.runtime.persons.vault import CannotOpen
from services.gateway.register import Lockup

LOOK_EVERY_S = 0.5
"""How often the register is asked for keys that must be destroyed, in seconds."""

CONFIRM_AGAIN_AFTER_S = 2.0

SWEEP_EVERY_S = 600.0
"""How often all keys are gone through, in seconds."""


class Keeper:
    """Reads sealed data for the register at the door, and looks after the keys. `run` goes on until it is cancelled."""

    def __init__(self, log: EventLog, register: Follower[PersonsState], lockup: Lockup | None) -> None:
        self._log, self._register, self._lockup = log, register, lockup
        self._confirmed: dict[str, float] = {}

    @property
    def state(self) -> PersonsState:
        """The register as far as this door has followed it."""
        return self._register.states.get(PERSONS) or initial(PERSONS)

    async def sealed(self, player: str) -> bytes | None:
        """Return a person's sealed data as they were logged last; None for whoever is unknown or forgotten."""
        there = person(self.state, player)
        if there is None or there.forgotten:
            return None
        stream, _ = self._register.versions[PERSONS]
        async for page in self._log.load(PERSONS_SHARD, stream, there.version - 1):
            event = KIND.codec.decode_event(bytes(decode_record(page[0]).body))
            assert isinstance(event, PersonRegistered | PersonCorrected), "the state says where the sealed data are"
            return event.sealed
        return None

    async def run(self) -> None:
        """Look after the keys until cancelled; while the store is away, later."""
        if self._lockup is None:
            return
        swept_s = -SWEEP_EVERY_S
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if not self._register.caught_up:
                continue
            with suppress(EventLogError):
                await self.destroy_forgotten(self._lockup)
                if time.monotonic() - swept_s >= SWEEP_EVERY_S:
                    await self.sweep(self._lockup)
                    swept_s = time.monotonic()

    async def destroy_forgotten(self, lockup: Lockup) -> None:
        """Destroy the keys that the register says must go, and tell it so; raises `EventLogError`."""
        now_s, due = time.monotonic(), self.state.destroying
        self._confirmed = {player: at_s for player, at_s in self._confirmed.items() if player in due}
        for player in due:
            if now_s - self._confirmed.get(player, -CONFIRM_AGAIN_AFTER_S) < CONFIRM_AGAIN_AFTER_S:
                continue
            await lockup.store.destroy(player)
            body = msgspec.Raw(msgspec.json.encode(ConfirmKeyDestroyed(player=player)))
            envelope = CommandEnvelope(shred_id(player), PERSONS, SYSTEM, body)
            await self._log.send([(PERSONS_SHARD, msgspec.json.encode(envelope))])
            self._confirmed[player] = now_s

    async def sweep(self, lockup: Lockup) -> None:
        """Go through all keys: lock them with the newest key of the file, count them; raises `EventLogError`.

        A key of somebody who is forgotten can only have come back with an old backup of the store: it goes again.
        """
        counts: Counter[str] = Counter()
        async for player, locked in lockup.store.every():
            there = person(self.state, player)
            if there is not None and there.forgotten:
                await lockup.store.destroy(player)
            else:
                counts[await _renewed(lockup, player, locked)] += 1
        for lock in ("newest", "older", "missing"):
            metrics.labelled(metrics.person_keys, lock).set(counts[lock])
        if counts["missing"]:
            logger().error("keys of persons cannot be opened with the file of keys", count=counts["missing"])


async def _renewed(lockup: Lockup, player: str, locked: str) -> str:
    """Lock a key with the newest key of the file if it is not; return what it is locked with now."""
    vault = lockup.vault
    name = vault.locked_with(locked)
    if name == vault.newest:
        return "newest"
    try:
        done = await lockup.store.replace(player, locked, vault.lock_anew(player, locked))
    except CannotOpen:
        return "missing"
    return "newest" if done else "older"
