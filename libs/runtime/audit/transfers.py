"""Look at every transfer of a person again: what it did to accounts is what it says, and nothing else."""

from collections.abc import Sequence

from libs.kernel.accounts import CAGE, PENDING_BUY_IN, player_account, player_of, seat_account
from libs.kernel.contracts.wallet import (
    BuyInPended,
    BuyInPosted,
    BuyInVoided,
    Deposited,
    Entry,
    Leg,
    TablePosted,
    Withdrawn,
)

Sums = dict[str, int]
"""What accounts gain or lose, in cents."""


def at_the_cage(event: Deposited | Withdrawn) -> str | None:
    """Return what is wrong with money that came in or went out: it is one player's, and the cage has the other side."""
    found = sums(event.entries)
    account = next((account for account in found if player_of(account)), "")
    amount = found.get(account, 0)
    fits = amount > 0 if isinstance(event, Deposited) else amount < 0
    return _differs(found, {account: amount, CAGE: -amount} if fits else {})


def pended(event: BuyInPended) -> str | None:
    """Return what is wrong with a buy-in that begins: the player who buys chips pays for them."""
    return _differs(
        sums(event.entries),
        {player_account(event.player): -event.amount, PENDING_BUY_IN: event.amount} if event.amount > 0 else {},
    )


def ended(event: BuyInPosted | BuyInVoided, asked: BuyInPended) -> str | None:
    """Return what is wrong with a buy-in that ends: the seat has what was pended, or the player has it back."""
    account = player_account(asked.player)
    if isinstance(event, BuyInPosted):
        account = seat_account(asked.table, asked.seat)
    return _differs(moved(event), {PENDING_BUY_IN: -asked.amount, account: asked.amount})


def moved(event: BuyInPosted | BuyInVoided | TablePosted) -> Sums:
    """Return what the end of a buy-in or a posting did to accounts, in whatever part of the wallet they are."""
    lines: list[Leg | Entry] = [entry for entry in event.entries if not entry.account.startswith("transit:")]
    if not isinstance(event, BuyInVoided):
        lines += [leg for one in event.sent for leg in one.legs]
    return sums(lines)


def sums(lines: Sequence[Leg | Entry]) -> Sums:
    """Return what lines come to for each account that they change; one account may have several."""
    found: Sums = {}
    for line in lines:
        found[line.account] = found.get(line.account, 0) + line.amount
    return {account: cents for account, cents in found.items() if cents}


def _differs(found: Sums, wanted: Sums) -> str | None:
    return None if found == wanted else f"the entries come to {found}, it means {wanted or 'nothing like that'}"
