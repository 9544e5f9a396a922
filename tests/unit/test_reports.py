"""Reports of gaming days: totals, the frozen day, what is late, what is empty."""

import csv
import io
from typing import Any, cast
from zoneinfo import ZoneInfo

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from libs.cli import exits
from libs.cli.report import text as report_text
from libs.cli.report.rows import as_csv, movements, tables
from libs.cli.report.work import check
from libs.cli.where import Site
from libs.eventlog.redis_log import RedisLog
from libs.games import GAMES
from libs.kernel.contracts.wallet import BuyIn, Deposit
from libs.kernel.days import DAY_MS
from libs.kernel.envelope import EventRecord
from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.kernel.messages import tag_of
from libs.ledger.decider import DECIDER
from libs.runtime.floor import RevenueRule
from libs.runtime.gaming_day import begins_at_ms, clock_of_days
from libs.runtime.report.day import day_report, of_table
from libs.runtime.report.gather import NoSuchDay, gather
from libs.runtime.report.player import NoSuchPlayer, player_report
from libs.runtime.report.revenue import category
from libs.runtime.report.shapes import DayReport
from libs.runtime.report.signing import NotSigned, encode, sign, signed_bytes, signed_day
from libs.table.board import void_words
from libs.table.messages import AnnounceLastCoups, CloseBetting, CloseSession, CoupVoided, SessionOpened, TakeSeat
from tests.golden.test_golden_logs import DECODER, LOGS, parts
from tests.kit.days import FIRST, FLOOR, SECOND, log_of, open_day, records, reported, today, two_days
from tests.kit.house import ROOT
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.tampering import lively_house, rewrite

PARIS = ZoneInfo("Europe/Paris")
GOLDEN = ROOT / "tests" / "golden" / "days" / "lively"
Raw = dict[str, Any]


def bodies(house: MemoryHouse, book: str, volume: int) -> list[Raw]:
    """Return the events of a stream as plain JSON."""
    found = [msgspec.json.decode(raw) for raw in records(house)]
    return [record["body"] for record in found if record["stream"] == f"{book}/{volume}"]


def moved(events: list[Raw], tag: str, account: str, *reasons: str) -> int:
    """Add up what events of a tag moved on accounts that begin so."""
    return sum(
        entry["amount"]
        for event in events
        if event["type"] == tag and (not reasons or event["reason"] in reasons)
        for entry in event["entries"]
        if entry["account"].startswith(account)
    )


def handle(house: MemoryHouse, ledger: list[Raw]) -> tuple[int, int]:
    """Count settled coups, and add up their stakes, of the coups whose postings a day's ledger has."""
    posted = {(e["session"], e["number"]) for e in ledger if e["type"] == "wallet.TablePosted"}
    coups = [
        (sum(wager["stake"] for wager in event["wagers"]))
        for session in (1, 2)
        for event in bodies(house, "T1", session)
        if event["type"] == "table.CoupSettled" and (session, event["posting"]) in posted
    ]
    return len(coups), sum(coups)


@pytest.mark.parametrize(("day", "volume"), [(FIRST, 1), (SECOND, 2)])
async def test_totals_are_those_of_the_raw_events(day: str, volume: int) -> None:
    """Each total of a day is the sum that anybody gets from the events of the day's ledger and the tables' coups."""
    house = await two_days()
    report, ledger = await reported(house, day), bodies(house, LEDGER, volume)
    totals = report.totals
    posted = "wallet.TablePosted"
    assert moved(ledger, "wallet.Deposited", "player:") == totals.deposits
    assert -moved(ledger, "wallet.Withdrawn", "player:") == totals.withdrawals
    assert moved(ledger, "wallet.BuyInPosted", "seat:") == totals.drop
    assert -moved(ledger, posted, "seat:", "cash_out", "float_closed") == totals.redeemed
    assert moved(ledger, posted, "float:", "coup", "release") + moved(ledger, posted, "house:r") == totals.win
    assert moved(ledger, posted, "house:rake") == totals.rake
    assert moved(ledger, "wallet.RequestPosted", "float:") == totals.fills
    assert handle(house, ledger) == (totals.coups, totals.handle)
    (table,) = report.tables
    assert (0, 0, 0) == (table.float_difference, table.meters_difference, totals.all_accounts)
    assert totals.win == totals.revenue == sum(game.revenue for game in report.games)


