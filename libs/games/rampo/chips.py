"""The players' chips: eight colours in order of arrival, and the marker that gives them a value (art. 55-22-1)."""

from libs.games.rampo import refusals
from libs.games.rampo.messages import ChipValueSet, ColourGiven, ColourReturned
from libs.games.rampo.paytables import NUMBERS
from libs.games.rampo.state import RampoState
from libs.kernel.decider import Already
from libs.kernel.game import Note, Round, Steps
from libs.kernel.refusals import Refusal

CHIP_COLOURS: dict[str, tuple[str, str]] = {
    "blue": ("bleu", "blue"),
    "orange": ("orange", "orange"),
    "violet": ("violet", "violet"),
    "pink": ("rose", "pink"),
    "brown": ("brun", "brown"),
    "grey": ("gris", "grey"),
    "turquoise": ("turquoise", "turquoise"),
    "beige": ("beige", "beige"),
}
"""The eight colours in which chips are given, with French and English names; none is a colour of the layout."""


def given(r: Round[RampoState], seat: int) -> Steps:
    """Give a player who sits down chips of the first free colour, worth the table's minimum."""
    taken = set(r.state.colours.values())
    colour = next(colour for colour in CHIP_COLOURS if colour not in taken)
    return (Note(ColourGiven(coup=r.coup, seat=seat, colour=colour, chip_value=r.terms.minimum, due_ms=r.due_ms)),)


def returned(r: Round[RampoState], seat: int) -> Steps:
    """Take the chips of a player who has left."""
    return (Note(ColourReturned(coup=r.coup, seat=seat, colour=r.state.colours[seat], due_ms=r.due_ms)),)


def revalued(r: Round[RampoState], seat: int, value: int) -> Steps | Already | Refusal:
    """Set the marker: at least the minimum, at most what may lie on a number, and only while no chip is down."""
    if value == r.state.chips[seat]:
        return Already()
    if value < r.terms.minimum:
        return refusals.chip_under_minimum(r.terms.minimum)
    most = max(r.terms.maxima[str(number)] for number in NUMBERS)
    if value > most:
        return refusals.chip_over_maximum(most)
    on_numbers = {str(number) for number in NUMBERS} & set(r.stakes.get(seat, {}))
    if on_numbers or seat in r.state.zone:
        return refusals.CHIPS_DOWN
    return (Note(ChipValueSet(coup=r.coup, seat=seat, chip_value=value, due_ms=r.due_ms)),)
