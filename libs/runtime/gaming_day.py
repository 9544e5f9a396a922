"""The gaming day: which one an instant belongs to at a site, and the command that opens the next one when it is time.

A gaming day has the date on which it begins, at the site's cut-off hour by the clocks on its walls. In the nights in
which they are set, a day is an hour longer or shorter and none is missing: where the cut-off comes twice it is the
first one, where it is skipped the day begins as late as if they had not been set yet.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

import msgspec

from libs.kernel.actors import SYSTEM
from libs.kernel.contracts.wallet_days import OpenGamingDay
from libs.kernel.envelope import CommandEnvelope
from libs.kernel.messages import Command
from libs.ledger.state import LedgerState
from libs.runtime.floor import Floor
from libs.runtime.plan import Book

Timed = Callable[[Mapping[str, Book], int], list[bytes]]
"""Given a shard's books and the time, returns what the time alone makes it say to itself, in the wire form."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def begins_at_ms(day: str, zone: tzinfo, cut_off: str) -> int:
    """Return when a gaming day begins (milliseconds since 1970); `cut_off` is a local time such as `06:00`.

    >>> begins_at_ms("2026-03-30", ZoneInfo("Europe/Paris"), "06:00") - begins_at_ms(
    ...     "2026-03-29", ZoneInfo("Europe/Paris"), "06:00"
    ... ) == 24 * 3_600_000
    True
    """
    local = datetime.combine(date.fromisoformat(day), time.fromisoformat(cut_off), zone)
    return (local - _EPOCH) // timedelta(milliseconds=1)


def gaming_date(instant_ms: int, zone: tzinfo, cut_off: str) -> str:
    """Return the gaming day to which an instant (milliseconds since 1970) belongs.

    >>> gaming_date(1_700_000_000_000, ZoneInfo("Europe/Paris"), "06:00")  # 14 November, 23:13 in Paris
    '2023-11-14'
    >>> gaming_date(1_700_000_000_000 + 6 * 3_600_000, ZoneInfo("Europe/Paris"), "06:00")  # 05:13: still the same
    '2023-11-14'
    """
    today = (_EPOCH + timedelta(milliseconds=instant_ms)).astimezone(zone).date()
    # Where the clocks were set back over midnight, an instant may lie before the cut-off of a date or behind the next.
    days = [(today + timedelta(days=ahead)).isoformat() for ahead in (1, 0)]
    begun = (day for day in days if begins_at_ms(day, zone, cut_off) <= instant_ms)
    return next(begun, (today - timedelta(days=1)).isoformat())


def is_day(text: str) -> bool:
    """Tell whether a text is a date as gaming days have it.

    >>> is_day("2026-11-30"), is_day("2026-11-31"), is_day("20261130")
    (True, False, False)
    """
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def clock_of_days(floor: Floor, ledgers: Iterable[str]) -> Timed:
    """Return what opens the gaming days of a site's ledgers: said again until the state shows it, done once.

    It looks at the state, not at the hour, so that a ledger that was away at the cut-off, or for days, opens the
    running day when it is back. Days on which no ledger ran are not opened: whatever moved is in the day before them.
    """
    zone, cut_off, ledgers = ZoneInfo(floor.site.timezone), floor.site.cutoff, frozenset(ledgers)

    def timed(books: Mapping[str, Book], now_ms: int) -> list[bytes]:
        today = gaming_date(now_ms, zone, cut_off)
        return [
            _wire(book, before, today)
            for book in sorted(ledgers)
            if (before := _may_close(books.get(book))) is not None and before < today
        ]

    return timed


def _may_close(book: Book | None) -> str | None:
    """Return the running day; None while it is still being opened. A ledger without events has the day ``."""
    if book is None:
        return ""
    state: LedgerState = book.state
    return state.day if state.bringing is None else None


def _wire(book: str, before: str, today: str) -> bytes:
    """Return the command; its id tells which day it ends, so that the answer to an earlier try is not its answer."""
    command: Command = OpenGamingDay(day=today)
    body = msgspec.Raw(msgspec.json.encode(command))
    return msgspec.json.encode(CommandEnvelope(f"day:{book}/{before or 'none'}/{today}", book, SYSTEM, body))
