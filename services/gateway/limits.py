"""Limits and exclusions at the door: who may read them, and that an excluded player is not seated.

The ledger and the tables refuse what an excluded player may not do with money; that he is not even seated is seen here,
as a table hears only of players who have bought chips there.
"""

from typing import Protocol

import msgspec

from libs.kernel.actors import Actor
from libs.kernel.contracts.wallet_limits import Change, Player
from libs.kernel.refusals import Refusal
from libs.ledger.limit_lines import ExclusionLine, LimitLine, exclusion_lines, limit_lines
from libs.ledger.players import exclusion, flows
from libs.ledger.roles import LIMIT_READERS


class Known(Protocol):
    """Who knows what the ledger keeps of players."""

    def player(self, player: str) -> tuple[Player, str]:
        """Return what the ledger keeps of a player, and the running gaming day."""


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
    limits, exclusions = limit_lines(known, today, flows(known, today)), exclusion_lines(known, today)
    return PlayerLimits(player, today, limits, exclusions, known.history)


def not_seated(house: Known, player: str) -> Refusal | None:
    """Return why a player may not take a seat anywhere."""
    return exclusion(*house.player(player))
