"""Player cards: issued, blocked and replaced by people of the house; each number is given once."""

from msgspec.structs import replace

from libs.kernel import buckets
from libs.kernel.actors import may_speak
from libs.kernel.contracts.wallet_cards import (
    BlockCard,
    Card,
    CardBlocked,
    CardIssued,
    CardReplaced,
    IssueCard,
    ReplaceCard,
)
from libs.kernel.decider import Accepted, Already, Context, Decision
from libs.ledger import refusals
from libs.ledger.state import LedgerState


def issue(state: LedgerState, command: IssueCard, context: Context) -> Decision:
    """Give a card to a player, unless its number was ever given to another."""
    if state.bringing is not None:
        return refusals.DAY_OPENING
    known = buckets.find(state.cards, command.card)
    if known is None:
        if not may_speak(command.player, "player"):
            return refusals.NO_PLAYER
        return Accepted((CardIssued(card=command.card, player=command.player, by=context.actor.id),))
    return Already() if known == Card(command.player) else refusals.CARD_TAKEN


def block(state: LedgerState, command: BlockCard, context: Context) -> Decision:
    """Block a card; one that leads nowhere already stays what it is."""
    if state.bringing is not None:
        return refusals.DAY_OPENING
    known = buckets.find(state.cards, command.card)
    if known is None:
        return refusals.CARD_UNKNOWN
    if known.status != "active":
        return Already()
    return Accepted((CardBlocked(card=command.card, reason=command.reason, by=context.actor.id),))


def replace_card(state: LedgerState, command: ReplaceCard, context: Context) -> Decision:
    """Put a new card in the place of one; each card has one that follows it at most."""
    if state.bringing is not None:
        return refusals.DAY_OPENING
    known = buckets.find(state.cards, command.card)
    if known is None:
        return refusals.CARD_UNKNOWN
    if known.status == "replaced":
        return Already() if known.new_card == command.new_card else refusals.CARD_REPLACED
    if buckets.find(state.cards, command.new_card) is not None:
        return refusals.CARD_TAKEN
    replaced = CardReplaced(
        card=command.card,
        new_card=command.new_card,
        player=known.player,
        reason=command.reason,
        by=context.actor.id,
    )
    return Accepted((replaced,))


def after(state: LedgerState, event: CardIssued | CardBlocked | CardReplaced) -> LedgerState:
    """Return the state after a fact about a card."""
    match event:
        case CardIssued():
            changed = {event.card: Card(event.player)}
        case CardBlocked():
            known = buckets.find(state.cards, event.card)
            assert known is not None, f"card {event.card} was never issued"
            changed = {event.card: replace(known, status="blocked")}
        case CardReplaced():
            changed = {event.card: Card(event.player, "replaced", event.new_card), event.new_card: Card(event.player)}
    return replace(state, cards=buckets.put(state.cards, changed))
