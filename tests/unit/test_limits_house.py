"""Limits and exclusions in a whole house: wallet, tables and the letters between them, in one part or in three."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import msgspec
import pytest

from libs.cli.report import text as report_text
from libs.kernel.accounts import player_account
from libs.kernel.contracts.wallet import BuyIn, Deposit, Withdraw
from libs.kernel.contracts.wallet_limits import ExcludePlayer, ExcludeSelf, SetLimit
from libs.kernel.days import DAY_MS, later
from libs.kernel.ids import WALLET_SHARD
from libs.kernel.messages import Command
from libs.kernel.wallets import wallet_of
from libs.ledger.players import known_player
from libs.runtime.audit import audit
from libs.runtime.report.gather import gather
from libs.runtime.report.player import player_report
from libs.table.board import seat_of
from libs.table.messages import CashOut, CloseBetting, LeaveSeat, OpenBetting, PlaceWager, TakeSeat
from tests.kit.days import FLOOR, open_day, records, today
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.tampering import Body, bodies_of, codes, rewrite

PLAYER = "player-1"


class Limited(MemoryHouse):
    """A house with two open tables, a gaming day, and player 1 with 1,000 cents in chips at the first of them."""

    @classmethod
    async def of(cls, wallets: int = 1) -> "Limited":
        """Open it, with a wallet of so many parts."""
        house = cls(("T1", "T2"), wallets=wallets)
        await house.open()
        await open_day(house, today(house))
        for table in ("T1", "T2"):
            await house.open_session(table)
        await house.sit_down(PLAYER, 1, 1_000)
        return house

    async def wallet(self, command: Command, who: str = PLAYER, role: str = "player") -> str:
        """Say something to the player's part of the wallet; return why it is refused, or nothing."""
        given = await self.tell(who, role, *wallet_of(PLAYER, self.wallets), command)  # type: ignore[arg-type]
        return given.refusal.code if given.refusal else ""

    async def stake(self, amount: int, table: str = "T1") -> str:
        """Stake on 2; return why it is refused, or nothing."""
        given = await self.tell(PLAYER, "player", PIT, table, PlaceWager(spot="2", amount=amount))
        return given.refusal.code if given.refusal else ""

    async def limit(self, amount: int | None, period: str = "day") -> str:
        """Wish for a limit of stakes."""
        wish = SetLimit(player=PLAYER, kind="stake", period=period, amount=amount)  # type: ignore[arg-type]
        return await self.wallet(wish)

    async def buy_in(self, amount: int, table: str) -> str:
        """Bring money, take seat 1 of a table, buy chips for it."""
        assert not await self.wallet(Deposit(player=PLAYER, amount=amount), "cashier-1", "cashier")
        await self.player(PLAYER, TakeSeat(seat=1), table)
        return await self.wallet(BuyIn(pit=PIT, table=table, seat=1, amount=amount))

    async def next_day(self) -> None:
        """Let a day pass, open the next gaming day, and betting at the first table."""
        self.now_ms += DAY_MS
        await open_day(self, today(self))
        await self.pass_time(60_000)
        await self.staff("croupier", OpenBetting())

    def left(self, table: str = "T1") -> int | None:
        """Return what the player may still stake at a table."""
        seat = seat_of(self.state_of(table), PLAYER)
        return seat.allowance if seat else None


@pytest.mark.parametrize("wallets", [1, 3])
async def test_an_exclusion_counts_at_the_next_wager(wallets: int) -> None:
    """Seated, in a running coup: the wager that lies there is paid, no other is taken, all money comes home."""
    house = await Limited.of(wallets)
    await house.staff("croupier", OpenBetting())
    assert "" == await house.stake(400)
    assert "" == await house.wallet(ExcludeSelf(player=PLAYER))
    assert "exclusion.self" == await house.stake(100)
    await house.staff("croupier", CloseBetting())
    await house.pass_time(60_000)
    chips = house.state_of().seats[1].credit
    assert chips in (600, 1_400)
    await house.player(PLAYER, CashOut(amount=chips))
    assert "exclusion.self" == await house.wallet(BuyIn(pit=PIT, table="T1", seat=1, amount=1))
    assert "" == await house.wallet(Withdraw(player=PLAYER, amount=chips), "cashier-1", "cashier")
    assert () == (await audit(house.log)).faults


