"""The door before a whole house in memory: real rules of table, ledger and draws, no server."""

from collections.abc import AsyncIterator

import httpx
import pytest

from libs.kernel.days import DAY_MS
from libs.runtime.answers import NO_MOMENT
from libs.runtime.audit import audit
from libs.runtime.floor import Floor, Pit, Site
from tests.kit.memory_house import MemoryHouse
from tests.kit.pumped_house import NOW, PLAN, PumpedHouse, Terminal, door_of


@pytest.fixture
async def memory() -> MemoryHouse:
    return await MemoryHouse().open()


@pytest.fixture
async def http(memory: MemoryHouse) -> AsyncIterator[httpx.AsyncClient]:
    async with door_of(PumpedHouse(memory)) as client:
        yield client


async def test_evening_at_a_table(memory: MemoryHouse, http: httpx.AsyncClient) -> None:
    """A player brings money, sits down, buys chips, wagers and is settled, all through the door."""
    cashier, player = Terminal(http, "cashier-1", "cashier"), Terminal(http, "player-1", "player")
    croupier = Terminal(http, "croupier-1", "croupier")
    await memory.open_session()
    deposit = await cashier.tell("wallet", {"type": "wallet.Deposit", "player": "player-1", "amount": 10_000})
    assert "wallet.Deposited" == deposit.json()["events"][-1]["type"]
    assert 200 == (await player.tell("tables/T1", {"type": "table.TakeSeat", "seat": 3})).status_code
    buy_in = {"type": "wallet.BuyIn", "pit": "pit-1", "table": "T1", "seat": 3, "amount": 4_000}
    assert 200 == (await player.tell("wallet", buy_in)).status_code
    assert 200 == (await croupier.tell("tables/T1", {"type": "table.OpenBetting"})).status_code
    wager = {"type": "table.PlaceWager", "spot": "2", "amount": 500}
    placed = (await player.tell("tables/T1", wager, f"{NOW}/w")).json()
    assert (True, "T1/1") == (placed["accepted"], placed["stream"])
    assert placed == (await player.tell("tables/T1", wager, f"{NOW}/w")).json()
    me = await player.get("me")
    assert (6_000, 3_500, {"2": 500}) == (me["balance"], me["seats"][0]["credit"], me["seats"][0]["stakes"])
    board = await player.get("tables/T1")
    assert ("betting", 1) == (board["phase"], board["coup"])
    over = await player.tell("tables/T1", wager | {"amount": 100_000})
    assert (409, False) == (over.status_code, over.json()["accepted"])
    conflict = await player.tell("tables/T1", wager | {"amount": 600}, f"{NOW}/w")
    assert (409, "command.conflict") == (conflict.status_code, conflict.json()["refusal"]["code"])


async def test_wrong_role_is_refused_by_the_rules(memory: MemoryHouse, http: httpx.AsyncClient) -> None:
    """Where the door lets a role through, the table's own rules refuse it."""
    await memory.open_session()
    player = Terminal(http, "player-1", "player")
    refused = await player.tell("tables/T1", {"type": "table.OpenBetting"})
    assert 409 == refused.status_code
    assert refused.json()["refusal"]["fr"]


async def test_wrong_phase_is_refused_by_the_rules(http: httpx.AsyncClient) -> None:
    """A wager at a table without a session is refused with a sentence."""
    refused = await Terminal(http, "player-1", "player").tell(
        "tables/T1", {"type": "table.PlaceWager", "spot": "2", "amount": 100}
    )
    assert 409 == refused.status_code
    assert refused.json()["refusal"]["en"]


