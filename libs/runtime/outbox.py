"""Send what states owe to other shards. The state is the outbox: what is still owed is sent again (law 6)."""

from collections.abc import Iterable
from time import monotonic

import msgspec

from libs.eventlog.api import EventLog
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.wallet import PostFromTable
from libs.kernel.decider import Outgoing
from libs.kernel.envelope import CommandEnvelope, ReturnAddress
from libs.kernel.ids import LEDGER
from libs.kernel.limits import SEND_AGAIN_AFTER_MS, SEND_AGAIN_BELOW
from libs.kernel.messages import tag_of
from libs.kernel.refusals import Refusal
from libs.kernel.wallets import wallet_of
from libs.runtime import metrics
from libs.runtime.plan import Reply

_encode = msgspec.json.Encoder().encode


class Outbox:
    """Remembers when each debt was last sent, so that `react` may be called often. Empty after a take-over.

    A debt is sent again while few commands wait at its addressee: an owner that could not do it yet is asked again
    soon, and an inbox that nobody reads does not fill with repeats of what lies there already.
    """

    def __init__(self, log: EventLog, service: str, shard: str, wallets: int = 1) -> None:
        """`wallets` is the number of parts of the site's wallet: what is for the ledger goes to the right one."""
        self._log, self._service, self._shard, self._wallets = log, service, shard, wallets
        self._sent: dict[str, dict[str, float]] = {}

    async def send(self, owed: Iterable[tuple[str, Iterable[Outgoing]]], replies: Iterable[Reply]) -> None:
        """Send debts (by book) that were not sent lately, and the answers to other shards."""
        now = monotonic()
        wire: list[tuple[str, bytes]] = []
        full: dict[str, bool] = {}
        for book, debts in owed:
            before = self._sent.pop(book, {})
            sent: dict[str, float] = {}
            for debt in debts:
                last = before.get(debt.command_id)
                if last is not None and now - last < SEND_AGAIN_AFTER_MS / 1000:
                    sent[debt.command_id] = last
                    continue
                sent[debt.command_id] = now
                shard, addressee = self._address(debt)
                if last is not None and await self._is_full(shard, full):
                    continue
                wire.append((shard, self._debt(book, addressee, debt)))
                metrics.labelled(metrics.outgoing_sent, self._service, tag_of(debt.command)).inc()
            if sent:
                self._sent[book] = sent
        wire.extend((reply.to.shard, self._reply(reply)) for reply in replies)
        if wire:
            await self._log.send(wire)

    def forget(self) -> None:
        """Treat every debt as not sent (a send failed, or the shard was taken over)."""
        self._sent.clear()

    async def _is_full(self, shard: str, known: dict[str, bool]) -> bool:
        """Tell whether so many commands wait at a shard that none is repeated there; asked once for each `known`."""
        if shard not in known:
            # From the start: only an owner knows its cursor. What lies behind it and is not yet trimmed is little.
            known[shard] = await self._log.inbox_length(shard, "0-0") >= SEND_AGAIN_BELOW
        return known[shard]

    def _address(self, debt: Outgoing) -> tuple[str, str]:
        """Return shard and book of a debt. The rules of a table know one ledger; the site may have more."""
        if self._wallets > 1 and debt.book == LEDGER and isinstance(debt.command, PostFromTable):
            return wallet_of(debt.command.table, self._wallets)
        return debt.shard, debt.book

    def _debt(self, book: str, addressee: str, debt: Outgoing) -> bytes:
        body = msgspec.Raw(_encode(debt.command))
        reply = ReturnAddress(self._shard, book)
        return _encode(CommandEnvelope(debt.command_id, addressee, debt.actor, body, reply))

    @staticmethod
    def _reply(reply: Reply) -> bytes:
        """Return the wire form of `kernel.Answered`; the events are already JSON and are put in as they are."""
        given = reply.given
        body = _AnsweredWire(reply.command_id, given.refusal, tuple([msgspec.Raw(event) for event in given.bodies]))
        return _encode(_AnswerEnvelope(f"answer:{reply.command_id}", reply.to.book, SYSTEM, body))


class _AnsweredWire(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag=tag_of(Answered)):
    """`Answered` with events that are JSON already."""

    to: str
    refusal: Refusal | None
    events: tuple[msgspec.Raw, ...]


class _AnswerEnvelope(msgspec.Struct, frozen=True, gc=False):
    """A `CommandEnvelope` with an answer in it: encoded together, not one after the other."""

    id: str
    book: str
    actor: Actor
    body: _AnsweredWire
