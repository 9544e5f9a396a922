"""What the ledger keeps of a player: flows of the running day and week, limits in force, exclusions.

All of it is a fold of facts, with or without limits: who sets one in the middle of a day has the day counted from its
beginning. Figures carry the day they are of, so that nobody need be walked over when a day begins.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from libs.kernel import buckets
from libs.kernel.accounts import player_of
from libs.kernel.allowances import BARRED, EXCLUDED
from libs.kernel.contracts.wallet import BuyInPended, BuyInVoided, Deposited, Entry, TablePosted
from libs.kernel.contracts.wallet_limits import (
    Change,
    ExclusionKind,
    ExclusionLifted,
    Flow,
    Limit,
    LimitKind,
    LimitSet,
    Period,
    Player,
    PlayerExcluded,
    key_of,
)
from libs.kernel.contracts.wallet_transit import TransferReceived
from libs.kernel.days import week_of
from libs.kernel.limits import PLAYER_CHANGES_REMEMBERED
from libs.kernel.messages import Event
from libs.kernel.refusals import Refusal
from libs.ledger.state import LedgerState

NO_FLOW = Flow()
NOBODY = Player()
PERIODS: tuple[Period, ...] = ("day", "week")


def known_player(state: LedgerState, player: str) -> Player:
    """Return what is known of a player."""
    return buckets.find(state.players, player) or NOBODY


# -- flows --------------------------------------------------------------------------------------------------------
def flows(known: Player, today: str) -> dict[Period, Flow]:
    """Return what the player has moved in the running day and week."""
    if known.as_of == today:
        return {"day": known.day, "week": known.week}
    same_week = week_of(known.as_of) == week_of(today)
    return {"day": NO_FLOW, "week": known.week if same_week else NO_FLOW}


def flowed(state: LedgerState, event: Event, pending: Mapping[str, BuyInPended]) -> LedgerState:
    """Count what an event moved between the cage, accounts of players and tables; `pending` is from before it."""
    wished_on = ""
    match event:
        case Deposited():
            changes = {player: (cents, 0) for player, cents in _players(event.entries)}
        case BuyInVoided():
            changes = {player: (0, -cents) for player, cents in _players(event.entries)}
            wished_on = pending[event.transfer_id].day
        case BuyInPended() | TransferReceived():
            changes = {player: (0, -cents) for player, cents in _players(event.entries)}
        case TablePosted() if event.reason != "coup":
            changes = {player: (0, -cents) for player, cents in _players(event.entries)}
        case _:
            return state
    if not changes:
        return state
    day = wished_on or state.day
    known = {player: _moved(known_player(state, player), state.day, day, *change) for player, change in changes.items()}
    return replace(state, players=buckets.put(state.players, known))


def _players(entries: tuple[Entry, ...]) -> list[tuple[str, int]]:
    return [(player, entry.amount) for entry in entries if (player := player_of(entry.account))]


def _moved(known: Player, today: str, on_day: str, deposited: int, carried: int) -> Player:
    """Count what moved today in the periods that `on_day` belongs to: what never left then gives no room now."""
    now = flows(known, today)
    counts = {"day": on_day == today, "week": week_of(on_day) == week_of(today)}
    day, week = (
        Flow(flow.deposited + deposited, max(0, flow.at_risk + carried), flow.staked) if counts[period] else flow
        for period, flow in now.items()
    )
    # Most players have moved nothing earlier in the week: one object is enough for them.
    return replace(known, as_of=today, day=day, week=day if day == week else week)


def staked(known: Player, today: str, on_day: str, cents: int) -> Player:
    """Count what was staked under a word of an earlier or of this gaming day."""
    now = flows(known, today)
    day, week = now["day"], now["week"]
    if on_day == today:
        day = replace(day, staked=day.staked + cents)
    if week_of(on_day) == week_of(today):
        week = replace(week, staked=week.staked + cents)
    return replace(known, as_of=today, day=day, week=week)


# -- limits and exclusions ----------------------------------------------------------------------------------------
def used(flow: Flow, kind: LimitKind) -> int:
    """Return what a player has used up of a limit, in cents."""
    match kind:
        case "stake":
            return flow.staked
        case "loss":
            return flow.at_risk
        case "deposit":
            return flow.deposited


def in_force(limit: Limit | None, today: str) -> int | None:
    """Return the cents of a limit on a gaming day; None when there is none."""
    if limit is None:
        return None
    return limit.following if limit.from_day and today >= limit.from_day else limit.cents


def limits_of(known: Player, kind: LimitKind, today: str) -> dict[Period, int]:
    """Return the limits of a kind that are in force, in cents."""
    found = {period: in_force(known.limits.get(key_of(kind, period)), today) for period in PERIODS}
    return {period: cents for period, cents in found.items() if cents is not None}


def exclusions_of(known: Player, today: str) -> dict[ExclusionKind, str | None]:
    """Return the exclusions that are in force: the first gaming day after each, None for ever."""
    return {kind: until for kind, until in known.exclusions.items() if until is None or today < until}


def exclusion(known: Player, today: str) -> Refusal | None:
    """Return why a player is excluded today, None if he is not."""
    if not known.exclusions:
        return None
    there = exclusions_of(known, today)
    return BARRED if "casino" in there else EXCLUDED if "self" in there else None


# -- how facts change it ------------------------------------------------------------------------------------------
def changed(known: Player, event: Change) -> Player:
    """Return the player after a change of limits or exclusions, which is kept in the history."""
    history = (*known.history, event)[-PLAYER_CHANGES_REMEMBERED:]
    match event:
        case LimitSet():
            at_once = event.from_day <= event.day
            limit = Limit(event.amount) if at_once else Limit(event.before, event.amount, event.from_day)
            limits = {**known.limits, key_of(event.kind, event.period): limit}
            return replace(known, limits=limits, history=history)
        case PlayerExcluded():
            return replace(known, exclusions={**known.exclusions, event.kind: event.until}, history=history)
        case ExclusionLifted():
            left = {kind: until for kind, until in known.exclusions.items() if kind != "casino"}
            return replace(known, exclusions=left, history=history)


def settled(known: Player, today: str) -> Player:
    """Return the player with what is over left out: looser limits that count by now, exclusions that have ended."""
    over = {key for key, limit in known.limits.items() if limit.from_day and today >= limit.from_day}
    limits = {key: Limit(limit.following) if key in over else limit for key, limit in known.limits.items()}
    return replace(
        known,
        limits={key: limit for key, limit in limits.items() if limit != Limit()},
        exclusions=exclusions_of(known, today),
    )
