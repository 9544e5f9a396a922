"""The state of one table: a fold of its session's events, and of nothing else."""

from typing import Any, Literal

import msgspec

from libs.games import GAMES
from libs.kernel.contracts.table import FloatMoved, FloatMoveRefused, SeatCredited, SeatCreditRefused
from libs.kernel.contracts.wallet import Leg
from libs.kernel.game import Game, GameState, Round, RoundPhase, Terms
from libs.kernel.refusals import Refusal
from libs.table.results import Heard

Phase = Literal["closed", "prepared", "idle", "betting", "locked", "settled"]
"""`idle` and `settled` are both between coups; after `settled` the last outcome is on show."""

BETWEEN_COUPS = frozenset({"idle", "settled"})
IN_SESSION = frozenset({"idle", "betting", "locked", "settled"})

NO_STAKES: dict[str, int] = {}
"""The stakes of a seat that has none; shared, never changed."""


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A taken seat: its player, the credit meter and the stakes of the running coup, in cents."""

    player: str
    credit: int = 0
    stakes: dict[str, int] = NO_STAKES


class Check(msgspec.Struct, frozen=True):
    """Somebody certified the equipment."""

    role: str
    by: str


class WantedDraw(msgspec.Struct, frozen=True):
    """A draw that the RNG is owed an order for, or the table an answer."""

    name: str
    bounds: tuple[int, ...]
    sealed: bool
    held_up: Refusal | None = None
    """Why the RNG makes it later; None unless it said so."""


class Awaited(msgspec.Struct, frozen=True):
    """An outcome that people or a device must record, or have recorded without its being confirmed."""

    name: str
    bounds: tuple[int, ...]
    due_ms: int
    """When it must have been recorded; once it is, when it stands."""
    sealed: bool = False
    by_device: bool = False
    """True while only a device is heard; false at the console and in manual mode."""
    manual: bool = False
    """True when the device has failed."""
    values: tuple[int, ...] | None = None


class Standing(msgspec.Struct, frozen=True):
    """A confirmed outcome of the running coup, with all that its correction would go back to."""

    outcome: Awaited
    game_state: GameState
    awaited: dict[str, Awaited]
    due_ms: int | None
    by: str
    """Who confirmed it; the id of our own process when its time was over."""
    staked: int
    """All stakes on the table at that moment, in cents: once they have moved, only a void helps."""


class Owed(msgspec.Struct, frozen=True):
    """A posting that the ledger has not confirmed."""

    reason: str
    legs: tuple[Leg, ...]


class Past(msgspec.Struct, frozen=True):
    """A finished coup: the outcome's code, or the code and reason of a void."""

    coup: int
    result: Literal["settled", "voided"]
    code: str
    reason: str = ""


class TableState(msgspec.Struct, frozen=True, gc=False):
    """Everything that a decision about the table depends on. Money in cents, times in ms since 1970."""

    table: str
    pit: str = ""
    session: int = 0
    events: int = 0
    """Events of this session so far; equal to the version of its stream."""
    phase: Phase = "closed"
    checks: tuple[Check, ...] = ()
    terms: Terms | None = None
    game_state: GameState | None = None

    seats: dict[int, Seat] = {}
    places: dict[str, int] = {}
    """Seat of every seated player."""
    coup: int = 0
    due_ms: int | None = None
    """When betting closes, or when whoever the game awaits must have acted."""
    draws: dict[str, WantedDraw] = {}
    """Draws of the running coup that have not arrived, by id."""
    seeds: dict[int, str] = {}
    """Commitments to the seeds that are not revealed yet, by coup."""
    committed: int = 0
    """The highest coup that was committed to."""
    commitment_held_up: Refusal | None = None
    """Why the RNG does not commit itself to the next coup; None unless it said so."""
    mistrusted: int = 0
    """The coup whose revealed seed does not fit its commitment; 0 while there is none."""
    awaited: dict[str, Awaited] = {}
    """Outcomes of the running coup that the console or a device owes, by name."""
    standing: tuple[Standing, ...] = ()
    """Confirmed outcomes of the running coup, oldest first."""
    history: tuple[Past, ...] = ()
    """Newest first."""

    last_left: int | None = None
    """Valid coups still to play, once the last ones are announced."""
    last_after: int = 0
    """The coup that was the latest at the announcement; only later ones count."""
    empty_coups: int = 0
    """Coups in a row without a stake, up to now."""

    handle: int = 0
    float_balance: int = 0
    postings: int = 0
    """Number of the latest posting of this session."""
    owed: dict[int, Owed] = {}
    """Postings that the ledger has not confirmed, by number."""
    credits: dict[str, SeatCredited | SeatCreditRefused] = {}
    """Answers to buy-ins, by transfer id, oldest first."""
    credits_from: dict[str, int] = {}
    """By part of the wallet: its buy-ins from this number on are remembered, those before are over."""
    carried: dict[str, int] = {}
    float_answer: FloatMoved | FloatMoveRefused | None = None
    """The answer to the last move of the float that the ledger asked for, in this session or before."""
    counts: dict[str, int] = {}
    """What each person has counted in the float since it last changed, in cents."""
    allowances: dict[str, Heard] = {}
    """What the ledger has said of players with a limit of stakes or an exclusion; of others it says nothing."""


def initial(book: str) -> TableState:
    """Return the state of a table before its first session, or at the start of a session's stream."""
    return TableState(table=book)


def hosted(state: TableState) -> tuple[Game[Any], Terms, GameState]:
    """Return the game, terms and game state of an open session."""
    assert state.terms is not None, "no session has been opened"
    assert state.game_state is not None, "no session has been opened"
    return GAMES[state.terms.game], state.terms, state.game_state


def round_phase(phase: Phase) -> RoundPhase:
    """Return the phase as a game knows it."""
    return "betting" if phase == "betting" else "locked" if phase == "locked" else "between"


def round_of(state: TableState, now_ms: int) -> Round[Any]:
    """Return what the game may see of the table now."""
    _, terms, game_state = hosted(state)
    return Round(
        terms=terms,
        state=game_state,
        coup=state.coup,
        phase=round_phase(state.phase),
        final=state.last_left == 1 and state.coup > state.last_after,
        players={seat: taken.player for seat, taken in sorted(state.seats.items())},
        stakes={seat: taken.stakes for seat, taken in sorted(state.seats.items()) if taken.stakes},
        credits={seat: taken.credit for seat, taken in sorted(state.seats.items())},
        now_ms=now_ms,
        due_ms=state.due_ms if state.phase == "locked" else None,
        recorded=frozenset(name for name, wanted in state.awaited.items() if wanted.values is not None),
    )


def staked(state: TableState) -> int:
    """Return all stakes that lie on the table, in cents."""
    return sum(sum(seat.stakes.values()) for seat in state.seats.values())
