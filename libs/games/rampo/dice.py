"""Who throws, and with which dice (art. 55-22-1, RA5, RA7, RA14, RA16).

The dice go clockwise, that is by growing seat number, from the croupier's left (seat 1). A shooter keeps them until a
valid 7, a refusal, leaving, removal by the pit boss, or *rien ne va plus* without a stake (which counts as a refusal).
When nobody is left to throw, the coup is void and the rampo zone is paid at the first gain.
"""

from collections.abc import Collection
from typing import Literal

from libs.games.rampo import refusals
from libs.games.rampo.messages import (
    CallCoupNul,
    ChangeDice,
    DiceChanged,
    DiceOffered,
    DiceRefused,
    DiceThrown,
    Fault,
    RemoveShooter,
    ShooterRemoved,
    ThrowAnnulled,
    Why,
)
from libs.games.rampo.settlement import released
from libs.games.rampo.state import RampoState, throw_of
from libs.kernel.actors import Actor
from libs.kernel.decider import Already
from libs.kernel.game import Annul, AskDraw, Note, Release, Round, Steps, Withdraw
from libs.kernel.refusals import Refusal

TWO_DICE = (6, 6)


# -- whose turn it is ---------------------------------------------------------------------------------------------
def next_seat(after: int, candidates: Collection[int]) -> int | None:
    """Return the first of these seats clockwise after another one, that one itself last.

    >>> next_seat(0, {2, 5}), next_seat(2, {2, 5}), next_seat(5, {2, 5}), next_seat(5, {5}), next_seat(5, set())
    (2, 5, 2, 5, None)
    """
    return min(candidates, key=lambda seat: (seat <= after, seat), default=None)


def with_stake(r: Round[RampoState]) -> set[int]:
    """Return the seats that have any stake down, in the rampo zone too (RA16)."""
    return set(r.stakes) | set(r.state.zone)


def passed_on(r: Round[RampoState], after: int, may: Collection[int], why: Why, due_ms: int | None = None) -> Steps:
    """Pass the dice on to the next of those who may throw and have not refused; if there is none, the coup ends."""
    seat = next_seat(after, set(may) - {*throw_of(r.state, r.coup).out, after})
    offered = Note(DiceOffered(coup=r.coup, seat=seat, why=why, due_ms=due_ms))
    return (offered,) if seat is not None or not r.players else (offered, *nobody_throws(r, "rampo.no_shooter"))


def nobody_throws(r: Round[RampoState], code: str) -> Steps:
    """RA14: the shooter cannot be forced; pending tries are paid at the first gain, fresh bets go back."""
    void = Annul(code=code, reason="nobody may throw the dice", unplayed=not with_stake(r))
    return (*zone_released(r, "nobody throws"), void)


def zone_released(r: Round[RampoState], reason: str) -> Steps:
    """RA13, RA14: pay the stakes in the rampo zone at the first gain, since no throw will decide them."""
    if not r.state.zone:
        return ()
    emptied, paid = released(r)
    return (Note(emptied), Release(paid=paid, reason=reason))


# -- what happens to the table ------------------------------------------------------------------------------------
def on_open(r: Round[RampoState]) -> Steps:
    """Offer the dice when nobody has them: first to the player on the croupier's left."""
    if r.state.shooter is not None or not r.players:
        return ()
    seat = next_seat(r.state.after, r.players)
    return (Note(DiceOffered(coup=r.coup, seat=seat, why="first")),)


def on_seated(r: Round[RampoState], seat: int) -> Steps:
    """A player who sits down while nobody has the dice is offered them."""
    if r.phase != "betting" or r.state.shooter is not None:
        return ()
    return (Note(DiceOffered(coup=r.coup, seat=seat, why="first")),)


def on_left(r: Round[RampoState], seat: int) -> Steps:
    """A shooter who leaves loses the dice (RA5)."""
    if seat != r.state.shooter:
        return ()
    if r.phase == "betting":
        return passed_on(r, seat, r.players, "left")
    return (Note(DiceOffered(coup=r.coup, seat=next_seat(seat, r.players), why="left", due_ms=r.due_ms)),)


def on_rien_ne_va_plus(r: Round[RampoState]) -> Steps:
    """The shooter must have a stake down; one without has refused, and the dice go to the next who has."""
    shooter, may = r.state.shooter, with_stake(r)
    if not may:
        return nobody_throws(r, "rampo.no_stake")
    if shooter in may:
        return throw_awaited(r, 1)
    passed = passed_on(r, shooter or r.state.after, may, "no_stake", throw_due(r))
    return passed if isinstance(passed[-1], Annul) else (*passed, *throw_awaited(r, 1))


def throw_due(r: Round[RampoState]) -> int | None:
    """Return until when the shooter must throw, where a throw is a command."""
    return r.now_ms + r.terms.decision_ms if r.terms.source == "rng" else None


