"""What the report of a gaming day says, as it is written in JSON. Money in cents, times in milliseconds since 1970."""

from typing import Literal

import msgspec

from libs.runtime.report.gather import Source
from libs.runtime.report.ledger import Correction, OpenItem
from libs.runtime.report.sessions import CountLine, LateLine, OutcomeLine, VoidLine

REPORT_VERSION = 1
"""Grows when a field changes its meaning; new fields alone do not change it."""

Status = Literal["closed", "open", "no_activity"]


class SessionReport(msgspec.Struct, frozen=True, kw_only=True):
    """A session's share in the day. Money in cents; times in milliseconds since 1970."""

    session: int
    game: str
    paytable: str
    category: str
    """How its gross gaming revenue is counted; empty when the floor file does not say."""
    opened_ms: int
    closed_ms: int | None
    """None while it runs on, or when it was closed on a later day."""
    interrupted: str
    """The reason, if it was ended at once."""
    coups: int
    unplayed: int
    """Coups that nobody played."""
    voids: int
    handle: int
    float_opened: int
    float_closed: int
    float_gain: int
    rake: int
    entry_fees: int
    redeemed: int
    win: int
    revenue: int
    """The gross gaming revenue, *produit brut des jeux*."""


class TableReport(msgspec.Struct, frozen=True, kw_only=True):
    """A table's day, in cents."""

    table: str
    sessions: tuple[SessionReport, ...]
    float_before: int
    """In the float when the day began, what was held for open float credits included."""
    float_opened: int
    fills: int
    float_credits: int
    float_gain: int
    float_closed: int
    float_after: int
    float_difference: int
    """What the lines above do not explain; anything but 0 is a defect."""
    drop: int
    redeemed: int
    meters_before: int
    """On the credit meters of the seats when the day began."""
    meters_after: int
    meters_difference: int
    """Drop, less redeemed, less what the meters have grown by, less win; anything but 0 is a defect."""
    coups: int
    handle: int
    rake: int
    entry_fees: int
    win: int
    hold_bp: int | None
    """Win over drop in hundredths of a percent, rounded to the nearest; None where nothing was dropped."""
    revenue: int


class GameReport(msgspec.Struct, frozen=True, kw_only=True):
    """A game's day over all tables, in cents."""

    game: str
    category: str
    coups: int
    handle: int
    rake: int
    entry_fees: int
    win: int
    revenue: int


class Liability(msgspec.Struct, frozen=True, kw_only=True):
    """What the house owes to players, in cents."""

    accounts: int
    meters: int
    buy_ins: int
    """On the way from an account to a seat."""
    in_transit: int
    """On the way between two parts of the wallet, less what has arrived."""
    total: int
    held: int
    """Held for open requests, which may be the house's or players'; not part of the total."""


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """The site's day, in cents."""

    deposits: int
    withdrawals: int
    drop: int
    redeemed: int
    fills: int
    float_credits: int
    coups: int
    handle: int
    rake: int
    entry_fees: int
    win: int
    revenue: int
    all_accounts: int
    """The sum of all accounts at the end; anything but 0 is a defect."""


class DayReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything of a gaming day, made from the logs alone."""

    report: int = REPORT_VERSION
    site: str
    day: str
    status: Status
    currency: str
    timezone: str
    cut_off: str
    began_ms: int | None
    ended_ms: int | None
    totals: Totals
    games: tuple[GameReport, ...]
    tables: tuple[TableReport, ...]
    liability_before: Liability
    liability: Liability
    voids: tuple[VoidLine, ...]
    corrections: tuple[Correction, ...]
    outcomes: tuple[OutcomeLine, ...]
    counts: tuple[CountLine, ...]
    late: tuple[LateLine, ...]
    """Postings that the day took although their facts are from before it."""
    carried_in: tuple[OpenItem, ...]
    carried_out: tuple[OpenItem, ...]
    sources: tuple[Source, ...]


LISTS_OF_TABLES = ("voids", "outcomes", "counts", "late", "carried_in", "carried_out")
"""The lists of a day's report whose lines say of which table they are."""
