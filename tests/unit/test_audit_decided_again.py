"""A cheat who rewrites all books alike, hashes and all, still cannot make the rules say what the log does."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from libs.games import GAMES
from libs.games.paire_poker.messages import CardsLaid
from libs.kernel.ids import RNG_SHARD, WALLET_SHARD
from libs.runtime.audit import AuditReport, audit, decisions
from libs.table import messages as m
from tests.kit.given import CROUPIER, GivenTable, given_wheel
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.poker import given_dealt, given_poker
from tests.kit.redeciding import Again
from tests.kit.tampering import Events, bodies_of, codes, first, last, lively_house, records_of, rewrite


@pytest.fixture
async def house() -> MemoryHouse:
    return await lively_house()


def only_fault(report: AuditReport, version: int, *words: str) -> None:
    """There is one fault, at this event of the table, in these words."""
    (fault,) = report.faults
    assert ("T1", version, "decision.differs") == (fault.stream.split("/")[0], fault.version, fault.code)
    assert [] == [word for word in words if word not in fault.what], fault.what


async def test_a_true_house_is_decided_again(house: MemoryHouse) -> None:
    """Every settlement and void is looked at; the one void of the staff is counted as their word."""
    report = await audit(house.log)
    again = report.redecided
    assert (8, 0, 1, 1) == (again.settlements, again.releases, again.voids, again.voids_by_word)
    assert report.ok
    assert {} == again.not_checked


# -- all books alike ----------------------------------------------------------------------------------------------
async def test_another_outcome_is_found(house: MemoryHouse) -> None:
    """The word for the outcome alone: no sum and no balance knows of it."""
    place = first(house, PIT, "T1/1", "table.CoupSettled")
    was = bodies_of(house, PIT, "T1/1")[place]["outcome"]
    rewrite(house, PIT, "T1/1", lambda events: events[place][1].update(outcome="99"))
    only_fault(await audit(house.log), place + 1, 'outcome is "99"', f'by the rules "{was}"')


def shift(events: Events, after: int, account: str, cents: int) -> None:
    """Let an account have so much more from the posting at this place of the ledger on."""
    for place, (_, body) in enumerate(events[after:], start=after):
        for entry in body.get("entries", ()):
            if entry["account"] == account:
                entry["after"] += cents
                entry["amount" if place == after else "before"] += cents


async def test_a_payment_that_is_in_all_books_is_found(house: MemoryHouse) -> None:
    """A player is paid 100 cents more: line, seat, meter, posting, ledger and all balances after it agree."""
    paid: list[int] = []

    def pay(events: Events) -> None:
        place = last(events, "table.CoupSettled")
        paid.append(place + 1)
        body = events[place][1]
        body["wagers"][0]["credit"] += 100
        body["seats"][0]["credited"] += 100
        for _, later in events[place + 1 :]:
            if "credit_after" in later:
                later["credit_after"] += 100
        body["seats"][0]["credit_after"] += 100
        by_account = {leg["account"]: leg for leg in body["legs"]}
        by_account["seat:T1:5"]["amount"] += 100
        by_account["float:T1"]["amount"] -= 100

    def book(events: Events) -> None:
        place = max(
            at for at, (_, body) in enumerate(events) if body["type"] == "wallet.TablePosted" and body["session"] == 2
        )
        assert "coup" == events[place][1]["reason"]
        shift(events, place, "seat:T1:5", 100)
        shift(events, place, "float:T1", -100)

    rewrite(house, PIT, "T1/2", pay)
    rewrite(house, WALLET_SHARD, "ledger/1", book)
    only_fault(await audit(house.log), paid[0], "wagers[0].credit is", "seats[0].credited is", "legs[0].amount is")


async def test_another_spot_is_found_where_it_is_settled(house: MemoryHouse) -> None:
    """A stake that is moved to another spot, in its wager and in its settlement, is paid there by other odds."""

    def move(events: Events) -> None:
        for _, body in events[: place + 1]:
            if body["type"] == "table.WagerPlaced" and (body["coup"], body["spot"]) == (1, "48"):
                body["spot"] = shown
        for line in events[place][1]["wagers"]:
            line["spot"] = shown if line["spot"] == "48" else line["spot"]

    place = first(house, PIT, "T1/1", "table.CoupSettled")
    shown = bodies_of(house, PIT, "T1/1")[place]["outcome"]
    assert shown not in {"4", "48"}
    rewrite(house, PIT, "T1/1", move)
    only_fault(await audit(house.log), place + 1, ".credit is 0, by the rules")


async def test_a_wager_beyond_the_limits_is_found(house: MemoryHouse) -> None:
    """A stake on a chance that the layout does not have: the rules would have refused it."""
    place = first(house, PIT, "T1/1", "table.WagerPlaced")
    rewrite(house, PIT, "T1/1", lambda events: events[place][1].update(spot="999"))
    faults = (await audit(house.log)).faults
    assert any((place + 1, True) == (fault.version, "(wager.unknown_spot)" in fault.what) for fault in faults), faults


async def test_another_draw_is_found_at_what_follows_from_it(house: MemoryHouse) -> None:
    """Other values in the table's log and in the RNG's: the seed tells, and the ring that stopped is not theirs."""

    def turn(events: Events) -> None:
        body = next(body for _, body in events if body["type"] in {"table.DrawReceived", "rng.Drawn"})
        body["values"] = [(body["values"][0] + 1) % 52]

    rewrite(house, PIT, "T1/1", turn)
    rewrite(house, RNG_SHARD, "draws/1", turn)
    report = await audit(house.log)
    assert {"decision.differs", "draw.unproven"} == set(codes(report))
    assert first(house, PIT, "T1/1", "wheel.RingStopped") + 1 == min(fault.version for fault in report.faults)


async def test_a_void_for_a_settlement_is_found(house: MemoryHouse) -> None:
    """The draw has come, its coup is void all the same; or the draw is said to have failed, which the RNG has made."""
    seats = [{"seat": 5, "player": "player-2", "staked": 400, "credited": 400, "credit_after": 10_000}]
    void = {"type": "table.CoupVoided", "coup": 1, "code": "draw.failed", "reason": "draw main: rng.x", "seats": seats}
    found: list[int] = []

    def with_the_draw(events: Events) -> None:
        found.append(last(events, "table.CoupSettled"))
        events[found[0]] = (events[found[0]][0], void)

    def without_it(events: Events) -> None:
        del events[found[0] - 2 : found[0]]

    rewrite(house, PIT, "T1/2", with_the_draw)
    faults = (await audit(house.log)).faults
    assert any((found[0] + 1, True) == (one.version, "it is table.CoupSettled" in one.what) for one in faults), faults
    rewrite(house, PIT, "T1/2", without_it)
    report = await audit(house.log)
    assert "decision.draw_made" in codes(report), report.faults
    assert 2 == report.redecided.voids_by_word


# -- who, when and what belongs together ---------------------------------------------------------------------------
def wheel_coup() -> GivenTable:
    """Return a wheel with a coup that the timer launched."""
    table = given_wheel().given_seated(1)
    return table.given_wagers((1, "2", 500)).given_spin("4")


def place_of(table: GivenTable, kind: type[Any]) -> int:
    return next(place for place, (_, fact) in enumerate(table.records) if type(fact) is kind)


Change = Callable[[GivenTable, int], None]


def without(table: GivenTable, place: int) -> None:
    del table.records[place]


def by_a_croupier(table: GivenTable, place: int) -> None:
    record, fact = table.records[place]
    table.records[place] = (replace(record, actor=CROUPIER), fact)


def of_another_cause(table: GivenTable, place: int) -> None:
    record, fact = table.records[place]
    table.records[place] = (replace(record, cause="another"), fact)


def a_moment_earlier(table: GivenTable, place: int) -> None:
    """The whole decision happened a millisecond before the time that it says was over."""
    cause = table.records[place][0].cause
    for at, (record, fact) in enumerate(table.records):
        if record.cause == cause:
            table.records[at] = (replace(record, at_ms=record.at_ms - 1), fact)


def once_more(table: GivenTable, place: int) -> None:
    table.records.insert(place, table.records[place])


MOVED = [
    (m.WagerPlaced, by_a_croupier, "Only for: player. (role.not_allowed)"),
    (m.WagerPlaced, once_more, "by the rules nothing more does"),
    (m.DrawRequested, without, "by the rules table.DrawRequested follows here"),
    (m.CoupSettled, without, "by the rules table.CoupSettled follows here"),
    (m.CoupSettled, of_another_cause, "by the rules table.CoupSettled follows here"),
    (m.BettingClosed, without, "nobody is late yet"),
    (m.DrawRequested, a_moment_earlier, "nobody is late yet"),
    (m.SeatTaken, without, "by the rules it is table.SeatCreditRefused"),
    (m.BettingOpened, without, "(wager.betting_closed)"),
]


@pytest.mark.parametrize(("kind", "change", "words"), MOVED)
def test_what_is_not_as_it_was_said_is_found(kind: type[Any], change: Change, words: str) -> None:
    """By somebody else, at another time, left out, torn apart or doubled: no decision is like that."""
    table, again = wheel_coup(), Again()
    change(table, place_of(table, kind))
    again.hear(table.records)
    assert any(words in fault for fault in again.faults), again.faults


async def test_what_a_session_brings_from_the_one_before_is_found(house: MemoryHouse) -> None:
    """The next session begins with what the last one left: the wheel turns the other way."""
    direction = bodies_of(house, PIT, "T1/2")[0]["carried"]["wheel.direction"]
    other = {"wheel.direction": -direction}
    rewrite(house, PIT, "T1/2", lambda events: events[0][1].update(carried=other))
    fault = (await audit(house.log)).faults[0]
    assert ("T1/2", 1, "decision.differs") == (fault.stream, fault.version, fault.code)


# -- what is not decided again ------------------------------------------------------------------------------------
async def test_a_session_of_earlier_rules_is_not_called_false(
    house: MemoryHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules of that version may have said otherwise: what is not checked is counted and said."""

    def other(events: Events) -> None:
        events[last(events, "table.CoupSettled")][1]["outcome"] = "99"

    wheel = GAMES["wheel"]
    later = {**GAMES, "wheel": dataclasses.replace(wheel, rules_version=wheel.rules_version + 1)}
    monkeypatch.setattr(decisions, "GAMES", later)
    rewrite(house, PIT, "T1/1", other)
    report = await audit(house.log)
    assert () == report.faults
    assert ["wheel, rules version 1"] == [*report.redecided.not_checked]
    assert (0, 0) == (report.redecided.settlements, report.redecided.voids)


