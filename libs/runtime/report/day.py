"""Make the report of a gaming day: every table, every game, the cage, and what the house owes to players."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from libs.kernel.accounts import PENDING_BUY_IN, PENDING_REQUEST, float_account
from libs.runtime.floor import Floor, RevenueRule
from libs.runtime.report.gather import Gathered
from libs.runtime.report.ledger import LedgerDay, SessionMoney
from libs.runtime.report.revenue import category, revenue
from libs.runtime.report.sessions import SessionPlay
from libs.runtime.report.shapes import (
    LISTS_OF_TABLES,
    DayReport,
    GameReport,
    Liability,
    SessionReport,
    TableReport,
    Totals,
)

_PLAYED = ("coups", "handle", "rake", "entry_fees", "win", "revenue")
"""What is said of a session, a table, a game and the site alike."""


def day_report(site: str, floor: Floor | None, gathered: Gathered) -> DayReport:
    """Return the report of what was gathered."""
    ledgers, plays = gathered.ledgers, gathered.plays
    rules = floor.site.revenue if floor else ()
    names = sorted({name for ledger in ledgers for name in ledger.tables})
    tables = tuple(_table(name, ledgers, plays, rules, gathered.day) for name in names)
    # The parts of a wallet change the day one after the other; the day begins with the first, and ends with the last.
    ends = [ledger.closed_ms for ledger in ledgers if ledger.closed_ms is not None]
    return DayReport(
        site=site,
        day=gathered.day,
        status="no_activity" if not ledgers else "closed" if gathered.closed else "open",
        currency=floor.site.currency if floor else "EUR",
        timezone=floor.site.timezone if floor else "UTC",
        cut_off=floor.site.cutoff if floor else "",
        began_ms=min((ledger.opened_ms for ledger in ledgers), default=None),
        ended_ms=max(ends) if ends and gathered.closed else None,
        totals=_totals(ledgers, tables),
        games=_games(tables),
        tables=tables,
        liability_before=_liability(*(ledger.before for ledger in _firsts(ledgers))),
        liability=_liability(*(ledger.after for ledger in _lasts(ledgers))),
        voids=tuple(line for play in plays for line in play.voids),
        corrections=tuple(line for ledger in ledgers for line in ledger.corrections),
        outcomes=tuple(line for play in plays for line in play.outcomes),
        counts=tuple(line for play in plays for line in play.counts),
        late=tuple(line for play in plays for line in play.late),
        carried_in=tuple(item for ledger in _firsts(ledgers) for item in ledger.carried_in),
        carried_out=tuple(item for ledger in _lasts(ledgers) for item in ledger.carried_out),
        sources=tuple(gathered.sources),
    )


def of_table(report: DayReport, table: str) -> DayReport:
    """Return the report with one table alone: its results, and what is listed of it. Totals stay the site's."""
    here = {
        name: tuple(line for line in getattr(report, name) if line.table == table)
        for name in ("tables", *LISTS_OF_TABLES)
    }
    return msgspec.structs.replace(report, **here, corrections=())


def _firsts(ledgers: list[LedgerDay]) -> list[LedgerDay]:
    """Return the first volume of the day of each part of the wallet."""
    return list({ledger.shard: ledger for ledger in reversed(ledgers)}.values())[::-1]


def _lasts(ledgers: list[LedgerDay]) -> list[LedgerDay]:
    return list({ledger.shard: ledger for ledger in ledgers}.values())


