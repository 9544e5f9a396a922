"""What may be said wrong at the duel; in a house that has it, `tests/kit/wrongs/duel.py`."""

from libs.games import GAMES
from libs.kernel.messages import Command, tag_of
from libs.table import messages as m
from tests.kit.given import CROUPIER, GivenTable, opening, player
from tests.kit.wrongs import Wrong


def betting(*wagers: tuple[int, str, int]) -> GivenTable:
    """Betting is open at a table with one player."""
    table = GivenTable().given_open(opening("DUEL", game="duel", options={}))
    return table.given_seated(1, credit=1_000).given_wagers(*wagers)


def dealing() -> GivenTable:
    """The cards are being dealt."""
    return betting((1, "POT", 100)).given(m.CloseBetting(), by=CROUPIER)


def poor() -> GivenTable:
    """The cards lie face down and player 1 has nothing left to double with."""
    table = GivenTable().given_open(opening("DUEL", game="duel", options={}))
    table.given_seated(1, credit=100).given_seated(2, credit=1_000).given_wagers((1, "POT", 100), (2, "POT", 100))
    return table.given(m.CloseBetting(), by=CROUPIER).given_drawn(3, 9)


def _words() -> list[Command]:
    return [kind() for kind in sorted(GAMES["duel"].roles, key=tag_of)] if "duel" in GAMES else []


WRONG = [
    *(Wrong("duel.not_now", betting, word, player()) for word in _words()),
    *(Wrong("duel.not_now", dealing, word, player()) for word in _words()),
    *(Wrong("duel.too_little", poor, word, player()) for word in _words() if tag_of(word) == "duel.Raise"),
    Wrong("duel.not_now", betting, m.PlaceWager(spot="POT", amount=99), player()),
    Wrong("duel.not_now", betting, m.PlaceWager(spot="CARD", amount=100), player()),
    Wrong("duel.not_now", lambda: betting((1, "POT", 100)), m.PlaceWager(spot="POT", amount=100), player()),
]
