"""What a game is: pure rules that a table session hosts. One folder `libs/games/<name>/` with a value `GAME`.

The table keeps sessions, seats, credit meters, the betting window, draws, settlement into meters, postings, voids and
history. The game answers questions: which spots and limits exist, what follows when betting closes, when a draw
arrives, when somebody acts, when time is up. It answers with *steps*, which the table turns into events in order.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Literal, TypeAlias, TypeVar

import msgspec

from libs.kernel.actors import Actor, Role
from libs.kernel.decider import Already
from libs.kernel.messages import Command, Event
from libs.kernel.refusals import Refusal


class GameState(msgspec.Struct, frozen=True, tag_field="game"):
    """Base of what a game remembers between the events of a session; subclasses name their game as `tag`."""


class GameEvent(Event, frozen=True, kw_only=True):
    """Base of a game's own facts. Each replaces the deadline that the coup had before.

    `due_ms` is when whoever the game now awaits (a person, a device) must have acted, in ms since 1970; None when
    nobody is awaited. An event that leaves others still awaited repeats the deadline.
    """

    coup: int
    due_ms: int | None = None


G = TypeVar("G", bound=GameState)


# -- terms and what a game sees -----------------------------------------------------------------------------------
class Paytable(msgspec.Struct, frozen=True):
    """A published paytable: gains in the game's own terms, and the exact house edge of every chance."""

    gains: dict[str, int]
    edges: dict[str, Fraction]


class Proposal(msgspec.Struct, frozen=True):
    """The terms that a committee member asks for, before they are accepted. Money in cents."""

    minimum: int
    source: str
    seats: int
    options: dict[str, int]


class Terms(msgspec.Struct, frozen=True):
    """The terms of a session: fixed when it opens, recorded in `SessionOpened`. Money in cents, times in ms."""

    game: str
    rules_version: int
    paytable: str
    gains: dict[str, int]
    edges: dict[str, str]
    minimum: int
    maxima: dict[str, int]
    seats: int
    source: str
    betting_ms: int
    decision_ms: int
    options: dict[str, int]


RoundPhase = Literal["between", "betting", "locked"]


@dataclass(frozen=True, slots=True)
class Round(Generic[G]):
    """What a game sees of its table when it is asked."""

    terms: Terms
    state: G
    coup: int
    """The running coup, or the last one in phase `between`."""
    phase: RoundPhase
    final: bool
    """True in the very last coup before closing (nothing may be carried to a next one)."""
    players: Mapping[int, str]
    """Player of every taken seat."""
    stakes: Mapping[int, Mapping[str, int]]
    """Stake per spot of every seat that has one, seats ascending, in cents."""
    credits: Mapping[int, int]
    """Credit meter of every taken seat, in cents: what a player could still stake."""
    now_ms: int


# -- steps: what a game answers ------------------------------------------------------------------------------------
class Note(msgspec.Struct, frozen=True):
    """Log a fact of the game itself."""

    event: GameEvent


class AskDraw(msgspec.Struct, frozen=True):
    """Ask the RNG for integers. A sealed draw's values stay off the feed; the game reveals them with its own facts."""

    name: str
    """Unique in the coup."""
    bounds: tuple[int, ...]
    sealed: bool = False


class Charge(msgspec.Struct, frozen=True):
    """Debit a further stake of a seat in the middle of a coup (a raise); the game has checked the credit meter."""

    seat: int
    spot: str
    amount: int


class Paid(msgspec.Struct, frozen=True):
    """What becomes of one wager: credit 0, the stake (refund), or stake x (k+1), in cents.

    A stake that the game holds for a later coup is paid 0 now, and then credited with stake 0.
    """

    seat: int
    spot: str
    stake: int
    credit: int


class Settle(msgspec.Struct, frozen=True):
    """End the coup. Stakes minus credits, rake and entry fees go to the table's float. In cents."""

    outcome: str
    paid: tuple[Paid, ...]
    rake: int = 0
    entry_fees: int = 0


