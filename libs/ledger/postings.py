"""What tables say of money: numbered postings, each once, in order, and never half of it (ADR 0004)."""

from libs.kernel.accounts import seat_number, table_may_move
from libs.kernel.contracts.wallet import Entry, PostFromTable, Sent, TablePosted
from libs.kernel.decider import Accepted, Already, Context, Decision, NotYet
from libs.kernel.limits import SESSIONS_REMEMBERED
from libs.kernel.money import balanced
from libs.kernel.wallets import place_of
from libs.ledger.entries import entries_for, overdrawn, sums
from libs.ledger.state import LedgerDefect, LedgerState, TablePostings, pending_on_seat
from libs.ledger.transit import split_legs, too_much_in_transit, wished

REASONS = frozenset({"float_opened", "coup", "release", "cash_out", "float_closed"})
"""Why a table posts."""


def post(state: LedgerState, command: PostFromTable, _: Context) -> Decision:
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
    _check(command, which)
    legs, sent = split_legs(state, command.legs)
    if too_much_in_transit(state, sent):
        return NotYet(f"{which} waits until another wallet has received what is on its way")
    entries = entries_for(state, legs)
    for entry in overdrawn(entries):
        # The seat may already play with a buy-in whose answer is still on its way here, or to another wallet's part.
        waiting = pending_on_seat(state, command.table, seat_number(entry.account))
        if entry.after + waiting >= 0 or place_of(state.book)[1] > 1:
            return NotYet(f"{which} needs a buy-in for {entry.account} that is not posted yet")
        raise LedgerDefect(f"{which} overdraws {entry.account}: {entry.before} {entry.amount:+} cents")
    return Accepted((_posted(command, entries, sent),))


def _check(command: PostFromTable, which: str) -> None:
    if command.reason not in REASONS:
        raise LedgerDefect(f"{which}: unknown reason {command.reason}")
    if not balanced([leg.amount for leg in command.legs]):
        raise LedgerDefect(f"{which}: the legs do not sum to zero: {command.legs}")
    for account, amount in sums(command.legs).items():
        if not table_may_move(command.table, account, amount):
            raise LedgerDefect(f"{which}: a table may not move {amount} cents on {account}")


def _posted_before(book: TablePostings, command: PostFromTable, *, newest: bool) -> TablePosted:
    """Return the answer to a posting that is in the ledger: the facts if remembered, else that it is there."""
    if not newest or book.last is None:
        return _posted(command, ())
    if (book.last.reason, wished(book.last.entries, book.last.sent)) != (command.reason, sums(command.legs)):
        raise LedgerDefect(f"the table repeats posting {command.number} with other content: {command}, was {book.last}")
    return book.last


def _posted(command: PostFromTable, entries: tuple[Entry, ...], sent: tuple[Sent, ...] = ()) -> TablePosted:
    return TablePosted(
        table=command.table,
        session=command.session,
        number=command.number,
        reason=command.reason,
        entries=entries,
        sent=sent,
    )
