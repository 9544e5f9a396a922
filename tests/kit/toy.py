"""A toy decider for tests of the runtime: a counter that can refuse, crash, wait for time, owe, and open volumes."""

from typing import ClassVar

import msgspec

from libs.eventlog.codec import Codec
from libs.kernel.contracts.answers import Answered
from libs.kernel.decider import Accepted, Already, Context, Decider, Decision, NotYet, Outgoing
from libs.kernel.messages import Command, Event, Tick
from libs.kernel.refusals import Refusal
from libs.runtime.kinds import Kind


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


class ToyState(msgspec.Struct, frozen=True):
    """A counter."""

    book: str
    total: int = 0
    owed: tuple[Asked, ...] = ()
    heard: tuple[int, ...] = ()
    wake_at_ms: int = 0
    opened: bool = False


def _decide(state: ToyState, command: Command, context: Context) -> Decision:  # noqa: C901 - one case a command
    opening: tuple[Event, ...] = () if state.opened else (Opened(total=0),)
    match command:
        case Add(amount=13):
            raise RuntimeError("thirteen")
        case Add(amount=amount) if amount < 0:
            return Refusal("toy.negative", "Montant négatif.", "Negative amount.")
        case Add(amount=amount):
            word = (Whispered(word="hush"),) if amount == 7 else ()
            return Accepted((*opening, Added(amount=amount, total=state.total + amount), *word))
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
        case Tick():
            return Accepted((Waited(at_ms=0),)) if 0 < state.wake_at_ms <= context.now_ms else Accepted()
    raise AssertionError(command)


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
    return state


def _react(state: ToyState) -> list[Outgoing]:
    return [Outgoing(one.id, one.shard, one.book, Add(amount=one.amount)) for one in state.owed]


DECIDER: Decider[ToyState] = Decider(
    commands=frozenset({Add, Ask, OpenNext, WaitUntil, Later, Answered, Tick}),
    events=frozenset({Opened, Added, Whispered, Asked, Heard, Waited}),
    initial=ToyState,
    decide=_decide,
    evolve=_evolve,
    react=_react,
    deadline=lambda state: state.wake_at_ms or None,
)
CODEC = Codec(DECIDER.commands, DECIDER.events)
TOY = Kind("toy", DECIDER, CODEC)