async def test_all_that_is_played_is_in_one_day() -> None:
    """The two days together hold every coup, every void and every cent of both sessions: none twice, none lost."""
    house = await two_days()
    days = [await reported(house, day) for day in (FIRST, SECOND)]
    events = [event for session in (1, 2) for event in bodies(house, "T1", session)]
    settled = [event for event in events if event["type"] == "table.CoupSettled"]
    assert len(settled) == sum(day.totals.coups for day in days)
    assert sum(event["type"] == "table.CoupVoided" for event in events) == sum(len(day.voids) for day in days)
    closings = [event["handle"] for event in events if event["type"] == "table.SessionClosed"]
    assert sum(closings) == sum(day.totals.handle for day in days)


async def test_a_day_begins_with_what_the_day_before_has_left() -> None:
    """Floats, meters and what is owed to players at the end of a day are those at the beginning of the next."""
    house = await two_days()
    before, after = [await reported(house, day) for day in (FIRST, SECOND)]
    assert before.liability == after.liability_before
    assert before.carried_out == after.carried_in
    (left,), (found,) = before.tables, after.tables
    assert (left.float_after, left.meters_after) == (found.float_before, found.meters_before)
    assert 0 == found.float_after == found.meters_after
    assert found.float_closed > 0


async def test_a_late_posting_is_in_the_open_day_with_its_reference() -> None:
    """A coup settled before the cut-off that the ledger heard of after it counts in the new day, named as late."""
    house = await two_days()
    first, second = await reported(house, FIRST), await reported(house, SECOND)
    assert () == first.late
    (late,) = second.late
    settled = [event for event in bodies(house, "T1", 2) if event["type"] == "table.CoupSettled"]
    assert f"post:T1/2/{settled[1]['posting']}" == late.reference
    assert second.began_ms is not None
    assert late.at_ms < second.began_ms
    assert 5 == second.totals.coups


async def test_a_closed_day_is_frozen() -> None:
    """Whatever happens afterwards, the report of a closed day is the same to the byte."""
    house = await two_days()
    before = encode(await reported(house, FIRST))
    await house.open_session()
    await house.sit_down("player-3", 3, 5_000)
    await house.play_coup({"player-3": {"2": 100}})
    await open_day(house, "2023-11-16")
    assert before == encode(await reported(house, FIRST))
    statuses = [(await reported(house, day)).status for day in (FIRST, SECOND, "2023-11-16")]
    assert ["closed", "closed", "open"] == statuses


async def test_the_recorded_day_gives_the_recorded_report() -> None:
    """The logs of a little day, recorded once, give for ever the report that was recorded with them, to the byte."""
    log = await log_of((GOLDEN / "records.jsonl").read_bytes().splitlines())
    report = day_report("site-a", FLOOR, await gather(log, FLOOR, FIRST))
    assert (GOLDEN / "report.json").read_bytes() == encode(report) + b"\n"
    assert (GOLDEN / "report.txt").read_text(encoding="utf-8").splitlines() == report_text.day(report, PARIS)
    assert (GOLDEN / "report.csv").read_text(encoding="utf-8") == as_csv(tables(report)) + "\n"


# -- what is empty ------------------------------------------------------------------------------------------------
async def test_a_day_without_a_ledger_says_so() -> None:
    """A day between two others on which no ledger ran has no activity; days before and after all are unknown."""
    house = await two_days()
    house.now_ms += 5 * DAY_MS
    await open_day(house, "2023-11-20")
    empty = await reported(house, "2023-11-17")
    assert ("no_activity", (), 0) == (empty.status, empty.tables, empty.totals.drop)
    assert any(report_text.NOTHING in line for line in report_text.day(empty, PARIS))
    assert 1 == len(as_csv(tables(empty)).splitlines())
    for unknown in ("2023-11-13", "2023-11-21"):
        with pytest.raises(NoSuchDay, match="from 2023-11-14 to 2023-11-20"):
            await reported(house, unknown)


