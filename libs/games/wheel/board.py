"""The wheel on the board: names, shapes and colours of its chances, its outcomes and announcements.

The decree names the colours; a shape and the figure stand beside each, so that nobody needs to tell colours apart.
"""

from fractions import Fraction

from libs.games.wheel.paytables import BONUS, DIVISOR, INNER_SEGMENTS, MAIN_SPOTS, inner_key
from libs.games.wheel.state import WheelState, opposite
from libs.kernel.game import Announcement, Outcome, RoundPhase, Row, Show, Terms
from libs.kernel.shown import percent

WORDS = {
    "title": Announcement("roue", "Roue de la chance électronique", "Electronic wheel of fortune"),
    "void": Announcement("coup_nul", "Lancer annulé, mises recréditées", "Launch annulled, stakes credited back"),
    "last_coups": Announcement("trois_derniers", "Les trois derniers lancers", "The last three spins"),
    "last_coup": Announcement("dernier", "Dernier lancer", "Last spin"),
}

_MAIN = {
    "2": ("Vert foncé 2", "Dark green 2", "circle", "dark-green"),
    "4": ("Vert clair 4", "Light green 4", "square", "light-green"),
    "6": ("Jaune 6", "Yellow 6", "triangle", "yellow"),
    "16": ("Rouge 16", "Red 16", "diamond", "red"),
    "24": ("Orange 24", "Orange 24", "hexagon", "orange"),
    "48": ("Bleu ciel 48", "Sky blue 48", "star", "sky-blue"),
    BONUS: ("Violet Bonus", "Violet Bonus", "pentagon", "violet"),
}

_INNER = {
    "5": ("Bonus vert 5", "Bonus green 5", "circle", "green"),
    "20": ("Bonus rouge 20", "Bonus red 20", "diamond", "red"),
    "50": ("Bonus bleu 50", "Bonus blue 50", "square", "blue"),
    "100": ("Bonus orange 100", "Bonus orange 100", "hexagon", "orange"),
    "250": ("Bonus jaune 250", "Bonus yellow 250", "triangle", "yellow"),
    "1000": ("Bonus violet 1000", "Bonus violet 1000", "pentagon", "violet"),
}

_VOIDS = {
    "spin.anomaly": ("Anomalie de rotation", "Anomaly of the rotation"),
    "spin.too_few_turns": ("Moins de deux tours", "Fewer than two turns"),
    "spin.wrong_direction": ("Mauvais sens de rotation", "Wrong direction of rotation"),
    "spin.not_detected": ("Résultat non détecté", "Result not detected"),
}

_BUZZER = Announcement("au_buzzer", "Au buzzer", "Press the buzzer")
_BONUS_TURNS = Announcement("bonus", "Bonus", "Bonus")
_MANUAL = Announcement(
    "saisie_manuelle",
    "Saisie du résultat en présence d'un membre du comité de direction",
    "Result being entered in the presence of a committee member",
)


def rows(terms: Terms) -> tuple[Row, ...]:
    """Return the seven chances with gain, maximum and edge, in the order of the layout."""
    inner = [_inner_gain(terms, ratio) for ratio in INNER_SEGMENTS]
    gains = {spot: str(terms.gains[spot]) for spot in MAIN_SPOTS} | {BONUS: f"{inner[0]}-{inner[-1]}"}
    return tuple(
        Row(
            spot=spot,
            fr=fr,
            en=en,
            shape=shape,
            colour=colour,
            gain=gains[spot],
            maximum=terms.maxima[spot],
            edge=terms.edges[spot],
            edge_percent=percent(Fraction(terms.edges[spot])),
        )
        for spot, (fr, en, shape, colour) in _MAIN.items()
    )


def extra_rows(terms: Terms) -> tuple[Row, ...]:
    """Return the six segments of the inner wheel with what each pays to 1 on the BONUS stake."""
    return tuple(
        Row(spot=inner_key(ratio), fr=fr, en=en, shape=shape, colour=colour, gain=_inner_gain(terms, ratio))
        for ratio, (fr, en, shape, colour) in _INNER.items()
    )


def outcome(code: str) -> Outcome:
    """Return the words for an outcome (`2`, `BONUS:250`) or for one of the wheel's voids.

    >>> outcome("BONUS:250").fr
    'Bonus jaune 250'
    """
    if code in _VOIDS:
        return Outcome(code, *_VOIDS[code])
    name, _, inner = code.partition(":")
    if inner:
        return Outcome(code, *_INNER[inner], short=inner, beside="Bonus")
    return Outcome(code, *_MAIN[name], short=name.capitalize())


def show(state: WheelState, coup: int, phase: RoundPhase) -> Show:
    """Return what everybody sees of the wheel now: the launch of this coup, else the direction of the next one."""
    if state.coup != coup or coup == 0 or phase == "betting":
        facts: dict[str, str | int] = {"next_direction": opposite(state.direction)}
        return Show(deciding=True, facts=facts, notes=(_BUZZER,)) if phase == "locked" else Show(facts=facts)
    facts = {"direction": state.direction or "", "ring": state.ring}
    if state.main_segment is not None:
        facts["segment"] = state.main_segment
    if state.inner_segment is not None:
        facts["inner_segment"] = state.inner_segment
    if phase == "between":
        return Show(facts=facts | {"next_direction": opposite(state.direction)})
    announcement = _MANUAL if state.manual else _BONUS_TURNS if state.ring == "bonus" else None
    return Show(deciding=state.manual, announcement=announcement, facts=facts)


def _inner_gain(terms: Terms, ratio: str) -> str:
    """Return an inner gain to 1 as a decimal: `5`, or `0.5` when the ratio applies to a tenth of the stake."""
    gain = Fraction(terms.gains[inner_key(ratio)], terms.gains[DIVISOR])
    tenths = int(gain * 10)
    assert Fraction(tenths, 10) == gain, "gains are shown with one decimal"
    return str(tenths // 10) if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}"
