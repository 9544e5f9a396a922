"""A game for tests only: the duel, a pot between players with hidden cards. See README.md.

It is copied into a house of its own as `libs/games/duel` (hence the relative imports) to show that a game is one new
folder and nothing else, and that a table can host what the wheel does not have: decisions of players in the middle of a
coup, cards that stay face down, a pot with a rake, and stakes that wait for the next coup.
"""

from libs.kernel.game import Announcement, Game, Paytable

from . import messages as m
from . import rules

GAME: Game[rules.DuelState] = Game(
    name="duel",
    rules_version=1,
    roles={m.Raise: frozenset({"player"}), m.Stay: frozenset({"player"})},
    events=frozenset({m.CardsDealt, m.Stayed, m.Raised, m.CardShown, m.PotHeld}),
    state=rules.DuelState,
    paytables={"DUEL": Paytable(gains={}, edges={})},
    words={
        "title": Announcement("duel", "Duel", "Duel"),
        "void": Announcement("coup_nul", "Coup nul", "Void"),
        "last_coups": Announcement("trois_derniers", "Les trois derniers coups", "The last three coups"),
    },
    check_terms=rules.check_terms,
    maxima=rules.maxima,
    worst_gain=rules.worst_gain,
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
    rows=rules.rows,
    extra_rows=rules.rows,
    outcome=rules.outcome,
    show=rules.show,
    on_interrupt=rules.on_interrupt,
    sources=frozenset({"rng", "device"}),
)
"""The duel as a table hosts it."""
