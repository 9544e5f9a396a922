"""All parts of a wallet as one ledger, for reading only: balances added up, pending money and positions together."""

from collections.abc import Sequence

from libs.kernel import buckets
from libs.kernel.ids import LEDGER
from libs.ledger.players import known_player
from libs.ledger.state import LedgerState


def united(parts: Sequence[LedgerState]) -> LedgerState:
    """Return what the parts come to. Walks over all accounts when there are several."""
    if len(parts) == 1:
        return parts[0]
    balances: dict[str, int] = {}
    for part in parts:
        for account, cents in buckets.items(part.balances):
            balances[account] = balances.get(account, 0) + cents
    return LedgerState(
        book=LEDGER,
        opened=any(part.opened for part in parts),
        balances=buckets.put(buckets.empty(), balances),
        pending={key: pended for part in parts for key, pended in part.pending.items()},
        tables={
            name: table for part in parts for name, table in part.tables.items() if table.session or table.float_moves
        },
        requests={key: found for part in parts for key, found in part.requests.items()},
        players=buckets.put(
            buckets.empty(), {name: known_player(part, name) for part in parts for name in part.untold}
        ),
        untold={name: True for part in parts for name in part.untold},
    )
