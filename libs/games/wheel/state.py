"""What the wheel remembers between the events of a session."""

from libs.games.wheel.messages import Direction, Ring
from libs.kernel.game import GameState


class WheelState(GameState, frozen=True, tag="wheel"):
    """The last launch, of the running coup or of an earlier one (then the wheel stands still)."""

    direction: Direction | None = None
    """Direction of the last launch, void or not; None before the very first."""
    coup: int = 0
    """Coup of the last launch in this session; 0 before the first."""
    ring: Ring = "main"
    """The ring that turns, or turned last."""
    manual: bool = False
    """True while a committee member must enter the segment of that ring."""
    main_segment: int | None = None
    inner_segment: int | None = None


def opposite(direction: Direction | None) -> Direction:
    """Return the direction of the next launch; the very first one is clockwise (house default).

    >>> opposite(None), opposite("clockwise"), opposite("anticlockwise")
    ('clockwise', 'anticlockwise', 'clockwise')
    """
    return "anticlockwise" if direction == "clockwise" else "clockwise"
