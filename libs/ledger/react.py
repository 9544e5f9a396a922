"""What the ledger waits for: tables that must put bought chips on a seat, until each has said yes or no."""

from libs.kernel.contracts.table import CreditSeat
from libs.kernel.decider import Outgoing
from libs.kernel.ids import credit_id
from libs.ledger.state import LedgerState


def react(state: LedgerState) -> list[Outgoing]:
    """Return one `CreditSeat` per pending buy-in, oldest first; bounded by `PENDING_BUY_INS`."""
    return [
        Outgoing(
            command_id=credit_id(transfer_id),
            shard=pended.pit,
            book=pended.table,
            command=CreditSeat(transfer_id=transfer_id, player=pended.player, seat=pended.seat, amount=pended.amount),
        )
        for transfer_id, pended in state.pending.items()
    ]
