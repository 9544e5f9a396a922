"""What can end the run of a shard, and what a process remembers of it from run to run.

OwnershipLost    another process owns the shard, or we hand it over
StartAgain       the log and our memory differ, or the log cannot be reached: believe the log
CannotServe      only people can mend it: the process ends
Defect           code crashed
"""

from libs.eventlog.api import EventLogError
from libs.kernel.limits import PARK_AFTER_ATTEMPTS, PARKED_ENTRIES


class OwnershipLost(Exception):
    """The epoch is stale."""


class StartAgain(Exception):
    """What is in memory cannot be trusted: drop it and load from the log."""


class CannotServe(Exception):
    """Only people can mend this: the process ends, with this sentence for them."""


class Defect(Exception):
    """Code crashed. `entry` is the inbox entry that led to it and `book` the addressee; empty when there is none."""

    def __init__(self, entry: str, book: str, error: Exception) -> None:
        super().__init__(f"{book or 'the shard'} crashed on {entry or 'no command'}: {error!r}")
        self.entry, self.book = entry, book


def named(error: Exception) -> Exception:
    """Return the error if the supervisor knows it by name; all others are defects."""
    known = isinstance(error, OwnershipLost | StartAgain | CannotServe | Defect | EventLogError)
    return error if known else Defect("", "", error)


class SetAside:
    """Ids of parked commands: whoever owes one sends it again and again, and it must not crash the shard each time.

    Kept by the process, not by the log: the next release may be able to handle them.
    """

    def __init__(self, limit: int = PARKED_ENTRIES) -> None:
        self._limit = limit
        self._ids: dict[str, None] = {}

    def __contains__(self, command_id: str) -> bool:
        return command_id in self._ids

    def add(self, command_id: str) -> None:
        """Remember an id, forgetting the oldest when there are too many."""
        self._ids[command_id] = None
        if len(self._ids) > self._limit:
            del self._ids[next(iter(self._ids))]


class Experience:
    """What a process remembers of a shard's crashes, so that one fault does not stop the whole shard in every run."""

    def __init__(self) -> None:
        self.set_aside = SetAside()
        self.careful = False
        """Handle commands one by one, counting attempts: one of them may have crashed the last run."""
        self._crashes: dict[str, int] = {}

    def crashed(self, book: str) -> int:
        """Count a crash of a book without a command (on a tick, or when asked what it owes); return how many so far."""
        self._crashes[book] = self._crashes.get(book, 0) + 1
        return self._crashes[book]

    def suspended(self, book: str) -> bool:
        """Tell whether the book is left without ticks and debts, as these crashed time and again."""
        return self._crashes.get(book, 0) >= PARK_AFTER_ATTEMPTS
