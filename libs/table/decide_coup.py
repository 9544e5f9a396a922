"""One coup: betting, *rien ne va plus*, the game's turn, and what the RNG and the ledger answer."""

from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import UNHEALTHY, Drawn
from libs.kernel.contracts.wallet import TablePosted
from libs.kernel.decider import Accepted, Already, Context, Decision
from libs.kernel.game import Annul
from libs.kernel.ids import asked_draw, posting_id
from libs.kernel.limits import MAX_WAGERS_PER_SEAT
from libs.kernel.messages import Command, Tick
from libs.kernel.refusals import Refusal
from libs.table import allowances, refusals, seeds
from libs.table import messages as m
from libs.table.decide_outcome import overdue, time_is_over
from libs.table.held_up import DrawHeldUp
from libs.table.state import BETWEEN_COUPS, IN_SESSION, TableState, WantedDraw, hosted
from libs.table.steps import Draft, take_steps, voided


# -- betting ------------------------------------------------------------------------------------------------------
def place_wager(state: TableState, command: m.PlaceWager, context: Context) -> Decision:
    """Stake chips of the meter. Only the order of the log decides whether it was in time."""
    if state.phase != "betting":
        return refusals.BETTING_CLOSED
    number = state.places.get(context.actor.id)
    if number is None:
        return refusals.NOT_SEATED
    seat = state.seats[number]
    game, terms, game_state = hosted(state)
    spot, amount = command.spot, command.amount
    refusal = game.check_wager(terms, game_state, number, seat.stakes, spot, amount)
    if refusal is not None:
        return refusal
    if amount > seat.credit:
        return refusals.credit_too_low(seat.credit)
    if len(seat.stakes) >= MAX_WAGERS_PER_SEAT and spot not in seat.stakes:
        return refusals.TOO_MANY_SPOTS
    if state.allowances:
        refusal = allowances.stake_refused(state, seat.player, amount)
        if refusal is not None:
            return refusal
    placed = m.WagerPlaced(
        coup=state.coup,
        seat=number,
        spot=spot,
        amount=amount,
        stake_after=seat.stakes.get(spot, 0) + amount,
        credit_after=seat.credit - amount,
    )
    return Accepted((placed,))


def take_back_wager(state: TableState, command: m.TakeBackWager, context: Context) -> Decision:
    """Take a whole stake back while betting is open."""
    if state.phase != "betting":
        return refusals.BETTING_CLOSED
    number = state.places.get(context.actor.id)
    if number is None:
        return refusals.NOT_SEATED
    seat = state.seats[number]
    amount = seat.stakes.get(command.spot)
    if amount is None:
        return refusals.NO_STAKE
    game, terms, game_state = hosted(state)
    refusal = game.check_take_back(terms, game_state, seat.stakes, command.spot)
    if refusal is not None:
        return refusal
    taken = m.WagerTakenBack(
        coup=state.coup, seat=number, spot=command.spot, amount=amount, credit_after=seat.credit + amount
    )
    return Accepted((taken,))


def open_betting(state: TableState, _: m.OpenBetting, context: Context) -> Decision:
    """*Faites vos jeux*: a new coup, also without anybody at the table (WA11)."""
    if state.phase not in IN_SESSION:
        return refusals.NOT_OPEN
    if state.phase == "betting":
        return Already()
    if state.phase == "locked":
        return refusals.STILL_RUNNING
    if state.last_left == 0:
        return refusals.NO_MORE_COUPS
    refusal = seeds.not_ready(state)
    if refusal is not None:
        return refusal
    game, terms, _game_state = hosted(state)
    draft = Draft(state, context.now_ms)
    draft.add(m.BettingOpened(coup=state.coup + 1, closes_at_ms=context.now_ms + terms.betting_ms))
    take_steps(draft, game.on_open(draft.round()))
    return draft.accepted()


def close_betting(state: TableState, _: m.CloseBetting, context: Context) -> Decision:
    """*Rien ne va plus*, spoken by the staff."""
    if state.phase == "locked":
        return Already()
    if state.phase != "betting":
        return refusals.NO_COUP
    return _lock(state, context, by_timer=False)


def _lock(state: TableState, context: Context, *, by_timer: bool) -> Decision:
    game = hosted(state)[0]
    draft = Draft(state, context.now_ms)
    lock = game.on_lock(draft.round())
    draft.add(m.BettingClosed(coup=state.coup, by_timer=by_timer, decision_due_ms=lock.due_ms))
    take_steps(draft, lock.steps)
    return draft.accepted()


