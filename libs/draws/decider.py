"""The draws as the runtime takes them: a draw is made once for its id, logged, and answered again from then on (law 9).

Where a coup has a seed, its values follow from that seed, and from the draw's id and bounds alone; else from entropy
that the runtime hands to this decision. Never from wagers or earlier draws, of which this decider knows nothing.

    a coup's seed:   CommitSeed --> sealed --RevealSeed--> revealed      (no key opens it: given up)
                                      +-- RequestDraw: drawn from
"""

from collections.abc import Callable
from typing import Any

from libs.draws import refusals
from libs.draws.mapping import draw
from libs.draws.state import (
    Coup,
    DrawDefect,
    DrawsState,
    Seed,
    TableDraws,
    initial,
    remember,
    remember_seed,
)
from libs.kernel import buckets
from libs.kernel.contracts.rng import (
    UNHEALTHY,
    CommitSeed,
    Drawn,
    DrawsOpened,
    RequestDraw,
    RevealSeed,
    SealedDrawn,
    SeedCommitted,
    SeedGivenUp,
    SeedRevealed,
    SeedSealed,
)
from libs.kernel.decider import Accepted, Already, Context, Decider, Decision, NotYet, Outgoing
from libs.kernel.ids import split_draw_id, split_seed_id
from libs.kernel.limits import DRAW_ENTROPY_BYTES, DRAW_TABLES, DRAWS_PER_COUP
from libs.kernel.messages import Command, Event, tag_of
from libs.kernel.refusals import Refusal, role_not_allowed
from libs.kernel.seeds import commitment_of


def decide(state: DrawsState, command: Command, context: Context) -> Decision:
    """Decide a request: what was made under its id, or something new. The first fact opens the volume."""
    decide_it = _DECIDE.get(type(command))
    if decide_it is None:
        raise DrawDefect(f"the draws know no command {tag_of(command)}")
    if context.actor.role != "service":
        return role_not_allowed(["service"])
    decision = decide_it(state, command, context)
    if state.opened or not isinstance(decision, Accepted):
        return decision
    return Accepted((DrawsOpened(book=context.book), *decision.events))


# -- draws --------------------------------------------------------------------------------------------------------
def _request_draw(state: DrawsState, command: RequestDraw, context: Context) -> Decision:
    """Make a draw. Whether it is told to the asker alone changes nothing in how it is made."""
    try:
        path, session, coup, name = split_draw_id(command.draw_id)
    except ValueError:
        return refusals.BAD_ID
    # Looked up once: this is what the RNG does all day.
    table = buckets.find(state.tables, path)
    refusal = _out_of_reach(state, table, session, coup)
    if refusal is not None:
        return refusal
    seed: Seed | None = None
    if table is not None and table.session == session:
        decision = _made(table.of_coup(coup), name, command)
        if decision is not None:
            return decision
        seed = table.seed_of(coup)
    chance = _chance_of(seed, command, context)
    if not isinstance(chance, bytes):
        return chance
    values = draw(chance, command.draw_id, command.bounds)
    kind = SealedDrawn if command.sealed else Drawn
    return Accepted((kind(draw_id=command.draw_id, bounds=command.bounds, values=values),))


def _made(of_coup: Coup, name: str, command: RequestDraw) -> Decision | None:
    """Return the answer to a request that leads to no new draw; None for one that does."""
    made = of_coup.get(name)
    if made is not None:
        same = made.bounds == command.bounds and made.secret == command.sealed
        return Already((made,)) if same else refusals.CONFLICT
    return refusals.TOO_MANY if len(of_coup) >= DRAWS_PER_COUP else None


def _chance_of(seed: Seed | None, command: RequestDraw, context: Context) -> bytes | NotYet | Refusal:
    """Return what the values follow from: the seed of the coup if it has one, else fresh entropy."""
    match seed:
        case SeedSealed():
            return context.chance.seed or refusals.SEED_GIVEN_UP
        case SeedRevealed():
            return refusals.SEED_REVEALED
        case SeedGivenUp():
            return refusals.SEED_GIVEN_UP
        case None if command.seeded:
            return refusals.SEED_UNKNOWN
    return _entropy(context, again=command.again)


def _entropy(context: Context, *, again: bool) -> bytes | NotYet | Refusal:
    """Return fresh random bytes, or why there are none: said once; a request that comes again waits for them."""
    entropy = context.chance.entropy
    if not entropy:
        return NotYet("the generator is not healthy") if again else UNHEALTHY
    if len(entropy) < DRAW_ENTROPY_BYTES:
        raise DrawDefect(f"a draw needs {DRAW_ENTROPY_BYTES} fresh random bytes, not {len(entropy)}")
    return entropy


