"""How an outcome comes from the console or from a device instead of the RNG. Tags are the storage format.

    awaited --recorded--> on show --confirmed, or its time is over--> stands, the game goes on
       |                    ^                                            |
       |                    +-- corrected by a pit boss until settlement +
       +--device silent, contradictory or without a result--> manual mode: people record it, or the coup is void

An outcome is recorded in *faces*: what stands on the die, card or segment, in the game's words (`Game.face`). What is
sealed stands at once, for nobody can see whether it is right; then a device that fails voids the coup.
"""

from typing import Annotated, Literal

import msgspec

from libs.kernel.actors import Id
from libs.kernel.limits import MAX_FACE_CHARS, MAX_FACES
from libs.kernel.messages import Command, Event
from libs.table.messages import Reason

Face = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_FACE_CHARS)]
Faces = Annotated[tuple[Face, ...], msgspec.Meta(min_length=1, max_length=MAX_FACES)]


# -- commands -----------------------------------------------------------------------------------------------------
class RecordOutcome(Command, frozen=True, kw_only=True, tag="table.RecordOutcome"):
    """The croupier enters the faces that lie there, or a device reports them; manual mode: a chief enters them."""

    name: Id
    """Which of the awaited outcomes (`throw-1`, `main`, `card-2`); the board lists them."""
    faces: Faces | None = None
    """One face per die, card or segment, in order; null when a device could not detect them."""
    coup: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """The coup meant, when the speaker knows it; a record of another coup is refused."""


class ConfirmOutcome(Command, frozen=True, kw_only=True, tag="table.ConfirmOutcome"):
    """The staff confirms what is recorded: the game goes on at once."""

    name: Id


class CorrectOutcome(Command, frozen=True, kw_only=True, tag="table.CorrectOutcome"):
    """A pit boss corrects a recorded outcome, until the coup is settled; what followed from it is undone."""

    name: Id
    faces: Faces
    reason: Reason


# -- events -------------------------------------------------------------------------------------------------------
class OutcomeAwaited(Event, frozen=True, kw_only=True, tag="table.OutcomeAwaited"):
    """The coup waits for an outcome from the console or from a device, until `due_ms`."""

    coup: int
    name: str
    bounds: tuple[int, ...]
    by: Literal["console", "device"]
    due_ms: int
    sealed: bool = False
    """True when it arrives as `SealedOutcomeRecorded`."""


class OutcomeRecorded(Event, frozen=True, kw_only=True, tag="table.OutcomeRecorded"):
    """What was entered or reported. It stands when it is confirmed, or at `due_ms`."""

    coup: int
    name: str
    faces: tuple[str, ...]
    values: tuple[int, ...]
    """The same as the game reads it, each from 0."""
    by: str
    role: str
    due_ms: int


class SealedOutcomeRecorded(Event, frozen=True, kw_only=True, tag="table.SealedOutcomeRecorded"):
    """What a device reported of things that nobody may see yet (a shuffled shoe): in the log, never on the feed."""

    secret = True

    coup: int
    name: str
    faces: tuple[str, ...]
    values: tuple[int, ...]
    by: str
    role: str
    due_ms: int


class OutcomeConfirmed(Event, frozen=True, kw_only=True, tag="table.OutcomeConfirmed"):
    """The recorded outcome stands and the game goes on; `by` is our own process when its time was over."""

    coup: int
    name: str
    by: str


class OutcomeCorrected(Event, frozen=True, kw_only=True, tag="table.OutcomeCorrected"):
    """A pit boss put other faces in the place of recorded ones; the game is where it was before they were confirmed.

    It compensates, it does not erase: the record and this correction both stay in the log.
    """

    coup: int
    name: str
    was: tuple[int, ...]
    faces: tuple[str, ...]
    values: tuple[int, ...]
    by: str
    reason: str
    reopened: tuple[str, ...]
    """Outcomes that were confirmed after this one: what they were part of is undone, they must be recorded anew."""
    due_ms: int
    """When the correction stands unless it is confirmed before."""
    awaited_due_ms: int
    """Until when the others that are awaited again must be recorded."""


class ManualEntryStarted(Event, frozen=True, kw_only=True, tag="table.ManualEntryStarted"):
    """The device is not to be relied on: people enter the outcome by `due_ms`, or the coup is void."""

    coup: int
    name: str
    code: Literal["silent", "not_detected", "contradictory"]
    due_ms: int


class OutcomeWithdrawn(Event, frozen=True, kw_only=True, tag="table.OutcomeWithdrawn"):
    """The coup does not wait for this outcome any more (an irregular throw)."""

    coup: int
    name: str
