"""Le Jeu du Rappel on the board: names of stakes and dice, outcomes, announcements, and the game as everybody sees it.

All chips of a game lie on the carpet in front of everybody, so pot and level are public; names and meters are not.
"""

from fractions import Fraction

from libs.games.rappel.carpet import carpet, standing_of
from libs.games.rappel.paytables import BET, ENTRY, MAXIMUM_PLAYERS, MINIMUM_PLAYERS, RAPPEL, players_key
from libs.games.rappel.state import Entrant, RappelState
from libs.kernel.game import Announcement, Outcome, RoundPhase, Row, Show, Terms
from libs.kernel.shown import percent

WORDS = {
    "title": Announcement("rappel", "Le Jeu du Rappel", "The Rappel game"),
    "void": Announcement("coup_nul", "Coup nul", "Void"),
    "last_coups": Announcement("trois_derniers", "Les trois dernières parties", "The last three games"),
}

_DICE = (
    ("D6", "Jet 1 de 2 à 5 : dé à 6 faces", "First roll 2 to 5: six-sided die", "square", "sky-blue"),
    ("D8", "Jet 1 de 6 à 10 : dé à 8 faces", "First roll 6 to 10: eight-sided die", "triangle", "light-green"),
    ("D10", "Jet 1 de 11 à 15 : dé à 10 faces", "First roll 11 to 15: ten-sided die", "diamond", "yellow"),
    ("D12", "Jet 1 de 16 à 19 : dé à 12 faces", "First roll 16 to 19: twelve-sided die", "pentagon", "orange"),
    ("D20", "Jet 1 de 20, ou rappel réussi : dé à 20 faces", "First roll 20, or a rappel: d20", "hexagon", "red"),
)
"""The shapes are those of the dice's faces, the hexagon is the outline of a d20."""

_VOIDS = {
    "game.no_opponent": ("Pas d'adversaire, entrées rendues", "No opponent, entries returned"),
}

_JET_1 = Announcement("jet_1", "Premier jet", "First roll")
_RAPPEL = Announcement("rappel", "Rappel", "Rappel")
_NO_MORE_BETS = Announcement("rien_ne_va_plus", "Rien ne va plus", "No more bets")


# -- what can be staked, and what for ------------------------------------------------------------------------------
def rows(terms: Terms) -> tuple[Row, ...]:
    """Return what may be staked before a game: the entry, fee and ante together."""
    fr, en = "Entrée : droit et mise de base", "Entry: fee and ante"
    return (Row(ENTRY, fr, en, "circle", "violet", gain="", maximum=terms.maxima[ENTRY]),)


def extra_rows(terms: Terms) -> tuple[Row, ...]:
    """Return the stakes made during a game, the dice of JET 2, and what the bank keeps by number of players."""
    stakes = (
        Row(RAPPEL, "Mise de rappel : total des mises de base", "Rappel stake: sum of the antes", "star", "red", ""),
        Row(BET, "Suivre, relancer", "Call, raise", "square", "orange", ""),
    )
    dice = tuple(Row(spot, fr, en, shape, colour, "") for spot, fr, en, shape, colour in _DICE)
    return (*stakes, *dice, *(_kept(terms, number) for number in range(MINIMUM_PLAYERS, terms.seats + 1)))


def _kept(terms: Terms, players: int) -> Row:
    """Return what the bank keeps of all that is paid with so many players, when nobody adds anything."""
    assert players <= MAXIMUM_PLAYERS
    key = players_key(players)
    fr, en = f"À {players} joueurs, la banque garde", f"With {players} players the bank keeps"
    return Row(
        key, fr, en, "circle", "blue", "", edge=terms.edges[key], edge_percent=percent(Fraction(terms.edges[key]))
    )


