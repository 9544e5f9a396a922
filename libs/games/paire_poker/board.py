"""Pair'e poker on the board: names, shapes and colours of its spots, its cards, outcomes and announcements."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from libs.games.paire_poker.cards import (
    JOKER,
    card_en,
    card_fr,
    colour_of,
    rank_en,
    rank_fr,
    sign_en,
    sign_fr,
    value_of,
)
from libs.games.paire_poker.hands import hand_of
from libs.games.paire_poker.layout import ANY_PAIR, DEUX_JOKERS, HAND, UN_JOKER, chance, spots, values_of
from libs.games.paire_poker.paytables import PAID_HANDS, hand_key, rows_of
from libs.games.paire_poker.state import PokerState
from libs.kernel.game import Announcement, Outcome, RoundPhase, Row, Show, Terms
from libs.kernel.shown import Card, Carpet, percent

WORDS = {
    "title": Announcement("paire_poker", "Pair’e poker", "Pair’e poker"),
    "void": Announcement("coup_nul", "Coup nul", "Void"),
    "last_coups": Announcement("trois_derniers", "Les trois derniers coups", "The last three coups"),
    "last_coup": Announcement("dernier", "Dernier coup", "Last coup"),
}

_NAMES = {
    "COULEUR_ROUGE": ("1re carte rouge", "1st card red"),
    "COULEUR_NOIR": ("1re carte noire", "1st card black"),
    UN_JOKER: ("Paire : un joker", "Pair: one joker"),
    DEUX_JOKERS: ("Paire : deux jokers", "Pair: two jokers"),
    ANY_PAIR: ("Toute paire", "Any pair"),
    HAND: ("Main de poker", "Poker hand"),
}

_FORMS = {
    "PLEIN": ("en plein", "straight up", "circle", "yellow"),
    "CHEVAL": ("à cheval", "split", "hexagon", "sky-blue"),
    "TRANSVERSALE": ("en transversale", "street", "triangle", "orange"),
    "CARRE": ("en carré", "corner", "pentagon", "violet"),
}

_FAMILIES = {
    "CHEVAL": Announcement("cheval", "Valeur à cheval", "Value split"),
    "CHEVAL_JOKER": Announcement("cheval_joker", "Cheval avec joker", "Split with joker"),
    "TRANSVERSALE": Announcement("transversale", "Valeur en transversale", "Value street"),
    "TRANSVERSALE_JOKER": Announcement("transversale_joker", "Transversale avec joker", "Street with joker"),
    "CARRE": Announcement("carre", "Valeur en carré", "Value corner"),
    "CARRE_JOKER": Announcement("carre_joker", "Carré avec joker", "Corner with joker"),
    "PLEIN": Announcement("plein", "Valeur en plein", "Value straight up"),
    "PAIRE": Announcement("paire", "Paire d'une valeur", "Pair of a value"),
}

_LOOKS = {
    "COULEUR_ROUGE": ("diamond", "red"),
    "COULEUR_NOIR": ("square", "black"),
    ANY_PAIR: ("star", "light-green"),
    HAND: ("star", "violet"),
}
_PAIR_LOOK = ("star", "green")

_HANDS = {
    "QUINTE_FLUSH": ("quinte flush", "straight flush", "star", "violet"),
    "BRELAN": ("brelan", "three of a kind", "triangle", "orange"),
    "QUINTE": ("quinte", "straight", "hexagon", "sky-blue"),
    "COULEUR": ("couleur", "flush", "diamond", "yellow"),
    "PAIRE": ("paire", "pair", "square", "green"),
    "RIEN": ("rien", "nothing", "circle", "dark-green"),
}

_VOIDS = {
    "cards.wrong_count": ("Nombre de cartes incorrect", "Wrong number of cards"),
    "cards.card_missing": ("Carte manquante", "A card is missing"),
    "cards.card_double": ("Carte en double", "A card came twice"),
}

_PLACES = (("1re carte", "1st card"), ("2e carte", "2nd card"), ("3e carte", "3rd card"))
_COLOUR_WORDS = {"ROUGE": ("rouge", "red"), "NOIR": ("noire", "black"), "": ("ni rouge ni noire", "neither colour")}
_PLURAL_FR = {"V": "valets", "D": "dames", "R": "rois"}

_DEAL = Announcement("donne", "Les cartes sont données", "The cards are dealt")


# -- the paytable -------------------------------------------------------------------------------------------------
def rows(terms: Terms) -> tuple[Row, ...]:
    """Return every spot with gain, maximum and edge, in the order of the layout."""
    layout = rows_of(terms.options)
    # Boards ask for the rows at each look, and many spots are of one chance: what is said of it is worked out once.
    said = {name: (_gain(terms, name), percent(Fraction(edge))) for name, edge in terms.edges.items()}
    return tuple(_row(terms, spot, chance(layout, spot), said) for spot in spots(layout))


def extra_rows(terms: Terms) -> tuple[Row, ...]:
    """Return the hands that win with what each pays to 1 on the hand's spot."""
    found = []
    for hand in PAID_HANDS:
        fr, en, shape, colour = _HANDS[hand]
        gain = str(terms.gains[hand_key(hand)])
        found.append(Row(hand_key(hand), fr.capitalize(), en.capitalize(), shape, colour, gain))
    return tuple(found)


