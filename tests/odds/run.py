"""Coups of all games on all processors; what comes out does not depend on how many there are."""

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import pairwise

from tests.odds.coups import Draws, Tally, added, counted
from tests.odds.trials import TRIALS


def played(game: str, seed: int, numbers: range) -> Tally:
    """Play coups of a game, as one process."""
    return counted(TRIALS[game](), Draws(game, seed), numbers)


def run(games: Sequence[str], seed: int, coups: int, jobs: int) -> Iterator[tuple[str, Tally]]:
    """Play so many coups of each game and yield each game when it is done."""
    numbers = range(1, coups + 1)
    if jobs == 1:
        yield from ((game, played(game, seed, numbers)) for game in games)
        return
    # Nothing that this process holds goes to its children.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        parts: dict[str, list[Future[Tally]]] = {
            game: [pool.submit(played, game, seed, part) for part in shared(numbers, jobs)] for game in games
        }
        for game, futures in parts.items():
            yield game, together([future.result() for future in futures])


def shared(numbers: range, parts: int) -> list[range]:
    """Share coups evenly.

    >>> shared(range(1, 11), 3)
    [range(1, 4), range(4, 7), range(7, 11)]
    """
    ends = [len(numbers) * part // parts for part in range(parts + 1)]
    return [numbers[first:last] for first, last in pairwise(ends)]


def together(tallies: Sequence[Tally]) -> Tally:
    """Return the tallies of all parts as one."""
    return added(
        ((*wager, back), times)
        for tally in tallies
        for wager, counts in tally.items()
        for back, times in counts.items()
    )
