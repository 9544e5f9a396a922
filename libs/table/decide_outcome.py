"""Outcomes from the console and from devices: recorded, confirmed, corrected; see `outcome_messages.py`.

At the console the croupier records, and a pit boss corrects with a reason. A device alone records where it is the
source; when it is silent, contradicts itself or detects nothing, a pit boss or a committee member records instead.
"""

from collections.abc import Sequence
from typing import Literal

from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.decider import Already, Context, Decision
from libs.kernel.game import Annul
from libs.kernel.limits import MANUAL_ENTRY_MS
from libs.kernel.refusals import Refusal
from libs.table import outcome_messages as o
from libs.table import refusals
from libs.table.state import Awaited, Standing, TableState, hosted, staked
from libs.table.steps import Draft, take_steps

Failure = Literal["silent", "not_detected", "contradictory"]
"""How a device failed."""


# -- recording ----------------------------------------------------------------------------------------------------
def record(state: TableState, command: o.RecordOutcome, context: Context) -> Decision:
    """Take the faces into the log; whoever may not speak now, or says what cannot be, is refused."""
    refusal = _not_now(state, command.name, command.coup)
    if refusal is not None:
        return refusal
    wanted = state.awaited.get(command.name)
    if wanted is None:
        return _recorded_late(state, command, context)
    refusal = _speaker_refusal(wanted, context.actor)
    if refusal is not None:
        return refusal
    draft = Draft(state, context.now_ms)
    read = _acceptable(state, wanted, command.faces)
    if isinstance(read, Already):
        return read
    if isinstance(read, Refusal):
        code: Failure = "not_detected" if command.faces is None else "contradictory"
        return _device_failed(draft, wanted, code) if wanted.by_device else read
    kind = o.SealedOutcomeRecorded if wanted.sealed else o.OutcomeRecorded
    recorded = kind(
        coup=state.coup,
        name=wanted.name,
        faces=_faces(state, wanted.name, read),
        values=read,
        by=context.actor.id,
        role=context.actor.role,
        due_ms=context.now_ms + hosted(state)[1].decision_ms,
    )
    draft.add(recorded)
    if wanted.sealed:
        _stand(draft, wanted.name, SYSTEM)
    return draft.accepted()


def _acceptable(state: TableState, wanted: Awaited, faces: Sequence[str] | None) -> tuple[int, ...] | Already | Refusal:
    """Return the values of the faces; a second record does not replace a first."""
    read = _read(state, wanted, faces)
    if isinstance(read, Refusal):
        return read
    if wanted.values is not None:
        return Already() if read == wanted.values else refusals.OUTCOME_RECORDED
    return read


def _recorded_late(state: TableState, command: o.RecordOutcome, context: Context) -> Decision:
    """The outcome stands: the same again is no news; a device that says otherwise voids what nobody has confirmed."""
    stands = _standing(state, command.name)
    assert stands is not None, "neither awaited nor standing"
    refusal = _speaker_refusal(stands.outcome, context.actor)
    if refusal is not None:
        return refusal
    if _read(state, stands.outcome, command.faces) == stands.outcome.values:
        return Already()
    if not stands.outcome.by_device or stands.by != SYSTEM.id:
        return refusals.OUTCOME_RECORDED
    draft = Draft(state, context.now_ms)
    take_steps(draft, (_void_of(stands.outcome, "contradictory"),))
    return draft.accepted()


def _device_failed(draft: Draft, wanted: Awaited, code: Failure) -> Decision:
    """Manual mode; a hidden outcome cannot be entered by people, so the coup is void."""
    if wanted.sealed:
        take_steps(draft, (_void_of(wanted, code),))
    else:
        due_ms = draft.now_ms + MANUAL_ENTRY_MS
        draft.add(o.ManualEntryStarted(coup=draft.state.coup, name=wanted.name, code=code, due_ms=due_ms))
    return draft.accepted()


def _void_of(wanted: Awaited, code: Failure) -> Annul:
    return Annul(code="outcome.device_failed", reason=f"outcome {wanted.name}: the device was {code}")


def _not_now(state: TableState, name: str, coup: int | None) -> Refusal | None:
    if state.phase != "locked":
        return refusals.NO_OUTCOME_NOW
    if hosted(state)[1].source == "rng":
        return refusals.OUTCOME_FROM_RNG
    if coup is not None and coup != state.coup:
        return refusals.OTHER_COUP
    known = name in state.awaited or _standing(state, name) is not None
    return None if known else refusals.OUTCOME_NOT_AWAITED


def _speaker_refusal(wanted: Awaited, actor: Actor) -> Refusal | None:
    if wanted.by_device:
        return None if actor.role == "device" else refusals.DEVICE_SPEAKS
    if actor.role == "device":
        return refusals.MANUAL_ENTRY if wanted.manual else refusals.NO_DEVICE
    if wanted.manual:
        return refusals.MANUAL_ENTRY if actor.role == "croupier" else None
    return refusals.CONSOLE_SPEAKS if actor.role == "committee_member" else None


