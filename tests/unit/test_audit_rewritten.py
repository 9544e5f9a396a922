"""A cheat who rewrites a log and makes all its hashes anew still cannot make the books agree."""

from collections.abc import Callable
from functools import partial

import pytest

from libs.kernel.envelope import EventRecord
from libs.kernel.ids import RNG_SHARD, WALLET_SHARD
from libs.runtime.audit import audit
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.tampering import (
    Body,
    Events,
    Steps,
    at,
    bodies_of,
    codes,
    first,
    last,
    leaves,
    lively_house,
    put,
    records_of,
    rewrite,
)


@pytest.fixture
async def house() -> MemoryHouse:
    return await lively_house()


def set_entry(place: int, **changes: int | str) -> Callable[[Body], None]:
    return lambda body: body["entries"][place].update(changes)


REWRITTEN: list[tuple[str, str, str, Callable[[Body], None], str]] = [
    (PIT, "T1/1", "table.WagerPlaced", lambda body: body.update(amount=400), "stake.wrong"),
    (PIT, "T1/1", "table.WagerPlaced", lambda body: body.update(credit_after=1), "meter.wrong"),
    (PIT, "T1/1", "table.WagerTakenBack", lambda body: body.update(amount=9), "stake.wrong"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body["wagers"][0].update(stake=1), "stake.wrong"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body["wagers"][0].update(credit=10_000), "result.wrong"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body["wagers"].pop(), "wager.not_settled"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body["wagers"].append(body["wagers"][0]), "wager.settled_twice"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body["legs"][0].update(amount=7), "posting.unbalanced"),
    (PIT, "T1/1", "table.CoupSettled", lambda body: body.update(posting=99), "posting.order"),
    (PIT, "T1/1", "table.CoupVoided", lambda body: body["seats"][0].update(credited=1), "result.wrong"),
    (PIT, "T1/1", "table.SeatDebited", lambda body: body.update(amount=999), "meter.wrong"),
    (PIT, "T1/1", "table.SeatCredited", lambda body: body.update(credit_after=1), "meter.wrong"),
    (PIT, "T1/1", "table.DrawReceived", lambda body: body.update(values=[51]), "draw.differs"),
    (PIT, "T1/1", "table.SessionClosed", lambda body: body.update(handle=1), "closing.handle"),
    (PIT, "T1/1", "table.SessionClosed", lambda body: body.update(events=1), "closing.count"),
    (PIT, "T1/1", "table.SessionClosed", lambda body: body["returned"].clear(), "closing.wrong"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", set_entry(0, before=5), "entry.before"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", set_entry(1, after=5), "entry.after"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", set_entry(1, amount=5), "posting.unbalanced"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", set_entry(0, account="house:bank"), "transfer.differs"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPended", set_entry(0, account="house:bank"), "transfer.differs"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPended", lambda body: body.update(player="player-3"), "transfer.differs"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPosted", set_entry(1, account="player:player-3"), "transfer.differs"),
    (WALLET_SHARD, "ledger/1", "wallet.RequestPended", set_entry(1, account="player:player-3"), "request.differs"),
    (WALLET_SHARD, "ledger/1", "wallet.RequestPended", lambda body: body.update(table="T9"), "float.differs"),
    (WALLET_SHARD, "ledger/1", "wallet.TablePosted", lambda body: body.update(number=4), "posting.order"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPended", lambda body: body.update(seat=8), "buy_in.differs"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPosted", lambda body: body.update(transfer_id="x"), "transfer.unknown"),
    (
        WALLET_SHARD,
        "ledger/1",
        "wallet.RequestApproved",
        lambda body: body.update(by="croupier-1"),
        "request.person",
    ),
    (WALLET_SHARD, "ledger/1", "wallet.RequestApproved", lambda body: body.update(request="x"), "request.unknown"),
    (WALLET_SHARD, "ledger/1", "wallet.RequestPosted", lambda body: body["entries"].clear(), "request.differs"),
    (PIT, "T1/2", "table.FloatMoved", lambda body: body.update(amount=4_999), "float.differs"),
    (PIT, "T1/2", "table.FloatMoved", lambda body: body.update(request="x"), "float.unknown"),
    (RNG_SHARD, "draws/1", "rng.Drawn", lambda body: body.update(values=[99]), "draw.range"),
    (RNG_SHARD, "draws/1", "rng.Drawn", lambda body: body.update(draw_id="draw:pit-1/T1/1/9/x"), "draw.unknown"),
]


@pytest.mark.parametrize(("shard", "stream", "tag", "change", "code"), REWRITTEN)
async def test_a_rewritten_log_is_found(
    house: MemoryHouse, shard: str, stream: str, tag: str, change: Callable[[Body], None], code: str
) -> None:
    """A cheat who makes all hashes anew still cannot make the sums agree."""
    place = first(house, shard, stream, tag)
    rewrite(house, shard, stream, lambda events: change(events[place][1]))
    report = await audit(house.log)
    assert code in codes(report), report.faults


def strange(value: object) -> list[object]:
    """Return what makes no sense in place of a value, as far as it can be read."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, -1]
        case str():
            return ["", "zz"]
        case _:
            return [7]


@pytest.mark.parametrize("shard", [RNG_SHARD, WALLET_SHARD, PIT])
async def test_nothing_in_a_log_stops_the_audit(house: MemoryHouse, shard: str) -> None:
    """Whatever stands there for a value, of each kind of fact every one, the audit comes to its end with a report."""
    seen = set[Steps]()
    for stream in await house.log.heads(shard):
        true = [*records_of(house, shard, stream)]
        for place, body in enumerate(bodies_of(house, shard, stream)):
            for path in leaves(body):
                kind = (body["type"], *(step for step in path if isinstance(step, str)))
                for value in [] if kind in seen else strange(at(body, path)):
                    rewrite(house, shard, stream, partial(put_into, place, path, value))
                    assert 3 == (await audit(house.log)).shards
                    records_of(house, shard, stream)[:] = true
                seen.add(kind)
        rewrite(house, shard, stream, lambda _: None)


def put_into(place: int, path: Steps, value: object, events: Events) -> None:
    put(events[place][1], path, value)


DROPPED = [
    (PIT, "T1/1", "table.CoupSettled", "wager.not_settled"),
    (PIT, "T1/1", "table.BettingOpened", "wager.late"),
    (PIT, "T1/1", "table.SeatTaken", "seat.empty"),
    (PIT, "T1/1", "table.SeatCredited", "buy_in.not_credited"),
    (WALLET_SHARD, "ledger/1", "wallet.TablePosted", "posting.order"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPended", "transfer.unknown"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", "entry.before"),
    (WALLET_SHARD, "ledger/1", "wallet.RequestPended", "request.unknown"),
    (PIT, "T1/2", "table.FloatMoved", "float.differs"),
    (RNG_SHARD, "draws/1", "rng.Drawn", "draw.unknown"),
]


@pytest.mark.parametrize(("shard", "stream", "tag", "code"), DROPPED)
async def test_a_fact_that_is_left_out_is_found(
    house: MemoryHouse, shard: str, stream: str, tag: str, code: str
) -> None:
    """A fact that is left out, with all hashes made anew, leaves its trace in the others."""
    place = first(house, shard, stream, tag)
    rewrite(house, shard, stream, lambda events: events.__delitem__(place))
    report = await audit(house.log)
    assert code in codes(report), report.faults


TWICE = [
    (PIT, "T1/1", "table.CoupSettled", "wager.settled_twice"),
    (PIT, "T1/1", "table.SeatCredited", "transfer.twice"),
    (PIT, "T1/1", "table.SeatTaken", "seat.twice"),
    (PIT, "T1/1", "table.DrawReceived", "draw.twice"),
    (WALLET_SHARD, "ledger/1", "wallet.Deposited", "transfer.twice"),
    (WALLET_SHARD, "ledger/1", "wallet.TablePosted", "posting.order"),
    (WALLET_SHARD, "ledger/1", "wallet.BuyInPosted", "transfer.twice"),
    (WALLET_SHARD, "ledger/1", "wallet.RequestPosted", "request.unknown"),
    (WALLET_SHARD, "ledger/1", "wallet.RequestApproved", "transfer.twice"),
    (PIT, "T1/2", "table.FloatMoved", "transfer.twice"),
    (RNG_SHARD, "draws/1", "rng.Drawn", "draw.twice"),
]


@pytest.mark.parametrize(("shard", "stream", "tag", "code"), TWICE)
async def test_a_fact_that_is_there_twice_is_found(
    house: MemoryHouse, shard: str, stream: str, tag: str, code: str
) -> None:
    """A fact that is there twice, with all hashes made anew, is found."""
    place = first(house, shard, stream, tag)
    rewrite(house, shard, stream, lambda events: events.insert(place, events[place]))
    report = await audit(house.log)
    assert code in codes(report), report.faults


async def test_money_made_in_both_books_at_once_is_found(house: MemoryHouse) -> None:
    """A posting changed in the ledger alone, balanced and carried forward, disagrees with its table."""

    def cheat(events: list[tuple[EventRecord, Body]]) -> None:
        place = next(
            at
            for at, (_, body) in enumerate(events)
            if body["type"] == "wallet.TablePosted" and body["reason"] == "coup"
        )
        for entry, change in zip(events[place][1]["entries"][:2], (100, -100), strict=True):
            for _, body in events[place:]:
                for other in body.get("entries", ()):
                    if other["account"] == entry["account"]:
                        other["after"] += change
                        other["before"] += 0 if body is events[place][1] else change
            entry["amount"] += change

    rewrite(house, WALLET_SHARD, "ledger/1", cheat)
    report = await audit(house.log)
    assert "posting.differs" in codes(report), report.faults


async def test_a_withdrawal_that_pays_another_player_is_found(house: MemoryHouse) -> None:
    """Money that leaves one player's account for another's is no withdrawal, although all entries sum to zero."""

    def cheat(events: Events) -> None:
        place = last(events, "wallet.Withdrawn")
        has = next(
            entry["after"]
            for _, body in reversed(events[:place])
            for entry in body.get("entries", ())
            if entry["account"] == "player:player-2"
        )
        (paid,) = (entry for entry in events[place][1]["entries"] if entry["account"] == "cage:main")
        paid.update(account="player:player-2", before=has, after=has + paid["amount"])

    rewrite(house, WALLET_SHARD, "ledger/1", cheat)
    assert ["transfer.differs"] == codes(await audit(house.log))


async def test_lines_of_one_account_count_together(house: MemoryHouse) -> None:
    """A withdrawal gives the player 800 cents before it takes 100: its last lines alone would be one."""

    def cheat(events: Events) -> None:
        entries = events[last(events, "wallet.Withdrawn")][1]["entries"]
        has = {entry["account"]: entry["before"] for entry in entries}
        entries.clear()
        for account, amount in (*zip(has, (900, -900), strict=True), *zip(has, (-100, 100), strict=True)):
            entries.append(
                {"account": account, "amount": amount, "before": has[account], "after": has[account] + amount}
            )
            has[account] += amount

    rewrite(house, WALLET_SHARD, "ledger/1", cheat)
    assert ["transfer.differs"] == codes(await audit(house.log))


async def test_a_posting_cannot_hide_a_line_behind_another(house: MemoryHouse) -> None:
    """The last posting takes 500 cents of the bank for a player; a later line of each account is what it should be."""

    def cheat(events: Events) -> None:
        entries = events[last(events, "wallet.TablePosted")][1]["entries"]
        (seat,) = (dict(entry) for entry in entries if entry["account"] == "seat:T1:5")
        more = {**seat, "amount": 500, "after": seat["before"] + 500}
        entries[:0] = [more, {"account": "house:entry", "amount": -500, "before": 0, "after": -500}]
        for entry in entries[2:]:
            if entry["account"] == "seat:T1:5":
                entry.update(before=entry["before"] + 500, after=entry["after"] + 500)
        entries.append({"account": "house:entry", "amount": 0, "before": -500, "after": -500})

    rewrite(house, WALLET_SHARD, "ledger/1", cheat)
    assert "posting.differs" in codes(await audit(house.log))


async def test_a_card_from_nowhere_is_found(house: MemoryHouse) -> None:
    """A card that is blocked and was never given is a fault, not the end of the audit."""

    def cheat(events: Events) -> None:
        record, _ = events[-1]
        events.append((record, {"type": "wallet.CardBlocked", "card": "c-1", "reason": "lost", "by": "x"}))

    rewrite(house, WALLET_SHARD, "ledger/1", cheat)
    assert ["card.unknown"] == codes(await audit(house.log))


async def test_chips_of_another_buyer_are_found(house: MemoryHouse) -> None:
    """Who sits at the seat is not who paid: the ledger has another player's buy-in for it."""

    def cheat(events: Events) -> None:
        body = next(body for _, body in events if body["type"] == "table.SeatCredited")
        body["player"] = "player-2"

    rewrite(house, PIT, "T1/1", cheat)
    assert "buy_in.differs" in codes(await audit(house.log))


async def test_chips_from_nowhere_are_found(house: MemoryHouse) -> None:
    """A credit that no buy-in paid for is found, although the table itself is consistent."""

    def cheat(events: list[tuple[EventRecord, Body]]) -> None:
        record, body = next((r, b) for r, b in events if b["type"] == "table.SeatCredited")
        events.append((record, {**body, "transfer_id": "player-2:99", "player": "player-2", "seat": 5, "amount": 50}))
        events[-1][1]["credit_after"] = body_after(events) + 50

    def body_after(events: list[tuple[EventRecord, Body]]) -> int:
        return next(int(b["credit_after"]) for _, b in reversed(events[:-1]) if b["type"] == "table.WagerPlaced")

    rewrite(house, PIT, "T1/2", cheat)
    report = await audit(house.log)
    assert ["buy_in.unknown"] == codes(report)
