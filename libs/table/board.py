"""What everybody may see of a table (`Board`) and what one player may see of his own seat (`SeatView`).

Both are plain JSON by msgspec. The public board names no player and shows no amount of a credit meter or stake.
"""

from typing import Literal

import msgspec

from libs.kernel.game import Announcement, Outcome, Row

BoardPhase = Literal["closed", "prepared", "idle", "betting", "locked", "decision", "drawing", "settled"]
"""`closed` no session; `prepared` checked, not opened; `idle` between coups (nothing to show); `betting`; `locked`
betting is over, the device or the staff is at work; `decision` a person must act before `decision_due_ms`; `drawing`
the RNG is asked; `settled` between coups, the last outcome is shown."""


class BoardSeat(msgspec.Struct, frozen=True):
    """One station: is it taken, and does it have a stake in the running coup."""

    seat: int
    taken: bool
    staked: bool


class PastCoup(msgspec.Struct, frozen=True):
    """One finished coup. `result` is `settled` or `voided`; a voided one has a code and a reason instead of a spot."""

    coup: int
    result: Literal["settled", "voided"]
    outcome: Outcome
    reason: str = ""


class Board(msgspec.Struct, frozen=True):
    """The public board of a table, for displays and `GET /v1/tables/{table}`. Money in cents, times in ms since 1970."""

    table: str
    pit: str
    session: int
    """Number of the running or last session of this table; 0 before the first."""
    phase: BoardPhase
    announcement: Announcement
    game: str = ""
    coup: int = 0
    """Number of the running or last coup of the session; 0 before the first."""
    closes_at_ms: int | None = None
    """When betting closes by itself; only in phase `betting`."""
    decision_due_ms: int | None = None
    """When the awaited person's time is over; only in phase `decision`, or `locked` with a device at work."""
    minimum: int = 0
    source: str = ""
    paytable: str = ""
    rows: tuple[Row, ...] = ()
    """What may be wagered on, in the order of the layout."""
    extra_rows: tuple[Row, ...] = ()
    """What is paid but cannot be wagered on directly (the inner wheel)."""
    last: PastCoup | None = None
    history: tuple[PastCoup, ...] = ()
    """The last coups, newest first, at most `limits.HISTORY_COUPS`."""
    seats: tuple[BoardSeat, ...] = ()
    last_coups_left: int | None = None
    """Valid coups still to play once the last ones are announced; null before."""
    options: dict[str, int] = {}
    """The game's own terms (`bonus_stake`, cents)."""
    facts: dict[str, str | int] = {}
    """The game's own public facts (wheel: `direction`, `ring`, `segment`)."""


class SeatView(msgspec.Struct, frozen=True):
    """What a player sees of the own seat, in cents."""

    table: str
    seat: int
    credit: int
    staked: int
    stakes: dict[str, int]
