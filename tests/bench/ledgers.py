"""Big ledgers: what an account costs in memory, and how long a wallet that takes over needs until it can go on.

Two kinds. A day's volume has all accounts brought forward in pieces, as every volume but the first: that is the
snapshot, and what was posted since is its tail. A first volume has nothing but the deposits that made the accounts.
"""

import json
import subprocess
import sys
from base64 import b32encode
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random

import msgspec
import uvloop

from libs.eventlog.api import Batch, Head, Owned, StreamAppend
from libs.eventlog.chain import seal
from libs.eventlog.redis_log import RedisLog
from libs.kernel import buckets
from libs.kernel.accounts import CAGE, player_account
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.contracts.wallet import Deposited, Entry
from libs.kernel.contracts.wallet_days import LedgerClosed, LedgerOpened, OpenGamingDay
from libs.kernel.decider import Accepted, Context
from libs.kernel.ids import LEDGER, WALLET_SHARD, stream_name
from libs.kernel.messages import Command, Event, Tick
from libs.ledger.decider import DECIDER
from libs.ledger.state import LedgerState, whole
from libs.runtime.answers import Answers
from libs.runtime.deciding import Decisions
from libs.runtime.kinds import WALLET
from libs.runtime.plan import Book
from tests.bench import loop

NOW_MS = 1_790_000_000_000
TODAY, TOMORROW = "2026-09-21", "2026-09-22"
_CASHIER = Actor("cashier-1", "cashier")
_PAGE = 200
"""Events appended in one script call."""


class Ledger(msgspec.Struct, frozen=True, tag="ledger"):
    """A line of the table: a ledger of so many accounts, loaded by a process that takes over."""

    name: str
    accounts: int
    events: int
    seconds: float
    """From the start of the take-over until the first command could be handled."""
    bytes_per_account: float
    """What the process grew by, by account."""


def brought_forward(url: str, site: str, accounts: int, postings: Sequence[bytes]) -> Ledger:
    """Measure a day's volume: all accounts brought forward, then postings of tables."""
    records, book = _day(accounts)
    name = "brought forward, and a tail of postings"
    return _measure(name, url, site, accounts, book.volume, [*records, *_posted(book, postings)])


def deposited(url: str, site: str, accounts: int) -> Ledger:
    """Measure a first volume: a deposit for each account, which the ledger still remembers."""
    name = "a first volume, one deposit each"
    return _measure(name, url, site, accounts, 1, _sealed(1, _deposits(accounts)))


# -- what the logs hold --------------------------------------------------------------------------------------------
def players(count: int) -> Iterator[str]:
    """Yield pseudonyms as the register of persons makes them."""
    random = Random(1)
    return (f"p-{b32encode(random.randbytes(10)).decode().lower()}" for _ in range(count))


def _day(accounts: int) -> tuple[list[bytes], Book]:
    """Return the records of a volume that the rules open over so many accounts, and the book after them."""
    cents = {player_account(player): 100 + number for number, player in enumerate(players(accounts))}
    cents[CAGE] = -sum(cents.values())
    state = LedgerState(book=LEDGER, opened=True, day=TODAY, balances=buckets.put(buckets.empty(), cents))
    found: list[Event] = []
    command: Command = OpenGamingDay(day=TOMORROW)
    while not found or not whole(state):
        decision = DECIDER.decide(state, command, Context(NOW_MS, SYSTEM, "day", LEDGER))
        assert isinstance(decision, Accepted)
        for event in decision.events:
            state = DECIDER.evolve(state, event)
        found += decision.events
        command = Tick()
    closed, *of_the_day = found
    assert isinstance(closed, LedgerClosed)
    records = list(_sealed(2, of_the_day))
    return records, Book(LEDGER, 2, _head_of(records), state)


def _posted(book: Book, commands: Sequence[bytes]) -> list[bytes]:
    """Return the records that postings lead to after those of a book."""
    decisions = Decisions(WALLET_SHARD, WALLET.decider, WALLET.codec, {LEDGER: book}, Answers(), frozenset({LEDGER}))
    plan = decisions.decide([(f"{place}-0", raw) for place, raw in enumerate(commands, start=1)], NOW_MS)
    return plan.streams[book.stream][1]


def _deposits(accounts: int) -> Iterator[Event]:
    yield LedgerOpened(book=LEDGER, day=TODAY, remembers_from=TODAY)
    for number, player in enumerate(players(accounts)):
        entries = (Entry(CAGE, -500, -500 * number, -500 * (number + 1)), Entry(player_account(player), 500, 0, 500))
        yield Deposited(transfer_id=f"cashier-1:{TODAY}/{number}", entries=entries)


def _sealed(volume: int, events: Iterable[Event]) -> Iterator[bytes]:
    head, stream = Head(), stream_name(LEDGER, volume)
    for event in events:
        cause = getattr(event, "transfer_id", "day")
        record, head = seal(head, stream, NOW_MS, _CASHIER, cause, event)
        yield record


def _head_of(records: Sequence[bytes]) -> Head:
    return Head(len(records), json.loads(records[-1])["hash"])


# -- how it is measured --------------------------------------------------------------------------------------------
def _measure(name: str, url: str, site: str, accounts: int, volume: int, records: Iterable[bytes]) -> Ledger:
    events = uvloop.run(_fill(url, site, stream_name(LEDGER, volume), records))
    # In a process of its own: this one is full of what it has made for the log.
    said = subprocess.run(
        [sys.executable, "-m", "tests.bench.takeover", url, site], check=True, capture_output=True, text=True
    )
    took = json.loads(said.stdout)
    return Ledger(name, accounts, events, took["seconds"], took["grown"] / accounts)


async def _fill(url: str, site: str, stream: str, records: Iterable[bytes]) -> int:
    log, head, left = RedisLog(url, site), Head(), iter(records)
    owned = await log.acquire(WALLET_SHARD, "bench", loop.LEASE_MS)
    assert isinstance(owned, Owned)
    while page := tuple(islice(left, _PAGE)):
        after = Head(head.version + len(page), json.loads(page[-1])["hash"])
        await log.append(WALLET_SHARD, Batch(owned.epoch, "0-0", "0-0", (StreamAppend(stream, head, after, page),)))
        head = after
    assert await log.release(WALLET_SHARD, owned.epoch)
    await log.close()
    return head.version
