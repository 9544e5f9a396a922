"""From a game's steps to the events of its table: draws, charges, settlement into the meters, voids."""

from typing import Any

from libs.kernel.contracts.wallet import Leg
from libs.kernel.decider import Accepted
from libs.kernel.game import Annul, AskDraw, Charge, Note, Paid, Round, Settle, Step, Steps
from libs.kernel.ids import draw_id
from libs.kernel.messages import Event
from libs.table import messages as m
from libs.table.evolve import evolve
from libs.table.results import SeatResult, Settled
from libs.table.state import HOUSE_ENTRY, HOUSE_RAKE, TableState, float_account, round_of, seat_account


class Draft:
    """The events of one decision while it is being made, and the state that they lead to."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        """Take an event into the decision."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def round(self, now_ms: int) -> Round[Any]:
        """Return what the game may see now."""
        return round_of(self.state, now_ms)

    def accepted(self) -> Accepted:
        """Return the decision."""
        return Accepted(tuple(self.events))


def take_steps(draft: Draft, steps: Steps) -> None:
    """Turn a game's steps into events, in order. Nothing may follow the end of the coup."""
    for number, step in enumerate(steps, start=1):
        ends = isinstance(step, Settle | Annul)
        assert not ends or number == len(steps), "a step follows the end of the coup"
        draft.add(_event_of(draft.state, step))


def _event_of(state: TableState, step: Step) -> Event:
    match step:
        case Note(event):
            return event
        case AskDraw(name, bounds, sealed):
            draw = draw_id(state.pit, state.table, state.session, state.coup, name)
            return m.DrawRequested(coup=state.coup, draw_id=draw, name=name, bounds=bounds, sealed=sealed)
        case Charge():
            return _charged(state, step)
        case Settle():
            return _settled(state, step)
        case Annul(code, reason, unplayed):
            return voided(state, code, reason, unplayed=unplayed)


def _charged(state: TableState, charge: Charge) -> m.WagerPlaced:
    seat = state.seats[charge.seat]
    assert charge.amount <= seat.credit, f"seat {charge.seat} is charged more than its meter holds"
    return m.WagerPlaced(
        coup=state.coup,
        seat=charge.seat,
        spot=charge.spot,
        amount=charge.amount,
        stake_after=seat.stakes.get(charge.spot, 0) + charge.amount,
        credit_after=seat.credit - charge.amount,
        charged=True,
    )


def _settled(state: TableState, settle: Settle) -> m.CoupSettled:
    """Pay what the game says; the float pays or takes the rest, so that the legs sum to zero (law 8)."""
    results = _results(state, settle.paid)
    legs = [
        Leg(seat_account(state.table, result.seat), result.credited - result.staked)
        for result in results
        if result.credited != result.staked
    ]
    house = -sum(leg.amount for leg in legs) - settle.rake - settle.entry_fees
    sides = ((float_account(state.table), house), (HOUSE_RAKE, settle.rake), (HOUSE_ENTRY, settle.entry_fees))
    legs += [Leg(account, amount) for account, amount in sides if amount]
    counts = state.last_left is not None and state.coup > state.last_after
    return m.CoupSettled(
        coup=state.coup,
        outcome=settle.outcome,
        wagers=tuple(Settled(paid.seat, paid.spot, paid.stake, paid.credit) for paid in settle.paid),
        seats=results,
        posting=state.postings + 1 if legs else 0,
        legs=tuple(legs),
        last_coups_left=state.last_left - 1 if counts and state.last_left is not None else state.last_left,
    )


def _results(state: TableState, paid: tuple[Paid, ...]) -> tuple[SeatResult, ...]:
    """Return each seat's coup. Every stake on the table must be accounted for, to the cent: else it is a defect."""
    staked: dict[int, int] = {}
    credited: dict[int, int] = {}
    for wager in paid:
        staked[wager.seat] = staked.get(wager.seat, 0) + wager.stake
        credited[wager.seat] = credited.get(wager.seat, 0) + wager.credit
    on_table = {seat: sum(taken.stakes.values()) for seat, taken in state.seats.items() if taken.stakes}
    assert on_table == {seat: total for seat, total in staked.items() if total}, "the game did not settle every stake"
    return tuple(
        SeatResult(
            seat=seat,
            player=state.seats[seat].player,
            staked=staked[seat],
            credited=credited[seat],
            credit_after=state.seats[seat].credit + credited[seat],
        )
        for seat in sorted(staked)
    )


def voided(state: TableState, code: str, reason: str, *, unplayed: bool = False) -> m.CoupVoided:
    """*Coup nul*: every stake of the coup goes back to its seat."""
    results = []
    for number, seat in sorted(state.seats.items()):
        if seat.stakes:
            staked = sum(seat.stakes.values())
            results.append(SeatResult(number, seat.player, staked, staked, seat.credit + staked))
    return m.CoupVoided(coup=state.coup, code=code, reason=reason, seats=tuple(results), unplayed=unplayed)
