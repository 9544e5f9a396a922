"""Rampo on the board: names, shapes and colours of its chances, outcomes and announcements.

Each colour of the layout has a shape, and each number the shape of its colour: nobody needs to tell colours apart.
"""

from collections.abc import Mapping
from fractions import Fraction

from libs.games.rampo.chips import CHIP_COLOURS
from libs.games.rampo.paytables import COLOUR_OF_NUMBER, COLOURS, NUMBERS, TRIED, rampo_key
from libs.games.rampo.state import RampoState, Throw, throw_of
from libs.kernel.game import Announcement, Outcome, RoundPhase, Row, Show, Terms
from libs.kernel.shown import Carpet, Chips, Die, percent

WORDS = {
    "title": Announcement("rampo", "Rampo", "Rampo"),
    "void": Announcement("coup_nul", "Coup annulé, mises rendues", "Coup void, stakes given back"),
    "last_coups": Announcement("trois_derniers", "Les trois derniers lancers", "The last three throws"),
}

_COLOURS = {
    "ROUGE": ("Rouge", "Red", "diamond", "red"),
    "NOIR": ("Noir", "Black", "square", "black"),
    "VERT": ("Vert", "Green", "circle", "green"),
    "JAUNE": ("Jaune", "Yellow", "triangle", "yellow"),
    "BLANC": ("Blanc", "White", "hexagon", "white"),
}

_VOIDS = {
    "rampo.no_shooter": ("Personne ne prend les dés", "Nobody takes the dice"),
    "rampo.no_stake": ("Aucune mise, aucun lancer", "No stake, no throw"),
}

_SAID = {
    "coup_nul": Announcement("coup_nul", "Coup nul", "No throw"),
    "les_des_changent": Announcement("les_des_changent", "Les dés changent", "The dice change"),
    "les_des_changent_de_main": Announcement(
        "les_des_changent_de_main", "Les dés changent de main", "The dice change hands"
    ),
}


_OFFERED = Announcement("rampo_propose", "Le rampo est proposé", "The rampo is offered")


def rows(terms: Terms) -> tuple[Row, ...]:
    """Return the five colours and the eleven numbers with gain, maximum and edge, in the order of the layout."""
    return tuple(_row(terms, spot, spot, *_COLOURS[spot]) for spot in COLOURS) + tuple(
        _row(terms, str(number), str(number), *_named(number)) for number in NUMBERS
    )


def extra_rows(terms: Terms) -> tuple[Row, ...]:
    """Return what a number pays when it is tried and comes again, with the edge of the try."""
    found = []
    for number in TRIED:
        fr, en, shape, colour = _named(number)
        found.append(_row(terms, rampo_key(number), "", f"Rampo {fr}", f"Rampo {en}", shape, colour))
    return tuple(found)


def _row(terms: Terms, key: str, spot: str, fr: str, en: str, shape: str, colour: str) -> Row:
    edge = terms.edges[key]
    return Row(
        spot=key,
        fr=fr,
        en=en,
        shape=shape,
        colour=colour,
        gain=str(terms.gains[key]),
        maximum=terms.maxima.get(spot),
        edge=edge,
        edge_percent=percent(Fraction(edge)),
    )


def _named(number: int) -> tuple[str, str, str, str]:
    """Return the names of a number in both languages, its shape and its colour word."""
    fr, en, shape, colour = _COLOURS[COLOUR_OF_NUMBER[number]]
    return f"{number} {fr.lower()}", f"{number} {en.lower()}", shape, colour


def outcome(code: str) -> Outcome:
    """Return the words for a number or for one of Rampo's voids.

    >>> outcome("8").fr, outcome("8").also, outcome("rampo.no_stake").en
    ('8 rouge', ('ROUGE',), 'No stake, no throw')
    """
    if code in _VOIDS:
        return Outcome(code, *_VOIDS[code])
    return Outcome(code, *_named(int(code)), short=code, also=(COLOUR_OF_NUMBER[int(code)],))


def show(state: RampoState, coup: int, phase: RoundPhase) -> Show:
    """Return what everybody sees: chips, dice and zone, and the throw of this coup once there is one."""
    throw = throw_of(state, coup)
    return Show(
        deciding=phase == "locked" and (throw.number > 0 or not throw.thrown),
        announcement=_announcement(throw, phase),
        facts=_facts(state, throw),
        notes=_notes(throw, phase),
        situation=_situation(state),
        carpet=Carpet(dice=tuple(Die(6, face) for face in throw.faces or ()), chips=_chips(state)),
    )


def _chips(state: RampoState) -> tuple[Chips, ...]:
    return tuple(
        Chips(seat, Announcement(colour, *CHIP_COLOURS[colour]), state.chips[seat])
        for seat, colour in sorted(state.colours.items())
    )


def _notes(throw: Throw, phase: RoundPhase) -> tuple[Announcement, ...]:
    """Return what is said beside: while a throw is awaited, who throws matters, not that the pair was changed."""
    if phase == "locked" and throw.offered:
        return (_OFFERED,)
    if not throw.said or (phase == "locked" and throw.said != "les_des_changent_de_main"):
        return ()
    return (_SAID[throw.said],)


def _situation(state: RampoState) -> tuple[Announcement, ...]:
    """Return who throws, and what lies in the rampo zone."""
    found = []
    if state.shooter is not None:
        found.append(Announcement("tireur", f"Tireur : poste {state.shooter}", f"shooter: seat {state.shooter}"))
    if state.zone:
        fr = f"Rampo tenté sur le {state.zone_number}, {_seats(state.zone)}"
        found.append(Announcement("zone", fr, f"rampo tried on {state.zone_number}"))
    return tuple(found)


def _seats(seats: Mapping[int, int]) -> str:
    """Say seats in French.

    >>> _seats({3: 500}), _seats({1: 500, 2: 500, 5: 500})
    ('poste 3', 'postes 1, 2 et 5')
    """
    *first, last = map(str, sorted(seats))
    return f"postes {', '.join(first)} et {last}" if first else f"poste {last}"


def _announcement(throw: Throw, phase: RoundPhase) -> Announcement | None:
    if phase == "locked" and throw.said == "coup_nul":
        return _SAID[throw.said]
    if not throw.number or phase == "betting":
        return None
    fr, en, _shape, _colour = _named(throw.number)
    if throw.rampo:
        return Announcement("rampo", f"Rampo ! {fr}", f"Rampo! {en}")
    return Announcement("resultat", fr, en)


def _facts(state: RampoState, throw: Throw) -> dict[str, str | int]:
    facts: dict[str, str | int] = {"pair": state.pair}
    if state.shooter is not None:
        facts["shooter"] = state.shooter
    if throw.number_of_throw > 1:
        facts["throw"] = throw.number_of_throw
    if throw.faces is not None:
        facts |= {"faces": "-".join(map(str, throw.faces)), "number": throw.number}
    if throw.offered:
        facts["offered"] = _listed(throw.offered)
    if state.zone:
        facts |= {"rampo_number": state.zone_number, "rampo_seats": _listed(state.zone)}
    return facts | {f"chips_{seat}": CHIP_COLOURS[colour][1] for seat, colour in sorted(state.colours.items())}


def _listed(seats: Mapping[int, int] | tuple[int, ...]) -> str:
    return " ".join(map(str, sorted(seats)))
