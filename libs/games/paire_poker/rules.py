"""The rules of Pair'e poker: the deal, the three cards turned one by one, payment (art. 55-24, rules.md section 4).

A coup after *rien ne va plus*:

    being dealt --> 3 face down --turn--> 2 --turn--> 1 --turn--> payment --pay--> settled
    at any moment: a wrong number of cards, a card missing or double --> void

From the RNG or a shuffler all cards arrive at once, sealed; a turn is the croupier's, or happens by itself when the
time is up. At the console nobody knows a card before it is turned: each is recorded then, which is its turn.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from libs.games.paire_poker import refusals
from libs.games.paire_poker.cards import DEAL_BOUNDS, FACES, VALUES, dealt, too_many
from libs.games.paire_poker.layout import MOST_JOINED, OPTIONAL, ROWS, value_spot, values_of
from libs.games.paire_poker.messages import (
    CardsDealt,
    CardsLaid,
    CardTurned,
    Irregularity,
    IrregularityFound,
    PayWinners,
    ReportIrregularity,
    TurnCard,
)
from libs.games.paire_poker.paytables import MINIMUM_FLOAT_TIMES_MINIMUM, rows_of
from libs.games.paire_poker.settlement import collected, settle
from libs.games.paire_poker.state import PokerState
from libs.kernel.actors import SYSTEM, Actor
from libs.kernel.decider import Already
from libs.kernel.game import Annul, AskDraw, GameEvent, Lock, Note, Proposal, Round, Steps, Terms
from libs.kernel.messages import Command
from libs.kernel.refusals import Refusal, beyond_limits

RULES_VERSION = 1
MOST_SEATS = 5
"""Art. 55-24 1° a: "jusqu'à cinq joueurs"."""
CARDS = 3
DEAL = "cards"
"""Name of the draw of the burnt card and the three others; a single card's is `card-1` … `card-3`."""


# -- terms and wagers ---------------------------------------------------------------------------------------------
def check_terms(proposal: Proposal) -> Refusal | None:
    """Five places at most; one or two rows of value boxes (PA8); a chip that the minimum is made of; the float."""
    if proposal.seats > MOST_SEATS:
        return refusals.TOO_MANY_SEATS
    if not set(proposal.options) <= {"value_rows", "chip"}:
        return refusals.UNKNOWN_OPTION
    if rows_of(proposal.options) not in ROWS:
        return refusals.BAD_ROWS
    chip = proposal.options.get("chip", 1)
    if chip < 1 or proposal.minimum % chip:
        return refusals.BAD_CHIP
    least = MINIMUM_FLOAT_TIMES_MINIMUM * proposal.minimum
    return refusals.float_too_low(least) if proposal.float_amount < least else None


def check_wager(
    terms: Terms, _: PokerState, __: int, stakes: Mapping[str, int], spot: str, amount: int
) -> Refusal | None:
    """A spot of this layout; an optional one only beside a main one; whole chips; minimum … maximum in total."""
    maximum = terms.maxima.get(spot)
    if maximum is None:
        return _why_no_spot(terms, spot)
    if spot in OPTIONAL and stakes.keys() <= OPTIONAL:
        return refusals.MAIN_FIRST
    chip = terms.options.get("chip", 1)
    if amount % chip:
        return refusals.off_the_chip_grid(chip)
    return beyond_limits(spot, stakes.get(spot, 0) + amount, terms.minimum, maximum)


def check_take_back(_: Terms, __: PokerState, stakes: Mapping[str, int], spot: str) -> Refusal | None:
    """The last main stake of a place stays while optional ones lie beside it."""
    left = stakes.keys() - {spot}
    return refusals.MAIN_NEEDED if left and left <= OPTIONAL else None


def _why_no_spot(terms: Terms, spot: str) -> Refusal:
    """Say what is wrong with a spot that the layout does not have."""
    values = values_of(spot)
    if not values or not set(values) <= set(VALUES):
        return refusals.unknown_spot(spot)
    if len(set(values)) < len(values):
        return refusals.VALUE_TWICE
    if len(values) > MOST_JOINED:
        return refusals.TOO_MANY_VALUES
    as_printed = value_spot(tuple(sorted(values, key=VALUES.index)))
    return refusals.printed_order(as_printed) if as_printed in terms.maxima else refusals.NOT_TOUCHING


# -- decide -------------------------------------------------------------------------------------------------------
def on_lock(r: Round[PokerState]) -> Lock:
    """Deal: one card burnt, three face down. Whatever knows them says so at once, sealed, before any is turned."""
    match r.terms.source:
        case "rng":
            return Lock(steps=(AskDraw(DEAL, DEAL_BOUNDS, sealed=True),))
        case "device":
            return Lock(steps=(AskDraw(DEAL, (len(FACES),) * len(DEAL_BOUNDS), sealed=True),))
        case _:
            dealt_unseen = Note(CardsLaid(coup=r.coup)), Note(CardsDealt(coup=r.coup))
            return Lock(steps=(*dealt_unseen, _ask_card(1)))


