"""What the ledger waits for: tables that must credit a seat, move their float or hear of a limit; each until it has."""

from libs.kernel.contracts.table import CreditSeat, MoveFloat, Turn
from libs.kernel.decider import Outgoing
from libs.kernel.ids import credit_id, float_id
from libs.ledger import allowances, transit
from libs.ledger.requests import float_change
from libs.ledger.state import LedgerState


def react(state: LedgerState) -> list[Outgoing]:
    """Return words about players, one `CreditSeat` per pending buy-in, one `MoveFloat` per table, oldest transfers."""
    return [*allowances.owed(state), *_credits(state), *_float_moves(state), *transit.owed(state)]


def _credits(state: LedgerState) -> list[Outgoing]:
    return [
        Outgoing(
            command_id=credit_id(transfer_id),
            shard=pended.pit,
            book=pended.table,
            command=CreditSeat(
                transfer_id=transfer_id,
                player=pended.player,
                seat=pended.seat,
                amount=pended.amount,
                allowance=pended.allowance,
                turn=Turn(state.book, pended.number, pended.oldest) if pended.oldest else None,
            ),
        )
        for transfer_id, pended in state.pending.items()
    ]


def _float_moves(state: LedgerState) -> list[Outgoing]:
    """Return the oldest approved move of each table's float: they are made one at a time, in the order of approval."""
    first: dict[str, Outgoing] = {}
    approved = [found for found in state.requests.values() if found.approved is not None]
    for found in sorted(approved, key=lambda found: found.approved.number if found.approved else 0):
        pended, number = found.pended, found.approved.number if found.approved else 0
        command = MoveFloat(number=number, request=pended.transfer_id, amount=float_change(found))
        first.setdefault(pended.table, Outgoing(float_id(pended.transfer_id), pended.pit, pended.table, command))
    return list(first.values())
