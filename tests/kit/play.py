"""People at the tables of a running casino, speaking through the gateway; every answer is as they expect."""

import msgspec

from libs.games.wheel.messages import LaunchWheel
from libs.games.wheel.paytables import BONUS
from libs.kernel.actors import Role
from libs.kernel.contracts.wallet import BuyIn, Deposit
from libs.kernel.messages import Command
from libs.runtime.local.bots.journal import Answer
from libs.table.messages import (
    CheckEquipment,
    CloseBetting,
    CoupSettled,
    OpenBetting,
    OpenSession,
    PlaceWager,
    SessionOpened,
    TakeSeat,
    WagerPlaced,
)
from libs.table.state import IN_SESSION
from tests.kit.scene import PIT_NAME, Scene
from tests.kit.waiting import until


class TableParty:
    """The staff and the players of one table."""

    def __init__(self, scene: Scene, table: str = "roue-1") -> None:
        self.scene, self.name = scene, table

    async def staff(self, role: Role, command: Command) -> Answer:
        """Say something as a member of the staff; it must be accepted."""
        return _accepted(await self.scene.speaker(f"{role.replace('_', '-')}-1", role).tell(self.name, command))

    async def player(self, who: str, command: Command) -> Answer:
        """Say something as a player; it must be accepted."""
        return _accepted(await self.scene.speaker(who, "player").tell(self.name, command))

    async def open(self, betting_ms: int = 600_000, decision_ms: int = 600_000) -> None:
        """Open a session on the house's own paytable; by default only people close the betting and launch."""
        await self.staff("technician", CheckEquipment())
        await self.staff(
            "committee_member",
            OpenSession(
                game="wheel",
                paytable="ROUE-MAISON-1",
                minimum=100,
                float_amount=1_000_000,
                seats=8,
                betting_ms=betting_ms,
                decision_ms=decision_ms,
                options={"bonus_stake": 1_000},
            ),
        )
        await until(lambda: self.scene.table(self.name).phase in IN_SESSION)

    async def sit_down(self, who: str, seat: int, cents: int) -> None:
        """Bring money, take a seat, turn all of it into chips, and wait until they are there."""
        await self.deposit(who, cents)
        await self.take_seat(who, seat)
        await self.buy_in(who, seat, cents)
        await until(lambda: self.credit(who) == cents)

    async def deposit(self, who: str, cents: int) -> None:
        """Bring money to the cage."""
        _accepted(await self.scene.speaker("cashier-1", "cashier").tell_wallet(Deposit(player=who, amount=cents)))

    async def take_seat(self, who: str, seat: int) -> None:
        """Sit down, with an empty meter."""
        await self.player(who, TakeSeat(seat=seat))

    async def buy_in(self, who: str, seat: int, cents: int) -> None:
        """Ask for chips."""
        wish = BuyIn(pit=PIT_NAME, table=self.name, seat=seat, amount=cents)
        _accepted(await self.scene.speaker(who, "player").tell_wallet(wish))

    async def wager(self, who: str, spot: str, cents: int) -> None:
        """Stake, and wait until that has been heard here too."""
        answer = await self.player(who, PlaceWager(spot=spot, amount=cents))
        placed = msgspec.convert(answer.events[0], WagerPlaced)
        await until(lambda: placed in self.told())

    async def open_betting(self) -> int:
        """*Faites vos jeux*, once the RNG has committed itself; return the number of the coup."""
        await until(lambda: self.scene.table(self.name).committed > self.scene.table(self.name).coup)
        answer = await self.staff("croupier", OpenBetting())
        coup = int(answer.events[0]["coup"])
        await until(lambda: self.scene.table(self.name).coup == coup)
        return coup

    async def close_betting(self) -> None:
        """*Rien ne va plus*."""
        await self.staff("croupier", CloseBetting())

    async def launch(self) -> None:
        """Start the wheel."""
        await self.staff("croupier", LaunchWheel())

    async def settled(self, coup: int) -> CoupSettled:
        """Wait until a coup is settled."""
        await until(lambda: self._settlement(coup) is not None)
        settlement = self._settlement(coup)
        assert settlement is not None
        return settlement

    def credit(self, who: str) -> int:
        """Return a player's credit meter, 0 without a seat."""
        state = self.scene.table(self.name)
        return state.seats[state.places[who]].credit if who in state.places else 0

    def gains(self) -> dict[str, int]:
        """Return the gains of the running session as its opening recorded them."""
        opened = [event for event in self.told() if isinstance(event, SessionOpened)]
        return opened[-1].paytable_content

    def told(self) -> list[object]:
        """Return the events of this table since the scene began."""
        return [event for stream, _, event in self.scene.events if stream.startswith(f"{self.name}/")]

    def _settlement(self, coup: int) -> CoupSettled | None:
        session = f"{self.name}/{self.scene.table(self.name).session}"
        found = (event for stream, _, event in self.scene.events if stream == session)
        return next((event for event in found if isinstance(event, CoupSettled) and event.coup == coup), None)


def worth(gains: dict[str, int], outcome: str, spot: str, stake: int) -> int:
    """Return what a wager gives back, by the words of rules.md section 3 and nothing of the wheel's own code.

    >>> worth({"2": 1}, "2", "2", 300), worth({"2": 1}, "4", "2", 300)
    (600, 0)
    >>> worth({"BONUS_250": 250, "BONUS_DIVISOR": 10}, "BONUS:250", "BONUS", 1_000)
    26000
    """
    shows, _, ratio = outcome.partition(":")
    if shows != spot:
        return 0
    if spot == BONUS:
        return stake + stake // gains["BONUS_DIVISOR"] * gains[f"BONUS_{ratio}"]
    return stake * (gains[spot] + 1)


def _accepted(answer: Answer) -> Answer:
    assert answer.accepted, answer.refusal
    return answer
