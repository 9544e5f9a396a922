"""What a game shows of itself on the board: announcements, rows, outcomes, and what lies on the carpet.

These are the words in which every game describes itself to every screen: a screen draws dice, cards, a pot or a
contender, and knows no game. Nothing secret is ever shown (law 10).
"""

from fractions import Fraction
from typing import Literal

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
    short: str = ""
    """What stands for it where there is little room, in French (`Brelan`, `250`); the code when empty."""
    beside: str = ""
    """Small print that goes with it, in French (`7♥ 7♦ 7♠`)."""
    also: tuple[str, ...] = ()
    """Spots that win besides the one of the code (the colour of a number)."""


class Die(msgspec.Struct, frozen=True):
    """A die, thrown or not."""

    sides: int
    face: int = 0
    """What it shows; 0 while it waits, or rolls."""
    roll: Announcement | None = None
    """Which roll it is, in games with several (*Jet 1*)."""


class Card(msgspec.Struct, frozen=True):
    """A card on its place, face down as long as it has no sign."""

    place: Announcement
    sign: str = ""
    """`10♥`, or `★` for a joker."""
    colour: str = ""
    """Colour word of the sign: `red`, `black` or `violet`."""


class Sum(msgspec.Struct, frozen=True):
    """An amount that lies in front of everybody, in cents."""

    name: Announcement
    amount: int


class Contender(msgspec.Struct, frozen=True):
    """One player in a game that players play against one another."""

    seat: int
    standing: Literal["in", "open", "out"]
    """`open`: it is not known yet, the player must answer for it."""
    staked: int
    """What he has on the carpet, in cents."""
    dice: tuple[Die, ...] = ()
    awaited: bool = False
    """True while this player's word is awaited."""
    to_pay: int = 0
    """What the awaited word costs at least, if it is to go on, in cents."""
    won: bool = False
    word: Announcement | None = None
    """His last word, what is asked of him, or how the game ended for him."""


class Chips(msgspec.Struct, frozen=True):
    """The chips of one seat, in games where each player has a colour of his own."""

    seat: int
    name: Announcement
    """Of the colour; its code is the colour word: `blue`, `orange`, `violet`, `pink`, `brown`, `grey`, `turquoise` or
    `beige`."""
    value: int
    """What one of them is worth, as the marker beside them says, in cents."""


class Carpet(msgspec.Struct, frozen=True):
    """What lies on the table for everybody to see."""

    dice: tuple[Die, ...] = ()
    """Those that are not one player's own."""
    cards: tuple[Card, ...] = ()
    """From left to right."""
    pot: Sum | None = None
    sums: tuple[Sum, ...] = ()
    """Other amounts that everybody must know."""
    contenders: tuple[Contender, ...] = ()
    """By seat."""
    chips: tuple[Chips, ...] = ()
    """By seat."""


class Show(msgspec.Struct, frozen=True):
    """A game's part of the board at this moment; nothing secret (law 10)."""

    deciding: bool = False
    """True while a person (not a machine) must act."""
    announcement: Announcement | None = None
    facts: dict[str, str | int] = {}
    notes: tuple[Announcement, ...] = ()
    """What is said beside the announcement (*les dés changent de main*)."""
    situation: tuple[Announcement, ...] = ()
    """What is the case and need not be said again (who throws)."""
    carpet: Carpet = Carpet()


def percent(edge: Fraction) -> str:
    """Return an edge in percent, rounded to two decimals.

    >>> percent(Fraction(1, 13)), percent(Fraction(-425, 52))
    ('7.69', '-817.31')
    """
    hundredths = round(edge * 10_000)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02d}"
