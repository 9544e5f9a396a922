"""The messages of one table session. Their tags are the storage format.

`CreditSeat` and `kernel.Answered` come from other services. What a game adds is in `libs/games/<name>/messages.py`;
recorded outcomes are in `outcome_messages.py`, lines of results in `results.py`.
"""

from typing import Annotated

import msgspec

from libs.kernel.actors import Id
from libs.kernel.contracts.table import FloatMoved, FloatMoveRefused, SeatCredited, SeatCreditRefused
from libs.kernel.contracts.wallet import Leg, SeatNo
from libs.kernel.game import OutcomeSource
from libs.kernel.limits import MAX_REASON_CHARS, MAX_SEATS
from libs.kernel.messages import Command, Event
from libs.kernel.money import PositiveCents
from libs.table.results import Heard, SeatClosed, SeatResult, Settled

Spot = Annotated[str, msgspec.Meta(min_length=1, max_length=32, pattern=r"^[A-Z0-9][A-Z0-9_-]*$(?!\n)")]
"""What one may wager on, in the game's own terms (`2`, `BONUS`)."""

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_REASON_CHARS)]


# -- commands: the session ----------------------------------------------------------------------------------------
class CheckEquipment(Command, frozen=True, kw_only=True, tag="table.CheckEquipment"):
    """The technician (first) or the committee member certifies that the equipment works. Art. 67-16-5."""


class OpenSession(Command, frozen=True, kw_only=True, tag="table.OpenSession"):
    """A committee member opens the session and fixes its terms; they cannot change until it closes."""

    game: Id
    paytable: Id
    """Mandatory; there is no default paytable."""
    minimum: PositiveCents
    float_amount: PositiveCents
    seats: Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS)]
    source: OutcomeSource = "rng"
    betting_ms: Annotated[int, msgspec.Meta(ge=500, le=600_000)] = 30_000
    """How long betting stays open, in milliseconds."""
    decision_ms: Annotated[int, msgspec.Meta(ge=500, le=600_000)] = 15_000
    """How long a person may take for a decision (the buzzer), in milliseconds."""
    options: dict[str, int] = {}
    """Terms of the game itself, such as the wheel's `bonus_stake`, in cents."""
    confirm_negative_edge: bool = False
    """True when the committee member has seen that some chance favours the player and wants it so."""


class AnnounceLastCoups(Command, frozen=True, kw_only=True, tag="table.AnnounceLastCoups"):
    """The pit boss or a committee member announces the three last coups."""


class CloseSession(Command, frozen=True, kw_only=True, tag="table.CloseSession"):
    """A committee member validates the closing of the session, after the last coups."""


# -- commands: seats ----------------------------------------------------------------------------------------------
class TakeSeat(Command, frozen=True, kw_only=True, tag="table.TakeSeat"):
    """The speaking player sits down. One player per station, one station per player (WA14)."""

    seat: SeatNo


class LeaveSeat(Command, frozen=True, kw_only=True, tag="table.LeaveSeat"):
    """The speaking player leaves and takes all chips back to the account (between coups, or with no stake down)."""


class CashOut(Command, frozen=True, kw_only=True, tag="table.CashOut"):
    """The speaking player turns `amount` cents of the credit meter back into account money."""

    amount: PositiveCents


# -- commands: the coup -------------------------------------------------------------------------------------------
class OpenBetting(Command, frozen=True, kw_only=True, tag="table.OpenBetting"):
    """*Faites vos jeux*: the croupier opens a coup."""


class PlaceWager(Command, frozen=True, kw_only=True, tag="table.PlaceWager"):
    """The speaking player stakes `amount` cents of the credit meter on `spot`, on top of what is there."""

    spot: Spot
    amount: PositiveCents


class TakeBackWager(Command, frozen=True, kw_only=True, tag="table.TakeBackWager"):
    """The speaking player takes the whole stake on `spot` back, while betting is open."""

    spot: Spot


class CloseBetting(Command, frozen=True, kw_only=True, tag="table.CloseBetting"):
    """*Rien ne va plus*: the croupier closes betting before its time is up."""


class VoidCoup(Command, frozen=True, kw_only=True, tag="table.VoidCoup"):
    """*Coup nul*: the pit boss or a committee member annuls the coup; every stake goes back."""

    reason: Reason


# -- events -------------------------------------------------------------------------------------------------------
class EquipmentChecked(Event, frozen=True, kw_only=True, tag="table.EquipmentChecked"):
    """Somebody certified the equipment for the session that is being prepared."""

    by: str
    role: str


class SessionPrepared(Event, frozen=True, kw_only=True, tag="table.SessionPrepared"):
    """The first event of a session's stream: a technician has checked the equipment."""

    opens_volume = True

    table: str
    pit: str
    session: int
    by: str
    carried: dict[str, int] = {}
    """What this session needs from the one before, as `<game>.<key>` (`wheel.direction`)."""
    credits: tuple[SeatCredited | SeatCreditRefused, ...] = ()
    """Answers to buy-ins, for repeats."""
    credits_from: dict[str, int] = {}
    """By part of the wallet, from which of its buy-ins on: those before are over."""
    float_answer: FloatMoved | FloatMoveRefused | None = None
    """The answer to the last move of the float, for repeats."""
    allowances: dict[str, Heard] = {}
    """What the ledger has said of players and may not know the answer to."""


