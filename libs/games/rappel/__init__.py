"""Le Jeu du Rappel (the notice in the seeds, rules.md section 5); see README.md beside this file."""

from libs.games.rappel import board, decisions, paytables, rules
from libs.games.rappel import messages as m
from libs.games.rappel.evolve import evolve
from libs.games.rappel.state import RappelState
from libs.kernel.actors import Role
from libs.kernel.game import Game

_PLAYER: frozenset[Role] = frozenset({"player"})

GAME: Game[RappelState] = Game(
    name="rappel",
    rules_version=rules.RULES_VERSION,
    roles={
        m.TryRappel: _PLAYER,
        m.Decline: _PLAYER,
        m.Follow: _PLAYER,
        m.Raise: _PLAYER,
        m.Pass: _PLAYER,
        m.CallCocked: frozenset({"croupier", "pit_boss"}),
    },
    events=frozenset(
        {
            m.GameStarted,
            m.FirstRolled,
            m.WordGiven,
            m.RappelDeclined,
            m.RappelTried,
            m.RappelRolled,
            m.Followed,
            m.Raised,
            m.Passed,
            m.BetsMatched,
            m.SecondRolled,
            m.DieCocked,
            m.PotDecided,
        }
    ),
    state=RappelState,
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
    on_command=decisions.on_command,
    command_behind=decisions.command_behind,
    on_draw=rules.on_draw,
    on_due=rules.on_due,
    evolve=evolve,
    rows=board.rows,
    extra_rows=board.extra_rows,
    outcome=board.outcome,
    show=board.show,
)
"""The game as the table hosts it."""
