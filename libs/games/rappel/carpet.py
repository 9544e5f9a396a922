"""What lies on the carpet in a game of the Rappel: the pot, and each player's dice, chips and last word.

All of it has been rolled, paid or said in front of everybody.
"""

from typing import Literal

from libs.games.rappel.paytables import NATURAL
from libs.games.rappel.settlement import winners
from libs.games.rappel.state import Entrant, RappelState
from libs.kernel.shown import Announcement, Carpet, Contender, Die, Sum

_JET_1 = Announcement("jet_1", "Jet 1", "1st roll")
_RAPPEL = Announcement("rappel", "Rappel", "Rappel")
_JET_2 = Announcement("jet_2", "Jet 2", "2nd roll")

_POT = Announcement("pot", "Tapis", "Pot")
_FEES = Announcement("droits", "Droits d'entrée", "Entry fees")
_RAPPEL_STAKE = Announcement("mise_de_rappel", "Mise de rappel", "Rappel stake")
_LEVEL = Announcement("niveau", "À égaler", "To match")

_OFFERED = Announcement("rappel_propose", "Rappel ?", "Try it?")
_TO_SPEAK = Announcement("parole", "À son tour", "To speak")
_TRIES = Announcement("rappel_tente", "Rappel tenté", "Tries the rappel")
_MADE = Announcement("rappel_reussi", "Rappel réussi", "Rappel made")
_MISSED = Announcement("rappel_manque", "Rappel manqué", "Rappel missed")
_COCKED = Announcement("coup_nul", "Dé à relancer", "Die thrown again")
_DECLINED = Announcement("sans_rappel", "Sans rappel", "No rappel")
_CHECKED = Announcement("parole_dite", "Parole", "Checks")
_CALLED = Announcement("suit", "Suit", "Calls")
_RAISED = Announcement("relance", "Relance", "Raises")
_PASSED = Announcement("passe", "Passe", "Passes")
_WINS = Announcement("gagne", "Gagne", "Wins")


def carpet(state: RappelState, *, running: bool) -> Carpet:
    """Return what lies there: nothing before the first game. Once it does not run any more, nobody is asked."""
    if not state.entrants:
        return Carpet()
    won = winners(state) if state.stage == "over" else ()
    return Carpet(
        pot=Sum(_POT, state.pot),
        sums=_sums(state),
        contenders=tuple(_contender(state, seat, running=running, won=seat in won) for seat in state.entrants),
    )


def standing_of(one: Entrant) -> Literal["in", "open", "out"]:
    """Tell whether a player is in, out, or has rolled a 1 and still has to answer for it.

    >>> [standing_of(one) for one in (Entrant(), Entrant(jet_1=1), Entrant(jet_1=1, out=True))]
    ['in', 'open', 'out']
    """
    return "out" if one.out else "in" if one.standing or not one.jet_1 else "open"


def _sums(state: RappelState) -> tuple[Sum, ...]:
    """Return what an attempt costs while they are made, what must be matched in the bets, and the fees."""
    fees = Sum(_FEES, state.fees)
    match state.stage:
        case "rappel":
            return (Sum(_RAPPEL_STAKE, state.rappel_stake), fees)
        case "bets":
            return (Sum(_LEVEL, state.level), fees)
        case _:
            return (fees,)


def _contender(state: RappelState, seat: int, *, running: bool, won: bool) -> Contender:
    one = state.entrants[seat]
    awaited = running and state.turn == seat
    to_pay = state.rappel_stake if state.stage == "rappel" else state.to_pay(seat)
    return Contender(
        seat=seat,
        standing=standing_of(one),
        staked=state.base + state.rappel_paid(seat) + one.bets,
        dice=_dice(one),
        awaited=awaited,
        to_pay=to_pay if awaited else 0,
        won=won,
        word=_WINS if won else _word(state, seat, awaited=awaited),
    )


def _dice(one: Entrant) -> tuple[Die, ...]:
    """Return JET 1, the attempt if there is one, and the die for JET 2 of whoever is in, each as far as it has rolled.

    >>> [(die.sides, die.face) for die in _dice(Entrant(jet_1=9))], len(_dice(Entrant(jet_1=1, out=True)))
    ([(20, 9), (8, 0)], 1)
    """
    first = Die(NATURAL, one.jet_1, _JET_1)
    attempt = (Die(NATURAL, one.rappel, _RAPPEL),) if one.tried else ()
    second = (Die(one.die, one.jet_2, _JET_2),) if one.standing else ()
    return (first, *attempt, *second)


def _word(state: RappelState, seat: int, *, awaited: bool) -> Announcement | None:
    """Return what is asked of a player, else his last word."""
    one = state.entrants[seat]
    if state.cocked == seat:
        return _COCKED
    if awaited:
        return _OFFERED if state.stage == "rappel" else _TO_SPEAK
    if one.out:
        return _MISSED if one.tried else _PASSED
    if one.tried:
        return _last_bet(one) if one.spoken and one.bets else _MADE if one.made else _TRIES
    if one.spoken:
        return _last_bet(one)
    return _DECLINED if one.declined else None


def _last_bet(one: Entrant) -> Announcement:
    if not one.bets:
        return _CHECKED
    return _RAISED if one.raised and not one.made else _CALLED