class SessionOpened(Event, frozen=True, kw_only=True, tag="table.SessionOpened"):
    """Everything later decisions depend on (law 3): game, rules version, paytable and its content, limits, float."""

    session: int
    game: str
    rules_version: int
    paytable: str
    paytable_content: dict[str, int]
    """Gain of each chance, in the game's own terms."""
    edges: dict[str, str]
    """House edge of each chance as an exact fraction, as shown before opening."""
    minimum: int
    maxima: dict[str, int]
    float_amount: int
    seats: int
    source: OutcomeSource
    betting_ms: int
    decision_ms: int
    options: dict[str, int]
    opened_by: str
    checked_by: tuple[str, ...]
    negative_edge_confirmed: bool = False
    seeded: bool = False
    """True when each coup has a seed, committed to before betting: so it is in every session of the RNG (ADR 0020)."""


class SeatTaken(Event, frozen=True, kw_only=True, tag="table.SeatTaken"):
    """A player sits at a station, with an empty credit meter."""

    seat: int
    player: str


class SeatLeft(Event, frozen=True, kw_only=True, tag="table.SeatLeft"):
    """A player has left; the station is free again."""

    seat: int
    player: str


class SeatDebited(Event, frozen=True, kw_only=True, tag="table.SeatDebited"):
    """Chips of a seat became account money: the table owes the ledger the posting."""

    seat: int
    player: str
    amount: int
    credit_after: int


class BettingOpened(Event, frozen=True, kw_only=True, tag="table.BettingOpened"):
    """*Faites vos jeux*. Betting closes at `closes_at_ms` unless the croupier closes it before."""

    coup: int
    closes_at_ms: int


class WagerPlaced(Event, frozen=True, kw_only=True, tag="table.WagerPlaced"):
    """A stake was debited from the credit meter and lies on a spot."""

    coup: int
    seat: int
    spot: str
    amount: int
    stake_after: int  # what the seat now has on this spot, in cents
    credit_after: int
    charged: bool = False
    """True for a stake that the game took after *rien ne va plus* (a call, a raise), by the player's own word."""


class WagerTakenBack(Event, frozen=True, kw_only=True, tag="table.WagerTakenBack"):
    """A whole stake on a spot went back to the credit meter."""

    coup: int
    seat: int
    spot: str
    amount: int
    credit_after: int


class BettingClosed(Event, frozen=True, kw_only=True, tag="table.BettingClosed"):
    """*Rien ne va plus*: all stations are locked. A decision that the game awaits is due at `decision_due_ms`."""

    coup: int
    by_timer: bool
    decision_due_ms: int | None = None


class DrawRequested(Event, frozen=True, kw_only=True, tag="table.DrawRequested"):
    """The coup waits for the values of a draw."""

    coup: int
    draw_id: str
    name: str
    bounds: tuple[int, ...]
    sealed: bool = False
    """True when the values arrive as `SealedDrawReceived`."""


class DrawReceived(Event, frozen=True, kw_only=True, tag="table.DrawReceived"):
    """The values that the RNG recorded for the draw."""

    coup: int
    draw_id: str
    name: str
    values: tuple[int, ...]


class SealedDrawReceived(Event, frozen=True, kw_only=True, tag="table.SealedDrawReceived"):
    """The values of a sealed draw (cards still face down): in the log, never on the feed (law 10)."""

    secret = True

    coup: int
    draw_id: str
    name: str
    values: tuple[int, ...]


class CoupSettled(Event, frozen=True, kw_only=True, tag="table.CoupSettled"):
    """The coup is decided and paid. Everything was computed when this was written; `evolve` only applies it."""

    coup: int
    outcome: str  # in the game's own terms: `2`, `BONUS:250`
    wagers: tuple[Settled, ...]
    seats: tuple[SeatResult, ...]
    posting: int
    """Number of the posting that the ledger is owed for it; 0 when no money moved."""
    legs: tuple[Leg, ...]
    last_coups_left: int | None = None
    """Valid coups still to play, once announced."""
    held: bool = False
    """True when a stake held from an earlier coup was at play: not a coup without a stake (art. 31, RA16)."""


class CoupVoided(Event, frozen=True, kw_only=True, tag="table.CoupVoided"):
    """*Coup nul*: every stake of the coup went back to its seat."""

    coup: int
    code: str  # stable: `spin.too_few_turns`, `staff`, …
    reason: str
    seats: tuple[SeatResult, ...]
    unplayed: bool = False
    """True when nothing was played for want of players: as good as a coup without a stake (art. 31)."""


class LastCoupsAnnounced(Event, frozen=True, kw_only=True, tag="table.LastCoupsAnnounced"):
    """*Les trois derniers lancers*: so many valid coups will still be played."""

    coups: int
    by: str


class SessionClosed(Event, frozen=True, kw_only=True, tag="table.SessionClosed"):
    """The committee member has closed the session; all chips went home, the float went back to the house."""

    session: int
    by: str
    coups: int  # void ones included
    events: int
    """Number of events of the session, this one included: a count that must agree with the log."""
    handle: int
    """Total staked in the session, in cents."""
    returned: tuple[SeatClosed, ...]
    posting: int
    legs: tuple[Leg, ...]


class PostingDue(Event, frozen=True, kw_only=True, tag="table.PostingDue"):
    """The ledger is owed a posting that belongs to no coup (the opening float, a cash-out)."""

    number: int
    reason: str
    legs: tuple[Leg, ...]


class PostingConfirmed(Event, frozen=True, kw_only=True, tag="table.PostingConfirmed"):
    """The ledger has all postings up to `number`."""

    number: int
