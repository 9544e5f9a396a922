"""Ids against a plain list of what was told: repeated, forgotten or taken over, nothing is done twice."""

import asyncio
from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from libs.eventlog.memory import MemoryLog
from libs.kernel.actors import Actor
from libs.kernel.days import moment
from libs.kernel.limits import COMMAND_AHEAD_MS, COMMAND_LATE_MS
from libs.runtime.answers import Answers
from tests.kit.shard_run import SHARD, open_run, wish
from tests.kit.toy import Add

BEGAN_MS = 1_790_000_000_000
STEP_MS = COMMAND_AHEAD_MS // 2
"""Ids and clocks move by this, so that many moments are equal, and many lie at the edge of what is taken."""

WORDS = 80
"""Things that happen in one story."""


class Model:
    """A toy shard that is owned by one process after the other, and all that was ever told of each id."""

    def __init__(self, chance: Random) -> None:
        self._chance, self._window = chance, chance.randint(1, 4)
        self.now_ms, self._wishes = BEGAN_MS, list[tuple[str, int]]()
        self._log = MemoryLog(lambda: self.now_ms, feed_entries=chance.choice([2, 5, 1_000]))
        self.told: dict[str, list[tuple[str, str]]] = {}
        """By id: the digest of each wish and the code of its refusal, empty when it was granted."""
        self._read = "0-0"

    async def play(self) -> None:
        """Let anything happen, and look at everything whenever something was handled."""
        await self._take_over()
        kinds = [self._wish, self._repeat, self._make_noise, self._pass_time, self._take_over]
        for happens in self._chance.choices(kinds, [8, 8, 2, 3, 2], k=WORDS):
            await happens()
            if self._chance.random() < 0.85:
                await self._run.take()
                await self._look()

    async def _wish(self) -> None:
        """Wish something (what is negative is refused) under an id that was made a while ago, or seems to be."""
        made_ms = self.now_ms + self._chance.choice([-4, -2, -1, 0, 0, 0, 1, 2, 3]) * STEP_MS
        self._wishes.append((f"p:{moment(made_ms)}/{self._chance.randint(0, 1)}", self._chance.choice([-1, 1, 1, 2])))
        await self._send(*self._wishes[-1])

    async def _repeat(self) -> None:
        if self._wishes:
            await self._send(*self._chance.choice(self._wishes[-12:]))

    async def _make_noise(self) -> None:
        await self._log.send([(SHARD, wish(Add(amount=0))) for _ in range(self._chance.randint(1, 4))])

    async def _pass_time(self) -> None:
        self.now_ms += self._chance.choice([1, 1, 1, 2, -3, COMMAND_LATE_MS // STEP_MS + 1]) * STEP_MS

    async def _take_over(self) -> None:
        """Own the shard, seldom with a memory of another size."""
        if self._chance.random() < 0.2:
            self._window = self._chance.randint(1, 4)
        self._run = await open_run(self._log, answers=Answers(self._window))

    async def _send(self, command_id: str, amount: int) -> None:
        await self._log.send([(SHARD, wish(Add(amount=amount), command_id=command_id, by=Actor("p", "player")))])

    async def _look(self) -> None:
        assert self._run.failure is None
        for entry, fed in zip(await self._log.feed_tail(SHARD, 1_000), await self._run.feed(), strict=True):
            if _order(entry[0]) > _order(self._read) and fed.answer is not None and fed.answer.id.startswith("p:"):
                refusal = fed.answer.refusal
                word = fed.answer.digest, refusal.code if refusal else ""
                self.told.setdefault(fed.answer.id, []).append(word)
            self._read = max(self._read, entry[0], key=_order)
        done = Counter(record.cause for record in await self._run.stream("a/1") if record.digest)
        assert {1} >= set(done.values()), done

    def check(self) -> None:
        """Whatever an id was told at first, it is told again, or that it is too old; told that at first, for ever."""
        for command_id in self.told:
            said = [(digest, code) for digest, code in self.told[command_id] if code != "command.ahead"]
            firm = {(digest, code) for digest, code in said if code != "command.too_old"}
            assert len({digest for digest, _ in firm}) == len(firm), (command_id, said)
            assert 1 >= [code for _, code in firm].count(""), (command_id, said)
            if said and said[0][1] == "command.too_old":
                assert not firm, (command_id, said)


def _order(entry: str) -> tuple[int, int]:
    time, _, number = entry.partition("-")
    return int(time), int(number)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32))
def test_no_id_is_done_twice(seed: int) -> None:
    """Repeats, other content, clocks set back, owners of any memory, trimmed feeds: one effect, one word about it."""
    model = Model(Random(seed))
    asyncio.run(model.play())
    model.check()
