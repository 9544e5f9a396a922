"""What a player may still stake here, as the ledger has told it: kept by the table, so wagers never ask the ledger.

Nobody is here who has neither a limit of stakes nor an exclusion: the table never hears of others. What is staked under
a word is counted where chips leave the credit meter, and told to the ledger with the answer to the next word. Chips
that lie on the layout are played out, whatever comes; cashing out and leaving know nothing of this. No game does.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from libs.kernel.allowances import EXCLUSIONS, REFUSALS, Allowance
from libs.kernel.contracts.table import AllowanceSet, SetAllowance
from libs.kernel.decider import Accepted, Already, Context, Decision, NotYet
from libs.kernel.game import Charge, Step
from libs.kernel.messages import Event
from libs.kernel.refusals import Refusal
from libs.table import refusals
from libs.table.results import Heard
from libs.table.state import TableState


# -- what the ledger says -----------------------------------------------------------------------------------------
def set_allowance(state: TableState, command: SetAllowance, _: Context) -> Decision:
    """Take the ledger's word, unless a later one is known; its answer tells what was staked under those before it."""
    player, number = command.player, command.allowance.number
    heard = state.allowances.get(player)
    if heard is not None and number <= heard.said.allowance.number:
        if number == heard.said.allowance.number:
            return Already((heard.said,))
        return NotYet(f"word {number} about {player} was followed by {heard.said.allowance.number}")
    if state.session == 0:
        return refusals.NOT_OPEN  # there is no stream yet that could record it
    return Accepted((heard_now(state, player, command.allowance, command.known),))


def heard_now(state: TableState, player: str, allowance: Allowance, known: int = 0) -> AllowanceSet:
    """Return the fact that the table has taken a word; the ledger counts what was staked up to word `known` already."""
    heard = state.allowances.get(player)
    staked: dict[int, int] = {}
    if heard is not None:
        counted = {**heard.said.staked, heard.said.allowance.number: heard.staked}
        staked = {word: cents for word, cents in counted.items() if cents and word > known}
    return AllowanceSet(player=player, allowance=allowance, staked=staked, seated=player in state.places)


def is_news(state: TableState, player: str, allowance: Allowance) -> bool:
    """Tell whether a word is later than what the table has heard of the player."""
    heard = state.allowances.get(player)
    return heard is None or allowance.number > heard.said.allowance.number


def carried(state: TableState) -> dict[str, Heard]:
    """Return what the next session must know: open grants, and what the ledger may not have heard of the last one.

    A word that nobody has spoken of for a whole session says nothing any more: without a new buy-in there are no chips.
    """
    return {
        player: replace(heard, in_coup=0, carried=True)
        for player, heard in state.allowances.items()
        if not heard.carried or heard.said.allowance.cents
    }


# -- what it refuses ----------------------------------------------------------------------------------------------
def seat_refused(state: TableState, player: str) -> Refusal | None:
    """Return why a player may not sit down here: the table has heard of an exclusion."""
    heard = state.allowances.get(player)
    return REFUSALS[heard.said.allowance.code] if heard and heard.said.allowance.code in EXCLUSIONS else None


def stake_refused(state: TableState, player: str, amount: int) -> Refusal | None:
    """Return why a player may not stake so many cents more."""
    left = left_to_stake(state, player)
    if left is None or amount <= left:
        return None
    return REFUSALS[state.allowances[player].said.allowance.code]


def charge_refused(state: TableState, steps: Iterable[Step]) -> Refusal | None:
    """Return why a word of a player cannot be taken: it would stake more than he may."""
    charged: dict[int, int] = {}
    for step in steps:
        if isinstance(step, Charge):
            charged[step.seat] = charged.get(step.seat, 0) + step.amount
    found = (stake_refused(state, state.seats[seat].player, amount) for seat, amount in charged.items())
    return next((refusal for refusal in found if refusal is not None), None)


def left_to_stake(state: TableState, player: str) -> int | None:
    """Return how many cents a player may still stake here; None without a limit."""
    heard = state.allowances.get(player)
    if heard is None or heard.said.allowance.cents is None:
        return None
    return heard.said.allowance.cents - heard.staked


# -- how facts change it ------------------------------------------------------------------------------------------
def _set(state: TableState, event: AllowanceSet) -> TableState:
    return replace(state, events=state.events + 1, allowances={**state.allowances, event.player: Heard(event)})


def after_stake(state: TableState, player: str, amount: int) -> dict[str, Heard]:
    """Return the allowances after a stake; a negative one was taken back.

    What was staked before the running word was heard is told already: taken back or void, it stays counted there.
    """
    heard = state.allowances.get(player)
    if heard is None or heard.said.allowance.cents is None:
        return state.allowances
    amount = max(amount, -heard.in_coup)
    changed = replace(heard, staked=heard.staked + amount, in_coup=heard.in_coup + amount)
    return {**state.allowances, player: changed}


def after_coup(state: TableState, *, void: bool) -> dict[str, Heard]:
    """Return the allowances after a coup: what was staked in a void one was not staked."""
    return {
        player: replace(heard, staked=heard.staked - heard.in_coup if void else heard.staked, in_coup=0)
        for player, heard in state.allowances.items()
    }


APPLY: dict[type[Event], Callable[[TableState, Any], TableState]] = {AllowanceSet: _set}