def throw_awaited(r: Round[RampoState], number: int) -> Steps:
    """Where dice are thrown by hand, what they show is awaited as soon as they may be thrown."""
    return () if r.terms.source == "rng" else (AskDraw(name=throw_name(number), bounds=TWO_DICE),)


def throw_name(number: int) -> str:
    """Return the name under which a throw of a coup is drawn or recorded.

    >>> throw_name(2)
    'throw-2'
    """
    return f"throw-{number}"


# -- commands -----------------------------------------------------------------------------------------------------
def refuse(r: Round[RampoState], seat: int) -> Steps | Already | Refusal:
    """Refuse the turn: the dice pass to the next player in order."""
    if r.phase != "betting":
        return refusals.NOT_BETTING
    if seat in throw_of(r.state, r.coup).out:
        return Already()
    if seat != r.state.shooter:
        return refusals.NOT_SHOOTER
    return (Note(DiceRefused(coup=r.coup, seat=seat)), *passed_on(r, seat, r.players, "refused"))


def change(r: Round[RampoState], command: ChangeDice, seat: int) -> Steps | Already | Refusal:
    """*Les dés changent*: the shooter has the other pair, but not while a rampo is being tried."""
    if r.phase != "betting":
        return refusals.NOT_BETTING
    if seat != r.state.shooter:
        return refusals.NOT_SHOOTER
    if r.state.zone:
        return refusals.RAMPO_PENDING
    if command.pair == r.state.pair:
        return Already()
    return (Note(DiceChanged(coup=r.coup, pair=command.pair, why="asked")),)


def throw(r: Round[RampoState], seat: int) -> Steps | Already | Refusal:
    """The shooter throws; the RNG is asked."""
    if r.terms.source != "rng":
        return refusals.THROWN_BY_HAND
    if r.phase != "locked":
        return refusals.BETTING_NOT_CLOSED
    if seat != r.state.shooter:
        return refusals.NOT_SHOOTER
    return Already() if throw_of(r.state, r.coup).thrown else thrown(r, "shooter")


def thrown(r: Round[RampoState], by: Literal["shooter", "timer"]) -> Steps:
    """The dice are on their way: the RNG is asked."""
    return Note(DiceThrown(coup=r.coup, seat=shooter_of(r), by=by)), AskDraw(name=throw_name(1), bounds=TWO_DICE)


def shooter_of(r: Round[RampoState]) -> int:
    """Return the seat of the shooter, whom every coup has that is locked and not void."""
    assert r.state.shooter is not None, "a throw without a shooter"
    return r.state.shooter


def coup_nul(r: Round[RampoState], command: CallCoupNul, actor: Actor) -> Steps | Already | Refusal:
    """*Coup nul*: stakes stay locked, the same shooter throws again; a broken die is replaced (RA7, RA11)."""
    if r.terms.source == "rng":
        return refusals.NO_IRREGULAR_DRAW
    if r.phase != "locked":
        return refusals.NO_THROW
    so_far = throw_of(r.state, r.coup)
    if command.throw < so_far.number_of_throw:
        return Already()
    if command.throw > so_far.number_of_throw:
        return refusals.OTHER_THROW
    if so_far.number:
        return refusals.ALREADY_ANNOUNCED
    annulled = ThrowAnnulled(coup=r.coup, throw=command.throw, seat=shooter_of(r), fault=command.fault, by=actor.id)
    return (
        Note(annulled),
        Withdraw(throw_name(command.throw)),
        *_replaced(r, command.fault),
        *throw_awaited(r, command.throw + 1),
    )


def _replaced(r: Round[RampoState], fault: Fault) -> Steps:
    if fault != "broken":
        return ()
    return (Note(DiceChanged(coup=r.coup, pair=2 if r.state.pair == 1 else 1, why="broken")),)


def remove(r: Round[RampoState], command: RemoveShooter, actor: Actor) -> Steps | Already | Refusal:
    """*Les dés changent de main*: the pit boss takes them from a repeated offender, for the player to the left."""
    so_far = throw_of(r.state, r.coup)
    if r.phase == "between":
        return refusals.NOTHING_TO_TAKE
    if command.seat in so_far.out:
        return Already()
    if so_far.number:
        return refusals.ALREADY_ANNOUNCED
    if so_far.thrown or r.recorded:
        return refusals.NOTHING_TO_TAKE
    if command.seat != r.state.shooter:
        return refusals.NOT_THE_SHOOTER
    betting = r.phase == "betting"
    due_ms = None if betting else throw_due(r)
    removed = ShooterRemoved(
        coup=r.coup,
        seat=command.seat,
        by=actor.id,
        reason=command.reason,
        irregular_throws=r.state.irregular_throws,
        due_ms=due_ms,
    )
    may = set(r.players) if betting else with_stake(r)
    return (Note(removed), *passed_on(r, command.seat, may, "removed", due_ms))
