"""Coups of all games on all processors; what comes out does not depend on how many there are."""

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import pairwise

from tests.odds.coups import Draws, Tally, Wagers, added, counted
from tests.odds.trials import TRIALS

Games = Mapping[str, Wagers]
"""Which wagers of which games are wanted."""


def played(game: str, wagers: Wagers, seed: int, numbers: range) -> Tally:
    """Play coups of a game, as one process."""
    return counted(TRIALS[game](wagers), Draws(game, seed), numbers)


def run(games: Games, seed: int, numbers: range, jobs: int) -> Iterator[tuple[str, Tally]]:
    """Play the coups of these numbers of each game and yield each game when it is done."""
    if jobs == 1:
        yield from ((game, played(game, wagers, seed, numbers)) for game, wagers in games.items())
        return
    # Nothing that this process holds goes to its children.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        parts: dict[str, list[Future[Tally]]] = {
            game: [pool.submit(played, game, wagers, seed, part) for part in shared(numbers, jobs)]
            for game, wagers in games.items()
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
