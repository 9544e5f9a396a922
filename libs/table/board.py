"""What everybody may see of a table (`Board`) and what one player may see of his own seat (`SeatView`).

Both are plain JSON by msgspec. The public board names no player and shows no credit meter; stakes only where a game
lays them on the carpet in front of all its players (a pot).
"""

from typing import Any, Literal

import msgspec

from libs.kernel.game import Announcement, Game, Outcome, Row, Show
from libs.kernel.shown import Carpet
from libs.table import seeds
from libs.table.allowances import left_to_stake
from libs.table.held_up import HELD, reasons
from libs.table.react import deadline
from libs.table.state import BETWEEN_COUPS, Awaited, Past, TableState, hosted, round_phase

BoardPhase = Literal["closed", "prepared", "idle", "betting", "locked", "decision", "drawing", "settled"]
"""`closed` no session; `prepared` checked, not opened; `idle` between coups (nothing to show); `betting`; `locked`
betting is over, the device or the staff is at work, or a draw is held up; `decision` a person must act before
`decision_due_ms`; `drawing` the RNG is asked; `settled` between coups, the last outcome is shown."""


class BoardSeat(msgspec.Struct, frozen=True):
    """One station: is it taken, and does it have a stake in the running coup."""

    seat: int
    taken: bool
    staked: bool


class BoardOutcome(msgspec.Struct, frozen=True):
    """An outcome that the console or a device owes: what to record, and what is recorded so far."""

    name: str
    by: Literal["console", "device", "manual"]
    choices: tuple[tuple[str, ...], ...]
    """The faces to choose from, for each die, card or segment in order."""
    due_ms: int
    """When it must be recorded; once it is, when it stands."""
    recorded: tuple[str, ...] = ()
    """The recorded faces that nobody has confirmed yet; empty while none are, or while they are hidden."""


class PastCoup(msgspec.Struct, frozen=True):
    """One finished coup. `result` is `settled` or `voided`; a voided one has a code and a reason instead of a spot."""

    coup: int
    result: Literal["settled", "voided"]
    outcome: Outcome
    reason: str = ""


class Board(msgspec.Struct, frozen=True):
    """The public board of a table, for displays and the door. Money in cents, times in ms since 1970."""

    table: str
    pit: str
    session: int
    """Number of the running or last session of this table; 0 before the first."""
    phase: BoardPhase
    announcement: Announcement
    game: str = ""
    title: Announcement | None = None
    """What the game is called."""
    coup: int = 0
    """Number of the running or last coup of the session; 0 before the first."""
    closes_at_ms: int | None = None
    """When betting closes by itself; only in phase `betting`."""
    decision_due_ms: int | None = None
    """When the awaited person's time is over; only in phase `decision`, or `locked` with a device at work."""
    minimum: int = 0
    source: str = ""
    paytable: str = ""
    rows: tuple[Row, ...] = ()
    """What may be wagered on, in the order of the layout."""
    extra_rows: tuple[Row, ...] = ()
    """What is paid but cannot be wagered on directly (the inner wheel)."""
    last: PastCoup | None = None
    history: tuple[PastCoup, ...] = ()
    """The last coups, newest first, at most `limits.HISTORY_COUPS`."""
    seats: tuple[BoardSeat, ...] = ()
    last_coups_left: int | None = None
    """Valid coups still to play once the last ones are announced; null before."""
    closing: Announcement | None = None
    """What the display says about these, in the game's words; null before."""
    options: dict[str, int] = {}
    """The game's own terms (`bonus_stake`, cents)."""
    facts: dict[str, str | int] = {}
    """The game's own public facts (wheel: `direction`, `ring`, `segment`)."""
    notes: tuple[Announcement, ...] = ()
    """What the game says beside the announcement (*les dés changent de main*), and why a draw is held up."""
    situation: tuple[Announcement, ...] = ()
    """What is the case in the game and need not be said again (who throws)."""
    carpet: Carpet = Carpet()
    """What lies on the table: dice, cards, a pot and those who play for it."""
    awaited: tuple[BoardOutcome, ...] = ()
    """What the croupier, a device or, in manual mode, the pit boss or a committee member must record."""
    commitment: str = ""
    """What the RNG committed itself to for the running coup, or between coups for the next one; 64 hex digits."""
    commitment_coup: int = 0
    """That coup; 0 when there is no commitment."""


class SeatView(msgspec.Struct, frozen=True):
    """What a player sees of the own seat, in cents."""

    table: str
    seat: int
    credit: int
    staked: int
    stakes: dict[str, int]
    allowance: int | None = None
    """What the player's limits and exclusions still let him stake here; None without any."""


# -- the two views ------------------------------------------------------------------------------------------------
_CLOSED = Announcement("table_fermee", "Table fermée", "Table closed")
_PREPARED = Announcement("ouverture", "Ouverture de la séance en cours", "The session is being opened")
_IDLE = Announcement("attente", "En attente du prochain coup", "Waiting for the next coup")
_BETTING = Announcement("faites_vos_jeux", "Faites vos jeux", "Place your bets")
_LOCKED = Announcement("rien_ne_va_plus", "Rien ne va plus", "No more bets")