def _out_of_reach(state: DrawsState, table: TableDraws | None, session: int, coup: int) -> Refusal | None:
    """Return why nothing is answered about this coup, if so."""
    if table is None:
        return refusals.TOO_MANY if state.table_count >= DRAW_TABLES else None
    past = session < table.session or (session == table.session and coup <= table.forgotten)
    return refusals.TOO_OLD if past else None


# -- seeds --------------------------------------------------------------------------------------------------------
def _asked(state: DrawsState, seed: str) -> tuple[TableDraws | None, int] | Refusal:
    """Return what is known of a seed's session, None before its first fact, and the coup; or why nothing is said."""
    try:
        path, session, coup = split_seed_id(seed)
    except ValueError:
        return refusals.SEED_BAD_ID
    table = buckets.find(state.tables, path)
    refusal = _out_of_reach(state, table, session, coup)
    return refusal or (table if table is not None and table.session == session else None, coup)


def _commit_seed(state: DrawsState, command: CommitSeed, context: Context) -> Decision:
    """Choose the seed of a coup and promise it, before any draw of that coup."""
    asked = _asked(state, command.seed_id)
    if isinstance(asked, Refusal):
        return asked
    table, coup = asked
    match table.seed_of(coup) if table else None:
        case SeedSealed(commitment=commitment):
            return Already((SeedCommitted(seed_id=command.seed_id, commitment=commitment),))
        case SeedRevealed(seed=seed):
            commitment = commitment_of(bytes.fromhex(seed), command.seed_id)
            return Already((SeedCommitted(seed_id=command.seed_id, commitment=commitment),))
        case SeedGivenUp():
            return refusals.SEED_GIVEN_UP
    if table and table.of_coup(coup):
        return refusals.SEED_TOO_LATE
    entropy = _entropy(context, again=command.again)
    if not isinstance(entropy, bytes):
        return entropy
    if not context.chance.sealed:
        raise DrawDefect("a seed can only be committed to when its sealed form is handed in with it")
    commitment = commitment_of(entropy, command.seed_id)
    sealed = SeedSealed(seed_id=command.seed_id, commitment=commitment, sealed=context.chance.sealed)
    return Accepted((sealed, SeedCommitted(seed_id=command.seed_id, commitment=commitment)))


def _reveal_seed(state: DrawsState, command: RevealSeed, context: Context) -> Decision:
    """Show the seed of a coup that is over. One that no key opens is given up, for ever."""
    asked = _asked(state, command.seed_id)
    if isinstance(asked, Refusal):
        return asked
    table, coup = asked
    match table.seed_of(coup) if table else None:
        case SeedRevealed() | SeedGivenUp() as known:
            return Already((known,))
        case None:
            return refusals.SEED_UNKNOWN
        case SeedSealed(commitment=commitment):
            pass
    seed = context.chance.seed
    if not seed:
        return Accepted((SeedGivenUp(seed_id=command.seed_id),))
    if commitment_of(seed, command.seed_id) != commitment:
        raise DrawDefect(f"what was opened is not the seed of {command.seed_id}")
    return Accepted((SeedRevealed(seed_id=command.seed_id, seed=seed.hex()),))


_DECIDE: dict[type[Command], Callable[[DrawsState, Any, Context], Decision]] = {
    RequestDraw: _request_draw,
    CommitSeed: _commit_seed,
    RevealSeed: _reveal_seed,
}


def evolve(state: DrawsState, event: Event) -> DrawsState:
    """Return the state after one fact; the state given stays whole."""
    match event:
        case Drawn():
            return remember(state, event)
        case SeedSealed() | SeedRevealed() | SeedGivenUp():
            return remember_seed(state, event)
        case SeedCommitted():
            return state
        case DrawsOpened():
            opened = DrawsState(book=state.book, opened=True)
            for drawn in event.remembered:
                opened = remember(opened, drawn)
            for seed in event.seeds:
                opened = remember_seed(opened, seed)
            return opened
        case _:
            raise DrawDefect(f"the draws know no event {tag_of(event)}")


def react(_state: DrawsState) -> tuple[Outgoing, ...]:
    """The draws wait for nobody."""
    return ()


def deadline(_state: DrawsState) -> None:
    """The draws wait for no hour."""


DECIDER: Decider[DrawsState] = Decider(
    commands=frozenset(_DECIDE),
    events=frozenset(
        {DrawsOpened, Drawn, SealedDrawn, SeedSealed, SeedCommitted, SeedRevealed, SeedGivenUp},
    ),
    initial=initial,
    decide=decide,
    evolve=evolve,
    react=react,
    deadline=deadline,
)
