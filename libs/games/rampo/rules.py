"""The rules of Rampo: wagers, the throw, the offer of the rampo (art. 55-22-1, rules.md section 2). Dice: `dice.py`.

A coup:

    betting: the dice are offered, refused, changed
       | rien ne va plus
    throw awaited --coup nul--> thrown again, stakes locked
       | valid throw                 nobody may throw --> void, the rampo zone paid at the first gain
    number announced --some hold it, it is no 7, not the very last throw--> rampo offered --all answer, or time--+
       |                                                                                                         |
       +-----------------------------------------> settlement <--------------------------------------------------+
"""

from collections.abc import Collection, Mapping

from libs.games.rampo import chips, dice, refusals
from libs.games.rampo import messages as m
from libs.games.rampo.paytables import (
    COLOUR_OF_NUMBER,
    COLOURS,
    EXTREMES_OPTION,
    NUMBER_TIMES,
    PAYTABLES,
    SEVEN,
    SPOTS,
    least_float,
)
from libs.games.rampo.settlement import settled, zone_after
from libs.games.rampo.state import RampoState, throw_of
from libs.kernel.actors import Actor
from libs.kernel.decider import Already
from libs.kernel.game import GameEvent, Lock, Note, Proposal, Round, Settle, Steps, Terms
from libs.kernel.messages import Command
from libs.kernel.refusals import Refusal, beyond_limits

RULES_VERSION = 1
MOST_PLAYERS = 8
"""Art. 55-22-1: "le nombre maximum de joueurs à chaque table est limité à huit"."""


# -- terms and wagers ---------------------------------------------------------------------------------------------
def check_terms(proposal: Proposal) -> Refusal | None:
    """Eight players at most; the float is that of art. 49 at least, and pays one player the dearest rampo."""
    if proposal.seats > MOST_PLAYERS:
        return refusals.TOO_MANY_SEATS
    if not set(proposal.options) <= {EXTREMES_OPTION}:
        return refusals.UNKNOWN_OPTION
    if not 1 <= proposal.options.get(EXTREMES_OPTION, NUMBER_TIMES) <= NUMBER_TIMES:
        return refusals.UNKNOWN_OPTION
    least = least_float(PAYTABLES[proposal.paytable], proposal)
    return refusals.float_too_small(least) if proposal.float_amount < least else None


def check_wager(
    terms: Terms, state: RampoState, seat: int, stakes: Mapping[str, int], spot: str, amount: int
) -> Refusal | None:
    """Whole chips on a number, any amount from the minimum on a colour; maxima in total, zone included (RA15)."""
    maximum = terms.maxima.get(spot)
    if maximum is None:
        return refusals.astride(spot) if _is_astride(spot) else refusals.unknown_spot(spot)
    chip = state.chips[seat]
    if spot not in COLOURS and amount % chip:
        return refusals.not_whole_chips(chip)
    total = stakes.get(spot, 0) + amount
    refusal = beyond_limits(spot, total, terms.minimum, maximum)
    if refusal is not None or spot in COLOURS:
        return refusal
    in_zone = state.zone.get(seat, 0) if spot == str(state.zone_number) else 0
    return refusals.over_maximum_with_zone(int(spot), maximum, in_zone) if total + in_zone > maximum else None


def _is_astride(spot: str) -> bool:
    """Tell whether a spot names several chances (`2-3`, `ROUGE-NOIR`)."""
    names = spot.split("-")
    return len(names) > 1 and all(name in SPOTS for name in names)


def held(state: RampoState, seat: int) -> int:
    """Return what lies in the rampo zone for a seat, in cents."""
    return state.zone.get(seat, 0)


# -- decide -------------------------------------------------------------------------------------------------------
def on_seated(r: Round[RampoState], seat: int) -> Steps:
    """Chips of the first free colour, and the dice if nobody has them."""
    return (*chips.given(r, seat), *dice.on_seated(r, seat))


def on_left(r: Round[RampoState], seat: int) -> Steps:
    """The colour is free again; a shooter loses the dice."""
    return (*chips.returned(r, seat), *dice.on_left(r, seat))


def on_lock(r: Round[RampoState]) -> Lock:
    """*Rien ne va plus*: the shooter, who has a stake down, throws at once."""
    return Lock(due_ms=dice.throw_due(r), steps=dice.on_rien_ne_va_plus(r))


