"""What a game shows of itself on the board: announcements, rows of the layout, outcomes. Nothing secret (law 10)."""

from fractions import Fraction

import msgspec


class Announcement(msgspec.Struct, frozen=True):
    """What the display says: a stable code and the sentence in French and English."""

    code: str
    fr: str
    en: str


class Row(msgspec.Struct, frozen=True):
    """One line of a paytable as shown at the table."""

    spot: str
    fr: str
    en: str
    shape: str
    """`circle`, `square`, `triangle`, `diamond`, `hexagon`, `star` or `pentagon`: never colour alone."""
    colour: str
    """Colour word: `dark-green`, `light-green`, `yellow`, `red`, `orange`, `sky-blue`, `violet`, `green`, `blue`,
    `black` or `white`."""
    gain: str
    """What is paid to 1, a decimal or a range: `2`, `0.5`, `5-1000`."""
    maximum: int | None = None
    """Most that one player may have here in one coup, in cents; null when nobody can wager on it."""
    edge: str | None = None
    """House edge as an exact fraction, `1/13` or `-5/13`; negative favours the player."""
    edge_percent: str | None = None
    """The same, rounded to two decimals: `7.69`."""
    family: Announcement | None = None
    """Rows of one family pay alike and differ only in the boxes that they cover: a screen may show one line for all."""


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a coup as shown: `code` in the game's own terms (`2`, `BONUS:250`, or the code of a void)."""

    code: str
    fr: str
    en: str
    shape: str = ""
    colour: str = ""


class Show(msgspec.Struct, frozen=True):
    """A game's part of the board at this moment; nothing secret (law 10)."""

    deciding: bool = False
    """True while a person (not a machine) must act."""
    announcement: Announcement | None = None
    facts: dict[str, str | int] = {}
    notes: tuple[Announcement, ...] = ()
    """What is said beside the announcement (*les dés changent de main*)."""


def percent(edge: Fraction) -> str:
    """Return an edge in percent, rounded to two decimals.

    >>> percent(Fraction(1, 13)), percent(Fraction(-425, 52))
    ('7.69', '-817.31')
    """
    hundredths = round(edge * 10_000)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02d}"
