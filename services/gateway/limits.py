"""Limits and exclusions at the door: who may read them, and that an excluded player is not seated.

The ledger and the tables refuse what an excluded player may not do with money; that he is not even seated is seen here,
as a table hears only of players who have bought chips there.
"""

from typing import Protocol

import msgspec

from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet_limits import Change, ExclusionKind, Player
from libs.kernel.refusals import Refusal
from libs.ledger.players import PERIODS, exclusion, exclusions_of, flows, in_force
from libs.ledger.roles import LIMIT_READERS


class Known(Protocol):
    """Who knows what the ledger keeps of players."""

    def player(self, player: str) -> tuple[Player, str]:
        """Return what the ledger keeps of a player, and the running gaming day."""


class LimitLine(msgspec.Struct, frozen=True):
    """A limit of a player, in cents."""

    kind: str
    """`stake`, `loss` or `deposit`."""
    period: str
    """`day` or `week`."""
    amount: int | None
    """What counts now; null when a limit only ends, or begins, later."""
    used: int
    """What is used up in the running period; stakes as far as tables have reported them."""
    following: int | None
    """The looser limit, or null for none, that counts from `from_day` on."""
    from_day: str
    """Empty when nothing follows."""


class ExclusionLine(msgspec.Struct, frozen=True):
    """An exclusion that is in force."""

    kind: ExclusionKind
    until: str | None
    """The first gaming day on which the player may play again; null for ever."""


class PlayerLimits(msgspec.Struct, frozen=True):
    """A player's limits and exclusions on the running gaming day, and their latest changes, oldest first."""

    player: str
    day: str
    limits: tuple[LimitLine, ...]
    exclusions: tuple[ExclusionLine, ...]
    history: tuple[Change, ...]


def may_read(actor: Actor, player: str) -> bool:
    """Tell whether somebody may ask for a player's limits."""
    return actor.role in LIMIT_READERS or (actor.role == "player" and actor.id == player)


def limits_of(house: Known, player: str) -> PlayerLimits:
    """Return what is known of a player's limits and exclusions."""
    known, today = house.player(player)
    now, lines = flows(known, today), []
    for period in PERIODS:
        used = {"stake": now[period].staked, "loss": now[period].at_risk, "deposit": now[period].deposited}
        for kind, cents in used.items():
            limit = known.limits.get(f"{kind}/{period}")
            if limit is None:
                continue
            follows = limit.from_day > today
            following, from_day = (limit.following, limit.from_day) if follows else (None, "")
            lines.append(LimitLine(kind, period, in_force(limit, today), cents, following, from_day))
    exclusions = tuple(ExclusionLine(kind, until) for kind, until in exclusions_of(known, today).items())
    return PlayerLimits(player, today, tuple(lines), exclusions, known.history)


def not_seated(house: Known, player: str) -> Refusal | None:
    """Return why a player may not take a seat anywhere."""
    return exclusion(*house.player(player))
