"""When a report says no. The rule was written down before any report was made, and nobody chooses afterwards.

1. Everything that a report finds is a p-value: for a fair source uniform in 0 … 1, or larger.
2. All p-values of one look are judged together by Holm's method at the 1 % level: a fair source is suspected at all in
   one report of a hundred, however many tests there are and however they depend on one another.
3. Each suspicion is followed by one second look, at fresh samples of the same number, for the suspected findings alone,
   judged in the same way. What is rejected again fails. There is no third look, and both p-values stay in the report.
4. Records of physical wheels and dice cannot be drawn anew: what is rejected there is rejected.

So a fair generator fails one report in ten thousand. NIST's own marks (proportion of p-values from 0.01 up within three
sigma, uniformity at 0.0001) are shown beside it; of some 380 a few are outside in most reports of a fair source.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from typing import Literal

import msgspec
import numpy as np
from scipy.special import gammaincc
from scipy.stats import binom

LEVEL = 0.01
"""Level of a look at everything: 99 % of fair sources pass it."""

TEST_LEVEL = 0.01
"""Level at which a sequence passes one test of the battery."""

BINS = 10
"""Of the p-values of a test, when their uniformity is judged (SP 800-22, 4.2.2)."""

Verdict = Literal["passed", "passed_again", "failed"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One question asked of some samples, and its answer."""

    section: str
    test: str
    samples: int
    statistic: float
    measures: str
    """What the statistic is, in a few words."""
    p: float
    again_p: float | None = None
    """Of the second look, if the first rejected it."""
    verdict: Verdict = "passed"
    nist: bool | None = None
    """NIST's own mark, where there is one."""
    bins: tuple[int, ...] = ()
    """How many p-values fell into each tenth, for a test of the battery."""

    @property
    def key(self) -> str:
        """Its name within a report."""
        return f"{self.section}: {self.test}"


def rejected(found: Iterable[Finding]) -> set[str]:
    """Return the findings that Holm's method rejects at `LEVEL`."""
    row = sorted(found, key=lambda one: one.p)
    keys: set[str] = set()
    for place, one in enumerate(row):
        if one.p * (len(row) - place) > LEVEL:
            break
        keys.add(one.key)
    return keys


def judged(found: Sequence[Finding], again: Callable[[set[str]], Sequence[Finding]] | None) -> list[Finding]:
    """Return the findings with their verdicts, after a second look (`again` makes it) at those suspected."""
    suspected = rejected(found)
    if not suspected:
        return list(found)
    if again is None:
        return [_with(one, verdict="failed") if one.key in suspected else one for one in found]
    seconds = {one.key: one for one in again({one.section for one in found if one.key in suspected})}
    failed = rejected(seconds[key] for key in suspected)
    return [
        _with(one, again_p=seconds[one.key].p, verdict="failed" if one.key in failed else "passed_again")
        if one.key in suspected
        else one
        for one in found
    ]


def of_battery(section: str, sequences: Sequence[Mapping[str, float]]) -> list[Finding]:
    """Return what the p-values of many sequences say: how many pass each test, and whether they are spread evenly."""
    names = dict.fromkeys(name for sequence in sequences for name in sequence)
    found = []
    for name in names:
        values = np.array([sequence[name] for sequence in sequences if name in sequence])
        count = len(values)
        passed = int((values >= TEST_LEVEL).sum())
        bins = np.bincount(np.minimum((values * BINS).astype(int), BINS - 1), minlength=BINS)
        spread = float(((bins - count / BINS) ** 2 / (count / BINS)).sum())
        even = float(gammaincc((BINS - 1) / 2, spread / 2))
        margin = 3 * sqrt(TEST_LEVEL * (1 - TEST_LEVEL) / count)
        found += [
            Finding(
                test=f"{name}: proportion",
                statistic=passed / count,
                measures="proportion of sequences with p ≥ 0.01",
                p=float(binom.sf(count - passed - 1, count, TEST_LEVEL)),
                nist=abs(passed / count - (1 - TEST_LEVEL)) <= margin,
                section=section,
                samples=count,
            ),
            Finding(
                test=f"{name}: uniformity",
                statistic=spread,
                measures="chi-square of ten tenths of p",
                p=even,
                nist=even >= 0.0001,
                bins=tuple(int(one) for one in bins),
                section=section,
                samples=count,
            ),
        ]
    return found


def _with(one: Finding, **changes: object) -> Finding:
    return msgspec.structs.replace(one, **changes)
