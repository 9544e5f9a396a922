"""Buy-ins: pend at the player's wish, then post or void as the table says; it is asked until it has said so."""

from msgspec.structs import replace

from libs.kernel import buckets
from libs.kernel.accounts import PENDING_BUY_IN, player_account, seat_account
from libs.kernel.allowances import Allowance
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import SeatCredited, SeatCreditRefused
from libs.kernel.contracts.wallet import BuyIn, BuyInPended, BuyInPosted, BuyInVoided, Leg
from libs.kernel.decider import Accepted, Already, Context, Decision, NotYet
from libs.kernel.ids import credit_id
from libs.kernel.limits import CREDITS_CARRIED, PENDING_BUY_INS, PENDING_BUY_INS_PER_TABLE
from libs.ledger import refusals
from libs.ledger.allowances import visited, words_due
from libs.ledger.entries import entries_for, move
from libs.ledger.limits import buy_in_refused
from libs.ledger.players import known_player
from libs.ledger.state import LedgerDefect, LedgerState, TablePostings
from libs.ledger.transit import split_legs, too_much_in_transit


def buy_in(state: LedgerState, command: BuyIn, context: Context) -> Decision:
    """Hold the money until the table has said whether the seat has the chips."""
    player, amount = context.actor.id, command.amount
    number = state.tables.get(command.table, TablePostings()).buy_ins + 1
    pended = BuyInPended(
        transfer_id=context.command_id,
        player=player,
        pit=command.pit,
        table=command.table,
        seat=command.seat,
        amount=amount,
        number=number,
        oldest=min((waits.number for waits in state.pending.values() if waits.table == command.table), default=number),
        entries=entries_for(state, (Leg(player_account(player), -amount), Leg(PENDING_BUY_IN, amount))),
        day=state.day,
    )
    # The ids that the buy-in leads to must fit as well, or its table could never answer.
    longest = max(credit_id(context.command_id), seat_account(command.table, command.seat), key=len)
    decision = move(state, pended, longest, context)
    if not isinstance(decision, Accepted):
        return decision
    if _too_many_pending(state, command.table):
        return refusals.TOO_MANY_PENDING
    return buy_in_refused(state, player, amount) or _with_words(state, pended)


def _with_words(state: LedgerState, pended: BuyInPended) -> Decision:
    """Return the buy-in with what its table must know before the chips are there, and what others must.

    The word that stands goes along too: while the player had no chips there, the table may have forgotten it.
    """
    known = visited(known_player(state, pended.player), pended, state.day)
    words = words_due(pended.player, known, state.day)
    new = next((word for word in words if word.table == pended.table), None)
    stands = known.tables[pended.table]
    if new is not None or stands.cents is not None:
        there = new or stands
        pended = replace(pended, allowance=Allowance(there.number, there.cents, there.code))
    return Accepted((pended, *words))


def _too_many_pending(state: LedgerState, table: str) -> bool:
    """Tell whether a table, or all of them, leave too much waiting.

    A table remembers its answers from the oldest buy-in on that waits here. No buy-in may wait while so many newer ones
    pass it that this becomes more than `CREDITS_CARRIED`.
    """
    if not state.pending:
        return False
    of_table = [pended.number for pended in state.pending.values() if pended.table == table]
    if len(of_table) >= PENDING_BUY_INS_PER_TABLE or len(state.pending) >= PENDING_BUY_INS:
        return True
    newer = state.tables.get(table, TablePostings()).buy_ins - min(of_table, default=0)
    return bool(of_table) and newer >= CREDITS_CARRIED - PENDING_BUY_INS_PER_TABLE


def hear_credit(state: LedgerState, command: Answered) -> Decision:
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
        legs, sent = split_legs(state, (Leg(PENDING_BUY_IN, -pended.amount), Leg(seat, pended.amount)))
        if too_much_in_transit(state, sent):
            return NotYet(f"buy-in {transfer_id} waits until {sent[0].to} has received what is on its way")
        return Accepted((BuyInPosted(transfer_id=transfer_id, entries=entries_for(state, legs), sent=sent),))
    code = _refusal_code(command, transfer_id)
    if code is not None:
        back = (Leg(PENDING_BUY_IN, -pended.amount), Leg(player_account(pended.player), pended.amount))
        return Accepted((BuyInVoided(transfer_id=transfer_id, code=code, entries=entries_for(state, back)),))
    return NotYet(f"the answer to buy-in {transfer_id} says neither credited nor refused")


def _refusal_code(command: Answered, transfer_id: str) -> str | None:
    """Return why the table will not credit the seat: it recorded so, or had no stream yet to record it in."""
    if command.refusal is not None:
        return command.refusal.code
    refused = (e for e in command.events if isinstance(e, SeatCreditRefused) and e.transfer_id == transfer_id)
    return next((event.code for event in refused), None)
