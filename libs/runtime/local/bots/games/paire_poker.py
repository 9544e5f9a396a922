"""Bots at Pair'e poker: a main stake before the others, every kind of mistake, a croupier who turns the cards."""

from collections.abc import Sequence

from libs.games.paire_poker.messages import PayWinners, ReportIrregularity, TurnCard
from libs.kernel.actors import Role
from libs.kernel.messages import Command
from libs.runtime.local.bots.games import CHANCE, Play, any_faces, any_wager, too_little
from libs.table.board import Board, BoardOutcome
from libs.table.messages import PlaceWager

IDLE_ONE_IN = 6
"""How often the croupier leaves a card, or the payment, to the timer."""
SLIP_ONE_IN = 15
"""How often a member of the staff says what the rules refuse."""
IRREGULAR_ONE_IN, VOID_ONE_IN = 60, 4
"""How often, at each look, the pit boss finds something wrong with the cards; how often that is a void."""
DOUBLE_ONE_IN = 10
"""How often a recorded card is just any card, even one that lies there already."""
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


def _mistake(board: Board, placed: Sequence[str]) -> PlaceWager:
    minimum = board.minimum
    mistakes = [
        PlaceWager(spot="VALEUR_A-JOKER", amount=minimum),
        PlaceWager(spot="VALEUR_8-7", amount=minimum),
        PlaceWager(spot="VALEUR_7-7", amount=minimum),
        PlaceWager(spot="VALEUR_5-6-7-8-9", amount=minimum),
        PlaceWager(spot="PAIRE_JOKER", amount=minimum),
        PlaceWager(spot="PAIRE_DEUX_JOKERS", amount=minimum * 2),
        too_little(board, placed),
    ]
    if not any(spot.startswith(MAIN) for spot in placed):
        # Under a main stake it would be a wager.
        mistakes.append(PlaceWager(spot="MAIN", amount=minimum))
    return CHANCE.choice(mistakes)


def _staff(board: Board) -> tuple[Role, Command] | None:
    face_down = board.facts.get("face_down")
    if not isinstance(face_down, int):
        return None
    if CHANCE.randrange(IRREGULAR_ONE_IN) == 0:
        return "pit_boss", ReportIrregularity(kind="exposed_card" if CHANCE.randrange(VOID_ONE_IN) else "wrong_count")
    if board.awaited or CHANCE.randrange(IDLE_ONE_IN) == 0:
        return None
    if CHANCE.randrange(SLIP_ONE_IN) == 0:
        slips: list[tuple[Role, Command]] = [
            ("croupier", PayWinners() if face_down else TurnCard(place=1)),
            ("croupier", ReportIrregularity(kind="wrong_count")),
            ("pit_boss", ReportIrregularity(kind="exposed_card")),
        ]
        return CHANCE.choice(slips)
    return "croupier", TurnCard(place=4 - face_down) if face_down else PayWinners()


def _faces(board: Board, awaited: BoardOutcome) -> tuple[str, ...]:
    """Record a card that is not on the table yet; now and then one that is, which voids the coup."""
    lying = {board.facts.get(f"card_{place}") for place in (1, 2)}
    if CHANCE.randrange(DOUBLE_ONE_IN) == 0:
        return any_faces(board, awaited)
    return tuple(CHANCE.choice([face for face in choice if face not in lying]) for choice in awaited.choices)


PLAY = Play(wager=_wager, mistake=_mistake, staff=_staff, faces=_faces)
