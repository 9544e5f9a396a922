"""Bots at Pair'e poker: a main stake before the others, every kind of mistake, a croupier who turns the cards."""

from collections.abc import Sequence

from libs.games.paire_poker.messages import PayWinners, ReportIrregularity, TurnCard
from libs.kernel.actors import Role
from libs.kernel.messages import Command
from libs.runtime.local.bots.games import CHANCE, Play, any_wager
from libs.table.board import Board
from libs.table.messages import PlaceWager

IDLE_ONE_IN = 6
"""How often the croupier leaves a card, or the payment, to the timer."""
SLIP_ONE_IN = 15
"""How often a member of the staff says what the rules refuse."""
MAIN = ("COULEUR_", "VALEUR_")


def _wager(board: Board, placed: Sequence[str], credit: int) -> PlaceWager | None:
    """Lay a main stake first: the rules refuse an optional one without it."""
    if any(spot.startswith(MAIN) for spot in placed):
        return any_wager(board, placed, credit)
    colour = PlaceWager(spot=CHANCE.choice(["COULEUR_ROUGE", "COULEUR_NOIR"]), amount=board.minimum)
    value = any_wager(board, placed, credit)
    if value is not None and value.spot.startswith(MAIN):
        return value
    return colour if colour.amount <= credit else None


def _mistake(board: Board) -> PlaceWager:
    minimum = board.minimum
    return CHANCE.choice(
        [
            PlaceWager(spot="VALEUR_A-JOKER", amount=minimum),
            PlaceWager(spot="VALEUR_8-7", amount=minimum),
            PlaceWager(spot="VALEUR_7-7", amount=minimum),
            PlaceWager(spot="VALEUR_5-6-7-8-9", amount=minimum),
            PlaceWager(spot="PAIRE_JOKER", amount=minimum),
            PlaceWager(spot="PAIRE_DEUX_JOKERS", amount=minimum * 2),
            PlaceWager(spot="COULEUR_ROUGE", amount=max(1, minimum - 1)),
            # Refused only where no main stake lies yet.
            PlaceWager(spot="MAIN", amount=minimum),
        ]
    )


def _staff(board: Board) -> tuple[Role, Command] | None:
    face_down = board.facts.get("face_down")
    if board.awaited or not isinstance(face_down, int) or CHANCE.randrange(IDLE_ONE_IN) == 0:
        return None
    if CHANCE.randrange(SLIP_ONE_IN) == 0:
        slips: list[tuple[Role, Command]] = [
            ("croupier", PayWinners() if face_down else TurnCard(place=1)),
            ("croupier", ReportIrregularity(kind="wrong_count")),
            ("pit_boss", ReportIrregularity(kind="exposed_card")),
        ]
        return CHANCE.choice(slips)
    return "croupier", TurnCard(place=4 - face_down) if face_down else PayWinners()


PLAY = Play(wager=_wager, mistake=_mistake, staff=_staff)
