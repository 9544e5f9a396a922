"""Who may say what to a table, and which function decides it."""

from collections.abc import Callable
from typing import Any

from libs.games import GAMES
from libs.kernel.actors import Role
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import CreditSeat, MoveFloat, SetAllowance
from libs.kernel.decider import Context, Decision
from libs.kernel.messages import Command, Tick
from libs.kernel.refusals import role_not_allowed
from libs.table import allowances, buy_ins
from libs.table import decide_coup as coup
from libs.table import decide_outcome as outcome
from libs.table import decide_seats as seats
from libs.table import decide_session as session
from libs.table import float as table_float
from libs.table import float_messages as f
from libs.table import interruption_messages as i
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.state import TableState

_Decide = Callable[[TableState, Any, Context], Decision]

_PLAYER: frozenset[Role] = frozenset({"player"})
_DEALERS: frozenset[Role] = frozenset({"croupier", "pit_boss"})
_CHIEFS: frozenset[Role] = frozenset({"pit_boss", "committee_member"})
_COMMITTEE: frozenset[Role] = frozenset({"committee_member"})
_SERVICE: frozenset[Role] = frozenset({"service"})

_TABLE: dict[type[Command], tuple[frozenset[Role], _Decide]] = {
    m.PlaceWager: (_PLAYER, coup.place_wager),
    m.TakeBackWager: (_PLAYER, coup.take_back_wager),
    m.TakeSeat: (_PLAYER, seats.take_seat),
    m.LeaveSeat: (_PLAYER, seats.leave_seat),
    m.CashOut: (_PLAYER, seats.cash_out),
    m.OpenBetting: (_DEALERS, coup.open_betting),
    m.CloseBetting: (_DEALERS, coup.close_betting),
    m.VoidCoup: (_CHIEFS, coup.void_coup),
    o.RecordOutcome: (_DEALERS | _COMMITTEE | {"device"}, outcome.record),
    o.ConfirmOutcome: (_DEALERS | _COMMITTEE, outcome.confirm),
    o.CorrectOutcome: (frozenset({"pit_boss"}), outcome.correct),
    m.CheckEquipment: (frozenset({"technician", "committee_member"}), session.check_equipment),
    m.OpenSession: (_COMMITTEE, session.open_session),
    m.AnnounceLastCoups: (_CHIEFS, session.announce_last_coups),
    m.CloseSession: (_COMMITTEE, session.close_session),
    i.InterruptSession: (_COMMITTEE, session.interrupt_session),
    CreditSeat: (_SERVICE, buy_ins.credit_seat),
    SetAllowance: (_SERVICE, allowances.set_allowance),
    MoveFloat: (_SERVICE, table_float.move_float),
    f.CountFloat: (_DEALERS | _COMMITTEE, table_float.count_float),
    Answered: (_SERVICE, coup.answered),
    Tick: (_SERVICE, coup.tick),
}

_GAMES: dict[type[Command], tuple[frozenset[Role], _Decide]] = {
    kind: (roles, coup.game_command) for game in GAMES.values() for kind, roles in game.roles.items()
}

_ALL = _TABLE | _GAMES

COMMANDS: frozenset[type[Command]] = frozenset(_ALL)
"""All commands of a table, those of its games included."""


def decide(state: TableState, command: Command, context: Context) -> Decision:
    """Return what becomes of a command; the speaker's role is checked first."""
    roles, decide_it = _ALL[type(command)]
    if context.actor.role not in roles:
        return role_not_allowed(roles)
    return decide_it(state, command, context)
