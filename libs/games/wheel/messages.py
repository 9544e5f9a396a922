"""The messages that the wheel adds to a table session. Their tags are the storage format."""

from typing import Annotated, Literal

import msgspec

from libs.kernel.game import GameEvent
from libs.kernel.messages import Command

Ring = Literal["main", "bonus"]
"""The main wheel (52 segments) or the inner "Bonus" wheel (6 segments)."""

Direction = Literal["clockwise", "anticlockwise"]
"""As seen by the players in front of the wheel."""

Segment = Annotated[int, msgspec.Meta(ge=1, le=52)]
"""Number of a segment: 1 … 52 on the main wheel, 1 … 6 on the inner one; see `paytables.MAIN_SEGMENTS`."""

CoupNo = Annotated[int, msgspec.Meta(ge=1)]


# -- commands -----------------------------------------------------------------------------------------------------
class PressBuzzer(Command, frozen=True, kw_only=True, tag="wheel.PressBuzzer"):
    """A seated player presses the buzzer after *rien ne va plus*: the wheel starts."""


class LaunchWheel(Command, frozen=True, kw_only=True, tag="wheel.LaunchWheel"):
    """The staff starts the wheel after *rien ne va plus*."""


class ReportSpin(Command, frozen=True, kw_only=True, tag="wheel.ReportSpin"):
    """The sensor reports how a ring turned and where it stopped; only when the session's source is `device`."""

    ring: Ring
    turns: Annotated[int, msgspec.Meta(ge=0, le=10_000)]
    """Whole turns that the ring made."""
    direction: Direction
    segment: Segment | None = None
    """Null when the segment was not detected: manual mode follows."""
    anomaly: bool = False
    """True when the sensor saw anything wrong with the rotation (stopped by hand, bounced, blocked)."""
    coup: CoupNo | None = None
    """The coup reported on, when the sensor knows it; a report of another coup is refused."""


class EnterSegment(Command, frozen=True, kw_only=True, tag="wheel.EnterSegment"):
    """Manual mode: the committee member enters the segment under the marker (WA13). If in doubt, void instead."""

    ring: Ring
    segment: Segment


# -- events -------------------------------------------------------------------------------------------------------
class WheelLaunched(GameEvent, frozen=True, kw_only=True, tag="wheel.WheelLaunched"):
    """The wheel started, in the direction opposite to the launch before (WA8). A sensor must report by `due_ms`."""

    direction: Direction
    launched_by: Literal["buzzer", "staff", "timer"]
    actor: str
    """Who pressed or launched; the id of our own process when the timer did."""


class BonusLaunched(GameEvent, frozen=True, kw_only=True, tag="wheel.BonusLaunched"):
    """The main wheel stopped on BONUS: the inner wheel started by itself, in the direction of the same launch."""

    direction: Direction


class SpinReported(GameEvent, frozen=True, kw_only=True, tag="wheel.SpinReported"):
    """What the sensor reported, word for word, whatever became of it."""

    ring: Ring
    turns: int
    direction: Direction
    segment: int | None
    anomaly: bool
    device: str


class ManualModeStarted(GameEvent, frozen=True, kw_only=True, tag="wheel.ManualModeStarted"):
    """The result was not detected: a committee member must enter it by `due_ms`, or the launch is void (WA13)."""

    ring: Ring
    code: Literal["not_detected", "no_report"]


class SegmentEntered(GameEvent, frozen=True, kw_only=True, tag="wheel.SegmentEntered"):
    """A committee member entered the segment by hand."""

    ring: Ring
    segment: int
    by: str


class RingStopped(GameEvent, frozen=True, kw_only=True, tag="wheel.RingStopped"):
    """A ring came to rest: the segment under its marker and the chance (or inner ratio) that it shows."""

    ring: Ring
    segment: int
    shows: str
    """`2` … `48` or `BONUS` on the main wheel, `5` … `1000` on the inner one."""
