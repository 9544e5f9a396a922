"""What must hold at a table of Pair'e poker."""

import msgspec

from libs.games.paire_poker.board import show
from libs.games.paire_poker.layout import OPTIONAL
from libs.games.paire_poker.state import PokerState
from libs.table.board import Board
from libs.table.state import round_phase
from tests.kit.given import GivenTable


def laws(table: GivenTable, _: Board) -> None:
    """Options lie beside a main stake; the board is the same whatever is hidden, and no public fact names a card."""
    for seat in table.state.seats.values():
        assert not seat.stakes or not seat.stakes.keys() <= OPTIONAL
    state, game_state = table.state, table.state.game_state
    assert isinstance(game_state, PokerState)
    hidden = msgspec.structs.replace(game_state, burnt="?", face_down=("?",) * len(game_state.face_down))
    # The board knows the state of a game only by what the game shows of it.
    phase = round_phase(state.phase)
    assert show(game_state, state.coup, phase) == show(hidden, state.coup, phase)
    if game_state.coup != state.coup or not state.coup:
        return
    secrets = {card for card in (game_state.burnt, *game_state.face_down) if card and card != "JOKER"}
    for event in table.of_coup():
        said = msgspec.json.encode(event).decode()
        assert event.secret or not any(f'"{card}"' in said for card in secrets)