# -- the game's turn ----------------------------------------------------------------------------------------------
def game_command(state: TableState, command: Command, context: Context) -> Decision:
    """Hand a command of the game to the game; the speaker's role has been checked."""
    if state.phase not in IN_SESSION:
        return refusals.NOT_OPEN
    game = hosted(state)[0]
    if type(command) not in game.roles:
        return refusals.OTHER_GAME
    draft = Draft(state, context.now_ms)
    steps = game.on_command(draft.round(), command, context.actor)
    if isinstance(steps, Already | Refusal):
        return steps
    if state.allowances:
        refusal = allowances.charge_refused(state, steps)
        if refusal is not None:
            return refusal
    take_steps(draft, steps)
    return draft.accepted()


def tick(state: TableState, _: Tick, context: Context) -> Decision:
    """Time has passed: close betting, or go on without whoever was awaited."""
    late = overdue(state, context.now_ms)
    if late is not None:
        return time_is_over(state, late, context)
    if state.due_ms is None or context.now_ms < state.due_ms:
        return Accepted()
    if state.phase == "betting":
        return _lock(state, context, by_timer=True)
    game = hosted(state)[0]
    draft = Draft(state, context.now_ms)
    take_steps(draft, game.on_due(draft.round()))
    assert draft.events, "a game must act when its deadline has passed"
    return draft.accepted()


def void_coup(state: TableState, command: m.VoidCoup, _: Context) -> Decision:
    """*Coup nul* by the staff, until the coup is settled; a draw that arrives later stays in the RNG's log, unused."""
    if state.phase not in IN_SESSION or state.phase in BETWEEN_COUPS:
        return refusals.NO_COUP
    return Accepted((voided(state, "staff", command.reason),))


# -- answers of other services ------------------------------------------------------------------------------------
def answered(state: TableState, command: Answered, context: Context) -> Decision:
    """Hear the RNG or the ledger; an answer that is not awaited (late, or twice) changes nothing."""
    draw_id = asked_draw(command.to)
    wanted = state.draws.get(draw_id)
    if wanted is not None:
        return _drawn(state, command, draw_id, wanted, context)
    for event in command.events:
        if isinstance(event, TablePosted) and command.to == posting_id(state.table, state.session, event.number):
            confirmed = m.PostingConfirmed(number=event.number)
            return Accepted((confirmed,)) if event.number in state.owed else Already((confirmed,))
    return seeds.answered(state, command)


def _drawn(state: TableState, command: Answered, draw_id: str, wanted: WantedDraw, context: Context) -> Decision:
    """Take the values into the log and let the game go on. A draw that failed voids the coup: every stake goes back.

    One that only cannot be made now holds the coup.
    """
    if command.refusal is not None and command.refusal.code == UNHEALTHY.code:
        held = DrawHeldUp(coup=state.coup, draw_id=draw_id, name=wanted.name, refusal=command.refusal)
        return Already() if wanted.held_up else Accepted((held,))
    game = hosted(state)[0]
    draft = Draft(state, context.now_ms)
    values = _values(command, draw_id, wanted)
    if values is None:
        reason = command.refusal.code if command.refusal is not None else "the values do not fit the order"
        take_steps(draft, (Annul(code="draw.failed", reason=f"draw {wanted.name}: {reason}"),))
        return draft.accepted()
    kind = m.SealedDrawReceived if wanted.sealed else m.DrawReceived
    draft.add(kind(coup=state.coup, draw_id=draw_id, name=wanted.name, values=values))
    take_steps(draft, game.on_draw(draft.round(), wanted.name, values))
    return draft.accepted()


def _values(command: Answered, draw_id: str, wanted: WantedDraw) -> tuple[int, ...] | None:
    """Return the values when they are an answer to the order: sealed if it was, one per bound and within it."""
    for event in command.events:
        if isinstance(event, Drawn) and event.draw_id == draw_id and event.bounds == wanted.bounds:
            # What should have been sealed and was not may have been seen: it decides nothing.
            fits = event.secret == wanted.sealed and len(event.values) == len(wanted.bounds)
            if fits and all(0 <= value < bound for value, bound in zip(event.values, wanted.bounds, strict=True)):
                return event.values
    return None