class Annul(msgspec.Struct, frozen=True):
    """End the coup as void: every stake goes back. `code` is stable."""

    code: str
    reason: str
    unplayed: bool = False
    """True when nothing was played for want of players: it counts as a coup without a stake (art. 31)."""


Step: TypeAlias = Note | AskDraw | Charge | Settle | Annul
Steps: TypeAlias = tuple[Step, ...]


class Lock(msgspec.Struct, frozen=True):
    """What follows *rien ne va plus*: steps, or a decision awaited until `due_ms`, or both."""

    due_ms: int | None = None
    steps: Steps = ()


# -- what is shown -------------------------------------------------------------------------------------------------
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
    """Colour word: `dark-green`, `light-green`, `yellow`, `red`, `orange`, `sky-blue`, `violet`, `green`, `blue`."""
    gain: str
    """What is paid to 1, a decimal or a range: `2`, `0.5`, `5-1000`; empty where nothing has fixed odds (a pot)."""
    maximum: int | None = None
    """Most that one player may have here in one coup, in cents; null when nobody can wager on it."""
    edge: str | None = None
    """House edge as an exact fraction, `1/13` or `-5/13`; negative favours the player."""
    edge_percent: str | None = None
    """The same, rounded to two decimals: `7.69`."""


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a coup as shown: `code` in the game's own terms (`2`, `BONUS:250`, or the code of a void)."""

    code: str
    fr: str
    en: str
    shape: str = ""
    colour: str = ""


class Show(msgspec.Struct, frozen=True):
    """A game's part of the board at this moment; nothing secret (law 10)."""

    deciding: bool = False
    """True while a person (not a machine) must act."""
    announcement: Announcement | None = None
    facts: dict[str, str | int] = {}


@dataclass(frozen=True, slots=True)
class Game(Generic[G]):
    """The rules of a game, as a value. All functions are pure; refusals are values."""

    name: str
    rules_version: int
    roles: Mapping[type[Command], frozenset[Role]]
    """The game's commands, and who may speak them."""
    events: frozenset[type[GameEvent]]
    state: type[G]
    paytables: Mapping[str, Paytable]
    words: Mapping[str, Announcement]
    """`void` and `last_coups` in this game's words."""

    check_terms: Callable[[Proposal], Refusal | None]
    maxima: Callable[[Proposal], dict[str, int]]
    """Most that one player may have on each spot; the keys are the spots that exist."""
    worst_gain: Callable[[Paytable, Proposal], int]
    """The most that one seat can gain in one coup, in cents."""
    begin: Callable[[Mapping[str, int]], G]
    """The state at the opening of a session, from what the session before carried."""
    carry: Callable[[G], dict[str, int]]
    held: Callable[[G, int], int]
    """Cents of a seat's stakes that lie on the table for a later coup: such a seat cannot leave."""
    check_wager: Callable[[Terms, G, Mapping[str, int], str, int], Refusal | None]
    """May `amount` more be staked on `spot` by a seat with these stakes? Limits are the game's; money is not."""
    on_lock: Callable[[Round[G]], Lock]
    on_command: Callable[[Round[G], Command, Actor], Steps | Already | Refusal]
    on_draw: Callable[[Round[G], str, tuple[int, ...]], Steps]
    on_due: Callable[[Round[G]], Steps]
    """What happens when nobody acted before the deadline; never empty while a deadline stands."""
    evolve: Callable[[G, GameEvent], G]

    rows: Callable[[Terms], tuple[Row, ...]]
    extra_rows: Callable[[Terms], tuple[Row, ...]]
    outcome: Callable[[str], Outcome]
    """The words for an outcome code, or for the code of one of the game's own voids."""
    show: Callable[[G, int, RoundPhase], Show]
    """What to show in this coup (its number) and phase."""
