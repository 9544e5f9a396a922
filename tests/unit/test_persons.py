"""The register's decider: sealed bytes in, facts out."""

import msgspec
import pytest

from libs.eventlog.memory import MemoryLog
from libs.kernel import limits
from libs.kernel.actors import Actor, Role
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
from libs.kernel.decider import Accepted, Already, Context, Decision
from libs.kernel.ids import PERSONS, PERSONS_SHARD
from libs.kernel.messages import Command, Event, Tick
from libs.kernel.refusals import Refusal
from libs.persons import decider as rules
from libs.persons.decider import DECIDER
from libs.persons.roles import ROLES
from libs.persons.state import PersonsDefect, PersonsState
from libs.persons.state import person as person_of
from libs.runtime import kinds
from tests.kit.shard_run import open_run, wish

ANNA, BRUNO = "p-aaaaaaaaaaaaaaaa", "p-bbbbbbbbbbbbbbbb"
REGISTER = RegisterPerson(player=ANNA, sealed=b"sealed papers of one")
LOOK = LookAtPerson(player=ANNA, looked="data", purpose="cage")
FORGET = ForgetPerson(player=ANNA, reason="person")
CORRECT = CorrectPerson(player=ANNA, sealed=b"other papers")
CONFIRM = ConfirmKeyDestroyed(player=ANNA)
WORDS: tuple[Command, ...] = (REGISTER, CORRECT, LOOK, FORGET, CONFIRM)


def say(state: PersonsState, command: Command, role: Role | None = None, now_ms: int = 7) -> Decision:
    """Decide a command of somebody who may say it, or of this role."""
    speaker = Actor("someone-1", role or min(ROLES[type(command)]))
    return DECIDER.decide(state, command, Context(now_ms, speaker, "someone-1:1", PERSONS))


def after(*commands: Command) -> PersonsState:
    """Return the register after these commands, each accepted."""
    state = DECIDER.initial(PERSONS)
    for command in commands:
        decision = say(state, command)
        assert isinstance(decision, Accepted), decision
        for event in decision.events:
            state = DECIDER.evolve(state, event)
    return state


def code(decision: Decision) -> str:
    """Return the code of a refusal."""
    assert isinstance(decision, Refusal), decision
    return decision.code


def test_the_first_registration_opens_the_register() -> None:
    """The facts hold the pseudonym and the sealed bytes; the state knows where the bytes are, and not the bytes."""
    registered = PersonRegistered(player=ANNA, sealed=REGISTER.sealed)
    assert Accepted((PersonsOpened(book=PERSONS), registered)) == say(DECIDER.initial(PERSONS), REGISTER)
    state = after(REGISTER)
    there = person_of(state, ANNA)
    assert there is not None
    assert (2, 1, 2, False) == (state.events, state.kept, there.version, there.forgotten)
    assert b"sealed" not in msgspec.json.encode(state)
    another = RegisterPerson(player=BRUNO, sealed=b"others")
    assert Accepted((PersonRegistered(player=BRUNO, sealed=b"others"),)) == say(state, another)


def test_the_same_papers_again_are_the_same_registration() -> None:
    """Sealed to the same bytes: granted before. To others: refused, with the pseudonym that the person has."""
    assert Already() == say(after(REGISTER), REGISTER)
    refusal = say(after(REGISTER), RegisterPerson(player=ANNA, sealed=b"other papers"))
    assert "person.known" == code(refusal)
    assert isinstance(refusal, Refusal)
    assert ANNA in refusal.fr
    assert ANNA in refusal.en


def test_other_papers_take_the_place_of_the_first() -> None:
    """The state points at the latest; the same again adds nothing; whoever is unknown cannot be corrected."""
    assert Accepted((PersonCorrected(player=ANNA, sealed=b"other papers"),)) == say(after(REGISTER), CORRECT)
    state = after(REGISTER, LOOK, CORRECT)
    there = person_of(state, ANNA)
    assert there is not None
    assert (4, 1) == (there.version, state.kept)
    assert Already() == say(state, CORRECT)
    assert "person.known" == code(say(state, REGISTER))
    assert Already() == say(state, RegisterPerson(player=ANNA, sealed=b"other papers"))
    assert "person.unknown" == code(say(after(REGISTER), CorrectPerson(player=BRUNO, sealed=b"x")))


def test_a_look_is_a_fact_without_the_data() -> None:
    """Whoever looks leaves who (the actor), at whom, at what, why and when."""
    expected = PersonLookedAt(player=ANNA, looked="data", purpose="cage", at_ms=99)
    assert Accepted((expected,)) == say(after(REGISTER), LOOK, now_ms=99)
    assert "person.unknown" == code(say(after(REGISTER), LookAtPerson(player=BRUNO, looked="data", purpose="cage")))