async def test_an_old_id_is_answered_from_the_log(memory: MemoryHouse, http: httpx.AsyncClient) -> None:
    """Days later, when the ledger has long forgotten it: the same answer, a conflict for other content, one effect."""
    cashier = Terminal(http, "cashier-1", "cashier")
    deposit = {"type": "wallet.Deposit", "player": "player-1", "amount": 10_000}
    withdraw = deposit | {"type": "wallet.Withdraw"}
    assert "account.insufficient" == (await cashier.tell("wallet", withdraw, "2023-11-14/no")).json()["refusal"]["code"]
    first = (await cashier.tell("wallet", deposit, "2023-11-14/a")).json()["events"][-1]
    for day in ("2023-11-15", "2023-11-16", "2023-11-17", "2023-11-18"):
        memory.now_ms += DAY_MS
        opening = {"type": "wallet.OpenGamingDay", "day": day}
        opened = await Terminal(http, "committee-1", "committee_member").tell(
            "wallet", opening, f"{day}T22:13:20Z/open"
        )
        assert 200 == opened.status_code
        await memory.pass_time(1)
    memory._shards["wallet-0"].answers.rebuild((), NO_MOMENT)
    again = await cashier.tell("wallet", deposit, "2023-11-14/a")
    assert (200, [first]) == (again.status_code, again.json()["events"])
    for command_id, wish, code in (
        ("2023-11-14/a", deposit | {"amount": 10_001}, "transfer.conflict"),
        ("2023-11-14/a", withdraw, "transfer.conflict"),
        ("2023-11-14/no", withdraw, "account.insufficient"),
        ("2023-11-14/no", deposit, "transfer.conflict"),
        ("2023-11-14/never", deposit, "transfer.too_old"),
    ):
        memory._shards["wallet-0"].answers.rebuild((), NO_MOMENT)
        refused = await cashier.tell("wallet", wish, command_id)
        assert (409, code) == (refused.status_code, refused.json()["refusal"]["code"])
    assert 10_000 == (await Terminal(http, "player-1", "player").get("me"))["balance"]


async def test_a_wallet_of_three_parts_behind_the_door() -> None:
    """Each command goes to the part where its player or table is at home; a new day is opened in all of them."""
    memory = await MemoryHouse(wallets=3).open()
    site = Site(name="site-a", wallets=3)
    house = PumpedHouse(memory, Floor(site=site, pits=(Pit(name="pit-1", tables=(PLAN,)),)))
    async with door_of(house) as http:
        await memory.open_session()
        cashier, croupier = Terminal(http, "cashier-1", "cashier"), Terminal(http, "croupier-1", "croupier")
        for number in range(1, 6):
            who = f"player-{number}"
            deposit = {"type": "wallet.Deposit", "player": who, "amount": 1_000 * number}
            assert 200 == (await cashier.tell("wallet", deposit)).status_code
            assert 1_000 * number == (await Terminal(http, who, "player").get("me"))["balance"]
        fill = {"type": "wallet.RequestFill", "pit": "pit-1", "table": "T1", "amount": 500, "reason": "winners"}
        assert 200 == (await croupier.tell("wallet", fill, "2023-11-14/f")).status_code
        yes = {"type": "wallet.ApproveRequest", "request": "croupier-1:2023-11-14/f"}
        assert 200 == (await cashier.tell("wallet", yes)).status_code
        day = {"type": "wallet.OpenGamingDay", "day": "2023-11-15"}
        assert 200 == (await Terminal(http, "committee-1", "committee_member").tell("wallet", day)).status_code
        await memory.pass_time(1)
        books = [book for shard in memory._shards.values() for book in shard.books.values()]
        assert ["2023-11-15"] * 3 == [book.state.day for book in books if book.name.startswith("ledger")]
        assert () == (await audit(memory.log)).faults


async def test_a_card_at_the_cage(memory: MemoryHouse, http: httpx.AsyncClient) -> None:
    """The cashier gives a card, reads whose it is, and pays in; blocked, it says so; players cannot ask."""
    cashier = Terminal(http, "cashier-1", "cashier")
    issue = {"type": "wallet.IssueCard", "card": "C-77", "player": "player-1"}
    assert 200 == (await cashier.tell("wallet", issue)).status_code
    expected = {"card": "C-77", "player": "player-1", "status": "active", "new_card": ""}
    assert expected == await cashier.get("cards/C-77")
    assert "card.unknown" == (await cashier.get("cards/C-78"))["error"]["code"]
    assert "role.forbidden" == (await Terminal(http, "player-1", "player").get("cards/C-77"))["error"]["code"]
    block = {"type": "wallet.BlockCard", "card": "C-77", "reason": "lost"}
    assert 200 == (await cashier.tell("wallet", block)).status_code
    assert "blocked" == (await cashier.get("cards/C-77"))["status"]
    assert () == (await audit(memory.log)).faults
