"""Pair'e poker (art. 55-24); see README.md beside this file."""

from libs.games.paire_poker import board, paytables, rules
from libs.games.paire_poker import messages as m
from libs.games.paire_poker.state import PokerState
from libs.kernel.game import Game

GAME: Game[PokerState] = Game(
    name="paire_poker",
    rules_version=rules.RULES_VERSION,
    roles={
        m.TurnCard: frozenset({"croupier", "pit_boss"}),
        m.PayWinners: frozenset({"croupier", "pit_boss"}),
        m.ReportIrregularity: frozenset({"pit_boss", "committee_member"}),
    },
    events=frozenset({m.CardsLaid, m.CardsDealt, m.CardTurned, m.IrregularityFound}),
    state=PokerState,
    paytables=paytables.PAYTABLES,
    words=board.WORDS,
    check_terms=rules.check_terms,
    maxima=paytables.maxima,
    worst_gain=paytables.worst_gain,
    begin=rules.begin,
    carry=rules.carry,
    held=rules.held,
    check_wager=rules.check_wager,
    check_take_back=rules.check_take_back,
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
    face=rules.face,
)
"""The game as the table hosts it."""