def _table(
    name: str, ledgers: list[LedgerDay], plays: list[SessionPlay], rules: Iterable[RevenueRule], day: str
) -> TableReport:
    moved: dict[int, list[SessionMoney]] = {}
    for ledger in ledgers:
        for (table, session), money in ledger.sessions.items():
            if table == name:
                moved.setdefault(session, []).append(money)
    played = {play.session: play for play in plays if play.table == name}
    sessions = tuple(
        _session(found, played.get(session) or SessionPlay(name, session, 0, 0, 0), rules, day)
        for session, found in sorted(moved.items())
    )
    here = [ledger.tables[name] for ledger in ledgers if name in ledger.tables]
    seats, account = f"seat:{name}:", float_account(name)
    before = sum(one.before.get(account, 0) + one.held(name, one.carried_in) for one in _firsts(ledgers))
    after = sum(one.after.get(account, 0) + one.held(name, one.carried_out) for one in _lasts(ledgers))
    meters_before = sum(_kind(one.before, seats) for one in _firsts(ledgers))
    meters_after = sum(_kind(one.after, seats) for one in _lasts(ledgers))
    sums = _sums(here, "drop", "fills", "float_credits")
    sums |= _sums(sessions, "float_opened", "float_closed", "float_gain", "redeemed", *_PLAYED)
    grown = sums["float_opened"] + sums["fills"] - sums["float_credits"] + sums["float_gain"] - sums["float_closed"]
    drop, win = sums["drop"], sums["win"]
    return TableReport(
        table=name,
        sessions=sessions,
        float_before=before,
        float_after=after,
        float_difference=after - (before + grown),
        meters_before=meters_before,
        meters_after=meters_after,
        meters_difference=drop - sums["redeemed"] - (meters_after - meters_before) - win,
        hold_bp=round(Fraction(win * 10_000, drop)) if drop else None,
        **sums,
    )


def _session(money: list[SessionMoney], play: SessionPlay, rules: Iterable[RevenueRule], day: str) -> SessionReport:
    sums = _sums(money, "float_opened", "float_closed", "float_gain", "rake", "entry_fees", "redeemed")
    taken = (sums["float_gain"], sums["rake"], sums["entry_fees"])
    kind = category(rules, play.game, day)
    return SessionReport(
        session=play.session,
        game=play.game,
        paytable=play.paytable,
        category=kind,
        opened_ms=play.opened_ms,
        closed_ms=play.closed_ms,
        interrupted=play.interrupted,
        coups=play.coups,
        unplayed=play.unplayed,
        voids=len(play.voids),
        handle=play.handle,
        win=sum(taken),
        revenue=revenue(kind, *taken),
        **sums,
    )


def _games(tables: tuple[TableReport, ...]) -> tuple[GameReport, ...]:
    found: dict[tuple[str, str], list[SessionReport]] = {}
    for table in tables:
        for session in table.sessions:
            found.setdefault((session.game, session.category), []).append(session)
    return tuple(
        GameReport(game=game, category=kind, **_sums(sessions, *_PLAYED))
        for (game, kind), sessions in sorted(found.items())
    )


def _totals(ledgers: list[LedgerDay], tables: tuple[TableReport, ...]) -> Totals:
    return Totals(
        all_accounts=sum(sum(ledger.after.values()) for ledger in _lasts(ledgers)),
        **_sums(ledgers, "deposits", "withdrawals"),
        **_sums(tables, "drop", "redeemed", "fills", "float_credits", *_PLAYED),
    )


def _sums(of: Sequence[object], *names: str) -> dict[str, int]:
    """Add up fields, each over all."""
    return {name: sum(getattr(one, name) for one in of) for name in names}


def _liability(*parts: dict[str, int]) -> Liability:
    accounts, meters, transit = (sum(_kind(part, kind) for part in parts) for kind in ("player:", "seat:", "transit:"))
    buy_ins = sum(part.get(PENDING_BUY_IN, 0) for part in parts)
    held = sum(part.get(PENDING_REQUEST, 0) for part in parts)
    total = accounts + meters + buy_ins + transit
    return Liability(accounts=accounts, meters=meters, buy_ins=buy_ins, in_transit=transit, total=total, held=held)


def _kind(balances: dict[str, int], prefix: str) -> int:
    return sum(cents for account, cents in balances.items() if account.startswith(prefix))
