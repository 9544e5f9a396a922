"""The real house behind the door: the floor's tables, the ledger, and the inboxes of their shards."""

import asyncio
import time
from collections.abc import Callable

import msgspec

from libs.eventlog.api import EventLog, EventLogError
from libs.kernel import buckets
from libs.kernel.accounts import player_account
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet_cards import Card
from libs.kernel.contracts.wallet_days import TransferFact
from libs.kernel.contracts.wallet_limits import Player
from libs.kernel.ids import PERSONS_SHARD
from libs.kernel.messages import Command
from libs.kernel.wallets import Wallet, wallet_at, wallet_of
from libs.ledger.players import NOBODY, known_player
from libs.ledger.state import LedgerState, balance
from libs.ledger.united import united
from libs.persons.state import PersonsState
from libs.runtime.floor import Floor
from libs.runtime.floorview import FloorView, is_live
from libs.runtime.follower import Follower, Hear, follow
from libs.runtime.httpkit import Readiness
from libs.runtime.kinds import PERSONS, WALLET
from libs.runtime.logs import log as logger
from libs.runtime.parting import first_parting
from libs.runtime.recall import Decided, find_decision, find_transfer
from libs.runtime.reconcile import LOOK_EVERY_S, Difference, Reconciliation
from libs.table.board import Board
from services.gateway.parts import parts_for
from services.gateway.shapes import OwnSeat

LENGTH_GOOD_FOR_S = 0.25
"""How long the length of an inbox is remembered, so that not every command asks for it, in seconds."""


