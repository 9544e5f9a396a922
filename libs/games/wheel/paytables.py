"""The segments of the wheel, the two paytables and the house edge of every chance (art. 67-16-5, rules.md section 3).

Gains are *to* 1: the winner keeps the stake ("dans tous les cas, le joueur gagnant conserve sa mise").
"""

from fractions import Fraction

from libs.kernel.game import Paytable, Proposal

BONUS = "BONUS"

_ORDER = (
    "48 4 2 6 2 4 2 24 2 6 2 4 2 BONUS 2 6 2 4 2 16 2 4 2 6 2 4 "
    "16 4 2 6 2 4 2 24 2 6 2 4 2 BONUS 2 6 2 4 2 16 2 4 2 6 2 4"
)

MAIN_SEGMENTS: tuple[str, ...] = tuple(_ORDER.split())
"""Segment n of the main wheel shows `MAIN_SEGMENTS[n - 1]`, n = 1 … 52 clockwise from the 48.

The decree fixes how many segments of each kind there are, not their order; this order is ours, with no two
neighbours alike.
"""

INNER_SEGMENTS: tuple[str, ...] = ("5", "20", "50", "100", "250", "1000")
"""Segment n of the inner wheel shows `INNER_SEGMENTS[n - 1]`, n = 1 … 6 clockwise from the 5."""

MAIN_SPOTS: tuple[str, ...] = ("2", "4", "6", "16", "24", "48")
"""The chances of the main wheel that pay by themselves, in the order of the layout."""

SPOTS: tuple[str, ...] = (*MAIN_SPOTS, BONUS)

MAXIMUM_TIMES_MINIMUM: dict[str, int] = {"2": 100, "4": 50, "6": 25, "16": 12, "24": 10, "48": 5}
"""Art. 67-16-5: most that one player may stake on a chance, in multiples of the session's minimum (WA2)."""

DIVISOR = "BONUS_DIVISOR"
"""Key in a paytable's gains: the inner ratio applies to stake / divisor."""


def inner_key(ratio: str) -> str:
    """Return the key of an inner segment in a paytable's gains.

    >>> inner_key("250")
    'BONUS_250'
    """
    return f"{BONUS}_{ratio}"


def edges(gains: dict[str, int]) -> dict[str, Fraction]:
    """Return the exact house edge of every chance: minus the mean net gain per unit staked."""
    main_count, inner_count = len(MAIN_SEGMENTS), len(INNER_SEGMENTS)
    found: dict[str, Fraction] = {}
    for spot in MAIN_SPOTS:
        hits = MAIN_SEGMENTS.count(spot)
        found[spot] = 1 - Fraction(hits * (gains[spot] + 1), main_count)
    mean_gain = Fraction(sum(gains[inner_key(ratio)] for ratio in INNER_SEGMENTS), inner_count * gains[DIVISOR])
    found[BONUS] = 1 - Fraction(MAIN_SEGMENTS.count(BONUS), main_count) * (mean_gain + 1)
    return found


def _paytable(main: tuple[int, ...], divisor: int) -> Paytable:
    """Return a paytable from the gains of the main chances and the divisor of the bonus stake."""
    gains = dict(zip(MAIN_SPOTS, main, strict=True))
    gains |= {inner_key(ratio): int(ratio) for ratio in INNER_SEGMENTS}
    gains[DIVISOR] = divisor
    return Paytable(gains=gains, edges=edges(gains))


PAYTABLES: dict[str, Paytable] = {
    "ROUE-ARR-2024": _paytable((2, 4, 6, 16, 24, 48), divisor=1),
    "ROUE-MAISON-1": _paytable((1, 3, 5, 15, 23, 47), divisor=10),
}
"""`ROUE-ARR-2024` is the letter of the decree (players win on 2, 4, 6 and BONUS); `ROUE-MAISON-1` lets a house live."""


def maxima(proposal: Proposal) -> dict[str, int]:
    """Return the most that one player may have on each chance, in cents; BONUS takes its fixed stake or nothing."""
    found = {spot: times * proposal.minimum for spot, times in MAXIMUM_TIMES_MINIMUM.items()}
    found[BONUS] = proposal.options["bonus_stake"]
    return found


def worst_gain(paytable: Paytable, proposal: Proposal) -> int:
    """Return the most that one seat can gain in one spin, in cents (maximum on the dearest chance)."""
    most = maxima(proposal)
    best_ratio = max(paytable.gains[inner_key(ratio)] for ratio in INNER_SEGMENTS)
    bonus = most[BONUS] * best_ratio // paytable.gains[DIVISOR]
    return max(bonus, *(most[spot] * paytable.gains[spot] for spot in MAIN_SPOTS))
