"""Roue de la chance électronique (art. 67-16-5); see README.md beside this file."""

from libs.games.wheel import board, paytables, rules
from libs.games.wheel import messages as m
from libs.games.wheel.state import WheelState
from libs.kernel.game import Game

GAME: Game[WheelState] = Game(
    name="wheel",
    rules_version=rules.RULES_VERSION,
    roles={
        m.PressBuzzer: frozenset({"player"}),
        m.LaunchWheel: frozenset({"croupier", "pit_boss", "committee_member"}),
        m.ReportSpin: frozenset({"device"}),
        m.EnterSegment: frozenset({"committee_member"}),
    },
    events=frozenset(
        {m.WheelLaunched, m.BonusLaunched, m.SpinReported, m.ManualModeStarted, m.SegmentEntered, m.RingStopped}
    ),
    state=WheelState,
    paytables=paytables.PAYTABLES,
    words=board.WORDS,
    check_terms=rules.check_terms,
    maxima=paytables.maxima,
    worst_gain=paytables.worst_gain,
    begin=rules.begin,
    carry=rules.carry,
    held=rules.held,
    check_wager=rules.check_wager,
    on_lock=rules.on_lock,
    on_command=rules.on_command,
    command_behind=rules.command_behind,
    on_draw=rules.on_draw,
    on_due=rules.on_due,
    evolve=rules.evolve,
    rows=board.rows,
    extra_rows=board.extra_rows,
    outcome=board.outcome,
    show=board.show,
)
"""The game as the table hosts it."""
