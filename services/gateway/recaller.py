"""Answers to old ids from the logs, where the memory of their shard ends."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

import msgspec

from libs.eventlog.api import EventLogError
from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet_days import TransferFact
from libs.kernel.decider import Already, Context
from libs.kernel.refusals import Refusal
from libs.kernel.wallets import Wallet
from libs.ledger.recall import decide_again
from libs.runtime.admission import CONFLICTING
from libs.runtime.recall import Decided
from services.gateway.bodies import Posted
from services.gateway.replies import Agreed, Refused, Reply, unavailable

Found = TypeVar("Found")


class Logs(Protocol):
    """Who reads old logs: the door's house."""

    async def recall_transfer(self, shard: str, transfer_id: str) -> TransferFact | None:
        """Return what an id of money has led to."""

    async def recall_decision(self, shard: str, book: str, command_id: str) -> Decided | None:
        """Return what any other id has led to."""


class Recaller:
    """Reads one old log at a time: that costs more than any other answer."""

    def __init__(self, logs: Logs) -> None:
        self._logs = logs
        self._reading = asyncio.Lock()

    async def transfer(self, actor: Actor, part: Wallet, posted: Posted) -> Reply | None:
        """Answer an old id of money; None when it has never been done."""
        command_id = f"{actor.id}:{posted.command_id}"
        made = await self._read(lambda: self._logs.recall_transfer(part.shard, command_id))
        if made is None:
            return None
        decision = decide_again(posted.command, Context(0, actor, command_id, part.book), made)
        if isinstance(decision, Already):
            return Reply(200, Agreed("", tuple(msgspec.Raw(msgspec.json.encode(event)) for event in decision.events)))
        return Reply(409, Refused(decision)) if isinstance(decision, Refusal) else None

    async def decision(self, shard: str, book: str, command_id: str, digest: str) -> Reply | None:
        """Answer an old id of any other command as it was answered; None when it has left no facts."""
        decided = await self._read(lambda: self._logs.recall_decision(shard, book, command_id))
        if decided is None or not decided.digest:
            return None
        if decided.digest != digest:
            return Reply(409, Refused(CONFLICTING))
        return Reply(200, Agreed(decided.stream, decided.events))

    async def _read(self, read: Callable[[], Awaitable[Found]]) -> Found:
        if self._reading.locked():
            raise unavailable()
        async with self._reading:
            try:
                return await read()
            except EventLogError as error:
                raise unavailable() from error
