"""Opening and closing a session (art. 67-16-5, art. 31, art. 42)."""

from fractions import Fraction

from libs.games import GAMES
from libs.kernel.accounts import HOUSE_BANK, float_account, player_account, seat_account
from libs.kernel.contracts.wallet import Leg
from libs.kernel.decider import Accepted, Already, Context, Decision
from libs.kernel.game import Paytable, Proposal
from libs.kernel.limits import EMPTY_COUPS_TO_CLOSE, LAST_COUPS, MAX_COUP_GAIN_CENTS
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table import refusals
from libs.table.allowances import carried as allowances_carried
from libs.table.buy_ins import answers_carried
from libs.table.interruption_messages import InterruptSession, SessionInterrupted
from libs.table.results import SeatClosed
from libs.table.state import BETWEEN_COUPS, IN_SESSION, Check, TableState, hosted
from libs.table.steps import Draft, take_steps, voided


def check_equipment(state: TableState, _: m.CheckEquipment, context: Context) -> Decision:
    """The technician's check prepares the session; a committee member, another person, may then check as well."""
    actor = context.actor
    if state.phase in IN_SESSION:
        return refusals.ALREADY_OPEN
    if state.phase == "closed":
        return _prepare(state, context)
    if Check(actor.role, actor.id) in state.checks:
        return Already()
    if any(check.by == actor.id for check in state.checks):
        return refusals.TWO_PEOPLE
    if any(check.role == actor.role for check in state.checks):
        return refusals.ALREADY_CHECKED
    return Accepted((m.EquipmentChecked(by=actor.id, role=actor.role),))


def _prepare(state: TableState, context: Context) -> Decision:
    """Begin the next session's stream, with all that it needs from the one before."""
    if context.actor.role != "technician":
        return refusals.TECHNICIAN_FIRST
    if state.owed:
        return refusals.POSTINGS_PENDING
    if state.seeds:
        return refusals.SEEDS_PENDING
    carried = dict(state.carried)
    if state.terms is not None:
        game, terms, game_state = hosted(state)
        carried |= {f"{terms.game}.{key}": value for key, value in game.carry(game_state).items()}
    prepared = m.SessionPrepared(
        table=context.book,
        pit=context.shard,
        session=state.session + 1,
        by=context.actor.id,
        carried=carried,
        credits=answers_carried(state),
        credits_from=state.credits_from,
        float_answer=state.float_answer,
        allowances=allowances_carried(state),
    )
    return Accepted((prepared,))


def open_session(state: TableState, command: m.OpenSession, context: Context) -> Decision:
    """A committee member fixes the terms. Opening without a check of the own is also the committee's check."""
    if state.phase in IN_SESSION:
        return refusals.ALREADY_OPEN
    if state.phase == "closed":
        return refusals.NOT_PREPARED
    if state.checks[0].by == context.actor.id:
        return refusals.TWO_PEOPLE
    refusal = terms_refusal(command)
    if refusal is not None:
        return refusal
    opened = _opened(state, command, context)
    legs = (
        Leg(HOUSE_BANK, -command.float_amount),
        Leg(float_account(state.table), command.float_amount),
    )
    return Accepted((opened, m.PostingDue(number=1, reason="float_opened", legs=legs)))


def _proposal(command: m.OpenSession) -> Proposal:
    return Proposal(
        minimum=command.minimum,
        source=command.source,
        seats=command.seats,
        options=dict(command.options),
        float_amount=command.float_amount,
        paytable=command.paytable,
    )


def terms_refusal(command: m.OpenSession) -> Refusal | None:
    """Return what the rules of the game and the house have against these terms; None when a session may have them."""
    game = GAMES.get(command.game)
    if game is None:
        return refusals.unknown_game(command.game, GAMES)
    paytable = game.paytables.get(command.paytable)
    if paytable is None:
        return refusals.unknown_paytable(command.paytable, game.paytables)
    if command.source not in game.sources:
        return refusals.source_not_offered(command.source, game.sources)
    proposal = _proposal(command)
    refusal = game.check_terms(proposal)
    if refusal is not None:
        return refusal
    if game.worst_gain(paytable, proposal) * command.seats > MAX_COUP_GAIN_CENTS:
        return refusals.LIMITS_TOO_HIGH
    negative = _negative(paytable)
    return refusals.negative_edge(negative) if negative and not command.confirm_negative_edge else None


