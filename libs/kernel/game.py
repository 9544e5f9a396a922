"""What a game is: pure rules that a table session hosts. One folder `libs/games/<name>/` with a value `GAME`.

The table keeps sessions, seats, credit meters, the betting window, draws, settlement into meters, postings, voids and
history. The game answers questions: which spots and limits exist, what follows when betting closes, when a draw
arrives, when somebody acts, when time is up. It answers with *steps*, which the table turns into events in order.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec

from libs.kernel.actors import Actor, Role
from libs.kernel.decider import Already
from libs.kernel.messages import Command, Event
from libs.kernel.refusals import Refusal
from libs.kernel.shown import Announcement, Outcome, Row, Show
from libs.kernel.terms import OutcomeSource, Paytable, Proposal, Terms

__all__ = [
    "Announcement",
    "Annul",
    "AskDraw",
    "Charge",
    "Game",
    "GameEvent",
    "GameState",
    "Lock",
    "Note",
    "Outcome",
    "OutcomeSource",
    "Paid",
    "Paytable",
    "Proposal",
    "Release",
    "Round",
    "RoundPhase",
    "Row",
    "Settle",
    "Show",
    "Step",
    "Steps",
    "Terms",
    "Withdraw",
    "any_take_back",
    "as_it_was",
    "no_steps",
    "no_steps_of_seat",
    "numbered",
]


class GameState(msgspec.Struct, frozen=True, gc=False, tag_field="game"):
    """Base of what a game remembers between the events of a session; subclasses name their game as `tag`."""


class GameEvent(Event, frozen=True, kw_only=True):
    """Base of a game's own facts. After *rien ne va plus* each replaces the deadline that the coup had before.

    `due_ms` is when whoever the game now awaits (a person, a device) must have acted, in ms since 1970; None when
    nobody is awaited. An event that leaves others still awaited repeats the deadline. While betting is open, and
    between coups, it changes no deadline.
    """

    coup: int
    due_ms: int | None = None


G = TypeVar("G", bound=GameState)


# -- what a game sees ----------------------------------------------------------------------------------------------
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
    due_ms: int | None = None
    """The deadline that stands now: a fact that leaves it alone repeats it."""
    recorded: frozenset[str] = frozenset()
    """Names of outcomes that people or a device have recorded and that do not stand yet."""


# -- steps: what a game answers ------------------------------------------------------------------------------------
class Note(msgspec.Struct, frozen=True, gc=False):
    """Log a fact of the game itself."""

    event: GameEvent


class AskDraw(msgspec.Struct, frozen=True, gc=False):
    """Ask the session's source for integers, one per bound; the game hears of them by `on_draw`.

    The RNG draws them, or they are recorded at the console or by a device, in the words of `Game.face`. Sealed values
    stay off the feed; the game reveals them with its own facts. Nobody at a console can see what is sealed: there, a
    game asks for what has been turned.
    """

    name: str
    """Unique in the coup; one that was withdrawn may be asked for again."""
    bounds: tuple[int, ...]
    sealed: bool = False


class Withdraw(msgspec.Struct, frozen=True):
    """Await an outcome from the console or a device no longer (an irregular throw). Never a draw of the RNG (law 9)."""

    name: str


class Charge(msgspec.Struct, frozen=True):
    """Debit a further stake of a seat in the middle of a coup (a raise); the game has checked the credit meter.

    Only in answer to that player's own command: the table may refuse it, as his limits do not let him stake any more.
    """

    seat: int
    spot: str
    amount: int


class Paid(msgspec.Struct, frozen=True, gc=False):
    """What becomes of one wager: credit 0, the stake (refund), or stake x (k+1), in cents.

    A stake that the game holds for a later coup is paid 0 now, and then credited with stake 0.
    """

    seat: int
    spot: str
    stake: int
    credit: int
    step: str = ""
    """Which part of the settlement it belongs to, in the game's words, where the rules prescribe an order."""


class Settle(msgspec.Struct, frozen=True, gc=False):
    """End the coup. Stakes minus credits, rake and entry fees go to the table's float. In cents."""

    outcome: str
    paid: tuple[Paid, ...]
    rake: int = 0
    entry_fees: int = 0
    held: bool = False
    """True when a stake held from an earlier coup was at play: then the coup is not without a stake (art. 31)."""


