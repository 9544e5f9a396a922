"""The rules of the wheel: launch, turns, the inner wheel, settlement (art. 67-16-5, rules.md section 3).

A spin after *rien ne va plus*:

    awaiting launch --buzzer, staff or time-out--> turning --stops--> settled
                                                    |  stops on BONUS --> inner wheel turning --stops--> settled
                                                    |  not detected --> manual mode --entered--> as if stopped
                                                    |                             --time-out--> void
                                                    |  anomaly, wrong direction, fewer than two turns --> void
"""

from collections.abc import Mapping

import msgspec

from libs.games.wheel import refusals
from libs.games.wheel.messages import (
    BonusLaunched,
    Direction,
    EnterSegment,
    LaunchWheel,
    ManualModeStarted,
    PressBuzzer,
    ReportSpin,
    Ring,
    RingStopped,
    SegmentEntered,
    SpinReported,
    WheelLaunched,
)
from libs.games.wheel.paytables import (
    BONUS,
    DIVISOR,
    INNER_SEGMENTS,
    MAIN_SEGMENTS,
    inner_key,
)
from libs.games.wheel.state import WheelState, opposite
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.decider import Already
from libs.kernel.game import Annul, AskDraw, GameEvent, Lock, Note, Paid, Proposal, Round, Settle, Steps, Terms
from libs.kernel.limits import MANUAL_ENTRY_MS, SPIN_REPORT_MS
from libs.kernel.messages import Command
from libs.kernel.money import portion
from libs.kernel.refusals import Refusal, beyond_limits

RULES_VERSION = 1
MINIMUM_TURNS = 2
"""Art. 67-16-5: "au moins deux tours pour que le résultat soit réputé valide"; both rings (WA7)."""

SEGMENTS: dict[Ring, tuple[str, ...]] = {"main": MAIN_SEGMENTS, "bonus": INNER_SEGMENTS}


# -- terms and wagers ---------------------------------------------------------------------------------------------
def check_terms(proposal: Proposal) -> Refusal | None:
    """The casino fixes the BONUS stake at opening; a multiple of 10 cents keeps every gain a whole number of cents."""
    if set(proposal.options) != {"bonus_stake"}:
        return refusals.BONUS_STAKE_MISSING
    stake = proposal.options["bonus_stake"]
    return refusals.BONUS_STAKE_ODD if stake <= 0 or stake % 10 else None


def check_wager(
    terms: Terms, _: WheelState, __: int, stakes: Mapping[str, int], spot: str, amount: int
) -> Refusal | None:
    """WA2: minimum m … maximum x m per player and chance, in total. WA3: BONUS exactly F, once."""
    maximum = terms.maxima.get(spot)
    if maximum is None:
        return refusals.unknown_spot(spot)
    before = stakes.get(spot, 0)
    if spot == BONUS:
        if before:
            return refusals.BONUS_ONCE
        return None if amount == maximum else refusals.bonus_fixed(maximum)
    return beyond_limits(spot, before + amount, terms.minimum, maximum)


def settle(terms: Terms, stakes: Mapping[int, Mapping[str, int]], shows: str, inner: str | None) -> Settle:
    """Pay the winners: stake x (k+1) on the winning chance; on BONUS the main bets are lost (WA4), F is kept (WA5)."""
    paid = tuple(
        Paid(seat=seat, spot=spot, stake=stake, credit=_credit(terms, spot, stake, inner) if spot == shows else 0)
        for seat, on_spots in stakes.items()
        for spot, stake in on_spots.items()
    )
    return Settle(outcome=shows if inner is None else f"{BONUS}:{inner}", paid=paid)


def _credit(terms: Terms, spot: str, stake: int, inner: str | None) -> int:
    """Return stake + gain of a winning wager, in cents."""
    if inner is None:
        return stake * (terms.gains[spot] + 1)
    return stake + portion(stake, terms.gains[inner_key(inner)], terms.gains[DIVISOR])


# -- decide -------------------------------------------------------------------------------------------------------
def on_lock(r: Round[WheelState]) -> Lock:
    """After *rien ne va plus* a player may press the buzzer; after the time-out the wheel is launched (WA10)."""
    return Lock(due_ms=r.now_ms + r.terms.decision_ms)


