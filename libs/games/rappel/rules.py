"""The course of Le Jeu du Rappel: entry, JET 1, attempts, betting round, JET 2 (rules.md section 5).

A game after the entries have closed:

    JET 1 rolls --> rappel offered, weakest first --declined, or no chips--> next
                        --tried--> die rolls --20: plays a d20, level = R--> next
                                             --else: out, R stays--> next
    all have answered --two in or more--> betting round --all have matched--> JET 2 rolls --> decided
                      --one in, or nobody--> decided    --one left--> decided

What players may say is in `decisions.py`, who takes the pot in `settlement.py`.
"""

from collections.abc import Mapping

from libs.games.rappel import messages as m
from libs.games.rappel import refusals
from libs.games.rappel.evolve import evolve
from libs.games.rappel.paytables import (
    ENTRY,
    JET_1_FACES,
    MAXIMUM_PLAYERS,
    MINIMUM_PLAYERS,
    NATURAL,
)
from libs.games.rappel.settlement import judge, settle
from libs.games.rappel.state import RappelState
from libs.kernel.game import Annul, AskDraw, Charge, GameEvent, Lock, Note, Proposal, Round, Step, Steps, Terms
from libs.kernel.refusals import Refusal

RULES_VERSION = 1

JET_1, JET_2, ATTEMPT = "jet-1", "jet-2", "rappel-"
"""Names of the rolls; that of an attempt ends with the seat."""


# -- terms and entry ----------------------------------------------------------------------------------------------
def check_terms(proposal: Proposal) -> Refusal | None:
    """The base stake is the session's minimum, a multiple of 10 cents; 2 to 8 players."""
    if proposal.options:
        return refusals.NO_OPTIONS
    if not MINIMUM_PLAYERS <= proposal.seats <= MAXIMUM_PLAYERS:
        return refusals.SEATS
    return refusals.BASE_ODD if proposal.minimum % 10 else None


def check_wager(
    terms: Terms, _: RappelState, _seat: int, stakes: Mapping[str, int], spot: str, amount: int
) -> Refusal | None:
    """GA1: fee and ante are paid at once, 2 B, for this one game."""
    if spot not in terms.maxima:
        return refusals.unknown_spot(spot)
    if spot != ENTRY:
        return refusals.NOT_AT_ENTRY
    if stakes:
        return refusals.ENTRY_ONCE
    cost = 2 * terms.minimum
    return None if amount == cost else refusals.entry_fixed(cost)


# -- the course of a game -----------------------------------------------------------------------------------------
class Script:
    """The steps of one decision while it is being made, and the game that they lead to."""

    def __init__(self, r: Round[RappelState]) -> None:
        self.round = r
        self.state = r.state
        self._steps: list[Step] = []

    def note(self, event: GameEvent) -> None:
        """Add a fact."""
        self._steps.append(Note(event))
        self.state = evolve(self.state, event)

    def charge(self, seat: int, spot: str, amount: int) -> None:
        """Debit a stake of the seat whose word it is; its fact follows."""
        if amount:
            self._steps.append(Charge(seat, spot, amount))

    def ended_by(self, *steps: Step) -> Steps:
        """Return all steps, with these at the end."""
        return (*self._steps, *steps)

    def give_word(self, stage: m.Stage, seat: int) -> Steps:
        """Give a seat the word until its time is up."""
        bets = stage == "bets"
        to_pay = self.state.to_pay(seat) if bets else self.state.rappel_stake
        due_ms = self.round.now_ms + self.round.terms.decision_ms
        self.note(
            m.WordGiven(
                coup=self.round.coup, stage="bets" if bets else "rappel", seat=seat, to_pay=to_pay, due_ms=due_ms
            )
        )
        return self.ended_by()


def on_lock(r: Round[RappelState]) -> Lock:
    """The entries have closed: JET 1 rolls; without an opponent fees and antes go back (GA22)."""
    if len(r.stakes) < MINIMUM_PLAYERS:
        reason = f"{len(r.stakes)} player(s), a game takes {MINIMUM_PLAYERS}"
        return Lock(steps=(Annul(code="game.no_opponent", reason=reason, unplayed=True),))
    seats, base = tuple(r.stakes), r.terms.minimum
    started = m.GameStarted(coup=r.coup, base=base, seats=seats, rappel_stake=base * len(seats))
    script = Script(r)
    script.note(started)
    return Lock(steps=script.ended_by(roll(script.state)))


