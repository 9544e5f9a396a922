"""The register of persons as the runtime takes it: sealed bytes and pseudonyms in, facts out. It can open nothing."""

from hashlib import sha256

import msgspec

from libs.kernel import buckets
from libs.kernel.contracts.persons import (
    ConfirmKeyDestroyed,
    CorrectPerson,
    ForgetPerson,
    KeyDestroyed,
    LookAtPerson,
    PersonCorrected,
    PersonForgotten,
    PersonLookedAt,
    PersonRegistered,
    PersonsOpened,
    RegisterPerson,
)
from libs.kernel.decider import Accepted, Already, Context, Decider, Decision, Outgoing
from libs.kernel.limits import MAX_PERSONS
from libs.kernel.messages import Command, Event, tag_of
from libs.kernel.refusals import role_not_allowed
from libs.persons.refusals import FORGOTTEN, TOO_MANY, UNKNOWN, known
from libs.persons.roles import ROLES
from libs.persons.state import Person, PersonsDefect, PersonsState, initial, person


def decide(state: PersonsState, command: Command, context: Context) -> Decision:
    """Decide a command; the first fact opens the volume."""
    allowed = ROLES.get(type(command))
    if allowed is None:
        raise PersonsDefect(f"the register knows no command {tag_of(command)}")
    if context.actor.role not in allowed:
        return role_not_allowed(allowed)
    match command:
        case RegisterPerson():
            return _register(state, command, context)
        case CorrectPerson():
            return _correct(state, command)
        case LookAtPerson(player=player, looked=looked, purpose=purpose):
            fact = PersonLookedAt(player=player, looked=looked, purpose=purpose, at_ms=context.now_ms)
            return _missing(state, player) or Accepted((fact,))
        case ForgetPerson(player=player, reason=reason):
            before = state.destroying.get(player)
            if before is not None:
                return Already((PersonForgotten(player=player, reason=before),))
            return _missing(state, player) or Accepted((PersonForgotten(player=player, reason=reason),))
        case ConfirmKeyDestroyed(player=player):
            return Accepted((KeyDestroyed(player=player),)) if player in state.destroying else Already()
    raise PersonsDefect(f"the register has no rule for {tag_of(command)}")


def _register(state: PersonsState, command: RegisterPerson, context: Context) -> Decision:
    before = person(state, command.player)
    if before is not None:
        if before.forgotten:
            return FORGOTTEN
        return Already() if before.digest == digest_of(command.sealed) else known(command.player)
    if state.kept >= MAX_PERSONS:
        return TOO_MANY
    registered = PersonRegistered(player=command.player, sealed=command.sealed)
    return Accepted((registered,) if state.events else (PersonsOpened(book=context.book), registered))


def _correct(state: PersonsState, command: CorrectPerson) -> Decision:
    missing = _missing(state, command.player)
    if missing is not None:
        return missing
    if _known(state, command.player).digest == digest_of(command.sealed):
        return Already()
    return Accepted((PersonCorrected(player=command.player, sealed=command.sealed),))


def _missing(state: PersonsState, player: str) -> Decision | None:
    """Return why a pseudonym means nobody, or None."""
    there = person(state, player)
    if there is None:
        return UNKNOWN
    return FORGOTTEN if there.forgotten else None


def digest_of(sealed: bytes) -> str:
    """Return the digest by which sealed data are compared."""
    return sha256(sealed).hexdigest()[:16]


def evolve(state: PersonsState, event: Event) -> PersonsState:
    """Return the state after one fact; the state given stays whole."""
    after = msgspec.structs.replace(state, events=state.events + 1)
    match event:
        case PersonsOpened() | PersonLookedAt():
            return after
        case PersonRegistered(player=player, sealed=sealed):
            there = Person(after.events, digest_of(sealed))
            return _with(after, player, there, kept=state.kept + 1)
        case PersonCorrected(player=player, sealed=sealed):
            return _with(after, player, Person(after.events, digest_of(sealed)), kept=state.kept)
        case PersonForgotten(player=player, reason=reason):
            gone = msgspec.structs.replace(_known(state, player), forgotten=True)
            destroying = {**state.destroying, player: reason}
            return _with(after, player, gone, kept=state.kept - 1, destroying=destroying)
        case KeyDestroyed(player=player):
            left = {name: reason for name, reason in state.destroying.items() if name != player}
            return msgspec.structs.replace(after, destroying=left)
        case _:
            raise PersonsDefect(f"the register knows no event {tag_of(event)}")


def _known(state: PersonsState, player: str) -> Person:
    there = person(state, player)
    assert there is not None, "only whoever is registered is corrected or forgotten"
    return there


def _with(
    state: PersonsState, player: str, there: Person, *, kept: int, destroying: dict[str, str] | None = None
) -> PersonsState:
    left = state.destroying if destroying is None else destroying
    persons = buckets.put(state.persons, {player: there})
    return msgspec.structs.replace(state, persons=persons, kept=kept, destroying=left)


def react(_state: PersonsState) -> tuple[Outgoing, ...]:
    """The register sends nothing: whoever holds the keys follows it, and destroys those of `destroying`."""
    return ()


def deadline(_state: PersonsState) -> None:
    """The register waits for no hour."""


DECIDER: Decider[PersonsState] = Decider(
    commands=frozenset(ROLES),
    events=frozenset({PersonsOpened, PersonRegistered, PersonCorrected, PersonLookedAt, PersonForgotten, KeyDestroyed}),
    initial=initial,
    decide=decide,
    evolve=evolve,
    react=react,
    deadline=deadline,
)
