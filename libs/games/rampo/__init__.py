"""Rampo (art. 55-22-1); see README.md beside this file."""

from libs.games.rampo import board, dice, fold, paytables, rules
from libs.games.rampo import messages as m
from libs.games.rampo.state import RampoState
from libs.kernel.actors import Role
from libs.kernel.game import Game

_PLAYER: frozenset[Role] = frozenset({"player"})

GAME: Game[RampoState] = Game(
    name="rampo",
    rules_version=rules.RULES_VERSION,
    roles={
        m.SetChipValue: _PLAYER,
        m.RefuseDice: _PLAYER,
        m.ChangeDice: _PLAYER,
        m.ThrowDice: _PLAYER,
        m.AnswerRampo: _PLAYER,
        m.CallCoupNul: frozenset({"croupier", "pit_boss"}),
        m.RemoveShooter: frozenset({"pit_boss"}),
    },
    events=frozenset(
        {
            m.ColourGiven,
            m.ColourReturned,
            m.ChipValueSet,
            m.DiceOffered,
            m.DiceRefused,
            m.ShooterRemoved,
            m.DiceChanged,
            m.DiceThrown,
            m.ThrowAnnulled,
            m.NumberThrown,
            m.RampoOffered,
            m.RampoAnswered,
            m.ZoneSet,
        }
    ),
    state=RampoState,
    paytables=paytables.PAYTABLES,
    words=board.WORDS,
    check_terms=rules.check_terms,
    maxima=paytables.maxima,
    worst_gain=paytables.worst_gain,
    begin=fold.begin,
    carry=fold.carry,
    held=rules.held,
    check_wager=rules.check_wager,
    on_open=dice.on_open,
    on_seated=rules.on_seated,
    on_left=rules.on_left,
    on_lock=rules.on_lock,
    on_command=rules.on_command,
    command_behind=rules.command_behind,
    on_draw=rules.on_draw,
    on_due=rules.on_due,
    on_interrupt=rules.on_interrupt,
    go_back=fold.go_back,
    evolve=fold.evolve,
    rows=board.rows,
    extra_rows=board.extra_rows,
    outcome=board.outcome,
    show=board.show,
)
"""The game as the table hosts it."""
