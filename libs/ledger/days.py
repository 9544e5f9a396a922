"""From one gaming day to the next: close with a count, open, bring forward in pieces that must come to that count."""

from libs.kernel import buckets
from libs.kernel.contracts.wallet_cards import Card
from libs.kernel.contracts.wallet_days import (
    AllBroughtForward,
    BroughtForward,
    Count,
    LedgerClosed,
    LedgerOpened,
    OpenGamingDay,
    PostedUpTo,
    Transfer,
)
from libs.kernel.contracts.wallet_limits import Player
from libs.kernel.days import days_before, is_date, week_of
from libs.kernel.decider import Accepted, Already, Context, Decision
from libs.kernel.ids import date_of
from libs.kernel.limits import BRING_FORWARD_ENTRIES, BRING_FORWARD_PIECES, GAMING_DAYS_AHEAD, TRANSFER_DAYS_REMEMBERED
from libs.kernel.messages import Event
from libs.ledger import refusals
from libs.ledger.allowances import renewed
from libs.ledger.players import settled
from libs.ledger.state import Bringing, LedgerDefect, LedgerState, count


def first_opening(context: Context, day: str = "") -> LedgerOpened:
    """Return the first event of a fresh ledger."""
    remembers_from = days_before(context.now_ms, TRANSFER_DAYS_REMEMBERED)
    return LedgerOpened(book=context.book, day=day, remembers_from=remembers_from)


def open_gaming_day(state: LedgerState, command: OpenGamingDay, context: Context) -> Decision:
    """Close the running day and open the next; days only grow, and each is opened once.

    A day far ahead would keep the site's clock from opening any until then: all play would be booked on it.
    """
    if state.opened and command.day == state.day:
        return Already()
    if not is_date(command.day):
        return refusals.DAY_UNKNOWN
    if command.day > days_before(context.now_ms, -GAMING_DAYS_AHEAD):
        return refusals.DAY_AHEAD
    if not state.opened:
        return Accepted((first_opening(context, command.day),))
    if command.day < state.day:
        return refusals.DAY_CLOSED
    if state.bringing is not None:
        return refusals.DAY_OPENING
    counted = count(state)
    closed = LedgerClosed(day=state.day, events=state.events + 1, count=counted)
    opened = LedgerOpened(
        book=context.book,
        pending=tuple(state.pending.values()),
        tables=tuple(
            PostedUpTo(name, book.session, book.number, book.last, book.finished, book.buy_ins, book.float_moves)
            for name, book in state.tables.items()
        ),
        requests=tuple(state.requests.values()),
        channels=state.channels,
        day=command.day,
        # Never earlier than before: a forgotten id must not be taken for a new one when a clock is set back.
        remembers_from=max(state.remembers_from, days_before(context.now_ms, TRANSFER_DAYS_REMEMBERED)),
        brings=counted,
    )
    return Accepted((closed, opened))


def bring_forward(state: LedgerState) -> Decision:
    """Write the next pieces; after the last of them, that all is there."""
    bringing = state.bringing
    if bringing is None:
        return Accepted()
    events: list[Event] = []
    leaf, done = bringing.leaf, bringing.done
    while leaf < buckets.LEAVES and len(events) < BRING_FORWARD_PIECES:
        piece = _piece(state, bringing, leaf)
        events.append(piece)
        leaf, done = piece.last + 1, added(done, piece)
    if leaf == buckets.LEAVES:
        if done != bringing.expected:
            raise LedgerDefect(f"{done} was brought forward, the closing has counted {bringing.expected}")
        events.append(AllBroughtForward(count=done))
    return Accepted(tuple(events))


def added(done: Count, piece: BroughtForward) -> Count:
    """Return the count with one more piece."""
    credit = sum(cents for cents in piece.balances.values() if cents > 0)
    return Count(done.accounts + len(piece.balances), done.credit + credit, done.cards + len(piece.cards))


def _piece(state: LedgerState, bringing: Bringing, first: int) -> BroughtForward:
    """Return whole leaves from `first` on, until there are enough entries for one piece."""
    balances: dict[str, int] = {}
    transfers: list[Transfer] = []
    cards: dict[str, Card] = {}
    refused: dict[str, int] = {}
    players: dict[str, Player] = {}
    leaf = first
    while (
        leaf < buckets.LEAVES and sum(map(len, (balances, transfers, cards, refused, players))) < BRING_FORWARD_ENTRIES
    ):
        cards |= buckets.leaf(state.cards, leaf)
        players |= _still_known(buckets.leaf(state.players, leaf), state.day)
        touched = buckets.leaf(bringing.touched, leaf)
        for account, cents in buckets.leaf(state.balances, leaf).items():
            at_opening = touched.get(account, cents)
            if at_opening:
                balances[account] = at_opening
        transfers += [
            transfer
            for transfer_id, transfer in buckets.leaf(state.transfers, leaf).items()
            if transfer.outcome == "pending" or (date_of(transfer_id) or "") >= state.remembers_from
        ]
        refused |= {
            key: number
            for key, number in buckets.leaf(state.refused, leaf).items()
            if (date_of(key) or "") >= state.remembers_from
        }
        leaf += 1
    return BroughtForward(
        first=first,
        last=leaf - 1,
        balances=balances,
        transfers=tuple(transfers),
        cards=cards,
        refused=refused,
        players=players,
    )


def _still_known(players: dict[str, Player], today: str) -> dict[str, Player]:
    """Return what is still to be known of players: who only moved money in a week that is over is forgotten."""
    found = {}
    for name, before in players.items():
        known = renewed(name, settled(before, today), today)
        if known.history or known.tables or week_of(known.as_of) == week_of(today):
            found[name] = known
    return found
