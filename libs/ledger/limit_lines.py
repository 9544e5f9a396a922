"""Limits and exclusions of a player as people and programs read them: at the door, and in reports."""

from collections.abc import Mapping
from typing import get_args

import msgspec

from libs.kernel.contracts.wallet_limits import ExclusionKind, Flow, LimitKind, Period, Player, key_of
from libs.ledger.players import PERIODS, exclusions_of, in_force, used

KINDS: tuple[LimitKind, ...] = get_args(LimitKind)


class LimitLine(msgspec.Struct, frozen=True):
    """A limit of a player on a gaming day, in cents."""

    kind: LimitKind
    period: Period
    amount: int | None
    """What counts on the day; null when a limit only ends, or begins, later."""
    used: int | None
    """What is used up in the running period, stakes as far as tables have reported them; null in reports."""
    following: int | None
    """The looser limit, or null for none, that counts from `from_day` on."""
    from_day: str
    """Empty when nothing follows."""


class ExclusionLine(msgspec.Struct, frozen=True):
    """An exclusion that is in force on a gaming day."""

    kind: ExclusionKind
    until: str | None
    """The first gaming day on which the player may play again; null for ever."""


def limit_lines(known: Player, day: str, moved: Mapping[Period, Flow] | None) -> tuple[LimitLine, ...]:
    """Return the limits of a player; `moved` is what he has moved in the running periods, None when nobody knows."""
    lines = []
    for period in PERIODS:
        for kind in KINDS:
            limit = known.limits.get(key_of(kind, period))
            if limit is not None:
                following, from_day = (limit.following, limit.from_day) if limit.from_day > day else (None, "")
                so_far = None if moved is None else used(moved[period], kind)
                lines.append(LimitLine(kind, period, in_force(limit, day), so_far, following, from_day))
    return tuple(lines)


def exclusion_lines(known: Player, day: str) -> tuple[ExclusionLine, ...]:
    """Return the exclusions of a player."""
    return tuple(ExclusionLine(kind, until) for kind, until in exclusions_of(known, day).items())
