"""What stands on a small tile for a past coup: words that people use, in every game, and never a code."""

import re

import pytest

from libs.games import GAMES
from tests.kit.openings import golden_outcomes

OUTCOMES = {game: sorted(golden_outcomes(game)) for game in GAMES}
"""Every outcome of the golden sessions: a new game is asked as soon as it has some."""
CODE = re.compile(r"[A-Z]{2}|_|\d[CKPT]\b|:")
"""What words do not have: two capitals, an underscore, a suit as a letter, a colon."""


def test_every_game_is_asked() -> None:
    """No game is without outcomes."""
    assert [] == [game for game, codes in OUTCOMES.items() if not codes]


@pytest.mark.parametrize(("game", "code"), [(game, code) for game, codes in OUTCOMES.items() for code in codes])
def test_a_past_coup_is_called_by_words(game: str, code: str) -> None:
    """Short, with small print beside where it helps; the game's own code is for logs."""
    outcome = GAMES[game].outcome(code)
    assert outcome.short
    assert len(outcome.short) <= 12
    assert not CODE.search(f"{outcome.short} {outcome.beside}"), outcome


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_a_name(game: str) -> None:
    """The name of a game is the game's own word, in French and English; screens have no list of games."""
    title = GAMES[game].words["title"]
    assert title.fr
    assert title.en


def test_the_cards_of_a_hand_stand_beside_it() -> None:
    """A hand is shown with the signs of its suits, the cards in the order in which they were turned."""
    hand = GAMES["paire_poker"].outcome("DT-6T-JOKER:RIEN")
    assert ("Rien", "D♣ 6♣ ★") == (hand.short, hand.beside)