def on_draw(r: Round[PokerState], name: str, values: tuple[int, ...]) -> Steps:
    """The cards lie face down and the croupier has the word; or one card is turned and recorded."""
    if name == DEAL:
        cards = dealt(values) if r.terms.source == "rng" else tuple(FACES[value] for value in values)
        return _double(cards) or _laid(r, cards)
    card = FACES[values[0]]
    double = _double((*r.state.turned, card))
    if double:
        return double
    place = len(r.state.turned) + 1
    assert name == _card_name(place), f"{name} while card {place} is awaited"
    turned = _turn(r, card, "console", None if place < CARDS else _next_due(r))
    return (turned, _ask_card(place + 1)) if place < CARDS else (turned,)


def on_command(r: Round[PokerState], command: Command, actor: Actor) -> Steps | Already | Refusal:
    """Answer the game's own commands; the table has checked the speaker's role."""
    if r.phase != "locked" or r.state.coup != r.coup:
        return refusals.NOT_DEALT
    match command:
        case TurnCard(place=place):
            return _turn_asked(r, place, actor)
        case PayWinners():
            return refusals.STILL_FACE_DOWN if len(r.state.turned) < CARDS else _pay(r)
        case ReportIrregularity(kind=kind):
            return _irregular(r, kind, actor)
        case _:
            raise TypeError(f"not a command of Pair'e poker: {type(command).__name__}")


def command_behind(_: PokerState, fact: GameEvent | None) -> Command | None:
    """Return the command that a fact tells of; paying has no fact but the settlement."""
    match fact:
        case CardTurned(place=place):
            return TurnCard(place=place)
        case IrregularityFound(kind=kind):
            return ReportIrregularity(kind=kind)
        case None:
            return PayWinners()
        case _:
            return None


def on_due(r: Round[PokerState]) -> Steps:
    """The croupier let the time pass: the next card is turned, or the winners are paid."""
    if len(r.state.turned) == CARDS:
        return _pay(r)
    return (_turn(r, r.state.face_down[0], SYSTEM.id, _next_due(r)),)


def _laid(r: Round[PokerState], cards: tuple[str, ...]) -> Steps:
    burnt, *face_down = cards
    laid = CardsLaid(coup=r.coup, burnt=burnt, cards=tuple(face_down))
    return (Note(laid), Note(CardsDealt(coup=r.coup, due_ms=_next_due(r))))


def _turn_asked(r: Round[PokerState], place: int, actor: Actor) -> Steps | Already | Refusal:
    turned = len(r.state.turned)
    if place <= turned:
        return Already()
    if not r.state.face_down:
        return refusals.CARDS_ARE_RECORDED
    if place != turned + 1:
        return refusals.WRONG_ORDER
    return (_turn(r, r.state.face_down[0], actor.id, _next_due(r)),)


def _turn(r: Round[PokerState], card: str, by: str, due_ms: int | None) -> Note:
    """Turn the next card and collect what it loses."""
    cards = (*r.state.turned, card)
    lost = collected(r.terms.gains, r.stakes, cards)
    return Note(CardTurned(coup=r.coup, place=len(cards), card=card, collected=lost, by=by, due_ms=due_ms))


def _pay(r: Round[PokerState]) -> Steps:
    return (settle(r.terms.gains, r.stakes, r.state.turned),)


_VOID_REASONS = {
    "wrong_count": "the number of cards on the table is wrong",
    "card_missing": "a card is missing from the pack",
    "card_double": "a card is in the pack twice",
}


def _irregular(r: Round[PokerState], kind: Irregularity, actor: Actor) -> Steps | Already | Refusal:
    """An exposed card alone is no misdeal, play goes on; anything else voids the coup (PA13, art. 55-21 by analogy)."""
    if r.terms.source == "rng":
        return refusals.NO_REAL_CARDS
    found = IrregularityFound(coup=r.coup, kind=kind, by=actor.id, due_ms=r.due_ms)
    if kind == "exposed_card":
        return Already() if r.state.exposed else (Note(found),)
    return (Note(found), _void(kind))


def _void(kind: Irregularity) -> Annul:
    return Annul(code=f"cards.{kind}", reason=_VOID_REASONS[kind])


def _double(cards: tuple[str, ...]) -> Steps:
    """A card that is there more often than in the pack voids the coup, unnamed: it may still lie face down."""
    return (_void("card_double"),) if too_many(cards) else ()


def _ask_card(place: int) -> AskDraw:
    return AskDraw(_card_name(place), (len(FACES),))


def _card_name(place: int) -> str:
    return f"card-{place}"


def _next_due(r: Round[PokerState]) -> int:
    return r.now_ms + r.terms.decision_ms


def face(_: str, value: int) -> str:
    """Return what people and devices call value v of a card that they record."""
    return FACES[value]


# -- evolve -------------------------------------------------------------------------------------------------------
def evolve(state: PokerState, event: GameEvent) -> PokerState:
    """Apply a fact of Pair'e poker."""
    match event:
        case CardsLaid(coup=coup, burnt=burnt, cards=cards):
            return PokerState(coup=coup, burnt=burnt, face_down=cards)
        case CardTurned(card=card):
            return replace(state, face_down=state.face_down[1:], turned=(*state.turned, card))
        case IrregularityFound(kind="exposed_card"):
            return replace(state, exposed=True)
        case _:
            return state


def begin(_: Mapping[str, int]) -> PokerState:
    """Start a session: every coup has a new shuffle (PA12), nothing comes from before."""
    return PokerState()


def carry(_: PokerState) -> dict[str, int]:
    """The next session needs nothing of this one."""
    return {}


def held(_: PokerState, __: int) -> int:
    """Return 0: every stake is decided in its own coup."""
    return 0