class FollowedHouse:
    """Implements `services.gateway.door.House`. `run` keeps it up to date until it is cancelled."""

    def __init__(self, log: EventLog, floor: Floor) -> None:
        self._log = log
        self._floor = FloorView(log, floor)
        self._wallets = [wallet_at(index, floor.site.wallets) for index in range(floor.site.wallets)]
        self._ledgers: dict[str, Follower[LedgerState]] = {
            part.shard: follow(log, part.shard, WALLET) for part in self._wallets
        }
        self.register: Follower[PersonsState] = follow(log, PERSONS_SHARD, PERSONS)
        self._lengths: dict[str, tuple[float, int]] = {}

    async def run(self) -> None:
        """Follow the pits, the ledger and the register of persons until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._floor.run())
            for ledger in self._ledgers.values():
                group.create_task(ledger.run())
            group.create_task(self.register.run())
            group.create_task(self._reconcile())

    async def _reconcile(self) -> None:
        """Compare ledger and tables again and again, as long as both are heard."""
        reconciliation = Reconciliation()
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            ledgers = self._states()
            if ledgers and self.readiness().ready:
                reconciliation.look(united(list(ledgers.values())), self._floor.states())
                for difference in reconciliation.fresh:
                    await self._name_the_parting(difference)

    async def _name_the_parting(self, difference: Difference) -> None:
        """Log the first event at which the two sides of a seat part: whoever is called begins there."""
        table, pit = difference.table, self._floor.pit_of(difference.table) or ""
        part = wallet_of(table, len(self._wallets))
        session = self._floor.states()[table].session
        try:
            parting = await first_parting(self._log, pit, part.shard, table, session, difference.seat)
        except EventLogError as error:
            logger().error("the logs of a seat cannot be compared", table=table, seat=difference.seat, why=str(error))
            return
        said = msgspec.structs.asdict(parting) if parting is not None else {"first": "none in this session's logs"}
        logger().error("ledger and table part here", seat=difference.seat, **said)

    def caught_up(self) -> bool:
        """Tell whether all logs have been read; before that every table looks closed and every account empty."""
        return self._floor.caught_up() and all(ledger.caught_up for ledger in self._ledgers.values())

    def tables(self) -> tuple[str, ...]:
        """Return the tables in the order of the floor file."""
        return self._floor.tables()

    def pit_of(self, table: str) -> str | None:
        """Return the pit (the shard) of a table, or None when the floor has no such table."""
        return self._floor.pit_of(table)

    def board(self, table: str) -> Board:
        """Return the public board of a table."""
        return self._floor.board(table)

    def balance(self, player: str) -> int:
        """Return the player's account balance in cents; zero without an account."""
        part = wallet_of(player, len(self._wallets))
        ledger = self._ledgers[part.shard].states.get(part.book)
        return balance(ledger, player_account(player)) if ledger is not None else 0

    def card(self, number: str) -> Card | None:
        """Return what is known of a player's card; cards are kept in the first part of the wallet."""
        part = self._wallets[0]
        ledger = self._ledgers[part.shard].states.get(part.book)
        return buckets.find(ledger.cards, number) if ledger is not None else None

    def player(self, player: str) -> tuple[Player, str]:
        """Return what the ledger keeps of a player, and the running gaming day."""
        part = wallet_of(player, len(self._wallets))
        ledger = self._ledgers[part.shard].states.get(part.book)
        return (known_player(ledger, player), ledger.day) if ledger is not None else (NOBODY, "")

    def seats(self, player: str) -> tuple[OwnSeat, ...]:
        """Return the seats that the player holds."""
        return tuple(
            OwnSeat(seat.table, pit, seat.seat, seat.credit, seat.staked, seat.stakes, seat.allowance)
            for pit, seat in self._floor.seats(player)
        )

    def hears(self, shard: str) -> bool:
        """Tell whether the answers of a shard are being heard at this moment."""
        if shard in self._ledgers:
            return is_live(self._ledgers[shard], self._floor.now_ms())
        if shard == PERSONS_SHARD:
            return is_live(self.register, self._floor.now_ms())
        return self._floor.hears(shard)

    async def send(self, shard: str, envelope: bytes) -> None:
        """Put a command on a shard's inbox."""
        await self._log.send([(shard, envelope)])

    async def waiting(self, shard: str) -> int:
        """Return how many commands wait on a shard's inbox; at most a quarter of a second old."""
        now_s = time.monotonic()
        known = self._lengths.get(shard)
        if known is not None and now_s - known[0] < LENGTH_GOOD_FOR_S:
            return known[1]
        # From the start: the inbox is trimmed behind its owner's cursor, which only the owner knows.
        length = await self._log.inbox_length(shard, "0-0")
        self._lengths[shard] = (now_s, length)
        return length

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Have every feed entry of every shard told; returns how to stop it."""
        stops = [self._floor.listen(hear), *(ledger.listen(hear) for ledger in self._ledgers.values())]
        stops.append(self.register.listen(hear))

        def stop() -> None:
            for end in stops:
                end()

        return stop

    def wallets_for(self, command: Command, actor: Actor) -> list[Wallet]:
        """Return the parts of the wallet that a command goes to, at least one."""
        return parts_for(command, actor, len(self._wallets), self._states())

    def _states(self) -> dict[str, LedgerState]:
        """Return the ledgers that are known, by book."""
        return {book: state for ledger in self._ledgers.values() for book, state in ledger.states.items()}

    async def recall_transfer(self, shard: str, transfer_id: str) -> TransferFact | None:
        """Return what the logs say of a transfer that the ledger no longer remembers."""
        return await find_transfer(self._log, shard, transfer_id)

    async def recall_decision(self, shard: str, book: str, command_id: str) -> Decided | None:
        """Return what the logs say of a command whose answer its shard no longer remembers."""
        return await find_decision(self._log, shard, book, command_id)

    def readiness(self) -> Readiness:
        """Tell whether commands can be sent and answers be heard."""
        floor = self._floor.readiness()
        heard = {shard: self.hears(shard) for shard in self._ledgers}
        parts = floor.parts | {shard: "live" if live else "not followed" for shard, live in heard.items()}
        return Readiness(floor.ready and all(heard.values()), parts)
