"""The rules of the duel."""

from collections.abc import Mapping

from msgspec.structs import replace

from libs.kernel.actors import Actor
from libs.kernel.decider import Already
from libs.kernel.game import (
    Annul,
    AskDraw,
    Charge,
    GameEvent,
    GameState,
    Lock,
    Note,
    Outcome,
    Paid,
    Paytable,
    Proposal,
    Release,
    Round,
    RoundPhase,
    Row,
    Settle,
    Show,
    Steps,
    Terms,
)
from libs.kernel.messages import Command
from libs.kernel.money import portion, split
from libs.kernel.refusals import Refusal

from . import messages as m

TOO_LITTLE = Refusal("duel.too_little", "Il vous reste trop peu pour doubler.", "You have too little left to double.")
DUELLISTS = 2
NOT_NOW = Refusal("duel.not_now", "Pas maintenant.", "Not now.")


class DuelState(GameState, frozen=True, tag="duel"):
    """Hidden cards, who has spoken, what is on show, and the pot that waits; of the last deal."""

    coup: int = 0
    cards: dict[int, int] = {}
    spoken: tuple[int, ...] = ()
    shown: dict[int, int] = {}
    pot: dict[int, int] = {}
    due_ms: int | None = None


def check_terms(_: Proposal) -> Refusal | None:
    """Any terms will do."""
    return None


def maxima(proposal: Proposal) -> dict[str, int]:
    """The pot takes two minima at most."""
    return {"POT": 2 * proposal.minimum}


def worst_gain(_: Paytable, proposal: Proposal) -> int:
    """Everybody's raised stake."""
    return 2 * proposal.minimum * proposal.seats


def begin(_: Mapping[str, int]) -> DuelState:
    """Nothing lies on the table."""
    return DuelState()


def carry(_: DuelState) -> dict[str, int]:
    """Nothing is carried."""
    return {}


def held(state: DuelState, seat: int) -> int:
    """What waits for the next coup."""
    return state.pot.get(seat, 0)


def check_wager(
    terms: Terms, _: DuelState, __: int, stakes: Mapping[str, int], spot: str, amount: int
) -> Refusal | None:
    """Exactly the minimum, once."""
    return None if spot == "POT" and amount == terms.minimum and not stakes else NOT_NOW


def duellists(r: Round[DuelState]) -> tuple[int, ...]:
    """Whoever has staked, or has chips in the pot of a tie."""
    return tuple(sorted(r.stakes.keys() | r.state.pot.keys()))


def on_lock(r: Round[DuelState]) -> Lock:
    """Deal face down; without an opponent there is no duel."""
    count = len(duellists(r))
    if count < DUELLISTS:
        return Lock(steps=(Annul("duel.no_opponent", "a duel takes two", unplayed=True),))
    return Lock(steps=(AskDraw("cards", (13,) * count, sealed=True),))


def on_draw(r: Round[DuelState], _: str, values: tuple[int, ...]) -> Steps:
    """Cards are dealt; everybody must speak."""
    cards = dict(zip(duellists(r), values, strict=True))
    return (Note(m.CardsDealt(coup=r.coup, cards=cards, due_ms=r.now_ms + r.terms.decision_ms)),)


def on_command(r: Round[DuelState], command: Command, actor: Actor) -> Steps | Already | Refusal:
    """Raise or stay, once each."""
    seat = next((seat for seat, player in r.players.items() if player == actor.id), 0)
    if r.phase != "locked" or r.state.coup != r.coup or seat not in r.state.cards:
        return NOT_NOW
    if seat in r.state.spoken:
        return Already()
    last = len(r.state.spoken) + 1 == len(r.state.cards)
    due = None if last else r.state.due_ms
    if isinstance(command, m.Stay):
        return (Note(m.Stayed(coup=r.coup, seat=seat, due_ms=due)), *(_show_down(r, {}) if last else ()))
    more = r.terms.minimum
    if r.credits[seat] < more:
        return TOO_LITTLE
    raised = (Charge(seat, "POT", more), Note(m.Raised(coup=r.coup, seat=seat, due_ms=due)))
    return (*raised, *(_show_down(r, {seat: more}) if last else ()))


def command_behind(_: DuelState, fact: GameEvent | None) -> Command | None:
    """Each word has its fact."""
    return m.Raise() if isinstance(fact, m.Raised) else m.Stay() if isinstance(fact, m.Stayed) else None


def on_due(r: Round[DuelState]) -> Steps:
    """Silence is staying."""
    return _show_down(r, {})


def on_interrupt(r: Round[DuelState]) -> Steps:
    """What waits for the next coup goes back."""
    waiting = tuple(Paid(seat, "POT", 0, amount) for seat, amount in r.state.pot.items())
    return (Note(m.PotHeld(coup=r.coup, held={})), Release(waiting, "the session is interrupted")) if waiting else ()


def _show_down(r: Round[DuelState], charged: dict[int, int]) -> Steps:
    cards = r.state.cards
    shows = tuple(Note(m.CardShown(coup=r.coup, seat=seat, card=card)) for seat, card in cards.items())
    stakes = {seat: sum(r.stakes.get(seat, {}).values()) + charged.get(seat, 0) for seat in cards}
    best = [seat for seat, card in cards.items() if card == max(cards.values())]
    if len(best) > 1 and not r.final:
        pot = {seat: r.state.pot.get(seat, 0) + stake for seat, stake in stakes.items()}
        nothing = tuple(Paid(seat, "POT", stake, 0) for seat, stake in stakes.items())
        return (*shows, Note(m.PotHeld(coup=r.coup, held=pot)), Settle("TIE", nothing))
    pot_total = sum(stakes.values()) + sum(r.state.pot.values())
    rake = portion(pot_total, 1, 10)
    shares = dict(zip(best, split(pot_total - rake, len(best)), strict=True))
    paid = tuple(Paid(seat, "POT", stake, shares.get(seat, 0)) for seat, stake in stakes.items())
    return (*shows, Note(m.PotHeld(coup=r.coup, held={})), Settle(f"SEAT-{best[0]}", paid, rake=rake))


def evolve(state: DuelState, event: GameEvent) -> DuelState:
    """Apply a fact of the duel."""
    match event:
        case m.CardsDealt(coup=coup, cards=cards, due_ms=due):
            return DuelState(coup=coup, cards=cards, pot=state.pot, due_ms=due)
        case m.Stayed(seat=seat) | m.Raised(seat=seat):
            return replace(state, spoken=(*state.spoken, seat))
        case m.CardShown(seat=seat, card=card):
            return replace(state, shown={**state.shown, seat: card})
        case m.PotHeld(held=pot):
            return replace(state, pot=pot)
        case _:
            return state


def rows(_: Terms) -> tuple[Row, ...]:
    """No paytable to show."""
    return ()


def outcome(code: str) -> Outcome:
    """The winner's seat, or a tie."""
    _, _, seat = code.partition("-")
    if not seat:
        return Outcome(code, "Égalité", "Tie", short="Égalité")
    return Outcome(code, f"Place {seat} gagne", f"Seat {seat} wins", short=seat, beside="gagne")


def show(state: DuelState, coup: int, phase: RoundPhase) -> Show:
    """Only cards of this coup, and only those that have been turned."""
    shown = state.shown if state.coup == coup else {}
    facts: dict[str, str | int] = {f"card_{seat}": card for seat, card in shown.items()}
    return Show(deciding=phase == "locked", facts=facts)
