"""Look at every transfer of a person again: what it did to accounts is what it says, and nothing else."""

from libs.kernel.accounts import CAGE, PENDING_BUY_IN, player_account, player_of, seat_account
from libs.kernel.contracts.wallet import BuyInPended, BuyInPosted, BuyInVoided, Deposited, Withdrawn

Sums = dict[str, int]
"""What accounts gain or lose, in cents."""


def at_the_cage(event: Deposited | Withdrawn) -> str | None:
    """Return what is wrong with money that came in or went out: it is one player's, and the cage has the other side."""
    moved = {entry.account: entry.amount for entry in event.entries}
    account = next((account for account in moved if player_of(account)), "")
    amount = moved.get(account, 0)
    fits = amount > 0 if isinstance(event, Deposited) else amount < 0
    return _differs(moved, {account: amount, CAGE: -amount} if fits else {})


def pended(event: BuyInPended) -> str | None:
    """Return what is wrong with a buy-in that begins: the player who buys chips pays for them."""
    return _differs(
        {entry.account: entry.amount for entry in event.entries},
        {player_account(event.player): -event.amount, PENDING_BUY_IN: event.amount} if event.amount > 0 else {},
    )


def ended(event: BuyInPosted | BuyInVoided, asked: BuyInPended) -> str | None:
    """Return what is wrong with a buy-in that ends: the seat has what was pended, or the player has it back."""
    moved = {entry.account: entry.amount for entry in event.entries if not entry.account.startswith("transit:")}
    account = player_account(asked.player)
    if isinstance(event, BuyInPosted):
        account = seat_account(asked.table, asked.seat)
        moved |= {leg.account: leg.amount for one in event.sent for leg in one.legs}
    return _differs(moved, {PENDING_BUY_IN: -asked.amount, account: asked.amount})


def _differs(moved: Sums, wanted: Sums) -> str | None:
    return None if moved == wanted else f"the entries come to {moved}, it means {wanted or 'nothing like that'}"