def _negative(paytable: Paytable) -> dict[str, str]:
    """Return the chances that favour the player, with their exact edges."""
    return {spot: str(edge) for spot, edge in paytable.edges.items() if edge < Fraction(0)}


def _opened(state: TableState, command: m.OpenSession, context: Context) -> m.SessionOpened:
    game = GAMES[command.game]
    paytable = game.paytables[command.paytable]
    committee = next((check.by for check in state.checks if check.role == "committee_member"), context.actor.id)
    return m.SessionOpened(
        session=state.session,
        game=command.game,
        rules_version=game.rules_version,
        paytable=command.paytable,
        paytable_content=paytable.gains,
        edges={spot: str(edge) for spot, edge in paytable.edges.items()},
        minimum=command.minimum,
        maxima=game.maxima(_proposal(command)),
        float_amount=command.float_amount,
        seats=command.seats,
        source=command.source,
        betting_ms=command.betting_ms,
        decision_ms=command.decision_ms,
        options=command.options,
        opened_by=context.actor.id,
        checked_by=(state.checks[0].by, committee),
        negative_edge_confirmed=bool(_negative(paytable)),
        seeded=command.source == "rng",
    )


def announce_last_coups(state: TableState, _: m.AnnounceLastCoups, context: Context) -> Decision:
    """*Les trois derniers coups*: the next three valid ones; a coup that is running does not count."""
    if state.phase not in IN_SESSION:
        return refusals.NOT_OPEN
    if state.last_left is not None:
        return Already()
    return Accepted((m.LastCoupsAnnounced(coups=LAST_COUPS, by=context.actor.id),))


def close_session(state: TableState, _: m.CloseSession, context: Context) -> Decision:
    """Close after the last coups; at once when nobody sits here, or after three coups without a stake (art. 31)."""
    if state.phase == "closed" and state.session:
        return Already()
    if state.phase not in IN_SESSION:
        return refusals.NOT_OPEN
    if state.phase not in BETWEEN_COUPS:
        return refusals.COUP_RUNNING
    if state.last_left != 0 and state.seats and state.empty_coups < EMPTY_COUPS_TO_CLOSE:
        return refusals.LAST_COUPS_FIRST
    game, _terms, game_state = hosted(state)
    if any(game.held(game_state, seat) for seat in state.seats):
        return refusals.STAKES_HELD
    return Accepted((_closed(state, context),))


def interrupt_session(state: TableState, command: InterruptSession, context: Context) -> Decision:
    """End the session at once: what waits for a later coup is paid, the running coup is void, all chips go home."""
    if state.phase == "closed" and state.session:
        return Already()
    if state.phase not in IN_SESSION:
        return refusals.NOT_OPEN
    game = hosted(state)[0]
    draft = Draft(state, context.now_ms)
    draft.add(SessionInterrupted(session=state.session, by=context.actor.id, reason=command.reason))
    take_steps(draft, game.on_interrupt(draft.round()))
    if draft.state.phase not in BETWEEN_COUPS:
        draft.add(voided(draft.state, "interrupted", command.reason))
    draft.add(_closed(draft.state, context))
    return draft.accepted()


def _closed(state: TableState, context: Context) -> m.SessionClosed:
    """All chips go home to the players' accounts, the float goes back to the house."""
    returned = tuple(
        SeatClosed(seat=number, player=seat.player, amount=seat.credit) for number, seat in sorted(state.seats.items())
    )
    legs: list[Leg] = []
    for seat in returned:
        if seat.amount:
            legs.append(Leg(seat_account(state.table, seat.seat), -seat.amount))
            legs.append(Leg(player_account(seat.player), seat.amount))
    if state.float_balance:
        legs.append(Leg(float_account(state.table), -state.float_balance))
        legs.append(Leg(HOUSE_BANK, state.float_balance))
    return m.SessionClosed(
        session=state.session,
        by=context.actor.id,
        coups=state.coup,
        events=state.events + 1,
        handle=state.handle,
        returned=returned,
        posting=state.postings + 1 if legs else 0,
        legs=tuple(legs),
    )
