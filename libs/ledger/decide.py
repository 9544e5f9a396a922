"""The ledger's decisions: who may move which money, once per id, in entries that show before and after.

Deposit and Withdraw are a cashier's, BuyIn is a player's own, PostFromTable and the answers of tables come from our
services. What a person may not do is refused; what a service may not say is a `LedgerDefect`.
"""

from collections.abc import Sequence

import msgspec

from libs.kernel import buckets
from libs.kernel.accounts import (
    CAGE,
    PENDING_BUY_IN,
    may_be_overdrawn,
    player_account,
    seat_account,
    seat_number,
    table_may_move,
)
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import SeatCredited, SeatCreditRefused
from libs.kernel.contracts.wallet import (
    BuyIn,
    BuyInPended,
    BuyInPosted,
    BuyInVoided,
    Deposit,
    Deposited,
    Entry,
    Leg,
    PostFromTable,
    TablePosted,
    Withdraw,
    Withdrawn,
)
from libs.kernel.contracts.wallet_days import LedgerOpened, MoneyMoved, OpenGamingDay
from libs.kernel.days import days_before
from libs.kernel.decider import Accepted, Already, Context, Decision, NotYet
from libs.kernel.ids import credit_id, date_of
from libs.kernel.limits import (
    MAX_CENTS,
    MAX_ID_CHARS,
    PENDING_BUY_INS,
    PENDING_BUY_INS_PER_TABLE,
    SESSIONS_REMEMBERED,
    TRANSFER_DAYS_AHEAD,
)
from libs.kernel.messages import Command, Tick, tag_of
from libs.kernel.money import balanced
from libs.kernel.refusals import Refusal
from libs.ledger import refusals
from libs.ledger.days import bring_forward, first_opening, open_gaming_day
from libs.ledger.roles import ROLES
from libs.ledger.state import LedgerDefect, LedgerState, TablePostings, balance, pending_on_seat

REASONS = frozenset({"float_opened", "coup", "release", "cash_out", "float_closed"})
"""Why a table posts."""


def decide(state: LedgerState, command: Command, context: Context) -> Decision:
    """Decide one command. The first facts of a fresh ledger open its volume."""
    decision = _decide(state, command, context)
    if state.opened or not isinstance(decision, Accepted) or not decision.events:
        return decision
    if isinstance(decision.events[0], LedgerOpened):
        return decision
    return Accepted((first_opening(context), *decision.events))


def _decide(state: LedgerState, command: Command, context: Context) -> Decision:
    if type(command) not in ROLES:
        raise LedgerDefect(f"the ledger knows no command {tag_of(command)}")
    if context.actor.role not in ROLES[type(command)]:
        return refusals.ROLE_NOT_ALLOWED
    match command:
        case PostFromTable():
            return _post(state, command)
        case BuyIn():
            return _buy_in(state, command, context)
        case Answered():
            return _hear(state, command)
        case Deposit() | Withdraw():
            return _at_the_cage(state, command, context)
        case OpenGamingDay():
            return open_gaming_day(state, command, context)
        case Tick():
            return bring_forward(state)
        case _:
            raise LedgerDefect(f"the ledger knows no command {tag_of(command)}")


# -- what people wish ---------------------------------------------------------------------------------------------
def _at_the_cage(state: LedgerState, command: Deposit | Withdraw, context: Context) -> Decision:
    account, amount = player_account(command.player), command.amount
    if isinstance(command, Deposit):
        entries = _entries(state, (Leg(CAGE, -amount), Leg(account, amount)))
        return _move(state, Deposited(transfer_id=context.command_id, entries=entries), account, context)
    entries = _entries(state, (Leg(account, -amount), Leg(CAGE, amount)))
    return _move(state, Withdrawn(transfer_id=context.command_id, entries=entries), account, context)