@pytest.mark.parametrize("version", [0, 7])
async def test_rules_that_never_were_hide_nothing(house: MemoryHouse, version: int) -> None:
    """Whoever names a version that no release has had is found where he names it."""
    place = first(house, PIT, "T1/1", "table.SessionOpened")
    rewrite(house, PIT, "T1/1", lambda events: events[place][1].update(rules_version=version))
    report = await audit(house.log)
    assert [("T1/1", place + 1, "rules.unknown")] == [(one.stream, one.version, one.code) for one in report.faults]
    assert f"wheel is played by rules version {version}" in report.faults[0].what
    assert {} == report.redecided.not_checked


async def test_behind_a_broken_chain_nothing_is_decided(house: MemoryHouse) -> None:
    """A log that is not whole is one fault; its next session is looked at, but for how it began."""
    del records_of(house, PIT, "T1/1")[9]
    report = await audit(house.log)
    assert "chain.broken" in codes(report)
    assert "decision.differs" not in codes(report)
    assert 1 == report.redecided.settlements


def test_cards_face_down_are_not_told_by_a_fault() -> None:
    """That hidden cards are not those that were drawn is said without them: they may lie there still."""
    table, again = given_poker().given_seated(1).given_wagers((1, "COULEUR_ROUGE", 100)), Again()
    given_dealt(table, "AC", "2C", "3C")
    place = place_of(table, CardsLaid)
    record, laid = table.records[place]
    assert isinstance(laid, CardsLaid)
    table.records[place] = (record, replace(laid, cards=laid.cards[::-1]))
    again.hear(table.records)
    assert "paire_poker.CardsLaid is not what follows by the rules: cards[0], cards[2]" in again.faults[0]
    assert [] == [fault for fault in again.faults for card in laid.cards if f'"{card}"' in fault]