def on_command(r: Round[RampoState], command: Command, actor: Actor) -> Steps | Already | Refusal:
    """Answer Rampo's own commands; the table has checked the speaker's role."""
    match command:
        case m.CallCoupNul():
            return dice.coup_nul(r, command, actor)
        case m.RemoveShooter():
            return dice.remove(r, command, actor)
    seat = next((seat for seat, player in r.players.items() if player == actor.id), None)
    if seat is None:
        return refusals.NOT_SEATED
    match command:
        case m.SetChipValue(value=value):
            return chips.revalued(r, seat, value)
        case m.RefuseDice():
            return dice.refuse(r, seat)
        case m.ChangeDice():
            return dice.change(r, command, seat)
        case m.ThrowDice():
            return dice.throw(r, seat)
        case m.AnswerRampo(tries=tries):
            return _answered(r, seat, tries=tries)
        case _:
            raise TypeError(f"not a command of Rampo: {type(command).__name__}")


def command_behind(_: RampoState, fact: GameEvent | None) -> Command | None:
    """Return the command that a fact tells of."""
    match fact:
        case m.ChipValueSet(chip_value=value):
            return m.SetChipValue(value=value)
        case m.DiceRefused():
            return m.RefuseDice()
        case m.DiceChanged(pair=pair):
            return m.ChangeDice(pair=pair)
        case m.DiceThrown():
            return m.ThrowDice()
        case m.RampoAnswered(tries=tries):
            return m.AnswerRampo(tries=tries)
        case m.ThrowAnnulled(throw=number, fault=fault):
            return m.CallCoupNul(throw=number, fault=fault)
        case m.ShooterRemoved(seat=seat, reason=reason):
            return m.RemoveShooter(seat=seat, reason=reason)
        case _:
            return None


def on_draw(r: Round[RampoState], _: str, values: tuple[int, ...]) -> Steps:
    """A valid throw: announce number and colour, offer the rampo to whoever holds the number, or settle."""
    first, second = (value + 1 for value in values)
    number = first + second
    offers = _offers(r, number)
    due_ms = r.now_ms + r.terms.decision_ms if offers else None
    announced = m.NumberThrown(
        coup=r.coup,
        seat=dice.shooter_of(r),
        faces=(first, second),
        number=number,
        colour=COLOUR_OF_NUMBER[number],
        rampo=bool(r.state.zone) and number == r.state.zone_number,
        due_ms=due_ms,
    )
    if offers:
        return (Note(announced), Note(m.RampoOffered(coup=r.coup, number=number, seats=offers, due_ms=due_ms)))
    return (Note(announced), *_settlement(r, number, ()))


def on_due(r: Round[RampoState]) -> Steps:
    """Silence: who was offered the rampo does not try (RA8); the dice are thrown for a shooter who does not throw."""
    so_far = throw_of(r.state, r.coup)
    if so_far.number:
        return _settlement(r, so_far.number, _tries(so_far.answers))
    return dice.thrown(r, "timer")


def on_interrupt(r: Round[RampoState]) -> Steps:
    """RA13: a number that was announced is paid and nothing is tried; else the zone is paid at the first gain."""
    so_far = throw_of(r.state, r.coup)
    if r.phase == "locked" and so_far.number:
        return _settlement(r, so_far.number, ())
    return dice.zone_released(r, "the session is interrupted")


def _offers(r: Round[RampoState], number: int) -> tuple[int, ...]:
    """Return who is offered the rampo: not on a 7 (RA4), nor on the very last throw (RA12)."""
    if number == SEVEN or r.final:
        return ()
    return tuple(seat for seat, on_spots in r.stakes.items() if str(number) in on_spots)


def _answered(r: Round[RampoState], seat: int, *, tries: bool) -> Steps | Already | Refusal:
    """Each winner alone decides, for the whole stake (RA8); the last answer settles the coup."""
    so_far = throw_of(r.state, r.coup)
    if seat in so_far.answers:
        return Already() if so_far.answers[seat] == tries else refusals.ALREADY_ANSWERED
    if r.phase != "locked" or seat not in so_far.offered:
        return refusals.NOT_OFFERED
    answers = {**so_far.answers, seat: tries}
    noted = Note(m.RampoAnswered(coup=r.coup, seat=seat, tries=tries, due_ms=r.due_ms))
    if len(answers) < len(so_far.offered):
        return (noted,)
    return (noted, *_settlement(r, so_far.number, _tries(answers)))


def _tries(answers: Mapping[int, bool]) -> tuple[int, ...]:
    return tuple(seat for seat, tries in answers.items() if tries)


def _settlement(r: Round[RampoState], number: int, tries: Collection[int]) -> Steps:
    """Pay in order; the zone holds who tries; after a 7 the dice change hands (RA5)."""
    notes = [Note(zone_after(r, number, tries))] if r.state.zone or tries else []
    if number == SEVEN:
        seat = dice.next_seat(dice.shooter_of(r), r.players)
        notes.append(Note(m.DiceOffered(coup=r.coup, seat=seat, why="seven")))
    paid = settled(r.terms, r.state, r.stakes, number, tries)
    return (*notes, Settle(outcome=str(number), paid=paid, held=bool(r.state.zone)))
