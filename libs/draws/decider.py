"""The draws as the runtime takes them: a draw is made once for its id, logged, and answered again from then on (law 9).

The values come from the entropy that the runtime hands to this decision alone, and from the draw's id and bounds; never
from wagers or earlier draws, of which this decider knows nothing.
"""

from libs.draws.mapping import draw
from libs.draws.state import DrawDefect, DrawsState, initial, remember
from libs.kernel import buckets
from libs.kernel.contracts.rng import UNHEALTHY, Drawn, DrawsOpened, RequestDraw, SealedDrawn
from libs.kernel.decider import Accepted, Already, Context, Decider, Decision, NotYet, Outgoing
from libs.kernel.ids import split_draw_id
from libs.kernel.limits import DRAW_ENTROPY_BYTES, DRAW_TABLES, DRAWS_PER_COUP
from libs.kernel.messages import Command, Event, tag_of
from libs.kernel.refusals import Refusal

ROLE_NOT_ALLOWED = Refusal(
    code="role.not_allowed",
    fr="Votre fonction ne permet pas cette opération.",
    en="Your role does not allow this operation.",
)
BAD_ID = Refusal(
    code="draw.bad_id",
    fr="Cet identifiant de tirage est mal formé.",
    en="This draw id is malformed.",
)
CONFLICT = Refusal(
    code="draw.conflict",
    fr="Cet identifiant de tirage a déjà servi pour une autre demande.",
    en="This draw id was already used for another request.",
)
TOO_OLD = Refusal(
    code="draw.too_old",
    fr="Ce tirage est trop ancien : il ne se lit plus que dans le journal.",
    en="This draw is too old: it can only be read in the log.",
)
TOO_MANY = Refusal(
    code="draw.too_many",
    fr="Trop de tirages sont demandés pour ce coup ou par trop de tables.",
    en="Too many draws are asked for this coup, or by too many tables.",
)


def decide(state: DrawsState, command: Command, context: Context) -> Decision:
    """Decide a request: the draw of that id as it was made, or a new one. The first fact opens the volume.

    Whether the draw is sealed changes nothing in how it is made: the values are those of the id and the entropy.
    """
    if not isinstance(command, RequestDraw):
        raise DrawDefect(f"the draws know no command {tag_of(command)}")
    if context.actor.role != "service":
        return ROLE_NOT_ALLOWED
    decision = _known(state, command)
    if decision is not None:
        return decision
    if not context.entropy:
        # Nothing random was to be had. Said once under the request's id; the second request waits for values.
        return NotYet("the generator is not healthy") if command.again else UNHEALTHY
    if len(context.entropy) < DRAW_ENTROPY_BYTES:
        raise DrawDefect(f"a draw needs {DRAW_ENTROPY_BYTES} fresh random bytes, not {len(context.entropy)}")
    values = draw(context.entropy, command.draw_id, command.bounds)
    kind = SealedDrawn if command.sealed else Drawn
    drawn = kind(draw_id=command.draw_id, bounds=command.bounds, values=values)
    return Accepted((drawn,) if state.opened else (DrawsOpened(book=context.book), drawn))


def _known(state: DrawsState, command: RequestDraw) -> Decision | None:
    """Return the answer to a request that leads to no new draw; None for one that does."""
    try:
        path, session, coup, name = split_draw_id(command.draw_id)
    except ValueError:
        return BAD_ID
    table = buckets.find(state.tables, path)
    if table is None:
        return TOO_MANY if state.table_count >= DRAW_TABLES else None
    if session != table.session:
        return TOO_OLD if session < table.session else None
    if coup <= table.forgotten:
        return TOO_OLD
    of_coup = table.of_coup(coup)
    if name in of_coup:
        made = of_coup[name]
        same = made.bounds == command.bounds and made.secret == command.sealed
        return Already((made,)) if same else CONFLICT
    return TOO_MANY if len(of_coup) >= DRAWS_PER_COUP else None


def evolve(state: DrawsState, event: Event) -> DrawsState:
    """Return the state after one fact; the state given stays whole."""
    match event:
        case Drawn():
            return remember(state, event)
        case DrawsOpened():
            opened = DrawsState(book=state.book, opened=True)
            for drawn in event.remembered:
                opened = remember(opened, drawn)
            return opened
        case _:
            raise DrawDefect(f"the draws know no event {tag_of(event)}")


def react(_state: DrawsState) -> tuple[Outgoing, ...]:
    """The draws wait for nobody."""
    return ()


def deadline(_state: DrawsState) -> None:
    """The draws wait for no hour."""


DECIDER: Decider[DrawsState] = Decider(
    commands=frozenset({RequestDraw}),
    events=frozenset({DrawsOpened, Drawn, SealedDrawn}),
    initial=initial,
    decide=decide,
    evolve=evolve,
    react=react,
    deadline=deadline,
)
