"""What the display tells of the draws of a coup: what is public, and no more; read once from the log."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import msgspec
import pytest

from libs.draws.proof import CoupProof, judge
from libs.eventlog.api import LogBroken
from libs.kernel.limits import PROOF_READERS, PROOF_SESSIONS, PROOFS_LISTED
from libs.runtime.kinds import PIT as PIT_KIND
from libs.runtime.proofshelf import ProofShelf, ShelfBusy
from services.display.app import Site, display_app
from services.display.boards import Show
from services.display.hub import Hub
from services.display.proofs import Listed
from tests.kit.boards import BETTING, CannedHouse
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.tampering import lively_house, records_of


class CountingLog:
    """A log that counts the events that are read from it."""

    def __init__(self, house: MemoryHouse) -> None:
        self._log, self.read = house.log, 0

    async def load(self, shard: str, stream: str, after: int = 0) -> AsyncIterator[tuple[bytes, ...]]:
        """As `EventLog` says."""
        async for page in self._log.load(shard, stream, after):
            self.read += len(page)
            yield page


def shelf_of(house: MemoryHouse) -> tuple[ProofShelf, CountingLog]:
    log: Any = CountingLog(house)
    return ProofShelf(log, PIT_KIND.codec), log


async def test_a_log_is_read_once() -> None:
    """Looked at again, a session costs what has happened since; the coups are those of a fresh reading."""
    house = await lively_house()
    shelf, log = shelf_of(house)
    first = await shelf.coups(PIT, "T1", 2)
    assert len(records_of(house, PIT, "T1/2")) == log.read
    assert first == await shelf.coups(PIT, "T1", 2)
    await house.pass_time(60_000)
    await house.pass_time(60_000)
    before, more = log.read, len(records_of(house, PIT, "T1/2"))
    again = await shelf.coups(PIT, "T1", 2)
    assert more == log.read
    assert more > before
    assert again == await shelf_of(house)[0].coups(PIT, "T1", 2)
    assert ["agrees", "agrees", "not_revealed"] == [judge(proof).verdict for proof in again]


async def test_a_reading_that_breaks_is_not_kept() -> None:
    """A log that is shorter than what was read is read again from its first event."""
    house = await lively_house()
    shelf, _ = shelf_of(house)
    whole = await shelf.coups(PIT, "T1", 1)
    records = records_of(house, PIT, "T1/1")
    kept = records[:]
    del records[20:]
    with pytest.raises(LogBroken):
        await shelf.coups(PIT, "T1", 1)
    records[:] = kept
    assert whole == await shelf.coups(PIT, "T1", 1)


async def test_the_shelf_is_bounded() -> None:
    """So many sessions are kept at hand, so many may wait; one more is turned away at once."""
    house = await lively_house()
    shelf, _ = shelf_of(house)
    for session in range(1, PROOF_SESSIONS + 3):
        await shelf.coups(PIT, "T9", session)
    assert PROOF_SESSIONS == len(shelf._readings)
    async with shelf._turn:
        waiting = [asyncio.create_task(shelf.coups(PIT, "T1", 1)) for _ in range(PROOF_READERS)]
        await asyncio.sleep(0)
        with pytest.raises(ShelfBusy):
            await shelf.coups(PIT, "T1", 1)
    assert 1 == len({await one for one in waiting})


# -- over HTTP ----------------------------------------------------------------------------------------------------
def display(*proven: CoupProof) -> httpx.AsyncClient:
    house = CannedHouse(msgspec.structs.replace(BETTING, session=3))
    house.proven = list(proven)
    app = display_app(Show(house, Hub()), Site("site-a", "EUR"))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://display")


def proof(coup: int, session: int = 3) -> CoupProof:
    return CoupProof("T1", session, coup, f"seed:pit-1/T1/{session}/{coup}", commitment="00" * 32)


async def test_the_latest_coups_of_a_table() -> None:
    """Newest first, at most as many as the limit says; of an unknown table none."""
    client = display(*map(proof, range(1, 41)), proof(1, session=2))
    listed = msgspec.json.decode((await client.get("/proofs/T1")).content, type=Listed)
    assert (3, [*range(40, 40 - PROOFS_LISTED, -1)]) == (listed.session, [one.coup for one in listed.coups])
    assert () == msgspec.json.decode((await client.get("/proofs/T9")).content, type=Listed).coups


async def test_a_young_session_has_the_one_before_it() -> None:
    """While a session has few coups, those of the session before follow."""
    client = display(proof(1), proof(1, session=2), proof(2, session=2), proof(1, session=1))
    listed = msgspec.json.decode((await client.get("/proofs/T1")).content, type=Listed)
    assert [(3, 1), (2, 2), (2, 1)] == [(one.session, one.coup) for one in listed.coups]


async def test_one_coup() -> None:
    """By table, session and coup; anything that there is not is 404 with a sentence."""
    client = display(proof(7), proof(1, session=2))
    for path, wanted in (("/proofs/T1/3/7", proof(7)), ("/proofs/T1/2/1", proof(1, session=2))):
        assert wanted == msgspec.json.decode((await client.get(path)).content, type=CoupProof)
    for path in (
        "/proofs/T1/3/8",
        "/proofs/T1/4/1",
        "/proofs/T1/0/1",
        "/proofs/T9/3/7",
        "/proofs/T1/x/7",
        "/proofs/T1/-1/7",
    ):
        assert 404 == (await client.get(path)).status_code


async def test_a_display_that_cannot_read_says_so() -> None:
    """While the log is away, or too many ask, the answer is 503, and the boards go on."""
    house = CannedHouse(msgspec.structs.replace(BETTING, session=3))

    async def busy(table: str, session: int) -> list[CoupProof]:
        raise ShelfBusy

    house.proofs = busy  # type: ignore[method-assign]
    app = display_app(Show(house, Hub()), Site("site-a", "EUR"))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://display") as client:
        response = await client.get("/proofs/T1/3/7")
        assert (503, "proofs.unavailable") == (response.status_code, response.json()["error"]["code"])
        assert 200 == (await client.get("/tables/T1")).status_code


async def test_the_page_is_one_file() -> None:
    """It asks for nothing, and its policy allows its own script and style by their digests, and nothing else."""
    response = await display().get("/proof")
    assert 200 == response.status_code
    policy = response.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert 2 == policy.count("'sha256-")
    assert "default-src 'none'" in policy
    for asked in ("src=", "@import", "url(", "/assets/"):
        assert asked not in response.text
