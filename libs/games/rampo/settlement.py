"""Who is paid what after a valid throw, and in which order (art. 55-22-1, RA2, RA6, RA9, RA10, RA12, RA17)."""

from collections.abc import Collection, Mapping

from libs.games.rampo.messages import ZoneSet
from libs.games.rampo.paytables import COLOUR_OF_NUMBER, SEVEN, SPOTS, rampo_key
from libs.games.rampo.state import RampoState
from libs.kernel.game import Paid, Round, Terms

COLLECTED, RAMPO, COLOUR, SEVEN_PAID, NUMBER, TO_ZONE = "RAMASSE", "RAMPO", "COULEUR", "SEPT", "NUMERO", "ZONE"
"""The steps of a settlement, in order: losing stakes collected, the rampo zone included; rampo winners; colours; the
number 7; winning numbers of those who do not try; stakes of those who try moved to the rampo zone."""

ORDER = (COLLECTED, RAMPO, COLOUR, SEVEN_PAID, NUMBER, TO_ZONE)


def settled(
    terms: Terms, state: RampoState, stakes: Mapping[int, Mapping[str, int]], number: int, tries: Collection[int]
) -> tuple[Paid, ...]:
    """Return what becomes of every stake on the table and in the zone, in the order of the settlement.

    `tries` are the seats whose winning number waits for the next throw. Within a step seats come in order (RA17), each
    with the zone first and then the layout's order.
    """
    lines = [_zone_line(terms, state, seat, number) for seat in sorted(state.zone)]
    for seat in sorted(stakes):
        on_spots = stakes[seat]
        lines += [
            _line(terms, seat, spot, on_spots[spot], number, tried=seat in tries) for spot in SPOTS if spot in on_spots
        ]
    return tuple(sorted(lines, key=lambda paid: (ORDER.index(paid.step), paid.seat)))


def _zone_line(terms: Terms, state: RampoState, seat: int, number: int) -> Paid:
    """A try: the rampo's gain in place of the first one, or stake and first gain are lost (RA2)."""
    key, stake = rampo_key(state.zone_number), state.zone[seat]
    if number != state.zone_number:
        return Paid(seat, key, stake=0, credit=0, step=COLLECTED)
    return Paid(seat, key, stake=0, credit=stake * (terms.gains[key] + 1), step=RAMPO)


def _line(terms: Terms, seat: int, spot: str, stake: int, number: int, *, tried: bool) -> Paid:
    won = stake * (terms.gains[spot] + 1)
    if spot == COLOUR_OF_NUMBER[number]:
        return Paid(seat, spot, stake, won, COLOUR)
    if spot != str(number):
        return Paid(seat, spot, stake, 0, COLLECTED)
    if number == SEVEN:
        return Paid(seat, spot, stake, won, SEVEN_PAID)
    return Paid(seat, spot, stake, 0, TO_ZONE) if tried else Paid(seat, spot, stake, won, NUMBER)


def zone_after(r: Round[RampoState], number: int, tries: Collection[int]) -> ZoneSet:
    """Return what the zone holds after the settlement: the winning stakes of those who try (RA9: nothing stays)."""
    stakes = {seat: r.stakes[seat][str(number)] for seat in sorted(tries)}
    return ZoneSet(coup=r.coup, number=number if stakes else 0, stakes=stakes)


def released(r: Round[RampoState]) -> tuple[ZoneSet, tuple[Paid, ...]]:
    """Return the emptied zone, and its stakes paid at the first gain (RA13, RA14)."""
    number = r.state.zone_number
    first = r.terms.gains[str(number)] + 1
    paid = tuple(
        Paid(seat, rampo_key(number), stake=0, credit=stake * first, step=NUMBER)
        for seat, stake in sorted(r.state.zone.items())
    )
    return ZoneSet(coup=r.coup, number=0, stakes={}, due_ms=r.due_ms), paid
