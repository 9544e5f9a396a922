"""What tables are told of a player with a limit of stakes or an exclusion, until each has answered.

A table keeps what it was told and counts what is staked under it, so wagers never wait for the ledger. Cents to stake
are at one table at a time, that of the last buy-in, and are granted only while every table where the player may sit has
answered that it lets him stake nothing: so all that he staked is counted first, and no grant is given twice.

    buy-in elsewhere, another limit, another day
        --> nothing more here (`limit.stake_counted`) --all have answered with their counts--> the rest of the limit

Words about a player are numbered and the highest one stands, so that a new one need not wait for an answer to the last.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from libs.kernel import buckets
from libs.kernel.allowances import EXCLUSIONS, STAKES_COUNTED, STAKES_ELSEWHERE, STAKES_USED_UP, Allowance
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import AllowanceSet, SetAllowance
from libs.kernel.contracts.wallet import BuyInPended
from libs.kernel.contracts.wallet_limits import AllowanceDue, AllowanceHeard, Player, Told
from libs.kernel.days import later
from libs.kernel.decider import Accepted, Already, Decision, NotYet, Outgoing
from libs.kernel.ids import allowance_id
from libs.kernel.limits import ALLOWANCES_SENT, VISITS_REMEMBERED_DAYS
from libs.ledger.players import exclusion, flows, known_player, limits_of, staked, used
from libs.ledger.state import LedgerState


# -- what is due --------------------------------------------------------------------------------------------------
def words_due(player: str, known: Player, today: str) -> tuple[AllowanceDue, ...]:
    """Return the new words to tables that follow from what is known of a player."""
    said: list[AllowanceDue] = []
    # The table of the last buy-in comes last: what it may be granted depends on the others.
    for table in sorted(known.tables, key=lambda table: table == known.last):
        told = known.tables[table]
        wanted = _wanted(known, table, today)
        if wanted == (told.cents, told.code, told.under):
            continue
        cents, code, under = wanted
        due = AllowanceDue(
            player=player, table=table, pit=told.pit, number=known.words + 1, cents=cents, code=code, under=under
        )
        said.append(due)
        known = after_due(known, due, today)
    return tuple(said)


def _wanted(known: Player, table: str, today: str) -> tuple[int | None, str, str]:
    """Return cents, code and basis of what a table should have been told."""
    excluded = exclusion(known, today)
    if excluded is not None:
        return 0, excluded.code, ""
    limits = limits_of(known, "stake", today)
    if not limits:
        return None, "", ""
    if table != known.last:
        return 0, STAKES_ELSEWHERE.code, ""
    under = " ".join((today, *(f"{period}:{cents}" for period, cents in limits.items())))
    if known.tables[table].under == under:
        return known.tables[table].cents, STAKES_USED_UP.code, under
    if not all(told.heard and told.cents == 0 for told in known.tables.values()):
        return 0, STAKES_COUNTED.code, ""
    now = flows(known, today)
    left = min(cents - used(now[period], "stake") for period, cents in limits.items())
    return max(0, left), STAKES_USED_UP.code, under


def visited(known: Player, pended: BuyInPended, today: str) -> Player:
    """Return the player after a buy-in: its table is the last one; what it was told, if anything, still stands.

    At a table that is new to a player he has no chips before this buy-in, so there is nothing to count there. Of one
    who has ever been spoken of, it may still know an old word: it is told anew, also that he may stake as he likes.
    """
    told = known.tables.get(pended.table)
    if told is None:
        unlike_any = known.words > 0 or bool(limits_of(known, "stake", today))
        told = Told(pit=pended.pit, day=today, cents=0 if unlike_any else None)
    tables = {**known.tables, pended.table: replace(told, pit=pended.pit, day=today)}
    return replace(known, tables=tables, last=pended.table)


def renewed(player: str, known: Player, today: str) -> Player:
    """Return the player as a new gaming day has him: old visits forgotten, and new words for the others.

    A visit of before the ledger's first gaming day is one of that day.
    """
    oldest = later(today, -VISITS_REMEMBERED_DAYS) if today else ""
    visits = {table: told if told.day else replace(told, day=today) for table, told in known.tables.items()}
    tables = {table: told for table, told in visits.items() if told.day >= oldest or _lasts(told)}
    known = replace(known, tables=tables)
    for due in words_due(player, known, today):
        known = after_due(known, due, today)
    return known


def _lasts(told: Told) -> bool:
    """Tell whether a table is still owed a word: this one, or what it counts, or that an exclusion is over."""
    return not told.heard or bool(told.grants) or told.code in EXCLUSIONS


def owed(state: LedgerState) -> list[Outgoing]:
    """Return words that tables have not answered, some at once to each pit: one that is away holds up no other."""
    found: list[Outgoing] = []
    to_pit: Counter[str] = Counter()
    for player, table, told in unheard(state):
        to_pit[told.pit] += 1
        if to_pit[told.pit] <= ALLOWANCES_SENT:
            word = Allowance(told.number, told.cents, told.code)
            command = SetAllowance(player=player, allowance=word, known=told.known)
            found.append(Outgoing(allowance_id(player, told.number), told.pit, table, command))
    return found


def unheard(state: LedgerState) -> Iterator[tuple[str, str, Told]]:
    """Yield player, table and word of all that tables have not answered."""
    for player in state.untold:
        for table, told in known_player(state, player).tables.items():
            if not told.heard:
                yield player, table, told


# -- the table's word ---------------------------------------------------------------------------------------------
def hear(state: LedgerState, command: Answered) -> Decision:
    """Decide a table's answer to the last word it was told; one that has no stream yet has nobody seated either."""
    player, _, number = command.to.removeprefix("allowance:").rpartition("/")
    tables = known_player(state, player).tables
    table = next((table for table, told in tables.items() if not told.heard and str(told.number) == number), None)
    if table is None:
        return Already()
    told = tables[table]
    said = next((e for e in command.events if isinstance(e, AllowanceSet) and e.allowance.number == told.number), None)
    if said is None and command.refusal is None:
        return NotYet(f"the answer to {command.to} does not say that it was heard")
    seated = said is not None and said.seated
    coming = any((p.player, p.table) == (player, table) for p in state.pending.values())
    heard = AllowanceHeard(
        player=player,
        table=table,
        number=told.number,
        staked={word: cents for word, cents in said.staked.items() if word in told.grants} if said is not None else {},
        gone=not seated and not coming and not told.cents and told.code not in EXCLUSIONS,
    )
    known = after_heard(known_player(state, player), heard, state.day)
    return Accepted((heard, *words_due(player, known, state.day)))