class Release(msgspec.Struct, frozen=True):
    """Give what the game holds for a later coup to its seats now: lines with stake 0, paid by the table's float.

    It does not end the coup. For when no later coup can decide: nobody may throw, the session is interrupted.
    """

    paid: tuple[Paid, ...]
    reason: str


class Annul(msgspec.Struct, frozen=True):
    """End the coup as void: every stake goes back. `code` is stable."""

    code: str
    reason: str
    unplayed: bool = False
    """True when nothing was played for want of players: it counts as a coup without a stake (art. 31)."""


Step: TypeAlias = Note | AskDraw | Withdraw | Charge | Settle | Release | Annul
Steps: TypeAlias = tuple[Step, ...]


class Lock(msgspec.Struct, frozen=True, gc=False):
    """What follows *rien ne va plus*: steps, or a decision awaited until `due_ms`, or both."""

    due_ms: int | None = None
    steps: Steps = ()


# -- what most games leave as it is -----------------------------------------------------------------------------------
def numbered(_name: str, value: int) -> str:
    """Call value v of a draw v + 1, as on a die or a numbered segment.

    >>> numbered("dice", 0), numbered("dice", 5)
    ('1', '6')
    """
    return str(value + 1)


def no_steps(_round: Round[Any]) -> Steps:
    """Do nothing."""
    return ()


def no_steps_of_seat(_round: Round[Any], _seat: int) -> Steps:
    """Do nothing."""
    return ()


def any_take_back(_terms: Terms, _state: Any, _stakes: Mapping[str, int], _spot: str) -> Refusal | None:
    """Let every stake be taken back while betting is open."""
    return None


def as_it_was(then: Any, _now: Any) -> Any:
    """Go back to all that was."""
    return then


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
    """In this game's words: `title` (its name), `void`, `last_coups` and, if the game has one, `last_coup`."""

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
    check_wager: Callable[[Terms, G, int, Mapping[str, int], str, int], Refusal | None]
    """May a seat with these stakes put `amount` more on `spot`? Limits are the game's; money is not."""
    on_lock: Callable[[Round[G]], Lock]
    on_command: Callable[[Round[G], Command, Actor], Steps | Already | Refusal]
    on_draw: Callable[[Round[G], str, tuple[int, ...]], Steps]
    on_due: Callable[[Round[G]], Steps]
    """What happens when nobody acted before the deadline; never empty while a deadline stands."""
    evolve: Callable[[G, GameEvent], G]
    command_behind: Callable[[G, GameEvent | None], Command | None]
    """Which of its commands leads, in this state, to a decision whose first own fact this is; of none, with None.

    For the audit, which lets the rules decide again: the log has no commands, only the facts they led to. None when no
    command of the game does. What a fact does not tell of its command (the level agreed to) is read off the state.
    """

    rows: Callable[[Terms], tuple[Row, ...]]
    extra_rows: Callable[[Terms], tuple[Row, ...]]
    outcome: Callable[[str], Outcome]
    """The words for an outcome code, or for the code of one of the game's own voids."""
    show: Callable[[G, int, RoundPhase], Show]
    """What to show in this coup (its number) and phase."""

    sources: frozenset[OutcomeSource] = frozenset({"rng", "console", "device"})
    """Where the outcomes of a session may come from."""
    face: Callable[[str, int], str] = numbered
    """What people and devices call value v of the draw of this name (`5`, `RC`); within a draw each name is another."""
    go_back: Callable[[G, G], G] = as_it_was
    """The state after a correction, of what it was when the outcome was awaited and what it is now: whatever does not
    follow from the outcome (who has come and gone since) stays as it is now."""
    on_open: Callable[[Round[G]], Steps] = no_steps
    """What follows *faites vos jeux*, besides that wagers are taken."""
    on_seated: Callable[[Round[G], int], Steps] = no_steps_of_seat
    """What follows when a player has taken this seat."""
    on_left: Callable[[Round[G], int], Steps] = no_steps_of_seat
    """What follows when the player of this seat has left."""
    on_interrupt: Callable[[Round[G]], Steps] = no_steps
    """What follows when the session is interrupted, before the running coup is voided: notes and releases."""
    check_take_back: Callable[[Terms, G, Mapping[str, int], str], Refusal | None] = any_take_back
    """May a seat with these stakes take the one on this spot back (nothing may need it)?"""
