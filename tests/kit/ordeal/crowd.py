"""People who wish for anything in any order, and a network that doubles and reorders whatever they say."""

from collections import deque
from dataclasses import dataclass
from random import Random

import msgspec

from libs.eventlog.api import EventLog
from libs.kernel.accounts import HOUSE_BANK, player_account
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet import BuyIn, Deposit, Leg, Withdraw
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.contracts.wallet_requests import (
    ApproveRequest,
    DeclineRequest,
    RequestAdjustment,
    RequestFill,
    RequestFloatCredit,
)
from libs.kernel.days import day_of, moment
from libs.kernel.envelope import CommandEnvelope
from libs.kernel.messages import Command
from libs.kernel.wallets import Wallet, wallet_at, wallet_of
from libs.ledger.decider import DECIDER as LEDGER
from tests.kit.ordeal.pit import PIT_NAME, SEATS
from tests.kit.ordeal.virtual_time import Clock

CASHIER, CROUPIER = Actor("cashier-1", "cashier"), Actor("croupier-1", "croupier")
COMMITTEE = Actor("committee-1", "committee_member")
LATELY, LONG_AGO = 500, 3_000
"""How many wishes may come again: the last ones, and some of those before."""
MOST_CENTS = 5_000


@dataclass(frozen=True)
class Letter:
    """One wish on its way to a part of the wallet."""

    part: Wallet
    by: Actor
    command_id: str
    command: Command

    @property
    def raw(self) -> bytes:
        """The wire form."""
        body = msgspec.Raw(msgspec.json.encode(self.command))
        return msgspec.json.encode(CommandEnvelope(self.command_id, self.part.book, self.by, body))


class Network:
    """Letters to inboxes, delivered in any order, some of them twice."""

    def __init__(self, log: EventLog, chance: Random) -> None:
        self._log, self._chance = log, chance
        self._letters: list[tuple[str, bytes, bool]] = []
        self.sent = self.doubled = 0
        """Commands that have arrived at the wallet, and how many of them for a second time; answers do not count."""

    def put(self, shard: str, raw: bytes, *, counts: bool = True) -> None:
        """Take a letter."""
        self._letters.append((shard, raw, counts))

    async def deliver(self, left_behind: int = 0) -> None:
        """Let letters arrive, any of them first, until so many are on their way."""
        letters, chance = self._letters, self._chance
        arriving = []
        while len(letters) > left_behind:
            place = chance.randrange(len(letters))
            letters[place], letters[-1] = letters[-1], letters[place]
            shard, raw, counts = letters[-1]
            arriving.append((shard, raw))
            self.sent += counts
            if chance.random() < 0.1:
                self.doubled += counts
            else:
                letters.pop()
        await self._log.send(arriving)


class Crowd:
    """Players, cashiers, croupiers and committee members, who wish what they may and what they may not."""

    def __init__(self, clock: Clock, players: int, tables: list[str], wallets: int, chance: Random) -> None:
        self._clock, self._chance, self._wallets = clock, chance, wallets
        self._players = [f"player-{number}" for number in range(1, players + 1)]
        self._tables = tables
        self._number = 0
        self._lately: deque[Letter] = deque(maxlen=LATELY)
        self._long_ago: deque[Letter] = deque(maxlen=LONG_AGO)
        self._asked: deque[Letter] = deque(maxlen=20)

    def wish(self) -> Letter:
        """Return a wish: a new one, one that came before, or another one under an id that came before."""
        what = self._chance.random()
        if what < 0.15 and self._lately:
            return self._chance.choice(self._lately)
        if what < 0.18 and self._long_ago:
            return self._long_ago[self._chance.randrange(min(100, len(self._long_ago)))]
        if what < 0.20 and self._lately:
            return self._other_content(self._chance.choice(self._lately))
        letter = self._new_wish()
        self._lately.append(letter)
        if self._chance.random() < 0.01:
            self._long_ago.append(letter)
        if isinstance(letter.command, RequestAdjustment | RequestFill | RequestFloatCredit):
            self._asked.append(letter)
        return letter

    def _other_content(self, before: Letter) -> Letter:
        command = before.command
        if not isinstance(command, Deposit | Withdraw | BuyIn):
            return before
        return Letter(
            before.part, before.by, before.command_id, msgspec.structs.replace(command, amount=command.amount + 1)
        )

    def _new_wish(self) -> Letter:
        chance = self._chance
        player, table, cents = chance.choice(self._players), chance.choice(self._tables), chance.randint(1, MOST_CENTS)
        what = chance.random()
        if what < 0.22:
            return self._letter(wallet_of(player, self._wallets), CASHIER, Deposit(player=player, amount=3 * cents))
        if what < 0.36:
            return self._letter(wallet_of(player, self._wallets), CASHIER, Withdraw(player=player, amount=cents))
        if what < 0.82:
            # Mostly at a seat that few others want.
            seat = self._players.index(player) % SEATS + 1 if chance.random() < 0.8 else chance.randint(1, SEATS)
            wish = BuyIn(pit=PIT_NAME, table=table, seat=seat, amount=cents)
            return self._letter(wallet_of(player, self._wallets), Actor(player, "player"), wish)
        if what < 0.86:
            legs = (Leg(player_account(player), -cents), Leg(HOUSE_BANK, cents))
            wished = RequestAdjustment(legs=legs, reason="an error")
            return self._letter(wallet_of(player, self._wallets), chance.choice((CASHIER, COMMITTEE)), wished)
        if what < 0.90:
            kind = chance.choice((RequestFill, RequestFloatCredit))
            asked = kind(pit=PIT_NAME, table=table, amount=cents, reason="the float")
            return self._letter(wallet_of(table, self._wallets), CROUPIER, asked)
        if what < 0.999 and self._asked:
            return self._word(chance.choice(self._asked))
        part = wallet_at(chance.randrange(self._wallets), self._wallets)
        return self._letter(part, COMMITTEE, OpenGamingDay(day=day_of(self._clock.date_ms())))

    def _word(self, asked: Letter) -> Letter:
        """Approve or decline."""
        who = self._chance.choice((CASHIER, COMMITTEE))
        if self._chance.random() < 0.6:
            return self._letter(asked.part, who, ApproveRequest(request=asked.command_id))
        return self._letter(asked.part, who, DeclineRequest(request=asked.command_id, reason="no"))

    def _letter(self, part: Wallet, by: Actor, command: Command) -> Letter:
        self._number += 1
        # Money goes by the date of the services, all else by the clock of the log's server.
        made_ms = self._clock.date_ms() if type(command) in LEDGER.remembers else self._clock.server_ms()
        return Letter(part, by, f"{by.id}:{moment(made_ms)}/{self._number}", command)
