"""Bots at Le Jeu du Rappel: they enter, try, decline, call, raise and pass; some are silent, some speak out of turn."""

from collections.abc import Sequence

from libs.games.rappel.messages import Decline, Follow, Pass, Raise, TryRappel
from libs.games.rappel.paytables import MINIMUM_PLAYERS
from libs.kernel.messages import Command
from libs.runtime.local.bots.games import CHANCE, Play
from libs.table.board import Board
from libs.table.messages import PlaceWager

STAY_OUT_ONE_IN = 30
"""How often a bot lets a game go by, where others are left to play."""
TRY_ONE_IN = 8
RAISE_ONE_IN = 4
PASS_ONE_IN = 6
SILENT_ONE_IN = 12
"""How often a bot leaves its word to the timer."""
OUT_OF_TURN_ONE_IN = 20


def _wager(board: Board, placed: Sequence[str], credit: int) -> PlaceWager | None:
    """Enter the game, once."""
    cost = 2 * board.minimum
    others = sum(seat.taken for seat in board.seats) - 1
    if placed or cost > credit or (others >= MINIMUM_PLAYERS and CHANCE.randrange(STAY_OUT_ONE_IN) == 0):
        return None
    return PlaceWager(spot="ENTREE", amount=cost)


def _mistake(board: Board, _placed: Sequence[str]) -> PlaceWager:
    minimum = board.minimum
    return CHANCE.choice(
        [
            PlaceWager(spot="ENTREE", amount=minimum),
            PlaceWager(spot="ENTREE", amount=3 * minimum),
            PlaceWager(spot="MISE", amount=minimum),
            PlaceWager(spot="RAPPEL", amount=5 * minimum),
            PlaceWager(spot="17", amount=minimum),
        ]
    )


def _player(board: Board, seat: int) -> Command | None:
    """Say a word in one's turn; seldom in another's, which is refused."""
    facts = board.facts
    if board.phase != "decision" or f"seat_{seat}_standing" not in facts:
        return None
    if facts.get("turn") != seat:
        return Pass() if CHANCE.randrange(OUT_OF_TURN_ONE_IN) == 0 else None
    if CHANCE.randrange(SILENT_ONE_IN) == 0:
        return None
    if facts["stage"] == "rappel":
        return TryRappel() if CHANCE.randrange(TRY_ONE_IN) == 0 else Decline()
    return _bet(int(facts["level"]), to_pay=int(facts["to_pay"]))


def _bet(level: int, *, to_pay: int) -> Command:
    """Raise, also when it is no longer allowed; pass rather than pay now and then; else call."""
    if CHANCE.randrange(RAISE_ONE_IN) == 0:
        return Raise(level=level)
    if to_pay and CHANCE.randrange(PASS_ONE_IN) == 0:
        return Pass()
    return Follow(level=level)


PLAY = Play(wager=_wager, mistake=_mistake, player=_player)
