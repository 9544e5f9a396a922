"""Bot players: money at the cage, a seat, chips, wagers of all kinds, some of them wrong, and home again."""

import asyncio

from libs.kernel.contracts.wallet import BuyIn, Deposit
from libs.kernel.messages import Command
from libs.runtime.floor import TablePlan
from libs.runtime.local.bots.door import Door, Seat, Speaker
from libs.runtime.local.bots.games import CHANCE, play_of
from libs.runtime.local.bots.watch import Watch
from libs.table.board import Board
from libs.table.messages import CashOut, LeaveSeat, TakeBackWager, TakeSeat

DEPOSIT, BUY_IN = 50_000, 10_000
"""What a bot brings to the cage, and what it turns into chips at once, in cents."""

LOW_CHIPS, MANY_CHIPS = 20, 500
"""In minimum stakes: below the first a bot buys chips, above the second it takes half of them off the table."""

MISTAKE_ONE_IN = 8
LEAVE_ONE_IN = 20
"""In coups: how often a bot goes to the bar for a while."""
STAY_WITH = 3
"""A bot does not leave a table where fewer sit, itself included: others may need somebody to play with."""
TAKE_BACK_ONE_IN = 20


class Player:
    """One bot that plays at one table for ever."""

    def __init__(self, door: Door, watch: Watch, plan: TablePlan, pit: str, number: int) -> None:
        self._watch, self._plan, self._pit, self._number = watch, plan, pit, number
        self._speaker = Speaker(door, f"bot-player-{plan.name}-{number}", "player")
        self._play = play_of(plan.game)
        self._cashier = Speaker(door, f"bot-cashier-{plan.name}", "cashier")
        self._waits_until_coup: tuple[int, int] = (0, 0)
        """Session and coup before which the bot is at the bar."""
        self._stayed_for: tuple[int, int] = (0, 0)
        """Session and coup after which the bot has decided to stay."""

    async def run(self) -> None:
        """Play, for ever."""
        seen: Board | None = None
        while True:
            seen = await self._watch.change(seen)
            await self.act(seen)

    async def act(self, board: Board) -> None:
        """Do what a board asks for."""
        if board.phase == "betting":
            await self._one_coup(board)
        elif board.phase in {"idle", "settled"}:
            await self._seat(board)
        elif board.phase in {"decision", "locked"}:
            word = self._play.player(board, self._number)
            if word is not None:
                await self._say(word)

    async def _one_coup(self, board: Board) -> None:
        """Stake, once per coup; sit down first if need be."""
        seat = await self._seat(board)
        if seat is not None:
            word = self._play.betting(board, self._number)
            if word is not None:
                await self._say(word)
            await self._stake(board, seat.credit)
        await self._watch.until(lambda now: now.phase != "betting" or (now.session, now.coup) != _place(board))

    # -- a seat and chips ------------------------------------------------------------------------------------------
    async def _seat(self, board: Board) -> Seat | None:
        """Return the bot's seat with its chips, after it has taken one if it is there to play."""
        me = await self._speaker.me()
        seat = next((seat for seat in me.seats if seat.table == board.table), None)
        if seat is None:
            if (board.session, board.coup) < self._waits_until_coup or me.seats:
                return None
            if (me.balance or 0) < BUY_IN:
                await self._cashier.tell_wallet(Deposit(player=self._speaker.sub, amount=DEPOSIT))
            taken = await self._say(TakeSeat(seat=self._number))
            return Seat(board.table, self._number, 0) if taken and await self._buy_in(self._number) else None
        company = sum(other.taken for other in board.seats) >= STAY_WITH
        if company and self._stayed_for != _place(board) and CHANCE.randrange(LEAVE_ONE_IN) == 0:
            await self._leave(board)
            return None
        self._stayed_for = _place(board)
        if seat.credit < LOW_CHIPS * board.minimum:
            if (me.balance or 0) < BUY_IN:
                await self._cashier.tell_wallet(Deposit(player=self._speaker.sub, amount=DEPOSIT))
            await self._buy_in(seat.seat)
        elif seat.credit > MANY_CHIPS * board.minimum:
            await self._say(CashOut(amount=seat.credit // 2))
        return seat

    async def _buy_in(self, seat: int) -> bool:
        wish = BuyIn(pit=self._pit, table=self._plan.name, seat=seat, amount=BUY_IN)
        return (await self._speaker.tell_wallet(wish)).accepted

    async def _leave(self, board: Board) -> None:
        """Take everything home and stay away for a few coups."""
        if await self._say(LeaveSeat()):
            self._waits_until_coup = (board.session, board.coup + CHANCE.randrange(1, 6))

    # -- wagers ----------------------------------------------------------------------------------------------------
    async def _stake(self, board: Board, credit: int) -> None:
        """Lay a few wagers, sometimes a wrong one besides; sometimes take one back and think again."""
        placed: dict[str, int] = {}
        for _ in range(CHANCE.randrange(1, 5)):
            await asyncio.sleep(CHANCE.random() * self._patience_s(board))
            if self._watch.board.phase != "betting":
                return
            if CHANCE.randrange(MISTAKE_ONE_IN) == 0:
                await self._say(self._play.mistake(board, list(placed)))
            await self._wager(board, placed, credit)
        if placed and CHANCE.randrange(TAKE_BACK_ONE_IN) == 0:
            spot = CHANCE.choice(list(placed))
            if await self._say(TakeBackWager(spot=spot)):
                del placed[spot]
                await self._wager(board, placed, credit)

    async def _wager(self, board: Board, placed: dict[str, int], credit: int) -> None:
        """Lay one wager, of what is left when these stakes, in cents by spot, are down."""
        wager = self._play.wager(board, list(placed), credit - sum(placed.values()))
        if wager is not None and await self._say(wager):
            placed[wager.spot] = placed.get(wager.spot, 0) + wager.amount

    def _patience_s(self, board: Board) -> float:
        """How long to think before a wager: a few of them must fit into the betting time."""
        return self._watch.betting_s(board) / 8

    async def _say(self, command: Command) -> bool:
        """Say something to the table; True when it was accepted."""
        return (await self._speaker.tell(self._plan.name, command)).accepted


def _place(board: Board) -> tuple[int, int]:
    return board.session, board.coup
