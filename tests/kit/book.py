"""A book in memory: one decider, its log, and nothing else."""

from typing import Generic, TypeVar

import msgspec

from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.decider import Accepted, Already, Context, Decider, Decision
from libs.kernel.messages import Command, Event
from libs.kernel.refusals import Refusal

S = TypeVar("S")


class Book(Generic[S]):
    """Decides commands one after the other and keeps what became of them.

    Every step proves that `decide` and `evolve` leave the old state whole, so that a failed append could keep it.
    """

    def __init__(self, decider: Decider[S], name: str) -> None:
        self.decider, self.name = decider, name
        self.state = decider.initial(name)
        self.log: list[Event] = []

    def say(
        self, command: Command, *, by: Actor = SYSTEM, command_id: str = "tapis:1", entropy: bytes = b""
    ) -> Decision:
        """Decide and fold one command."""
        old, bytes_before = self.state, msgspec.json.encode(self.state)
        context = Context(now_ms=0, actor=by, command_id=command_id, book=self.name, entropy=entropy)
        decision = self.decider.decide(old, command, context)
        if isinstance(decision, Accepted):
            for event in decision.events:
                self.state = self._after(self.state, event)
                self.log.append(event)
        assert bytes_before == msgspec.json.encode(old), "the old state was written into"
        return decision

    def accept(
        self, command: Command, *, by: Actor = SYSTEM, command_id: str = "tapis:1", entropy: bytes = b""
    ) -> tuple[Event, ...]:
        """Decide a command that must be accepted; return its facts."""
        decision = self.say(command, by=by, command_id=command_id, entropy=entropy)
        assert isinstance(decision, Accepted), decision
        return decision.events

    def replayed(self) -> S:
        """Return the fold of the log from nothing."""
        state = self.decider.initial(self.name)
        for event in self.log:
            state = self._after(state, event)
        return state

    def _after(self, state: S, event: Event) -> S:
        return self.decider.evolve(self.decider.initial(self.name) if event.opens_volume else state, event)


def facts(decision: Decision) -> tuple[Event, ...]:
    """Return the facts of a yes, new or old; none for anything else."""
    return decision.events if isinstance(decision, Accepted | Already) else ()


def code(decision: Decision) -> str:
    """Return the code of a refusal, or an empty text."""
    return decision.code if isinstance(decision, Refusal) else ""
