"""Money that leaves this part of the wallet for another, and money that arrives: the state is the outbox.

Sending never fails: the money is out of the sender's accounts, owed by number, and sent again until the other part says
that it has it. Receiving never fails either, as nobody refuses to be given money; it happens once, because numbers are
taken in order.
"""

from collections.abc import Sequence
from itertools import islice

from msgspec.structs import replace

from libs.kernel.accounts import transit_account
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.wallet import Entry, Leg, Sent
from libs.kernel.contracts.wallet_transit import Channel, ReceiveTransfer, TransferReceived, TransfersDelivered
from libs.kernel.decider import Accepted, Already, Context, Decision, NotYet, Outgoing
from libs.kernel.ids import transit_id
from libs.kernel.limits import OWED_POSTINGS_SENT, TRANSFERS_IN_TRANSIT
from libs.kernel.wallets import home_of, place_of, wallet_at
from libs.ledger.entries import entries_for, sums
from libs.ledger.state import LedgerDefect, LedgerState


def split_legs(state: LedgerState, legs: Sequence[Leg]) -> tuple[tuple[Leg, ...], tuple[Sent, ...]]:
    """Return what is booked here and what is sent: legs of accounts at home elsewhere go into transit."""
    index, count = place_of(state.book)
    if count == 1:
        return tuple(legs), ()
    here: list[Leg] = []
    away: dict[int, list[Leg]] = {}
    for account, amount in sums(legs).items():
        home = home_of(account, count)
        (here if home is None or home == index else away.setdefault(home, [])).append(Leg(account, amount))
    sent = []
    for home, gone in away.items():
        shard = wallet_at(home, count).shard
        here.append(Leg(transit_account(shard), sum(leg.amount for leg in gone)))
        sent.append(Sent(shard, state.channels.get(shard, Channel()).sent + 1, tuple(gone)))
    return tuple(here), tuple(sent)


def too_much_in_transit(state: LedgerState, sent: Sequence[Sent]) -> bool:
    """Tell whether another part is so far behind that nothing more may be sent to it for now."""
    return any(len(state.channels.get(one.to, Channel()).open) >= TRANSFERS_IN_TRANSIT for one in sent)


def wished(entries: Sequence[Entry], sent: Sequence[Sent]) -> dict[str, int]:
    """Return what a posting moved, wherever the accounts are: transit and what was sent taken together."""
    moved = {entry.account: entry.amount for entry in entries if not entry.account.startswith("transit:")}
    for leg in (leg for one in sent for leg in one.legs):
        moved[leg.account] = moved.get(leg.account, 0) + leg.amount
    return moved


def receive(state: LedgerState, command: ReceiveTransfer, _: Context) -> Decision:
    """Take what another part has sent, each number once, in order."""
    index, count = place_of(state.book)
    at = wallet_at(index, count).shard
    last = state.channels.get(command.origin, Channel()).received
    if command.number <= last:
        return Already((TransferReceived(origin=command.origin, at=at, number=command.number, entries=()),))
    if command.number > last + 1:
        return NotYet(f"transfer {command.number} of {command.origin} must wait for number {last + 1}")
    if any(leg.amount < 0 or home_of(leg.account, count) != index for leg in command.legs):
        raise LedgerDefect(f"{command.origin} sends what is not for {at}: {command.legs}")
    total = sum(leg.amount for leg in command.legs)
    entries = entries_for(state, (Leg(transit_account(command.origin), -total), *command.legs))
    return Accepted((TransferReceived(origin=command.origin, at=at, number=command.number, entries=entries),))


def hear_received(state: LedgerState, command: Answered) -> Decision:
    """Decide the other part's word that it has a transfer, and with it all before."""
    me = wallet_at(*place_of(state.book)).shard
    for event in command.events:
        if isinstance(event, TransferReceived) and event.origin == me:
            if event.number not in state.channels.get(event.at, Channel()).open:
                return Already()
            return Accepted((TransfersDelivered(to=event.at, number=event.number),))
    return NotYet(f"the answer to {command.to} does not say that it was received")


def owed(state: LedgerState) -> list[Outgoing]:
    """Return the oldest transfers to each other part that are not known to be received."""
    index, count = place_of(state.book)
    me = wallet_at(index, count).shard
    return [
        Outgoing(
            command_id=transit_id(me, shard, number),
            shard=shard,
            book=wallet_at(int(shard.rpartition("-")[2]), count).book,
            command=ReceiveTransfer(origin=me, number=number, legs=sent.legs),
        )
        for shard, channel in state.channels.items()
        for number, sent in islice(channel.open.items(), OWED_POSTINGS_SENT)
    ]


# -- how the facts change the state -------------------------------------------------------------------------------
def after_sending(state: LedgerState, sent: Sequence[Sent]) -> LedgerState:
    """Owe what was sent."""
    if not sent:
        return state
    channels = dict(state.channels)
    for one in sent:
        channel = channels.get(one.to, Channel())
        channels[one.to] = replace(channel, sent=one.number, open={**channel.open, one.number: one})
    return replace(state, channels=channels)


def after_receiving(state: LedgerState, event: TransferReceived) -> LedgerState:
    """Remember the number."""
    channel = replace(state.channels.get(event.origin, Channel()), received=event.number)
    return replace(state, channels={**state.channels, event.origin: channel})


def after_delivery(state: LedgerState, event: TransfersDelivered) -> LedgerState:
    """Owe no longer what is there."""
    channel = state.channels[event.to]
    still = {number: sent for number, sent in channel.open.items() if number > event.number}
    return replace(state, channels={**state.channels, event.to: replace(channel, open=still)})