async def test_a_table_that_rests_says_so() -> None:
    """On a day on which nothing is played a table shows no activity, and the house still owes what it owed."""
    house = await two_days()
    await open_day(house, "2023-11-16")
    report = await reported(house)
    (table,) = report.tables
    assert (0, 0, None) == (table.drop, table.win, table.hold_bp)
    assert any("T1" in line and report_text.NOTHING in line for line in report_text.day(report, PARIS))
    assert report.liability == report.liability_before
    assert report.liability.total > 0


async def test_a_day_may_have_two_volumes() -> None:
    """A ledger that got its first day in the middle of it reports both of its volumes as that one day."""
    house = await two_days()
    whole = await reported(house, FIRST)
    early = await lively_house()
    await open_day(early, FIRST)
    await early.staff("croupier", CloseBetting())
    await early.pass_time(60_000)
    for report in (await reported(early), await reported(early, FIRST)):
        assert ("open", whole.totals.coups + 1) == (report.status, report.totals.coups)
        assert (whole.totals.drop, whole.totals.deposits) == (report.totals.drop, report.totals.deposits)
        assert whole.liability_before == report.liability_before
        assert [0] == [table.meters_difference for table in report.tables]


# -- days and nights ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("day", "hours"), [("2026-03-28", 23), ("2026-10-24", 25)])
async def test_a_session_over_the_night_in_which_clocks_are_set(day: str, hours: int) -> None:
    """A session that plays through such a night is in two days of which the first has 23 or 25 hours."""
    house = await MemoryHouse().open()
    house.now_ms = begins_at_ms(day, PARIS, "06:00")
    timed = clock_of_days(FLOOR, [LEDGER])

    async def hear() -> None:
        books = house._shards[WALLET_SHARD].books
        await house.log.send([(WALLET_SHARD, raw) for raw in timed(books, house.now_ms)])
        await house.pass_time(0)
        await house.pass_time(0)

    await hear()
    await house.open_session()
    await house.sit_down("player-1", 1, 50_000)
    for _ in range(30):
        await house.play_coup({"player-1": {"2": 100}})
        house.now_ms += 3_600_000 - 60_000
        await hear()
    report, following = await reported(house, day), await reported(house)
    assert report.began_ms is not None
    assert report.ended_ms is not None
    assert hours * 3_600_000 == report.ended_ms - report.began_ms
    assert (hours, 30 - hours) == (report.totals.coups, following.totals.coups)
    assert (50_000, 0) == (report.totals.drop, following.totals.drop)
    assert () == report.late + following.late


async def test_a_wallet_of_several_parts_gives_one_report() -> None:
    """Players and tables at home in different parts: drop, redeemed and what is owed are those of the whole site."""
    house = await MemoryHouse(("T1", "T2"), wallets=3).open()
    for table in ("T1", "T2"):
        await house.open_session(table)
        for seat in range(1, 4):
            await house.sit_down(f"p-{table}-{seat}", seat, 10_000, table)
        await house.play_coup({f"p-{table}-1": {"2": 500}}, table)
        await house.staff("pit_boss", AnnounceLastCoups(), table)
        for _ in range(3):
            await house.play_coup({f"p-{table}-2": {"4": 200}}, table)
    await house.staff("committee_member", CloseSession(), "T1")
    report = await reported(house)
    totals = report.totals
    assert (60_000, 60_000, 8) == (totals.deposits, totals.drop, totals.coups)
    assert (0, 0) == (totals.all_accounts, report.liability.in_transit)
    for table_report in report.tables:
        assert (0, 0) == (table_report.float_difference, table_report.meters_difference)
    assert totals.deposits - totals.win == report.liability.total
    await open_day(house, "2023-11-15")
    assert {**msgspec.to_builtins(totals)} == msgspec.to_builtins((await reported(house, today(house))).totals)
    assert report.liability == (await reported(house, "2023-11-15")).liability