def on_command(r: Round[WheelState], command: Command, actor: Actor) -> Steps | Already | Refusal:
    """Answer the wheel's own commands; the table has checked the speaker's role."""
    match command:
        case PressBuzzer():
            return _press(r, actor)
        case LaunchWheel():
            return _ask_launch(r, "staff", actor)
        case ReportSpin():
            return _report(r, command, actor)
        case EnterSegment():
            return _enter(r, command, actor)
        case _:
            raise TypeError(f"not a command of the wheel: {type(command).__name__}")


def command_behind(_: WheelState, fact: GameEvent | None) -> Command | None:
    """Return the command that a fact tells of."""
    match fact:
        case WheelLaunched(launched_by=by):
            return PressBuzzer() if by == "buzzer" else LaunchWheel()
        case SpinReported(ring=ring, turns=turns, direction=direction, segment=segment, anomaly=anomaly):
            return ReportSpin(ring=ring, turns=turns, direction=direction, segment=segment, anomaly=anomaly)
        case SegmentEntered(ring=ring, segment=segment):
            return EnterSegment(ring=ring, segment=segment)
        case _:
            return None


def on_due(r: Round[WheelState]) -> Steps:
    """Nobody pressed: launch (WA10). The sensor is silent: manual mode. Nobody entered the result: void (WA13)."""
    if not _turning(r):
        return _launch(r, "timer", SYSTEM.id)
    if not r.state.manual:
        return (_manual(r, "no_report"),)
    return (Annul(code="spin.not_detected", reason="the result was neither detected nor entered in time"),)


def on_draw(r: Round[WheelState], name: str, values: tuple[int, ...]) -> Steps:
    """Value v in 0 … n-1, drawn or recorded, is segment v+1 of the ring that the draw is named after."""
    assert r.state.ring == name, f"a draw for ring {name} while {r.state.ring} turns"
    return _stopped(r, values[0] + 1)


def _press(r: Round[WheelState], actor: Actor) -> Steps | Already | Refusal:
    if actor.id not in r.players.values():
        return refusals.NOT_SEATED
    return _ask_launch(r, "buzzer", actor)


def _ask_launch(r: Round[WheelState], by: str, actor: Actor) -> Steps | Already | Refusal:
    if r.phase != "locked":
        return refusals.BETTING_NOT_CLOSED
    return Already() if _launched(r) else _launch(r, by, actor.id)


def _launch(r: Round[WheelState], by: str, actor_id: str) -> Steps:
    launched = WheelLaunched(
        coup=r.coup,
        direction=opposite(r.state.direction),
        launched_by="timer" if by == "timer" else "buzzer" if by == "buzzer" else "staff",
        actor=actor_id,
        due_ms=_report_due(r),
    )
    return (Note(launched), *_draw(r, "main"))


def _report(r: Round[WheelState], report: ReportSpin, actor: Actor) -> Steps | Refusal:
    refusal = _report_refusal(r, report)
    if refusal is not None:
        return refusal
    fields = {name: getattr(report, name) for name in ("ring", "turns", "direction", "segment", "anomaly")}
    noted = Note(SpinReported(coup=r.coup, device=actor.id, **fields))
    void = _anomaly(r, report)
    if void is not None:
        return (noted, void)
    if report.segment is None:
        return (noted, _manual(r, "not_detected"))
    return (noted, *_stopped(r, report.segment))


def _report_refusal(r: Round[WheelState], report: ReportSpin) -> Refusal | None:
    if r.terms.source != "device":
        return refusals.NO_DEVICE
    if report.coup is not None and report.coup != r.coup:
        return refusals.OTHER_COUP
    if not _turning(r):
        return refusals.NOT_TURNING
    if report.ring != r.state.ring:
        return refusals.WRONG_RING
    if r.state.manual:
        return refusals.MANUAL_MODE
    return None if _exists(report.ring, report.segment) else refusals.NO_SUCH_SEGMENT