def _buy_in(state: LedgerState, command: BuyIn, context: Context) -> Decision:
    player, amount = context.actor.id, command.amount
    pended = BuyInPended(
        transfer_id=context.command_id,
        player=player,
        pit=command.pit,
        table=command.table,
        seat=command.seat,
        amount=amount,
        entries=_entries(state, (Leg(player_account(player), -amount), Leg(PENDING_BUY_IN, amount))),
    )
    # The ids that the buy-in leads to must fit as well, or its table could never answer.
    longest = max(credit_id(context.command_id), seat_account(command.table, command.seat), key=len)
    decision = _move(state, pended, longest, context)
    if isinstance(decision, Accepted) and _too_many_pending(state, command.table):
        return refusals.TOO_MANY_PENDING
    return decision


def _move(state: LedgerState, candidate: MoneyMoved, longest: str, context: Context) -> Decision:
    """Decide a person's transfer: once per id, never overdrawn. `longest` is the longest id that must fit."""
    known = buckets.find(state.transfers, candidate.transfer_id)
    if known is not None:
        return Already((known.event,)) if _content(known.event) == _content(candidate) else refusals.CONFLICT
    refusal = _not_new(state, candidate.transfer_id, context.now_ms)
    if refusal is not None:
        return refusal
    if len(longest) > MAX_ID_CHARS:
        return refusals.NAME_TOO_LONG
    if _overdrawn(candidate.entries):
        return refusals.INSUFFICIENT
    # A withdrawal may leave more than the maximum (a great win is paid whatever it comes to); nothing may be added.
    if any(e.amount > 0 and e.after > MAX_CENTS and not may_be_overdrawn(e.account) for e in candidate.entries):
        return refusals.OVER_MAXIMUM
    return Accepted((candidate,))


def _not_new(state: LedgerState, transfer_id: str, now_ms: int) -> Refusal | None:
    """Refuse an id that cannot be told from a forgotten one: that is what makes "once" true for ever.

    Ids are forgotten by their own date and never before it has passed, so whatever is dated `remembers_from` or later
    and is not remembered was never done. No clock is trusted for it: only how long ids are kept depends on clocks.
    """
    dated = date_of(transfer_id)
    if dated is None:
        return refusals.UNDATED
    if dated < state.remembers_from:
        return refusals.too_old(dated)
    return refusals.DATED_AHEAD if dated > days_before(now_ms, -TRANSFER_DAYS_AHEAD) else None


def _content(event: MoneyMoved) -> MoneyMoved:
    """Return the event without the balances, which are not part of what was wished."""
    bare = tuple(Entry(e.account, e.amount, 0, 0) for e in event.entries)
    return msgspec.structs.replace(event, entries=bare)


def _too_many_pending(state: LedgerState, table: str) -> bool:
    if len(state.pending) < PENDING_BUY_INS_PER_TABLE:
        return False
    of_table = sum(p.table == table for p in state.pending.values())
    return len(state.pending) >= PENDING_BUY_INS or of_table >= PENDING_BUY_INS_PER_TABLE


# -- what tables say ----------------------------------------------------------------------------------------------
def _hear(state: LedgerState, command: Answered) -> Decision:
    """Decide the answer to `CreditSeat`: credited, so post the buy-in; refused, so void it."""
    transfer_id = command.to.removeprefix("credit:")
    known = buckets.find(state.transfers, transfer_id) if command.to == credit_id(transfer_id) else None
    credit = next((e for e in command.events if isinstance(e, SeatCredited) and e.transfer_id == transfer_id), None)
    if known is not None and known.outcome == "voided" and credit is not None:
        raise LedgerDefect(f"the table refused buy-in {transfer_id}, it was voided, and now the seat has the money")
    pended = state.pending.get(transfer_id) if known is not None else None
    if pended is None:
        return Already()
    if credit is not None:
        if (credit.player, credit.seat, credit.amount) != (pended.player, pended.seat, pended.amount):
            raise LedgerDefect(f"the table credited something else than buy-in {transfer_id}: {credit}")
        seat = seat_account(pended.table, pended.seat)
        entries = _entries(state, (Leg(PENDING_BUY_IN, -pended.amount), Leg(seat, pended.amount)))
        return Accepted((BuyInPosted(transfer_id=transfer_id, entries=entries),))
    code = _refusal_code(command, transfer_id)
    if code is not None:
        back = (Leg(PENDING_BUY_IN, -pended.amount), Leg(player_account(pended.player), pended.amount))
        return Accepted((BuyInVoided(transfer_id=transfer_id, code=code, entries=_entries(state, back)),))
    return NotYet(f"the answer to buy-in {transfer_id} says neither credited nor refused")