def on_draw(r: Round[RappelState], name: str, values: tuple[int, ...]) -> Steps:
    """The dice have rolled: value v is face v + 1; several are in seat order."""
    script, rolls = Script(r), [value + 1 for value in values]
    if name == JET_1:
        script.note(m.FirstRolled(coup=r.coup, rolls=dict(zip(r.state.entrants, rolls, strict=True))))
        return offer_rappel(script)
    if name == JET_2:
        script.note(m.SecondRolled(coup=r.coup, rolls=dict(zip(r.state.standing, rolls, strict=True))))
        return _decide(script)
    seat, roll = int(name.removeprefix(ATTEMPT)), rolls[0]
    script.note(m.RappelRolled(coup=r.coup, seat=seat, roll=roll, made=roll == NATURAL))
    return offer_rappel(script)


def offer_rappel(script: Script) -> Steps:
    """Offer the rappel to the next who may try it and holds its stake (GA3, GA11); then the bets begin."""
    while (seat := script.state.next_to_try()) is not None:
        if script.round.credits[seat] >= script.state.rappel_stake:
            return script.give_word("rappel", seat)
        decline(script, seat, "meter")
    return go_on_betting(script)


def decline(script: Script, seat: int, by: m.By) -> None:
    """Note that a seat does not try; who has rolled a 1 is out with it (GA4)."""
    out = not script.state.entrants[seat].standing
    script.note(m.RappelDeclined(coup=script.round.coup, seat=seat, by=by, out=out))


def roll(state: RappelState) -> AskDraw:
    """Ask for the dice that roll now, in seat order."""
    match state.stage:
        case "jet_1":
            return AskDraw(name=JET_1, bounds=(JET_1_FACES,) * len(state.rolling))
        case "jet_2":
            return AskDraw(name=JET_2, bounds=tuple(state.entrants[seat].die for seat in state.rolling))
        case _:
            (seat,) = state.rolling
            return AskDraw(name=f"{ATTEMPT}{seat}", bounds=(JET_1_FACES,))


def go_on_betting(script: Script) -> Steps:
    """Give the next one the word, until all who are in have matched: then *rien ne va plus* and JET 2."""
    if len(script.state.standing) < MINIMUM_PLAYERS:
        return _decide(script)
    seat = script.state.next_to_speak()
    if seat is not None:
        return script.give_word("bets", seat)
    dice = {seat: script.state.entrants[seat].die for seat in script.state.standing}
    script.note(m.BetsMatched(coup=script.round.coup, dice=dice))
    return script.ended_by(roll(script.state))


def _decide(script: Script) -> Steps:
    verdict = judge(script.round.terms, script.state)
    decided = m.PotDecided(
        coup=script.round.coup,
        decided=verdict.decided,
        pot=verdict.pot,
        fees=verdict.fees,
        rake=verdict.rake,
        credits=verdict.credits,
        bank=verdict.bank,
    )
    settlement = settle(script.state, verdict)
    script.note(decided)
    return script.ended_by(settlement)


def on_due(r: Round[RappelState]) -> Steps:
    """The time of a word is up: the rappel is declined; nothing to pay is *parole*, something to pay is passing."""
    script, seat = Script(r), r.state.turn
    assert seat is not None, "only a word has a deadline"
    if r.state.stage == "rappel":
        decline(script, seat, "timer")
        return offer_rappel(script)
    if r.state.to_pay(seat):
        script.note(m.Passed(coup=r.coup, seat=seat, by="timer"))
    else:
        script.note(m.Followed(coup=r.coup, seat=seat, paid=0, by="timer"))
    return go_on_betting(script)


# -- between sessions ---------------------------------------------------------------------------------------------
def begin(_: Mapping[str, int]) -> RappelState:
    """Start a session: no game has been played."""
    return RappelState()


def carry(_: RappelState) -> dict[str, int]:
    """Return nothing: every game is decided by itself."""
    return {}


def held(_: RappelState, __: int) -> int:
    """Return 0: no stake waits for a later game."""
    return 0
