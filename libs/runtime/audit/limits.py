"""Recompute limits and exclusions of players from the wishes that were logged, and compare what days bring forward."""

from collections.abc import Callable, Mapping

from libs.kernel.contracts.wallet_limits import (
    Change,
    ExclusionKind,
    ExclusionLifted,
    LimitSet,
    Player,
    PlayerExcluded,
    key_of,
)
from libs.kernel.limits import PLAYER_CHANGES_REMEMBERED


class LimitsAudit:
    """All changes of one ledger; `wrong` is called with what is brought forward otherwise than it was left."""

    def __init__(self) -> None:
        self._changes: dict[str, list[Change]] = {}
        self._left: set[str] = set()
        """Players with changes whom the running volume has not brought forward yet."""
        self._day = ""

    def sees(self, event: Change) -> None:
        """Take a change."""
        self._changes.setdefault(event.player, []).append(event)

    def opened(self, day: str) -> None:
        """A volume begins: everybody with a change must be brought forward."""
        self._day, self._left = day, set(self._changes)

    def brought(self, players: Mapping[str, Player], wrong: Callable[[str], None]) -> None:
        """Compare a piece."""
        for player, known in players.items():
            self._left.discard(player)
            changes = self._changes.get(player, [])
            fits = self._limits(changes) == self._of(known) and self._exclusions(changes) == known.exclusions
            if not fits or [*known.history] != changes[-PLAYER_CHANGES_REMEMBERED:]:
                wrong(f"limits and exclusions of {player} are brought forward otherwise than they were")

    def all_brought(self, wrong: Callable[[str], None]) -> None:
        """Name who was left out."""
        for player in sorted(self._left):
            wrong(f"limits and exclusions of {player} are not brought forward")
        self._left = set()

    def _limits(self, changes: list[Change]) -> dict[str, int]:
        """Return the cents that count on this day: the last wish of each limit, or what it found until its day."""
        last = {key_of(event.kind, event.period): event for event in changes if isinstance(event, LimitSet)}
        counts = {key: event.amount if event.from_day <= self._day else event.before for key, event in last.items()}
        return {key: cents for key, cents in counts.items() if cents is not None}

    def _of(self, known: Player) -> dict[str, int]:
        counts = {
            key: limit.following if limit.from_day and limit.from_day <= self._day else limit.cents
            for key, limit in known.limits.items()
        }
        return {key: cents for key, cents in counts.items() if cents is not None}

    def _exclusions(self, changes: list[Change]) -> dict[ExclusionKind, str | None]:
        found: dict[ExclusionKind, str | None] = {}
        for event in changes:
            if isinstance(event, PlayerExcluded):
                found[event.kind] = event.until
            elif isinstance(event, ExclusionLifted):
                found.pop("casino", None)
        return {kind: until for kind, until in found.items() if until is None or until > self._day}
