"""The command behind the facts of a decision, for whoever lets the rules decide it again: the log has facts alone.

Each fact tells of the command that it answers, but for two words that leave no trace and change nothing else: what a
device said that contradicted itself, and up to which word the ledger knew what was staked.
"""

from collections.abc import Callable, Sequence
from typing import Any

from libs.kernel.actors import Actor
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import Drawn, SealedDrawn, SeedCommitted, SeedGivenUp, SeedRevealed
from libs.kernel.contracts.table import (
    AllowanceSet,
    CreditSeat,
    FloatMoved,
    FloatMoveRefused,
    MoveFloat,
    SeatCredited,
    SeatCreditRefused,
    SetAllowance,
)
from libs.kernel.contracts.wallet import TablePosted
from libs.kernel.game import GameEvent
from libs.kernel.ids import commit_id, posting_id, reveal_id, seed_id
from libs.kernel.messages import Command, Event, Tick
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table import seeds
from libs.table.float_messages import CountFloat, FloatCounted
from libs.table.held_up import DrawHeldUp
from libs.table.interruption_messages import InterruptSession, SessionInterrupted
from libs.table.state import TableState, hosted

Facts = Sequence[Event]


def command_behind(state: TableState, facts: Facts, actor: Actor) -> Command | None:
    """Return the command that leads to these facts of one decision, in this state and spoken by this actor.

    None when no command does; whether it leads to all of them, and to nothing else, is for `decide` to say.
    """
    first = facts[0]
    tell = _TOLD.get(type(first))
    said = tell(state, first, facts) if tell else None
    if said is not None:
        return said
    # Whatever the house does of itself it does because time has passed.
    if actor.role == "service":
        return Tick()
    tell = _SPOKEN.get(type(first))
    return (tell(state, first, facts) if tell else None) or _of_game(state, facts)


def _of_game(state: TableState, facts: Facts) -> Command | None:
    if state.terms is None:
        return None
    game, _, game_state = hosted(state)
    return game.command_behind(game_state, next((fact for fact in facts if isinstance(fact, GameEvent)), None))


# -- the session --------------------------------------------------------------------------------------------------
def _opened(_: TableState, opened: m.SessionOpened, __: Facts) -> Command:
    return m.OpenSession(
        game=opened.game,
        paytable=opened.paytable,
        minimum=opened.minimum,
        float_amount=opened.float_amount,
        seats=opened.seats,
        source=opened.source,
        betting_ms=opened.betting_ms,
        decision_ms=opened.decision_ms,
        options=opened.options,
        confirm_negative_edge=opened.negative_edge_confirmed,
    )


# -- seats and float ----------------------------------------------------------------------------------------------
def _debited(_: TableState, debited: m.SeatDebited, facts: Facts) -> Command:
    leaves = any(isinstance(fact, m.SeatLeft) for fact in facts)
    return m.LeaveSeat() if leaves else m.CashOut(amount=debited.amount)


def _credited(_: TableState, answer: SeatCredited | SeatCreditRefused, facts: Facts) -> Command:
    return CreditSeat(
        transfer_id=answer.transfer_id,
        player=answer.player,
        seat=answer.seat,
        amount=answer.amount,
        allowance=next((fact.allowance for fact in facts if isinstance(fact, AllowanceSet)), None),
        turn=answer.turn,
    )


def _allowance_set(_: TableState, taken: AllowanceSet, __: Facts) -> Command:
    known = min(taken.staked, default=taken.allowance.number) - 1
    return SetAllowance(player=taken.player, allowance=taken.allowance, known=known)


def _float_moved(_: TableState, answer: FloatMoved | FloatMoveRefused, __: Facts) -> Command:
    return MoveFloat(number=answer.number, request=answer.request, amount=answer.amount)


# -- the coup -----------------------------------------------------------------------------------------------------
def _placed(_: TableState, placed: m.WagerPlaced, __: Facts) -> Command | None:
    return None if placed.charged else m.PlaceWager(spot=placed.spot, amount=placed.amount)


def _draw_failed(state: TableState, void: m.CoupVoided, _: Facts) -> Command | None:
    if void.code != "draw.failed":
        return None
    for draw_id, wanted in state.draws.items():
        begin = f"draw {wanted.name}: "
        if void.reason.startswith(begin):
            return Answered(to=draw_id, refusal=Refusal(void.reason.removeprefix(begin), "", ""))
    return None


def _voided(state: TableState, void: m.CoupVoided, _: Facts) -> Command | None:
    if void.code == "staff":
        return m.VoidCoup(reason=void.reason)
    if void.code != "outcome.device_failed":
        return None
    names = (*state.awaited, *(stands.outcome.name for stands in state.standing))
    name = next((name for name in names if void.reason.startswith(f"outcome {name}: ")), None)
    return None if name is None else _device_failed(name, detected=not void.reason.endswith("not_detected"))


# -- outcomes -----------------------------------------------------------------------------------------------------
def _recorded(_: TableState, recorded: o.OutcomeRecorded | o.SealedOutcomeRecorded, __: Facts) -> Command:
    return o.RecordOutcome(name=recorded.name, faces=recorded.faces, coup=recorded.coup)


