"""A toy decider for tests of the runtime: a counter that can refuse, crash, wait for time, owe, and open volumes."""

from collections.abc import Callable
from typing import ClassVar, Literal

import msgspec

from libs.eventlog.codec import Codec
from libs.kernel.contracts.answers import Answered
from libs.kernel.decider import Accepted, Already, Context, Decider, Decision, NotYet, Outgoing
from libs.kernel.messages import Command, Event, Tick
from libs.kernel.refusals import Refusal
from libs.runtime.kinds import Kind

HOOKS: dict[int, Callable[[], None]] = {}
"""What happens to the process when an amount is added: a test may have it sleep, or die."""

Place = Literal["nowhere", "react", "tick", "deadline"]


class Add(Command, frozen=True, kw_only=True, tag="toy.Add"):
    """Add `amount`; refused below zero, crashes at 13."""

    amount: int


class Ask(Command, frozen=True, kw_only=True, tag="toy.Ask"):
    """Ask the shard `shard` to add `amount` to its book `book`, and remember the answer."""

    shard: str
    book: str
    amount: int


class OpenNext(Command, frozen=True, kw_only=True, tag="toy.OpenNext"):
    """Begin the next volume, bringing the total forward."""


class WaitUntil(Command, frozen=True, kw_only=True, tag="toy.WaitUntil"):
    """Want a tick at `at_ms`."""

    at_ms: int


class Later(Command, frozen=True, kw_only=True, tag="toy.Later"):
    """Get no answer until the total is above zero."""


class Again(Command, frozen=True, kw_only=True, tag="toy.Again"):
    """Get the facts of a wish that was granted before, a secret among them."""


class Break(Command, frozen=True, kw_only=True, tag="toy.Break"):
    """Crash from now on in one of the pure functions."""

    where: Place


class Opened(Event, frozen=True, kw_only=True, tag="toy.Opened"):
    """A volume begins."""

    opens_volume: ClassVar[bool] = True

    total: int


class Added(Event, frozen=True, kw_only=True, tag="toy.Added"):
    """The total grew."""

    amount: int
    total: int


class Whispered(Event, frozen=True, kw_only=True, tag="toy.Whispered"):
    """A secret that must not reach the feed."""

    secret: ClassVar[bool] = True

    word: str


class Asked(Event, frozen=True, kw_only=True, tag="toy.Asked"):
    """A command to another shard is owed."""

    id: str
    shard: str
    book: str
    amount: int


class Heard(Event, frozen=True, kw_only=True, tag="toy.Heard"):
    """The answer came."""

    id: str
    total: int


class Waited(Event, frozen=True, kw_only=True, tag="toy.Waited"):
    """The deadline is set, or met when `at_ms` is 0."""

    at_ms: int


class Broken(Event, frozen=True, kw_only=True, tag="toy.Broken"):
    """One of the pure functions crashes from now on."""

    where: Place


class ToyState(msgspec.Struct, frozen=True):
    """A counter."""

    book: str
    total: int = 0
    owed: tuple[Asked, ...] = ()
    heard: tuple[int, ...] = ()
    wake_at_ms: int = 0
    opened: bool = False
    broken: Place = "nowhere"


def _decide(  # noqa: C901  # one case per command
    state: ToyState, command: Command, context: Context
) -> Decision:
    opening: tuple[Event, ...] = () if state.opened else (Opened(total=0),)
    match command:
        case Add(amount=amount):
            return _add(state, amount, opening)
        case Ask(shard=shard, book=book, amount=amount):
            return Accepted((*opening, Asked(id=f"ask:{context.command_id}", shard=shard, book=book, amount=amount)))
        case Answered(to=to, events=events):
            if all(asked.id != to for asked in state.owed):
                return Already()
            total = next((event.total for event in events if isinstance(event, Added)), -1)
            return Accepted((Heard(id=to, total=total),))
        case OpenNext():
            return Accepted((*opening, Opened(total=state.total)))
        case WaitUntil(at_ms=at_ms):
            return Accepted((*opening, Waited(at_ms=at_ms)))
        case Later():
            return Accepted() if state.total else NotYet("nothing there")
        case Again():
            return Already((Added(amount=1, total=1), Whispered(word="hush")))
        case Break(where=where):
            return Accepted((*opening, Broken(where=where)))
        case Tick():
            return _tick(state, context.now_ms)
    raise AssertionError(command)


def _add(state: ToyState, amount: int, opening: tuple[Event, ...]) -> Decision:
    if amount == 13:
        raise RuntimeError("thirteen")
    if amount < 0:
        return Refusal("toy.negative", "Montant négatif.", "Negative amount.")
    HOOKS.get(amount, lambda: None)()
    word = (Whispered(word="hush"),) if amount == 7 else ()
    return Accepted((*opening, Added(amount=amount, total=state.total + amount), *word))


def _tick(state: ToyState, now_ms: int) -> Decision:
    if state.broken == "tick":
        raise RuntimeError("no time")
    return Accepted((Waited(at_ms=0),)) if 0 < state.wake_at_ms <= now_ms else Accepted()


def _evolve(state: ToyState, event: Event) -> ToyState:
    match event:
        case Opened(total=total):
            return msgspec.structs.replace(state, opened=True, total=total)
        case Added(total=total):
            return msgspec.structs.replace(state, total=total)
        case Asked():
            return msgspec.structs.replace(state, owed=(*state.owed, event))
        case Heard(id=asked, total=total):
            owed = tuple(one for one in state.owed if one.id != asked)
            return msgspec.structs.replace(state, owed=owed, heard=(*state.heard, total))
        case Waited(at_ms=at_ms):
            return msgspec.structs.replace(state, wake_at_ms=at_ms)
        case Broken(where=where):
            return msgspec.structs.replace(state, broken=where)
    return state


def _react(state: ToyState) -> list[Outgoing]:
    if state.broken == "react":
        raise RuntimeError("nothing to say")
    return [Outgoing(one.id, one.shard, one.book, Add(amount=one.amount)) for one in state.owed]


def _deadline(state: ToyState) -> int | None:
    if state.broken == "deadline":
        raise RuntimeError("no end")
    return 1 if state.broken == "tick" else state.wake_at_ms or None


DECIDER: Decider[ToyState] = Decider(
    commands=frozenset({Add, Ask, OpenNext, WaitUntil, Later, Again, Break, Answered, Tick}),
    events=frozenset({Opened, Added, Whispered, Asked, Heard, Waited, Broken}),
    initial=ToyState,
    decide=_decide,
    evolve=_evolve,
    react=_react,
    deadline=_deadline,
)
CODEC = Codec(DECIDER.commands, DECIDER.events)
TOY = Kind("toy", DECIDER, CODEC)