def test_a_forgotten_person_stays_forgotten() -> None:
    """Neither looked at nor registered again under the old pseudonym; forgotten twice is forgotten once."""
    assert Accepted((PersonForgotten(player=ANNA, reason="person"),)) == say(after(REGISTER), FORGET)
    state = after(REGISTER, FORGET)
    assert ({ANNA: "person"}, 0) == (state.destroying, state.kept)
    again = ForgetPerson(player=ANNA, reason="authority")
    assert Already((PersonForgotten(player=ANNA, reason="person"),)) == say(state, again)
    for register in (state, after(REGISTER, FORGET, CONFIRM)):
        assert ["person.forgotten"] * 3 == [code(say(register, word)) for word in (REGISTER, CORRECT, LOOK)]
    assert "person.forgotten" == code(say(after(REGISTER, FORGET, CONFIRM), FORGET))
    assert "person.unknown" == code(say(after(REGISTER), ForgetPerson(player=BRUNO, reason="person")))


def test_the_destruction_of_a_key_is_logged_once() -> None:
    """Owed from the forgetting until it is confirmed; a second confirmation, or one of nobody's key, adds nothing."""
    assert Accepted((KeyDestroyed(player=ANNA),)) == say(after(REGISTER, FORGET), CONFIRM)
    assert {} == after(REGISTER, FORGET, CONFIRM).destroying
    assert [Already(), Already()] == [say(after(REGISTER, FORGET, CONFIRM), CONFIRM), say(after(REGISTER), CONFIRM)]


@pytest.mark.parametrize("command", WORDS, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize(
    "role", ["player", "croupier", "pit_boss", "committee_member", "technician", "cashier", "device", "auditor"]
)
def test_only_some_may_say_it(command: Command, role: Role) -> None:
    """Cashiers register and correct; they, committee and auditors look; the committee forgets; others do nothing."""
    allowed: dict[type[Command], set[str]] = {
        RegisterPerson: {"cashier"},
        CorrectPerson: {"cashier"},
        LookAtPerson: {"cashier", "committee_member", "auditor"},
        ForgetPerson: {"committee_member"},
        ConfirmKeyDestroyed: set(),
    }
    decision = say(after(REGISTER), command, role)
    refused = isinstance(decision, Refusal) and decision.code == "role.not_allowed"
    assert (role in allowed[type(command)]) != refused


def test_a_full_register_takes_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit a registration is refused, until somebody is forgotten."""
    monkeypatch.setattr(rules, "MAX_PERSONS", 1)
    another = RegisterPerson(player=BRUNO, sealed=b"others")
    assert "person.too_many" == code(say(after(REGISTER), another))
    assert isinstance(say(after(REGISTER, FORGET), another), Accepted)
    assert limits.MAX_PERSONS > 1


def test_what_the_register_does_not_know_is_a_defect() -> None:
    """A command or an event of another book crashes, rather than being taken for something else."""
    state = DECIDER.initial(PERSONS)
    with pytest.raises(PersonsDefect):
        DECIDER.decide(state, Tick(), Context(1, Actor("x", "service"), "x", PERSONS))

    class Stranger(Event, frozen=True, kw_only=True, tag="test.Stranger"):
        """Nothing of ours."""

    with pytest.raises(PersonsDefect):
        DECIDER.evolve(state, Stranger())


async def test_a_taken_over_register_is_the_same() -> None:
    """Folded anew from the log by another owner: the same state, to the byte, and the same answers again."""
    log = MemoryLog()
    cashier, member = Actor("cashier-1", "cashier"), Actor("member-1", "committee_member")
    words = [
        wish(REGISTER, PERSONS, by=cashier),
        wish(LOOK, PERSONS, by=cashier),
        wish(FORGET, PERSONS, by=member),
    ]
    first = await open_run(log, kind=kinds.PERSONS, name=PERSONS_SHARD, known=[PERSONS])
    await first.say(*words)
    second = await open_run(log, kind=kinds.PERSONS, name=PERSONS_SHARD, known=[PERSONS])
    assert msgspec.json.encode(first.state(PERSONS)) == msgspec.json.encode(second.state(PERSONS))
    before = await log.heads(PERSONS_SHARD)
    await second.say(*words)
    assert before == await log.heads(PERSONS_SHARD)
    answers = await second.answers()
    assert answers[:3] == [msgspec.structs.replace(one, events=()) for one in answers[3:]]
