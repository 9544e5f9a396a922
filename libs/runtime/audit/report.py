"""What an audit says: how much was read, what it adds up to, and every fault with the event that shows it."""

import msgspec

from libs.kernel.limits import AUDIT_FAULTS


class Fault(msgspec.Struct, frozen=True):
    """Something that must not be. `version` 0 means that it concerns the whole stream or account."""

    stream: str
    version: int
    code: str
    """Stable: `chain.broken`, `entry.before`, `wager.not_settled`, …"""
    what: str
    """One sentence for people."""


class Redecided(msgspec.Struct):
    """What the rules of today have decided again, and come to the same."""

    decisions: int = 0
    settlements: int = 0
    releases: int = 0
    voids: int = 0
    voids_by_word: int = 0
    """Of these, voids for which the log has somebody's word and nothing else: the staff's, a device's, the RNG's."""
    not_checked: dict[str, int] = {}
    """Decisions of sessions of other rules, by game and version."""


class DrawCounts(msgspec.Struct):
    """The draws that tables used, by whether they can be computed again."""

    computed: int = 0
    """From seeds that were promised before betting and revealed after the coup."""
    not_revealed: int = 0
    """The coup is not over, or the seed is on its way; a running table has a few of these."""
    lost: int = 0
    """The log says that the seed cannot be revealed: nobody can show that these draws followed from it."""
    no_seed: int = 0
    """Of sessions from before there were seeds."""


class AuditReport(msgspec.Struct, frozen=True):
    """The result of reading a whole site's logs."""

    shards: int
    streams: int
    events: int
    coups: int
    """Coups ended, settled or voided."""
    voided: int
    """Of these, the void ones: every stake went back."""
    wagers: int
    """Wagers accepted."""
    accounts: int
    total: int
    """Sum of all balances in cents; anything but 0 is a fault."""
    owed: int
    """Postings that tables still owe the ledger: on their way while the casino runs."""
    seats_compared: int
    """Seats whose credit meter was compared with the ledger."""
    redecided: Redecided
    draws: DrawCounts
    faults: tuple[Fault, ...]
    """The first ones in reading order, at most `limits.AUDIT_FAULTS`."""

    @property
    def ok(self) -> bool:
        """True when nothing is wrong."""
        return not self.faults


class Faults:
    """Collects faults up to a limit: a broken log breaks much behind it, the first faults tell."""

    def __init__(self) -> None:
        self.found: list[Fault] = []
        self.broken = 0
        """Faults of a log that is not whole, or cannot be read: what comes behind them is not known."""

    def add(self, stream: str, version: int, code: str, what: str) -> None:
        """Note a fault."""
        self.broken += code.startswith(("chain.", "event."))
        if len(self.found) < AUDIT_FAULTS:
            self.found.append(Fault(stream, version, code, what))