def _row(terms: Terms, spot: str, name: str, said: Mapping[str, tuple[str, str]]) -> Row:
    fr, en, shape, colour = _looks(name, spot)
    gain, edge_percent = said[name]
    return Row(
        spot=spot,
        fr=fr,
        en=en,
        shape=shape,
        colour=colour,
        gain=gain,
        maximum=terms.maxima[spot],
        edge=terms.edges[name],
        edge_percent=edge_percent,
        family=_FAMILIES.get(name),
    )


@cache
def _looks(name: str, spot: str) -> tuple[str, str, str, str]:
    """Return French and English name, shape and colour of a spot."""
    values = values_of(spot)
    if values:
        form_fr, form_en, shape, colour = _FORMS[name.removesuffix(f"_{JOKER}")]
        fr, en = "-".join(map(rank_fr, values)), "-".join(map(rank_en, values))
        return f"Valeur {form_fr} {fr}", f"Value {form_en} {en}", shape, colour
    if name == "PAIRE":
        value = spot.removeprefix("PAIRE_")
        return f"Paire : {rank_fr(value)}", f"Pair: {rank_en(value)}", *_PAIR_LOOK
    return *_NAMES[spot], *_LOOKS.get(spot, _PAIR_LOOK)


def _gain(terms: Terms, name: str) -> str:
    """Return what a chance pays to 1: `5`, or `5-11` when a joker or the hand makes a difference."""
    gains = terms.gains
    if name == HAND:
        paid = [gains[hand_key(hand)] for hand in PAID_HANDS]
        return f"{min(paid)}-{max(paid)}"
    form = name.removesuffix(f"_{JOKER}")
    if form in {name, "PLEIN"} or form not in _FORMS:
        return str(gains[name])
    return f"{gains[form]}-{gains[name]}"


# -- cards and outcomes -------------------------------------------------------------------------------------------
def outcome(code: str) -> Outcome:
    """Return the words for an outcome (`7C-7K-7P:BRELAN`) or for one of the game's voids.

    >>> outcome("7C-JOKER-7P:BRELAN").fr
    'Brelan : 7♥, joker, 7♠'
    """
    if code in _VOIDS:
        return Outcome(code, *_VOIDS[code])
    cards, _, hand = code.partition(":")
    fr, en, shape, colour = _HANDS[hand]
    names_fr = ", ".join(sign_fr(card) for card in cards.split("-"))
    names_en = ", ".join(sign_en(card) for card in cards.split("-"))
    return Outcome(
        code,
        f"{fr.capitalize()} : {names_fr}",
        f"{en.capitalize()}: {names_en}",
        shape,
        colour,
        short=fr.capitalize(),
        beside=" ".join(_lies(card)[0] for card in cards.split("-")),
    )


def show(state: PokerState, coup: int, phase: RoundPhase) -> Show:
    """Return what everybody sees: how many cards lie face down, and the cards that have been turned (law 10)."""
    if state.coup != coup or coup == 0 or phase == "betting":
        return Show()
    turned = state.turned
    facts: dict[str, str | int] = {"face_down": len(_PLACES) - len(turned)}
    facts |= {f"card_{place}": card for place, card in enumerate(turned, start=1)}
    if len(turned) == len(_PLACES):
        facts["hand"] = hand_of(turned)
    carpet = Carpet(cards=_lying(turned))
    if phase == "between":
        return Show(facts=facts, carpet=carpet)
    return Show(deciding=True, announcement=_turned(turned) if turned else _DEAL, facts=facts, carpet=carpet)


def _lying(turned: tuple[str, ...]) -> tuple[Card, ...]:
    """Return the three cards as the boxes stand on the layout: the third on the left, the first on the right."""
    cards = []
    for number, place in enumerate(_PLACES):
        name = Announcement(f"carte_{number + 1}", *place)
        if number < len(turned):
            cards.append(Card(name, *_lies(turned[number])))
        else:
            cards.append(Card(name))
    return tuple(reversed(cards))


def _lies(card: str) -> tuple[str, str]:
    """Return what stands on a card that lies face up, and its colour.

    >>> _lies("10C"), _lies("JOKER")
    (('10♥', 'red'), ('★', 'violet'))
    """
    if card == JOKER:
        return "★", "violet"
    return sign_fr(card), "red" if colour_of(card) == "ROUGE" else "black"


def _turned(cards: tuple[str, ...]) -> Announcement:
    """Announce the card that was turned last and what it means with those before it.

    >>> _turned(("7C",)).fr, _turned(("7C", "7K")).fr, _turned(("7C", "7K", "JOKER")).en
    ('7 de cœur : 1re carte, rouge', '7 de carreau : 2e carte, paire de 7', 'Joker: 3rd card, three of a kind')
    """
    card = cards[-1]
    place_fr, place_en = _PLACES[len(cards) - 1]
    match len(cards):
        case 1:
            says_fr, says_en = _COLOUR_WORDS[colour_of(card)]
        case 2:
            says_fr, says_en = _pair_words(value_of(cards[0]), value_of(cards[1]))
        case _:
            says_fr, says_en = _HANDS[hand_of(cards)][:2]
    return Announcement(
        f"carte_{len(cards)}",
        f"{_first_upper(card_fr(card))} : {place_fr}, {says_fr}",
        f"{_first_upper(card_en(card))}: {place_en}, {says_en}",
    )


def _pair_words(first: str, second: str) -> tuple[str, str]:
    if first == second == JOKER:
        return "deux jokers", "two jokers"
    if first == second:
        return f"paire de {_PLURAL_FR.get(first, rank_fr(first))}", f"pair of {rank_en(first)}s"
    if JOKER in {first, second}:
        return "un joker", "one joker"
    return "pas de paire", "no pair"


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]