def _corrected(_: TableState, corrected: o.OutcomeCorrected, __: Facts) -> Command:
    return o.CorrectOutcome(name=corrected.name, faces=corrected.faces, reason=corrected.reason)


def _manual(_: TableState, started: o.ManualEntryStarted, __: Facts) -> Command:
    return _device_failed(started.name, detected=started.code != "not_detected")


def _device_failed(name: str, *, detected: bool) -> Command:
    """What a device detected that could not be is not in the log: no faces at all are as impossible."""
    return o.RecordOutcome(name=name, faces=() if detected else None)


# -- what the RNG and the ledger have said ------------------------------------------------------------------------
def _received(state: TableState, received: m.DrawReceived | m.SealedDrawReceived, _: Facts) -> Command:
    wanted = state.draws.get(received.draw_id)
    kind = SealedDrawn if received.secret else Drawn
    drawn = kind(draw_id=received.draw_id, bounds=wanted.bounds if wanted else (), values=received.values)
    return Answered(to=received.draw_id, events=(drawn,))


def _posted(state: TableState, confirmed: m.PostingConfirmed, _: Facts) -> Command:
    number = confirmed.number
    posted = TablePosted(table=state.table, session=state.session, number=number, reason="", entries=())
    return Answered(to=posting_id(state.table, state.session, number), events=(posted,))


def _committed(state: TableState, committed: seeds.DrawsCommitted, _: Facts) -> Command:
    seed = _seed(state, committed.coup)
    return Answered(to=commit_id(seed), events=(SeedCommitted(seed_id=seed, commitment=committed.commitment),))


def _not_committed(state: TableState, held_up: seeds.CommitmentHeldUp, _: Facts) -> Command:
    return Answered(to=commit_id(_seed(state, held_up.coup)), refusal=held_up.refusal)


def _revealed(state: TableState, shown: seeds.DrawsRevealed | seeds.SeedMismatched, _: Facts) -> Command:
    seed = _seed(state, shown.coup)
    return Answered(to=reveal_id(seed), events=(SeedRevealed(seed_id=seed, seed=shown.seed),))


def _not_revealed(state: TableState, lost: seeds.DrawsNotRevealed, _: Facts) -> Command:
    seed = _seed(state, lost.coup)
    if lost.code == "seed.given_up":
        return Answered(to=reveal_id(seed), events=(SeedGivenUp(seed_id=seed),))
    return Answered(to=reveal_id(seed), refusal=Refusal(lost.code, "", ""))


def _seed(state: TableState, coup: int) -> str:
    return seed_id(state.pit, state.table, state.session, coup)


_Tell = Callable[[TableState, Any, Facts], Command | None]
"""From the state, the first fact, and all facts."""

_TOLD: dict[type[Event], _Tell] = {
    m.SessionPrepared: lambda _, __, ___: m.CheckEquipment(),
    m.EquipmentChecked: lambda _, __, ___: m.CheckEquipment(),
    m.SessionOpened: _opened,
    m.LastCoupsAnnounced: lambda _, __, ___: m.AnnounceLastCoups(),
    SessionInterrupted: lambda _, fact, __: InterruptSession(reason=fact.reason),
    m.SessionClosed: lambda _, __, ___: m.CloseSession(),
    m.SeatTaken: lambda _, fact, __: m.TakeSeat(seat=fact.seat),
    m.SeatLeft: lambda _, __, ___: m.LeaveSeat(),
    m.SeatDebited: _debited,
    SeatCredited: _credited,
    SeatCreditRefused: _credited,
    AllowanceSet: _allowance_set,
    FloatMoved: _float_moved,
    FloatMoveRefused: _float_moved,
    FloatCounted: lambda _, fact, __: CountFloat(counted=fact.counted),
    m.BettingOpened: lambda _, __, ___: m.OpenBetting(),
    m.WagerPlaced: _placed,
    m.WagerTakenBack: lambda _, fact, __: m.TakeBackWager(spot=fact.spot),
    m.CoupVoided: _draw_failed,
    o.OutcomeRecorded: _recorded,
    o.SealedOutcomeRecorded: _recorded,
    o.OutcomeCorrected: _corrected,
    m.DrawReceived: _received,
    m.SealedDrawReceived: _received,
    DrawHeldUp: lambda _, fact, __: Answered(to=fact.draw_id, refusal=fact.refusal),
    m.PostingConfirmed: _posted,
    seeds.DrawsCommitted: _committed,
    seeds.CommitmentHeldUp: _not_committed,
    seeds.DrawsRevealed: _revealed,
    seeds.SeedMismatched: _revealed,
    seeds.DrawsNotRevealed: _not_revealed,
}
"""Facts that tell of one command, whoever spoke it; of none where there may be another reason."""

_SPOKEN: dict[type[Event], _Tell] = {
    m.BettingClosed: lambda _, __, ___: m.CloseBetting(),
    m.CoupVoided: _voided,
    o.OutcomeConfirmed: lambda _, fact, __: o.ConfirmOutcome(name=fact.name),
    o.ManualEntryStarted: _manual,
}
"""Facts that also come of themselves, when the time is over: what people and devices have said."""
