"""Days of the calendar, without a clock: a time that is handed in becomes the date by which ids are kept apart."""

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


def days_before(ms: int, days: int) -> str:
    """Return the date so many days before a time (after it, when negative).

    >>> days_before(1_709_251_200_000, 1)
    '2024-02-29'
    """
    return day_of(ms - days * DAY_MS)


def is_date(text: str) -> bool:
    """Tell whether a text in the form of a date (`2026-11-30`) is one of the calendar.

    >>> is_date("2024-02-29"), is_date("2026-02-29"), is_date("2026-13-01")
    (True, False, False)
    """
    year, month, day = (int(part) for part in text.split("-"))
    # Counted as in `day_of`: the wrong date comes back as another one.
    months, year = (month + 9) % 12, year - (month <= 2)
    era, year = divmod(year, 400)
    days = era * 146_097 + 365 * year + year // 4 - year // 100 + (153 * months + 2) // 5 + day - 1
    return day_of((days - 719_468) * DAY_MS) == text