# -- confirming and correcting ------------------------------------------------------------------------------------
def confirm(state: TableState, command: o.ConfirmOutcome, context: Context) -> Decision:
    """The staff has looked: the outcome stands."""
    refusal = _not_now(state, command.name, None)
    if refusal is not None:
        return refusal
    wanted = state.awaited.get(command.name)
    if wanted is None:
        return Already()
    if wanted.values is None:
        return refusals.OUTCOME_NOT_RECORDED
    draft = Draft(state, context.now_ms)
    _stand(draft, wanted.name, context.actor)
    return draft.accepted()


def correct(state: TableState, command: o.CorrectOutcome, context: Context) -> Decision:
    """Put other faces in the place of recorded ones, before settlement only; the game goes back to that moment."""
    refusal = _not_now(state, command.name, None)
    if refusal is not None:
        return refusal
    stands = _standing(state, command.name)
    wanted = stands.outcome if stands is not None else state.awaited[command.name]
    if wanted.values is None:
        return refusals.OUTCOME_NOT_RECORDED
    if wanted.sealed:
        return refusals.OUTCOME_SEALED
    read = _read(state, wanted, command.faces)
    if isinstance(read, Refusal):
        return read
    if read == wanted.values:
        return Already()
    if stands is not None and stands.staked != staked(state):
        return refusals.STAKES_HAVE_MOVED
    draft = Draft(state, context.now_ms)
    draft.add(_correction(state, command, context, wanted.values, read))
    return draft.accepted()


def _correction(
    state: TableState, command: o.CorrectOutcome, context: Context, was: tuple[int, ...], values: tuple[int, ...]
) -> o.OutcomeCorrected:
    names = [stands.outcome.name for stands in state.standing]
    later = names[names.index(command.name) + 1 :] if command.name in names else []
    return o.OutcomeCorrected(
        coup=state.coup,
        name=command.name,
        was=was,
        faces=_faces(state, command.name, values),
        values=values,
        by=context.actor.id,
        reason=command.reason,
        reopened=tuple(later),
        due_ms=context.now_ms + hosted(state)[1].decision_ms,
        awaited_due_ms=context.now_ms + MANUAL_ENTRY_MS,
    )


def _stand(draft: Draft, name: str, by: Actor) -> None:
    """The outcome stands: the game goes on with it as with a draw."""
    values = draft.state.awaited[name].values
    assert values is not None, f"outcome {name} has not been recorded"
    draft.add(o.OutcomeConfirmed(coup=draft.state.coup, name=name, by=by.id))
    take_steps(draft, hosted(draft.state)[0].on_draw(draft.round(), name, values))


# -- time ---------------------------------------------------------------------------------------------------------
def overdue(state: TableState, now_ms: int) -> Awaited | None:
    """Return the awaited outcome whose time is over, the one longest overdue first."""
    late = [wanted for wanted in state.awaited.values() if wanted.due_ms <= now_ms]
    return min(late, key=lambda wanted: wanted.due_ms, default=None)


def time_is_over(state: TableState, wanted: Awaited, context: Context) -> Decision:
    """What was recorded stands; a silent device gives way to people; nothing entered by people voids the coup."""
    draft = Draft(state, context.now_ms)
    if wanted.values is not None:
        _stand(draft, wanted.name, SYSTEM)
    elif wanted.by_device:
        return _device_failed(draft, wanted, "silent")
    else:
        take_steps(draft, (Annul(code="outcome.none", reason=f"outcome {wanted.name} was not entered in time"),))
    return draft.accepted()


# -- faces --------------------------------------------------------------------------------------------------------
def _standing(state: TableState, name: str) -> Standing | None:
    return next((stands for stands in state.standing if stands.outcome.name == name), None)


def _read(state: TableState, wanted: Awaited, faces: Sequence[str] | None) -> tuple[int, ...] | Refusal:
    """Return the values of faces in the game's words, or why they are none."""
    if faces is None or len(faces) != len(wanted.bounds):
        return refusals.wrong_count(len(wanted.bounds))
    values = []
    for face, bound in zip(faces, wanted.bounds, strict=True):
        words = _words(state, wanted.name, bound)
        if face not in words:
            return refusals.unknown_face(face, words)
        values.append(words.index(face))
    return tuple(values)


def _words(state: TableState, name: str, bound: int) -> list[str]:
    game = hosted(state)[0]
    return [game.face(name, value) for value in range(bound)]


def _faces(state: TableState, name: str, values: tuple[int, ...]) -> tuple[str, ...]:
    game = hosted(state)[0]
    return tuple(game.face(name, value) for value in values)