# -- how the facts change it --------------------------------------------------------------------------------------
def after_due(known: Player, event: AllowanceDue, today: str) -> Player:
    """Return the player when a table is to be told; under a word that lets something be staked, it will be counted."""
    told = known.tables.get(event.table, Told(pit=event.pit, day=today))
    told = replace(
        told,
        number=event.number,
        cents=event.cents,
        code=event.code,
        under=event.under,
        heard=False,
        grants={**told.grants, event.number: today} if event.cents else told.grants,
    )
    return replace(known, tables={**known.tables, event.table: told}, words=event.number)


def after_heard(known: Player, event: AllowanceHeard, today: str) -> Player:
    """Return the player when a table has answered: what was staked under the words before this one is counted."""
    told = known.tables.get(event.table)
    if told is None:
        return known  # a volume that is read alone, before its pieces
    for word, cents in event.staked.items():
        known = staked(known, today, told.grants.get(word, ""), cents)
    if event.gone:
        return replace(known, tables={name: other for name, other in known.tables.items() if name != event.table})
    grants = {word: day for word, day in told.grants.items() if word >= event.number}
    told = replace(told, heard=True, known=event.number - 1, grants=grants)
    return replace(known, tables={**known.tables, event.table: told})


def with_player(state: LedgerState, player: str, known: Player) -> LedgerState:
    """Return the ledger with a player, who is untold while a table has not answered."""
    untold = state.untold
    if is_untold(known) != (player in untold):
        # Sorted, so that a volume read alone comes to the same bytes, in whatever order it learnt of them.
        untold = dict.fromkeys(sorted(untold.keys() ^ {player}), True)
    return replace(state, players=buckets.put(state.players, {player: known}), untold=untold)


def is_untold(known: Player) -> bool:
    """Tell whether some table has not answered the last word about a player."""
    return any(not told.heard for told in known.tables.values())
