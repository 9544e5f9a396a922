"""From a game's steps to the events of its table: draws, charges, settlement into the meters, voids."""

from typing import Any

from libs.kernel.accounts import HOUSE_ENTRY, HOUSE_RAKE, float_account, seat_account
from libs.kernel.contracts.wallet import Leg
from libs.kernel.decider import Accepted
from libs.kernel.game import Annul, AskDraw, Charge, Note, Paid, Release, Round, Settle, Step, Steps, Withdraw
from libs.kernel.ids import draw_id
from libs.kernel.limits import DEVICE_REPORT_MS, MANUAL_ENTRY_MS
from libs.kernel.messages import Event
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.evolve import evolve
from libs.table.interruption_messages import StakesReleased
from libs.table.results import SeatResult, Settled
from libs.table.state import TableState, hosted, round_of

_ENDS = (Settle, Annul)


class Draft:
    """The events of one decision while it is being made, and the state that they lead to."""

    def __init__(self, state: TableState, now_ms: int) -> None:
        self._state, self._applied = state, 0
        self.now_ms = now_ms
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        """Take an event into the decision."""
        self.events.append(event)

    @property
    def state(self) -> TableState:
        """The state that the events so far lead to; what nobody asks for (that of a settlement) is never made."""
        while self._applied < len(self.events):
            self._state = evolve(self._state, self.events[self._applied])
            self._applied += 1
        return self._state

    def round(self) -> Round[Any]:
        """Return what the game may see now."""
        return round_of(self.state, self.now_ms)

    def accepted(self) -> Accepted:
        """Return the decision."""
        return Accepted(tuple(self.events))


def take_steps(draft: Draft, steps: Steps) -> None:
    """Turn a game's steps into events, in order. Nothing may follow the end of the coup."""
    for number, step in enumerate(steps, start=1):
        assert not isinstance(step, _ENDS) or number == len(steps), "a step follows the end of the coup"
        draft.add(_event_of(draft.state, step, draft.now_ms))


def _event_of(state: TableState, step: Step, now_ms: int) -> Event:
    match step:
        case Note(event):
            return event
        case AskDraw():
            return _asked(state, step, now_ms)
        case Withdraw(name):
            assert name in state.awaited, f"outcome {name} is not awaited from people or a device"
            return o.OutcomeWithdrawn(coup=state.coup, name=name)
        case Charge():
            return _charged(state, step)
        case Settle():
            return _settled(state, step)
        case Release():
            return _released(state, step)
        case Annul(code, reason, unplayed):
            return voided(state, code, reason, unplayed=unplayed)


def _asked(state: TableState, ask: AskDraw, now_ms: int) -> Event:
    """Order the outcome where the session's terms say that outcomes come from."""
    source = hosted(state)[1].source
    if source == "rng":
        draw = draw_id(state.pit, state.table, state.session, state.coup, ask.name)
        return m.DrawRequested(coup=state.coup, draw_id=draw, name=ask.name, bounds=ask.bounds, sealed=ask.sealed)
    by_device = source == "device"
    assert by_device or not ask.sealed, "nobody at a console can see what is sealed"
    return o.OutcomeAwaited(
        coup=state.coup,
        name=ask.name,
        bounds=ask.bounds,
        by="device" if by_device else "console",
        due_ms=now_ms + (DEVICE_REPORT_MS if by_device else MANUAL_ENTRY_MS),
        sealed=ask.sealed,
    )


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
    on_table = {seat: sum(taken.stakes.values()) for seat, taken in state.seats.items() if taken.stakes}
    settled = {result.seat: result.staked for result in results if result.staked}
    assert on_table == settled, "the game did not settle every stake, to the cent"
    legs = _seat_legs(state, results)
    house = -sum(leg.amount for leg in legs) - settle.rake - settle.entry_fees
    sides = ((float_account(state.table), house), (HOUSE_RAKE, settle.rake), (HOUSE_ENTRY, settle.entry_fees))
    legs += [Leg(account, amount) for account, amount in sides if amount]
    counts = state.last_left is not None and state.coup > state.last_after
    return m.CoupSettled(
        coup=state.coup,
        outcome=settle.outcome,
        wagers=_lines(settle.paid),
        seats=results,
        posting=state.postings + 1 if legs else 0,
        legs=tuple(legs),
        last_coups_left=state.last_left - 1 if counts and state.last_left is not None else state.last_left,
        held=settle.held,
    )


def _released(state: TableState, release: Release) -> StakesReleased:
    """Pay what waited for a later coup; the stakes of the running coup stay where they are."""
    assert not any(paid.stake for paid in release.paid), "a stake of the running coup is not released but settled"
    results = _results(state, release.paid)
    legs = _seat_legs(state, results)
    if legs:
        legs.append(Leg(float_account(state.table), -sum(leg.amount for leg in legs)))
    return StakesReleased(
        coup=state.coup,
        reason=release.reason,
        wagers=_lines(release.paid),
        seats=results,
        posting=state.postings + 1 if legs else 0,
        legs=tuple(legs),
    )


def _lines(paid: tuple[Paid, ...]) -> tuple[Settled, ...]:
    return tuple(Settled(line.seat, line.spot, line.stake, line.credit, line.step) for line in paid)


def _seat_legs(state: TableState, results: tuple[SeatResult, ...]) -> list[Leg]:
    return [
        Leg(seat_account(state.table, result.seat), result.credited - result.staked)
        for result in results
        if result.credited != result.staked
    ]


def _results(state: TableState, paid: tuple[Paid, ...]) -> tuple[SeatResult, ...]:
    """Return what each seat staked and gets."""
    staked: dict[int, int] = {}
    credited: dict[int, int] = {}
    for wager in paid:
        staked[wager.seat] = staked.get(wager.seat, 0) + wager.stake
        credited[wager.seat] = credited.get(wager.seat, 0) + wager.credit
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
