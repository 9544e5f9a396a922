"""Days of the calendar, without a clock: a time that is handed in becomes the date by which ids are kept apart."""

from functools import lru_cache

DAY_MS = 86_400_000


def day_of(ms: int) -> str:
    """Return the date of a time (milliseconds since 1970-01-01), in UTC.

    >>> day_of(0), day_of(1_700_000_000_000)
    ('1970-01-01', '2023-11-14')
    """
    # Days are counted from 1 March of the year 0: the odd day of a leap year then comes last, and needs no question.
    era, day = divmod(ms // DAY_MS + 719_468, 146_097)
    year = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5
    month += 3 if month < 10 else -9
    return f"{year + era * 400 + (month <= 2):04}-{month:02}-{day + 1:02}"


def moment(ms: int) -> str:
    """Return a time (milliseconds since 1970-01-01) as command ids carry it, in UTC.

    >>> moment(1_700_000_000_123)
    '2023-11-14T22:13:20.123Z'
    """
    seconds, thousandths = divmod(ms % DAY_MS, 1000)
    minutes, second = divmod(seconds, 60)
    return f"{day_of(ms)}T{minutes // 60:02}:{minutes % 60:02}:{second:02}.{thousandths:03}Z"


@lru_cache(maxsize=1024)  # where commands come by the thousand, many were made in one millisecond
def moment_ms(text: str) -> int | None:
    """Return the time (milliseconds since 1970-01-01) of a moment written so, with any fraction of a second or none.

    None for one that no calendar or clock has; there is no leap second.

    >>> moment_ms("2023-11-14T22:13:20.123Z"), moment_ms("1970-01-01T00:01:02Z"), moment_ms("2023-02-29T00:00:00Z")
    (1700000000123, 62000, None)
    """
    day, hours, minutes, seconds, fraction = text[:10], text[11:13], text[14:16], text[17:19], text[20:-1]
    if not is_date(day) or hours > "23" or minutes > "59" or seconds > "59":
        return None
    in_day_s = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return _number(day) * DAY_MS + in_day_s * 1000 + int((fraction + "000")[:3])


def days_before(ms: int, days: int) -> str:
    """Return the date so many days before a time (after it, when negative).

    >>> days_before(1_709_251_200_000, 1)
    '2024-02-29'
    """
    return day_of(ms - days * DAY_MS)


@lru_cache(maxsize=64)  # most ids are of today
def is_date(text: str) -> bool:
    """Tell whether a text in the form of a date (`2026-11-30`) is one of the calendar.

    >>> is_date("2024-02-29"), is_date("2026-02-29"), is_date("2026-13-01"), is_date("0000-00-00")
    (True, False, False, False)
    """
    return later(text, 0) == text


def _number(day: str) -> int:
    """Return the days from 1970-01-01 to a date."""
    year, month, date = int(day[:4]), int(day[5:7]), int(day[8:])
    # The year begins on 1 March, as in `day_of`.
    year -= month <= 2
    in_year = (153 * (month + (9 if month <= 2 else -3)) + 2) // 5 + date - 1
    return 365 * year + year // 4 - year // 100 + year // 400 + in_year - 719_468


def later(day: str, days: int) -> str:
    """Return the date so many days after another; what is no date (`2026-02-30`) counts as the one it spills to.

    >>> later("2024-02-28", 2), later("2026-12-31", 1), later("2026-02-30", 0)
    ('2024-03-01', '2027-01-01', '2026-03-02')
    """
    return day_of((_number(day) + days) * DAY_MS)


@lru_cache(64)
def week_of(day: str) -> str:
    """Return the week of a gaming day, named by the date of its Monday; the week of no day is none.

    >>> week_of("2026-11-29"), week_of("2026-11-30"), week_of("")
    ('2026-11-23', '2026-11-30', '')
    """
    # 1 January 1970 was a Thursday.
    return later(day, -((_number(day) + 3) % 7)) if day else ""
