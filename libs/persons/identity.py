"""When two spellings of a name are one identity, and which characters may stand in personal data at all.

The rule: compatibility forms are made one (NFKC), case is folded, signs that only say how a letter is spoken are left
out (accents on Latin, Greek and Cyrillic letters, Arabic and Hebrew vowel points), and so is all that is neither letter
nor digit nor another sign: spaces, hyphens, apostrophes, dots. The order of the words counts; the date of birth too.

>>> identity("Éloïse D'Arc-Müller", "1980-12-31") == identity("ELOISE  DARC MULLER", "1980-12-31")
True
>>> identity("Jean Dupont", "1980-12-31") == identity("Jean Dupond", "1980-12-31")
False
"""

import unicodedata

_SPOKEN = (
    (0x0300, 0x036F),  # combining diacritical marks
    (0x0591, 0x05C7),  # Hebrew points and accents
    (0x0610, 0x061A),  # Arabic signs
    (0x064B, 0x065F),  # Arabic vowel points
    (0x0670, 0x0670),  # Arabic superscript alef
    (0x1AB0, 0x1AFF),  # combining diacritical marks, extended
    (0x1DC0, 0x1DFF),  # combining diacritical marks, supplement
    (0x20D0, 0x20FF),  # combining marks for symbols
    (0xFE00, 0xFE0F),  # variation selectors: which drawing of a character is meant
    (0xFE20, 0xFE2F),  # combining half marks
    (0xE0100, 0xE01EF),  # variation selectors, supplement
)
"""Signs left out. The vowels of Indian scripts are marks too, but letters to their readers: they stay."""

_JOINERS = frozenset("\u200c\u200d")
"""Invisible, but how Persian and Indian names are written: allowed in names, left out of the identity."""

_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that look like nothing although Unicode does not call them so."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, what turns the direction of writing, halves of characters, private ones, ones not of this Unicode, and ends
of lines."""

MARKS_IN_A_ROW = 4
"""More signs on one letter are no writing, but a way to draw over neighbouring lines."""


def identity(name: str, birth_date: str) -> str:
    """Return the text that is the same for all spellings of a person's name, to be hashed with a key."""
    return f"{birth_date}\n{folded(name)}"


def folded(name: str) -> str:
    """Return the letters, digits and proper marks of a name, without case, accents and what stands between words.

    >>> folded("ＬＥ Ｄé"), folded("STRASSE") == folded("Straße"), folded("-")
    ('lede', True, '')
    """
    # Folding may bring out what NFKC would change, and the other way round: twice is where it stays.
    same = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).casefold()
    # The dotless i: its capital is the ordinary one, so case alone would make two names of one.
    parts = unicodedata.normalize("NFD", same.replace("\u0131", "i"))
    return unicodedata.normalize("NFC", "".join(sign for sign in parts if _counts(sign)))


def is_plain(text: str) -> bool:
    r"""Tell whether all characters of a text can be seen, and none changes how its surroundings are shown.

    >>> is_plain("Nguyễn Thị Minh"), is_plain("evil\u202ename"), is_plain("two\nlines")
    (True, False, False)
    """
    marks = 0
    for sign in text:
        category = unicodedata.category(sign)
        if sign in _BLANK_LETTERS or (category in _UNSEEN and sign not in _JOINERS):
            return False
        marks = marks + 1 if category[0] == "M" else 0
        if marks > MARKS_IN_A_ROW:
            return False
    return True


def _counts(sign: str) -> bool:
    point = ord(sign)
    return unicodedata.category(sign)[0] in "LNM" and not any(low <= point <= high for low, high in _SPOKEN)
