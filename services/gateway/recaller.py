"""Answers to old ids from the logs, where the memory of their shard ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

import msgspec

from libs.eventlog.api import EventLogError, EventLogUnavailable
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet_days import TransferFact
from libs.kernel.decider import Already, Context
from libs.kernel.limits import OLD_LOG_READERS
from libs.kernel.refusals import Refusal
from libs.kernel.wallets import Wallet
from libs.ledger.recall import decide_again
from libs.runtime.admission import CONFLICTING
from libs.runtime.answers import digest_of
from libs.runtime.recall import Decided
from services.gateway.bodies import Posted
from services.gateway.replies import Agreed, Refused, Reply, unanswered


class Logs(Protocol):
    """Who reads old logs: the door's house."""

    async def recall_transfer(self, shard: str, transfer_id: str) -> TransferFact | None:
        """Return what an id of money has led to."""

    async def recall_decision(self, shard: str, book: str, command_id: str) -> Decided | None:
        """Return what any other id has led to."""


class Recaller:
    """Reads one old log at a time, for one speaker after the other: that costs more than any other answer.

    Whoever cannot be told now is told just that: what became of an old id is not known before its log was read.
    """

    def __init__(self, logs: Logs) -> None:
        self._logs = logs
        self._reading = asyncio.Lock()
        self._readers: set[str] = set()

    async def transfer(self, actor: Actor, part: Wallet, posted: Posted) -> Reply | None:
        """Answer an old id of money; None when it has never been done."""
        command_id = f"{actor.id}:{posted.command_id}"
        try:
            async with self._turn_of(actor.id):
                made = await self._logs.recall_transfer(part.shard, command_id)
        except EventLogError:
            return unanswered(posted.command_id)
        if made is None:
            return None
        decision = decide_again(posted.command, Context(0, actor, command_id, part.book), made)
        if isinstance(decision, Already):
            return Reply(200, Agreed("", tuple(msgspec.Raw(msgspec.json.encode(event)) for event in decision.events)))
        return Reply(409, Refused(decision)) if isinstance(decision, Refusal) else None

    async def decision(self, actor: Actor, shard: str, book: str, posted: Posted) -> Reply | None:
        """Answer an old id of any other command as it was answered; None when it has left no facts."""
        try:
            async with self._turn_of(actor.id):
                decided = await self._logs.recall_decision(shard, book, f"{actor.id}:{posted.command_id}")
        except EventLogError:
            return unanswered(posted.command_id)
        if decided is None or not decided.digest:
            return None
        if decided.digest != digest_of(msgspec.json.encode(posted.command)):
            return Reply(409, Refused(CONFLICTING))
        return Reply(200, Agreed(decided.stream, decided.events))

    @asynccontextmanager
    async def _turn_of(self, speaker: str) -> AsyncIterator[None]:
        """Wait until those who came before are answered; one speaker waits once, so that nobody keeps out others."""
        if speaker in self._readers or len(self._readers) >= OLD_LOG_READERS:
            raise EventLogUnavailable("old logs are being read already")
        self._readers.add(speaker)
        try:
            async with self._reading:
                yield
        finally:
            self._readers.discard(speaker)