# -- people, categories, forms ------------------------------------------------------------------------------------
async def test_a_player_sees_every_movement() -> None:
    """A player's movements lead from the balance at the start to that at the end, and the play is that of the coups."""
    house = await two_days()
    for day in (FIRST, SECOND):
        gathered = await gather(house.log, FLOOR, day, "player:player-2")
        report = player_report("site-a", "player-2", gathered)
        assert report.after - report.before == sum(one.amount for one in report.movements)
        assert report.movements
        assert report.staked > 0
    rows = list(csv.DictReader(io.StringIO(as_csv(movements(report)))))
    assert [str(one.amount) for one in report.movements] == [row["amount"] for row in rows]
    told = "\n".join(report_text.player(report, PARIS))
    assert "player-2" in told.splitlines()[0]
    assert "de la table / from the table" in told
    assert "wallet." not in told


def test_text_has_words_for_all_that_moves_an_account() -> None:
    """Tags are for programs: whatever event of the ledger has entries is told in French and English."""
    moving = {tag_of(kind) for kind in DECIDER.events if "entries" in kind.__struct_fields__}
    assert moving == report_text.MOVED.keys()


@pytest.mark.parametrize(("player", "day"), [("nobody", FIRST), ("PLAYER-2", SECOND)])
async def test_who_is_unknown_on_a_day_gets_no_report(player: str, day: str) -> None:
    """A slip in a name must not look like a day without activity."""
    gathered = await gather((await two_days()).log, FLOOR, day, f"player:{player}")
    with pytest.raises(NoSuchPlayer, match=f"no player {player} on {day}"):
        player_report("site-a", player, gathered)


async def test_what_is_open_at_the_cut_off_goes_on() -> None:
    """A buy-in whose table has not answered when the day ends is named in both days, and is dropped in the second."""
    house = await MemoryHouse().open()
    await house.open_session()
    await house.player("player-1", TakeSeat(seat=1))
    deposit = Deposit(player="player-1", amount=5_000)
    await house.tell("cashier-1", "cashier", WALLET_SHARD, LEDGER, deposit)
    pit = house._shards.pop(PIT)
    buy_in = BuyIn(pit=PIT, table="T1", seat=1, amount=3_000)
    given = await house.tell("player-1", "player", WALLET_SHARD, LEDGER, buy_in)
    assert given.refusal is None
    house.now_ms += DAY_MS
    await open_day(house, SECOND)
    house._shards[PIT] = pit
    await house.ask_again()
    first, second = await reported(house, FIRST), await reported(house, SECOND)
    (item,) = first.carried_out
    assert (item,) == second.carried_in
    assert ("buy_in", 3_000) == (item.kind, item.amount)
    assert f"  achat de jetons / buy-in {item.reference} T1: 30.00" in report_text.day(first, PARIS)
    assert ((), 0, 3_000) == (second.carried_out, first.totals.drop, second.totals.drop)
    assert (2_000, 3_000) == (first.liability.accounts, first.liability.buy_ins)


def test_a_category_holds_from_its_day_on() -> None:
    """The latest rule that has begun counts; before all of them a game is unclassified."""
    rules = [
        RevenueRule(game="rappel", category="cercle", since="2026-01-01"),
        RevenueRule(game="rappel", category="contrepartie", since="2027-01-01"),
    ]
    days = ("2025-12-31", "2026-01-01", "2026-12-31", "2027-01-01")
    assert ["", "cercle", "cercle", "contrepartie"] == [category(rules, "rappel", day) for day in days]
    assert "" == category(rules, "wheel", "2027-01-01")


async def test_without_a_floor_file_all_that_is_won_counts() -> None:
    """Nobody has said how revenue is counted: it is the win, and shown as unclassified."""
    house = await two_days()
    report = await reported(house, FIRST, None)
    assert {""} == {game.category for game in report.games}
    assert report.totals.win == report.totals.revenue


