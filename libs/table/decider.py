"""The decider of a table: what the pit's runtime hosts."""

from libs.games import GAMES
from libs.kernel.decider import Decider
from libs.kernel.messages import Event
from libs.table.decide import COMMANDS, decide
from libs.table.evolve import TABLE_EVENTS, evolve
from libs.table.react import deadline, react
from libs.table.state import TableState, initial

EVENTS: frozenset[type[Event]] = TABLE_EVENTS.union(*(game.events for game in GAMES.values()))
"""All events of a table, those of its games included."""

DECIDER: Decider[TableState] = Decider(
    commands=COMMANDS,
    events=EVENTS,
    initial=initial,
    decide=decide,
    evolve=evolve,
    react=react,
    deadline=deadline,
)
"""The table, hosting whichever game its session was opened with."""