@pytest.mark.parametrize("wallets", [1, 3])
async def test_a_stake_limit_goes_with_the_player(wallets: int) -> None:
    """Two tables at once: what was staked at one is missing at the other, and only the last one lets him stake."""
    house = await Limited.of(wallets)
    for table in ("T1", "T2"):
        await house.staff("croupier", OpenBetting(), table)
    assert "" == await house.limit(1_000)
    assert ("", 700) == (await house.stake(300), house.left())
    assert "" == await house.buy_in(2_000, "T2")
    assert (0, 700) == (house.left("T1"), house.left("T2"))
    assert "limit.stake_elsewhere" == await house.stake(100, "T1")
    assert ("limit.stake", "") == (await house.stake(701, "T2"), await house.stake(500, "T2"))
    assert "" == await house.buy_in(100, "T1")
    assert (200, 0) == (house.left("T1"), house.left("T2"))
    assert () == (await audit(house.log)).faults


@pytest.mark.parametrize("wallets", [1, 3])
async def test_the_next_gaming_day_gives_the_stakes_anew(wallets: int) -> None:
    """A day's limit is whole again in the morning, a week's is not; what lies there counts before."""
    house = await Limited.of(wallets)
    await house.staff("croupier", OpenBetting())
    assert ["", ""] == [await house.limit(500), await house.limit(800, "week")]
    assert ("", "limit.stake") == (await house.stake(500), await house.stake(100))
    await house.next_day()
    assert 300 == house.left()
    assert ("", "limit.stake") == (await house.stake(300), await house.stake(100))


async def test_a_limit_taken_away_is_forgotten_by_the_tables() -> None:
    """After the cooling time the player stakes as he likes, and neither side counts any more."""
    house = await Limited.of()
    await house.staff("croupier", OpenBetting())
    assert "" == await house.limit(500)
    assert "" == await house.limit(None)
    for left in (500, None):
        await house.next_day()
        assert left == house.left()
    assert "" == await house.stake(900)


async def test_after_an_exclusion_the_player_is_seated_again() -> None:
    """He had left before his day came: the table that refused him a seat hears that it is over."""
    house = await Limited.of()
    assert "" == await house.wallet(ExcludeSelf(player=PLAYER, until=later(today(house), 1)))
    await house.player(PLAYER, LeaveSeat())
    again = await house.tell(PLAYER, "player", PIT, "T1", TakeSeat(seat=1))
    assert again.refusal is not None
    assert "exclusion.self" == again.refusal.code
    await house.next_day()
    assert ["", ""] == [await house.buy_in(1_000, "T1"), await house.stake(900)]
    assert {"T1"} == set(known_player(house._shards[WALLET_SHARD].books["ledger"].state, PLAYER).tables)


async def test_an_old_word_does_not_outlive_its_limit() -> None:
    """A table that was told of a limit, and left, learns with the next chips that there is none any more."""
    house = await Limited.of()
    assert ["", ""] == [await house.limit(500), await house.buy_in(500, "T2")]
    await house.player(PLAYER, LeaveSeat())
    assert "" == await house.limit(None)
    for _ in range(2):
        await house.next_day()
    assert ["", None] == [await house.buy_in(1_000, "T1"), house.left()]
    assert "" == await house.stake(900)


async def test_a_table_that_is_away_hears_of_it_when_it_is_back() -> None:
    """The wish is granted at once; the table is asked until it answers, and lets nothing be staked from then on."""
    house = await Limited.of()
    await house.staff("croupier", OpenBetting())
    pit = house._shards.pop(PIT)
    assert "" == await house.wallet(ExcludePlayer(player=PLAYER, reason="cheating"), "committee-1", "committee_member")
    house._shards[PIT] = pit
    await house.ask_again()
    assert "exclusion.casino" == await house.stake(100)
    assert not house._shards[WALLET_SHARD].books["ledger"].state.untold