async def test_only_closed_days_are_signed_and_every_change_is_found() -> None:
    """A signed report opens with its key alone; a changed one does not; a running day is not signed."""
    house, key = await two_days(), Ed25519PrivateKey.generate()
    report: DayReport = await reported(house, FIRST)
    text = sign(report, key)
    assert encode(report) == signed_bytes(text, [Ed25519PrivateKey.generate().public_key(), key.public_key()])
    assert ("site-a", FIRST) == signed_day(encode(report))
    head, body, signature = text.split(".")
    for changed in (f"{head}.{body[:-4]}AAAA.{signature}", "nonsense", ""):
        with pytest.raises(NotSigned):
            signed_bytes(changed, [key.public_key()])
    with pytest.raises(ValueError, match="closed"):
        sign(await reported(house, SECOND), key)


async def test_a_signed_day_is_checked_against_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    """The log that a signed report was made from agrees with it; one that was rewritten afterwards does not."""
    house = await two_days()
    await open_day(house, "2023-11-16")
    content = encode(await reported(house, SECOND))
    site = Site("site-a", "", cast("RedisLog", house.log), PARIS, FLOOR)
    assert exits.OK == await check(site, content)

    def change(events: list[tuple[EventRecord, Raw]]) -> None:
        next(body for _, body in events if body["type"] == "wallet.Withdrawn")["entries"][0]["amount"] -= 1

    rewrite(house, WALLET_SHARD, "ledger/2", change)
    assert exits.VERIFICATION_FAILED == await check(site, content)
    said = capsys.readouterr().out.splitlines()
    assert ["log agree" in line or "otherwise" in line for line in said] == [True, True]


async def test_voids_are_told_in_french_first() -> None:
    """A void of the table's or the game's own has words before code and reason; what somebody wrote stands alone."""
    report = await reported(await two_days(), FIRST)
    (staff,) = report.voids
    spin = msgspec.structs.replace(staff, coup=6, code="spin.too_few_turns", reason="the main ring made 1 turn(s)")
    draw = msgspec.structs.replace(staff, coup=7, code="draw.failed", reason="draw main: rng.sick")
    said = report_text.day(msgspec.structs.replace(report, voids=(staff, spin, draw)), PARIS)
    turns = "Moins de deux tours / Fewer than two turns (spin.too_few_turns): the main ring made 1 turn(s)"
    lines = [
        "  T1/1 coup 5, staff: essai",
        f"  T1/1 coup 6, {turns}",
        "  T1/1 coup 7, Tirage indisponible / The draw failed (draw.failed): draw main: rng.sick",
    ]
    start = said.index(lines[0])
    assert lines == said[start : start + 3]


def test_every_void_has_words() -> None:
    """Whatever has voided a coup in a golden session, there are words for it in both languages."""
    told = set()
    for log in LOGS:
        events = [DECODER.decode(line) for line in parts(log)[0]]
        opened = [event for event in events if isinstance(event, SessionOpened)]
        for event in (event for event in events if isinstance(event, CoupVoided)):
            words = void_words(GAMES[opened[0].game], event.code)
            assert words.fr != words.en
            told.add(event.code)
    assert {"staff", "interrupted", "draw.failed", "spin.anomaly", "rampo.no_stake", "game.no_opponent"} <= told


async def test_a_table_has_its_own_lists() -> None:
    """The report of one table lists its own voids and late postings, and nothing of others."""
    house = await two_days()
    report = await reported(house, FIRST)
    here, other = of_table(report, "T1"), of_table(report, "T2")
    assert (report.tables, report.voids) == (here.tables, here.voids)
    assert ((), (), ()) == (other.tables, other.voids, other.carried_out)
    said = report_text.table(here, "T1", here.tables[0], PARIS)
    assert any("essai" in line for line in said)
    assert report_text.table(other, "T2", None, PARIS)[-1].strip() == report_text.NOTHING
