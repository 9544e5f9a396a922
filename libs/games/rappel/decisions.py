"""What players and staff may say in Le Jeu du Rappel, and what is refused."""

from libs.games.rappel import messages as m
from libs.games.rappel import refusals
from libs.games.rappel.paytables import BET, NATURAL, RAPPEL
from libs.games.rappel.rules import Script, decline, go_on_betting, offer_rappel, roll
from libs.games.rappel.state import RappelState
from libs.kernel.actors import Actor
from libs.kernel.decider import Already
from libs.kernel.game import GameEvent, Note, Round, Steps, Withdraw
from libs.kernel.messages import Command
from libs.kernel.refusals import Refusal

Answer = Steps | Already | Refusal


def on_command(r: Round[RappelState], command: Command, actor: Actor) -> Answer:
    """Answer a word of a player or the staff; the table has checked the speaker's role."""
    if r.phase != "locked" or r.state.coup != r.coup:
        return refusals.NO_GAME
    if isinstance(command, m.CallCocked):
        return _other_coup(r, command.coup) or _call_cocked(r, command.seat, actor)
    seat = next((seat for seat in r.state.entrants if r.players[seat] == actor.id), None)
    if seat is None:
        return refusals.NOT_IN_GAME
    match command:
        case m.TryRappel():
            return _other_coup(r, command.coup) or _try_rappel(r, seat)
        case m.Decline():
            return _other_coup(r, command.coup) or _decline(r, seat)
        case m.Follow():
            return _other_coup(r, command.coup) or _follow(r, seat, command.level)
        case m.Raise():
            return _other_coup(r, command.coup) or _raise(r, seat, command.level)
        case m.Pass():
            return _other_coup(r, command.coup) or _pass(r, seat)
        case _:
            raise TypeError(f"not a command of the Rappel: {type(command).__name__}")


def command_behind(state: RappelState, fact: GameEvent | None) -> Command | None:
    """Return the command that a fact tells of; who bets has agreed to the level as it was."""
    match fact:
        case m.RappelTried():
            return m.TryRappel()
        case m.RappelDeclined():
            return m.Decline()
        case m.Followed():
            return m.Follow(level=state.level)
        case m.Raised():
            return m.Raise(level=state.level)
        case m.Passed():
            return m.Pass()
        case m.DieCocked(seat=seat):
            return m.CallCocked(seat=seat)
        case _:
            return None


def _call_cocked(r: Round[RappelState], seat: int, actor: Actor) -> Answer:
    """GA21: *coup nul*, the same die again, whatever of it was recorded. A die of the RNG always lies flat."""
    if r.terms.source == "rng":
        return refusals.NO_REAL_DICE
    if seat not in r.state.rolling:
        return refusals.DIE_NOT_ROLLING
    cocked, rolling = Note(m.DieCocked(coup=r.coup, seat=seat, by=actor.id)), roll(r.state)
    if rolling.name in r.recorded:
        return (cocked, Withdraw(rolling.name), rolling)
    return Already() if r.state.cocked == seat else (cocked,)


def _other_coup(r: Round[RappelState], coup: int | None) -> Refusal | None:
    return refusals.OTHER_COUP if coup is not None and coup != r.coup else None


# -- the rappel ---------------------------------------------------------------------------------------------------
def _try_rappel(r: Round[RappelState], seat: int) -> Answer:
    one, stake = r.state.entrants[seat], r.state.rappel_stake
    if one.tried:
        return refusals.RAPPEL_ONCE
    refusal = _rappel_refusal(r, seat)
    if refusal is not None:
        return refusal
    if stake > r.credits[seat]:
        return refusals.meter_too_low(stake, r.credits[seat])
    script = Script(r)
    script.charge(seat, RAPPEL, stake)
    script.note(m.RappelTried(coup=r.coup, seat=seat, stake=stake))
    return script.ended_by(roll(script.state))


def _decline(r: Round[RappelState], seat: int) -> Answer:
    if r.state.entrants[seat].declined:
        return Already()
    refusal = _rappel_refusal(r, seat)
    if refusal is not None:
        return refusal
    script = Script(r)
    decline(script, seat, "player")
    return offer_rappel(script)


def _rappel_refusal(r: Round[RappelState], seat: int) -> Refusal | None:
    """Return why a seat may not answer the offer of the rappel now, None when it may (GA3)."""
    one, state = r.state.entrants[seat], r.state
    if one.declined:
        return refusals.DECLINED
    if one.out:
        return refusals.OUT
    if state.stage == "jet_1":
        return refusals.DICE_ROLLING
    if state.stage != "rappel":
        return refusals.NOT_RAPPEL_TIME
    if one.jet_1 == NATURAL:
        return refusals.NATURAL_20
    return _turn_refusal(state, seat)


# -- the betting round --------------------------------------------------------------------------------------------
def _follow(r: Round[RappelState], seat: int, level: int) -> Answer:
    one, state = r.state.entrants[seat], r.state
    if one.spoken and one.standing and level == state.engaged(seat) and state.turn != seat:
        return Already()
    refusal = _bet_refusal(r, seat, level)
    if refusal is not None:
        return refusal
    to_pay = state.to_pay(seat)
    if to_pay > r.credits[seat]:
        return refusals.meter_too_low(to_pay, r.credits[seat])
    script = Script(r)
    script.charge(seat, BET, to_pay)
    script.note(m.Followed(coup=r.coup, seat=seat, paid=to_pay, by="player"))
    return go_on_betting(script)


def _raise(r: Round[RappelState], seat: int, level: int) -> Answer:
    one, state = r.state.entrants[seat], r.state
    if one.raised and one.standing and state.stage == "bets":
        return refusals.RAPPEL_WAS_THE_RAISE if one.made else refusals.RAISE_ONCE  # GA7, GA10
    refusal = _bet_refusal(r, seat, level)
    if refusal is not None:
        return refusal
    to_pay = state.to_pay(seat) + state.base
    if to_pay > r.credits[seat]:
        return refusals.meter_too_low(to_pay, r.credits[seat])
    script = Script(r)
    script.charge(seat, BET, to_pay)
    script.note(m.Raised(coup=r.coup, seat=seat, paid=to_pay, level=level + state.base))
    return go_on_betting(script)


def _pass(r: Round[RappelState], seat: int) -> Answer:
    if r.state.entrants[seat].out:
        return Already()
    refusal = _bet_refusal(r, seat, r.state.level)
    if refusal is not None:
        return refusal
    script = Script(r)
    script.note(m.Passed(coup=r.coup, seat=seat, by="player"))
    return go_on_betting(script)


def _bet_refusal(r: Round[RappelState], seat: int, level: int) -> Refusal | None:
    """Return why a seat may not bet now, None when it may."""
    state = r.state
    if state.entrants[seat].out:
        return refusals.OUT
    if state.stage != "bets":
        return refusals.NOT_BETTING_ROUND
    return _turn_refusal(state, seat) or (refusals.level_changed(state.level) if level != state.level else None)


def _turn_refusal(state: RappelState, seat: int) -> Refusal | None:
    if state.turn is None:
        return refusals.DICE_ROLLING
    return None if state.turn == seat else refusals.not_your_turn(state.turn)
