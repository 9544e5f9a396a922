"""Look at every transfer between two parts of the wallet again: dense numbers, and received as it was sent."""

from collections.abc import Mapping

from libs.kernel.accounts import transit_account
from libs.kernel.contracts.wallet import BuyInPosted, Entry, Leg, TablePosted
from libs.kernel.contracts.wallet_transit import Channel, TransferReceived, TransfersDelivered
from libs.runtime.audit.report import Faults
from libs.runtime.audit.transfers import sums


class TransitAudit:
    """Folds what one part of the wallet has sent to others and received from them."""

    def __init__(self, faults: Faults) -> None:
        self.sent: dict[tuple[str, int], tuple[Leg, ...]] = {}
        """By receiving shard and number."""
        self.received: dict[tuple[str, int], tuple[Entry, ...]] = {}
        """By sending shard and number."""
        self._channels: dict[str, Channel] = {}
        self._faults = faults

    def sends(self, stream: str, version: int, event: TablePosted | BuyInPosted) -> None:
        """Take what a posting sends."""
        for one in event.sent:
            channel = self._channels.get(one.to, Channel())
            self._dense(stream, version, f"to {one.to}", one.number, channel.sent)
            self.sent[one.to, one.number] = one.legs
            self._channels[one.to] = Channel(one.number, channel.received, {**channel.open, one.number: one})

    def sees(self, stream: str, version: int, event: TransferReceived | TransfersDelivered) -> None:
        """Take what has arrived here, or the other part's word that it has arrived there."""
        if isinstance(event, TransferReceived):
            channel = self._channels.get(event.origin, Channel())
            self._dense(stream, version, f"of {event.origin}", event.number, channel.received)
            self.received[event.origin, event.number] = event.entries
            self._channels[event.origin] = Channel(channel.sent, event.number, channel.open)
            return
        channel = self._channels.get(event.to, Channel())
        still = {number: sent for number, sent in channel.open.items() if number > event.number}
        self._channels[event.to] = Channel(channel.sent, channel.received, still)

    def carried(self, channels: Mapping[str, Channel]) -> bool:
        """Tell whether a new volume begins with the channels that the one before left."""
        return self._channels == dict(channels)

    def _dense(self, stream: str, version: int, which: str, number: int, last: int) -> None:
        if number != last + 1:
            what = f"transfer {number} {which} comes in place of {last + 1}"
            self._faults.add(stream, version, "transit.order", what)


def compare_transit(parts: Mapping[str, TransitAudit], faults: Faults) -> dict[str, int]:
    """Compare both ends of all transfers; return what is on its way to each account, in cents."""
    for at, part in parts.items():
        for (origin, number), entries in part.received.items():
            legs = parts[origin].sent.get((at, number)) if origin in parts else None
            got = sums([entry for entry in entries if entry.account != transit_account(origin)])
            if legs is None:
                faults.add(at, 0, "transit.unknown", f"transfer {number} of {origin} was received and never sent")
            elif got != sums(legs):
                faults.add(at, 0, "transit.differs", f"transfer {number} of {origin} is {got}, was sent as {legs}")
    coming: dict[str, int] = {}
    for origin, part in parts.items():
        for (to, number), legs in part.sent.items():
            if to not in parts or (origin, number) not in parts[to].received:
                for leg in legs:
                    coming[leg.account] = coming.get(leg.account, 0) + leg.amount
    return coming
