"""A book in memory: one decider, its log, and nothing else."""

from typing import Any, Generic, TypeVar

import msgspec

from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.decider import Accepted, Already, Chance, Context, Decider, Decision, Refused
from libs.kernel.limits import MAX_PLAYER_ID_CHARS
from libs.kernel.messages import Command, Event
from libs.kernel.refusals import Refusal

S = TypeVar("S")

NOW_MS = 1_767_225_600_000
TODAY = "2026-01-01"
"""The date of that time."""

NO_PLAYERS = ("a:b", "tapis", "credit", "p" * (MAX_PLAYER_ID_CHARS + 1))
"""Names that fit into a command, and that no player can have."""


class Book(Generic[S]):
    """Decides commands one after the other and keeps what became of them. `more` is of `Chance`.

    Every step proves that `decide` and `evolve` leave the old state whole, so that a failed append could keep it.
    """

    def __init__(self, decider: Decider[S], name: str) -> None:
        self.decider, self.name = decider, name
        self.state = decider.initial(name)
        self.log: list[Event] = []
        self.now_ms = NOW_MS

    def say(
        self,
        command: Command,
        *,
        by: Actor = SYSTEM,
        command_id: str = f"tapis:{TODAY}/1",
        entropy: bytes = b"",
        **more: Any,
    ) -> Decision:
        """Decide and fold one command."""
        old, bytes_before = self.state, msgspec.json.encode(self.state)
        chance = Chance(entropy=entropy, **more)
        context = Context(now_ms=self.now_ms, actor=by, command_id=command_id, book=self.name, chance=chance)
        decision = self.decider.decide(old, command, context)
        if isinstance(decision, Accepted | Refused):
            for event in decision.events:
                self.state = self._after(self.state, event)
                self.log.append(event)
        assert bytes_before == msgspec.json.encode(old), "the old state was written into"
        return decision

    def accept(
        self,
        command: Command,
        *,
        by: Actor = SYSTEM,
        command_id: str = f"tapis:{TODAY}/1",
        entropy: bytes = b"",
        **more: Any,
    ) -> tuple[Event, ...]:
        """Decide a command that must be accepted; return its facts."""
        decision = self.say(command, by=by, command_id=command_id, entropy=entropy, **more)
        assert isinstance(decision, Accepted), decision
        return decision.events

    def replayed(self) -> S:
        """Return the fold of the log from nothing."""
        state = self.decider.initial(self.name)
        for event in self.log:
            state = self._after(state, event)
        return state

    def alone(self) -> S:
        """Return the fold of the current volume from nothing, without the volumes before it."""
        opened = max((place for place, event in enumerate(self.log) if event.opens_volume), default=0)
        state = self.decider.initial(self.name)
        for event in self.log[opened:]:
            state = self.decider.evolve(state, event)
        return state

    def _after(self, state: S, event: Event) -> S:
        fresh = event.opens_volume and self.decider.whole is None
        return self.decider.evolve(self.decider.initial(self.name) if fresh else state, event)


def facts(decision: Decision) -> tuple[Event, ...]:
    """Return the facts of a yes, new or old; none for anything else."""
    return decision.events if isinstance(decision, Accepted | Already) else ()


def code(decision: Decision) -> str:
    """Return the code of a refusal, or an empty text."""
    refusal = decision.refusal if isinstance(decision, Refused) else decision
    return refusal.code if isinstance(refusal, Refusal) else ""
