"""The terms of a session: what a committee member proposes, and what is fixed when it opens."""

from fractions import Fraction
from typing import Literal

import msgspec

OutcomeSource = Literal["rng", "console", "device"]
"""Where the outcomes of a session come from: the RNG service; the croupier's console, where people record what they
see (dice faces, cards, a segment); or a device (a sensor, a shuffler), with people at the console when it fails."""


class Paytable(msgspec.Struct, frozen=True):
    """A published paytable: gains in the game's own terms, and the exact house edge of every chance."""

    gains: dict[str, int]
    edges: dict[str, Fraction]


class Proposal(msgspec.Struct, frozen=True):
    """The terms that a committee member asks for, before they are accepted. Money in cents."""

    minimum: int
    source: str
    seats: int
    options: dict[str, int]
    float_amount: int = 0
    """What the table opens with, for games that ask a least float (art. 49)."""
    paytable: str = ""


class Terms(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The terms of a session: fixed when it opens, recorded in `SessionOpened`. Money in cents, times in ms."""

    game: str
    rules_version: int
    paytable: str
    gains: dict[str, int]
    edges: dict[str, str]
    minimum: int
    maxima: dict[str, int]
    seats: int
    source: str
    betting_ms: int
    decision_ms: int
    options: dict[str, int]
    seeded: bool = False
    """True when the draws of each coup follow from a seed that was committed to before its betting opened."""
