"""What the door does with a command: checks, sends, waits for the answer of that very command."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Protocol, get_args

import msgspec

from libs.eventlog.api import EventLogError
from libs.kernel.actors import AT_TABLES, Actor
from libs.kernel.contracts.wallet import BuyIn
from libs.kernel.contracts.wallet_cards import Card
from libs.kernel.contracts.wallet_days import TransferFact
from libs.kernel.contracts.wallet_limits import Player
from libs.kernel.contracts.wallet_refusals import MoneyCommand
from libs.kernel.contracts.wallet_requests import RequestFill, RequestFloatCredit
from libs.kernel.days import days_before
from libs.kernel.envelope import CommandEnvelope, FeedEntry
from libs.kernel.ids import PERSONS, PERSONS_SHARD, date_of
from libs.kernel.limits import DOOR_ANSWER_MS, INBOX_ENTRIES, MAX_COMMAND_BYTES, MAX_ID_CHARS, REFUSED_DAYS_AHEAD
from libs.kernel.messages import Command
from libs.kernel.refusals import Refusal
from libs.kernel.wallets import Wallet
from libs.ledger.refusals import TOO_OLD as TRANSFER_TOO_OLD
from libs.ledger.roles import CARD_READERS, ROLES
from libs.persons.roles import ROLES as PERSONS_ROLES
from libs.runtime.admission import AHEAD, TOO_OLD
from libs.runtime.answers import digest_of
from libs.runtime.httpkit import Problem, Readiness
from libs.runtime.recall import Decided
from libs.table.board import Board
from libs.table.messages import TakeSeat
from services.gateway.answers import Desk
from services.gateway.bodies import Posted
from services.gateway.limits import not_seated
from services.gateway.rates import Rates
from services.gateway.recaller import Recaller
from services.gateway.replies import Refused, Reply, answered, forbidden, unanswered, unavailable
from services.gateway.shapes import CardLine, Me, OwnSeat, TableLine

Hear = Callable[[FeedEntry, bytes], None]


class House(Protocol):
    """What the door knows of the house behind it; `services.gateway.house` is the real one."""

    def caught_up(self) -> bool:
        """Tell whether all logs have been read; before that every table looks closed and every account empty."""

    def tables(self) -> Sequence[str]:
        """Return the tables in the order of the floor file."""

    def pit_of(self, table: str) -> str | None:
        """Return the pit (the shard) of a table, or None when the floor has no such table."""

    def board(self, table: str) -> Board:
        """Return the public board of a table."""

    def balance(self, player: str) -> int:
        """Return the player's account balance in cents; zero without an account."""

    def card(self, number: str) -> Card | None:
        """Return what is known of a player's card."""

    def seats(self, player: str) -> tuple[OwnSeat, ...]:
        """Return the seats that the player holds."""

    def player(self, player: str) -> tuple[Player, str]:
        """Return what the ledger keeps of a player, and the running gaming day."""

    def hears(self, shard: str) -> bool:
        """Tell whether the answers of a shard are being heard at this moment."""

    async def send(self, shard: str, envelope: bytes) -> None:
        """Put a command on a shard's inbox."""

    async def waiting(self, shard: str) -> int:
        """Return how many commands wait on a shard's inbox (it may be a moment old)."""

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Have every feed entry of every shard told; returns how to stop it."""

    def wallets_for(self, command: Command, actor: Actor) -> Sequence[Wallet]:
        """Return the parts of the wallet that a command goes to, at least one."""

    async def recall_transfer(self, shard: str, transfer_id: str) -> TransferFact | None:
        """Return what the logs say of a transfer that the ledger no longer remembers."""

    async def recall_decision(self, shard: str, book: str, command_id: str) -> Decided | None:
        """Return what the logs say of a command whose answer its shard no longer remembers."""

    def readiness(self) -> Readiness:
        """Tell whether commands can be sent and answers be heard."""


class Door:
    """Sends commands and waits for their answers. Repeating a command is harmless: it gets the same answer again."""

    def __init__(
        self,
        house: House,
        rates: Rates,
        desk: Desk,
        answer_ms: int = DOOR_ANSWER_MS,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.house, self._rates, self._desk, self._answer_ms = house, rates, desk, answer_ms
        self._now_ms = now_ms
        self._unlisten = house.listen(desk.hear)
        self._recaller = Recaller(house)

    def close(self) -> None:
        """Stop hearing."""
        self._unlisten()

    def admit(self, actor: Actor) -> None:
        """Raise `Problem` 429 when the subject speaks faster than it may."""
        wait_s = self._rates.wait_s(actor.id)
        if wait_s > 0:
            raise Problem(
                429,
                "rate.exceeded",
                "Trop de demandes à la fois ; attendez un instant.",
                "Too many requests at once; wait a moment.",
                headers={"retry-after": str(max(1, round(wait_s)))},
            )

    def check_known(self) -> None:
        """Raise `Problem` 503 while the logs have not been read yet: what is not known must not be shown."""
        if not self.house.caught_up():
            raise Problem(
                503,
                "log.unread",
                "Le journal n'a pas encore été lu ici ; réessayez dans un instant.",
                "The log has not been read here yet; try again in a moment.",
                headers={"retry-after": "1"},
            )

    def pit_of(self, table: str) -> str:
        """Return the pit of a table; raises `Problem` 404."""
        pit = self.house.pit_of(table)
        if pit is None:
            raise Problem(404, "table.unknown", "Cette table n'existe pas ici.", "There is no such table here.")
        return pit

    def list_tables(self) -> list[TableLine]:
        """Return a line for every table, in the order of the floor file."""
        boards = [self.house.board(table) for table in self.house.tables()]
        return [
            TableLine(
                table=board.table,
                pit=board.pit,
                game=board.game,
                session=board.session,
                phase=board.phase,
                coup=board.coup,
                minimum=board.minimum,
                seats=len(board.seats),
                seats_taken=sum(seat.taken for seat in board.seats),
            )
            for board in boards
        ]

    async def tell_table(self, actor: Actor, table: str, posted: Posted) -> Reply:
        """Send a command to a table and return its answer."""
        if actor.role not in AT_TABLES:
            raise forbidden(AT_TABLES)
        pit = self.pit_of(table)
        refusal = None
        if isinstance(posted.command, TakeSeat) and not any(own.table == table for own in self.house.seats(actor.id)):
            self.check_known()
            # The pit says it: it knows whether this is the repeat of a wish from before the exclusion.
            refusal = not_seated(self.house, actor.id)
        return await self._tell(actor, pit, table, posted, refusal)

    def read(self, actor: Actor) -> Me:
        """Return what the speaker may know of himself."""
        is_player = actor.role == "player"
        return Me(
            sub=actor.id,
            role=actor.role,
            balance=self.house.balance(actor.id) if is_player else None,
            seats=self.house.seats(actor.id) if is_player else (),
        )

    def read_card(self, actor: Actor, card: str) -> CardLine:
        """Return whose card it is; raises `Problem` 403 and 404."""
        if actor.role not in CARD_READERS:
            raise forbidden(CARD_READERS)
        known = self.house.card(card)
        if known is None:
            raise Problem(
                404, "card.unknown", "Cette carte n'a jamais été donnée ici.", "This card was never given here."
            )
        return CardLine(card, known.player, known.status, known.new_card)

    async def tell_wallet(self, actor: Actor, posted: Posted) -> Reply:
        """Send a command to the ledger and return its answer."""
        command = posted.command
        if actor.role not in ROLES[type(command)]:
            raise forbidden(ROLES[type(command)])
        if isinstance(command, get_args(MoneyCommand)):
            _check_date(f"{actor.id}:{posted.command_id}", self._now_ms())
        # The ledger writes to the pit that the command names: a pit without that table would never answer it.
        if isinstance(command, BuyIn | RequestFill | RequestFloatCredit) and self.pit_of(command.table) != command.pit:
            raise Problem(
                404,
                "table.unknown",
                "Cette table n'est pas dans cette zone de jeu.",
                "There is no such table in this pit.",
                path="$.command.pit",
            )
        reply = Reply(200, ())
        for part in self.house.wallets_for(command, actor):
            reply = await self._tell(actor, part.shard, part.book, posted, None)
            if isinstance(reply.content, Refused) and reply.content.refusal.code == TRANSFER_TOO_OLD:
                return await self._recaller.transfer(actor, part, posted) or reply
            if reply.status != 200:
                break
        return reply

    async def tell_persons(self, actor: Actor, posted: Posted, refusal: Refusal | None) -> Reply:
        """Send a command to the register of persons, with the door's no if it has one, and return its answer."""
        allowed = PERSONS_ROLES[type(posted.command)]
        if actor.role not in allowed:
            raise forbidden(allowed)
        return await self._tell(actor, PERSONS_SHARD, PERSONS, posted, refusal)

    async def _tell(self, actor: Actor, shard: str, book: str, posted: Posted, refusal: Refusal | None) -> Reply:
        command_id = f"{actor.id}:{posted.command_id}"
        if len(command_id) > MAX_ID_CHARS:
            raise Problem(
                400,
                "body.invalid",
                "L'identifiant de la commande est trop long.",
                "The command id is too long.",
                path="$.command_id",
            )
        body = msgspec.json.encode(posted.command)
        envelope = msgspec.json.encode(CommandEnvelope(command_id, book, actor, msgspec.Raw(body), refusal=refusal))
        if len(envelope) > MAX_COMMAND_BYTES:
            raise Problem(413, "body.too_large", "La commande est trop grande.", "The command is too large.")
        digest = digest_of(body)
        with self._desk.expect(command_id, book, digest) as waiting:
            if not await self._send(shard, envelope):
                return unanswered(posted.command_id)
            try:
                told = await asyncio.wait_for(waiting, self._answer_ms / 1000)
            except TimeoutError:
                return unanswered(posted.command_id)
        refused = told.refusal.code if told.refusal is not None else ""
        if refused == AHEAD.code:
            # No answer for ever, as it will be taken when its time has come: a mistake of the sender.
            raise Problem(400, AHEAD.code, AHEAD.fr, AHEAD.en, path="$.command_id")
        too_old = refused == TOO_OLD.code
        recalled = await self._recaller.decision(actor, shard, book, posted) if too_old else None
        return recalled or answered(told)

    async def _send(self, shard: str, envelope: bytes) -> bool:
        """Put the command on the inbox; False when it is unknown whether it arrived."""
        if not self.house.hears(shard):
            raise unavailable()
        try:
            waiting = await self.house.waiting(shard)
        except EventLogError as error:
            raise unavailable() from error
        if waiting >= INBOX_ENTRIES:
            raise Problem(
                503,
                "inbox.full",
                "Trop de commandes attendent déjà ; réessayez dans un instant.",
                "Too many commands are waiting already; try again in a moment.",
                headers={"retry-after": "1"},
            )
        try:
            await self.house.send(shard, envelope)
        except EventLogError:
            # Even when the log is away: it may have gone away after it took the command.
            return False
        return True


def _check_date(transfer_id: str, now_ms: int) -> None:
    """Raise `Problem` 400 for an id that the ledger would have to remember until its far day has passed."""
    if (date_of(transfer_id) or "") > days_before(now_ms, -REFUSED_DAYS_AHEAD):
        raise Problem(
            400,
            "transfer.dated_ahead",
            "La date de cet identifiant est trop loin dans l'avenir.",
            "The date in this id is too far ahead.",
            path="$.command_id",
        )
