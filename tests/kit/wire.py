"""A network that loses, doubles and reorders what crosses it, under a model of `tests/property`."""

from abc import abstractmethod
from typing import Generic, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

L = TypeVar("L")


class Wire(RuleBasedStateMachine, Generic[L]):
    """Letters of the kind `L`; none arrives unless a rule says so."""

    def __init__(self) -> None:
        super().__init__()
        self.wire: list[L] = []

    @abstractmethod
    def _arrive(self, letter: L) -> None:
        """Let a letter arrive."""

    @rule(which=st.integers(0, 10_000), what=st.sampled_from(["once", "again", "lost"]))
    def deliver(self, which: int, what: str) -> None:
        """Any letter arrives, now or again later, or gets lost."""
        if self.wire:
            place = which % len(self.wire)
            letter = self.wire[place] if what == "again" else self.wire.pop(place)
            if what != "lost":
                self._arrive(letter)

    @rule()
    def deliver_all(self) -> None:
        """All that is on the wire arrives, in order."""
        letters, self.wire = self.wire, []
        for letter in letters:
            self._arrive(letter)
