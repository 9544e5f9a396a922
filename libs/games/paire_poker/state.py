"""What Pair'e poker remembers between the events of a session."""

from libs.kernel.game import GameState


class PokerState(GameState, frozen=True, tag="paire_poker"):
    """The last deal, of the running coup or of an earlier one. `burnt` and `face_down` are secrets."""

    coup: int = 0
    """Coup of the last deal in this session; 0 before the first."""
    burnt: str = ""
    face_down: tuple[str, ...] = ()
    """The cards that have not been turned, in the order of drawing."""
    turned: tuple[str, ...] = ()
    """The cards that everybody sees, in the order of drawing."""
    exposed: bool = False
    """True when a card was seen too early, which changes nothing (PA13)."""