def _refusal_code(command: Answered, transfer_id: str) -> str | None:
    """Return why the table will not credit the seat: it recorded so, or had no stream yet to record it in."""
    if command.refusal is not None:
        return command.refusal.code
    refused = (e for e in command.events if isinstance(e, SeatCreditRefused) and e.transfer_id == transfer_id)
    return next((event.code for event in refused), None)


def _post(state: LedgerState, command: PostFromTable) -> Decision:
    """Decide a table's posting: each number of a session once, in order, and never half of it."""
    which = f"posting {command.table}/{command.session}/{command.number}"
    book = state.tables.get(command.table, TablePostings())
    current = command.session == book.session
    last = book.number if current else book.finished.get(command.session, 0)
    if command.session < 1 or command.number < 1:
        raise LedgerDefect(f"{which}: sessions and numbers count from 1")
    if command.number <= last:
        return Already((_posted_before(book, command, newest=current and command.number == last),))
    if len(book.finished) >= SESSIONS_REMEMBERED and command.session < min(book.finished):
        # Its table could only open later sessions because this one was posted whole: nobody waits for the answer.
        return NotYet(f"{which} is of a session that is no longer remembered")
    if command.session < book.session:
        raise LedgerDefect(f"{which}: the table already posts for session {book.session}")
    if command.number > last + 1:
        return NotYet(f"{which} must wait for number {last + 1}")
    entries = _checked(state, command, which)
    for entry in _overdrawn(entries):
        # The seat may already play with a buy-in whose answer is still on its way here; it will come.
        if entry.after + pending_on_seat(state, command.table, seat_number(entry.account)) >= 0:
            return NotYet(f"{which} needs a buy-in for {entry.account} that is not posted yet")
        raise LedgerDefect(f"{which} overdraws {entry.account}: {entry.before} {entry.amount:+} cents")
    return Accepted((_posted(command, entries),))


def _checked(state: LedgerState, command: PostFromTable, which: str) -> tuple[Entry, ...]:
    if command.reason not in REASONS:
        raise LedgerDefect(f"{which}: unknown reason {command.reason}")
    if not balanced([leg.amount for leg in command.legs]):
        raise LedgerDefect(f"{which}: the legs do not sum to zero: {command.legs}")
    entries = _entries(state, command.legs)
    for entry in entries:
        if not table_may_move(command.table, entry.account, entry.amount):
            raise LedgerDefect(f"{which}: a table may not move {entry.amount} cents on {entry.account}")
    return entries


def _posted_before(book: TablePostings, command: PostFromTable, *, newest: bool) -> TablePosted:
    """Return the answer to a posting that is in the ledger: the facts if remembered, else that it is there."""
    if not newest or book.last is None:
        return _posted(command, ())
    if (book.last.reason, _sums(book.last.entries)) != (command.reason, _sums(command.legs)):
        raise LedgerDefect(f"the table repeats posting {command.number} with other content: {command}, was {book.last}")
    return book.last


def _posted(command: PostFromTable, entries: tuple[Entry, ...]) -> TablePosted:
    return TablePosted(
        table=command.table, session=command.session, number=command.number, reason=command.reason, entries=entries
    )


# -- entries ------------------------------------------------------------------------------------------------------
def _entries(state: LedgerState, legs: Sequence[Leg]) -> tuple[Entry, ...]:
    """Return what the legs do: one entry per account, in the order in which the accounts are first named."""
    entries = []
    for account, amount in _sums(legs).items():
        before = balance(state, account)
        entries.append(Entry(account, amount, before, before + amount))
    return tuple(entries)


def _sums(legs: Sequence[Leg] | Sequence[Entry]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for leg in legs:
        sums[leg.account] = sums.get(leg.account, 0) + leg.amount
    return sums


def _overdrawn(entries: Sequence[Entry]) -> list[Entry]:
    return [e for e in entries if e.after < 0 and not may_be_overdrawn(e.account)]
