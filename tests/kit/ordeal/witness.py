"""Somebody who knows nothing of ledgers but arithmetic, and looks at every event in the order of the log."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from libs.eventlog.api import Batch
from libs.eventlog.chain import decode_record
from libs.kernel.accounts import may_be_overdrawn, transit_account
from libs.kernel.contracts.wallet import Entry, Sent
from libs.kernel.contracts.wallet_days import AllBroughtForward, BroughtForward, LedgerOpened
from libs.kernel.contracts.wallet_transit import TransferReceived
from libs.kernel.envelope import EventRecord, FeedEntry
from libs.kernel.ids import split_stream
from libs.kernel.messages import Event, tag_of
from libs.kernel.wallets import home_of
from libs.ledger.entries import sums
from libs.runtime.kinds import WALLET
from tests.kit.effects import effect_of

ANOTHER_OR_FORGOTTEN = frozenset({"command.conflict", "transfer.conflict", "transfer.too_old"})
"""How an id that was answered may be refused later: its content is another, or it is too old to be told apart."""


class Witness:
    """Checks each prefix of each part's log, and the answers to each command; raises at the first fault."""

    def __init__(self, parts: Iterable[str]) -> None:
        self.accounts: dict[str, dict[str, int]] = {part: {} for part in parts}
        """Cents by account, of each part."""
        self.events = 0
        self.kinds: Counter[str] = Counter()
        """Events by tag."""
        self.refusals: Counter[str] = Counter()
        """Refused commands by code, repetitions included."""
        self.repeats = 0
        """Wishes that came again and got the same answer: the same fact, or the same refusal."""
        self.days: set[str] = set()
        self.waiting: set[str] = set()
        """Ids of people's commands that have no answer yet."""
        self._effects: set[str] = set()
        self._granted: dict[str, int] = {}
        self._refused: dict[str, str] = {}
        self._day = dict.fromkeys(self.accounts, "")
        self._left: dict[str, dict[str, int]] = {part: {} for part in self.accounts}
        """What accounts had at the opening of the running day, and is not yet brought forward."""
        self._on_the_way: dict[tuple[str, str, int], dict[str, int]] = {}
        """What one part has sent and another has not received: from, to, and number; cents by account."""
        self._feed = msgspec.json.Decoder(FeedEntry)

    @property
    def on_the_way(self) -> int:
        """How many transfers between two parts were sent and have not arrived."""
        return len(self._on_the_way)

    @property
    def effects(self) -> int:
        """How many different things have happened, each once."""
        return len(self._effects)

    def see(self, shard: str, batch: Batch) -> None:
        """Look at what was just appended."""
        if shard not in self.accounts:
            return
        for one in batch.appends:
            for raw in one.records:
                record = decode_record(raw)
                self._see_event(shard, split_stream(one.stream)[0], WALLET.codec.decode_event(bytes(record.body)))
        for raw in batch.feed:
            self._see_answer(self._feed.decode(raw))
        assert not batch.parked, f"{shard} has parked a command: {batch.parked}"

    def _see_event(self, shard: str, book: str, event: Event) -> None:
        self.events += 1
        self.kinds[tag_of(event)] += 1
        if isinstance(event, LedgerOpened):
            self._day[shard] = event.day
            self.days.add(event.day)
            self._left[shard] = {account: cents for account, cents in self.accounts[shard].items() if cents}
        effect = f"{shard} {effect_of(event, self._day[shard])}"
        assert effect not in self._effects, f"{book}: a second {event}"
        self._effects.add(effect)
        entries: tuple[Entry, ...] = getattr(event, "entries", ())
        self._apply(shard, entries)
        self._cross(shard, event, entries)
        if isinstance(event, BroughtForward):
            self._bring(shard, event)
        if isinstance(event, AllBroughtForward):
            assert not self._left[shard], f"{book}: not brought forward: {self._left[shard]}"

    def _apply(self, shard: str, entries: Iterable[Entry]) -> None:
        """Sum zero, balances that continue, nobody below zero: true of each event, so of each prefix."""
        accounts, total = self.accounts[shard], 0
        for entry in entries:
            home = home_of(entry.account, len(self.accounts))
            assert home is None or shard == f"wallet-{home}", f"{shard} moves {entry.account}"
            assert accounts.get(entry.account, 0) == entry.before, f"{shard}: {entry} does not continue the log"
            assert entry.before + entry.amount == entry.after
            assert entry.after >= 0 or may_be_overdrawn(entry.account), f"{shard}: {entry} is below zero"
            accounts[entry.account] = entry.after
            total += entry.amount
        assert total == 0, f"{shard}: {total} cents were made or lost"

    def _cross(self, shard: str, event: Event, entries: Sequence[Entry]) -> None:
        """What is booked as sent is on its way, by its number; what is received is what was on its way."""
        sent: tuple[Sent, ...] = getattr(event, "sent", ())
        due = {transit_account(one.to): sum(leg.amount for leg in one.legs) for one in sent}
        for one in sent:
            self._on_the_way[shard, one.to, one.number] = sums(one.legs)
        if isinstance(event, TransferReceived):
            arrived = self._on_the_way.pop((event.origin, shard, event.number))
            assert {e.account: e.amount for e in entries if e.account in arrived} == arrived, f"{shard}: {event}"
            due[transit_account(event.origin)] = -sum(arrived.values())
        booked = {entry.account: entry.amount for entry in entries if entry.account.startswith("transit:")}
        assert booked == due, f"{shard}: {event} sends or receives other money than it books"

    def _bring(self, shard: str, event: BroughtForward) -> None:
        for account, cents in event.balances.items():
            assert self._left[shard].pop(account, None) == cents, f"{shard} brings {account} forward with {cents}"

    def _see_answer(self, entry: FeedEntry) -> None:
        """A wish gets the same answer for ever, a yes with the same fact or a no with the same code."""
        answer = entry.answer
        if answer is None:
            return
        self.waiting.discard(answer.id)
        if answer.refusal is not None:
            self._see_refusal(answer.id, answer.refusal.code, entry.events)
            return
        assert answer.id not in self._refused, f"{answer.id} was refused, and now it is granted"
        bodies = [bytes(body) for body in answer.events or tuple(record.body for record in entry.events)]
        if not bodies or f'"transfer_id":"{answer.id}"'.encode() not in bodies[-1]:
            return  # it is no transfer of money
        fact = hash(bodies[-1])
        if answer.id in self._granted:
            assert self._granted[answer.id] == fact, f"another answer to {answer.id}: {bodies[-1]!r}"
            self.repeats += 1
        self._granted[answer.id] = fact

    def _see_refusal(self, command_id: str, code: str, facts: Sequence[EventRecord]) -> None:
        self.refusals[code] += 1
        if code in ANOTHER_OR_FORGOTTEN:
            return
        assert command_id not in self._granted, f"{command_id} was granted, and now it is refused: {code}"
        if facts:
            self._refused[command_id] = code
        elif command_id in self._refused:
            assert self._refused[command_id] == code, f"another refusal of {command_id}: {code}"
            self.repeats += 1
