"""A wallet of several parts: each balances on its own, and money between them is neither lost nor doubled."""

import msgspec
import pytest

from libs.kernel import buckets
from libs.kernel.contracts.wallet import BuyIn, Deposit, Withdraw
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.contracts.wallet_requests import RequestFill
from libs.kernel.days import DAY_MS, day_of
from libs.kernel.wallets import index_of, wallet_at, wallet_of
from libs.ledger.state import LedgerState, balance, imbalance
from libs.runtime.audit import audit
from libs.runtime.kinds import WALLET
from libs.runtime.loading import load_books
from libs.table.messages import CashOut, CloseSession, LeaveSeat
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.tampering import codes, rewrite

PARTS = 3
AWAY = [f"player-{n}" for n in range(1, 20) if index_of(f"player-{n}", PARTS) != index_of("T1", PARTS)]
HOME = [f"player-{n}" for n in range(1, 20) if index_of(f"player-{n}", PARTS) == index_of("T1", PARTS)]


def ledgers(house: MemoryHouse) -> list[LedgerState]:
    """Return the states of all parts that have been spoken to."""
    parts = [wallet_at(index, PARTS) for index in range(PARTS)]
    books = [house._shards[part.shard].books.get(part.book) for part in parts]
    return [book.state for book in books if book is not None]


async def evening() -> MemoryHouse:
    """Return a house where players of all parts have won, lost, cashed out and left."""
    house = await MemoryHouse(wallets=PARTS).open()
    await house.open_session()
    for seat, who in enumerate((AWAY[0], AWAY[1], HOME[0]), start=1):
        await house.sit_down(who, seat, 20_000)
    for _ in range(3):
        await house.play_coup({AWAY[0]: {"2": 500}, HOME[0]: {"4": 300, "48": 100}, AWAY[1]: {"6": 700}})
    await house.player(AWAY[0], CashOut(amount=1_000))
    await house.player(AWAY[1], LeaveSeat())
    return house


async def test_every_part_balances_and_all_agree_with_the_tables() -> None:
    """Buy-ins and cash-outs cross from part to part; when they have arrived, nothing is in transit."""
    house = await evening()
    states = ledgers(house)
    assert len(states) > 1
    assert [0] * len(states) == [imbalance(state) for state in states]
    on_the_way = {account: cents for state in states for account, cents in buckets.items(state.balances)}
    assert any(account.startswith("transit:") for account in on_the_way)
    pairs = sum(
        cents for state in states for account, cents in buckets.items(state.balances) if account.startswith("transit:")
    )
    assert 0 == pairs
    assert not any(channel.open for state in states for channel in state.channels.values())
    report = await audit(house.log)
    assert ((), 0, 0) == (report.faults, report.total, report.owed)


async def test_money_is_where_its_owner_is_at_home() -> None:
    """A player's account is kept in one part alone, and the table pays it there."""
    house = await evening()
    at_home = wallet_of(AWAY[1], PARTS)
    for state in ledgers(house):
        money = balance(state, f"player:{AWAY[1]}")
        assert (money > 0) == (state.book == at_home.book)
    await house.player(AWAY[0], LeaveSeat())
    await house.player(HOME[0], LeaveSeat())
    await house.staff("committee_member", CloseSession())
    total = sum(balance(state, f"player:{who}") for state in ledgers(house) for who in (*AWAY, *HOME))
    cage = sum(balance(state, "cage:main") for state in ledgers(house))
    bank = sum(balance(state, "house:bank") for state in ledgers(house))
    assert 0 == total + cage + bank
    assert () == (await audit(house.log)).faults


@pytest.mark.parametrize(
    ("command", "role"),
    [
        (Deposit(player=AWAY[0], amount=1), "cashier"),
        (Withdraw(player=AWAY[0], amount=1), "cashier"),
        (BuyIn(pit=PIT, table="T1", seat=1, amount=1), "player"),
        (RequestFill(pit=PIT, table="T1", amount=1, reason="x"), "croupier"),
    ],
)
async def test_a_part_keeps_only_what_is_at_home_there(command: Deposit, role: str) -> None:
    """What is said to the wrong part is refused, and does nothing."""
    house = await MemoryHouse(wallets=PARTS).open()
    name = "T1" if isinstance(command, RequestFill) else AWAY[0]
    wrong = wallet_at((index_of(name, PARTS) + 1) % PARTS, PARTS)
    given = await house.tell(AWAY[0], role, *wrong, command)  # type: ignore[arg-type]
    assert given.refusal is not None
    assert "account.elsewhere" == given.refusal.code


async def test_what_is_in_transit_goes_with_the_ledger_from_day_to_day() -> None:
    """Numbers, and what is owed to other parts, are in the new volume: nothing is sent twice or forgotten."""
    house = await evening()
    for index in range(PARTS):
        part = wallet_at(index, PARTS)
        opening = OpenGamingDay(day=day_of(house.now_ms + DAY_MS))
        await house.tell("committee-1", "committee_member", *part, opening)
    house.now_ms += DAY_MS
    await house.pass_time(1)
    before = ledgers(house)
    for state in before:
        shard = f"wallet-{state.book.partition('-')[2][0]}"
        heads = await house.log.heads(shard)
        loaded = await load_books(house.log, shard, WALLET.decider, WALLET.codec, heads)
        assert msgspec.json.encode(state) == msgspec.json.encode(loaded[state.book].state)
    await house.player(AWAY[0], LeaveSeat())
    assert () == (await audit(house.log)).faults


@pytest.mark.parametrize(
    ("tag", "code"), [("wallet.TransferReceived", "transit.differs"), ("wallet.TablePosted", "transit.differs")]
)
async def test_money_changed_between_two_parts_is_found(tag: str, code: str) -> None:
    """A cheat who changes a transfer at one end, balanced, cannot make the other agree."""
    house = await evening()
    found = [part for part in (wallet_at(index, PARTS) for index in range(PARTS)) if part.shard in house._shards]
    changed = False
    for part in found:
        heads = await house.log.heads(part.shard)
        if f"{part.book}/1" not in heads:
            continue

        def cheat(events: list[tuple[object, dict[str, object]]], tag: str = tag) -> None:
            nonlocal changed
            for _, body in events:
                sent = body.get("sent")
                if body["type"] == tag and tag == "wallet.TransferReceived" and not changed:
                    for entry, change in zip(body["entries"][:2], (-1, 1), strict=True):  # type: ignore[index]
                        entry["amount"] += change
                    changed = True
                elif body["type"] == tag and sent and not changed:
                    sent[0]["legs"][0]["amount"] += 1  # type: ignore[index]
                    changed = True

        rewrite(house, part.shard, f"{part.book}/1", cheat)  # type: ignore[arg-type]
    assert changed
    assert code in codes(await audit(house.log))
