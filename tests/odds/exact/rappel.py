"""The odds of Le Jeu du Rappel by going through all dice, player after player.

Players play against one another; what is exact is the expectation under a stated way of playing: all stay, nobody
raises, nobody tries the rappel. Then, of n players,

- `JOUEURS_n` is all that they pay, fees and antes: what is not credited to one of them the bank keeps;
- `JOUEURS_n ENTREE` is the entry of one of them, fee and ante;
- `JOUEURS_n RAPPEL called` is the stake of an attempt by one who rolled a 1, when all others who are in call a success;
- `JOUEURS_n RAPPEL passed` is the same when all others pass after a success.

Money is in entry fees (B): all pay 2 B, R = n x B.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

from tests.odds.returns import Returns, gathered

DICE = {1: 0, 2: 6, 3: 6, 4: 6, 5: 6, 6: 8, 7: 8, 8: 8, 9: 8, 10: 8} | {
    roll: 10 if roll < 16 else 12 if roll < 20 else 20 for roll in range(11, 21)
}
"""Faces of the die for JET 2 by roll of JET 1; 0 passes."""

KEPT_BY_PLAYERS = Fraction(9, 10)
"""The part of the pot that is left after the rake."""

Best = tuple[int, int, int]
"""How many players are in, their highest roll, and how many have it."""


def returns(paytable: str, wager: str) -> Returns:
    """Return what a wager gives back, dice by dice."""
    assert paytable == "RAPPEL-AFFICHE", f"no such paytable: {paytable}"
    players, _, what = wager.removeprefix("JOUEURS_").partition(" ")
    match what:
        case "":
            return gathered(_of_all(int(players)))
        case "ENTREE":
            return gathered(_of_an_entry(int(players)))
        case "RAPPEL called":
            return gathered(_of_a_rappel(int(players) - 1))
        case "RAPPEL passed":
            return gathered([(0, Fraction(19, 20)), (2 * KEPT_BY_PLAYERS, Fraction(1, 20))])
        case _:
            raise ValueError(f"no such wager: {wager}")


def distribution() -> dict[int, Fraction]:
    """Return the chance of each JET 2 of one player, by going through both dice; 0 is out."""
    found: dict[int, Fraction] = {}
    for die in DICE.values():
        for roll in range(1, die + 1) if die else (0,):
            found[roll] = found.get(roll, Fraction(0)) + Fraction(1, 20) / max(die, 1)
    return found


@cache
def convolved(players: int) -> dict[Best, Fraction]:
    """Return the chance of each (players in, highest roll, how often it came), player after player."""
    chances: dict[Best, Fraction] = {(0, 0, 0): Fraction(1)}
    for _ in range(players):
        after: dict[Best, Fraction] = {}
        for (best, chance), (roll, part) in product(chances.items(), distribution().items()):
            now = with_roll(best, roll)
            after[now] = after.get(now, Fraction(0)) + chance * part
        chances = after
    return chances


def with_roll(before: Best, roll: int) -> Best:
    """Return what one more player makes of it; 0 is out."""
    inside, best, times = before
    if roll == 0:
        return before
    if roll > best:
        return inside + 1, roll, 1
    return inside + 1, best, times + (roll == best)


def decided(best: Best) -> str:
    """Return which rule decides a game in which all have rolled."""
    inside, roll, times = best
    if inside < 2:
        return "one_in" if inside else "nobody"
    if roll in {1, 20}:
        return "all_ones" if roll == 1 else "double"
    return "winner" if times == 1 else "tie"


def prize(players: int, best: Best) -> Fraction:
    """Return what the winners of a game without bets share, in B."""
    match decided(best):
        case "nobody" | "all_ones":
            return Fraction(0)
        case "double":
            return Fraction(2 * players)
        case _:
            return KEPT_BY_PLAYERS * players


def _of_all(players: int) -> Iterator[tuple[Fraction, Fraction]]:
    for best, chance in convolved(players).items():
        yield prize(players, best) / (2 * players), chance


def _of_an_entry(players: int) -> Iterator[tuple[Fraction, Fraction]]:
    for (others, chance), (roll, part) in product(convolved(players - 1).items(), distribution().items()):
        best = with_roll(others, roll)
        wins = roll > 0 and roll == best[1]
        yield prize(players, best) / best[2] / 2 if wins else Fraction(0), chance * part


def _of_a_rappel(others: int) -> Iterator[tuple[Fraction, Fraction]]:
    """All others who are in by JET 1 call. With R = all antes, the pot is 2 R and one R more for each of them.

    A double rappel takes the fees besides, which are R.
    """
    success = Fraction(1, 20)
    yield Fraction(0), 1 - success
    for (before, chance), roll in product(convolved(others).items(), range(1, 21)):
        best = with_roll(before, roll)
        pot = Fraction(2 + before[0])
        won = decided(best)
        taken = pot + 1 if won == "double" else Fraction(0) if won == "all_ones" else KEPT_BY_PLAYERS * pot
        yield taken / best[2] if roll == best[1] else Fraction(0), success * chance / 20