TAMPERED: list[Callable[[Body], None]] = [
    lambda body: body["players"].pop(PLAYER),
    lambda body: body["players"][PLAYER]["limits"]["stake/day"].update(cents=9_999),
    lambda body: body["players"][PLAYER]["limits"].pop("stake/day"),
    lambda body: body["players"][PLAYER].pop("exclusions"),
    lambda body: body["players"][PLAYER]["exclusions"].update(self="2023-11-17"),
    lambda body: body["players"][PLAYER]["history"].pop(),
]


@pytest.mark.parametrize("change", TAMPERED)
async def test_a_limit_lost_from_one_day_to_the_next_is_found(change: Callable[[Body], None]) -> None:
    """A cheat who makes an excluded player free in the night cannot make the days agree."""
    house = await Limited.of()
    assert ["", ""] == [await house.limit(500), await house.wallet(ExcludeSelf(player=PLAYER))]
    house.now_ms += DAY_MS
    await open_day(house, today(house))
    assert () == (await audit(house.log)).faults
    stream = house._shards[WALLET_SHARD].books["ledger"].stream
    bodies = bodies_of(house, WALLET_SHARD, stream)
    place = next(at for at, body in enumerate(bodies) if PLAYER in body.get("players", {}))
    rewrite(house, WALLET_SHARD, stream, lambda events: change(events[place][1]))
    assert "carried.wrong" in codes(await audit(house.log))


async def test_the_report_of_a_player_shows_limits_exclusions_and_their_history() -> None:
    """What counts at the end of the day, what follows, and who wished it when; of another player nothing."""
    house = await Limited.of()
    day = today(house)
    await house.wallet(Deposit(player="player-2", amount=100), "cashier-1", "cashier")
    await house.limit(50_000)
    await house.limit(None)
    await house.wallet(
        ExcludePlayer(player=PLAYER, reason="cheating", until="2023-12-24"), "committee-1", "committee_member"
    )
    await house.wallet(Deposit(player="player-2", amount=1), "cashier-1", "cashier")
    report = player_report("site-a", PLAYER, await gather(house.log, FLOOR, day, player_account(PLAYER)))
    assert [("stake", "day", 50_000, None)] == [
        (one.kind, one.period, one.amount, one.following) for one in report.limits
    ]
    assert [("casino", "2023-12-24")] == [(one.kind, one.until) for one in report.exclusions]
    text = "\n".join(report_text.player(report, ZoneInfo("Europe/Paris")))
    for said in (
        f"mises / stakes, jour / day: 500.00; dès / from {report.limits[0].from_day}: aucune / none",
        "établissement / casino, jusqu'au / until 2023-12-24",
        f"{day} (player-1, player) mises / stakes, jour / day: aucune / none → 500.00, dès / from {day}",
        f"{day} (committee-1, committee_member) exclusion établissement / casino",
    ):
        assert said in text
    house.now_ms += DAY_MS
    await open_day(house, today(house))
    next_one = player_report("site-a", PLAYER, await gather(house.log, FLOOR, today(house), player_account(PLAYER)))
    assert report.history == next_one.history
    other = player_report("site-a", "player-2", await gather(house.log, FLOOR, day, player_account("player-2")))
    assert ((), (), ()) == (other.limits, other.exclusions, other.history)


async def test_nobody_hears_of_a_player_without_limits() -> None:
    """Without a limit or an exclusion there is not one event or message more than before."""
    house = await Limited.of()
    await house.play_coup({PLAYER: {"2": 100}})
    tags = {msgspec.json.decode(raw)["body"]["type"] for raw in records(house)}
    assert not {tag for tag in tags if "Allowance" in tag or "Limit" in tag}
    assert {} == house.state_of().allowances
