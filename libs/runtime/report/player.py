"""The report of a player: what an account moved on a gaming day, and what its player staked and got at tables."""

import msgspec

from libs.kernel.accounts import player_account
from libs.kernel.contracts.wallet_limits import Change
from libs.ledger.limit_lines import ExclusionLine, LimitLine, exclusion_lines, limit_lines
from libs.ledger.players import NOBODY
from libs.runtime.report.gather import Gathered, Source
from libs.runtime.report.ledger import Movement


class NoSuchPlayer(LookupError):
    """The ledger has nothing of a player of this name on that day."""


class PlayLine(msgspec.Struct, frozen=True):
    """A player's settled coups in a session's share of the day, in cents."""

    table: str
    session: int
    game: str
    coups: int
    staked: int
    credited: int
    """What came back, stakes handed back included."""


class PlayerReport(msgspec.Struct, frozen=True, kw_only=True):
    """A player's day, in cents. Accounts are pseudonymous: the report knows no names."""

    site: str
    day: str
    player: str
    closed: bool
    """False while the day runs."""
    before: int
    after: int
    staked: int
    credited: int
    play: tuple[PlayLine, ...]
    movements: tuple[Movement, ...]
    limits: tuple[LimitLine, ...] = ()
    exclusions: tuple[ExclusionLine, ...] = ()
    history: tuple[Change, ...] = ()
    """The latest changes of limits and exclusions up to the end of the day, oldest first."""
    sources: tuple[Source, ...]


def player_report(site: str, player: str, gathered: Gathered) -> PlayerReport:
    """Return the report of a day that was gathered with the player's account watched; raises `NoSuchPlayer`."""
    account = player_account(player)
    befores = [ledger.before[account] for ledger in gathered.ledgers if account in ledger.before]
    afters = [ledger.after[account] for ledger in gathered.ledgers if account in ledger.after]
    known = next((ledger.known for ledger in reversed(gathered.ledgers) if ledger.known != NOBODY), NOBODY)
    play = tuple(
        PlayLine(one.table, one.session, one.game, found.coups, found.staked, found.credited)
        for one in gathered.plays
        if (found := one.players.get(player)) is not None
    )
    if gathered.ledgers and not (befores or play or known != NOBODY):
        raise NoSuchPlayer(
            f"there is no player {player} on {gathered.day}: no money, movement, limit or play of that name"
        )
    return PlayerReport(
        site=site,
        day=gathered.day,
        player=player,
        closed=gathered.closed,
        before=befores[0] if befores else 0,
        after=afters[-1] if afters else 0,
        staked=sum(line.staked for line in play),
        credited=sum(line.credited for line in play),
        play=play,
        movements=tuple(movement for ledger in gathered.ledgers for movement in ledger.movements),
        limits=limit_lines(known, gathered.day, None),
        exclusions=exclusion_lines(known, gathered.day),
        history=known.history,
        sources=tuple(gathered.sources),
    )
