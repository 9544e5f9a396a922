"""The key of the seals is lost in the middle of any coup of any game, and the operator gives its seeds up.

A fifth game is covered by being a folder: nothing here names one.
"""

from collections import Counter
from random import Random

import pytest

from libs.draws.proof import CoupProof, Verdict, judge
from libs.games import GAMES
from libs.kernel.contracts.rng import SeedSealed
from libs.kernel.messages import tag_of
from libs.runtime.audit import audit
from libs.runtime.kinds import PIT as PIT_KIND
from libs.runtime.proofs import Proofs
from libs.runtime.seals import SealKeys
from libs.table.messages import DrawRequested
from tests.kit.guests import TABLE, Guests
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.openings import golden_facts
from tests.kit.stakes import every_stake_ends_once

TRIES = 60
"""How many coups are cut off at most until one of them wanted another draw."""


class Losing(SealKeys):
    """One key at a time, lost when a seed has been opened so many times: from then on another one seals and opens."""

    def __init__(self) -> None:
        self._number = 0
        self.left: int | None = None
        """How many times one more seed is opened; None: the key is safe."""
        self.lose()

    def lose(self) -> None:
        """Lose the key and make another."""
        self._number += 1
        self.left = None
        super().__init__({f"key-{self._number}": self._number.to_bytes(32, "big")})

    def open(self, sealed: SeedSealed) -> bytes | None:
        """Open a seed, unless its key is lost by now."""
        if self.left == 0:
            self.lose()
        elif self.left is not None:
            self.left -= 1
        return super().open(sealed)


def draws_of_a_coup(game: str) -> int:
    """Return the most draws that the RNG made for one coup in the golden sessions of a game."""
    most = 0
    for facts in golden_facts(game):
        made = Counter(fact["coup"] for fact in facts if fact.get("type") == tag_of(DrawRequested))
        most = max(most, *made.values(), 0)
    return most


@pytest.mark.parametrize("after", [0, 1, 2], ids=lambda after: f"after {after} draws")
@pytest.mark.parametrize("game", GAMES)
async def test_a_coup_whose_seed_is_lost_is_void(game: str, after: int) -> None:
    """Before its first draw or between two of them: every stake goes back, and so it is with the coup promised already.

    What was drawn in time stands. The next coup after that is played and proven with the new key; not a cent is made
    or lost, no stake ends twice, and the log says of each lost coup that nobody can show its draws.
    """
    house, keys = MemoryHouse((TABLE,)), Losing()
    house.seals.keys = keys
    guests = await Guests(await house.open(), game, Random(f"{game} {after}")).come()
    lost, wants_more = set[int](), draws_of_a_coup(game) > after
    for _ in range(TRIES):
        before, keys.left = guests.purses(), after
        await guests.play_coup()
        cut = result(guests) == ("voided", "draw.failed")
        assert before == guests.purses() if cut else result(guests)[0] == "settled"
        if keys.left is None:
            lost.add(guests.state.coup)
        else:
            keys.lose()
        lost.add(guests.state.coup + 1)
        before = guests.purses()
        await guests.play_coup()
        assert ("voided", "draw.failed", before) == (*result(guests), guests.purses())
        await guests.play_coup()
        assert "settled" == result(guests)[0]
        if cut or not wants_more:
            break
    assert wants_more == cut
    assert lost == await coups_by_verdict(house, "lost")
    assert set(range(1, guests.state.coup + 1)) - lost == await coups_by_verdict(house, "agrees")
    report = await audit(house.log)
    assert ((), 0, 0) == (report.faults, report.total, report.owed)
    await every_stake_ends_once(house.log, PIT)


async def coups_by_verdict(house: MemoryHouse, verdict: Verdict) -> set[int]:
    """Return the coups of the session of which anybody would say this, from the log alone."""
    proofs, found = Proofs(), list[CoupProof]()
    async for page in house.log.load(PIT, f"{TABLE}/1"):
        for raw in page:
            found += proofs.see(PIT_KIND.codec.decode_recorded(raw))
    return {proof.coup for proof in found if judge(proof).verdict == verdict}


def result(guests: Guests) -> tuple[str, str]:
    """Return what became of the last coup, and the code of it."""
    past = guests.state.history[0]
    return past.result, past.code
