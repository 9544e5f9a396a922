"""Kill the processes of a casino at random moments, while its bots play on."""

import asyncio
import os
import random
import signal
from collections import Counter
from dataclasses import dataclass, field

from tests.kit.scene import ORCHESTRATORS, SERVICES, Scene
from tests.kit.waiting import until

OWNER, OTHER = "the owner", "the other orchestrator"
VICTIMS = (OWNER, OWNER, OTHER, "wallet", "rng", "display", "gateway")
"""Whom a kill meets, the owner of the pit twice as often as anybody else."""


def chance_of(scene: Scene) -> random.Random:
    """Return the chance of this run, of the seed in `TAPIS_TEST_SEED` or a new one, which the diary keeps."""
    seed = int(os.environ.get("TAPIS_TEST_SEED") or random.SystemRandom().randrange(10**9))
    scene.diary.note(f"TAPIS_TEST_SEED={seed}")
    return random.Random(seed)


@dataclass
class Chaos:
    """Kills at moments and victims that a seed decides."""

    scene: Scene
    chance: random.Random
    kills: Counter[str] = field(default_factory=Counter)
    """How often each was killed: by the words of `VICTIMS`."""
    pauses: int = 0
    _deck: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Kills so far."""
        return self.kills.total()

    async def round(self) -> None:
        """Kill a few processes at random moments; then play must go on at every table."""
        for _ in range(self.chance.choice((1, 2, 3, 4, 5))):
            await asyncio.sleep(self.chance.uniform(0, 0.7))
            await self._kill(self._next_victim())
        await self.scene.until_settled(1)

    async def pause_owner(self, seconds: float) -> None:
        """Stop the owner in its tracks for longer than its lease, then let it run on: it must notice."""
        owner = await self.scene.owner_other_than("")
        pid = self.scene.signal(owner, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
            await self.scene.owner_other_than(owner)
            await self.scene.until_settled(1)
        finally:
            # Not by its name: it may have been given up meanwhile, and another process bear the name.
            if pid is not None and self.scene.pid(owner) == pid:
                self.scene.signal(owner, signal.SIGCONT)
        self.pauses += 1
        await self.scene.until_settled(1)

    def _next_victim(self) -> str:
        """Draw from a shuffled deck, so that everybody's turn comes."""
        if not self._deck:
            self._deck = self.chance.sample(VICTIMS, len(VICTIMS))
        return self._deck.pop()

    async def _kill(self, victim: str) -> None:
        name = victim if victim in SERVICES else await self._orchestrator(victim)
        pid = self.scene.signal(name)
        if pid is not None:
            self.kills[victim] += 1
            # Until its death is noticed it could be killed, and counted, once more.
            await until(lambda: self.scene.pid(name) != pid, why=f"nobody notices the death of {name}")

    async def _orchestrator(self, victim: str) -> str:
        owner = await self.scene.owner()
        if victim == OWNER:
            return owner or self.chance.choice(ORCHESTRATORS)
        return next(name for name in ORCHESTRATORS if name != owner)