_TABLE_VOIDS = {
    "staff": ("Annulé par le personnel", "Voided by the staff"),
    "interrupted": ("Séance interrompue", "The session was interrupted"),
    "draw.failed": ("Tirage indisponible", "The draw failed"),
    "outcome.none": ("Résultat non saisi", "The outcome was not entered"),
    "outcome.device_failed": ("Appareil défaillant", "The device failed"),
}


IN_OWN_WORDS = frozenset({"staff", "interrupted"})
"""Codes of voids whose reason somebody wrote; all other reasons are this program's, in English."""


def void_words(game: Game[Any], code: str) -> Outcome:
    """Return the words for the code of a void, be it the table's or the game's own."""
    words = _TABLE_VOIDS.get(code)
    return Outcome(code, *words) if words else game.outcome(code)


def board_of(state: TableState) -> Board:
    """Return what everybody may see of the table."""
    if state.terms is None:
        prepared = state.phase == "prepared"
        announcement = _PREPARED if prepared else _CLOSED
        phase: BoardPhase = "prepared" if prepared else "closed"
        return Board(state.table, state.pit, state.session, phase, announcement)
    game, terms, _ = hosted(state)
    show = _shown(state)
    history = tuple(_past(game, past) for past in state.history)
    phase = _phase(state, show)
    commitment_coup, commitment = seeds.shown(state)
    return Board(
        table=state.table,
        pit=state.pit,
        session=state.session,
        phase=phase,
        announcement=_announcement(state, game, show, history[0] if history else None),
        game=terms.game,
        title=game.words.get("title"),
        coup=state.coup,
        closes_at_ms=state.due_ms if state.phase == "betting" else None,
        decision_due_ms=deadline(state) if state.phase == "locked" else None,
        minimum=terms.minimum,
        source=terms.source,
        paytable=terms.paytable,
        rows=game.rows(terms),
        extra_rows=game.extra_rows(terms),
        last=history[0] if history else None,
        history=history,
        seats=_seats(state, terms.seats),
        last_coups_left=state.last_left,
        closing=_closing(state, game),
        options=terms.options,
        facts=show.facts,
        notes=(*show.notes, *reasons(state), *seeds.notes(state)),
        situation=show.situation,
        carpet=show.carpet,
        awaited=tuple(_awaited(game, wanted) for wanted in state.awaited.values()),
        commitment=commitment,
        commitment_coup=commitment_coup,
    )


def seat_of(state: TableState, player: str) -> SeatView | None:
    """Return what a player may see of the own seat; None when the player does not sit here."""
    number = state.places.get(player)
    if number is None:
        return None
    seat = state.seats[number]
    left = left_to_stake(state, player)
    return SeatView(state.table, number, seat.credit, sum(seat.stakes.values()), seat.stakes, left)


def _shown(state: TableState) -> Show:
    game, _terms, game_state = hosted(state)
    return game.show(game_state, state.coup, round_phase(state.phase))


def _phase(state: TableState, show: Show) -> BoardPhase:
    if state.phase != "locked":
        return state.phase
    if state.draws:
        return "locked" if reasons(state) else "drawing"
    people = any(not wanted.by_device for wanted in state.awaited.values())
    return "decision" if show.deciding or people else "locked"


def _announcement(state: TableState, game: Game[Any], show: Show, last: PastCoup | None) -> Announcement:
    """Return what the display says; the notice of the last coups stands until the next coup opens."""
    if state.phase == "closed":
        return _CLOSED
    if state.mistrusted and state.phase in BETWEEN_COUPS:
        return seeds.MISTRUSTED
    if state.phase == "betting":
        return _BETTING
    if state.phase == "locked":
        return HELD if reasons(state) else show.announcement or _LOCKED
    if state.last_left is not None and state.coup == state.last_after:
        return game.words["last_coups"]
    if last is None:
        return _IDLE
    if last.result == "voided":
        return game.words["void"]
    return show.announcement or Announcement("resultat", last.outcome.fr, last.outcome.en)


def _awaited(game: Game[Any], wanted: Awaited) -> BoardOutcome:
    shown = () if wanted.values is None or wanted.sealed else wanted.values
    return BoardOutcome(
        name=wanted.name,
        by="device" if wanted.by_device else "manual" if wanted.manual else "console",
        choices=tuple(tuple(game.face(wanted.name, value) for value in range(bound)) for bound in wanted.bounds),
        due_ms=wanted.due_ms,
        recorded=tuple(game.face(wanted.name, value) for value in shown),
    )


def _closing(state: TableState, game: Game[Any]) -> Announcement | None:
    if not state.last_left:
        return None
    several = game.words["last_coups"]
    return game.words.get("last_coup", several) if state.last_left == 1 else several


def _past(game: Game[Any], past: Past) -> PastCoup:
    outcome = void_words(game, past.code) if past.result == "voided" else game.outcome(past.code)
    return PastCoup(past.coup, past.result, outcome, past.reason)


def _seats(state: TableState, count: int) -> tuple[BoardSeat, ...]:
    return tuple(
        BoardSeat(number, number in state.seats, number in state.seats and bool(state.seats[number].stakes))
        for number in range(1, count + 1)
    )