def _anomaly(r: Round[WheelState], report: ReportSpin) -> Annul | None:
    """Art. 67-16-5: "toute anomalie dans la rotation annule le lancer"; of either ring (WA6, WA7)."""
    if report.anomaly:
        return Annul(code="spin.anomaly", reason=f"the sensor saw an anomaly of the {report.ring} ring")
    if report.turns < MINIMUM_TURNS:
        return Annul(code="spin.too_few_turns", reason=f"the {report.ring} ring made {report.turns} turn(s)")
    if report.direction != r.state.direction:
        return Annul(code="spin.wrong_direction", reason=f"the {report.ring} ring turned {report.direction}")
    return None


def _enter(r: Round[WheelState], command: EnterSegment, actor: Actor) -> Steps | Refusal:
    if not _turning(r) or not r.state.manual:
        return refusals.NOT_MANUAL_MODE
    if command.ring != r.state.ring:
        return refusals.WRONG_RING
    if not _exists(command.ring, command.segment):
        return refusals.NO_SUCH_SEGMENT
    entered = SegmentEntered(coup=r.coup, ring=command.ring, segment=command.segment, by=actor.id)
    return (Note(entered), *_stopped(r, command.segment))


def _stopped(r: Round[WheelState], segment: int) -> Steps:
    """The ring that turned has stopped: settle, or start the inner wheel, even with no BONUS bet."""
    ring = r.state.ring
    shows = SEGMENTS[ring][segment - 1]
    stopped = Note(RingStopped(coup=r.coup, ring=ring, segment=segment, shows=shows))
    if ring == "bonus":
        return (stopped, settle(r.terms, r.stakes, BONUS, shows))
    if shows != BONUS:
        return (stopped, settle(r.terms, r.stakes, shows, None))
    assert r.state.direction is not None
    bonus = BonusLaunched(coup=r.coup, direction=r.state.direction, due_ms=_report_due(r))
    return (stopped, Note(bonus), *_draw(r, "bonus"))


def _manual(r: Round[WheelState], code: str) -> Note:
    return Note(
        ManualModeStarted(
            coup=r.coup,
            ring=r.state.ring,
            code="no_report" if code == "no_report" else "not_detected",
            due_ms=r.now_ms + MANUAL_ENTRY_MS,
        )
    )


def _draw(r: Round[WheelState], ring: Ring) -> Steps:
    """A sensor reports by itself (`ReportSpin`); the RNG and the console are asked for the segment."""
    return () if r.terms.source == "device" else (AskDraw(name=ring, bounds=(len(SEGMENTS[ring]),)),)


def _report_due(r: Round[WheelState]) -> int | None:
    return r.now_ms + SPIN_REPORT_MS if r.terms.source == "device" else None


def _exists(ring: Ring, segment: int | None) -> bool:
    return segment is None or segment <= len(SEGMENTS[ring])


def _launched(r: Round[WheelState]) -> bool:
    return r.state.coup == r.coup


def _turning(r: Round[WheelState]) -> bool:
    return r.phase == "locked" and _launched(r)


# -- evolve -------------------------------------------------------------------------------------------------------
def evolve(state: WheelState, event: GameEvent) -> WheelState:
    """Apply a fact of the wheel."""
    match event:
        case WheelLaunched(coup=coup, direction=direction):
            return WheelState(direction=direction, coup=coup)
        case BonusLaunched():
            return msgspec.structs.replace(state, ring="bonus", manual=False)
        case ManualModeStarted():
            return msgspec.structs.replace(state, manual=True)
        case RingStopped(ring="main", segment=segment):
            return msgspec.structs.replace(state, main_segment=segment)
        case RingStopped(segment=segment):
            return msgspec.structs.replace(state, inner_segment=segment)
        case _:
            return state


def begin(carried: Mapping[str, int]) -> WheelState:
    """Start a session: the direction goes on alternating from the last launch of the session before (WA8)."""
    known: dict[int, Direction] = {1: "clockwise", -1: "anticlockwise"}
    return WheelState(direction=known.get(carried.get("direction", 0)))


def carry(state: WheelState) -> dict[str, int]:
    """What the next session needs: the direction of the last launch."""
    return {} if state.direction is None else {"direction": 1 if state.direction == "clockwise" else -1}


def held(_: WheelState, __: int) -> int:
    """Return 0: every stake is decided in its own spin."""
    return 0