# -- outcomes -----------------------------------------------------------------------------------------------------
def outcome(code: str) -> Outcome:
    """Return the words for an outcome, or for a void of this game.

    >>> outcome("WIN:3:11").fr, outcome("TIE:1+2:4").fr
    ('Place 3 gagne avec 11', 'Égalité à 4 : places 1 et 2')
    >>> outcome("DOUBLE:1").fr
    'Double rappel : place 1'
    """
    if code in _VOIDS:
        return Outcome(code, *_VOIDS[code])
    decided, _, rest = code.partition(":")
    seats, _, roll = rest.partition(":")
    fr_seats, en_seats = _seats(seats, "place", "places", "et"), _seats(seats, "seat", "seats", "and")
    match decided:
        case "WIN":
            words = (f"{fr_seats.capitalize()} gagne avec {roll}", f"{en_seats.capitalize()} wins with {roll}")
            return Outcome(code, *words, "star", "yellow", short=seats, beside="gagne")
        case "TIE":
            words = (f"Égalité à {roll} : {fr_seats}", f"Tie at {roll}: {en_seats}")
            return Outcome(code, *words, "diamond", "orange", short=seats, beside="égalité")
        case "DOUBLE":
            words = (f"Double rappel : {fr_seats}", f"Double rappel: {en_seats}")
            return Outcome(code, *words, "hexagon", "red", short=seats, beside="double")
        case "LONE":
            words = (f"{fr_seats.capitalize()} reste seule en jeu", f"{en_seats.capitalize()} is the last one in")
            return Outcome(code, *words, "circle", "light-green", short=seats, beside="seule en jeu")
        case "ONES":
            words = ("Que des 1 : le tapis à la banque", "All ones: the bank takes it")
            return Outcome(code, *words, "square", "blue", short="Banque", beside="que des 1")
        case _:
            words = ("Plus personne en jeu : le tapis à la banque", "Nobody is in: the bank takes it")
            return Outcome(code, *words, "square", "dark-green", short="Banque", beside="personne")


def _seats(seats: str, one: str, several: str, joined: str) -> str:
    """Say seats: `1` is `place 1`, `1+2+5` is `places 1, 2 et 5`."""
    *first, last = seats.split("+")
    return f"{several} {', '.join(first)} {joined} {last}" if first else f"{one} {last}"


# -- the running game ---------------------------------------------------------------------------------------------
def show(state: RappelState, coup: int, phase: RoundPhase) -> Show:
    """Return what everybody sees: dice, who is in, pot, level, whose word it is."""
    if state.coup != coup or coup == 0 or phase == "betting":
        return Show()
    if phase == "between":
        return Show(facts=_facts(state), carpet=carpet(state, running=False))
    turn = state.turn
    facts = _facts(state) | (_word(state, turn) if turn is not None else {})
    return Show(
        deciding=turn is not None, announcement=_announcement(state), facts=facts, carpet=carpet(state, running=True)
    )


def _announcement(state: RappelState) -> Announcement:
    if state.cocked is not None:
        return WORDS["void"]
    if state.stage == "jet_1":
        return _JET_1
    if state.stage == "jet_2":
        return _NO_MORE_BETS
    if state.called:
        return _RAPPEL
    if state.turn is None:
        return Announcement("rappel_tente", "Rappel tenté : le dé roule", "A rappel is tried: the die rolls")
    if state.stage == "rappel":
        return Announcement(
            "rappel_propose", f"Rappel proposé à la place {state.turn}", f"Rappel offered to seat {state.turn}"
        )
    return Announcement(
        "tour_de_mise",
        f"Tour de mise : la parole est à la place {state.turn}",
        f"Betting round: seat {state.turn} to speak",
    )


def _facts(state: RappelState) -> dict[str, str | int]:
    facts: dict[str, str | int] = {
        "stage": state.stage,
        "players": len(state.entrants),
        "base": state.base,
        "rappel_stake": state.rappel_stake,
        "fees": state.fees,
        "pot": state.pot,
        "level": state.level,
    }
    for seat, one in state.entrants.items():
        facts |= {f"seat_{seat}_{key}": value for key, value in _entrant(one).items()}
    if state.cocked is not None:
        facts["cocked"] = state.cocked
    return facts


def _entrant(one: Entrant) -> dict[str, str | int]:
    """Return how a player stands, and what has been seen of his dice."""
    facts: dict[str, str | int] = {"standing": standing_of(one)}
    if one.jet_1:
        facts |= {"jet_1": one.jet_1, "die": one.die}
    if one.rappel:
        facts["rappel"] = one.rappel
    if one.jet_2:
        facts["jet_2"] = one.jet_2
    return facts


def _word(state: RappelState, turn: int) -> dict[str, str | int]:
    """Return whose word it is, what it takes to go on, and whether he may raise."""
    if state.stage == "rappel":
        return {"turn": turn, "to_pay": state.rappel_stake}
    return {"turn": turn, "to_pay": state.to_pay(turn), "may_raise": int(not state.entrants[turn].raised)}
